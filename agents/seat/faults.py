"""Mistakes of a bot in words: what went wrong, and where in its author's own file."""

from __future__ import annotations

import inspect
import traceback
from numbers import Integral
from types import CodeType
from typing import TYPE_CHECKING, Final

from agents.errors import AgentError, BadDecision, BotFailed
from engine.errors import ArtifactMismatch, OutOfMemory
from protocol.actions import Action

if TYPE_CHECKING:
    from types import TracebackType

    from agents.bot import Bot
    from engine.rules.view import PlayerView

_MOST_VALUE_CHARACTERS: Final = 80


class BotErrorContext:
    """Around a call of one of the bot's methods: what it raises becomes a line that says where.

    A class, and to be entered again and again, since a match does so at every message.  Leaves with

        BotFailed: in place of any exception.
        AgentError: as raised, or in place of an ArtifactMismatch or OutOfMemory.
    """

    __slots__ = ("_bot", "_method")

    def __init__(self, bot: Bot, method: str) -> None:
        self._bot = bot
        self._method = method

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            return
        if isinstance(error, (ArtifactMismatch, OutOfMemory)):  # no bug, and told in a line already
            raise AgentError(str(error)) from error
        if isinstance(error, Exception) and not isinstance(error, AgentError):
            where = _place(self._bot, trace) or _definition(self._bot, self._method)
            raise BotFailed(f"{where}: {error_in_words(error)}") from error


def error_in_words(error: BaseException) -> str:
    """Return the kind of an exception and the beginning of what it says."""
    try:
        text = str(error).partition("\n")[0][:_MOST_VALUE_CHARACTERS]
    except BaseException:
        text = "its text cannot be made"
    return type(error).__name__ + (f": {text}" if text else "")


def check_decision(bot: Bot, view: PlayerView, action: object, asked: bytes) -> None:
    """Raise BadDecision where a bot's answer is no action, or not one of those it has."""
    try:
        if isinstance(action, Action) and view.state.is_legal(action):
            if isinstance(action.raise_to, Integral):
                return
            asked = b"all: a raise must be to whole chips"
        said = action.text if isinstance(action, Action) else repr(action)
    except Exception:  # an Action of strange parts
        said = repr(action)
    where = f"{_definition(bot, 'act')}: act returned {said[:_MOST_VALUE_CHARACTERS]}"
    if not isinstance(action, Action):
        raise BadDecision(
            f"{where}, a {type(action).__name__} and no action; "
            "want view.fold(), view.call() or view.raise_to(chips)"
        )
    legal = ", ".join(_legal(view))
    raise BadDecision(f"{where}: illegal after {asked.decode()}; legal are {legal}")


def whole_traceback(error: BaseException) -> str:
    """Return what Python says about an error of a bot, in many lines."""
    cause = error.__cause__ or error
    return "".join(traceback.format_exception(cause))


def _legal(view: PlayerView) -> list[str]:
    choices = ["f"] if view.can_fold else []
    choices.append("c")
    if view.can_raise:
        limits = f"r{view.min_raise_to} to r{view.max_raise_to}"
        choices.append(limits if view.game.no_limit else "r")
    return choices


def _place(bot: Bot, trace: TracebackType | None) -> str | None:
    """Return "file:line, in function" of the last frame of a traceback in a bot's own file."""
    file_name = getattr(_code(bot, "act"), "co_filename", None)
    where = None
    for frame, line in traceback.walk_tb(trace):
        code = frame.f_code
        if code.co_filename == file_name:
            where = f"{file_name}:{line}, in {code.co_name}"
    return where


def _definition(bot: Bot, method: str) -> str:
    """Return "file:line" of the place where a method of a bot begins, as far as it has one."""
    code = _code(bot, method)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else type(bot).__name__


def _code(bot: Bot, method: str) -> CodeType | None:
    code = getattr(inspect.unwrap(getattr(bot, method)), "__code__", None)
    return code if isinstance(code, CodeType) else None
