"""One bot's side of a match, without sockets."""

from types import SimpleNamespace

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.bot import Bot
from agents.errors import BadDecision, GameMismatch, NotADealer
from agents.seat.game_validator import describe
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
    """Calls after a while, and remembers what time it had."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.budgets: list[TimeBudget] = []

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


def test_answers_echo_the_state_exactly():
    """The answer is the received text, a colon, the action and CR LF."""
    session = seated(AlwaysCall())
    state = b"MATCHSTATE:1:0::|Qh9h"
    assert session.receive(state + b"\r\n") == state + b":c\r\n"


def test_a_bare_line_feed_ends_a_line_too():
    """Dealers that send LF only are understood; the answer still ends with CR LF."""
    assert seated(AlwaysCall()).receive(b"MATCHSTATE:1:0::|Qh9h\n").endswith(b"Qh9h:c\r\n")


def test_nothing_is_said_out_of_turn():
    """A state in which somebody else acts gets no answer."""
    assert seated(AlwaysCall()).receive(b"MATCHSTATE:0:0::7d3d|\r\n") == b""


def test_comments_are_skipped():
    """Lines that start with # or ; are no states."""
    assert seated(AlwaysCall()).receive(b"# hello\r\n; there\r\n") == b""


def test_bytes_may_arrive_in_any_pieces():
    """One byte at a time gives the same answers as everything at once."""
    data = b"MATCHSTATE:1:0::|Qh9h\r\n# x\r\nMATCHSTATE:1:0:cc/:|Qh9h/2c3c4c\r\n"
    whole = seated(AlwaysCall()).receive(data)
    session = seated(AlwaysCall())
    pieces = b"".join(session.receive(data[i : i + 1]) for i in range(len(data)))
    assert pieces == whole == b"MATCHSTATE:1:0::|Qh9h:c\r\n"


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
    clock = Clock()
    bot = Timed(clock, 2.0)
    session = Session(bot, HUNL, limits=AnswerLimits(30, 10, 7), clock=clock)
    session.connected()
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    clock.now += 1000
    session.receive(b"MATCHSTATE:1:0:cr300c/c:|Qh9h/2c3c4c\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300c/cr600f:|Qh9h/2c3c4c\r\n")
    session.receive(b"MATCHSTATE:0:1::QsJs|\r\nMATCHSTATE:0:1:c:QsJs|\r\n")
    assert bot.budgets == [(7, 10, 7), (5, 8, 5), (3, 6, 3), (6, 8, 6)]


def test_a_question_that_lay_there_is_as_old_as_it_may_be():
    """Not waited for, it may have come when the last bytes were taken, or after the last answer."""
    clock = Clock()
    bot = Timed(clock, 2.0)
    session = Session(bot, HUNL, limits=AnswerLimits(response=30), clock=clock)
    session.connected()
    clock.now += 10
    session.receive(b"MATCHSTATE:0:0::QsJs|\r\n")
    session.receive(b"MATCHSTATE:0:0:c:QsJs|\r\n", waited=False)
    clock.now += 1
    session.receive(b"MATCHSTATE:0:0:cc/:QsJs|/2c3c4c\r\n", waited=False)
    clock.now += 4
    session.receive(b"MATCHSTATE:0:0:cc/cr300:QsJs|/2c3c4c\r\n")
    assert [budget.seconds for budget in bot.budgets] == [28, 29, 30]


def test_a_question_asked_again_is_as_old_as_the_first_time():
    """The dealer has gone on counting while the bot thought, was away and came back."""
    clock = Clock()
    bot = Timed(clock, 2.0)
    session = Session(
        bot, HUNL, limits=AnswerLimits(response=30, hand=60, per_hand=90), clock=clock
    )
    session.connected()
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    clock.now += 5
    session.connected()
    clock.now += 1
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    assert bot.budgets == [(30, 60, 90), (22, 52, 82), (30, 50, 80)]


def test_a_question_found_after_a_loss_may_be_as_old_as_the_last_sign_of_the_dealer():
    """Nobody knows when it was asked for the first time; later ones are not affected."""
    clock = Clock()
    bot = Timed(clock, 0.0)
    session = Session(bot, HUNL, limits=AnswerLimits(response=30), clock=clock)
    session.connected()
    clock.now += 100
    session.receive(b"MATCHSTATE:0:0::QsJs|\r\n")
    clock.now += 7
    session.connected()
    clock.now += 1
    session.receive(b"MATCHSTATE:0:0:c:QsJs|\r\n")
    clock.now += 100
    session.receive(b"MATCHSTATE:0:0:cc/:QsJs|/2c3c4c\r\n")
    assert [budget.seconds for budget in bot.budgets] == [22, 30]


def test_a_match_that_begins_late_takes_no_time():
    """The wait for the other seats is nobody's."""
    clock = Clock()
    bot = Timed(clock, 1.0)
    session = Session(bot, HUNL, limits=AnswerLimits(response=30), clock=clock)
    session.connected()
    clock.now += 20
    session.connected()
    clock.now += 20
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    assert [budget.seconds for budget in bot.budgets] == [30]


def test_what_is_said_to_the_log_counts_as_time():
    """The answer leaves only then."""
    clock = Clock()
    bot = Timed(clock, 1.0)
    bot.notes = lambda: setattr(clock, "now", clock.now + 3) or {}
    log = SimpleNamespace(info=lambda *_, **__: None)
    session = Session(bot, HUNL, log, limits=AnswerLimits(hand=30), clock=clock)
    session.connected()
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    session.receive(b"MATCHSTATE:1:0:cr300:|Qh9h\r\n")
    assert [budget.hand for budget in bot.budgets] == [30, 26]


def test_without_limits_the_time_is_endless():
    """A session that was told nothing passes budgets without an end."""
    bot = Timed(Clock(), 1.0)
    session = Session(bot, HUNL)
    session.connected()
    session.receive(b"MATCHSTATE:1:0::|Qh9h\r\n")
    assert bot.budgets == [UNLIMITED]


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
    """After a reconnection the first state seen need not be the first of a hand."""
    state = b"MATCHSTATE:0:17:cr300c/:QsJs|/2c3c4c"
    session = seated(AlwaysCall())
    assert session.receive(state + b"\r\n") == state + b":c\r\n"
    assert session.in_hand
    assert session.hand_id == 17


def test_a_dealer_that_begins_again_is_followed():
    """After a reconnection the same hand number may carry other betting."""
    session = seated(AlwaysCall())
    session.receive(b"MATCHSTATE:0:0:r300:QsJs|\r\n")
    session.connected()
    state = b"MATCHSTATE:0:0:r3000:QsJs|"
    assert session.receive(state + b"\r\n") == state + b":c\r\n"


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


def test_a_hand_may_begin_like_the_last_one():
    """The raise of a new hand may be the last one's with more digits."""
    session = seated(AlwaysCall())
    session.receive(b"MATCHSTATE:0:0:r300:QsJs|\r\n")
    state = b"MATCHSTATE:0:2:r3000:QsJs|"
    assert session.receive(state + b"\r\n") == state + b":c\r\n"


def test_the_end_of_stream_is_an_end_only_between_hands():
    """Within a hand, or within a line, the connection was lost."""
    session = seated(AlwaysCall())
    session.receive(b"MATCHSTATE:0:0:r300:QsJs|\r\n")
    assert not session.closed()
    session = seated(AlwaysCall())
    session.receive(b"MATCHSTATE:0:0:f:QsJs|\r\nMATCHST")
    assert not session.closed()
    session = seated(AlwaysCall())
    session.receive(b"MATCHSTATE:0:0:f:QsJs|\r\n")
    assert session.closed()
    assert seated(AlwaysCall()).closed()


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
    assert "no-limit for 2 players" in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("line", [b"HTTP/1.1 400 Bad Request\r\n", b"\0\0\r\n", b"x" * 5000])
def test_other_protocols_are_recognised(line):
    """A peer that talks something else is named as such."""
    with pytest.raises(NotADealer):
        seated(AlwaysCall()).receive(line)


@pytest.mark.parametrize("action", [raise_to(50), raise_to(20001), Action("r"), Action("x")])
def test_an_illegal_decision_is_the_bots_error(action):
    """What the rules forbid is not sent; the message says what the bot did and where."""
    with pytest.raises(BadDecision, match="MATCHSTATE:1:0"):
        seated(Scripted(action)).receive(b"MATCHSTATE:1:0::|Qh9h\r\n")


def test_games_are_described_in_one_line():
    """Players, kind, cards and blinds tell two games apart."""
    assert describe(HUNL) == (
        "no-limit for 2 players, 2 hole cards, board 0+3+1+1, blinds 100/50, stacks 20000"
    )
