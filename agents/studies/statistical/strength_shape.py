"""How many humps a histogram has.

A hump ends where the counts fall from its top by at least a tenth of it, and by three standard
errors of the difference of two counts, and the next one begins where they rise as much again.
What is smaller is taken for noise.  One hump: unimodal; two: bimodal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_DEPTH: Final = 0.1
LEAST_ERRORS: Final = 3.0
_WORDS: Final = ("empty", "unimodal", "bimodal")


class Shape(NamedTuple):
    """Tops of humps and what lies between them; one top more than valleys."""

    tops: tuple[int, ...]
    """Bins, ascending."""
    valleys: tuple[int, ...]
    depths: tuple[float, ...]
    """Of each valley: by what share it is lower than the lower of the tops beside it."""

    def __str__(self) -> str:
        """Return it in a word, with the depths of valleys."""
        count = len(self.tops)
        word = _WORDS[count] if count < len(_WORDS) else f"{count} humps"
        if not self.depths:
            return word
        return f"{word}, valley {' and '.join(f'{100 * depth:.0f} %' for depth in self.depths)}"


def histogram_shape(counts: Sequence[int]) -> Shape:
    """Return the humps of a histogram."""
    tops: list[int] = []
    valleys: list[int] = []
    rising, best = True, 0
    for place, count in enumerate(counts):
        if rising:
            if count > counts[best]:
                best = place
            elif _clearly_less(count, counts[best]):
                tops.append(best)
                rising, best = False, place
        elif count < counts[best]:
            best = place
        elif _clearly_less(counts[best], count):
            valleys.append(best)
            rising, best = True, place
    if rising and any(counts):
        tops.append(best)
    depths = tuple(
        1 - counts[valley] / min(counts[left], counts[right])
        for left, valley, right in zip(tops, valleys, tops[1:], strict=False)
    )
    return Shape(tuple(tops), tuple(valleys), depths)


def _clearly_less(low: int, high: int) -> bool:
    fall = high - low
    return fall >= LEAST_DEPTH * high and fall >= LEAST_ERRORS * (high + low) ** 0.5 and fall > 0
