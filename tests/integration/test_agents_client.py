"""A bot's socket against a scripted dealer: connecting, playing, losing the connection."""

import argparse
import io
import itertools
import threading
import time
from types import SimpleNamespace

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.bot_command import add_connection_arguments, seat_and_play
from agents.client import DealerAddress, play_match
from agents.errors import ConnectionLost, DealerUnreachable, SentAway
from agents.session import Session
from agents.time_limits import AnswerLimits
from engine.play.budget import UNLIMITED, TimeBudget
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.mini_dealer import MiniDealer, free_port
from tests.helpers.said import refused, says

HUNL = load_builtin("hunl")
MY_TURN = "MATCHSTATE:1:0::|Qh9h"
ANSWER = b"MATCHSTATE:1:0::|Qh9h:c\r\n"
NOT_MY_TURN = "MATCHSTATE:0:1::QsJs|"
HAND_OVER = "MATCHSTATE:1:0:cf:|Qh9h"
VERSION = b"VERSION:2.0.0\r\n"


def seat(port, **options) -> tuple[Session, list[str]]:
    """Play AlwaysCall to the end; return its session and the notices it gave."""
    session = Session(AlwaysCall(), HUNL)
    notices: list[str] = []
    play_match(session, DealerAddress("127.0.0.1", port, **options), notice=notices.append)
    return session, notices


def one_hand(agent):
    """Play a hand to its end and close as the original does: without a word."""
    assert agent.line() == VERSION
    agent.send(MY_TURN)
    assert agent.line() == ANSWER
    agent.send("MATCHSTATE:1:0:cr300f:|Qh9h")


def vanish_in_mid_hand(agent):
    """Close while the bot's hand is on."""
    assert agent.line() == VERSION
    agent.send(MY_TURN)
    assert agent.line() == ANSWER
    agent.close()


def reset_in_mid_hand(agent):
    """Drop the connection while the bot's hand is on."""
    assert agent.line() == VERSION
    agent.send(NOT_MY_TURN)
    time.sleep(0.05)
    agent.reset()


def test_a_match_ends_when_the_dealer_closes_between_hands():
    """Version first, then answers; the end of stream is the normal end."""
    with MiniDealer(one_hand) as dealer:
        session, notices = seat(dealer.port)
    assert (session.hands, session.replies, notices) == (1, 1, [])


@pytest.mark.parametrize("script", [vanish_in_mid_hand, reset_in_mid_hand])
def test_a_connection_lost_in_mid_hand_is_an_error(script):
    """Without --reconnect the loss ends the match, and the error says where."""
    with (
        MiniDealer(script) as dealer,
        pytest.raises(ConnectionLost, match=r"lost in hand [01]: \w") as caught,
    ):
        seat(dealer.port)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("script", [vanish_in_mid_hand, reset_in_mid_hand])
def test_reconnecting_goes_on_with_whatever_state_arrives(script):
    """The new connection starts with VERSION; the hand is answered from the middle on."""

    def later(agent):
        assert agent.line() == VERSION
        state = "MATCHSTATE:1:0:cc/r200:|Qh9h/2c3c4c"
        agent.send(state)
        assert agent.line() == f"{state}:c\r\n".encode()
        agent.send("MATCHSTATE:1:0:cc/r200c/r400f:|Qh9h/2c3c4c/5c")

    with MiniDealer(script, script, later) as dealer:
        session, notices = seat(dealer.port, reconnect_seconds=5)
    assert session.hands == 1
    assert len(notices) == 2
    says(notices[0], "again")


def test_a_late_answer_is_told_of():
    """A dealer that hangs up does not say why; that the answer took long may be it."""
    session = Session(AlwaysCall(), HUNL, clock=itertools.count(0, 1.5).__next__)
    with MiniDealer(vanish_in_mid_hand) as dealer:
        address = DealerAddress("127.0.0.1", dealer.port)
        with pytest.raises(ConnectionLost, match=r"after an answer that took \d\.\d s$"):
            play_match(session, address, notice=print)


def test_reconnecting_gives_up_in_time(monkeypatch):
    """When nobody listens any more, the bot tries for as long as it was told."""
    slept = []
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr("agents.client.time", clock)
    with (
        MiniDealer(vanish_in_mid_hand) as dealer,
        pytest.raises(ConnectionLost, match=r"tried for 400 s"),
    ):
        seat(dealer.port, reconnect_seconds=400)
    assert sum(slept) == pytest.approx(400)
    assert slept[:6] == pytest.approx([0.05, 0.1, 0.2, 0.4, 0.8, 1.0])


def test_a_dealer_may_come_later_than_the_bot():
    """The bot tries with growing pauses and says once that it is waiting."""
    port = free_port()
    session = Session(AlwaysCall(), HUNL)
    notices: list[str] = []
    served = []

    def serve():
        with MiniDealer(one_hand, port=port):
            pass
        served.append(True)

    thread = threading.Thread(target=serve)

    def open_now(notice):
        notices.append(notice)
        thread.start()

    play_match(session, DealerAddress("127.0.0.1", port, connect_seconds=60), notice=open_now)
    thread.join()
    assert (session.hands, served) == (1, [True])
    (notice,) = notices
    says(notice, f"127.0.0.1:{port}", "refused", "60 s")


def test_no_dealer_is_one_clear_error():
    """With no patience at all the first refusal is the answer."""
    port = free_port()
    with pytest.raises(DealerUnreachable, match=f"cannot connect to 127.0.0.1:{port}: Connection"):
        seat(port, connect_seconds=0)


@pytest.mark.parametrize("host", ["a" * 70, "a..b"])
def test_what_names_no_host_is_told_at_once(host):
    """Instead of being tried again for as long as a dealer may take to start."""
    session = Session(AlwaysCall(), HUNL)
    with pytest.raises(DealerUnreachable, match="no host can be called"):
        play_match(session, DealerAddress(host, 1), notice=pytest.fail)


@pytest.mark.parametrize("patience", [0, 5])
def test_a_close_before_the_first_hand_is_an_error(patience):
    """Nothing was played; a dealer that sends agents away is not asked again and again."""

    def send_away(agent):
        assert agent.line() == VERSION

    with (
        MiniDealer(send_away) as dealer,
        refused(SentAway, "closed", "before"),
    ):
        seat(dealer.port, reconnect_seconds=patience)


class Timed(AlwaysCall):
    """Calls, and remembers what time it had."""

    def __init__(self) -> None:
        self.budgets: list[TimeBudget] = []

    def act(self, view, budget=UNLIMITED):
        self.budgets.append(budget)
        return view.call()


def test_a_bot_with_a_budget_plays_a_match(tmp_path):
    """At the real dealer, with its limits on the bot's command line: each answer has its budget."""
    bots = [Timed(), AlwaysCall()]
    codes: list[int] = []

    def sit(bot, port):
        parser = argparse.ArgumentParser()
        add_connection_arguments(parser)
        limits = ["--t_response", "9000", "--t_hand", "20000", "--t_per_hand", "8000"]
        words = ["127.0.0.1", str(port), "--seed", "1", *limits]
        codes.append(seat_and_play(bot, parser.parse_args(words), prog="bot"))

    with DealerProcess(tmp_path, "20") as dealer:
        threads = [
            threading.Thread(target=sit, args=(bot, port))
            for bot, port in zip(bots, dealer.ports, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert dealer.finish()[0] == 0
    assert codes == [0, 0]
    budgets = bots[0].budgets
    assert len(budgets) == 80
    assert 0 < budgets[0].seconds <= 8
    assert budgets[-1].seconds <= 9 < budgets[-1].hand <= 20 < budgets[-1].match <= 160


@pytest.mark.parametrize("slow", ["observe", "end_hand"])
def test_time_that_a_question_waits_behind_the_bots_own_work_counts(slow):
    """A question that comes while the bot looks at what went before is as old as that look."""
    now = [0.0]
    asked = threading.Event()

    def look(view):
        assert asked.wait(10)
        now[0] += 3.0

    bot = Timed()
    setattr(bot, slow, look)
    first = "MATCHSTATE:0:0::QsJs|" if slow == "observe" else "MATCHSTATE:0:0:f:QsJs|"
    then = "MATCHSTATE:0:0:c:QsJs|" if slow == "observe" else "MATCHSTATE:1:1::|Qh9h"

    def ask_meanwhile(agent):
        assert agent.line() == VERSION
        agent.send(first)
        time.sleep(0.05)
        agent.send(then)
        asked.set()
        assert agent.line() == f"{then}:c\r\n".encode()
        setattr(bot, slow, lambda view: None)
        agent.send("MATCHSTATE:0:2:f:QsJs|")

    with MiniDealer(ask_meanwhile) as dealer:
        session = Session(bot, HUNL, limits=AnswerLimits(response=60), clock=lambda: now[0])
        play_match(session, DealerAddress("127.0.0.1", dealer.port), notice=print)
    assert [budget.seconds for budget in bot.budgets] == [57.0]


@pytest.mark.parametrize("at_terminal", [True, False])
def test_somebody_at_a_terminal_is_told_why_a_bot_takes_long_to_begin(monkeypatch, at_terminal):
    """Its code may have to be compiled; a log of errors is not the place for that."""

    class Slow(AlwaysCall):
        def warm_up(self):
            time.sleep(0.2)

    said = io.StringIO()
    monkeypatch.setattr(said, "isatty", lambda: at_terminal)
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr("agents.bot_command._SLOW_SECONDS", 0.01)
    with MiniDealer(one_hand) as dealer:
        parser = argparse.ArgumentParser()
        add_connection_arguments(parser)
        options = parser.parse_args(["127.0.0.1", str(dealer.port), "--game", "hunl"])
        assert seat_and_play(Slow(), options, prog="slow") == 0
    told = "slow: getting ready; the first start on a machine compiles code, for up to a minute\n"
    assert said.getvalue() == (told if at_terminal else "")
