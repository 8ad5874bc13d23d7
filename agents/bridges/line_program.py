"""A program that is asked in lines and answers in lines, on its standard streams or a socket.

It leads a process group of its own: a Ctrl-C at the terminal does not reach it, and its helpers are
ended with it.  Whatever it does, nothing here waits for longer than it is told to: what it does not
read is kept, up to a bound, and what it writes is read while it is written to.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from math import inf
from typing import TYPE_CHECKING, Final, Protocol

from agents.errors import ProgramFailed, UnknownAgent
from engine.parallel.signals import handling, interrupt
from protocol.decision_json import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST_UNASKED_BYTES: Final = 1 << 16
_MOST_UNREAD_BYTES: Final = 1 << 20
_READ_BYTES: Final = 1 << 16
_SOON_SECONDS: Final = 0.1
"""Most answers are there by then; handlers of signals only pay for the others."""
_HINT_AFTER_SECONDS: Final = 5.0
_END_PATIENCE_SECONDS: Final = 1.0
_OWN_VARIABLES: Final = ("ARENA_SEAT_TOKEN", "ARENA_PLAYED_LOG", "ARENA_LABEL")
_LOOK_INTERVAL_SECONDS: Final = 0.5
"""What a silent program started may keep its streams open."""


class ProgramEnd(Protocol):
    """Our end of a stream of a program: a pipe or a socket."""

    def fileno(self) -> int:
        """Return its file descriptor."""

    def close(self) -> None:
        """Close it."""


class LineProgram:
    """One program, from its start to `close`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        written: ProgramEnd,
        read: ProgramEnd,
        names: tuple[str, str],
        notice: Callable[[str], None],
    ) -> None:
        """Take over a program that leads a process group of its own.

        Args:
            written: what it reads.
            read: what it writes.
            names: of the two, for messages.
            notice: gets a line of text for the user when an answer takes long.
        """
        self._notice = notice
        self._process = process
        self._ends = (written, read)
        self._names = names
        self._input, self._output = written.fileno(), read.fileno()
        for end in (self._input, self._output):
            os.set_blocking(end, False)
        self._unread = bytearray()
        self._said = bytearray()
        self._heard = time.monotonic()
        self._hinted = False

    def send(self, line: bytes) -> None:
        """Give it a line, now or as soon as it reads.

        Raises:
            ProgramFailed: it is gone, or has not read for long.
        """
        self._unread += line
        self._write()
        if len(self._unread) > _MOST_UNREAD_BYTES:
            raise ProgramFailed(f"it does not read {self._names[0]}")

    def line(self) -> bytes:
        """Return the next line that it writes, without its end.  Raises as `lines`."""
        line = self.line_within(inf)
        assert line is not None
        return line

    def line_within(self, seconds: float) -> bytes | None:
        """Return the next line, None where there is none after some seconds.  Raises as `lines`."""
        self._wait(seconds, inf)
        line, end, rest = self._said.partition(b"\n")
        if not end:
            return None
        self._said = rest
        return bytes(line.removesuffix(b"\r"))

    def lines(self, seconds: float = inf, quiet: float = inf) -> bytes:
        """Return the whole lines that it has written, at least one.

        Args:
            seconds: after which there is b"" instead.
            quiet: the same, from the last byte that it wrote.

        Raises:
            ProgramFailed: it is gone, or writes too long a line.
            KeyboardInterrupt: a signal asked this process to end meanwhile.
        """
        self._wait(seconds, quiet)
        return self._whole_lines()

    def unasked(self) -> bytes:
        """Return whole lines that it has written by now.

        Raises:
            ProgramFailed: it is gone, or does not stop writing.
        """
        while self._exchange(0.0):
            if len(self._said) > MOST_UNASKED_BYTES:
                raise ProgramFailed("it writes on and on without being asked")
        return self._whole_lines()

    def unfinished(self) -> str:
        """Return what it has written of a line, as the end of a sentence."""
        return f", after {quoted(self._said)} without the end of a line" if self._said else ""

    def close(self) -> None:
        """End its input, then it and its helpers.  Idempotent."""
        for end in self._ends:
            end.close()
        end_program(self._process, _END_PATIENCE_SECONDS)

    def _wait(self, seconds: float, quiet: float) -> None:
        """Wait for a line, see `lines`; tell the user once what is waited for."""
        began = time.monotonic()
        if self._has_line(began + min(seconds, _SOON_SECONDS), quiet):
            return
        with handling((signal.SIGTERM, signal.SIGHUP), interrupt):
            if not self._hinted and min(seconds, quiet) > _HINT_AFTER_SECONDS:
                if self._has_line(began + _HINT_AFTER_SECONDS, quiet):
                    return
                self._hinted = True
                self._notice(
                    f"no answer for {_HINT_AFTER_SECONDS:g} s{self.unfinished()}; "
                    "an answer is one line, and not left in a buffer (flush it)"
                )
            self._has_line(began + seconds, quiet)

    def _has_line(self, deadline: float, quiet: float) -> bool:
        """Return whether there is a whole line, before a moment in time.  Raises ProgramFailed."""
        while b"\n" not in self._said:
            if len(self._said) > MOST_UNASKED_BYTES:
                break
            end = min(deadline, self._heard + quiet)
            if self._exchange(min(end, time.monotonic() + _LOOK_INTERVAL_SECONDS)):
                continue
            if self._process.poll() is not None:
                raise self._gone("it ended")
            if time.monotonic() >= end:
                return False
        if max(map(len, self._said.split(b"\n"))) > MOST_UNASKED_BYTES:
            raise ProgramFailed(f"it wrote a line of more than {MOST_UNASKED_BYTES:,} bytes")
        return True

    def _whole_lines(self) -> bytes:
        end = self._said.rfind(b"\n") + 1
        lines = bytes(self._said[:end])
        del self._said[:end]
        return lines

    def _exchange(self, deadline: float) -> bool:
        """Write and read what can be; return whether something was, before a moment in time."""
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        if self._unread:
            poll.register(self._input, select.POLLOUT)
        ready = poll.poll(max(deadline - time.monotonic(), 0.0) * 1000)
        for end, _ in ready:
            if end == self._input:
                self._write()
            else:
                self._read()
        return bool(ready)

    def _write(self) -> None:
        try:
            while self._unread:
                del self._unread[: os.write(self._input, self._unread)]
        except BlockingIOError:
            pass
        except ConnectionError:
            raise self._gone(f"it closed {self._names[0]}") from None

    def _read(self) -> None:
        data = b""
        with contextlib.suppress(ConnectionError):
            data = os.read(self._output, _READ_BYTES)
        if not data:
            raise self._gone(f"it closed {self._names[1]}")
        self._said += data
        self._heard = time.monotonic()

    def _gone(self, what: str) -> ProgramFailed:
        """Return the error that a stream is closed, or that it has ended, where it has."""
        with contextlib.suppress(OSError):  # its last words, which nobody has read
            self._said += os.read(self._output, _READ_BYTES)
        with contextlib.suppress(subprocess.TimeoutExpired):
            what = ending_in_words(self._process.wait(_END_PATIENCE_SECONDS))
        said = f", after {quoted(self._said)}" if self._said else ""
        return ProgramFailed(f"{what}{said}")


def program_on_streams(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    notice: Callable[[str], None],
) -> LineProgram:
    """Start a program that plays on its standard streams.

    Args:
        notice: gets a line of text for the user when an answer takes long.

    Raises:
        UnknownAgent: it cannot be started.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=dict(environment),
            process_group=0,
        )
    except OSError as error:
        raise UnknownAgent(f"cannot start {command[0]}: {error.strerror or error}") from error
    assert process.stdin is not None
    assert process.stdout is not None
    names = ("its standard input", "its standard output")
    return LineProgram(
        process, written=process.stdin, read=process.stdout, names=names, notice=notice
    )


def environment_of_program() -> dict[str, str]:
    """Return our environment without what is for the bridge alone."""
    return {key: text for key, text in os.environ.items() if key not in _OWN_VARIABLES}


def end_program(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait some seconds for the end of a program, then end it and its helpers."""
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    finally:  # after a second Ctrl-C, too
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ending_in_words(status: int) -> str:
    """Return how a program ended, by its exit status."""
    if status < 0:
        return f"it was killed by signal {-status}"
    return f"it ended with exit status {status}"
