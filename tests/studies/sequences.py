"""What sequences of actions on a street tell of the strength of the hand, beside single actions.

    make study NAME="sequences LOG --game hunl --bins 20"

A sequence is what a player did on one street, in letters of the wire: "cr" is a check, or a call,
and then a raise.  S samples: one for each player, hand and street with an action and known cards.

    streets    (S,) int8      sequences  (S,) int32  place among the sequences of the study
    strengths  (S,) float32   of the hand on that street, 0 to 1
    deals      (S,) int32     number of the deal

How much a sequence X tells of the strength range B is their mutual information in bits, from the
counts n(x, b) of N samples:

    I = sum n(x, b) / N log2( N n(x, b) / (n(x) n(b)) ) - (K_xb - K_x - K_b + 1) / (2 N ln 2)

The second term takes off the bias of few samples, K being numbers of filled cells: Miller, "Note on
the bias of information estimates", in Quastler, "Information theory in psychology", 1955; Roulston,
"Estimating the errors on measured entropy and mutual information", Physica D 125, 1999.  Intervals
are those of the mean of the logarithms; what belongs to one deal counts as one sample.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.situations import KIND_CODES, actions_of
from engine.console.arguments import whole_number
from engine.console.options import jobs_option
from engine.estimates.winrate import half_interval
from engine.hands.cards import combo_of
from tests.studies.frame import finite
from tests.studies.logged_hands import SMALL_POOL, add_source, counted
from tests.studies.strengths import STREET_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from tests.studies.logged_hands import StudiedHand

SHOWN: Final = 8
"""Sequences of a street that have a column; the others share one."""
OTHERS: Final = "others"
MOST_BINS: Final = 100
SMALL: Final = SMALL_POOL
MEASURES: Final = ("single actions", "first action", "last action", "sequence")
_LETTERS: Final = {code: letter for letter, code in KIND_CODES.items()}


def add_options(parser: ArgumentParser) -> None:
    """Add the hands, processes, and equal ranges of strength."""
    add_source(parser)
    jobs_option().add_to(parser)
    bins = whole_number(2, MOST_BINS)
    parser.add_argument("--bins", metavar="N", type=bins, default=10, help="ranges of strength")


def run(options: Namespace) -> dict[str, Any]:
    """Return how often each strength does what, and how many bits that tells of it."""
    facts, study = counted(SequenceStudy, options)
    return facts | study.table(options.bins).plain()


class _Sample(NamedTuple):
    """What a player did on a street."""

    street: int
    sequence: str
    strength: float
    deal: int


class Information(NamedTuple):
    """How much something tells, bits a sample."""

    bits: float
    """Bias taken off."""
    half_width: float
    """Half the 95 % interval."""
    bias: float
    samples: int


class SequenceStudy:
    """The samples of some deals."""

    def __init__(self) -> None:
        self.deals = 0
        self.unknown = 0
        """Sequences of hands that are not known."""
        self._samples: list[_Sample] = []

    def take(self, hand: StudiedHand, strengths: StrengthReader) -> None:
        """Keep what both players did on each street."""
        state, cards = hand.hand.state, hand.hand.cards
        done: dict[tuple[int, int], str] = {}
        for one in actions_of(state, cards.board):
            place = one.situation.state.street, one.actor
            done[place] = done.get(place, "") + _LETTERS[one.kind]
        for (street, position), sequence in done.items():
            hole = cards.holes[position]
            if not hole:
                self.unknown += 1
                continue
            board = cards.board[: state.game.board_seen(street)]
            strength = float(strengths.read(board)[combo_of(*hole)])
            self._samples.append(_Sample(street, sequence, strength, self.deals))
        self.deals += 1

    def add(self, other: SequenceStudy) -> None:
        """Take over the samples of another one, of deals that follow."""
        self._samples += [one._replace(deal=one.deal + self.deals) for one in other._samples]
        self.deals += other.deals
        self.unknown += other.unknown

    def table(self, bins: int) -> SequenceTable:
        """Return how often each strength does what."""
        return SequenceTable(self._samples, bins)


class SequenceTable:
    """Frequencies of sequences by strength, and what they tell.

    Attributes:
        columns: for each street the sequences that have a column, commonest first.
        counts: for each street (bins, C + 1) int64, the last column all other sequences.
        told: for each street and over all of them, MEASURES -> Information; none without samples.
    """

    def __init__(self, samples: Sequence[_Sample], bins: int) -> None:
        """Count samples in so many equal ranges of strength."""
        self.bins = bins
        self.columns: list[list[str]] = []
        self.counts: list[NDArray[np.int64]] = []
        self.told: dict[str, dict[str, Information]] = {}
        for street, name in enumerate(STREET_NAMES):
            here = [one for one in samples if one.street == street]
            often = Counter(one.sequence for one in here)
            columns = sorted(often, key=lambda one: (-often[one], one))[:SHOWN]
            counts = np.zeros((bins, len(columns) + 1), np.int64)
            places = {sequence: place for place, sequence in enumerate(columns)}
            for one in here:
                counts[_bin(one, bins), places.get(one.sequence, len(columns))] += 1
            self.columns.append(columns)
            self.counts.append(counts)
            self.told[name] = _told(here, bins)
        self.told["all streets"] = _told(samples, bins)

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "bins": self.bins,
            "streets": {
                name: {"sequences": [*columns, OTHERS], "counts": counts.tolist()}
                for name, columns, counts in zip(
                    STREET_NAMES, self.columns, self.counts, strict=True
                )
                if counts.any()
            },
            "bits": {
                name: {
                    measure: {
                        "bits": one.bits,
                        "ci95": finite(one.half_width),
                        "bias": one.bias,
                        "samples": one.samples,
                    }
                    for measure, one in told.items()
                }
                for name, told in self.told.items()
                if told
            },
        }


def _told(samples: Sequence[_Sample], bins: int) -> dict[str, Information]:
    """Return what sequences tell, and what single actions of the same samples do.

    Over all streets the street is a part of what was done, and of the range of strength it is told
    nothing: ranges are the same on all.
    """
    if not samples:
        return {}
    single = [
        ((one.street, action), _bin(one, bins), one.deal)
        for one in samples
        for action in one.sequence
    ]
    found = [information(*zip(*single, strict=True))]
    ranges = [_bin(one, bins) for one in samples]
    deals = [one.deal for one in samples]
    found += [
        information([(one.street, one.sequence[part]) for one in samples], ranges, deals)
        for part in (slice(1), slice(-1, None), slice(None))
    ]
    return dict(zip(MEASURES, found, strict=True))


def information(
    things: Sequence[Hashable], ranges: Sequence[Hashable], deals: Sequence[int]
) -> Information:
    """Return the mutual information of (N,) things and (N,) ranges, see the module.

    Args:
        things: one at least.
        ranges: of the same samples.
        deals: to which samples belong; those of one hang together.
    """
    count = len(things)
    thing, range_, deal = (_numbered(each) for each in (things, ranges, deals))
    cells = np.zeros((thing.max() + 1, range_.max() + 1))
    np.add.at(cells, (thing, range_), 1)
    by_thing, by_range = cells.sum(axis=1), cells.sum(axis=0)
    logs = np.log2(cells[thing, range_] * count / (by_thing[thing] * by_range[range_]))
    mean = float(logs.mean())
    filled = np.count_nonzero(cells) - len(by_thing) - len(by_range) + 1
    bias = filled / (2 * count * math.log(2))
    sums = np.bincount(deal, logs - mean)
    sd = math.sqrt(float(sums @ sums) / (count - 1)) if count > 1 else math.inf
    return Information(mean - bias, half_interval(sd, count), bias, count)


def _numbered(things: Sequence[Hashable]) -> NDArray[np.int64]:
    """Return (N,) numbers of things from 0 on, the same for the same."""
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(one, len(places)) for one in things], np.int64)


def _bin(sample: _Sample, bins: int) -> int:
    return min(int(sample.strength * bins), bins - 1)
