"""What one opponent has done, and with what: the 36 counters, and the hands it has shown.

    counts   (2, 12, 3)  int64   decisions by position (1: with the button), cell and action
    shown    (12, 3, 20) int64   hands shown later, by the cell and action they were played in and
                                 by strength, 20 equal bins
    answers  (2, 2, 4, 3) int64  actions after raises in a no-limit game: before the flop and after
                                 it, facing one raise and more, by the size of the last
    scores   (5,)        int64   logarithms of the probabilities, in thousandths, that each of
                                 READINGS gave shown hands
    own_bins (20,)       int64   decisions that were made against this opponent, by the strength of
                                 the hand that made them
    summaries                    what its type follows from, in limit games and in no-limit games

Cells (street x raises faced) and actions are those of `agents.statistical.counting.habits`; 12 cells times
3 actions are the 36 counters.  Sizes of bets are 1 to 4, by chips to call as a share of the pot
before them: up to 0.6, 1.1, 2.1 and above; 0 where there is no raise, or only one size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.habits import (
    ACTIONS,
    CELLS,
    MOST_COUNTED,
    RAISES_TOLD_APART,
    Habits,
    counted,
)
from agents.statistical.deciding.base_strategy import BINS, bin_of
from agents.statistical.predicting.player_types import GAME_KINDS, Summary
from agents.statistical.ranges.thresholds import GENERIC_SHARES, Ramp

if TYPE_CHECKING:
    from numpy.typing import NDArray

POSITIONS: Final = 2
_SIZES: Final = (0.6, 1.1, 2.1)


class Way(NamedTuple):
    """A way to read an opponent's actions."""

    blur: float = 1.0
    """See `blurred_ramps`."""
    by_shown: bool = False
    """Whether the strengths that were shown give the thresholds where they can."""
    by_curves: bool = False
    """Whether what other players did gives the likelihoods, see `action_curves`."""


READINGS: Final = (
    Way(),
    Way(blur=0.4),
    Way(by_shown=True),
    Way(blur=0.4, by_shown=True),
    Way(by_curves=True),
)
"""The first holds until another one has foretold shown hands better."""
READING_PRIOR: Final = 3.0
"""By so much, as the logarithm of a probability, another one must be better."""
MIN_SHOWN: Final = 8
"""Hands that must have been shown before their strengths give a threshold."""
SHOWN_BOUNDS: Final = (0.1, 0.5)
"""Shares of the shown hands below the bounds of the ramp of their action."""
SIZE_PRIOR: Final = 6.0
"""Decisions that a cell's shares count for in those after bets of one size."""
POSITION_PRIOR: Final = 8.0
"""Decisions that a cell's shares over both positions count for, in one position."""
CELL_PRIOR: Final = 4.0
"""Decisions that the generic shares count for in a cell."""


class OpponentCounters:
    """Counts one opponent's decisions; everything starts at 0.

    Attributes:
        counts: (2, 12, 3) see the module.
        shown: (12, 3, 20)
        answers: (2, 2, 4, 3)
        scores: (5,)
        scored: hands behind the scores.
        own_bins: (20,)
        hands: hands played against it.
        showdowns: hands of it seen.
        summaries: of what it did in limit games, and in no-limit games.
        habits: the decisions counted here, of both positions, as predictors of actions want them.
    """

    def __init__(self) -> None:
        self.counts: NDArray[np.int64] = np.zeros((POSITIONS, CELLS, ACTIONS), np.int64)
        self.shown: NDArray[np.int64] = np.zeros((CELLS, ACTIONS, BINS), np.int64)
        self.answers: NDArray[np.int64] = np.zeros((2, 2, len(_SIZES) + 1, ACTIONS), np.int64)
        self.own_bins: NDArray[np.int64] = np.zeros(BINS, np.int64)
        self.scores: NDArray[np.int64] = np.zeros(len(READINGS), np.int64)
        self.scored = 0
        self.hands = 0
        self.showdowns = 0
        self.summaries = [Summary(bool(kind)) for kind in range(GAME_KINDS)]
        self.habits = Habits()

    def __eq__(self, other: object) -> bool:
        """Two are equal that have counted the same."""
        if not isinstance(other, OpponentCounters):
            return NotImplemented
        mine, its = self.plain(), other.plain()
        return mine == its

    __hash__ = None  # type: ignore[assignment]

    def add(self, button: bool, cell: int, action: int, size: int = 0) -> None:
        """Count a decision.

        Raises:
            ValueError: no such cell, action or size.
        """
        _check(cell, action)
        if not 0 <= size <= len(_SIZES) + 1:
            raise ValueError(f"size {size}: want 0 to {len(_SIZES) + 1}")
        if size:
            self.answers[(*_raises_of(cell), size - 1, action)] += 1
        self.counts[int(button), cell, action] += 1
        self.habits.add(cell, action)

    def add_shown(self, cell: int, action: int, strength: float) -> None:
        """Count the strength, 0 to 1, at which a hand that was shown later took an action.

        Raises:
            ValueError: no such cell, action or strength.
        """
        _check(cell, action)
        self.shown[cell, action, bin_of(strength)] += 1

    @property
    def reading(self) -> Way:
        """The one of READINGS that foretold shown hands best."""
        likely = self.scores.astype(np.float64)
        likely[0] += 1000 * READING_PRIOR
        return READINGS[int(likely.argmax())]

    def add_scores(self, scores: Sequence[float]) -> None:
        """Count the logarithms of the probabilities that each of READINGS gave a shown hand."""
        self.scores += np.rint(1000 * np.array(scores)).astype(np.int64)
        self.scored += 1

    def add_own(self, strength: float) -> None:
        """Count a decision of our own that was made with a hand of some strength.

        Raises:
            ValueError: no such strength.
        """
        self.own_bins[bin_of(strength)] += 1

    def seen(self, cell: int) -> int:
        """Return how many decisions were counted in a cell, in both positions."""
        return int(self.counts[:, cell].sum())

    def shares(
        self, button: bool, cell: int, legal: Sequence[bool], size: int = 0
    ) -> tuple[float, float, float]:
        """Return how often the opponent folds, calls and raises in a cell and position.

        What was counted in the position is drawn to what was counted in both, that to what was
        counted in all cells, and that to the generic 2:5:3, by prior
        decisions; what was counted after raises of the size comes on top.  Illegal actions have
        share 0.

        Args:
            button: whether it has the button.
            cell: 0 to 11.
            legal: whether fold, call and raise are; call always is.
            size: of the bet that is answered; 0: none, or of no account.
        """
        may = np.array(legal, np.float64)
        generic = _scaled(np.array(GENERIC_SHARES) * may)
        overall = _scaled(self.counts.sum(axis=(0, 1)) * may + CELL_PRIOR * generic)
        both = _scaled(self.counts[:, cell].sum(axis=0) * may + CELL_PRIOR * overall)
        here = _scaled(self.counts[int(button), cell] * may + POSITION_PRIOR * both)
        if size:
            answers = self.answers[(*_raises_of(cell), size - 1)]
            here = _scaled(answers * may + SIZE_PRIOR * here)
        fold, call, raise_ = here.tolist()
        return fold, call, raise_

    def full_bins(self, least: int) -> bool:
        """Return whether every strength bin holds at least so many decisions of our own."""
        return bool((self.own_bins >= least).all())

    def shown_ramp(self, cell: int, action: int) -> Ramp | None:
        """Return how likely an action becomes with strength, by the hands shown that took it.

        Where too few were shown in the cell, those of all streets after the first count that faced
        as many raises; None where these are too few.
        """
        bins = self.shown[cell, action]
        if bins.sum() < MIN_SHOWN and cell >= RAISES_TOLD_APART:
            bins = self.shown[RAISES_TOLD_APART + cell % RAISES_TOLD_APART :: RAISES_TOLD_APART]
            bins = bins[:, action].sum(axis=0)
        if bins.sum() < MIN_SHOWN:
            return None
        upto = np.cumsum(bins) / bins.sum()
        low, high = (np.searchsorted(upto, share) / BINS for share in SHOWN_BOUNDS)
        return Ramp(float(low + high + 1 / BINS) / 2, float(high - low + 1 / BINS) / 2)

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, to be kept in a file."""
        return {
            "counts": self.counts.tolist(),
            "shown": self.shown.tolist(),
            "answers": self.answers.tolist(),
            "own_bins": self.own_bins.tolist(),
            "scores": self.scores.tolist(),
            "scored": self.scored,
            "hands": self.hands,
            "showdowns": self.showdowns,
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
        for name in ("counts", "shown", "answers", "own_bins", "scores"):
            with _said_of(name):
                wanted = getattr(made, name)
                least = -MOST_COUNTED if name == "scores" else 0
                wanted[:] = counted(values[name], wanted.shape, least)
        for name in ("hands", "showdowns", "scored"):
            with _said_of(name):
                setattr(made, name, int(counted(values[name])))
        with _said_of("summaries"):
            pairs = zip(values["summaries"], made.summaries, strict=True)
            made.summaries = [Summary.of_plain(held, one.no_limit) for held, one in pairs]
        for (cell, action), times in np.ndenumerate(made.counts.sum(axis=0)):
            made.habits.add(cell, action, int(times))
        return made


def size_of(to_call: int, pot: int) -> int:
    """Return the size, 0 to 4, of a bet that leaves so many chips to call and in the pot."""
    if to_call == 0:
        return 0
    return 1 + bisect_left(_SIZES, to_call / max(pot - to_call, 1))


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    """Say in a ValueError which field it is about."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{name}: missing") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from error


def _raises_of(cell: int) -> tuple[int, int]:
    """Return where a cell's answers to raises are counted."""
    return int(cell >= RAISES_TOLD_APART), int(cell % RAISES_TOLD_APART > 1)


def _scaled(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = shares / shares.sum()
    return total


def _check(cell: int, action: int) -> None:
    if not (0 <= cell < CELLS and 0 <= action < ACTIONS):
        raise ValueError(f"cell {cell}, action {action}: want 0..{CELLS - 1}, 0..{ACTIONS - 1}")
