"""Exact equities of hold'em hands against each other before the flop, from a shipped table.

Every matchup of two hands has been played out on all C(48, 5) = 1 712 304 boards, and the counts
are shipped.  They are read on the first use, in a few milliseconds.  Equity is the
share of the pot: boards won and half the boards tied, over all.

    preflop_counts(first, second)    two combos: boards won, tied, lost
    preflop_equity(first, second)    two combos
    pair_counts(first, second)       many pairs of combos at once
    combo_equities()                 (1326, 1326) float32, combo against combo
    equities_against_random()        (169,)       float64, starting hand against any two cards

Combos are numbered as in `engine.hands.cards`, starting hands as in `engine.hands.starting_hands`.
For 1326 equities against a random hand, index the last with COMBO_STARTING_HAND.

A matchup is two starting hands (`starting_hands`), the lower number first, and a suit pattern: the
suits of their four cards, each hand's higher card first, renamed 0, 1, ... as they first appear.
Two cards of one rank may come in either order, and so may two equal starting hands; the pattern is
the lowest that can be made.

    key             (N,) int32  (hand * 169 + other_hand) * 16 + number of the pattern: the same
                                for (first, second) and (second, first), below KEYS
    swapped         (N,) bool   whether the key is about second against first

The shipped file is text with the numbers packed; `tests.studies.preflop_counts` writes it.

    lines until the first empty one    "name: text"; `schema`, `sha256`, where the numbers are from
    the rest                           base64 of a zlib stream, lines of 100 characters

Unpacked, the stream is (3, 47 008) int32, little-endian: key of the matchup, boards won by its
first hand, boards tied.  Each row is stored as differences to the number before, the sign in the
lowest bit.  All lowest bytes come first, then all second ones, and so on: 160 kB instead of 560.
`sha256` is that of the stream before it was compressed.

Plain numpy, because these tables must open without compiling.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBO_CARDS, COMBO_MASKS, COMBOS
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS

BOARDS_FOR_TWO_HANDS: Final = 1_712_304
MATCHUPS: Final = 47_008
KEYS: Final = STARTING_HANDS * STARTING_HANDS * 16

SHIPPED: Final = Path(__file__).with_name("data") / "preflop_counts.txt"

SCHEMA: Final = 1
SHAPE: Final = (3, MATCHUPS)


class BoardCounts(NamedTuple):
    """On how many of the `BOARDS_FOR_TWO_HANDS` boards the first hand wins, ties and loses."""

    won: int
    tied: int
    lost: int


class _Matchups(NamedTuple):
    """M matchups, and where to find them."""

    keys: NDArray[np.int32]
    """(M,) ascending, as `matchup_keys` has them."""
    won: NDArray[np.int64]
    """(M,) boards on which the first hand wins; tied likewise."""
    tied: NDArray[np.int64]
    row_of_key: NDArray[np.int32]
    """(KEYS,) the row of a key; -1 where there is no such matchup."""


def preflop_counts(first: int, second: int) -> BoardCounts:
    """Return on how many boards the first of two combos wins, ties and loses.

    Raises:
        ValueError: not two combos, or they share a card.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    (won,), (tied,) = pair_counts(np.array([first]), np.array([second]))
    if COMBO_MASKS[first] & COMBO_MASKS[second]:
        raise ValueError(f"combos {first} and {second} share a card")
    return BoardCounts(int(won), int(tied), BOARDS_FOR_TWO_HANDS - int(won) - int(tied))


def preflop_equity(first: int, second: int) -> float:
    """Return the equity, 0 to 1, of the first of two combos against the second.

    Raises:
        ValueError: not two combos, or they share a card.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    counts = preflop_counts(first, second)
    return (2 * counts.won + counts.tied) / (2 * BOARDS_FOR_TWO_HANDS)


def pair_counts(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return on how many boards the first of each pair of combos wins, and on how many it ties.

    Args:
        first: (N,) combos, as `second`.

    Returns:
        (N,) boards won and (N,) boards tied; both 0 for combos that share a card.

    Raises:
        ValueError: shapes differ, or a number is not a combo.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"want (N,) combos twice, got {first.shape} and {second.shape}")
    for combos in (first, second):
        if len(combos) and not 0 <= combos.min() <= combos.max() < COMBOS:
            raise ValueError(f"combos {combos.min()}..{combos.max()}: want 0..{COMBOS - 1}")
    matchups = _matchups()
    won, tied = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    possible = (COMBO_MASKS[first] & COMBO_MASKS[second]) == 0
    keys, swapped = matchup_keys(first[possible], second[possible])
    rows = matchups.row_of_key[keys]
    wins, ties = matchups.won[rows], matchups.tied[rows]
    won[possible] = np.where(swapped, BOARDS_FOR_TWO_HANDS - wins - ties, wins)
    tied[possible] = ties
    return won, tied


def combo_equities() -> NDArray[np.float32]:
    """Return a new (1326, 1326) float32: the equity of each combo against each other.

    Entries of combos that share a card are 0, so that `combo_equities() @ belief` sums over the
    hands that are possible.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    first, second = np.triu_indices(COMBOS, 1)
    possible = (COMBO_MASKS[first] & COMBO_MASKS[second]) == 0
    first, second = first[possible], second[possible]
    won, tied = pair_counts(first, second)
    share = (2 * won + tied) / (2 * BOARDS_FOR_TWO_HANDS)
    result = np.zeros((COMBOS, COMBOS), np.float32)
    result[first, second] = share
    result[second, first] = 1 - share
    return result


def equities_against_random() -> NDArray[np.float64]:
    """Return (169,) float64: the equity of each starting hand against any other two cards.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    halves, pairs = _starting_hand_halves()
    equities: NDArray[np.float64] = halves.sum(axis=1) / (
        2 * BOARDS_FOR_TWO_HANDS * pairs.sum(axis=1)
    )
    return equities


@cache
def _matchups() -> _Matchups:
    keys, won, tied = read_counts()
    row_of_key = np.full(KEYS, -1, np.int32)
    row_of_key[keys] = np.arange(len(keys), dtype=np.int32)
    return _Matchups(keys, won.astype(np.int64), tied.astype(np.int64), row_of_key)


def _starting_hand_halves() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what starting hands win of each other, in half boards, and the pairs of combos."""
    keys, won, tied, _ = _matchups()
    hand, other_hand = matchup_hands(keys)
    deals = matchup_deals(keys)
    shape = (STARTING_HANDS, STARTING_HANDS)
    halves, pairs = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    np.add.at(halves, (hand, other_hand), deals * (2 * won + tied))
    np.add.at(pairs, (hand, other_hand), deals)
    below = np.tril_indices(STARTING_HANDS, -1)
    pairs[below] = pairs.T[below]
    halves[below] = (2 * BOARDS_FOR_TWO_HANDS * pairs - halves.T)[below]
    np.fill_diagonal(
        halves, BOARDS_FOR_TWO_HANDS * pairs.diagonal()
    )  # whichever of the two is the first
    return halves, pairs


def read_counts(path: Path = SHIPPED) -> NDArray[np.int32]:
    """Return the counts of a file: (3, 47008) int32, keys, boards won, boards tied.

    Raises:
        ArtifactMismatch: the file is missing, of another schema or damaged.
    """
    try:
        head, _, packed = path.read_text(encoding="utf-8").partition("\n\n")
        about = dict(line.split(": ", 1) for line in head.splitlines())
        schema, digest = about["schema"], about["sha256"]
        stream = zlib.decompress(base64.b64decode(packed))
    except OSError as exc:
        raise _mismatch(path, f"cannot be read ({exc.strerror})") from exc
    except (ValueError, KeyError, zlib.error) as exc:
        raise _mismatch(path, "is damaged") from exc
    if schema != str(SCHEMA):
        raise _mismatch(path, f"has schema {schema}, want {SCHEMA}")
    if hashlib.sha256(stream).hexdigest() != digest or len(stream) != 4 * prod(SHAPE):
        raise _mismatch(path, "is damaged")
    return _unpack(stream)


def _mismatch(path: Path, what: str) -> ArtifactMismatch:
    return ArtifactMismatch(f"{path} {what}; reinstall")


def _unpack(stream: bytes) -> NDArray[np.int32]:
    planes = np.frombuffer(stream, np.uint8).reshape(4, -1)
    folded = planes.T.copy().view("<u4").reshape(SHAPE)
    steps = (folded >> 1).astype(np.int32) ^ -(folded & 1).astype(np.int32)
    return np.cumsum(steps, axis=1, dtype=np.int32)


_COMBO_SUIT_BITS: Final = (COMBO_CARDS[:, 0] & 3) << 2 | COMBO_CARDS[:, 1] & 3


def matchup_keys(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the key of each matchup, and whether it has the second combo's hand first."""
    starts = COMBO_STARTING_HAND
    by_hand = starts[first] > starts[second]
    low, high = np.where(by_hand, second, first), np.where(by_hand, first, second)
    hand, other_hand = starts[low].astype(np.int32), starts[high].astype(np.int32)
    pattern = _PATTERN_OF_SUITS[_COMBO_SUIT_BITS[low] << 4 | _COMBO_SUIT_BITS[high]]
    kind = _kind(hand, other_hand)
    keys = (hand * STARTING_HANDS + other_hand) << 4 | _LOWEST[kind, pattern]
    return keys, by_hand ^ _SWAPPED[kind, pattern]


def matchup_hands(keys: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the two starting hands of each matchup, the lower number first."""
    return (keys >> 4) // STARTING_HANDS, (keys >> 4) % STARTING_HANDS


def matchup_deals(keys: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how many ways each matchup can be dealt: a combo of one hand, then of the other.

    Over all matchups of two different starting hands that is every pair of disjoint combos once;
    of a hand with itself, twice.
    """
    kind = _kind(*matchup_hands(keys))
    pairs = (kind & 1) + (kind >> 1 & 1)  # either order of their suits is the same combo
    deals: NDArray[np.int64] = _DEALS[kind, keys & 15] >> pairs
    return deals


def _kind(hand: NDArray[np.int32], other_hand: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return which orders of the four cards are the same matchup: bits for the three swaps.

    1 swaps the cards of the first hand, a pair; 2 those of the second; 4 the hands.
    """
    pair, other_pair = hand % 14 == 0, other_hand % 14 == 0
    kind: NDArray[np.int64] = pair | np.int64(2) * other_pair | np.int64(4) * (hand == other_hand)
    return kind


def _renamed(suits: tuple[int, ...]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


def _lowest(kind: int, pattern: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Return the lowest pattern that swaps of this kind can make, and whether hands swap."""
    forms = []
    for swaps in range(8):
        if swaps & ~kind == 0:
            a, b, c, d = pattern
            a, b = (b, a) if swaps & 1 else (a, b)
            c, d = (d, c) if swaps & 2 else (c, d)
            suits = (c, d, a, b) if swaps & 4 else (a, b, c, d)
            forms.append((_renamed(suits), swaps >= 4))
    return min(forms)


_ALL_SUITS: Final = list(product(range(4), repeat=4))
_SUIT_PATTERNS: Final = sorted({_renamed(suits) for suits in _ALL_SUITS})
_PATTERN_OF_SUITS: Final = np.array([_SUIT_PATTERNS.index(_renamed(suits)) for suits in _ALL_SUITS])
_BY_KIND: Final = [[_lowest(kind, pattern) for pattern in _SUIT_PATTERNS] for kind in range(8)]
_LOWEST: Final = np.array(
    [[_SUIT_PATTERNS.index(low) for low, _ in row] for row in _BY_KIND], np.int32
)
_SWAPPED: Final = np.array([[swapped for _, swapped in row] for row in _BY_KIND])
"""(8, 15) by kind of matchup and pattern."""
_DEALS: Final = np.array([np.bincount(row[_PATTERN_OF_SUITS], minlength=15) for row in _LOWEST])
"""(8, 15) choices of four suits with which a matchup of this kind has this lowest pattern."""
