"""Bots of users, named by where their class is: mymodule:MyBot, or bots/mybot.py:MyBot.

Modules are looked for in the folder that the program runs in, unless another is named, then where
Python finds modules.  A class is a subclass of `agents.bot.Bot` that can be made without arguments.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from inspect import isabstract, isclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.bot import Bot
from agents.errors import AgentError, UnknownAgent
from agents.seat.faults import BotErrorContext, check_decision, error_in_words
from engine.play.budget import without_budget

if TYPE_CHECKING:
    from types import ModuleType

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_NAMED: Final = re.compile(r"([^\s:]+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)")


def names_own_class(name: str) -> bool:
    """Return whether a bot is named by its class."""
    return _NAMED.fullmatch(name) is not None


def load_own_class(name: str, folder: str = "") -> type[Bot]:
    """Import the class that `name` names.

    Args:
        folder: where to look for it, "" for that the program runs in.

    Raises:
        UnknownAgent: there is none, its module cannot be imported, or it is no bot.
    """
    module, where, class_name = _module_of(name, folder)
    bot_class = getattr(module, class_name, None)
    bots = [
        key
        for key, value in vars(module).items()
        if isclass(value) and issubclass(value, Bot) and value is not Bot
    ]
    if bot_class is None:
        has = f"; its bots are {', '.join(bots)}" if bots else ""
        raise UnknownAgent(f"{name}: {where} has no {class_name}{has}")
    if not isclass(bot_class) or not issubclass(bot_class, Bot):
        raise UnknownAgent(f"{name}: {class_name} is no class of agents.bot.Bot")
    if isabstract(bot_class):
        raise UnknownAgent(f"{name}: {class_name} has no method act")
    return bot_class


def load_named(name: str) -> Any:
    """Import whatever "MODULE:NAME" or "FILE.py:NAME" names, of no class in particular.

    Raises:
        UnknownAgent: there is nothing, or its module cannot be imported.
    """
    module, where, wanted = _module_of(name, "")
    if not hasattr(module, wanted):
        raise UnknownAgent(f"{name}: {where} has no {wanted}")
    return getattr(module, wanted)


def own_bot(name: str, folder: str = "") -> Bot:
    """Return a new bot of the class that `name` names.

    Raises:
        UnknownAgent: see `load_own_class`; or it cannot be made without arguments.
    """
    own_class = load_own_class(name, folder)
    try:
        return own_class()
    except BaseException as error:
        raise UnknownAgent(f"{name}: making a bot: {error_in_words(error)}") from error


def _module_of(name: str, folder: str) -> tuple[ModuleType, str, str]:
    """Import the module of a name; return it, where it is, and what is wanted of it."""
    named = _NAMED.fullmatch(name)
    if named is None:
        raise UnknownAgent(f"{name}: want MODULE:CLASS or FILE.py:CLASS")
    where, wanted = named.groups()
    start = Path(folder).absolute()
    try:
        module = _from_file(start / where) if where.endswith(".py") else _module(where, start)
    except UnknownAgent as error:
        raise UnknownAgent(f"{name}: {error}") from error.__cause__
    except SystemExit as error:
        raise UnknownAgent(
            f"{name}: {where} plays as soon as it is imported; put run(...) under "
            'if __name__ == "__main__":'
        ) from error
    except Exception as error:
        raise UnknownAgent(f"{name}: importing {where}: {error_in_words(error)}") from error
    return module, where, wanted


def _module(name: str, folder: Path) -> ModuleType:
    _search(folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise UnknownAgent(f"no module {error.name} in {folder}") from error


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UnknownAgent(f"no file {path}")
    _search(path.parent)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UnknownAgent(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _search(folder: Path) -> None:
    """Let modules be found in a folder."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


NOBODY: Final = memoryview(bytearray(1))
"""The turn where nobody asks whose it was."""


class OwnBotFailed(AgentError):
    """A bot of the user's own raised an exception, or did what the rules do not allow."""

    def __init__(self, label: str, error: AgentError) -> None:
        super().__init__(str(error))
        self.label = label
        """Its name in the log."""


class GuardedBot:
    """A bot of the user's own at a table without a dealer: its mistakes are told as its own."""

    def __init__(self, bot: Bot, label: str, seat: int = 0, turn: memoryview = NOBODY) -> None:
        """Guard a bot.

        Args:
            label: its name in the log.
            seat: its number.
            turn: a byte that becomes the number when the bot is called, for whoever asks why the
                process ended: what a bot does to it may show after the call.
        """
        self._bot = bot
        self._label = label
        self._seat = seat
        self._turn = turn
        self._process = os.getpid()
        self._act = without_budget(bot.act)

    def warm_up(self) -> None:
        """Do what takes long."""
        self._guarded("warm_up")

    def start_match(self, game: GameDef, seed: int) -> None:
        """Get ready for a match."""
        self._guarded("start_match", game, seed)

    def act(self, view: PlayerView) -> Action:
        """Return the action to take, a legal one."""
        action: Action = self._guarded("act", view)
        return action

    def observe(self, view: PlayerView) -> None:
        """Look at a state in which another one acts."""
        self._guarded("observe", view)

    def end_hand(self, view: PlayerView) -> None:
        """Look at a finished hand."""
        self._guarded("end_hand", view)

    def _guarded(self, method: str, *arguments: Any) -> Any:
        """Return what a method of the bot returns.  Raises OwnBotFailed."""
        try:
            return self._called(method, *arguments)
        except AgentError as error:
            raise OwnBotFailed(self._label, error) from error
        finally:
            if os.getpid() != self._process:  # forked by the bot: there is one match, not two
                os._exit(0)

    def _called(self, method: str, *arguments: Any) -> Any:
        """Return what a method of the bot returns, a legal action of `act`.  Raises AgentError."""
        self._turn[0] = self._seat
        try:
            with BotErrorContext(self._bot, method):
                if method != "act":
                    return getattr(self._bot, method)(*arguments)
                action, (view,) = self._act(*arguments), arguments
                asked = f"{view.state.betting or 'nothing'} in hand {view.hand_id}"
                check_decision(self._bot, view, action, asked.encode())
                return action
        except AgentError:
            raise
        except BaseException as error:
            raise AgentError(f"{method} ended the program ({error_in_words(error)})") from error
