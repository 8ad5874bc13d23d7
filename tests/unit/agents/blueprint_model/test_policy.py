"""Blueprints as policies: all combos at once."""

from dataclasses import replace
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

from agents.blueprint.bot import Blueprint
from agents.blueprint_model.policy import BlueprintPolicy, open_policy, policy_for
from agents.errors import GameNotPlayed
from engine.betting.policy import check_strategy
from engine.hands.cards import COMBO_CARDS, live_combos
from engine.hands.cards import card_bits as bits_of
from engine.rules.state import HandState
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_action, random_model, tiny_config


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The file of a model with random strategies."""
    path = tmp_path_factory.mktemp("blueprint") / "hunl.blueprint"
    random_model(tiny_config(), seed=8).save(path)
    return path


@pytest.fixture(scope="module")
def policy(file):
    """Its policy."""
    return open_policy(file)


def random_spots(game, count, seed):
    """Yield (state, board) of hands played anyhow."""
    rng = np.random.default_rng(seed)
    while count:
        board = rng.permutation(np.array(game.deck))[:5].tolist()
        state = HandState.start(game)
        while not state.over and count:
            yield state, board[: game.board_seen(state.street)]
            count -= 1
            state = state.apply(random_action(state, rng, raising=0.4))


@pytest.mark.parametrize("options", [{}, {"threshold": 0.2}, {"purify": True}])
def test_strategies_are_strategies(file, options):
    """Legal actions, named once; rows of all combos that the board leaves add to 1."""
    policy = open_policy(file, **options)
    for state, board in random_spots(policy.game, 20, seed=1):
        check_strategy(policy.strategy(state, board), state, board)


def test_combo_by_combo_it_is_what_the_bot_does(file, policy):
    """The bot's own distribution, for some combos of some states."""
    bot, rng = Blueprint(str(file)), np.random.default_rng(2)
    bot.start_match(policy.game, 0)
    for state, board in random_spots(policy.game, 25, seed=3):
        told = policy.strategy(state, board)
        for combo in rng.choice(np.flatnonzero(live_combos(bits_of(board))), 4).tolist():
            hole = tuple(COMBO_CARDS[combo].tolist())
            shown = [(), ()]
            shown[state.actor] = hole
            view = PlayerView(state, 0, state.actor, tuple(shown), tuple(board))
            own = bot.distribution(view)
            want = dict(zip(told.actions, told.probabilities[combo].tolist(), strict=True))
            got = dict(zip(own.actions, own.probabilities.tolist(), strict=True))
            assert got == pytest.approx(want, abs=1e-5)


def test_what_is_remembered_changes_no_answer(policy):
    """Asked in any order and again, after more boards and states than are kept: the same."""
    spots = list(random_spots(policy.game, 90, seed=4))
    first = [policy.strategy(*spot) for spot in spots]
    rng = np.random.default_rng(5)
    small = BlueprintPolicy(policy.model, cache_sizes=(2, 3))
    for spot in rng.permutation(len(spots)).tolist():
        for one in (policy, small):
            again = one.strategy(*spots[spot])
            assert again.actions == first[spot].actions
            assert (again.probabilities == first[spot].probabilities).all()


def test_both_players_are_told_apart(policy):
    """The interpretations of one are not those of the other."""
    fresh = BlueprintPolicy(policy.model)
    state = HandState.start(policy.game)
    rng = np.random.default_rng(6)
    board = [0, 5, 10, 15, 20]
    for _ in range(6):
        seen = board[: policy.game.board_seen(state.street)]
        told = policy.strategy(state, seen)
        alone = BlueprintPolicy(policy.model).strategy(state, seen)
        assert (told.probabilities == alone.probabilities).all()
        assert (fresh.strategy(state, seen).probabilities == alone.probabilities).all()
        state = state.apply(random_action(state, rng, raising=0.5))
        if state.over:
            break


def test_it_travels_by_its_file(file):
    """The copy answers alike, options and stacks included; without a file it stays."""
    game = replace(load_builtin("hunl"), stacks=(100, 300), blinds=(2, 1))
    for policy in (open_policy(file, threshold=0.3), open_policy(file, game)):
        copy = ForkingPickler.loads(ForkingPickler.dumps(policy))
        assert copy.game == policy.game
        for state, board in random_spots(policy.game, 30, seed=1):
            told, again = policy.strategy(state, board), copy.strategy(state, board)
            check_strategy(told, state, board)
            assert told.actions == again.actions
            assert (told.probabilities == again.probabilities).all()
    with pytest.raises(TypeError, match="by its model's file; it has none"):
        ForkingPickler.dumps(BlueprintPolicy(policy.model))


def test_leduc_is_told_card_by_card(tmp_path):
    """As the bot plays it; the last row of a board's own card means nothing."""
    path = tmp_path / "leduc"
    random_model(tiny_config("leduc"), seed=3).save(path)
    game = load_builtin("leduc")
    policy, bot = policy_for(game, str(path)), Blueprint(str(path))
    bot.start_match(game, 0)
    for betting, board in (
        ("", ()),
        ("cr", ()),
        ("cc/r", game.deck[:1]),
        ("crc/c", game.deck[3:4]),
    ):
        state = replay_betting(game, betting)
        told = policy.strategy(state, board)
        assert told.probabilities.shape[0] == len(game.deck)
        for hand, card in enumerate(sorted(game.deck)):
            if card in board:
                continue
            holes = tuple((card,) if seat == state.actor else () for seat in range(2))
            own = bot.distribution(PlayerView(state, 0, state.actor, holes, board))
            assert own.actions == told.actions
            assert own.probabilities.tolist() == pytest.approx(told.probabilities[hand], abs=1e-6)


def test_options_as_of_the_bot(file, tmp_path):
    """A file that is missing or of another game is refused, and so is what is no threshold."""
    hunl = load_builtin("hunl")
    assert policy_for(hunl, str(file), purify=1.0).game == hunl
    for game, model, options, why in (
        ("hunl", tmp_path / "none", {}, "there is no such file"),
        ("hunl", 300 * "a", {}, "there is no such file"),
        ("hulhe", file, {}, r"no-limit.*, not limit"),
        ("hunl", file, {"threshold": 2.0}, "want a probability"),
        ("limit3", "", {}, "no blueprint has been trained for limit for 3"),
        ("leduc", "", {"threshold": 2.0}, "want a probability"),
    ):
        with pytest.raises((ValueError, GameNotPlayed), match=why):
            policy_for(load_builtin(game), str(model) or None, **options)
