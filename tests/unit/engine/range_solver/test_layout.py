"""The betting of a street in sequence form."""

import numpy as np

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu, menu_of
from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.compiled.lanes import LANES
from engine.range_solver.layout import streets_of
from tests.helpers.subgames import tree_of

MENU = menu_of((0.5, ALL_IN), (1.0,))


def real(lanes, rows):
    """Which lanes are more than padding."""
    return lanes.own != rows


def test_rows_are_roots_and_then_actions():
    """Each decision has a run of rows of its own, parents come first."""
    (street,) = streets_of(tree_of("KsJs7d2s3h", MENU))
    for player, decisions in enumerate(street.decisions):
        assert decisions.first[0] == street.roots == 1
        np.testing.assert_array_equal(decisions.first[1:], np.cumsum(decisions.actions)[:-1] + 1)
        assert street.rows[player] == 1 + decisions.actions.sum()
        assert (decisions.parent < decisions.first).all()


def test_every_end_has_a_lane_of_each_player():
    """Folds and showdowns behind the same row share one, and win what was put in."""
    tree = tree_of("KsJs7d2s3h", MENU)
    (street,) = streets_of(tree)
    for player, lanes in enumerate(street.lanes):
        other = 1 - player
        used = real(lanes, street.rows[player])
        folds = used & (lanes.fold != street.rows[other])
        showdowns = used & (lanes.showdown != street.rows[other])
        assert folds.sum() == (tree.kind == FOLDED).sum()
        assert showdowns.sum() == (tree.kind == SHOWDOWN).sum()
        assert (folds & showdowns).any()
        won = np.sort((lanes.amount * lanes.ratio)[folds & showdowns])
        assert (won > 0).all()  # the other one folds to a bet of this row
        ends = tree.spent[tree.kind == SHOWDOWN].min(axis=1)
        np.testing.assert_array_equal(np.sort(lanes.amount[showdowns]), np.sort(ends))
        assert not showdowns[: street.only_folds[player]].any()
        assert not folds[street.some_folds[player] :].any()
        assert {n % LANES for n in (len(used), street.only_folds[player])} == {0}


def test_streets_follow_each_other_through_deals():
    """Each deal is a root of the next street, an all-in runs through to the showdown."""
    tree = tree_of("KsJs7d", BetMenu((StreetMenu(((),)), StreetMenu(((ALL_IN,), ())))))
    flop, turn, river = streets_of(tree)
    deals = (tree.kind == DEAL) & (tree.street == 1)
    all_ins = (tree.kind == SHOWDOWN) & (tree.street == 1)
    assert turn.roots == len(flop.deals[0]) == deals.sum() + all_ins.sum()
    assert river.roots == len(turn.deals[0])
    for player in (0, 1):  # nobody acts after an all-in: its root ends the street
        assert set(turn.deals[player]) >= set(range(turn.roots)) - set(turn.decisions[0].parent)
        assert (turn.lanes[player].showdown == turn.rows[1 - player]).all()
        assert real(river.lanes[player], river.rows[player]).any()
    assert [street.number for street in (flop, turn, river)] == [1, 2, 3]
