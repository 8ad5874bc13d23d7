"""Searches: what they keep, what they hand on, and when they end."""

from dataclasses import replace

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.betting.policy import check_strategy
from engine.cfr.adaptive import UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS, card_bits, live_combos, parse_combo
from engine.hands.ranges import compatible_reach, without_blocked
from engine.rules.state import HandState
from engine.search.menus import USUAL_MENUS, ExactMenu, raises_made, richest_tree
from engine.search.subgame_search import (
    Budget,
    NotSearched,
    SafetyKind,
    SearchRoot,
    SearchSettings,
    search,
    without_traces,
)
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.subgames import scattered_ranges

GAME = load_builtin("hunl")
TURN, RIVER = parse_cards("KsJs7d2c"), parse_cards("KsJs7d2c3h")
AVERAGE = StrategyKind.AVERAGE
SETTINGS = SearchSettings(VARIANTS["cfr+"])


def root_on(board, pot=400, stack=900):
    """A state in which a street begins."""
    return subgame_root(GAME, len(board) - 2, pot, (stack, stack))


def solved(board, searcher=0, ranges=None, iterations=200, **origin):
    """An unsafe search from there."""
    root = root_on(board)
    ranges = scattered_ranges(5) if ranges is None else ranges
    return search(
        SearchRoot(root, board, searcher, ranges, **origin), root, SETTINGS, Budget(iterations)
    )


def test_a_choice_runs_the_pool_and_solves_as_well():
    """Its first rounds run each member once; with portions where no member predicts."""
    root = root_on(TURN)
    ranges = scattered_ranges(5)
    pool = (VARIANTS["lcfr"], VARIANTS["cfr+"])
    choice = AdaptiveChoice(pool, UcbRule(Update.SUM, exploration=0.01), every=3)
    settings = SearchSettings(choice=choice, most_nodes=40)
    assert settings.run_of(None, 100).pool == pool
    origin = SearchRoot(root, TURN, 0, ranges)
    solution = search(origin, root, settings, Budget(60))
    assert (solution.solver.settings.portions, solution.iterations) == (3, 60)
    alone = search(origin, root, SearchSettings(VARIANTS["cfr"], most_nodes=40), Budget(60))
    left = [entry.solver.exploitability_of_pot(AVERAGE) for entry in (solution, alone)]
    assert left[0] < left[1]
    predicting = AdaptiveChoice((VARIANTS["pcfr+"], *pool), choice.rule)
    whole = search(origin, root, SearchSettings(choice=predicting, most_nodes=40), Budget(2))
    assert whole.solver.settings.portions == 1


def test_the_way_there_is_in_the_tree_to_the_chip():
    """Odd bets of both players, beside those of the menu."""
    root = root_on(RIVER)
    later = root.apply(raise_to(333)).apply(raise_to(777))
    tree = richest_tree(root, later, USUAL_MENUS.at(root), 10_000)
    assert tree.path("r333r777")
    assert raises_made(root, later) == {"": 333, "r333": 777}
    usual = build_betting_tree(root, USUAL_MENUS.at(root)[0])
    assert {usual.action_text(child) for child in usual.children(0)} < {
        tree.action_text(child) for child in tree.children(0)
    }


@pytest.mark.parametrize("most", [1, 60, 10_000])
def test_menus_shrink_until_the_tree_is_small_enough(most):
    """The richest that fits, else the last one."""
    root = root_on(TURN, 600, 19_700)
    sizes = [build_betting_tree(root, menu).nodes for menu in USUAL_MENUS.at(root)]
    assert sizes == sorted(sizes, reverse=True)
    fitting = [size for size in sizes if size <= most] or sizes[-1:]
    assert richest_tree(root, root, USUAL_MENUS.at(root), most).nodes == fitting[0]


def test_shaken_sizes_are_those_of_one_player():
    """By a factor, but for the smallest raise and the all-in."""
    root = root_on(RIVER)
    menu = menu_of((0.1, 0.5, ALL_IN))
    plain = menu.raise_tos(root)
    shaken = ExactMenu(menu, factors=(1.1, 1.0)).raise_tos(root)
    assert plain == (300, 400, 1100)
    assert shaken == (300, 420, 1100)
    other = root.apply(CALL)
    assert ExactMenu(menu, factors=(1.1, 1.0)).raise_tos(other) == menu.raise_tos(other)


def test_limit_is_searched_with_all_it_allows():
    """One size, as often as the rules let it be raised."""
    game = load_builtin("hulhe")
    root = subgame_root(game, 3, 400, (10_000, 10_000))
    tree = richest_tree(root, root, USUAL_MENUS.at(root), 10)
    assert tree.path("crrrr")
    with pytest.raises(ValueError, match="there is f, c"):
        tree.path("crrrrr")


@pytest.mark.parametrize("safety", [SafetyKind.RESOLVE, SafetyKind.MARGIN])
@pytest.mark.parametrize("searcher", [0, 1])
def test_an_equilibrium_is_kept_when_it_is_searched_again(safety, searcher):
    """With its values as alternatives no hand of the opponent gains, though its range is lost."""
    ranges = scattered_ranges(5)
    before = solved(RIVER, searcher, ranges, 400)
    opponent = 1 - searcher
    allowed = before.solver.best_response_values(AVERAGE)[opponent]
    unknown = ranges.copy()
    unknown[opponent] = ranges[opponent] > 0
    origin = SearchRoot(root_on(RIVER), RIVER, searcher, unknown, np.nan_to_num(allowed))
    settings = replace(SETTINGS, safety=safety)
    again = search(origin, origin.state, settings, Budget(400))
    gained = again.solver.best_response_values(AVERAGE)[opponent] - allowed
    assert np.nanmax(gained) < 0.02 * 400
    assert again.solver.exploitability(AVERAGE) < 0.02 * 400


@pytest.mark.parametrize("searcher", [0, 1])
def test_a_river_searched_by_the_values_of_its_turn_is_safe(searcher):
    """What the opponent's hands can win there is no more than the turn's solution grants them."""
    turn = solved(TURN, searcher, iterations=60)
    later = turn.origin.state.apply(CALL).apply(CALL)
    onward = turn.onward(later, RIVER)
    known = onward.ranges.copy()
    known[1 - searcher] = 1.0
    river = search(
        SearchRoot(later, RIVER, searcher, known, onward.values), later, SETTINGS, Budget(400)
    )
    best = river.solver.best_response_values(AVERAGE)[1 - searcher]
    held = turn.origin.ranges[1 - searcher] > 0
    gained = (best - onward.values)[held]
    assert np.nanmax(gained) < 0.01 * 400


def test_ranges_go_on_by_what_was_done():
    """Each own action multiplies them; the board does not."""
    solution = solved(RIVER)
    root = solution.origin.state
    first = solution.strategy(root, RIVER)
    bet = next(action for action in first.actions if action.kind == "r")
    later = root.apply(bet)
    onward = solution.onward(later, RIVER)
    shares = first.probabilities[:, first.actions.index(bet)]
    np.testing.assert_allclose(onward.ranges[0], solution.origin.ranges[0] * shares)
    np.testing.assert_array_equal(onward.ranges[1], solution.origin.ranges[1])
    assert np.isfinite(onward.values).all()


def test_best_values_on_the_way_are_those_of_the_whole_solve():
    """At the root itself they are its best-response values."""
    solution = solved(RIVER, iterations=50)
    whole = solution.solver.best_response_values(AVERAGE)[1]
    onward = solution.onward(solution.origin.state, RIVER)
    held = ~np.isnan(whole)
    np.testing.assert_allclose(onward.values[held], whole[held], rtol=1e-3, atol=0.3)


def test_gifts_are_what_better_actions_would_have_won():
    """After a turn checked through: what a bet wins more, as the mean over all rivers says."""
    root = root_on(TURN, stack=300)
    turn = search(SearchRoot(root, TURN, 0, scattered_ranges(5)), root, SETTINGS, Budget(8))
    facing = root.apply(CALL)
    river = facing.apply(CALL)
    won, met = np.zeros((2, COMBOS))
    for card in sorted(set(range(52)) - set(TURN)):
        board = (*TURN, card)
        onward = turn.onward(river, board)
        mine = without_blocked(onward.ranges[0], board)
        met_there = compatible_reach(np.maximum(mine, 1e-6 * mine.max()) * (mine > 0))
        met_there *= live_combos(card_bits(board))
        won += met_there * onward.values
        met += met_there
    held = without_blocked(turn.origin.ranges[1], TURN) > 0
    better = turn.onward(facing, TURN).values[held] - won[held] / met[held]
    given = turn.gifts(river, RIVER)[held]
    np.testing.assert_allclose(given, np.maximum(better, 0), atol=0.05)
    assert given.min() >= 0
    assert given.max() > 2


def test_who_was_granted_more_gave_it_away_by_coming():
    """An alternative above what entering wins is a gift at the root itself."""
    root = root_on(RIVER)
    granted = np.full(COMBOS, 300.0)
    origin = SearchRoot(root, RIVER, 0, scattered_ranges(5), granted)
    solution = search(origin, root, SETTINGS, Budget(20))
    given = solution.gifts(root, RIVER)
    best = solution.onward(root, RIVER).values
    np.testing.assert_allclose(given, np.maximum(granted - best, 0), atol=0.3)


def test_every_hand_has_a_strategy():
    """Also those that the searcher never holds."""
    solution = solved(RIVER, iterations=20)
    for state in (solution.origin.state, solution.origin.state.apply(CALL)):
        check_strategy(solution.strategy(state, RIVER), state, RIVER)
    never = np.flatnonzero(solution.origin.ranges[0] == 0)
    assert (solution.strategy(solution.origin.state, RIVER).probabilities[never] > 0.9).any()


class Ticking:
    """A clock on which each look takes a while."""

    def __init__(self, step):
        """Begin at 0."""
        self.now, self.step = -step, step

    def __call__(self):
        """Return the time."""
        self.now += self.step
        return self.now


@pytest.mark.parametrize(("seconds", "iterations"), [(5.0, 4), (100.0, 99), (2.0, 1), (1.0, 0)])
def test_time_is_never_passed(seconds, iterations):
    """An iteration that would end too late is not begun; without any there is no solution."""
    root = root_on(RIVER)
    origin = SearchRoot(root, RIVER, 0, scattered_ranges(5))
    found = search(origin, root, SETTINGS, Budget(seconds=seconds), clock=Ticking(1.0))
    assert (found.iterations if found else 0) == iterations


def test_iterations_alone_give_the_same_again():
    """To the last bit."""
    one, other = solved(RIVER, iterations=7), solved(RIVER, iterations=7)
    root = root_on(RIVER)
    assert one.iterations == 7
    np.testing.assert_array_equal(
        one.strategy(root, RIVER).probabilities, other.strategy(root, RIVER).probabilities
    )


def test_the_best_hand_calls_who_should_not_have_come():
    """No hand gains by entering, so nothing but those that come anyway tells what to do."""
    root = root_on(RIVER).apply(raise_to(300)).apply(raise_to(1100))
    ranges = np.ones((2, COMBOS))
    origin = SearchRoot(root, RIVER, root.actor, ranges, np.full(COMBOS, 2000.0))
    strategy = search(origin, root, SETTINGS, Budget(50)).strategy(root, RIVER)
    best, worst = (strategy.probabilities[parse_combo(text)] for text in ("AsQs", "4c5c"))
    assert strategy.actions[:2] == (FOLD, CALL)
    assert best[0] < 0.01
    assert worst[0] > 0.9


def test_the_first_iterations_traces_are_left_out():
    """Shares of the first iteration's weight at most are none; rows sum to 1, even ones stay."""
    shares = np.array([[0.01, 0.99], [0.5, 0.5]], np.float32)
    np.testing.assert_allclose(without_traces(shares, 10), [[0, 1], [0.5, 0.5]])
    np.testing.assert_allclose(without_traces(shares, 20), shares, rtol=1e-6)
    assert without_traces(shares, 1)[1].tolist() == [0.5, 0.5]


def test_empty_ranges_are_any_hand():
    """Of whoever did what it never does."""
    root = root_on(RIVER)
    origin = SearchRoot(root, RIVER, 0, np.zeros((2, COMBOS)))
    found = search(origin, root, SETTINGS, Budget(3))
    check_strategy(found.strategy(root, RIVER), root, RIVER)
    assert np.isfinite(found.onward(root.apply(CALL), RIVER).values).all()


def test_what_was_not_searched_is_refused():
    """Another bet, another board, another hand."""
    solution = solved(TURN, iterations=1)
    root = solution.origin.state
    odd = root.apply(raise_to(333))
    with pytest.raises(NotSearched, match="r333"):
        solution.strategy(odd, TURN)
    with pytest.raises(NotSearched, match="another board"):
        solution.strategy(root, parse_cards("KsJs7d2d"))
    with pytest.raises(NotSearched, match="r333"):
        solution.onward(odd, TURN)
    whole = HandState.start(GAME)
    searched = search(
        SearchRoot(whole.apply(CALL).apply(CALL), TURN[:3], 0, scattered_ranges(5)),
        whole.apply(CALL).apply(CALL),
        SETTINGS,
        Budget(0),
    )
    assert searched is None
