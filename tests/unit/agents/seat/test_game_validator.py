"""Whether an agent notices that the dealer plays another game, and only then."""

from itertools import product

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.bot import Bot
from agents.errors import GameMismatch
from agents.session import Session
from engine.rules.dealing import DealStream
from engine.rules.replies import read_action
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from protocol.actions import RAISE, raise_to
from protocol.gamedef import GameDef
from protocol.gamedefs import builtin_aliases, load_builtin
from protocol.matchstate import MatchState, format_match_state

GAMES = {alias: load_builtin(alias) for alias in builtin_aliases()}
HUNL, HULHE = GAMES["hunl"], GAMES["hulhe"]
LOOK_ALIKE = {("hulhe", "hunl"), ("hunl", "hulhe"), ("limit3", "nolimit3"), ("nolimit3", "limit3")}
"""Agent's and dealer's games whose hands are the same as long as nobody raises."""


class RandomBot(Bot):
    """Does anything that is legal."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, view):
        size = int(self.rng.integers(view.min_raise_to, view.max_raise_to + 1))
        actions = [view.call(), view.call(), view.raise_to(size), view.fold()]
        return actions[int(self.rng.integers(4))]


class Raiser(Bot):
    """Raises to the given sizes, one after the other; then calls."""

    def __init__(self, *actions) -> None:
        self.actions = list(actions)

    def act(self, view):
        return self.actions.pop(0) if self.actions else view.call()


def played(game: GameDef, sessions: list[Session], hands: int) -> int:
    """Deal hands as the original does, to sessions of any games; return how many were finished.

    A dealer cannot know what an agent that answers something else, or nothing, is about; the hand
    ends where nobody answers.
    """
    for session in sessions:
        session.connected()
    for hand_id, deal in zip(range(hands), DealStream(game, 7), strict=False):
        state, texts = HandState.start(game), CardTexts(game, deal)
        while True:
            answers = {}
            for seat, session in enumerate(sessions):
                position = (seat - hand_id) % game.players
                cards = texts.text(state, position)
                line = format_match_state(MatchState(position, hand_id, state.betting, cards))
                answer = session.receive(line + b"\r\n")
                if answer.startswith(line + b":"):
                    answers[position] = answer[len(line) + 1 :]
            if state.over:
                break
            if state.actor not in answers:
                return hand_id
            state = state.apply(read_action(state, answers[state.actor]).action)
    return hands


@pytest.mark.parametrize("alias", GAMES)
def test_a_right_match_of_any_built_in_game_goes_on(alias):
    """Random hands: no word of warning, no mismatch."""
    game, notices = GAMES[alias], []
    sessions = [Session(RandomBot(s), game, notice=notices.append) for s in range(game.players)]
    assert played(game, sessions, 40) == 40
    assert notices == []


@pytest.mark.parametrize(
    ("mine", "dealt"), [pair for pair in product(GAMES, GAMES) if pair[0] != pair[1]]
)
def test_each_built_in_game_is_told_from_each_other(mine, dealt):
    """Agents that do anything notice it within some hands; the message names the dealer's game."""
    sessions = [Session(RandomBot(s), GAMES[mine]) for s in range(GAMES[dealt].players)]
    with pytest.raises(GameMismatch) as caught:
        played(GAMES[dealt], sessions, 40)
    if {mine, dealt} != {"kuhn", "leduc"}:  # those two can be told apart by either's first bets
        assert dealt in str(caught.value).partition("; --game ")[2]
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("mine", "dealt"), sorted(LOOK_ALIKE))
def test_without_a_raise_limits_do_not_show(mine, dealt):
    """Callers see the same states in limit and in no-limit games."""
    sessions = [Session(AlwaysCall(), GAMES[mine]) for _ in range(GAMES[dealt].players)]
    assert played(GAMES[dealt], sessions, 5) == 5


def seated(bot, game=HUNL):
    """Return a session that has connected, and what it tells the user."""
    notices: list[str] = []
    session = Session(bot, game, notice=notices.append)
    session.connected()
    return session, notices


def asked(hand: int) -> bytes:
    return b"MATCHSTATE:1:%d::|Qh9h\r\n" % hand


def shown(hand: int, actions: bytes) -> bytes:
    return b"MATCHSTATE:1:%d:%b:|Qh9h\r\n" % (hand, actions)


def test_the_third_answer_that_the_dealer_changes_is_the_end():
    """Two are told in a line each; the third names the game in which raises have sizes."""
    session, notices = seated(Raiser(RAISE, RAISE, RAISE), HULHE)
    for hand in range(2):
        session.receive(asked(hand))
        session.receive(b"MATCHSTATE:1:%d:cc/:|Qh9h/2c3c4c\r\n" % hand)
        session.receive(b"MATCHSTATE:1:%d:cc/cc/:|Qh9h/2c3c4c/5c\r\n" % hand)
    session.receive(asked(2))
    assert [notice.split(": ")[1].split(" to ")[0] for notice in notices] == [
        "it took c for the answer r"
    ] * 2
    with pytest.raises(GameMismatch, match="--game hunl"):
        session.receive(b"MATCHSTATE:1:2:cc/:|Qh9h/2c3c4c\r\n")


def test_a_dealer_that_moves_a_size_once_is_told_and_borne():
    """A whim of a dealer is no other game."""
    session, notices = seated(Raiser(raise_to(301), raise_to(300)))
    for hand in range(2):
        session.receive(asked(hand) + shown(hand, b"r300f"))
    assert len(notices) == 1
    assert "it took r300 for the answer r301 to MATCHSTATE:1:0::|Qh9h" in notices[0]


def test_another_players_action_where_it_was_our_turn_counts():
    """No dealer makes a raise of a call: it asked somebody else."""
    session, _ = seated(AlwaysCall())
    for hand in range(2):
        session.receive(asked(hand) + shown(hand, b"r300f"))
    with pytest.raises(GameMismatch, match=r"\br300\b.*\bc\b"):
        session.receive(asked(2) + shown(2, b"r300f"))


def test_folds_of_a_dealer_that_did_not_wait_are_told_once():
    """Folding for an agent that is late is what some dealers do in any game."""
    session, notices = seated(AlwaysCall())
    for hand in range(4):
        session.receive(asked(hand) + shown(hand, b"f"))
    assert len(notices) == 1
    assert "did not wait" in notices[0]


def test_what_became_of_an_answer_is_unknown_after_a_loss():
    """The dealer may have acted for an agent that was away, and may ask again."""
    session, notices = seated(Raiser(*[raise_to(300)] * 9))
    for hand in range(4):
        session.connected()
        session.receive(asked(hand))
        session.connected()
        session.receive(shown(hand, b"r600f") if hand % 2 else asked(hand))
        session.receive(asked(hand + 10))
    assert notices == []


@pytest.mark.parametrize(
    ("game", "line", "why"),
    [
        ("kuhn", b"MATCHSTATE:0:0::Qh|", r"Qh.*--game leduc"),
        ("hunl", b"MATCHSTATE:1:0::|AsAs", "As .* twice"),
        ("hunl", b"MATCHSTATE:0:0:cc/:AsKd|/As2c3d", "As .* twice"),
        ("hunl", b"MATCHSTATE:0:0:cc/cc/:AsKd|/4c2c3d/4c", "4c .* twice"),
        ("hunl", b"MATCHSTATE:0:0:cc/cc/cc/cc:AsQh|AsKd/2c3c4c/5c/7d", "As .* twice"),
        ("hunl", b"MATCHSTATE:0:0:r30:QsJs|", "--game pokerbots would fit"),
        ("hunl", b"MATCHSTATE:0:0:r3:QsJs|", "no built-in game would fit"),
    ],
)
def test_cards_and_sizes_of_no_such_game_are_noticed(game, line, why):
    """In no deck of the game, or dealt twice; too small for hunl, where hulhe has no sizes."""
    session, _ = seated(AlwaysCall(), GAMES[game])
    with pytest.raises(GameMismatch, match=why):
        session.receive(line + b"\r\n")
