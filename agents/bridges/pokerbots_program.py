"""A bot of the pokerbots competitions in its folder: built, started, and connected to us.

Its `commands.json` has the words that build it, from the folder, and those that start it, to which
the port is appended where we wait for it.  Bots of one folder are built one after the other.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Final

from agents.bridges.line_program import (
    LineProgram,
    end_program,
    ending_in_words,
    environment_of_program,
)
from agents.errors import ProgramFailed, UnknownAgent
from protocol.errors import MalformedCommands
from protocol.pokerbots import COMMANDS_NAME, MOST_COMMANDS_BYTES, BotCommands, parse_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BUILD_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 10.0
_LOOK_INTERVAL_SECONDS: Final = 0.2
_HOST: Final = "127.0.0.1"
_STANDARD_ERROR: Final = 2
_END_SECONDS: Final = 0.0


def build_bot(folder: Path, notice: Callable[[str], None]) -> BotCommands:
    """Build the bot of a folder; return its commands.

    A build that fails is told, and what was built before may play, as at the competitions.

    Args:
        notice: gets a line of text for the user.

    Raises:
        UnknownAgent: there is no such folder, or its `commands.json` cannot be used.
        ProgramFailed: the build cannot be started, or takes too long.
    """
    commands = _commands(folder)
    if commands.build:
        with _locked(folder):
            if fault := _built(folder, commands.build):
                notice(fault)
    return commands


def start_bot(folder: Path, commands: BotCommands, notice: Callable[[str], None]) -> LineProgram:
    """Start the bot of a folder and wait until it has connected.

    What it prints goes to our standard error.

    Args:
        notice: gets a line of text for the user when an answer takes long.

    Raises:
        ProgramFailed: it cannot be started, ends, or does not connect in time.
    """
    with socket.create_server((_HOST, 0)) as listener:
        process = _started(folder, (*commands.run, str(listener.getsockname()[1])))
        try:
            connection = _accepted(listener, process)
        except BaseException:
            end_program(process, _END_SECONDS)
            raise
    names = ("its connection", "its connection")
    return LineProgram(
        process, written=connection, read=connection.dup(), names=names, notice=notice
    )


def _commands(folder: Path) -> BotCommands:
    if not folder.is_dir():
        raise UnknownAgent(f"there is no folder {folder}")
    path = folder / COMMANDS_NAME
    try:
        with path.open("rb") as file:
            return parse_commands(file.read(MOST_COMMANDS_BYTES))
    except OSError as error:
        raise UnknownAgent(f"{path}: {error.strerror}") from error
    except MalformedCommands as error:
        raise UnknownAgent(f"{path}: {error}") from error


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Within, nobody else of ours builds in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _built(folder: Path, words: tuple[str, ...]) -> str:
    """Run the build; return what went wrong, "" for nothing."""
    process = _started(folder, words)
    try:
        status = process.wait(BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        raise ProgramFailed(f"its build takes longer than {BUILD_SECONDS:g} s") from None
    finally:
        end_program(process, _END_SECONDS)
    return f"its build failed: {ending_in_words(status)}" if status else ""


def _started(folder: Path, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=_STANDARD_ERROR,
            cwd=folder,
            env=environment_of_program(),
            process_group=0,
        )
    except OSError as error:
        raise ProgramFailed(f"cannot start {words[0]}: {error.strerror or error}") from error


def _accepted(listener: socket.socket, process: subprocess.Popen[bytes]) -> socket.socket:
    """Return the bot's connection."""
    deadline = time.monotonic() + CONNECT_SECONDS
    listener.settimeout(_LOOK_INTERVAL_SECONDS)
    while time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        if (status := process.poll()) is not None:
            raise ProgramFailed(f"{ending_in_words(status)} before it connected")
    raise ProgramFailed(f"it has not connected within {CONNECT_SECONDS:g} s")
