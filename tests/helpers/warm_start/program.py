"""What stands for a program that the warm parent forks; run by the interpreter with -I -S.

The request is one message: words, folder, environment and signals to ignore, with all open files
of this process.  The answers are two lines, the number of the child and later how it ended.  When
this process is killed, the parent sees the connection end and kills the child and its group.

`_signal` and `_socket` are what `signal` and `socket` wrap: with those, this takes twice as long.
"""

from __future__ import annotations

import _signal as signal
import _socket as socket
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PASSED_ON = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT),
)
OURS = ("agents", "dealer", "engine", "protocol")
APART = ("dealer.lane.compiling",)
"""Modules that want an interpreter in which nothing was compiled before."""
MOST_FILES = 200
READ_BY_IMPORTS = ("PYTHON", "NUMBA_", "ARENA_CACHE", "OMP_", "MKL_", "OPENBLAS_", "LD_", "HOME")
"""Beginnings of names of the environment that modules of ours or others read while imported."""


def main(address: str, interpreter: str, folder: str, settings: dict[str, str]) -> None:
    """Have the parent run the module of ours that `sys.argv` names; anything else is run here.

    Args:
        address: path of the parent's socket.
        interpreter: path of the real interpreter.
        folder: where our packages are.
        settings: what the parent has for `read_by_imports`.
    """
    words = sys.argv[1:]
    called = words[1:] if words[:1] == ["-P"] else words
    is_ours = called[:1] == ["-m"] and called[1:] and called[1].startswith(OURS)
    if is_ours and called[1] not in APART and read_by_imports(os.environ, folder) == settings:
        parent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            parent.connect(address)
        except OSError:
            pass
        else:
            stand_for(parent, called[1:])
        parent.close()
    os.execv(interpreter, [interpreter, *words])


def read_by_imports(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return what an environment says of the interpreter, its libraries and our cache."""
    found = {name: environment[name] for name in environment if name.startswith(READ_BY_IMPORTS)}
    paths = found.pop("PYTHONPATH", "").split(os.pathsep)
    others = [path for path in paths if path not in ("", folder)]
    return {**found, "other paths": os.pathsep.join(others)}


def stand_for(parent: socket.socket, words: list[str]) -> None:
    """Hand everything to the parent, pass signals on, and end as the child ends.

    Returns, with nothing changed, where the parent does not start it: it has just been killed, or
    the folder of this process was removed, which has no name any more.
    """
    ignored = [number for number in PASSED_ON if signal.getsignal(number) is signal.SIG_IGN]
    heard = [number for number in PASSED_ON if number not in ignored]
    early: list[int] = []
    for number in heard:
        signal.signal(number, lambda number, frame: early.append(number))
    files = open_files(but=parent.fileno())
    mask = os.umask(0)
    os.umask(mask)
    try:
        request = marshal.dumps((words, os.getcwd(), dict(os.environ), files, mask, ignored))
        numbers = b"".join(number.to_bytes(4, sys.byteorder) for number in files)
        head = len(request).to_bytes(4, "big")
        parent.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
        parent.sendall(request)
        child = int(line_of(parent))
    except OSError:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)
        for number in early:
            os.kill(os.getpid(), number)
        return

    for number in files:
        os.close(number)
    for number in heard:
        signal.signal(number, lambda number, frame: pass_on(child, number))
    for number in early:
        pass_on(child, number)
    try:
        status = int(line_of(parent))
    except OSError:  # the parent was killed, and the child with it
        status = signal.SIGKILL
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


def open_files(*, but: int) -> list[int]:
    """Return the open files of this process but one, the few lowest."""
    found = []
    for name in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            os.fstat(name)  # the folder that was listed is closed again
        except OSError:
            continue
        if name != but:
            found.append(name)
    return found[:MOST_FILES]


def pass_on(child: int, number: int) -> None:
    """Send the child a signal, unless it has ended."""
    try:  # noqa: SIM105 - contextlib is one more module to import
        os.kill(child, number)
    except OSError:
        pass


def line_of(parent: socket.socket) -> bytes:
    """Return the next line from the parent.  Raises OSError where there is none: it is gone."""
    line = b""
    while not line.endswith(b"\n"):
        byte = parent.recv(1)
        if not byte:
            raise OSError("the parent is gone")
        line += byte
    return line
