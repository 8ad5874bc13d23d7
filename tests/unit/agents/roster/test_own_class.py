"""Bots that are classes of the user's own: found, refused, guarded."""

import sys

import pytest

from agents.bot import Bot
from agents.errors import UnknownAgent
from agents.roster.bots import find_agent
from agents.roster.own_class import GuardedBot, OwnBotFailed, load_own_class, own_bot
from engine.play.learners import play_learning_match
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

SOURCE = """
import helper_beside
from agents.bot import Bot

class Caller(Bot):
    def act(self, view):
        return view.call()

class Empty(Bot):
    pass

class Asking(Caller):
    def __init__(self, number):
        pass

number = 5
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with modules, not the one the test runs in; nothing of them stays."""
    modules, path = sys.modules.copy(), sys.path.copy()
    (tmp_path / "helper_beside.py").write_text("")
    (tmp_path / "mine_here.py").write_text(SOURCE)
    (tmp_path / "plays_at_once.py").write_text("import sys\nsys.exit(2)\n")
    (tmp_path / "broken_here.py").write_text("import no_such_module_at_all\n")
    (tmp_path / "syntax_here.py").write_text("def (\n")
    package = tmp_path / "package_here"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "bots.py").write_text(SOURCE)
    yield tmp_path
    for name in set(sys.modules) - set(modules):
        del sys.modules[name]
    sys.path[:] = path


@pytest.mark.parametrize(
    "name", ["mine_here:Caller", "package_here.bots:Caller", "package_here/bots.py:Caller"]
)
def test_classes_are_found_by_module_and_file(folder, name):
    """With the modules beside them."""
    (folder / "package_here/helper_beside.py").write_text("")
    bot = own_bot(name, str(folder))
    assert isinstance(bot, Bot)
    assert type(bot).__name__ == "Caller"
    spec = find_agent(name)
    assert spec.plays(load_builtin("kuhn3"), {})
    assert spec.compiled is None


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("none_here:Caller", ["no module none_here"]),
        ("package_here.none:Caller", ["no module package_here.none"]),
        ("none/here.py:Caller", ["no file", "none/here.py"]),
        ("broken_here:Caller", ["ModuleNotFoundError", "no_such_module_at_all"]),
        ("syntax_here:Caller", ["SyntaxError"]),
        ("plays_at_once:Caller", ["plays as soon as it is imported", "__main__"]),
        ("mine_here:Calling", ["no Calling", "Caller, Empty, Asking"]),
        ("mine_here:number", ["number is no class of agents.bot.Bot"]),
        ("mine_here:Empty", ["Empty has no method act"]),
        ("mine_here:Asking", ["making a bot", "TypeError"]),
        ("no name", ["want MODULE:CLASS"]),
    ],
)
def test_what_is_no_bot_is_refused_in_a_line(folder, name, facts):
    """With what is wrong."""
    with refused(UnknownAgent, name, *facts):
        own_bot(name, str(folder))


def test_a_roster_does_not_import_what_only_looks_like_a_class():
    """`find_agent` is asked about many names; what is none of this form is unknown as ever."""
    assert find_agent("none_here:Caller").group == "own"
    for name in ("none:", ":Caller", "a b:C", "listen:4001", "x.txt:C:D"):
        with refused(UnknownAgent, name):
            find_agent(name)


class Faulty(Bot):
    """Does wrong in the method that is named."""

    def __init__(self, method):
        self.method = method

    def _perhaps(self, method):
        if method == self.method:
            raise ZeroDivisionError(method)
        if method == "act" and isinstance(self.method, BaseException):
            raise self.method

    def start_match(self, game, seed):
        self._perhaps("start_match")

    def act(self, view):
        self._perhaps("act")
        return view.call() if self.method != "illegal" else None

    def observe(self, view):
        self._perhaps("observe")

    def end_hand(self, view):
        self._perhaps("end_hand")


FAULTS = {method: f"ZeroDivisionError: {method}" for method in ("start_match", "act", "observe")}
FAULTS |= {"end_hand": "ZeroDivisionError: end_hand", "illegal": "no action"}
FAULTS |= {error: type(error).__name__ for error in (SystemExit(3), KeyboardInterrupt())}


@pytest.mark.parametrize(("fault", "said"), FAULTS.items())
def test_faults_are_told_as_those_of_the_bot(folder, fault, said):
    """Whatever method it is; exceptions that are meant to do not end the program."""
    bots = [GuardedBot(Faulty(fault), "Mine"), own_bot("mine_here:Caller", str(folder))]
    with pytest.raises(OwnBotFailed, match=said) as caught:
        play_learning_match(load_builtin("kuhn"), 1, 20, bots)
    assert caught.value.label == "Mine"


def test_a_bot_without_fault_plays_as_without_a_guard(folder):
    """Two seats of one class share its module, which is loaded once."""
    guarded = [GuardedBot(Faulty("none"), "Mine"), own_bot("mine_here:Caller", str(folder))]
    plain = [Faulty("none"), Faulty("none")]
    won, wanted = (play_learning_match(load_builtin("kuhn"), 1, 20, b) for b in (guarded, plain))
    assert won.tolist() == wanted.tolist()
    one, other = (load_own_class("mine_here:Caller", str(folder)) for _ in range(2))
    assert one is other
