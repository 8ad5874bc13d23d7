"""Ends what the bots of a leg have started, wherever it has gone: into another group or session.

A bot's processes carry a mark in their environment, which whatever they start inherits.  The mark
holds a random number of this run, so no other process has it.  Where the system does not show
environments (it is Linux that does), and for programs started with an empty one, only the bot's own
group is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

MARK_VARIABLE: Final = "ARENA_LEG"
_PROCESSES: Final = Path("/proc")
_ROUNDS: Final = 50
_EMPTY_SCANS_TO_STOP: Final = 3
"""A process that forks between two scans can escape one."""
_SCAN_PAUSE_SECONDS: Final = 0.02


async def end_marked(mark: str) -> None:
    """Kill every process that carries `mark`, until there is none or it is hopeless."""
    entry = f"{MARK_VARIABLE}={mark}".encode()
    empty = 0
    for _ in range(_ROUNDS):
        if [pid for pid in _marked(entry) if _kill(pid, entry)]:
            empty = 0
            await asyncio.sleep(_SCAN_PAUSE_SECONDS)
        elif (empty := empty + 1) == _EMPTY_SCANS_TO_STOP:
            return


def marked_processes(mark: str) -> tuple[int, ...]:
    """Return the ids of the processes that carry `mark`; none where the system does not show it."""
    return tuple(_marked(f"{MARK_VARIABLE}={mark}".encode()))


def _marked(entry: bytes) -> Iterator[int]:
    """Yield who has an entry in its environment, the newest first: they may be gone soon."""
    with contextlib.suppress(OSError):
        for name in reversed(os.listdir(_PROCESSES)):
            if name.isdigit() and entry in _environment(name):
                yield int(name)


def _kill(pid: int, entry: bytes) -> bool:
    """Kill a process, unless it is another one by now that has its number."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if entry not in _environment(str(pid)):
            return False
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return True
    finally:
        os.close(handle)


def _environment(pid: str) -> list[bytes]:
    """Return the environment a process was started with, nothing where it is not shown."""
    try:
        with open(_PROCESSES / pid / "environ", "rb", 0) as file:
            return file.read().split(b"\0")
    except OSError:
        return []


_WARDEN: Final = """\
trap '' INT TERM HUP
groups=
while read -r sign group; do
    if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
    left=
    for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
    groups=$left
done
[ -n "$groups" ] || exit 0
found=
for one in $groups; do kill -s TERM -- "-$one" 2>/dev/null && found=1; done
[ -z "$found" ] || sleep 1
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
for one in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    one=${one%/environ}
    kill -s KILL "${one#/proc/}" 2>/dev/null
done
exit 0
"""
_ENTER_SCRIPT: Final = 'echo "+ $$" >&0; exec "$@" </dev/null'
"""It runs as the new process with the warden's list as standard input."""
_SIGTERM_WAIT_SECONDS: Final = 2.0
_SIGKILL_WAIT_SECONDS: Final = 10.0


class Child:
    """One process with its group."""

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        output: _Output | None,
        launcher: ProcessLauncher,
        requests_fd: int = -1,
    ) -> None:
        self.name = name
        self.pid = process.pid
        self.was_stopped = False
        """True once a signal was sent to it: its exit status then says nothing about it."""
        self._process = process
        self._output = output
        self._launcher = launcher
        self._requests_fd = requests_fd

    @property
    def status(self) -> int | None:
        """Exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    @property
    def stdout(self) -> asyncio.StreamReader:
        """Its output, where it was asked for.  Raises ValueError otherwise."""
        if self._output is None:
            raise ValueError(f"the output of {self.name} goes to a file")
        return self._output.reader

    @property
    def group_lives(self) -> bool:
        """True while the process or any helper it started is there."""
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def request(self, line: str) -> None:
        """Send a short line to a process that takes them.  Raises OSError where it is gone."""
        os.write(self._requests_fd, f"{line}\n".encode())

    def keep_on(self, core: int | None) -> None:
        """Keep it and the helpers that it will start on a processor core; None for any."""
        if core is not None:
            with contextlib.suppress(OSError):  # it may have ended already
                os.sched_setaffinity(self.pid, {core})

    async def wait(self) -> int:
        """Wait for its end, return the exit status."""
        return await self._process.wait()

    async def ended_within(self, seconds: float) -> bool:
        """Wait for at most `seconds`; return whether it has ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()
        return self._process.returncode is not None

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the whole group; nothing happens when it has ended."""
        if self._process.returncode is None:
            self.was_stopped = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    async def end(self, grace: float) -> None:
        """Leave it `grace` seconds to end by itself, then end it and its helpers.  Idempotent."""
        if not await self.ended_within(grace):
            self.send_signal(signal.SIGTERM)
            if not await self.ended_within(_SIGTERM_WAIT_SECONDS):
                self.send_signal(signal.SIGKILL)
                await self.ended_within(_SIGKILL_WAIT_SECONDS)
        self.send_signal(signal.SIGKILL)  # helpers that stayed behind
        self._launcher.forget(self.pid)
        if self._output is not None:
            self._output.transport.close()
        if self._requests_fd >= 0:
            os.close(self._requests_fd)
            self._requests_fd = -1


class _Output(NamedTuple):
    """The reading end of a program's output.

    Not a pipe of asyncio's subprocess: there the end of a process counts only when nobody, no
    helper either, holds its output open any more.
    """

    reader: asyncio.StreamReader
    transport: asyncio.ReadTransport


async def _open_output(read_fd: int) -> _Output:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_fd, "rb", 0)
    )
    return _Output(reader, transport)


class ProcessLauncher:
    """Async context manager around all processes of a match."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(8)
        """What the marks of this match's processes begin with; a dot follows."""
        self.idle: list[Child] = []
        """Processes that wait for requests; they are ended with all others."""
        self._warden: asyncio.subprocess.Process | None = None
        self._list_fd = -1

    async def __aenter__(self) -> ProcessLauncher:
        read_fd, self._list_fd = os.pipe()
        try:
            self._warden = await asyncio.create_subprocess_exec(
                *("/bin/sh", "-c", _WARDEN, "sh", f"{MARK_VARIABLE}={self.token}."),
                stdin=read_fd,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(read_fd)
        return self

    async def __aexit__(self, *_: object) -> None:
        for child in self.idle:
            await child.end(0.0)
        os.close(self._list_fd)
        self._list_fd = -1
        if self._warden is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SIGKILL_WAIT_SECONDS):
                    await self._warden.wait()

    async def start(
        self,
        name: str,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stderr: Path,
        stdout: Path | None = None,
        core: int | None = None,
        keep_fds: Sequence[int] = (),
        requests: bool = False,
    ) -> Child:
        """Start a program.

        Args:
            stderr: file that its error output is added to.
            stdout: file that its output is added to; None makes it readable as `Child.stdout`.
            core: processor core to keep it and its helpers on; None for any.
            keep_fds: file descriptors that it holds as well, until it ends.
            requests: whether it takes requests, see `Child.request`; the number of the file
                descriptor from which it reads them becomes its last argument.

        Raises:
            OSError: a file cannot be opened or no process can be created.
        """
        output: _Output | None = None
        requests_fd = -1
        with contextlib.ExitStack() as files, contextlib.ExitStack() as undo:
            errors = files.enter_context(stderr.open("ab"))
            if stdout is not None:
                target = files.enter_context(stdout.open("ab")).fileno()
            else:
                read_fd, target = os.pipe()
                files.callback(os.close, target)
                output = await _open_output(read_fd)
                undo.callback(output.transport.close)
            if requests:
                read_fd, requests_fd = os.pipe()
                files.callback(os.close, read_fd)
                undo.callback(os.close, requests_fd)
                argv, keep_fds = [*argv, str(read_fd)], [*keep_fds, read_fd]
            process = await asyncio.create_subprocess_exec(
                *("/bin/sh", "-c", _ENTER_SCRIPT, "sh", *argv),
                stdin=self._list_fd,
                stdout=target,
                stderr=errors,
                cwd=cwd,
                env=dict(env),
                pass_fds=tuple(keep_fds),
                start_new_session=True,
            )
            undo.pop_all()
        child = Child(name, process, output, self, requests_fd)
        child.keep_on(core)
        return child

    def forget(self, pid: int) -> None:
        """Take a group that has ended off the warden's list."""
        if self._list_fd >= 0:
            with contextlib.suppress(OSError):
                os.write(self._list_fd, b"- %d\n" % pid)


def in_words(status: int | None) -> str:
    """Return what an exit status says, as the end of a sentence."""
    if status is None:
        return "was stopped"
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"was killed by {name}"
