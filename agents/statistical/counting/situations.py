"""A hand of hold'em, decision by decision, as everybody at the table sees it.

Counters, ranges, types of players and trained models all go by these records.  `actions_of` makes
each once, from `HandState.history`, for hands at the table and in logs.

A cell is one of 12 situations: the street (0 to 3) and the raises faced on it (none, one, more).
Sizes of bets are 1 to 4, by chips to call as a share of the pot before them: up to 0.6, 1.1, 2.1
and above; 0 where there is no raise, or only one size.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.rules.pots import most_chips

if TYPE_CHECKING:
    from engine.rules.state import DecisionFacts, HandState

FOLD: Final = 0
CALL: Final = 1
RAISE: Final = 2
ACTIONS: Final = 3
KIND_CODES: Final = {"f": FOLD, "c": CALL, "r": RAISE}
STREETS: Final = 4
RAISES_TOLD_APART: Final = 3
CELLS: Final = STREETS * RAISES_TOLD_APART
SIZES: Final = 4
_SIZE_BOUNDS: Final = (0.6, 1.1, 2.1)


class DecisionPoint(NamedTuple):
    """A decision that a player has to make, or has made."""

    state: HandState
    """Before it."""
    board: tuple[int, ...]
    """The cards of the streets reached."""
    button: bool
    """Whether the actor has the button, at a table of two."""
    cell: int
    legal: tuple[bool, bool, bool]
    """Fold, call, raise; a call always is."""
    size: int
    """Of the bet that is to be answered, see the module."""


class SeenAction(NamedTuple):
    """An action and the situation in which it was taken."""

    situation: DecisionPoint
    kind: int
    """FOLD, CALL or RAISE."""
    raised: float
    """Size of a raise, as a share of the pot after the call; 0 for others."""

    @property
    def actor(self) -> int:
        """Position of the actor."""
        return self.situation.state.actor

    @property
    def cell(self) -> int:
        """Cell of the situation."""
        return self.situation.cell

    @property
    def stack(self) -> float:
        """What the actor could still lose, as a share of what the hand could cost it, 0 to 1.

        In limit games that is what the betting can come to, as stacks may be without bound.
        """
        state = self.situation.state
        most = min(state.game.stacks[state.actor], most_chips(state.game))
        return max(most - state.spent[state.actor], 0) / most


def situation_of(state: HandState, board: tuple[int, ...]) -> DecisionPoint:
    """Return the situation of the player to act; board cards not dealt yet are left out."""
    return _situation(state, state.facts(), board)


def actions_of(state: HandState, board: tuple[int, ...], since: int = 0) -> list[SeenAction]:
    """Return what was done in a hand up to a state.

    Args:
        board: the cards of the streets reached.
        since: how many of the first actions to leave out.
    """
    actions = []
    for past in state.history[since:]:
        earlier, facts = past.state, past.facts
        added = max(past.raise_to - earlier.to_match, 0)
        raised = added / max(facts.pot + facts.to_call, 1)
        situation = _situation(earlier, facts, board)
        actions.append(SeenAction(situation, KIND_CODES[past.action.kind], raised))
    return actions


def cell_of(street: int, raises: int) -> int:
    """Return the cell, 0 to 11, of a decision on a street on which there were so many raises."""
    return street * RAISES_TOLD_APART + min(raises, RAISES_TOLD_APART - 1)


def bet_size_of(to_call: int, pot: int) -> int:
    """Return the size, 0 to 4, of a bet that leaves so many chips to call and in the pot."""
    if to_call == 0:
        return 0
    return 1 + bisect_left(_SIZE_BOUNDS, to_call / max(pot - to_call, 1))


def _situation(state: HandState, facts: DecisionFacts, board: tuple[int, ...]) -> DecisionPoint:
    game = state.game
    return DecisionPoint(
        state=state,
        board=board[: game.board_seen(facts.street)],
        button=game.first_positions[-1] != facts.actor,
        cell=cell_of(facts.street, state.raises),
        legal=(state.can_fold, True, facts.high > 0),
        size=bet_size_of(facts.to_call, facts.pot) if game.no_limit and state.raises else 0,
    )
