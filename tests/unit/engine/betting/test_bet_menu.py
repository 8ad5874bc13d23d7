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
from protocol.actions import CALL, raise_to
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")
LIMIT = load_builtin("holdem.limit.2p.reverse_blinds")
THREE = load_builtin("holdem.nolimit.3p")
START = HandState.start(HUNL)
FULL = menu_of((0.5, 1, 2, ALL_IN))


def after(betting, game=HUNL):
    """The state that betting as on the wire leads to."""
    return replay_betting(game, betting)


def test_first_raises_are_fractions_of_the_pot_after_calling():
    """Small blind to act: 50 to call makes a pot of 200; half of it on top of 100 is 150.

    A raise to 150 is below the smallest legal one, so 200 is offered in its place.
    """
    assert FULL.raise_tos(START) == (200, 300, 500, 20000)


def test_postflop_bets_are_fractions_of_the_pot():
    """400 in the pot, nothing to call."""
    assert FULL.raise_tos(after("r200c/")) == (400, 600, 1000, 20000)


def test_raises_over_a_bet():
    """A bet of 400 into 400: the pot after calling is 1200, half of it on top of 600 is 1200."""
    assert FULL.raise_tos(after("r200c/r600")) == (1200, 1800, 3000, 20000)


def test_fractions_are_rounded_to_chips():
    """A third of 400 is 133 chips."""
    assert menu_of((1 / 3,)).raise_tos(after("r200c/")) == (333,)


def test_sizes_beyond_all_numbers_are_the_all_in():
    """A fraction so large that the bet is no number any more."""
    for size in (1e300, 1e306):
        assert menu_of((1, size)).raise_tos(START) == (300, 20000)


def test_sizes_that_meet_are_offered_once():
    """Near the end of the stacks all sizes are the all-in."""
    assert FULL.raise_tos(after("r12000c/")) == (20000,)
    assert menu_of((0.01, 0.02)).raise_tos(after("r200c/")) == (300,)


def test_first_and_later_sizes_are_different_lists():
    """Whether somebody has raised on the street decides; blinds are no raise."""
    menu = menu_of((1,), (2, ALL_IN))
    assert menu.raise_tos(START) == (300,)
    assert menu.raise_tos(after("r300")) == (1500, 20000)
    assert menu.raise_tos(after("r300c/")) == (900,)


def test_every_raise_of_a_street_may_have_sizes_of_its_own():
    """The last ones serve the raises after it, if there are any."""
    menu = BetMenu((StreetMenu(((1,), (0.5, ALL_IN), (ALL_IN,))),))
    found = [menu.raise_tos(after(text)) for text in ("", "r300", "r300r600", "r300r600r1200")]
    assert found == [(300,), (600, 20000), (20000,), (20000,)]


def test_streets_have_their_own_menus_and_the_last_serves_the_rest():
    """Three menus for four streets: turn and river share one."""
    streets = tuple(StreetMenu(((size,), ())) for size in (1, 2, 3))
    menu = BetMenu(streets)
    assert menu.raise_tos(after("cc/")) == (100 + 400,)
    assert menu.raise_tos(after("cc/cc/")) == (100 + 600,)
    assert menu.raise_tos(after("cc/cc/cc/")) == (100 + 600,)


def test_raises_are_capped_per_street():
    """After a street's last raise folding and calling are left; the next street starts anew."""
    menu = menu_of((1,), max_raises=2)
    assert menu.raise_tos(after("r300"))
    assert menu.raise_tos(after("r300r900")) == ()
    assert menu.raise_tos(after("r300r900c/"))
    assert menu_of((1,), max_raises=0).raise_tos(START) == ()


def test_no_raise_where_none_is_legal():
    """Against an all-in, and when the hand is over."""
    assert FULL.raise_tos(after("r20000")) == ()
    assert FULL.raise_tos(after("r20000c///")) == ()


@pytest.mark.parametrize("stacks", [(20000, 1000), (1000, 20000)])
def test_raises_end_at_the_shorter_stack(stacks):
    """Whoever is deeper bets no chips that cannot be called; both have one and the same all-in."""
    game = replace(HUNL, stacks=stacks)
    assert FULL.raise_tos(HandState.start(game)) == (200, 300, 500, 1000)
    assert FULL.raise_tos(after("r200c/", game)) == (400, 600, 1000)
    assert FULL.raise_tos(after("r200c/r600", game)) == (1000,)


def test_a_raise_beyond_the_shorter_stack_is_offered_if_no_other_is_legal():
    """600 to match, at least 1000 for a raise, and an opponent who has 700: one raise, to 1000."""
    state = after("r200c/r600", replace(HUNL, stacks=(700, 20000)))
    assert (state.actor, state.raise_range()) == (1, (1000, 20000))
    assert FULL.raise_tos(state) == (1000,)


def test_the_deepest_opponent_in_the_hand_decides():
    """Of three players; one who has folded decides nothing, one who is all-in little."""
    game = replace(THREE, stacks=(1000, 3000, 20000))
    menu = menu_of((ALL_IN,))
    assert [menu.raise_tos(after(text, game)) for text in ("", "f", "r500f")] == [
        (3000,),
        (1000,),
        (3000,),
    ]


def test_no_raise_over_a_call_that_takes_the_last_chips():
    """Somebody with 1200 has yet to answer a bet of 1500 by a player who is all-in."""
    state = after("ccc/r1500", replace(THREE, stacks=(1500, 20000, 1200)))
    assert state.raise_range() is not None
    assert FULL.raise_tos(state) == ()


def test_limit_games_have_one_raise():
    """Whatever the sizes, the legal total is offered; none if the menu is empty."""
    start = HandState.start(LIMIT)
    low, high = start.raise_range()
    assert low == high
    assert menu_of((0.5, 1, ALL_IN)).raise_tos(start) == (low,)
    assert menu_of(()).raise_tos(start) == ()


def test_every_offer_is_legal():
    """In all states of a small tree of menu actions."""
    menu = menu_of((0.3, 0.7, 1.5), (0.8, ALL_IN), max_raises=3)
    states = [START]
    seen = 0
    while states and seen < 3000:
        state = states.pop()
        seen += 1
        offers = menu.raise_tos(state)
        legal = state.raise_range()
        assert not offers or (legal[0] <= offers[0] and offers[-1] <= legal[1])
        assert list(offers) == sorted(set(offers))
        reached = [state.apply(action) for action in (CALL, *map(raise_to, offers))]
        states += [one for one in reached if not one.over]


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
        lambda: StreetMenu(((1, 0.5),)),
        lambda: StreetMenu(((1, 1),)),
        lambda: StreetMenu(((), (0,))),
        lambda: StreetMenu(((float("nan"),),)),
        lambda: StreetMenu(()),
        lambda: menu_of((1,), max_raises=-1),
        lambda: BetMenu(()),
    ],
)
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
