"""Which branches learned alone are used against an opponent: those of raises that it mostly makes.

A branch learned alone (`arena improve --alone`) answers a player who makes the raise with every
hand that comes to the place.  Against one who makes it with strong hands only it loses.  So the
opponent's decisions at the place are counted, its folds and calls as well as its raises:

    raises / (decisions + PRIOR) >= share      the branch is used in the next hand

PRIOR decisions without the raise are taken for granted, so that a few first hands open nothing.
Where a branch is not used, hands are read as if the model had never had it.

Source: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018, which uses this form only against whoever bets so most of the
time; how that is judged is not said there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.reading import Reader
from engine.rules.state import HandState
from protocol.gamedef import GameDef

PRIOR: Final = 10
ALWAYS: Final = 0.0
NEVER: Final = 1.0


def branches_alone(model: BlueprintModel) -> frozenset[int]:
    """Return the nodes behind the extra raises of a model that were learned alone."""
    entries = model.provenance.get("improved", ())
    alone = {
        entry.get("raise")
        for entry in (entries if isinstance(entries, list | tuple) else ())
        if isinstance(entry, dict) and entry.get("with_siblings") is False
    }
    return frozenset(model.tree.path(text)[-1] for text in model.config.extras if text in alone)


class BranchSwitch:
    """Counts what an opponent does where a model has branches learned alone."""

    def __init__(self, model: BlueprintModel, game: GameDef, share: float) -> None:
        """Know nothing of the opponent yet.

        Args:
            game: the true one.
            share: of the opponent's decisions, see the module's text; 0: all branches are used,
                1: none is.
        """
        self._share: Final = share
        self._branches: Final = branches_alone(model)
        self._parent: Final = {node: int(model.tree.parent[node]) for node in self._branches}
        self._reader: Final = Reader(model.tree, game, model.extras)
        self._decisions: Final[dict[int, float]] = defaultdict(float)
        self._raises: Final[dict[int, float]] = defaultdict(float)

    @property
    def counts(self) -> bool:
        """Whether anything depends on what the opponent does."""
        return bool(self._branches) and ALWAYS < self._share < NEVER

    def note(self, end: HandState, opponent: int) -> None:
        """Count the decisions of an opponent in a hand that is over."""
        for state, _, before, after in self._reader.readings(end):
            if state.actor != opponent:
                continue
            for node, chance in before.items():
                if self._reader.offers(node, state):
                    self._decisions[node] += chance
            for node in self._branches & after.keys():
                self._raises[node] += after[node]

    @property
    def closed(self) -> frozenset[int]:
        """The nodes behind the raises that are not to be used in the next hand."""
        return frozenset(node for node in self._branches if not self._is_usual(node))

    def _is_usual(self, node: int) -> bool:
        if self._share in (ALWAYS, NEVER):
            return self._share == ALWAYS
        decisions = self._decisions[self._parent[node]]
        return self._raises[node] >= self._share * (decisions + PRIOR)
