"""Which raises an abstraction considers: pot fractions per street, for first bets and later ones.

A fraction f stands for a raise by f times the pot after calling, so 1.0 is a pot-sized raise:

    raise_to = to_match + round(f * (pot + to_call))        all in chips, over the whole hand

`ALL_IN` stands for the whole stack.  A size below the smallest legal raise is played as that
smallest raise, one that reaches the stack as the all-in, and equal results are offered once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.rules.state import HandState

ALL_IN: Final = math.inf


@dataclass(frozen=True, slots=True)
class StreetMenu:
    """Raises considered on one street."""

    first: tuple[float, ...]
    """Pot fractions, ascending, while nobody has raised on the street (before the flop: over the
    big blind)."""
    later: tuple[float, ...]
    """Pot fractions against a raise."""
    max_raises: int = 64
    """Raises on the street after which only folding and calling are left."""

    def __post_init__(self) -> None:
        """Refuse sizes that are no sizes."""
        for sizes in (self.first, self.later):
            if any(not size > 0 for size in sizes) or list(sizes) != sorted(set(sizes)):
                raise ValueError(f"bet sizes {sizes} must be positive, ascending and different")
        if self.max_raises < 0:
            raise ValueError(f"{self.max_raises} raises on a street")


@dataclass(frozen=True, slots=True)
class BetMenu:
    """Raises considered on every street; the last entry serves all streets after it too."""

    streets: tuple[StreetMenu, ...]

    def __post_init__(self) -> None:
        """Refuse an empty menu."""
        if not self.streets:
            raise ValueError("a bet menu needs at least one street")

    def raise_tos(self, state: HandState) -> tuple[int, ...]:
        """Return the raise-to totals to consider at `state`, ascending; chips over the hand.

        In limit games the one legal total, if the menu has any size there.
        """
        legal = state.raise_range()
        menu = self.streets[min(state.street, len(self.streets) - 1)]
        if legal is None or state.raises >= menu.max_raises:
            return ()
        low, high = legal
        pot = state.pot + state.to_call
        totals = {
            high if size == ALL_IN else max(low, min(high, state.to_match + round(size * pot)))
            for size in (menu.later if state.raises else menu.first)
        }
        return tuple(sorted(totals))


def menu_of(
    first: Sequence[float], later: Sequence[float] | None = None, *, max_raises: int = 64
) -> BetMenu:
    """Return the menu with the same sizes on all streets; `later` defaults to `first`."""
    return BetMenu(
        (StreetMenu(tuple(first), tuple(first if later is None else later), max_raises),)
    )


def parse_sizes(text: str) -> tuple[float, ...]:
    """Return the pot fractions written as per cents, "50,100,a": half pot, pot, all-in.

    Raises:
        ValueError: a piece is neither a positive number of per cent nor "a"; the message names it.
    """
    sizes = []
    for piece in text.split(","):
        word = piece.strip().lower()
        try:
            size = ALL_IN if word == "a" else float(word) / 100
        except ValueError:
            size = math.nan
        if not size > 0 or (math.isinf(size) and word != "a"):
            raise ValueError(
                f"bet size {piece.strip()!r}: want per cent of the pot, or a for all-in"
            )
        sizes.append(size)
    return tuple(sorted(set(sizes)))
