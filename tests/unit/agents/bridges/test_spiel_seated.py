"""Bots and policies of OpenSpiel at our tables: what they hear, see and are."""

import sys

import pytest

from agents.bridges.libraries import MissingLibrary, library
from agents.bridges.spiel_seated import SpielSeat, spiel_seat
from agents.errors import UnknownAgent
from agents.roster.bots import find_agent
from engine.play.learners import watched_hands
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin

try:
    pyspiel = library("pyspiel")
except MissingLibrary:
    pytest.skip("OpenSpiel is not installed", allow_module_level=True)

HUNL = load_builtin("hunl")


class Spy(pyspiel.Bot):
    """Answers what it was made with, and writes down all that it is told."""

    def __init__(self, code=1):
        super().__init__()
        self.code = code
        self.heard = []
        self.states = []

    def restart_at(self, state):
        self.heard.append("restart")
        assert state.history() == []

    def inform_action(self, state, player, action):
        self.heard.append((int(player), action))

    def step(self, state):
        self.states.append(state.clone())
        self.heard.append("step")
        return self.code


def seated(bot, betting=""):
    """Return a seat with a bot in it, its match begun."""
    seat = SpielSeat(lambda game, player, rng: bot, betting)
    seat.start_match(HUNL, 1)
    return seat


def at(betting, holes=((50, 51), ()), board=(), position=0):
    """What the player with two aces sees."""
    return PlayerView(replay_betting(HUNL, betting), 0, position, holes, board)


def test_a_hand_is_told_as_open_spiel_tells_it():
    """Cards and actions of others in order, own actions by nobody.

    Once more, if the flop brings what the opponent was shown with.
    """
    spy = Spy()
    seat = seated(spy)
    seat.act(at("r300"))
    assert spy.heard[0] == "restart"
    assert spy.heard[1:3] == [(-1, 50), (-1, 51)]
    assert spy.heard[5:] == [(1, 300), "step"]
    shown = [card for _, card in spy.heard[3:5]]
    board = tuple(card for card in range(5) if card not in shown)[:3]
    seat.act(at("r300c/", board=board))
    assert spy.heard[7:] == [*((-1, card) for card in board), "step"]
    seat.act(at("r300c/", board=(*shown, board[0])))
    again = spy.heard[11:]
    assert again[0] == "restart"
    assert not {*shown} & {card for _, card in again[3:5]}
    assert again[5] == (1, 300)


def test_no_hidden_card_is_shown():
    """In a match the opponent's cards are right no more often than drawn ones are."""
    spy, other = Spy(), find_agent("biased-random").build()
    seat = seated(spy)
    other.start_match(HUNL, 2)
    right = shown = 0
    for hand in watched_hands(HUNL, 8, 50, [seat, other]):
        own = hand.seats.index(0)
        for state in spy.states:
            cards = [action.action for action in state.full_history() if action.player == -1]
            holes = [set(cards[:2]), set(cards[2:4])]
            assert holes[own] == set(hand.deal.holes[own])
            assert tuple(cards[4:]) == hand.deal.board[: len(cards) - 4]
            shown += 1
            right += holes[1 - own] == set(hand.deal.holes[1 - own])
        spy.states.clear()
    assert shown > 50
    assert right <= 2


def test_policies_are_drawn_from():
    """By the seed of the match, and never anything that they do not play."""

    class Fixed:
        def action_probabilities(self, state, player_id=None):
            return {0: 0.25, 1: 0.0, 700: 0.75}

    played = []
    for _ in range(2):
        seat = seated(Fixed())
        played.append([seat.act(at("r300")).text for _ in range(40)])
    assert played[0] == played[1]
    assert set(played[0]) == {"f", "r700"}
    assert played[0].count("f") < 20


@pytest.mark.parametrize(
    ("betting", "code", "text"),
    [
        ("", 0, "f"), ("", 1, "c"), ("", 900, "r900"), ("fcpa", 2, "r900"), ("fcpa", 3, "r20000"),
        ("fchpa", 4, "r600"),
    ],
)  # fmt: skip
def test_actions_are_read_by_the_abstraction(betting, code, text):
    """A raise to so many chips, of the pot or half of it, or all-in."""
    assert seated(Spy(code), betting).act(at("r300")).text == text


@pytest.mark.parametrize(
    ("betting", "told"),
    [("r300", 2), ("r310", 2), ("r220", 2), ("r20000", 3), ("r9000", 3), ("r1500", 2)],
)
def test_raises_that_an_abstraction_lacks_are_told_as_the_nearest(betting, told):
    """By the logarithm of their share of the pot."""
    spy = Spy()
    seated(spy, "fcpa").act(at(betting))
    assert (1, told) in spy.heard


def test_where_the_abstract_hand_is_over_it_calls():
    """After an all-in that was none: the bot has called, and nothing is asked of it any more."""
    spy = Spy()
    seat = seated(spy, "fcpa")
    seat.act(at("r9000"))
    assert seat.act(at("r9000c/", board=(0, 5, 10))).text == "c"
    assert spy.heard.count("step") == 1
    with pytest.raises(ValueError, match="action 250 is not legal"):
        seated(Spy(250)).act(at("r300"))


def test_everything_can_be_named(tmp_path, monkeypatch):
    """Bots and policies, classes and functions, with whatever they want of what there is."""
    (tmp_path / "theirs.py").write_text(
        "from open_spiel.python.bots.uniform_random import UniformRandomBot\n"
        "from open_spiel.python import policy\n"
        "import numpy as np\n"
        "ready = UniformRandomBot(0, np.random.default_rng(1))\n"
        "def made(game, player_id, seed):\n"
        "    assert game.num_players() == 2 and isinstance(seed, int)\n"
        "    return UniformRandomBot(player_id, np.random.default_rng(seed))\n"
        "def policy_of(game, *others): return policy.FirstActionPolicy(game)\n"
        "def wrong(game, table): pass\n"
    )
    modules = sys.modules.copy()
    monkeypatch.chdir(tmp_path)
    try:
        for name in ("ready", "made", "policy_of"):
            seat = spiel_seat(f"theirs.py:{name}")
            seat.start_match(HUNL, 1)
            assert seat.act(at("r300")).kind in "fcr"
        with pytest.raises(UnknownAgent, match="takes table; a bot is made of game, player_id"):
            spiel_seat("theirs.py:wrong")
        with pytest.raises(UnknownAgent, match="has no nothing"):
            spiel_seat("theirs.py:nothing")
        with pytest.raises(ValueError, match="want fullgame, fcpa, fchpa"):
            spiel_seat("theirs.py:made", "fc")
    finally:
        sys.modules.clear()
        sys.modules.update(modules)


def test_the_roster_knows_them_by_their_prefix():
    """And asks for the abstraction."""
    spec = find_agent("openspiel:open_spiel.python.policy:UniformRandomPolicy")
    assert [option.flag for option in spec.options] == ["--betting"]
    assert spec.plays(HUNL, {})
    assert not spec.plays(load_builtin("fixed-queen"), {})
