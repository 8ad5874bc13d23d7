"""Solving parts of Leduc again: what each technique promises, measured by exact best responses."""

from statistics import NormalDist

import numpy as np
import pytest

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.small_games.best_response import best_response
from engine.small_games.coin_toss import HEADS, TAILS, coin_toss
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.oracles.gadgets import TAKE, distributional, max_margin, merged, resolve, unsafe
from tests.oracles.subgame import best_values, blueprint_values, gifts, raised, subgame_at

SLACK = 5e-3
"""Chips that the solving of a gadget may be short of its equilibrium."""


def _safe(make):
    return lambda subgame, plan: make(subgame, plan, best_values(subgame, plan))


def _reach(make):
    return lambda subgame, plan: make(
        subgame, plan, raised(best_values(subgame, plan), gifts(subgame, plan))
    )


def _estimate(subgame, plan):
    return max_margin(subgame, plan, blueprint_values(subgame, plan))


def _distribution(subgame, plan):
    best, estimate = best_values(subgame, plan), blueprint_values(subgame, plan)
    spreads = {knows: abs(best[knows] - estimate[knows]) for knows in best}
    return distributional(subgame, plan, estimate, spreads)


@pytest.fixture(scope="module")
def game():
    """Leduc told in ranks, a blueprint of ten iterations, and its second-round subgames."""
    tree = leduc(isomorphic=True)
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr"], 10)
    found: dict[tuple[object, ...], list[int]] = {}
    for node, history in enumerate(tree.histories):
        if len(history) > 3 and isinstance(history[-1], int):
            found.setdefault(history[2:], []).append(node)
    subgames = [tuple(roots) for roots in found.values()]
    assert len(subgames) == 15
    return tree, solver.average(), subgames


def loss(tree, profile, solver):
    """What the opponent of `solver` wins at best."""
    return best_response(sequence_form(tree), profile, 1 - solver).value


def solved_again(game, technique, solver):
    """The blueprint with every second-round subgame solved by one technique."""
    tree, blueprint, subgames = game
    profile = blueprint
    for roots in subgames:
        subgame = subgame_at(tree, solver, roots)
        gadget = technique(subgame, blueprint)
        inside = TabularSolver(gadget)
        solve(inside, VARIANTS["cfr+"], 300)
        profile = merged(subgame, profile, gadget, inside.average())
    return profile


@pytest.mark.parametrize("solver", [0, 1])
@pytest.mark.parametrize(
    "technique",
    [_safe(resolve), _safe(max_margin), _reach(resolve), _reach(max_margin)],
    ids=["resolve", "max-margin", "reach-resolve", "reach-max-margin"],
)
def test_safe_techniques_never_lose_more_than_the_blueprint(game, technique, solver):
    """And here they lose clearly less, since ten iterations leave much to improve."""
    tree, blueprint, _ = game
    before = loss(tree, blueprint, solver)
    assert loss(tree, solved_again(game, technique, solver), solver) < before - 0.1


def test_max_margin_leaves_every_information_set_its_margin(game):
    """No I1 of the opponent has a higher value than before, the worst gains at least the margin."""
    tree, blueprint, subgames = game
    for roots in subgames:
        subgame = subgame_at(tree, 1, roots)
        before = best_values(subgame, blueprint)
        gadget = max_margin(subgame, blueprint, before)
        inside = TabularSolver(gadget)
        solve(inside, VARIANTS["cfr+"], 300)
        after = best_values(subgame, merged(subgame, blueprint, gadget, inside.average()))
        margins = [before[knows] - after[knows] for knows in before]
        promised = -best_response(inside.form, inside.average(), 0).value
        assert min(margins) == pytest.approx(promised, abs=1e-9)
        assert promised > -SLACK


@pytest.mark.parametrize("solver", [0, 1])
def test_an_estimate_costs_at_most_twice_its_error(game, solver):
    """The bound of Brown and Sandholm (see `gadgets`) for estimates, against the exact ones."""
    tree, blueprint, subgames = game
    exact = loss(tree, solved_again(game, _safe(max_margin), solver), solver)
    estimated = loss(tree, solved_again(game, _estimate, solver), solver)
    error = 0.0
    for roots in subgames:
        subgame = subgame_at(tree, solver, roots)
        best, estimate = best_values(subgame, blueprint), blueprint_values(subgame, blueprint)
        error = max(error, *(abs(best[knows] - estimate[knows]) for knows in best))
    assert estimated <= exact + 2 * error + SLACK


@pytest.mark.parametrize("solver", [0, 1])
def test_distributional_alternatives_improve_a_poor_blueprint(game, solver):
    """With the spread of the true error the result is better than the blueprint."""
    tree, blueprint, _ = game
    before = loss(tree, blueprint, solver)
    assert loss(tree, solved_again(game, _distribution, solver), solver) < before - 0.1


def test_without_spread_the_distributional_gadget_is_resolve(game):
    """All points are then the same alternative."""
    tree, blueprint, subgames = game
    subgame = subgame_at(tree, 1, subgames[0])
    cbv = best_values(subgame, blueprint)
    values = []
    for gadget in (
        resolve(subgame, blueprint, cbv),
        distributional(subgame, blueprint, cbv, dict.fromkeys(cbv, 0.0), points=3),
    ):
        inside = TabularSolver(gadget)
        solve(inside, VARIANTS["cfr+"], 500)
        values.append(best_response(inside.form, inside.average(), 0).value)
    assert values[0] == pytest.approx(values[1], abs=SLACK)


def test_distributional_alternatives_are_the_middles_of_quantiles(game):
    """What the opponent may take is normally distributed about each alternative."""
    tree, blueprint, subgames = game
    for solver in (0, 1):
        subgame = subgame_at(tree, solver, subgames[0])
        cbv = best_values(subgame, blueprint)
        spreads = {knows: 0.1 + number for number, knows in enumerate(cbv)}
        gadget = distributional(subgame, blueprint, cbv, spreads, points=3)
        knows = dict(zip(subgame.roots, subgame.knowledge, strict=True))
        taken = [node for node, h in enumerate(gadget.histories) if h[2:] == (TAKE,)]
        assert len(taken) == 3 * len({gadget.histories[node][0] for node in taken}) > 0
        for node in taken:
            root, point, _ = gadget.histories[node]
            normal = NormalDist(cbv[knows[root]], spreads[knows[root]])
            middle = normal.inv_cdf((1 / 6, 3 / 6, 5 / 6)[point])
            assert gadget.payoff[node] == pytest.approx(subgame.sign * middle)


def test_unsafe_solving_of_a_whole_round_suits_the_blueprints_opponent(game):
    """Against the opponent that plays the blueprint before, the new strategy does not lose more."""
    tree, blueprint, subgames = game
    subgame = subgame_at(tree, 1, subgames[0])
    gadget = unsafe(subgame, blueprint)
    inside = TabularSolver(gadget)
    solve(inside, VARIANTS["cfr+"], 500)
    new = best_response(inside.form, inside.average(), 0).value
    names = {name: number for number, name in enumerate(tree.info_set_names)}
    old = np.concatenate(
        [blueprint[tree.actions_of(names[name])] for name in gadget.info_set_names]
    )
    assert new <= best_response(inside.form, old, 0).value + SLACK


def test_a_subgame_that_the_blueprint_avoids_is_refused():
    """Nothing can be dealt where solver and chance never come, or nobody does."""
    tree = coin_toss()
    blueprint = tree.uniform()
    for name in (HEADS, TAILS):
        blueprint[tree.actions_of(tree.info_set_of(name))] = (1.0, 0.0)
    subgame = subgame_at(tree, 1, tuple(np.flatnonzero(tree.player == 1)))
    with pytest.raises(InvalidGame, match="never comes"):
        unsafe(subgame, blueprint)
    assert resolve(subgame, blueprint, best_values(subgame, blueprint)).nodes > 1


def test_alternatives_must_be_given_for_all_that_can_be_reached(game):
    """A missing one is an error, not a zero."""
    tree, blueprint, subgames = game
    subgame = subgame_at(tree, 1, subgames[0])
    for make in (resolve, max_margin):
        with pytest.raises(KeyError):
            make(subgame, blueprint, {})


@pytest.mark.parametrize(("points", "spread"), [(0, 1.0), (4, -1.0)])
def test_points_and_spreads_must_make_sense(game, points, spread):
    """No points, or a negative spread, are refused."""
    tree, blueprint, subgames = game
    subgame = subgame_at(tree, 1, subgames[0])
    cbv = best_values(subgame, blueprint)
    with pytest.raises(ValueError, match="points"):
        distributional(subgame, blueprint, cbv, dict.fromkeys(cbv, spread), points)
