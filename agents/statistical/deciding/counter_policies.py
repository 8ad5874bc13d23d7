"""What the modeller changes against each type of player, and how it learns the type.

The patent says "call more against aggressive, bluff against conservative"; the numbers are ours.
They are shares of the pot by which an action is taken to win more than `values` says:

    call     a call of a bet
    bluff    a raise with a hand that is weak, or fails to be ahead of the hands it meets
    value    a raise with any other hand
    caution  taken off every raise on a street on which the opponent has raised

A raise of a size that wins more with `value` is preferred: the larger, the more (a pot's raise gets
the whole share, half a pot's half of it), so `value` bets bigger as well as oftener.

Nothing is changed before the type is sure: HANDS hands were seen, and its probability is at least
CONFIDENCE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agents.statistical.counting.situations import CALL, RAISE

if TYPE_CHECKING:
    from agents.statistical.counting.play_summary import PlaySummary
    from agents.statistical.counting.situations import SeenAction
    from agents.statistical.deciding.action_values import Value
    from agents.statistical.predicting.player_types import PlayerTypes, TypeAssignment
    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView

HANDS: Final = 100
CONFIDENCE: Final = 0.5


class CounterPolicy(NamedTuple):
    """How to play against a type; shares of the pot, see the module."""

    call: float = 0.0
    bluff: float = 0.0
    value: float = 0.0
    caution: float = 0.0


COUNTER_POLICIES: Final[Mapping[str, CounterPolicy]] = {
    "aggressive": CounterPolicy(call=0.05),
    "conservative": CounterPolicy(bluff=0.10),
    "regular": CounterPolicy(),
    "bluffer": CounterPolicy(call=0.10),
    "trapper": CounterPolicy(bluff=-0.10, value=0.05, caution=0.10),
}


def countered(
    values: Sequence[Value],
    view: PlayerView,
    ahead: bool,
    policy: CounterPolicy,
) -> list[Value]:
    """Return what actions are taken to win against a type.

    Args:
        values: what they win by themselves.
        ahead: whether the own hand is stronger than those it meets on average.
    """
    raised = view.to_call > 0 and (view.street > 0 or view.state.raises > 0)
    changed = []
    for value in values:
        more = 0.0
        if value.kind == CALL and view.to_call > 0:
            more = policy.call
        elif value.kind == RAISE:
            more = policy.value * min(value.fraction, 1.0) if ahead else policy.bluff
            more -= policy.caution * raised
        changed.append(value._replace(chips=value.chips + more * view.pot))
    return changed


class TypeWatch:
    """Tells an opponent's type, hand by hand; `assignment` is None before the first hand."""

    def __init__(self, types: PlayerTypes, summary: PlaySummary) -> None:
        """The summary is that of a player so far; it grows while watching."""
        self._types = types
        self._summary = summary
        self.assignment: TypeAssignment | None = types.assign(summary) if summary.hands else None

    @property
    def policy(self) -> CounterPolicy | None:
        """What to change; None as long as the type is not sure."""
        assignment = self.assignment
        if assignment is None or assignment.hands < HANDS or assignment.confidence < CONFIDENCE:
            return None
        return COUNTER_POLICIES[assignment.name]

    def add_hand(
        self, actions: Sequence[SeenAction], combo: int | None, strengths: StrengthReader
    ) -> None:
        """Count a finished hand: all actions of the other player, and its shown combo or None."""
        for action in actions:
            self._summary.add(action.kind, action.raised, action.stack, action.cell)
            if combo is not None:
                strength = float(strengths.read(action.situation.board)[combo])
                self._summary.add_shown(action.kind, strength, action.cell)
        if actions:
            self._summary.add_hand()
            self.assignment = self._types.assign(self._summary)

    def notes(self) -> dict[str, Any]:
        """Return the type, how sure it is and of how many hands, for a log."""
        assignment = self.assignment
        if assignment is None:
            return {}
        return {
            "opponent_type": assignment.name,
            "type_confidence": round(assignment.confidence, 3),
            "type_hands": assignment.hands,
        }
