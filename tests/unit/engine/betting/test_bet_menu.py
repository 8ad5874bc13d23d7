from dataclasses import replace

import pytest

from engine.betting.bet_menu import (
    ALL_IN,
    BetMenu,
    ExtendedMenu,
    SeatMenus,
    StreetMenu,
    menu_of,
    parse_menu,
    parse_sizes,
)
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")
LIMIT = load_builtin("holdem.limit.2p.reverse_blinds")
THREE = load_builtin("holdem.nolimit.3p")
START = HandState.start(HUNL)
FULL = menu_of((0.5, 1, 2, ALL_IN))
BY_STREET = BetMenu(tuple(StreetMenu(((size,), ())) for size in (1, 2, 3)))


def after(betting, game=HUNL):
    """The state that betting as on the wire leads to."""
    return replay_betting(game, betting)


@pytest.mark.parametrize(
    ("menu", "betting", "offers"),
    [
        # 50 to call makes a pot of 200; a raise to 150 is below the smallest legal one, to 200
        (FULL, "", (200, 300, 500, 20000)),
        (FULL, "r200c/", (400, 600, 1000, 20000)),
        # A bet of 400 into 400: the pot after calling is 1200, half of it on top of 600 is 1200
        (FULL, "r200c/r600", (1200, 1800, 3000, 20000)),
        (menu_of((1 / 3,)), "r200c/", (333,)),
        (menu_of((1, 1e306)), "", (300, 20000)),
        # Sizes that meet are offered once
        (FULL, "r12000c/", (20000,)),
        (menu_of((0.01, 0.02)), "r200c/", (300,)),
        # Blinds are no raise
        (menu_of((1,), (2, ALL_IN)), "", (300,)),
        (menu_of((1,), (2, ALL_IN)), "r300", (1500, 20000)),
        (menu_of((1,), (2, ALL_IN)), "r300c/", (900,)),
        # Sizes for each raise, the last ones for those after it
        (BetMenu((StreetMenu(((1,), (0.5, ALL_IN), (ALL_IN,))),)), "r300", (600, 20000)),
        (BetMenu((StreetMenu(((1,), (0.5, ALL_IN), (ALL_IN,))),)), "r300r600r1200", (20000,)),
        # Menus for each street, the last one for those after it
        (BY_STREET, "cc/", (100 + 400,)),
        (BY_STREET, "cc/cc/", (100 + 600,)),
        (BY_STREET, "cc/cc/cc/", (100 + 600,)),
        # So many raises a street
        (menu_of((1,), max_raises=2), "r300r900", ()),
        (menu_of((1,), max_raises=2), "r300r900c/", (2700,)),
        (menu_of((1,), max_raises=0), "", ()),
        (FULL, "r20000", ()),
        (FULL, "r20000c///", ()),
    ],
)
def test_raises_that_are_offered(menu, betting, offers):
    """Fractions of the pot after calling, rounded to chips, each once, where a raise is legal."""
    assert menu.raise_tos(after(betting)) == offers


@pytest.mark.parametrize(
    ("stacks", "betting", "offers"),
    [
        # Both have one and the same all-in, whoever is deeper
        *(((20000, 1000), "", (200, 300, 500, 1000)), ((1000, 20000), "", (200, 300, 500, 1000))),
        ((20000, 1000), "r200c/", (400, 600, 1000)),
        ((1000, 20000), "r200c/r600", (1000,)),
        # 600 to match, at least 1000 for a raise, an opponent who has 700: the only legal one
        ((700, 20000), "r200c/r600", (1000,)),
        # Of three, one who has folded decides nothing, one who is all-in little
        ((1000, 3000, 20000), "", (225, 350, 600, 3000)),
        ((3000, 1000, 20000), "f", (200, 300, 500, 1000)),
        ((1000, 3000, 20000), "r500f", (1025, 1550, 2600, 3000)),
        # One with 1200 has yet to answer a bet of 1500 by a player who is all-in
        ((1500, 20000, 1200), "ccc/r1500", ()),
    ],
)
def test_raises_end_where_nobody_can_call_more(stacks, betting, offers):
    """The deepest opponent in the hand decides."""
    state = after(betting, replace(HUNL if len(stacks) == 2 else THREE, stacks=stacks))
    assert FULL.raise_tos(state) == offers
    assert state.raise_range() is not None


def test_limit_games_have_one_raise():
    """Whatever the sizes, the legal total is offered; none if the menu is empty."""
    start = HandState.start(LIMIT)
    low, high = start.raise_range()
    assert low == high
    assert menu_of((0.5, 1, ALL_IN)).raise_tos(start) == (low,)
    assert menu_of(()).raise_tos(start) == ()


def test_sizes_are_read_as_per_cent():
    """Half the pot, the pot, and all-in; sorted, each once."""
    assert parse_sizes("50,100,a") == (0.5, 1.0, ALL_IN)
    assert parse_sizes(" A , 33.5, 33.5") == (0.335, ALL_IN)


@pytest.mark.parametrize("text", ["", "50,", "x", "-5", "0", "inf", "nan", "1e999", "50;100"])
def test_other_texts_are_refused_by_name(text):
    """The message quotes the piece that is wrong."""
    with pytest.raises(ValueError, match="bet size"):
        parse_sizes(text)


@pytest.mark.parametrize(
    "call",
    [
        lambda: StreetMenu(((1, 0.5),)), lambda: StreetMenu(((1, 1),)),
        lambda: StreetMenu(((), (0,))), lambda: StreetMenu(((float("nan"),),)),
        lambda: StreetMenu(()), lambda: menu_of((1,), max_raises=-1), lambda: BetMenu(()),
    ],
)  # fmt: skip
def test_sizes_that_are_no_sizes_are_refused(call):
    """Not positive, not ascending, or no street at all."""
    with pytest.raises(ValueError):
        call()


def test_each_position_has_its_own_menu():
    """Whoever acts."""
    menus = SeatMenus((menu_of((1,)), menu_of((2,))))
    assert menus.raise_tos(START) == (500,)
    assert menus.raise_tos(after("c")) == (300,)


def test_menus_are_read_from_text():
    """Streets, raises and sizes; an empty list ends the raising."""
    found = parse_menu("50,100;100,a;/75;a")
    first, second = found.streets
    assert first.sizes == ((0.5, 1.0), (1.0, ALL_IN), ())
    assert second.sizes == ((0.75,), (ALL_IN,))
    for wrong in ("50;x/75", "0", "50,,100"):
        with pytest.raises(ValueError, match="per cent of the pot"):
            parse_menu(wrong)


def test_single_raises_beside_a_menu():
    """Only after the betting that is named."""
    menu = ExtendedMenu(FULL, (("", 250), ("", 700), ("r300", 650)))
    assert menu.raise_tos(START) == (200, 250, 300, 500, 700, 20000)
    assert menu.raise_tos(after("r300")) == tuple(sorted((650, *FULL.raise_tos(after("r300")))))
    assert menu.raise_tos(after("r200")) == FULL.raise_tos(after("r200"))


@pytest.mark.parametrize(("total", "why"), [(300, "has it"), (199, "rules"), (20001, "rules")])
def test_a_raise_that_cannot_be_beside_a_menu(total, why):
    """The menu has it already, or the rules do not allow it."""
    with pytest.raises(ValueError, match=why):
        ExtendedMenu(FULL, (("", total),)).raise_tos(START)
