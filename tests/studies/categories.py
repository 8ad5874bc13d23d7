"""How often pairs, flushes and so on win, by street, as in the patent's picture of it.

    make study NAME="categories LOG --game hunl"

    hands      (4, 9)    int64    hands that reached a street, of both players, by category
    wins       (4, 9)    int64    how many of them won the pot in the end, in whatever way
    ties       (4, 9)    int64    how many shared it
    shown      (4, 9)    int64    how many came to a showdown; shown_wins and shown_ties of these
    sums       (4, 9, 4) float64  sums over deals of m, m n, m m and n n, where n of the two hands
                                  are of a category, and win m mbb together

Categories are those of the evaluator, of the hole cards and the cards of the board up to the
street; before the flop there are only pairs and high cards.  Cards that are not known are left out.
Both hands of a deal may be of one category, and what one wins the other loses: so deals, not hands,
are the samples of the win rate's interval (ratio estimator; Cochran, "Sampling techniques", 1977).
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.situations import STREETS
from engine.console.options import jobs_option
from engine.estimates.shares import ShareEstimate
from engine.estimates.winrate import half_interval
from engine.showdown.evaluator import category, strength
from tests.studies.frame import finite
from tests.studies.logged_hands import SMALL_POOL, add_source, counted
from tests.studies.strengths import STREET_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from tests.studies.logged_hands import StudiedHand

CATEGORIES: Final = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_COUNTS: Final = ("hands", "wins", "ties", "shown", "shown_wins", "shown_ties")
_SUMS: Final = 4
SMALL: Final = SMALL_POOL


def add_options(parser: ArgumentParser) -> None:
    """Add the hands, and processes."""
    add_source(parser)
    jobs_option().add_to(parser)


def run(options: Namespace) -> dict[str, Any]:
    """Return what hands of each category win on each street."""
    facts, counts = counted(CategoryStudy, options)
    return facts | counts.plain()


def _zeros() -> NDArray[np.int64]:
    return np.zeros((STREETS, len(CATEGORIES)), np.int64)


@dataclass(slots=True)
class CategoryStudy:
    """The counts of the module, of some deals."""

    deals: int = 0
    hands: NDArray[np.int64] = field(default_factory=_zeros)
    wins: NDArray[np.int64] = field(default_factory=_zeros)
    ties: NDArray[np.int64] = field(default_factory=_zeros)
    shown: NDArray[np.int64] = field(default_factory=_zeros)
    shown_wins: NDArray[np.int64] = field(default_factory=_zeros)
    shown_ties: NDArray[np.int64] = field(default_factory=_zeros)
    sums: NDArray[np.float64] = field(
        default_factory=lambda: np.zeros((STREETS, len(CATEGORIES), _SUMS))
    )

    def take(self, hand: StudiedHand, strengths: StrengthReader) -> None:
        """Count both hands of a deal on each street that it reached."""
        self.deals += 1
        state, cards = hand.hand.state, hand.hand.cards
        for street in range(state.street + 1):
            board = cards.board[: state.game.board_seen(street)]
            met: dict[int, tuple[float, int]] = {}
            for position, hole in enumerate(cards.holes):
                if not hole:
                    continue
                found = category(strength((*hole, *board)))
                share = hand.shares[position]
                place = street, found
                for prefix in ("", "shown_") if state.showdown else ("",):
                    getattr(self, f"{prefix}wins")[place] += share == 1
                    getattr(self, f"{prefix}ties")[place] += 0 < share < 1
                self.hands[place] += 1
                self.shown[place] += state.showdown
                won, many = met.get(found, (0.0, 0))
                met[found] = won + hand.mbb[position], many + 1
            for found, (won, many) in met.items():
                self.sums[street, found] += (won, won * many, won * won, many * many)

    def add(self, other: CategoryStudy) -> None:
        """Count what another one has counted too."""
        self.deals += other.deals
        for name in (*_COUNTS, "sums"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def win_rate(self, street: int, found: int) -> tuple[float, float]:
        """Return what hands of a category won, mbb/h, and half the 95 % interval.

        The interval is infinite below two hands; the mean is nan without any.
        """
        hands = int(self.hands[street, found])
        if not hands:
            return math.nan, math.inf
        won, won_many, won_won, many_many = self.sums[street, found].tolist()
        mean = won / hands
        spread = max(0.0, won_won - 2 * mean * won_many + mean * mean * many_many)
        sd = math.sqrt(spread / (hands - 1)) if hands > 1 else math.inf
        return mean, half_interval(sd, hands)

    def plain(self) -> dict[str, Any]:
        """Return what is shown as plain values; none where there is no hand."""
        return {
            "deals": self.deals,
            "streets": {
                name: [row for found in range(len(CATEGORIES)) if (row := self._row(street, found))]
                for street, name in enumerate(STREET_NAMES)
            },
        }

    def _row(self, street: int, found: int) -> dict[str, Any]:
        """Return what there is to say of a category on a street; nothing without a hand."""
        place = street, found
        hands, shown = int(self.hands[place]), int(self.shown[place])
        if not hands:
            return {}
        won = self.wins[place] + self.ties[place] / 2
        chances = ShareEstimate.of(float(won), hands)
        mean, half = self.win_rate(*place)
        return {
            "category": CATEGORIES[found],
            "hands": hands,
            "share": hands / int(self.hands[street].sum()),
            "won": chances.value,
            "won_ci95": [chances.low, chances.high],
            "showdowns": shown,
            "won_shown": float(self.shown_wins[place] + self.shown_ties[place] / 2) / shown
            if shown
            else None,
            "mbb_per_hand": mean,
            "ci95": finite(half),
        }
