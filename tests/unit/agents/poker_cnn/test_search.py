"""The look one step ahead: beliefs, what actions win, and the bot that takes the best."""

import numpy as np
import pytest

from agents.errors import GameNotPlayed, UnknownAgent
from agents.poker_cnn.hand_kernels import CODE_CALL, CODE_FOLD, CODE_RAISE
from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.search_bot import SearchingCnn
from agents.poker_cnn.shape import ACTION, ACTIONS, LAYERS, initial_weights
from agents.roster.words import chosen_bot
from engine.equity.equity_tables import equity_level, equity_tables
from engine.hands.cards import COMBO_CARDS
from engine.play.learners import play_tables, rotations
from engine.rules.packed_game import pack_game
from engine.rules.view import PlayerView, replay_betting
from engine.showdown.evaluator import strength
from protocol.gamedefs import load_builtin

LIMIT = load_builtin("hulhe")
SMALL_BET, BIG_BET = 10, 20
BOARD = (3, 17, 30, 44, 9)
HOLE = (51, 22)
RIVER = [*[CODE_CALL] * 6, CODE_RAISE]
"""Checked down to the river, where the button faces a bet."""


def valued(seed=1):
    """Return weights of a lively network that knows what hands are worth."""
    row = initial_weights(seed)
    for layer in LAYERS[4:6]:
        row[layer.first : layer.biases] *= 3
    worth = LAYERS[6]
    row[worth.first : worth.end] = np.random.default_rng(seed).normal(0, 0.05, 257)
    return row


@pytest.fixture
def look():
    """A look at limit hold'em, board and hole cards laid, the river bet into."""
    from agents.poker_cnn.search_kernels import new_look, read_board

    look = new_look(pack_game(LIMIT), equity_tables(), valued(), 0.1)
    look.betting[: len(RIVER)] = RIVER
    read_board(look, np.array(BOARD, np.uint8))
    return look


def holdings_of(combos):
    """Return hands of equal weight on the board, with their levels."""
    from agents.poker_cnn.search_kernels import Holdings

    holes = COMBO_CARDS[combos].astype(np.uint8)
    levels = [equity_level(hole.tolist(), BOARD) for hole in holes]
    return Holdings(holes, np.ones(len(combos)), np.array(levels, np.int64))


def free_combos(count):
    """Return some combos without known cards."""
    free = ~np.isin(COMBO_CARDS, (*BOARD, *HOLE)).any(axis=1)
    return np.random.default_rng(5).choice(np.flatnonzero(free), count, replace=False)


def alone(look, count, position, hole, level):
    """Return how likely an action is with a hand, by a whole pass of the network."""
    from agents.poker_cnn.search_kernels import shares_of

    shares = np.empty(ACTIONS)
    look.cards[2 * position : 2 * position + 2] = hole
    shares_of(look, count, level, shares)
    return shares


@pytest.mark.slow  # kernels that nothing else compiles take half a minute
def test_hands_are_weighed_by_what_the_network_would_do(look):
    """The hand's part of the first layer is added: the same as a whole pass for each."""
    from agents.poker_cnn.search_kernels import level_on_board, weigh_action

    holdings = holdings_of(free_combos(30))
    count, position = len(RIVER) - 1, 0
    weigh_action(look, count, position, CODE_RAISE, holdings)
    for hole, level, weight in zip(*holdings[::2], holdings.weights, strict=True):
        assert level == level_on_board(look, *hole.tolist())
        wanted = alone(look, count, position, hole, level)
        assert weight == pytest.approx(wanted[CODE_RAISE], rel=1e-4)
        assert wanted[CODE_FOLD] == 0
        assert wanted.sum() == pytest.approx(1)


def slow_river(look, holdings):
    """Return what a call and a raise of the river's bet win, hand by hand."""
    from agents.poker_cnn.forward_kernels import worth_of

    called, raised = SMALL_BET + BIG_BET, SMALL_BET + 2 * BIG_BET
    own = strength((*HOLE, *BOARD))
    look.betting[len(RIVER) : len(RIVER) + 2] = CODE_RAISE
    alone(look, len(RIVER) + 2, 1, HOLE, equity_level(HOLE, BOARD))
    raised_again = worth_of(look.weights, look.work) * 2 * (raised + BIG_BET) - raised
    totals = np.zeros(ACTIONS)
    look.cards[2:4] = HOLE
    for hole, level in zip(holdings.holes, holdings.levels, strict=True):
        other = strength((*hole.tolist(), *BOARD))
        sign = int(own > other) - int(own < other)
        answers = alone(look, len(RIVER) + 1, 0, hole, level)
        totals[CODE_CALL] += sign * called
        totals[CODE_RAISE] += answers @ [called, sign * raised, raised_again]
    return totals / len(holdings.weights)


@pytest.mark.slow  # kernels that nothing else compiles take half a minute
def test_on_the_river_all_is_counted(look):
    """Folds win the pot, calls show hands, and another raise is what the network says."""
    from agents.poker_cnn.search_kernels import look_ahead

    holdings = holdings_of(free_combos(25))
    wanted = slow_river(look, holdings)
    look.cards[2:4] = HOLE
    won = np.empty(ACTIONS)
    every = np.ones(ACTIONS, np.bool_)
    look_ahead(look, len(RIVER), equity_level(HOLE, BOARD), holdings, np.zeros((2, 6)), every, won)
    assert won[CODE_FOLD] == -SMALL_BET
    assert won[1:] == pytest.approx(wanted[1:], rel=1e-3)
    every[CODE_RAISE] = False
    look_ahead(look, len(RIVER), equity_level(HOLE, BOARD), holdings, np.zeros((2, 6)), every, won)
    assert won[CODE_RAISE] == -np.inf


@pytest.fixture
def bot_of():
    """A searching bot with a network of some weights."""

    def built(row):
        return SearchingCnn(lambda _: CnnModel(row, ACTION), 5.0)

    return built


def view_of(betting, board, hand=3):
    """Return a view of whoever is to act."""
    state = replay_betting(LIMIT, betting)
    shown = tuple(HOLE if seat == state.actor else () for seat in range(2))
    return PlayerView(state, hand, state.actor, shown, board)


@pytest.mark.slow  # kernels that nothing else compiles take half a minute
def test_a_decision_does_not_depend_on_earlier_ones(bot_of):
    """Asked on the turn for the first time, it does what it does when asked all along."""
    views = [
        view_of("", ()), view_of("rc/c", BOARD[:3]), view_of("rc/cc/c", BOARD[:4]),
        view_of("rc/cc/cr", BOARD[:4]),
    ]  # fmt: skip
    assert len({view.position for view in views[1:3]}) == 1
    asked = bot_of(valued(2))
    asked.start_match(LIMIT, 9)
    actions = [asked.act(view) for view in views]
    for view, action in zip(views, actions, strict=True):
        fresh = bot_of(valued(2))
        fresh.start_match(LIMIT, 9)
        assert fresh.act(view) == action


@pytest.mark.slow  # kernels that nothing else compiles take half a minute
def test_whole_matches_are_played_by_the_rules(bot_of):
    """And the same match again is the same."""
    won = [
        play_tables(
            LIMIT,
            4,
            12,
            rotations([lambda: bot_of(valued(3)), chosen_bot("uniform-random").build]),
        )
        for _ in range(2)
    ]
    assert (won[0] == won[1]).all()
    assert np.abs(won[0]).sum() > 0


def test_no_limit_is_refused(bot_of):
    """In a line; so is a network that does not know what hands are worth."""
    with pytest.raises(GameNotPlayed, match="limit games only"):
        bot_of(valued()).start_match(load_builtin("hunl"), 1)
    with pytest.raises(GameNotPlayed, match="--values"):
        bot_of(initial_weights(1)).start_match(LIMIT, 1)


@pytest.mark.parametrize(
    "words", ["--search -1", "--search 1 --greedy 1", "--search 1 --sharpness 2"]
)
def test_options_that_do_not_go_together_are_refused(words):
    """Before anybody sits down."""
    with pytest.raises(UnknownAgent, match="search"):
        chosen_bot(f"cnn {words}")


def test_a_searcher_plays_at_tables_only():
    """It has no compiled policy, and its strategy is not the one that cnn tells."""
    assert chosen_bot("cnn").compiled is not None
    assert chosen_bot("cnn --search 1").compiled is None
    spec = chosen_bot("cnn")
    assert spec.plays_what_it_tells({})
    assert not spec.plays_what_it_tells({"search": 1.0})
