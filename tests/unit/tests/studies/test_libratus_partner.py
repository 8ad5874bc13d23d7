"""The opponent's bets in searches: they are those of its config alone."""

from engine.rules.state import HandState
from engine.search.menus import USUAL_MENUS
from protocol.actions import CALL
from protocol.gamedefs import load_builtin
from tests.studies.libratus_partner import opponent_menus


def test_searches_on_the_tree_know_no_other_bets():
    """On the turn three quarters, one and a half pots and all-in; poorer menus are parts of it."""
    state = HandState.start(load_builtin("hunl"))
    while state.street < 2:
        state = state.apply(CALL)
    rich, poor = (set(menu.raise_tos(state)) for menu in opponent_menus().at(state))
    assert rich == {100 + 150, 100 + 300, 20_000}
    assert poor < rich
    usual = set(USUAL_MENUS.at(state)[0].raise_tos(state))
    assert usual & rich == {20_000}
