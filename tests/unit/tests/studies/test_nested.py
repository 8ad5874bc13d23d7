"""Nested solving and translation on one flop: against an obvious best response, and safe."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from engine.betting.betting_tree import DEAL, RAISE
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.estimates.winrate import win_rate
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach
from tests.oracles.flop_holdem import best_response
from tests.studies.flop_holdem.nesting import (
    NESTINGS,
    TRANSLATIONS,
    FlopNesting,
    OffTreeGame,
    OnFlop,
    SolvedGame,
    follow_strategy,
    translate,
)
from tests.studies.flop_holdem.solver import FlopHandSolver
from tests.studies.nested import METHODS, NestedSolving, jackknife_interval

SETTINGS = {"bets": 1, "flops": 1, "iterations": 40, "solved": 15, "methods": "all"}
RANDOMISED, ANEW, THRESHOLD = TRANSLATIONS
ENOUGH = 120
SLACK = 3.0
"""Chips that so many iterations may be short of an equilibrium of the gadget."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """All done in one go."""
    study = NestedSolving(tmp_path_factory.mktemp("nested"), SETTINGS)
    *_, (_, done, of) = study.steps()
    assert done == of
    return study


@pytest.mark.parametrize(
    ("method", "agent"),
    [
        ("translation, drawn anew", 0),
        pytest.param("unsafe, from the decision", 1, marks=pytest.mark.slow),
    ],
)
def test_a_method_loses_what_an_obvious_best_response_wins(finished, method, agent):
    """Over one flop in all its suits, with bets of .75 among the others."""
    came = finished.preflop(method, agent)
    shares = finished.flop_shares(method, agent, 0, came)
    expected = best_response(finished.game.game, came.strategy, lambda flop: shares, 1 - agent)
    found = finished.best_responses()[method][1 - agent]
    assert found == pytest.approx(expected, rel=1e-5)


def test_the_blueprint_is_measured_flop_by_flop_too(finished):
    """All flops together are what its solver says."""
    expected = finished.blueprint.solver.best_responses(StrategyKind.AVERAGE)
    assert finished.blueprint_best_responses() == pytest.approx(expected, rel=1e-5)


def test_a_jackknife_of_means_is_the_usual_interval():
    """For a mean, leaving out is exact."""
    samples = np.array([3.0, 5.0, 4.0, 8.0])
    left_out = [np.delete(samples, number).mean() for number in range(4)]
    assert jackknife_interval(left_out) == pytest.approx(win_rate(samples, 1000).ci95, rel=1e-6)


def test_the_order_of_the_methods(finished):
    """What is solved after the bet adds next to nothing, the threshold most."""
    own = finished.blueprint.solver.exploitability(StrategyKind.AVERAGE)
    added = {name: np.mean(won) - own for name, won in finished.best_responses().items()}
    assert set(added) == set(METHODS)
    assert added["translation, threshold"] > 20 * added["reach-max-margin"]
    assert added["translation, threshold"] > 5 * added["translation, randomised"]
    assert min(added.values()) > -1e-3


def test_an_agent_plays_every_hand_and_never_the_missing_bet(finished):
    """Wherever it can come to, its shares add up to 1."""
    game = finished.game
    for method, agent in product(METHODS, (0, 1)):
        came = finished.preflop(method, agent)
        rows = finished.flop_shares(method, agent, 0, came)
        decided = 0
        for node in game.tree.decisions.tolist():
            if game.tree.kind[node] != agent or _bets_missing(game, node, agent):
                continue
            below = game.tree.children(node)
            kept = came.strategy.T if game.tree.street[node] == 0 else rows
            shares = {child: kept[game.row[child]] for child in below}
            np.testing.assert_allclose(sum(shares.values()), 1, atol=1e-5)
            assert not any(shares[child].any() for child in below if child in game.missing)
            decided += 1
        assert decided > 10


def _bets_missing(game, node, player):
    """Return whether a player has bet .75 on the way to a node."""
    while node:
        if node in game.missing and game.tree.kind[game.tree.parent[node]] == player:
            return True
        node = int(game.tree.parent[node])
    return False


@pytest.mark.parametrize("how", [RANDOMISED, THRESHOLD])
@pytest.mark.parametrize("agent", [0, 1])
def test_translation_is_a_draw_for_each_bet(how, agent):
    """With what reach a hand comes to a node is the mean over all draws, written out."""
    game, rng = OffTreeGame(1, 3), np.random.default_rng(1)
    strategy = {
        node: rng.dirichlet(np.ones(len(game.kept(node))), 2).T for node in range(game.tree.nodes)
        if game.kept(node)
    }  # fmt: skip
    way = next(node for node in range(game.tree.nodes) if game.tree.kind[node] == DEAL)
    first = game.kept(way)[0]
    into = np.zeros((game.game.row_count, 2), np.float32)
    translate(game, agent, first, [(np.ones(2), first)], strategy.__getitem__, how, into)
    checked = 0
    for node in rng.permutation(game.tree.nodes_below(first))[:60].tolist():
        path = _path(game, first, node)
        if any(a in game.missing and game.tree.kind[n] == agent for n, _, a in path):
            continue
        found = np.prod(
            [into[game.row[a]] for n, _, a in path if game.tree.kind[n] == agent] or [np.ones(2)],
            axis=0,
        )
        bets = [number for number, (_, _, a) in enumerate(path) if a in game.missing]
        expected = np.zeros(2)
        for draws in product((-1, 1), repeat=len(bets)):
            place, weight = first, np.ones(2)
            drawn = dict(zip(bets, draws, strict=True))
            for number, (n, k, _) in enumerate(path):
                step = k + drawn.get(number, 0)
                if number in drawn:
                    weight = weight * (how.lower if drawn[number] < 0 else 1 - how.lower)
                child = game.tree.children(place)[step]
                if game.tree.kind[n] == agent:
                    weight = weight * strategy[place][game.kept(place).index(child)]
                place = child
            expected += weight
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
        checked += len(bets) > 0
    assert checked > 5


def _path(game, first, node):
    """Return node, number of the action, and where it leads, of the way to a node."""
    found = []
    while node != first:
        above = int(game.tree.parent[node])
        found.append((above, list(game.tree.children(above)).index(node), node))
        node = above
    return found[::-1]


def test_sizes_and_chances_are_those_of_the_mapping():
    """Three sevenths for half a pot; .75 is beyond the threshold of .714; 560 decisions there."""
    assert pytest.approx(3 / 7) == RANDOMISED.lower
    assert THRESHOLD.lower == 0
    game = OffTreeGame(1, 3)
    assert game.game.row_count == 1652
    assert (game.tree.street[game.tree.decisions] == 1).sum() == 560
    for bet in game.missing:
        pot = game.tree.spent[bet].sum() - (
            game.tree.raise_to[bet] - game.tree.spent[game.tree.parent[bet]].max()
        )
        raised = game.tree.raise_to[bet] - game.tree.spent[game.tree.parent[bet]].max()
        assert game.tree.action[bet] == RAISE
        assert raised == pytest.approx(0.75 * pot, abs=1)


@pytest.fixture(scope="module")
def rough():
    """Few iterations of the game with three bets on one flop."""
    game = OffTreeGame(1, 3)
    part, nodes = game.flop_part(0)
    solver = FlopHandSolver(part, threads=1)
    solve(solver, VARIANTS["cfr+"], 10)
    return SolvedGame(game, solver, nodes)


@pytest.mark.parametrize("nesting", NESTINGS[:3], ids=lambda one: one.name)
def test_nested_solutions_leave_no_hand_more(rough, nesting):
    """After a bet no hand can win more than it could from a rough strategy before it.

    After another one it may: .75 can be worth more than what a good strategy left.
    """
    game, agent = rough.whole, 1
    way = next(node for node in range(game.tree.nodes) if game.tree.kind[node] == DEAL)
    came, combo = rough.reach(agent, way), game.game.flops.combo[0]
    nest = FlopNesting(rough, 0, way, nesting, agent, came, ENOUGH)
    first_bets, later_bets = [], []

    def again(bet):
        new = nest.again(bet)
        ranges = np.ones((2, COMBOS))
        ranges[agent] = 0
        ranges[agent, combo] = bet.reach
        held = combo[compatible_reach(ranges[agent])[combo] > 1e-3]
        before = bet.before.best(int(game.tree.parent[bet.node]), ranges)
        gains = first_bets if isinstance(bet.before, OnFlop) else later_bets
        gains.append((new.best(bet.node, ranges) - before)[held].max())
        return new

    into = np.zeros((game.game.row_count, 1176), np.float32)
    known = OnFlop(rough, 0, agent, {way: came})
    follow_strategy(game, agent, game.kept(way)[0], came[combo], known, again, into)
    assert (len(first_bets), len(later_bets)) == (7, 2)
    assert max(first_bets) < SLACK


@pytest.mark.parametrize("kind", ["unsafe", "reach-max-margin"])
def test_the_street_is_the_decision_where_the_opponent_opens_it(rough, kind):
    """It is the same subgame, with the same ranges and alternatives: to the bit."""
    game, agent = rough.whole, 1
    way = next(node for node in range(game.tree.nodes) if game.tree.kind[node] == DEAL)
    came, combo = rough.reach(agent, way), game.game.flops.combo[0]
    street, decision = (
        FlopNesting(rough, 0, way, one, agent, came, 20)
        for start in ("street", "decision")
        for one in NESTINGS
        if one.name == f"{kind}, from the {start}"
    )
    same = 0

    def again(bet):
        nonlocal same
        new = decision.again(bet)
        if int(game.tree.parent[bet.node]) == game.kept(way)[0]:
            other = street.again(bet)
            assert_array_equal(other.best(bet.node, ranges), new.best(bet.node, ranges))
            same += 1
        return new

    ranges = np.ones((2, COMBOS))
    into = np.zeros((game.game.row_count, 1176), np.float32)
    known = OnFlop(rough, 0, agent, {way: came})
    follow_strategy(game, agent, game.kept(way)[0], came[combo], known, again, into)
    assert same == 1


@pytest.mark.slow  # half a minute: all is done twice
def test_it_is_taken_up_again(finished, tmp_path):
    """After a stop at any step, by any number of processes; other settings are refused."""
    left = NestedSolving(tmp_path, SETTINGS).steps()
    for _ in range(9):
        next(left)
    left.close()
    study = NestedSolving(tmp_path, SETTINGS, workers=2)
    assert all(done <= of for _, done, of in study.steps())
    assert study.best_responses() == finished.best_responses()
    assert list(study.steps()) == []
    with pytest.raises(ArtifactMismatch, match="other settings"):
        list(NestedSolving(tmp_path, SETTINGS | {"solved": 31}).steps())
