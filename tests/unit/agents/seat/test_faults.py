"""A bot's own mistakes: one line each, with the place in its author's file."""

import subprocess
import sys

import pytest

from agents.bot import Bot
from agents.errors import AgentError, BadDecision, BotFailed
from agents.seat.faults import BotErrorContext, whole_traceback
from agents.session import Session
from engine.errors import ArtifactMismatch
from protocol.actions import Action
from protocol.gamedefs import load_builtin
from tests.helpers.mini_dealer import MiniDealer

HUNL = load_builtin("hunl")
ASKED = b"MATCHSTATE:1:0::|Qh9h\r\n"
PROGRAM = """
from agents.bot import Bot
from agents.bot_command import run


class PotBot(Bot):
    def act(self, view):
        return view.raise_to("much")


run(PotBot())
"""


class Says(Bot):
    """Returns what it was given."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def act(self, view):
        return self.answer


class Fails(Bot):
    """Raises in the method that is named."""

    def __init__(self, method: str) -> None:
        setattr(self, method, self.fail)

    def fail(self, *_):
        return {}["key"]

    def act(self, view):
        return view.call()


class NoNumbers(Bot):
    """Makes the engine fail."""

    def act(self, view):
        return view.raise_to("much")


def asked(bot: Bot) -> Session:
    session = Session(bot, HUNL)
    session.connected()
    session.receive(ASKED)
    return session


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("r300", "act returned 'r300', a str and no action; want view.fold(), view.call()"),
        (None, "act returned None, a NoneType and no action"),
        (("c", 0), "act returned ('c', 0), a tuple and no action"),
        (Action("r", 50), "act returned r50: illegal after MATCHSTATE:1:0::|Qh9h; legal are f, c"),
        (Action("x"), "act returned x: illegal"),
        (Action("r", "300"), "illegal after"),
        (Action("r", None), "illegal after"),
    ],
)
def test_an_answer_that_is_no_legal_action_is_told_with_the_place_of_act(answer, words):
    """What was returned, where `act` stands, and what would have been right."""
    line = Says.act.__code__.co_firstlineno
    with pytest.raises(BadDecision) as caught:
        asked(Says(answer))
    assert f"{__file__}:{line}: " in str(caught.value)
    assert words in str(caught.value)


def test_an_exception_within_the_engine_is_told_with_the_bots_own_line():
    """The line in which the bot called what failed, not that of the engine."""
    line = NoNumbers.act.__code__.co_firstlineno + 1
    with pytest.raises(BotFailed) as caught:
        asked(NoNumbers())
    assert str(caught.value).startswith(f"{__file__}:{line}, in act: TypeError: ")
    assert "engine" in whole_traceback(caught.value)


def test_exceptions_while_looking_on_are_told_too():
    """`observe` and `end_hand` are the bot's as much as `act`."""
    session = Session(Fails("end_hand"), HUNL)
    session.connected()
    with pytest.raises(BotFailed, match="KeyError: 'key'"):
        session.receive(b"MATCHSTATE:0:0:f:QsJs|\r\n")
    session = Session(Fails("observe"), HUNL)
    session.connected()
    with pytest.raises(BotFailed, match="KeyError: 'key'"):
        session.receive(b"MATCHSTATE:0:0::QsJs|\r\n")


def test_a_file_that_cannot_be_used_is_told_as_it_is():
    """The user is to blame, or the file: no place in the bot is named."""
    with (
        pytest.raises(AgentError, match=r"^x\.model: damaged$"),
        BotErrorContext(Says(0), "warm_up"),
    ):
        raise ArtifactMismatch("x.model: damaged")


@pytest.mark.parametrize("options", [[], ["--traceback"]])
def test_a_program_of_fifteen_lines_fails_in_one(options, tmp_path):
    """The traceback is there for those who want it."""
    (tmp_path / "potbot.py").write_text(PROGRAM)

    def ask(agent):
        agent.line()
        agent.send_raw(ASKED)
        assert agent.line() == b""

    with MiniDealer(ask) as dealer:
        done = subprocess.run(
            [sys.executable, "potbot.py", "127.0.0.1", str(dealer.port), *options],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    *before, last = done.stderr.splitlines()
    assert done.returncode == 1
    assert "potbot.py:8, in act: TypeError: " in last
    assert bool(before) == bool(options)
