"""Which raises an abstraction considers: pot fractions per street, for first bets and later ones.

A fraction f stands for a raise by f times the pot after calling, so 1.0 is a pot-sized raise:

    raise_to = to_match + round(f * (pot + to_call))        all in chips, over the whole hand

`ALL_IN` stands for the effective stack: the player's own, or the largest total that anybody else in
the hand can reach if that is less.  More than that nobody could call; it would be one and the same
raise at several prices.  A size beyond the effective stack is played as the all-in, one below the
smallest legal raise as that smallest raise, and equal results are offered once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.rules.state import HandState
from protocol.actions import raise_to

ALL_IN: Final = math.inf


class Menu(Protocol):
    """Says which raises are considered."""

    def raise_tos(self, state: HandState) -> tuple[int, ...]:
        """Return legal raise-to totals at `state`, ascending; chips over the hand."""


@dataclass(frozen=True, slots=True)
class StreetMenu:
    """Raises considered on one street."""

    sizes: tuple[tuple[float, ...], ...]
    """Pot fractions, ascending, by how many raises the street has seen (before the flop: over the
    big blind); the last entry serves all raises after it too.  () is no raise: it ends the raising.
    """

    def __post_init__(self) -> None:
        """Refuse sizes that are no sizes."""
        if not self.sizes:
            raise ValueError("a street's menu needs the sizes of its first bet, if only ()")
        for sizes in self.sizes:
            if any(not size > 0 for size in sizes) or list(sizes) != sorted(set(sizes)):
                raise ValueError(f"bet sizes {sizes} must be positive, ascending and different")

    def after(self, raises: int) -> tuple[float, ...]:
        """Return the pot fractions considered after so many raises on the street."""
        return self.sizes[min(raises, len(self.sizes) - 1)]


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

        In limit games the one legal total, if the menu has any size there.  Empty where everybody
        else would be all-in by calling what there is to match already.
        """
        legal = state.raise_range()
        sizes = self.streets[min(state.street, len(self.streets) - 1)].after(state.raises)
        if legal is None or not sizes:
            return ()
        reach = _reach_of_others(state)
        if reach <= state.to_match:
            return ()
        low, high = legal
        high = max(low, min(high, reach))  # the smallest legal raise may be beyond their reach
        pot = state.pot + state.to_call
        totals = {
            high
            if size == ALL_IN
            else max(low, state.to_match + round(min(size * pot, high - state.to_match)))
            for size in sizes
        }
        return tuple(sorted(totals))


@dataclass(frozen=True, slots=True)
class SeatMenus:
    """A menu for each position."""

    menus: tuple[Menu, ...]

    def raise_tos(self, state: HandState) -> tuple[int, ...]:
        """Return what the menu of the player to act considers."""
        return self.menus[state.actor].raise_tos(state)


@dataclass(frozen=True, slots=True)
class ExtendedMenu:
    """A menu, and single raises beside it."""

    menu: Menu
    extras: tuple[tuple[str, int], ...]
    """The betting after which each is considered, and what it is to, chips over the hand."""

    def raise_tos(self, state: HandState) -> tuple[int, ...]:
        """Return the raise-to totals to consider at `state`, ascending; chips over the hand.

        Raises:
            ValueError: a raise beside the menu is illegal there, or the menu has it.
        """
        menu_totals = self.menu.raise_tos(state)
        more = {total for betting, total in self.extras if betting == state.betting}
        for total in more:
            if total in menu_totals or not state.is_legal(raise_to(total)):
                why = "the menu has it" if total in menu_totals else "the rules do not allow it"
                raise ValueError(f"r{total} after {state.betting!r} beside the menu: {why}")
        return tuple(sorted({*menu_totals, *more}))


def _reach_of_others(state: HandState) -> int:
    """Return the largest total that anybody in the hand but the actor can put in."""
    return max(
        stack
        for position, stack in enumerate(state.game.stacks)
        if position != state.actor and not state.folded[position]
    )


def menu_of(
    first: Sequence[float], later: Sequence[float] | None = None, *, max_raises: int | None = None
) -> BetMenu:
    """Return the menu with the same sizes on all streets; arguments as for `street_menu`."""
    return BetMenu((street_menu(first, later, max_raises=max_raises),))


def street_menu(
    first: Sequence[float], later: Sequence[float] | None = None, *, max_raises: int | None = None
) -> StreetMenu:
    """Return the menu with some sizes for the first bet of a street and others against a bet.

    Args:
        first: pot fractions, ascending.
        later: the same against a bet or raise; None: `first`.
        max_raises: how many there may be on the street; None: as many as the rules allow.

    Raises:
        ValueError: sizes are no sizes, or the number of raises is negative.
    """
    against = tuple(first if later is None else later)
    if max_raises is None:
        return StreetMenu((tuple(first), against))
    if max_raises < 0:
        raise ValueError(f"{max_raises} raises on a street")
    return StreetMenu((*(tuple(first), *(against,) * (max_raises - 1))[:max_raises], ()))


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


def parse_menu(text: str) -> BetMenu:
    """Return the menu written as "50,100;100,a;/75;a": streets, and in each its raises in turn.

    Sizes are those of `parse_sizes`.  An empty list ends the raising; else the last one serves all
    raises after it too, and the last street all streets.

    Raises:
        ValueError: a size is none; the message names it.
    """
    return BetMenu(
        tuple(
            StreetMenu(tuple(parse_sizes(sizes) if sizes else () for sizes in street.split(";")))
            for street in text.split("/")
        )
    )
