"""Ranges of hole cards as text: "QQ+,AKs,A5s-A2s,KhQh:0.5" <-> weights of the 1326 combos.

Pieces are separated by commas or blanks.  Ranks go from 2 to A, suits are c, d, h and s; capital
and small letters mean the same.

    QQ  AKs  AKo  AK       a pair; suited; offsuit; both
    77+                    77 and every higher pair
    A5s+                   the same high card, the kicker from here up: A5s to AKs; T9s+ is T9s
    77-55  A5s-A2s         everything between, in either order
    JTs-76s                the same distance between the two ranks: JTs, T9s, 98s, 87s, 76s
    AhKh                   one combo
    random  any  *         every combo
    20%                    the best fifth of all combos by equity against a random hand; the last
                           of the 169 starting hands gets the weight that is left for it
    AKs:0.5                any of these with a weight from 0 to 1; without one it is 1

A combo named more than once has the weight it was given last: "random,AA:0" lacks the aces.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.hands.cards import COMBOS, combo_of, combo_text
from engine.hands.starting_hands import STRONGEST_FIRST, combos_of_starting_hand
from protocol.cards import RANKS, parse_card

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_CLASS: Final = r"([2-9TJQKA])([2-9TJQKA])([SO]?)"
_CLASSES: Final = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?")
_ONE_COMBO: Final = re.compile(r"([2-9TJQKA][CDHS]){2}")
_WEIGHT: Final = re.compile(r"\d{1,3}(\.\d{0,50})?|\.\d{1,50}", re.ASCII)
_PERCENT: Final = re.compile(r"\d{1,3}(\.\d{0,50})?%", re.ASCII)
_EVERYTHING: Final = {"RANDOM", "ANY", "*"}
_PAIR, _SUITED, _OFFSUIT, _BOTH = "P", "S", "O", ""

_Class = tuple[int, int, str]
"""High rank, low rank, kind: one of `_PAIR`, `_SUITED`, `_OFFSUIT`, `_BOTH`."""


def parse_range(text: str) -> NDArray[np.float32]:
    """Return the weights of a range; all are zero for an empty text.

    Returns:
        (1326,) float32 from 0 to 1, indexed by combo.

    Raises:
        ValueError: a piece cannot be read; the message is one line that names it.
    """
    weights = np.zeros(COMBOS, np.float32)
    for piece in _pieces(text):
        hands, colon, weight = piece.partition(":")
        combos, shares = _combos(hands.upper(), piece)
        weights[combos] = shares * (_weight(weight, piece) if colon else np.float32(1))
    return weights


def _pieces(text: str) -> list[str]:
    whole = re.sub(r"\s*([-:])\s*", r"\1", text)  # blanks there separate nothing
    return [piece for piece in re.split(r"[\s,]+", whole) if piece]


def given_twice(text: str) -> list[str]:
    """Return the pieces of a range that give hands another weight than a piece before them.

    Exceptions to a larger piece, as in "random,AA:0", are meant so and left out.

    Raises:
        ValueError: as `parse_range`.
    """
    named: list[tuple[set[int], NDArray[np.float32]]] = []
    pieces = []
    for piece in _pieces(text):
        piece_weights = parse_range(piece)
        combos = {*_combos(piece.partition(":")[0].upper(), piece)[0].tolist()}
        for earlier_combos, weights in named:
            both = sorted(earlier_combos & combos)
            if not combos < earlier_combos and (weights[both] != piece_weights[both]).any():
                pieces.append(piece)
                break
        named.append((combos, piece_weights))
    return pieces


def format_range(weights: NDArray[np.floating]) -> str:
    """Return a short text of a range, highest hands first within each weight.

    `parse_range` gives the same weights back, rounded to float32.

    Args:
        weights: (1326,) float32 or float64 from 0 to 1, indexed by combo.

    Raises:
        ValueError: another shape, or a weight outside 0 to 1.
    """
    if weights.shape != (COMBOS,):
        raise ValueError(f"weights: want ({COMBOS},), got {weights.shape}")
    single = weights.astype(np.float32)
    if not bool(np.all((single >= 0) & (single <= 1))):
        raise ValueError("weights: want numbers from 0 to 1")
    if (single == 1).all():
        return "random"
    classes, combos = _by_weight(single)
    pieces = []
    for weight in sorted({*classes, *combos}, reverse=True):
        mark = "" if weight == 1 else ":" + np.format_float_positional(weight, trim="-")
        names = [*_class_pieces(classes[weight]), *map(combo_text, reversed(combos[weight]))]
        pieces += [name + mark for name in names]
    return ",".join(pieces)


def _combos(hands: str, piece: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the combos of a piece, given in capitals without its weight, and their shares."""
    if hands in _EVERYTHING:
        return _whole(range(COMBOS))
    if _PERCENT.fullmatch(hands) and float(hands[:-1]) <= 100:
        return _best_combos(float(hands[:-1]) / 100)
    if _ONE_COMBO.fullmatch(hands):
        first, second = (parse_card(hands[i] + hands[i + 1].lower()) for i in (0, 2))
        if first == second:
            raise ValueError(f"{_quoted(piece)}: the same card twice")
        return _whole([combo_of(first, second)])
    match = _CLASSES.fullmatch(hands)
    if match is None:
        raise ValueError(f"{_quoted(piece)}: no hand, as QQ+, AKs, A5s-A2s or AhKh are")
    start = _class(match[1], match[2], match[3], piece)
    if match[4]:
        classes = _and_up(start)
    elif match[5]:
        classes = _between(start, _class(match[5], match[6], match[7], piece), piece)
    else:
        classes = [start]
    return _whole([combo for hand_class in classes for combo in _class_combos(hand_class)])


def _whole(combos: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    return np.array(combos), np.ones(len(combos), np.float32)


def _best_combos(share: float) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the best starting hands that make up a share of all combos."""
    best = [combos_of_starting_hand(hand) for hand in STRONGEST_FIRST]
    sizes = np.array([len(combos) for combos in best])
    room = share * COMBOS - (sizes.cumsum() - sizes)
    shares = np.clip(room / sizes, 0.0, 1.0).astype(np.float32)
    named = shares > 0
    combos = np.concatenate(best).astype(np.int64)[: sizes[named].sum()]
    return combos, np.repeat(shares[named], sizes[named])


def _class(first: str, second: str, kind: str, piece: str) -> _Class:
    high, low = sorted((RANKS.index(first), RANKS.index(second)), reverse=True)
    if high == low:
        if kind:
            raise ValueError(f"{_quoted(piece)}: a pair is neither suited nor offsuit")
        kind = _PAIR
    return high, low, kind


def _and_up(start: _Class) -> list[_Class]:
    high, low, kind = start
    if kind == _PAIR:
        return [(rank, rank, kind) for rank in range(low, len(RANKS))]
    return [(high, kicker, kind) for kicker in range(low, high)]


def _between(start: _Class, end: _Class, piece: str) -> list[_Class]:
    """Return all classes from one to another that differ in one rank, or in both by as much."""
    (low_high, low_low, kind), (high_high, high_low, other_kind) = sorted((start, end))
    if kind == other_kind:
        if low_high == high_high:
            return [(low_high, kicker, kind) for kicker in range(low_low, high_low + 1)]
        if low_high - low_low == high_high - high_low:
            steps = range(high_high - low_high + 1)
            return [(low_high + step, low_low + step, kind) for step in steps]
    raise ValueError(f"{_quoted(piece)}: nothing leads from one to the other, as in A5s-A2s")


def _class_combos(hand_class: _Class) -> list[int]:
    """Return the combos of one class: 6 of a pair, 4 suited, 12 offsuit."""
    high, low, kind = hand_class
    return [
        combo_of(high * 4 + first, low * 4 + second)
        for first in range(4)
        for second in range(first if kind == _PAIR else 4)
        if kind in (_PAIR, _BOTH) or (first == second) == (kind == _SUITED)
    ]


def _weight(text: str, piece: str) -> np.float32:
    if not _WEIGHT.fullmatch(text) or float(text) > 1:
        raise ValueError(f"{_quoted(piece)}: want a weight from 0 to 1 after the colon")
    return np.float32(text)


def _quoted(piece: str) -> str:
    return repr(piece if len(piece) <= 40 else piece[:37] + "...")


def _by_weight(
    weights: NDArray[np.float32],
) -> tuple[dict[np.float32, set[_Class]], dict[np.float32, list[int]]]:
    """Return the classes of each weight, and the combos whose class has more than one weight."""
    classes: dict[np.float32, set[_Class]] = defaultdict(set)
    combos: dict[np.float32, list[int]] = defaultdict(list)
    for hand_class, members in _CLASS_COMBOS.items():
        values = weights[members]
        if (values == values[0]).all():
            classes[values[0]].add(hand_class)
        else:
            for combo, weight in zip(members, values, strict=True):
                combos[weight].append(combo)
    for zero in (classes, combos):
        zero.pop(np.float32(0), None)
    return classes, combos


def _class_pieces(classes: set[_Class]) -> Iterator[str]:
    """Yield the pieces that name some classes of pairs, suited and offsuit hands."""
    ranks = range(len(RANKS))
    for low, top in _runs([rank for rank in ranks if (rank, rank, _PAIR) in classes]):
        yield _run_text(RANKS[low] * 2, RANKS[top] * 2, top == ranks[-1])
    for high in reversed(ranks):
        suited, offsuit = (
            [kicker for kicker in range(high) if (high, kicker, kind) in classes]
            for kind in (_SUITED, _OFFSUIT)
        )
        kinds = [(_SUITED, suited), (_OFFSUIT, offsuit)]
        for kind, kickers in [(_BOTH, suited)] if suited == offsuit else kinds:
            for low, top in _runs(kickers):
                first, last = (RANKS[high] + RANKS[kicker] + kind.lower() for kicker in (low, top))
                yield _run_text(first, last, top == high - 1)


def _runs(ranks: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each run of consecutive ranks, highest run first."""
    last = len(ranks) - 1
    for first in range(len(ranks) - 1, -1, -1):
        if first == 0 or ranks[first - 1] != ranks[first] - 1:
            yield ranks[first], ranks[last]
            last = first - 1


def _run_text(low: str, top: str, is_open: bool) -> str:
    if low == top:
        return low
    return f"{low}+" if is_open else f"{top}-{low}"


_CLASS_COMBOS: Final = {
    (high, low, kind): sorted(_class_combos((high, low, kind)))
    for high in range(len(RANKS))
    for low in range(high + 1)
    for kind in ((_PAIR,) if high == low else (_SUITED, _OFFSUIT))
}
