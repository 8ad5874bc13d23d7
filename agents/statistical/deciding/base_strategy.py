"""How the modeller plays while it knows nothing: three tables, changed now and then.

A table has one row for each of 20 equal bins of effective hand strength: the chances to fold, call
and raise.  Where checking is free a fold is a check.  Three very different tables take turns, so
that an opponent who counts what we do counts a mixture of three players.

Raises in no-limit games do not depend on the hand in this phase, since what they depend on could
be counted.  Sizes are fractions of the pot after calling:

    before the flop   the first raise 0.75 (2.5 big blinds from the small blind), later ones 1.0
                      (about three times the raise)
    after it          1/2, 3/4 or 1, each as often as the others; 3/4 over a bet
    all in            where what is left behind after the raise is less than a third of the pot
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.counters import bin_of
from agents.statistical.counting.situations import ACTIONS, CALL, FOLD, RAISE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.rules.view import PlayerView
    from protocol.actions import Action

HANDS_PER_TABLE: Final = 50
OPENING: Final = 0.75
RE_RAISE: Final = 1.0
BETS: Final = (0.5, 0.75, 1.0)
OVER_A_BET: Final = 0.75
ALL_IN_BELOW: Final = 1 / 3
"""Chips behind, as a share of the pot after the raise, below which a raise is all in."""

_BINS_PER_LINE: Final = (4, 4, 3, 2, 1, 3, 3)


def _table(*lines: tuple[float, float, float]) -> NDArray[np.float64]:
    table = np.repeat(np.array(lines), _BINS_PER_LINE, axis=0)
    table.flags.writeable = False
    return table


TABLES: Final[Mapping[str, NDArray[np.float64]]] = MappingProxyType(
    {
        "regular": _table(
            (0.80, 0.15, 0.05),
            (0.45, 0.50, 0.05),
            (0.15, 0.75, 0.10),
            (0.05, 0.80, 0.15),
            (0.00, 0.70, 0.30),
            (0.00, 0.45, 0.55),
            (0.00, 0.15, 0.85),
        ),
        "aggressive": _table(
            (0.60, 0.15, 0.25),
            (0.25, 0.50, 0.25),
            (0.05, 0.60, 0.35),
            (0.00, 0.50, 0.50),
            (0.00, 0.35, 0.65),
            (0.00, 0.20, 0.80),
            (0.00, 0.25, 0.75),
        ),
        "conservative": _table(
            (0.95, 0.05, 0.00),
            (0.75, 0.25, 0.00),
            (0.40, 0.60, 0.00),
            (0.15, 0.80, 0.05),
            (0.00, 0.90, 0.10),
            (0.00, 0.70, 0.30),
            (0.00, 0.30, 0.70),
        ),
    }
)
"""Name -> (20, 3) chances to fold, call and raise by bin of strength; rows sum to 1."""


class Rotation:
    """Which of the tables is played: another one, at random, every EVERY hands."""

    def __init__(self) -> None:
        self._turn = -1
        self.name = next(iter(TABLES))
        """The table in use."""

    def table(self, hand: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the (20, 3) table of a hand, numbered from 0."""
        turn = hand // HANDS_PER_TABLE
        if turn != self._turn:
            others = [name for name in TABLES if turn == 0 or name != self.name]
            self.name = str(rng.choice(others))
            self._turn = turn
        return TABLES[self.name]


def draw_kind(table: NDArray[np.float64], strength: float, rng: np.random.Generator) -> int:
    """Return FOLD, CALL or RAISE, drawn from the row of a strength.

    Raises:
        ValueError: the strength is outside 0..1.
    """
    chances = table[bin_of(strength)]
    drawn = np.searchsorted(np.cumsum(chances), rng.random(), "right")
    return min(int(drawn), ACTIONS - 1)


def base_fraction(view: PlayerView, rng: np.random.Generator) -> float:
    """Return a raise size independent of the hand, a fraction of the pot after calling."""
    raises = view.state.raises
    if view.street == 0:
        return RE_RAISE if raises else OPENING
    return OVER_A_BET if raises else float(rng.choice(BETS))


def chips_of_kind(view: PlayerView, kind: int, fraction: float) -> Action:
    """Return a kind of action in chips; a fold where checking is free is a check.

    Args:
        kind: FOLD, CALL or RAISE; a raise where none is legal is a call.
        fraction: size of a raise, see the module.
    """
    if kind == FOLD:
        return view.fold()
    if kind == CALL or kind != RAISE:
        return view.call()
    chips = view.pot_fraction(fraction)
    added = chips - view.state.to_match
    behind = view.max_raise_to - chips
    if behind < ALL_IN_BELOW * (view.pot + view.to_call + 2 * added):
        chips = view.max_raise_to
    return view.raise_to(chips)
