"""Hands that bots of OpenSpiel play at our table, and ours at OpenSpiel's, are the same in both."""

from dataclasses import replace

import numpy as np
import pytest

from agents.bridges.libraries import MissingLibrary, library
from agents.bridges.spiel_games import (
    HALF_POT,
    POT,
    load_universal_poker,
    repeated_poker,
    universal_poker,
)
from agents.bridges.spiel_seated import spiel_seat
from agents.roster.bots import find_agent
from engine.play.learners import watched_hands
from engine.rules.view import state_of_betting
from engine.showdown.hand_values import hand_values
from protocol.gamedefs import load_builtin
from tests.helpers.spiel_hands import assert_same_hand

try:
    pyspiel = library("pyspiel")
    evaluate_bots = library("open_spiel.python.algorithms.evaluate_bots").evaluate_bots
except MissingLibrary:
    pytest.skip("OpenSpiel is not installed", allow_module_level=True)

from agents.bridges.spiel_ours import our_bot, read_acpc_state

UNIFORM = "open_spiel.python.bots.uniform_random:UniformRandomBot"
TABLES = {
    "hunl": ["rule", "biased-random"],
    "hulhe": ["rule", "biased-random"],
    "leduc": ["blueprint", "biased-random"],
    "kuhn3": ["biased-random", "always-call", "biased-random"],
    "nolimit3": ["rule", "biased-random", "always-call"],
}
"""Game -> bots of ours that play it at OpenSpiel's table."""
GOING_ON = repeated_poker(load_builtin("hunl"), 2).replace("stacks=True", "stacks=False")
HANDS = 25
MANY = 5000


def play_at_ours(name, hands):
    """Play a match between a bot of OpenSpiel and ours at our table, and compare its hands."""
    game = load_builtin(name)
    bots = [spiel_seat(UNIFORM), *(find_agent(bot).build() for bot in TABLES[name][1:])]
    for seat, bot in enumerate(bots):
        bot.start_match(game, seat)
    spiel_game = load_universal_poker(game)
    for hand in watched_hands(game, 3, hands, bots):
        assert_same_hand(spiel_game, hand.state, hand.deal)


def play_at_theirs(name, hands):
    """Play a match of our bots by `evaluate_bots`, and compare its hands."""
    game = load_builtin(name)
    spiel_game, rng = load_universal_poker(game), np.random.default_rng(4)
    bots = [our_bot(bot, spiel_game, player, player) for player, bot in enumerate(TABLES[name])]
    turns, ended = watch(bots[0])
    for hand in range(hands):
        state = spiel_game.new_initial_state()
        won = evaluate_bots(state, bots, rng)
        betting, deal = read_acpc_state(game, str(state).partition("ACPC State: ")[2])
        played = state_of_betting(game, betting)
        assert_same_hand(spiel_game, played, deal)
        assert ended[hand].state == played
        assert ended[hand].hand_id == hand
        assert list(won) == state.returns()
    assert all(turns)


@pytest.mark.parametrize("name", TABLES)
def test_hands_at_our_table_are_those_of_open_spiel(name):
    """Legal actions, betting and payoffs at every step."""
    play_at_ours(name, HANDS)


@pytest.mark.parametrize("name", TABLES)
def test_hands_at_their_table_are_ours(name):
    """And what the bots are shown at their ends is how they ended."""
    play_at_theirs(name, HANDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_five_thousand_hands_both_ways(name):
    """As above."""
    play_at_ours(name, MANY)
    play_at_theirs(name, MANY)


@pytest.mark.parametrize("betting", [POT, HALF_POT])
def test_bots_of_ours_take_the_nearest_raise_of_an_abstraction(betting):
    """A match in it comes to its end, and OpenSpiel's betting text is legal with us."""
    game = load_builtin("hunl")
    spiel_game, rng = load_universal_poker(game, betting), np.random.default_rng(5)
    bots = [our_bot("rule", spiel_game, player, player) for player in range(2)]
    raised = 0
    for _ in range(HANDS):
        state = spiel_game.new_initial_state()
        evaluate_bots(state, bots, rng)
        text, deal = read_acpc_state(game, str(state).partition("ACPC State: ")[2])
        raised += text.count("r")
        assert_same_hand(load_universal_poker(game), state_of_betting(game, text), deal)
    assert raised


@pytest.mark.parametrize("name", ["hunl", "nolimit3"])
def test_matches_of_repeated_poker(name):
    """The button moves, bots are asked in their turn, hands and chips are ours."""
    game = load_builtin(name)
    spiel_game = pyspiel.load_game(repeated_poker(game, HANDS))
    bots = [our_bot("biased-random", spiel_game, one, one) for one in range(game.players)]
    turns, ended = watch(bots[0])
    state = spiel_game.new_initial_state()
    won = evaluate_bots(state, bots, np.random.default_rng(6))
    assert all(turns)
    assert [view.hand_id for view in ended] == list(range(HANDS))
    assert [view.position for view in ended] == [-hand % game.players for hand in range(HANDS)]
    texts = state.acpc_hand_histories()
    chips = []
    for view, text in zip(ended, texts, strict=False):
        betting, deal = read_acpc_state(game, text)
        assert view.state == state_of_betting(game, betting)
        moved = view.hand_id % game.players
        holes = deal.holes[moved:] + deal.holes[:moved]
        assert view.hole == holes[view.position]
        assert_same_hand(load_universal_poker(game), view.state, replace(deal, holes=holes))
        chips.append(hand_values(view.state, holes, deal.board)[view.position])
    assert len(chips) == HANDS
    assert won[0] == pytest.approx(sum(chips))


def watch(bot):
    """Return lists of whether it was asked in its turn, and of what it sees of ends."""
    turns, ended = [], []
    act = bot._act

    def asked(view):
        turns.append(view.my_turn)
        return act(view)

    bot._act, bot._bot.end_hand = asked, ended.append
    return turns, ended


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kuhn_poker", "our bots play universal_poker and repeated_poker, not kuhn_poker"),
        (
            repeated_poker(load_builtin("hunl"), 2).replace(
                "reset_stacks=True", "reset_stacks=False"
            ),
            "reset_stacks=True only",
        ),
    ],
)
def test_other_games_of_theirs_are_refused(text, words):
    """With what our bots do play."""
    with pytest.raises(ValueError, match=words):
        our_bot("rule", pyspiel.load_game(text), 0)


def test_parameter_strings_are_those_that_open_spiel_prints():
    """So that they can be used wherever it takes the name of a game."""
    game = load_universal_poker(load_builtin("hunl"))
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert universal_poker(load_builtin("hunl")).startswith("universal_poker(betting=nolimit,")
