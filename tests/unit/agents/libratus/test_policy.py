"""What libratus does with all hands: by the blueprint, by a search, and on from there."""

import math
from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint_model.policy import BlueprintPolicy
from agents.errors import GameNotPlayed
from agents.libratus.estimates import blueprint_alternatives
from agents.libratus.options import SAFETY_KINDS, LibratusOptions
from agents.libratus.policy import CHOICE, LibratusPolicy, policy_for
from engine.betting.policy import check_strategy
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBO_CARDS, COMBOS, parse_combo
from engine.hands.ranges import without_blocked
from engine.rules.state import HandState
from engine.search.subgame_search import Budget, NotSearched
from engine.showdown.evaluator import strength
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_action, random_model, tiny_config

BOARD = parse_cards("KsJs7d2c3h")


@pytest.fixture(scope="module")
def blueprint():
    """A blueprint that plays at random, sometimes never."""
    return blueprint_of("hunl")


def blueprint_of(name):
    """The same of any game."""
    return BlueprintPolicy(random_model(tiny_config(name), seed=3))


def policy_of(blueprint, **options):
    """A policy of a few iterations."""
    return LibratusPolicy(blueprint, LibratusOptions(**{"iterations": 2, "nodes": 80, **options}))


def seen(state):
    """The board of a state's street."""
    return BOARD[: state.game.board_seen(state.street)]


@pytest.mark.parametrize(
    ("game", "safety"),
    [
        ("hunl", "resolve"),
        ("hulhe", "margin"),
        pytest.param("hunl", "margin", marks=pytest.mark.slow),
        pytest.param("hunl", "unsafe", marks=pytest.mark.slow),
        pytest.param("hulhe", "resolve", marks=pytest.mark.slow),
    ],
)
def test_it_has_an_answer_everywhere(game, safety):
    """Whatever was bet, at every decision of some hands, for every combo."""
    blueprint = blueprint_of(game)
    policy = policy_of(blueprint, safety=safety, iterations=1)
    rng = np.random.default_rng(5)
    searched = 0
    for _ in range(3):
        state = HandState.start(blueprint.game)
        while not state.over:
            answer = policy.answer(state, seen(state))
            check_strategy(answer.strategy, state, seen(state))
            assert (answer.solution is not None) == (state.street >= 2)
            searched += answer.solution is not None
            state = state.apply(random_action(state, rng, raising=0.3 * (state.street > 1)))
        policy.session.forget()
    assert searched > 5


def on_the_turn(game):
    """A turn that was checked to."""
    state = HandState.start(game)
    for _ in range(4):
        state = state.apply(CALL)
    assert state.street == 2
    return state


@pytest.mark.parametrize("safety", SAFETY_KINDS)
def test_the_first_search_is_safe_with_estimates(blueprint, safety):
    """From where the street began, with alternatives instead of the opponent's range."""
    policy = policy_of(blueprint, estimates=1, safety=safety)
    turn = on_the_turn(blueprint.game)
    solution = policy.answer(turn.apply(CALL), seen(turn)).solution
    assert solution.origin.state == turn
    assert solution.origin.alternatives.shape == (8, COMBOS)
    check_strategy(solution.strategy(turn.apply(CALL), seen(turn)), turn.apply(CALL), seen(turn))


def test_the_algorithm_may_be_chosen_while_it_solves(blueprint):
    """By a pool of which each member runs; other names are members alone."""
    turn = on_the_turn(blueprint.game)
    policy = policy_of(blueprint, algorithm="adaptive", iterations=8)
    check_strategy(policy.answer(turn, seen(turn)).strategy, turn, seen(turn))
    assert policy.session.settings.search.pool == CHOICE.pool
    assert policy_of(blueprint, algorithm="cfr+").session.settings.search.pool == (
        VARIANTS["cfr+"],
    )


def test_states_beside_the_blueprints_tree_have_no_estimates(blueprint):
    """They are searched by ranges."""
    odd = HandState.start(blueprint.game).apply(raise_to(317)).apply(CALL).apply(CALL).apply(CALL)
    assert blueprint.node_of(odd, seen(odd)) is None
    solution = policy_of(blueprint, estimates=1).answer(odd, seen(odd)).solution
    assert solution.origin.alternatives is None


def won_by_blueprint(blueprint, state, holes, player):
    """Chips that a player wins on the river with two known hands, by walking all that is played."""
    if state.over:
        if state.showdown:
            first, second = (strength((*map(int, COMBO_CARDS[h]), *BOARD)) for h in holes)
            won = float(np.sign(first - second) * min(state.spent))
        else:
            won = float(state.spent[1] if state.folded[1] else -state.spent[0])
        return won if player == 0 else -won
    strategy = blueprint.strategy(state, seen(state))
    shares = strategy.probabilities[holes[state.actor]]
    return sum(
        float(share) * won_by_blueprint(blueprint, state.apply(action), holes, player)
        for action, share in zip(strategy.actions, shares, strict=True)
        if share > 0
    )


def test_estimates_are_what_the_blueprint_wins(blueprint):
    """Hand against hand through every way of betting; the spread only adds to it."""
    river = on_the_turn(blueprint.game).apply(CALL).apply(CALL)
    own = [parse_combo(text) for text in ("AsQd", "9s8s", "7h7c")]
    ranges = np.zeros((2, COMBOS))
    ranges[0, own] = (0.5, 0.3, 0.2)
    ranges[1] = 1.0
    found = blueprint_alternatives(blueprint, river, BOARD, ranges, 1)
    for text in ("KdTd", "6s5s", "JhJc"):
        combo = parse_combo(text)
        expected = sum(
            weight * won_by_blueprint(blueprint, river, (hand, combo), 1)
            for hand, weight in zip(own, (0.5, 0.3, 0.2), strict=True)
        )
        assert found[:, combo].mean() == pytest.approx(expected, rel=1e-3, abs=0.5)
    assert (np.diff(found, axis=0) >= 0).all()


@pytest.mark.parametrize("trouble", ["time", "memory"])
def test_without_a_search_the_blueprint_answers(blueprint, monkeypatch, trouble):
    """Where there is no time for an iteration, and where memory runs out."""
    policy = policy_of(blueprint)
    if trouble == "memory":

        def search(*arguments, **options):
            raise MemoryError

        monkeypatch.setattr("engine.search.session.search", search)
    turn = on_the_turn(blueprint.game)
    budget = Budget(seconds=0.0 if trouble == "time" else math.inf)
    answer = policy.answer(turn, seen(turn), budget)
    assert answer.solution is None
    assert answer.why == f"no {trouble}"
    np.testing.assert_array_equal(
        answer.strategy.probabilities, blueprint.strategy(turn, seen(turn)).probabilities
    )


def test_reach_is_the_product_of_what_was_done(blueprint):
    """Of the player's own actions, on the menu."""
    game = blueprint.game
    state = HandState.start(game)
    expected = np.ones((2, COMBOS))
    for _ in range(4):
        strategy = blueprint.strategy(state, seen(state))
        expected[state.actor] *= strategy.probabilities[:, strategy.actions.index(CALL)]
        state = state.apply(CALL)
    for player in (0, 1):
        found = without_blocked(blueprint.reach(state, seen(state), player), seen(state))
        np.testing.assert_allclose(found, without_blocked(expected[player], seen(state)), rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seconds": 0}, "seconds"),
        ({"seconds": math.inf}, "seconds"),
        ({"iterations": 0}, "iterations"),
        ({"iterations": 1.5}, "iterations"),
        ({"threads": 0}, "threads"),
        ({"nodes": -1}, "nodes"),
        ({"safety": "sure"}, "resolve, margin"),
        ({"algorithm": "simplex"}, "lcfr, dcfr"),
        ({"estimates": 2}, "estimates"),
        ({"shake": 1.0}, "shake"),
        ({"flop": "4"}, "iterations instead of a clock"),
        ({"iterations": 2, "flop": "4", "estimates": 1}, "no estimates"),
        ({"flop": "net", "estimates": 1}, "no estimates"),
        ({"iterations": 2, "flop": "4.5"}, "street, net or a whole number"),
        ({"iterations": 2, "flop": "3"}, "street, net or a whole number"),
        ({"flop": "river"}, "street, net or a whole number"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    """With what is wanted; a flop's search keeps no clock, and wants all of its runouts."""
    with pytest.raises(ValueError, match=message):
        LibratusOptions(**options)


def test_games_that_are_not_searched_are_refused():
    """Leduc has a blueprint, but no combos."""
    for name in ("leduc", "nolimit3"):
        with pytest.raises(GameNotPlayed):
            policy_for(load_builtin(name))


@pytest.mark.slow
def test_a_flop_is_searched_up_to_the_turn(blueprint):
    """With leaves there, and the turn then begins with the ranges of that solution."""
    policy = policy_of(blueprint, flop="4", nodes=40)
    flop = HandState.start(blueprint.game).apply(CALL).apply(CALL)
    assert flop.street == 1
    bet = raise_to(317)
    facing = flop.apply(bet)
    answer = policy.answer(facing, seen(facing))
    check_strategy(answer.strategy, facing, seen(facing))
    assert answer.solution.origin.state == flop
    assert set(answer.solution.solver.game.tree.street.tolist()) == {1}
    with pytest.raises(NotSearched, match="depth limit"):
        answer.solution.onward(facing, seen(facing))
    assert not answer.solution.solver.limit.values._matrices
    turn = facing.apply(CALL)
    with pytest.raises(NotSearched, match="ended before it"):
        answer.solution.strategy(turn, seen(turn))
    with pytest.raises(NotSearched, match="ended before it"):
        answer.solution.ranges(turn.apply(CALL), seen(turn))
    later = policy.answer(turn.apply(CALL) if turn.actor == flop.actor else turn, seen(turn))
    share = answer.strategy.probabilities[:, answer.strategy.actions.index(CALL)]
    assert later.solution.origin.state == turn
    np.testing.assert_allclose(
        later.solution.origin.ranges[facing.actor],
        answer.solution.origin.ranges[facing.actor] * share,
    )


def test_a_flop_search_is_not_begun_in_a_hurry(blueprint):
    """Its values keep no clock: the blueprint answers."""
    policy = policy_of(blueprint, flop="4")
    flop = HandState.start(blueprint.game).apply(CALL).apply(CALL)
    for _ in range(20):
        assert policy.answer(flop, seen(flop), Budget(3, seconds=100)).solution is None
        policy.session.forget()


def test_a_flop_is_searched_in_the_blueprints_positions(blueprint):
    """Others are refused."""
    turned = replace(blueprint.game, first_positions=(0, 1, 1, 1), blinds=(50, 100))
    assert turned.first_positions[0] != blueprint.game.first_positions[0]
    with pytest.raises(GameNotPlayed, match="positions"):
        policy_of(BlueprintPolicy(blueprint.model, turned), flop="4")


def test_a_network_knows_flops_of_its_own_game_alone(blueprint):
    """Neither limit hold'em nor other positions: it was told who acts first, and of any bets."""
    limit = policy_for(load_builtin("hulhe")).blueprint
    turned = replace(blueprint.game, first_positions=(0, 1, 1, 1), blinds=(50, 100))
    for other in (limit, BlueprintPolicy(blueprint.model, turned)):
        for flop in ("street", "net"):
            with pytest.raises(GameNotPlayed, match="network knows"):
                policy_of(other, flop=flop)


@pytest.mark.parametrize(("way", "streets"), [("street", 1), ("net", 2)])
def test_a_flop_is_searched_up_to_a_network(blueprint, way, streets):
    """To its end or that of the turn; the opponent's bet is exact; then the turn is solved."""
    policy = policy_of(blueprint, flop=way, nodes=40, iterations=2)
    flop = HandState.start(blueprint.game).apply(CALL).apply(CALL)
    facing = flop.apply(raise_to(317))
    answer = policy.answer(facing, seen(facing))
    check_strategy(answer.strategy, facing, seen(facing))
    assert answer.solution.origin.state == flop
    assert answer.solution.solver.game.levels == streets
    turn = facing.apply(CALL)
    later = policy.answer(turn.apply(CALL) if turn.actor == flop.actor else turn, seen(turn))
    share = answer.strategy.probabilities[:, answer.strategy.actions.index(CALL)]
    np.testing.assert_allclose(
        later.solution.origin.ranges[facing.actor],
        answer.solution.origin.ranges[facing.actor] * share,
    )
