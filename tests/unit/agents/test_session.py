"""One bot's side of a match, without sockets."""

from types import SimpleNamespace

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.bot import Bot
from agents.errors import GameMismatch, NotADealer
from agents.session import Session
from agents.time_limits import AnswerLimits
from engine.play.budget import UNLIMITED, TimeBudget
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from protocol.actions import CALL, Action, raise_to
from protocol.gamedefs import builtin_names, load_builtin
from protocol.matchstate import MatchState, format_match_state

HUNL = load_builtin("hunl")


class Clock:
    """Says what time it is when told so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Timed(Bot):
    """Calls after a while, and remembers what time it had; `session` is its seat."""

    def __init__(self, seconds: float, **limits: float) -> None:
        self.clock = Clock()
        self.seconds = seconds
        self.budgets: list[TimeBudget] = []
        options = {"limits": AnswerLimits(**limits), "clock": self.clock} if limits else {}
        self.session = Session(self, HUNL, **options)
        self.session.connected()

    def act(self, view, budget=UNLIMITED):
        self.budgets.append(budget)
        self.clock.now += self.seconds
        return view.call()

    def observe(self, view):
        self.clock.now += self.seconds


class Scripted(Bot):
    """Answers with the given actions, one after the other, and remembers what it saw."""

    def __init__(self, *actions: Action) -> None:
        self.actions = list(actions)
        self.seen: list[str] = []
        self.observed: list[str] = []
        self.ended: list[tuple[int, str]] = []

    def act(self, view):
        self.seen.append(view.state.betting)
        return self.actions.pop(0)

    def observe(self, view):
        self.observed.append(view.state.betting)

    def end_hand(self, view):
        self.ended.append((view.hand_id, view.state.betting))


def seated(bot, game=HUNL) -> Session:
    session = Session(bot, game)
    assert session.connected() == b"VERSION:2.0.0\r\n"
    return session


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"MATCHSTATE:1:0::|Qh9h\r\n", b"MATCHSTATE:1:0::|Qh9h:c\r\n"),
        (b"MATCHSTATE:1:0::|Qh9h\n", b"MATCHSTATE:1:0::|Qh9h:c\r\n"),
        (b"MATCHSTATE:0:0::7d3d|\r\n", b""),
        (b"# hello\r\n; there\r\n", b""),
        (
            b"MATCHSTATE:1:0::|Qh9h\r\n# x\r\nMATCHSTATE:1:0:cc/:|Qh9h/2c3c4c\r\n",
            b"MATCHSTATE:1:0::|Qh9h:c\r\n",
        ),
    ],
    ids=["with CR LF", "with LF", "out of turn", "comments", "several"],
)
def test_answers_echo_the_state_exactly(data, answer):
    """The received text, a colon, the action and CR LF; however the bytes arrive."""
    assert seated(AlwaysCall()).receive(data) == answer
    session = seated(AlwaysCall())
    assert b"".join(session.receive(data[i : i + 1]) for i in range(len(data))) == answer


def test_the_bot_hears_of_each_finished_hand_once():
    """`end_hand` gets folds and showdowns; `hands` counts them."""
    bot = Scripted(raise_to(300), Action("c"))
    session = seated(bot)
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\nMATCHSTATE:1:0:r300f:|Qh9h\r\n")
    session.receive(b"MATCHSTATE:0:1:r20000:QsJs|\r\n")
    session.receive(b"MATCHSTATE:0:1:r20000c///:QsJs|AhAd/2c3c4c/5c/6c\r\n")
    assert bot.ended == [(0, "r300f"), (1, "r20000c///")]
    assert session.hands == 2
    assert session.replies == 2


def test_the_bot_observes_what_others_decide_once():
    """Each new state in which another acts; no own turn, no end of a hand, nothing twice."""
    bot = Scripted(CALL, CALL)
    session = seated(bot)
    session.receive(b"MATCHSTATE:0:0::QsJs|\r\nMATCHSTATE:0:0:c:QsJs|\r\n")
    session.receive(b"MATCHSTATE:0:0:cc/:QsJs|/2c3c4c\r\nMATCHSTATE:0:0:cc/c:QsJs|/2c3c4c\r\n")
    session.connected()
    session.receive(b"MATCHSTATE:0:0:cc/c:QsJs|/2c3c4c\r\n")
    session.receive(b"MATCHSTATE:0:0:cc/cr300f:QsJs|/2c3c4c\r\nMATCHSTATE:1:1:c:|QsJs\r\n")
    assert bot.observed == ["", "cc/c", "c"]
    assert bot.seen == ["c", "cc/"]
    assert bot.ended == [(0, "cc/cr300f")]


def test_a_bot_that_wants_it_is_told_its_time():
    """Own answers of the hand count, and the time in which the question waited for the bot."""
    bot = Timed(2.0, response=30, hand=10, per_hand=7)
    session = bot.session
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    bot.clock.now += 1000
    session.receive(b"MATCHSTATE:1:0:cr300c/c:|Qh9h/2c3c4c\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300c/cr600f:|Qh9h/2c3c4c\r\n")
    session.receive(b"MATCHSTATE:0:1::QsJs|\r\nMATCHSTATE:0:1:c:QsJs|\r\n")
    assert bot.budgets == [(7, 10, 7), (5, 8, 5), (3, 6, 3), (6, 8, 6)]


def test_a_question_that_lay_there_is_as_old_as_it_may_be():
    """Not waited for, it may have come when the last bytes were taken, or after the last answer."""
    bot = Timed(2.0, response=30)
    session = bot.session
    bot.clock.now += 10
    session.receive(b"MATCHSTATE:0:0::QsJs|\r\n")
    session.receive(b"MATCHSTATE:0:0:c:QsJs|\r\n", waited=False)
    bot.clock.now += 1
    session.receive(b"MATCHSTATE:0:0:cc/:QsJs|/2c3c4c\r\n", waited=False)
    bot.clock.now += 4
    session.receive(b"MATCHSTATE:0:0:cc/cr300:QsJs|/2c3c4c\r\n")
    assert [budget.seconds for budget in bot.budgets] == [28, 29, 30]


def test_a_question_asked_again_is_as_old_as_the_first_time():
    """The dealer has gone on counting while the bot thought, was away and came back."""
    bot = Timed(2.0, response=30, hand=60, per_hand=90)
    session = bot.session
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    bot.clock.now += 5
    session.connected()
    bot.clock.now += 1
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    assert bot.budgets == [(30, 60, 90), (22, 52, 82), (30, 50, 80)]


def test_a_question_found_after_a_loss_may_be_as_old_as_the_last_sign_of_the_dealer():
    """Nobody knows when it was asked for the first time; later ones are not affected."""
    bot = Timed(0.0, response=30)
    session = bot.session
    bot.clock.now += 100
    session.receive(b"MATCHSTATE:0:0::QsJs|\r\n")
    bot.clock.now += 7
    session.connected()
    bot.clock.now += 1
    session.receive(b"MATCHSTATE:0:0:c:QsJs|\r\n")
    bot.clock.now += 100
    session.receive(b"MATCHSTATE:0:0:cc/:QsJs|/2c3c4c\r\n")
    assert [budget.seconds for budget in bot.budgets] == [22, 30]


def test_a_match_that_begins_late_takes_no_time():
    """The wait for the other seats is nobody's; without limits the time is endless."""
    bot, unlimited = Timed(1.0, response=30), Timed(1.0)
    bot.clock.now += 20
    bot.session.connected()
    bot.clock.now += 20
    for one in (bot, unlimited):
        one.session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    assert [budget.seconds for budget in bot.budgets] == [30]
    assert unlimited.budgets == [UNLIMITED]


def test_what_is_said_to_the_log_counts_as_time():
    """The answer leaves only then."""
    bot = Timed(1.0)
    bot.notes = lambda: setattr(bot.clock, "now", bot.clock.now + 3) or {}
    log = SimpleNamespace(info=lambda *_, **__: None)
    session = Session(bot, HUNL, log, limits=AnswerLimits(hand=30), clock=bot.clock)
    session.connected()
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    assert [budget.hand for budget in bot.budgets] == [30, 26]


@pytest.mark.parametrize("name", builtin_names())
@pytest.mark.parametrize("carried", [True, False])
def test_every_message_of_a_match_is_understood(name, carried):
    """A bot sees the dealer's own state, whether or not earlier messages were seen."""
    game = load_builtin(name)
    bot = AlwaysCall()
    session = seated(bot, game)
    expected = 0
    for hand_id, deal in zip(range(8), DealStream(game, 5), strict=False):
        state = HandState.start(game)
        texts = CardTexts(game, deal)
        position = hand_id % game.players
        while True:
            message = MatchState(position, hand_id, state.betting, texts.text(state, position))
            line = format_match_state(message)
            if not carried:
                session.connected()
            answer = session.receive(line + b"\r\n")
            assert answer == (line + b":c\r\n" if state.actor == position else b"")
            if state.over:
                expected += 1
                break
            raising = state.can_raise and (state.raises + hand_id) % 3 == 1
            raises = state.raise_range()
            if raising and state.actor != position and raises is not None:
                state = state.apply(Action("r", raises[0] if game.no_limit else 0))
            else:
                state = state.apply(Action("c"))
    assert session.hands == expected


def test_a_hand_may_start_anywhere_in_the_middle():
    """After a reconnection the first state need not be the first of a hand, or has other betting.

    The raise of a new hand may be the last one's with more digits.
    """
    session = seated(AlwaysCall())
    for state in (b"0:17:cr300c/:QsJs|/2c3c4c", b"0:0:r300:QsJs|", b"0:2:r3000:QsJs|"):
        line = b"MATCHSTATE:" + state
        assert session.receive(line + b"\r\n") == line + b":c\r\n"
        assert session.in_hand
        assert session.hand_id == int(state.split(b":")[1])
    session.connected()
    line = b"MATCHSTATE:0:2:r300:QsJs|"
    assert session.receive(line + b"\r\n") == line + b":c\r\n"


def test_a_state_sent_again_ends_no_hand_twice():
    """A dealer that repeats the end of a hand, and one that begins again, are told apart."""
    bot = Scripted()
    session = seated(bot)
    session.receive(b"MATCHSTATE:0:0:f:QsJs|\r\n")
    session.connected()
    session.receive(b"MATCHSTATE:0:0:f:QsJs|\r\n")
    assert session.hands == 1
    session.connected()
    session.receive(b"MATCHSTATE:0:0:f:AhAd|\r\n")
    assert bot.ended == [(0, "f"), (0, "f")]


def test_the_end_of_stream_is_an_end_only_between_hands():
    """Within a hand, or within a line, the connection was lost."""
    over = b"MATCHSTATE:0:0:f:QsJs|\r\n"
    for data, ended in (
        (b"MATCHSTATE:0:0:r300:QsJs|\r\n", False),
        (over + b"MATCHST", False),
        (over, True),
        (b"", True),
    ):
        session = seated(AlwaysCall())
        session.receive(data)
        assert session.closed() == ended


@pytest.mark.parametrize(
    "line",
    [
        b"MATCHSTATE:0:0::7d|",
        b"MATCHSTATE:0:0::7d3d||",
        b"MATCHSTATE:2:0::7d3d|",
        b"MATCHSTATE:0:0:rr:7d3d|",
        b"MATCHSTATE:0:0:r100:7d3d|",
        b"MATCHSTATE:0:0:cc:7d3d|",
        b"MATCHSTATE:0:0:cc/:7d3d|",
        b"MATCHSTATE:0:0:fc:7d3d|",
        b"MATCHSTATE:0:0::|",
    ],
)
def test_a_state_of_another_game_names_both_games(line):
    """The error quotes what came and describes what was expected; exit code 2."""
    with pytest.raises(GameMismatch) as caught:
        seated(AlwaysCall()).receive(line + b"\r\n")
    assert line.decode() in str(caught.value)
    assert (
        "no-limit for 2 players, 2 hole cards, board 0+3+1+1, blinds 100/50, stacks 20000"
        in str(caught.value)
    )
    assert caught.value.exit_code == 2


def test_other_protocols_are_recognised():
    """A peer that talks something else is named as such."""
    for line in (b"HTTP/1.1 400 Bad Request\r\n", b"\0\0\r\n", b"x" * 5000):
        with pytest.raises(NotADealer):
            seated(AlwaysCall()).receive(line)
