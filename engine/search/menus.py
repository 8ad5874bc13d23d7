"""The raises that a search considers: menus from rich to poor, and those that were made, exactly.

A turn is solved together with the river below it, which is solved again when it comes.  So its menu
is coarse on the river, and the river's own menu is fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu, menu_of, street_menu
from engine.betting.betting_tree import BettingTree, build_betting_tree
from engine.errors import OutOfMemory
from engine.rules.state import HandState

_COARSE: Final = street_menu((0.75, ALL_IN), (ALL_IN,), max_raises=2)
_COARSEST: Final = street_menu((1.0,), (), max_raises=1)
_POT: Final = street_menu((1.0,))
_NONE: Final = street_menu(())
FLOP_MENUS: Final = (
    BetMenu((_POT, street_menu((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=3), _NONE, _NONE)),
    BetMenu((_POT, street_menu((1.0, ALL_IN), (ALL_IN,), max_raises=2), _NONE, _NONE)),
)
TURN_MENUS: Final = (
    BetMenu((_POT, _POT, street_menu((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=3), _COARSE)),
    BetMenu((_POT, _POT, street_menu((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=2), _COARSE)),
    BetMenu((_POT, _POT, street_menu((0.75, ALL_IN), (1.0, ALL_IN), max_raises=2), _COARSE)),
    BetMenu((_POT, _POT, street_menu((0.75, ALL_IN), (ALL_IN,), max_raises=2), _COARSEST)),
)
RIVER_MENUS: Final = (
    menu_of((0.33, 0.75, 1.5, ALL_IN), (0.5, 1.0, ALL_IN), max_raises=4),
    menu_of((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=3),
    menu_of((0.75, ALL_IN), (1.0, ALL_IN), max_raises=2),
)
LIMIT_MENUS: Final = (menu_of((1.0,)),)


@dataclass(frozen=True, slots=True)
class ExactMenu:
    """A menu with the raises that were made; see `engine.betting.bet_menu.BetMenu`."""

    menu: BetMenu
    made: Mapping[str, int] = field(default_factory=dict)
    """Betting -> total of the raise that followed it, chips over the hand."""
    factors: tuple[float, float] = (1.0, 1.0)
    """Each player's sizes are multiplied by its own."""

    def raise_tos(self, state: HandState) -> tuple[int, ...]:
        """Return the totals to consider at `state`, ascending."""
        factor = self.factors[state.actor]
        totals = set(self.menu.raise_tos(state))
        if factor != 1 and (legal := state.raise_range()) is not None and state.game.no_limit:
            totals = {_scaled(state, total, factor, legal) for total in totals}
        if state.betting in self.made:
            totals.add(self.made[state.betting])
        return tuple(sorted(totals))


@dataclass(frozen=True, slots=True)
class StreetMenus:
    """With which menus searches are made, by the street where they begin; the richest come first.

    Streets are counted from the last one: it is the last entry.
    """

    whole: tuple[tuple[BetMenu, ...], ...]
    """For searches to the end of the hand."""
    limited: tuple[tuple[BetMenu, ...], ...]
    """For those that end with their street: without later bets."""

    def at(self, root: HandState, *, limited: bool = False) -> tuple[BetMenu, ...]:
        """Return the menus with which the rest of a hand may be solved.

        Args:
            limited: whether the search ends with the street.
        """
        if not root.game.no_limit:
            return LIMIT_MENUS
        return (self.limited if limited else self.whole)[root.street - root.game.streets]


USUAL_MENUS: Final = StreetMenus(
    whole=(TURN_MENUS, TURN_MENUS, TURN_MENUS, RIVER_MENUS),
    limited=(FLOP_MENUS, FLOP_MENUS, FLOP_MENUS, RIVER_MENUS),
)
_ONE_SIZE: Final = street_menu((0.75,), (ALL_IN,), max_raises=2)
_THROUGH_TURN: Final = (
    BetMenu((_POT, street_menu((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=3), _ONE_SIZE, _NONE)),
    BetMenu((_POT, street_menu((0.5, 1.0, ALL_IN), (ALL_IN,), max_raises=2), _ONE_SIZE, _NONE)),
    BetMenu((_POT, street_menu((0.75, ALL_IN), (ALL_IN,), max_raises=2), _ONE_SIZE, _NONE)),
)
THROUGH_TURN_MENUS: Final = StreetMenus(
    whole=USUAL_MENUS.whole, limited=(_THROUGH_TURN, _THROUGH_TURN, TURN_MENUS, RIVER_MENUS)
)
"""For flop searches that end with the turn, of which one size of a bet is enough."""
_SPARSE: Final = street_menu((0.5, 1.0, ALL_IN), (1.0, ALL_IN))
_SPARSER: Final = street_menu((1.0, ALL_IN), (ALL_IN,))
_LARGE_TOO: Final = StreetMenu(((0.5, 1.0, 2.0, ALL_IN), (0.5, 1.0, 2.0, ALL_IN), (1.0, ALL_IN)))
_BEFORE_THE_FLOP: Final = StreetMenu(((0.5, 1.0, ALL_IN), (0.5, 1.0, 2.0, ALL_IN), (1.0, ALL_IN)))


def _of_one_street(street: int, *menus: StreetMenu) -> tuple[BetMenu, ...]:
    """Return menus for searches that end with a street, 0-based, the richest first."""
    return tuple(BetMenu((*[_NONE] * street, menu, _NONE)) for menu in menus)


_SPARSE_MENUS: Final = (
    _of_one_street(0, _BEFORE_THE_FLOP, _SPARSE),
    _of_one_street(1, _SPARSE, _SPARSER),
    _of_one_street(2, _SPARSE, _SPARSER),
    _of_one_street(3, _LARGE_TOO, _SPARSE, _SPARSER),
)
SPARSE_MENUS: Final = StreetMenus(whole=_SPARSE_MENUS, limited=_SPARSE_MENUS)
"""DeepStack's, by raises instead of actions of the street; smaller ones are for short times.

All searches end with their street.  Source: Moravcik et al., "DeepStack: expert-level artificial
intelligence in heads-up no-limit poker", Science 356, 2017, supplement.
"""


def raises_made(root: HandState, later: HandState) -> dict[str, int]:
    """Return the raises that lead from a state to a later one of the hand, for `ExactMenu`."""
    steps = later.steps(since=len(root.history))
    return {spot.betting: after.to_match for spot, action, after in steps if action.kind == "r"}


def richest_tree(
    root: HandState,
    later: HandState,
    menus: Sequence[BetMenu],
    most_nodes: int,
    factors: tuple[float, float] = (1.0, 1.0),
) -> BettingTree:
    """Return the betting from `root` on, which holds the way to `later` exactly.

    The first of `menus` that leads to no more than `most_nodes` nodes is taken, else the last one.
    """
    made = raises_made(root, later)
    for menu in menus[:-1]:
        try:
            return build_betting_tree(root, ExactMenu(menu, made, factors), most_nodes=most_nodes)
        except OutOfMemory:
            continue
    return build_betting_tree(root, ExactMenu(menus[-1], made, factors))


def _scaled(state: HandState, total: int, factor: float, legal: tuple[int, int]) -> int:
    """Return a raise whose part beyond the call is multiplied; all-in and the least one stay."""
    low, high = legal
    if total <= low or total >= high:
        return total
    return max(low, min(high, state.to_match + round(factor * (total - state.to_match))))
