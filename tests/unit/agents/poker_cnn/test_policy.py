"""What the player decides, at tables and in bulk matches, against planes and PyTorch."""

import math

import numpy as np
import pytest

from agents.errors import AgentError
from agents.poker_cnn.bot import cnn_bot, policy_for, shipped_file
from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.planes import PLANES
from agents.poker_cnn.policy import cnn_policy
from agents.poker_cnn.shape import (
    ACTION,
    ALL_IN,
    LAYERS,
    RAISE_POTS,
    SMALLEST,
    VALUE,
    initial_weights,
)
from agents.roster.bots import find_agent
from agents.roster.words import chosen_bot
from engine.equity.equity_tables import equity
from engine.play.compiled_match import play_matches
from engine.play.draws import decision_draws, seating_seed
from engine.rules.dealing import DealStream
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.rules.state import HandState
from protocol.actions import Action
from protocol.gamedefs import load_builtin
from tests.helpers.torch_threads import one_torch_thread
from tests.oracles.cnn_planes import slow_planes

KINDS = {FOLD: "f", CALL: "c", RAISE: "r"}
HANDS, SEED = 25, 5


def lively(seed):
    """Return weights of a player that folds, calls and raises by all sizes."""
    row = initial_weights(seed)
    for layer in LAYERS[4:]:
        row[layer.first : layer.biases] *= 3
    return row


def decisions(game, policy, other):
    """Yield (state, hole, board, hand, seating, number, action) of the player's decisions."""
    met = find_agent(other).compiled_policy(game, 8)
    (match,) = play_matches(game, [(policy, met)], HANDS, SEED, duplicate=True, record=True)
    for seating in range(2):
        for hand, deal in zip(range(HANDS), DealStream(game, SEED), strict=False):
            state, number = HandState.start(game), 0
            for kind, raise_to in match.records[seating].actions_of(hand):
                sized = game.no_limit and kind == RAISE
                action = Action(KINDS[kind], raise_to if sized else 0)
                if (state.actor + hand + seating) % 2 == 0:
                    board = deal.board[: game.board_seen(state.street)]
                    yield state, deal.holes[state.actor], board, hand, seating, number, action
                    number += 1
                state = state.apply(action)


def chosen(scores, draw, greedy, sharpness=1.0):
    """Return the place of what is taken."""
    if greedy:
        return int(np.argmax(scores))
    chances = np.exp(sharpness * (scores - scores.max()))
    return int(np.searchsorted(np.cumsum(chances / chances.sum()), draw, side="right"))


def wanted(net, state, hole, board, draws, greedy, sized, sharpness):
    """Return the action that the network asks for."""
    import torch

    planes = slow_planes(state, hole, board, equity(hole, board))
    assert planes.shape[0] == PLANES
    with torch.no_grad():
        scores, sizes, _ = net(torch.tensor(planes[None], dtype=torch.float32))
    actions, sizes = scores[0].double().numpy().copy(), sizes[0].double().numpy()
    legal = state.raise_range()
    actions[0] = actions[0] if state.to_call else -np.inf
    actions[2] = actions[2] if legal else -np.inf
    action = chosen(actions, draws[0], greedy, sharpness)
    if action < 2:
        return Action("fc"[action])
    if not state.game.no_limit:
        return Action("r")
    size = chosen(sizes, draws[1], greedy) if sized else 1 + RAISE_POTS.index(1.0)
    if size == SMALLEST:
        return Action("r", legal[0])
    if size == ALL_IN:
        return Action("r", legal[1])
    to = state.to_match + round(RAISE_POTS[size - 1] * (state.pot + state.to_call))
    return Action("r", min(max(to, legal[0]), legal[1]))


@pytest.mark.parametrize(
    ("name", "greedy", "sized", "sharpness"),
    [
        ("hunl", False, True, 1.0),
        ("hunl", True, True, 1.0),
        ("hunl", False, False, 3.0),
        ("hulhe", False, True, 1.0),
    ],
)
def test_decisions_are_those_of_planes_and_pytorch(name, greedy, sized, sharpness):
    """Every one, in both seatings: masked, drawn or greedy, sizes by the network or of the pot."""
    game = load_builtin(name)
    with one_torch_thread():
        from agents.poker_cnn.net import CnnNet

        taken = []
        for seed, other in ((1, "O3"), (2, "O2")):
            row = lively(seed)
            net = CnnNet(row)
            policy = cnn_policy(row, greedy=greedy, sized=sized, sharpness=sharpness, seed=9)
            for state, hole, board, hand, seating, number, action in decisions(game, policy, other):
                draws = decision_draws(seating_seed(9, seating), hand, number)
                assert action == wanted(net, state, hole, board, draws, greedy, sized, sharpness)
                taken.append(action)
        kinds = [action.kind for action in taken]
        assert min(map(kinds.count, "cr")) > 10
        assert len({action.raise_to for action in taken}) > (5 if game.no_limit else 0)


def test_values_are_played_greedily_unless_asked(tmp_path):
    """And chances are drawn from."""
    game = load_builtin("hunl")
    for reading, greedy in ((VALUE, 1.0), (ACTION, 0.0)):
        path = tmp_path / f"{reading}.network"
        CnnModel(lively(1), reading).save(path)
        assert policy_for(game, 0, str(path)).params[0] == greedy
        assert policy_for(game, 0, str(path), greedy=1 - greedy).params[0] == 1 - greedy
    assert policy_for(game, 0, str(path), sized=0).params[1] == 0


@pytest.mark.parametrize("options", [{"greedy": 2}, {"sized": -1}, {"greedy": math.nan}])
def test_switches_that_are_none_are_refused(options):
    """Before anybody sits down."""
    with pytest.raises(ValueError, match="want 0 or 1"):
        cnn_bot(**options)


@pytest.mark.parametrize("sharpness", [0, -1, math.nan, math.inf])
def test_a_sharpness_that_is_none_is_refused(sharpness):
    """It is above 0."""
    with pytest.raises(ValueError, match=r"\b0\b.*\b100\b"):
        cnn_bot(sharpness=sharpness)


def test_a_file_that_is_no_network_is_refused(tmp_path):
    """In a line."""
    path = tmp_path / "x.network"
    path.write_text("no")
    with pytest.raises(AgentError, match="arena train cnn"):
        cnn_bot(str(path))


@pytest.mark.parametrize(
    "name",
    ["cnn", "cnn-value", "cnn-blueprint", "cnn-rounds", "cnn --greedy 1", "cnn --sharpness 2"],
)
def test_shipped_networks_play(name):
    """Their files are there, and say how they were made."""
    policy = chosen_bot(name).compiled_policy(load_builtin("hunl"), 3)
    other = find_agent("O1").compiled_policy(load_builtin("hunl"), 4)
    (match,) = play_matches(load_builtin("hunl"), [(policy, other)], 50, 1, duplicate=True)
    assert np.abs(match.won).sum() > 0


def test_limit_games_have_a_network_of_their_own():
    """Where one comes along; others play both kinds of games."""
    limit, no_limit = load_builtin("hulhe"), load_builtin("hunl")
    assert shipped_file("cnn", limit).stem == "cnn-limit"
    assert shipped_file("cnn", no_limit).stem == "cnn"
    assert shipped_file("cnn-rounds", limit).stem == "cnn-rounds"
    rows = [policy_for(game, 1).params for game in (limit, no_limit)]
    assert (rows[0] != rows[1]).any()
    assert (
        policy_for(limit, 1, network="cnn-rounds").params
        == policy_for(no_limit, 1, network="cnn-rounds").params
    ).all()
