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


def asked(hand: int) -> bytes:
    return b"MATCHSTATE:1:%d::|Qh9h" % hand


def shown(hand: int, action: bytes) -> bytes:
    return b"MATCHSTATE:1:%d:%bf:|Qh9h" % (hand, action)


def answer_and_show(session: Session, hand: int, taken: bytes) -> None:
    session.receive(asked(hand) + b"\r\n")
    session.receive(shown(hand, taken) + b"\r\n")


def test_the_third_answer_that_the_dealer_changes_is_the_end():
    """Two are told in a line each; the third names the game in which raises have sizes."""
    notices: list[str] = []
    session = Session(Raiser(RAISE, RAISE, RAISE), HULHE, notice=notices.append)
    session.connected()
    for hand in range(2):
        session.receive(asked(hand) + b"\r\n")
        session.receive(b"MATCHSTATE:1:%d:cc/:|Qh9h/2c3c4c\r\n" % hand)
        session.receive(b"MATCHSTATE:1:%d:cc/cc/:|Qh9h/2c3c4c/5c\r\n" % hand)
    session.receive(asked(2) + b"\r\n")
    assert [notice.split(": ")[1].split(" to ")[0] for notice in notices] == [
        "it took c for the answer r"
    ] * 2
    with pytest.raises(GameMismatch, match="--game hunl"):
        session.receive(b"MATCHSTATE:1:2:cc/:|Qh9h/2c3c4c\r\n")


def test_a_dealer_that_moves_a_size_once_is_told_and_borne():
    """A whim of a dealer is no other game."""
    notices: list[str] = []
    session = Session(Raiser(raise_to(301), raise_to(300)), HUNL, notice=notices.append)
    session.connected()
    answer_and_show(session, 0, b"r300")
    answer_and_show(session, 1, b"r300")
    assert len(notices) == 1
    assert "it took r300 for the answer r301 to MATCHSTATE:1:0::|Qh9h" in notices[0]


def test_another_players_action_where_it_was_our_turn_counts():
    """No dealer makes a raise of a call: it asked somebody else."""
    session = Session(AlwaysCall(), HUNL)
    session.connected()
    for hand in range(2):
        answer_and_show(session, hand, b"r300")
    with pytest.raises(GameMismatch, match=r"\br300\b.*\bc\b"):
        answer_and_show(session, 2, b"r300")


def test_folds_of_a_dealer_that_did_not_wait_are_told_once():
    """Folding for an agent that is late is what some dealers do in any game."""
    notices: list[str] = []
    session = Session(AlwaysCall(), HUNL, notice=notices.append)
    session.connected()
    for hand in range(4):
        session.receive(asked(hand) + b"\r\n")
        session.receive(b"MATCHSTATE:1:%d:f:|Qh9h\r\n" % hand)
    assert len(notices) == 1
    assert "did not wait" in notices[0]


def test_what_became_of_an_answer_is_unknown_after_a_loss():
    """The dealer may have acted for an agent that was away, and may ask again."""
    notices: list[str] = []
    session = Session(Raiser(*[raise_to(300)] * 9), HUNL, notice=notices.append)
    for hand in range(4):
        session.connected()
        session.receive(asked(hand) + b"\r\n")
        session.connected()
        session.receive(shown(hand, b"r600") + b"\r\n" if hand % 2 else asked(hand) + b"\r\n")
        session.receive(asked(hand + 10) + b"\r\n")
    assert notices == []


def test_a_card_that_is_in_no_deck_of_the_game_is_noticed():
    """Leduc hold'em has hearts, Kuhn poker has none."""
    session = Session(AlwaysCall(), GAMES["kuhn"])
    session.connected()
    with pytest.raises(GameMismatch, match=r"Qh.*--game leduc"):
        session.receive(b"MATCHSTATE:0:0::Qh|\r\n")


@pytest.mark.parametrize(
    "line",
    [
        b"MATCHSTATE:1:0::|AsAs",
        b"MATCHSTATE:0:0:cc/:AsKd|/As2c3d",
        b"MATCHSTATE:0:0:cc/cc/:AsKd|/4c2c3d/4c",
        b"MATCHSTATE:0:0:cc/cc/cc/cc:AsQh|AsKd/2c3c4c/5c/7d",
    ],
    ids=["hand", "hand and board", "board", "shown"],
)
def test_a_card_that_is_dealt_twice_is_noticed(line):
    """Before the bot sees it; the message tells the card."""
    session = Session(AlwaysCall(), HUNL)
    session.connected()
    with pytest.raises(GameMismatch, match=r"[A4][sc] .* twice"):
        session.receive(line + b"\r\n")


def test_a_game_that_no_built_in_one_is_like_is_left_to_the_user():
    """Raises to 30 chips are too small for hunl, and hulhe has no sizes."""
    session = Session(AlwaysCall(), HUNL)
    session.connected()
    with pytest.raises(GameMismatch, match="no built-in game would fit"):
        session.receive(b"MATCHSTATE:0:0:r30:QsJs|\r\n")
