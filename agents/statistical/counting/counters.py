"""What one opponent has done, and with what: the 36 counters, and the hands it has shown.

    counts   (2, 12, 3)  int64   decisions by position (1: with the button), cell and action
    shown    (12, 3, 20) int64   hands shown later, by the cell and action they were played in and
                                 by strength, 20 equal bins
    answers  (2, 2, 4, 3) int64  actions after raises in a no-limit game: before the flop and after
                                 it, facing one raise and more, by the size of the last
    scores   (5,)        int64   logarithms of the probabilities, in thousandths, that each way to
                                 interpret actions gave shown hands, see
                                 `ranges.interpretation_choice`
    own_bins (20,)       int64   decisions that were made against this opponent, by the strength of
                                 the hand that made them
    summaries                    what its type follows from, in limit games and in no-limit games

Cells, actions and sizes are those of `situations`; 12 cells times 3 actions are the 36 counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.habits import GENERIC_SHARES, MOST_COUNTED, counted
from agents.statistical.counting.play_summary import PlaySummary
from agents.statistical.counting.situations import ACTIONS, CELLS, RAISES_TOLD_APART, SIZES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from agents.statistical.counting.situations import DecisionPoint, SeenAction

POSITIONS: Final = 2
STRENGTH_BINS: Final = 20
INTERPRETATION_COUNT: Final = 5
GAME_KINDS: Final = 2
SIZE_PRIOR_DECISIONS: Final = 6.0
POSITION_PRIOR_DECISIONS: Final = 8.0
CELL_PRIOR_DECISIONS: Final = 4.0
TRUST_PRIOR: Final = 5.0
_ARRAYS: Final = ("counts", "shown", "answers", "own_bins", "scores")
_NUMBERS: Final = ("scored", "hands", "showdowns")


class OpponentCounters:
    """Counts one opponent's decisions; everything starts at 0.

    Attributes (shapes and meaning: see the module):
        scored: hands behind the scores.
        hands: hands played against it.
        showdowns: hands it has shown.
    """

    def __init__(self) -> None:
        self.counts: NDArray[np.int64] = np.zeros((POSITIONS, CELLS, ACTIONS), np.int64)
        self.shown: NDArray[np.int64] = np.zeros((CELLS, ACTIONS, STRENGTH_BINS), np.int64)
        self.answers: NDArray[np.int64] = np.zeros((2, 2, SIZES, ACTIONS), np.int64)
        self.own_bins: NDArray[np.int64] = np.zeros(STRENGTH_BINS, np.int64)
        self.scores: NDArray[np.int64] = np.zeros(INTERPRETATION_COUNT, np.int64)
        self.scored = self.hands = self.showdowns = 0
        self.summaries = [PlaySummary(bool(kind)) for kind in range(GAME_KINDS)]

    def add(self, actions: Iterable[SeenAction], times: int = 1) -> None:
        """Count what the opponent did; with -1 times what was counted is taken back."""
        for situation, kind, _ in actions:
            cell, size = situation.cell, situation.size
            self.counts[int(situation.button), cell, kind] += times
            if size:
                self.answers[(*_raises_of(cell), size - 1, kind)] += times

    def add_shown(self, cell: int, kind: int, strength: float) -> None:
        """Count the strength, 0 to 1, at which a hand that was shown later took an action.

        Raises:
            ValueError: no such strength.
        """
        self.shown[cell, kind, bin_of(strength)] += 1

    def add_scores(self, scores: Sequence[float]) -> None:
        """Count the logarithms of the probabilities that each interpretation gave a shown hand."""
        self.scores += np.rint(1000 * np.array(scores)).astype(np.int64)
        self.scored += 1

    def add_own(self, strength: float) -> None:
        """Count a decision of our own that was made with a hand of some strength.

        Raises:
            ValueError: no such strength.
        """
        self.own_bins[bin_of(strength)] += 1

    def trust(self, cell: int) -> float:
        """Return how far what was counted in a cell is believed: n / (n + 5) for n decisions."""
        decisions = int(self.counts[:, cell].sum())
        return decisions / (decisions + TRUST_PRIOR)

    def shares(self, situation: DecisionPoint) -> tuple[float, float, float]:
        """Return how often the opponent folds, calls and raises in a situation.

        Sparse counts are shrunk, by prior decisions: those of the position towards both positions,
        these towards all cells, and these towards the generic 2:5:3. Counts after raises of the
        same size are added. Illegal actions have share 0.
        """
        cell, size = situation.cell, situation.size
        may = np.array(situation.legal, np.float64)
        generic = _scaled(np.array(GENERIC_SHARES) * may)
        overall = _scaled(self.counts.sum(axis=(0, 1)) * may + CELL_PRIOR_DECISIONS * generic)
        both = _scaled(self.counts[:, cell].sum(axis=0) * may + CELL_PRIOR_DECISIONS * overall)
        here = _scaled(
            self.counts[int(situation.button), cell] * may + POSITION_PRIOR_DECISIONS * both
        )
        if size:
            answers = self.answers[(*_raises_of(cell), size - 1)]
            here = _scaled(answers * may + SIZE_PRIOR_DECISIONS * here)
        fold, call, raise_ = here.tolist()
        return fold, call, raise_

    def full_bins(self, least: int) -> bool:
        """Return whether every strength bin holds at least so many decisions of our own."""
        return bool((self.own_bins >= least).all())

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, to be kept in a file."""
        return {
            **{name: getattr(self, name).tolist() for name in _ARRAYS},
            **{name: getattr(self, name) for name in _NUMBERS},
            "summaries": [summary.plain() for summary in self.summaries],
        }

    @classmethod
    def of_plain(cls, values: Any) -> OpponentCounters:
        """Return counters of what `plain` gave.

        Raises:
            ValueError: something is missing, of another shape or out of range; the message says
                what.
        """
        made = cls()
        if not isinstance(values, dict):
            raise ValueError("counters without names")
        for name in (*_ARRAYS, *_NUMBERS, "summaries"):
            try:
                made._take(name, values[name])
            except KeyError as error:
                raise ValueError(f"{name}: missing") from error
            except (ValueError, TypeError, OverflowError) as error:
                raise ValueError(f"{name}: {error}") from error
        return made

    def _take(self, name: str, value: Any) -> None:
        if name in _ARRAYS:
            wanted = getattr(self, name)
            wanted[:] = counted(value, wanted.shape, -MOST_COUNTED if name == "scores" else 0)
        elif name in _NUMBERS:
            setattr(self, name, int(counted(value)))
        else:
            pairs = zip(value, self.summaries, strict=True)
            self.summaries = [
                PlaySummary.of_plain(plain, summary.no_limit) for plain, summary in pairs
            ]


def bin_of(strength: float) -> int:
    """Return the bin, 0 to 19, of a strength from 0 to 1.

    Raises:
        ValueError: it is outside.
    """
    if not 0 <= strength <= 1:
        raise ValueError(f"a strength of {strength}: want 0 to 1")
    return min(int(strength * STRENGTH_BINS), STRENGTH_BINS - 1)


def _raises_of(cell: int) -> tuple[int, int]:
    return int(cell >= RAISES_TOLD_APART), int(cell % RAISES_TOLD_APART > 1)


def _scaled(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = shares / shares.sum()
    return total
