"""The warm parent: imports what programs of ours need, once, and forks a child for each request.

    python -P -m tests.helpers.warm_start.parent SOCKET PROGRAM

It ends, and kills all children, when its standard input ends; they die with it in any case.
"""

import atexit
import contextlib
import ctypes
import gc
import marshal
import os
import runpy
import selectors
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import NamedTuple, NoReturn

from tests.helpers.warm_start.preloading import preload
from tests.helpers.warm_start.program import MOST_FILES, PASSED_ON

RESERVED = 64
"""Numbers of files that nothing imported here may take, so that a child's files keep theirs."""
LONGEST_REQUEST_S = 10.0
END_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
COULD_NOT_FLUSH = 120
"""Exit code of an interpreter that could not write the last of its output."""


class Request(NamedTuple):
    """A program to run, as `program` asks for it."""

    words: list[str]
    folder: str
    environment: dict[str, str]
    files: dict[int, int]
    """What a file's number shall be -> what it is."""
    mask: int
    ignored: list[int]


def serve(listener: socket.socket) -> Request | None:
    """Fork for each request until the listener is closed; return the request in a child."""
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
    children: dict[int, tuple[int, socket.socket]] = {}
    own = os.getpid()
    while True:
        for key, _ in selector.select():
            if key.fileobj == sys.stdin.fileno():  # who started this has ended
                for child, _ in children.values():
                    _kill(child)
                return None
            if key.fileobj is listener:
                caller = listener.accept()[0]
                request = _request(caller)
                if request is None:
                    caller.close()
                    continue
                child = os.fork()
                if child == 0:
                    _end_with(own)
                    selector.close()
                    listener.close()
                    caller.close()
                    for handle, (_, other) in children.items():
                        os.close(handle)
                        other.close()
                    return request
                for number in request.files.values():
                    os.close(number)
                handle = os.pidfd_open(child)
                children[handle] = (child, caller)
                selector.register(handle, selectors.EVENT_READ)
                selector.register(caller, selectors.EVENT_READ, child)
                _tell(caller, child)
            elif isinstance(key.fileobj, int):
                if key.fileobj not in children:
                    continue
                child, caller = children.pop(key.fileobj)
                selector.unregister(key.fileobj)
                os.close(key.fileobj)
                _tell(caller, os.waitpid(child, 0)[1])
                with contextlib.suppress(KeyError):
                    selector.unregister(caller)
                caller.close()
            elif key.fileobj.fileno() >= 0:  # it says no more: what stands for the child was killed
                selector.unregister(key.fileobj)
                _kill(key.data)


def _request(caller: socket.socket) -> Request | None:
    """Read a request; None where the caller was killed over it."""
    caller.settimeout(LONGEST_REQUEST_S)
    received: list[int] = []
    try:
        head, received, _, _ = socket.recv_fds(caller, 4, MOST_FILES)
        size = int.from_bytes(head, "big")
        text = b""
        while not text or len(text) < size:
            part = caller.recv(1 << 16)
            if not part:
                raise OSError("the request ends early")
            text += part
    except OSError:
        for number in received:
            os.close(number)
        return None
    words, folder, environment, files, mask, ignored = marshal.loads(text)
    return Request(
        words, folder, environment, dict(zip(files, received, strict=True)), mask, ignored
    )


def _tell(caller: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):
        caller.sendall(b"%d\n" % number)


def _kill(child: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)


def _end_with(parent: int) -> None:
    """Have this process, a child, killed when its parent ends, however that ends."""
    ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # which has ended just before
        os._exit(1)


def become(request: Request) -> None:
    """Make this process, a child, what it would be if the interpreter had started it."""
    os.setsid()
    for number in PASSED_ON:
        signal.signal(number, signal.SIG_IGN if number in request.ignored else signal.SIG_DFL)
    if signal.SIGINT not in request.ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.closerange(0, RESERVED)
    for wanted, number in request.files.items():
        os.dup2(number, wanted)
    for number in request.files.values():
        os.close(number)
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = None
        if number in request.files:
            errors = "backslashreplace" if name == "stderr" else None
            buffering = 1 if name == "stderr" or os.isatty(number) else -1
            stream = open(number, mode, buffering, errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.chdir(request.folder)
    os.umask(request.mask)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = ["-m", *request.words[1:]]


def run(module: str) -> NoReturn:
    """Run a module of ours as the main one, and end as the interpreter would."""
    is_package = hasattr(sys.modules.get(module), "__path__")
    sys.modules.pop(f"{module}.__main__" if is_package else module, None)
    code = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ending:
        code = _exit_code(ending)
    except KeyboardInterrupt:
        sys.excepthook(*sys.exc_info())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    end(code)


def _exit_code(ending: SystemExit) -> int:
    if ending.code is None or isinstance(ending.code, int):
        return (ending.code or 0) & 0xFF
    sys.stderr.write(f"{ending.code}\n")
    return 1


def end(code: int) -> NoReturn:
    """End this process without taking everything imported apart, which takes ten times as long."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError:
            code = COULD_NOT_FLUSH
    os._exit(code)


def main() -> None:
    """Import, listen, fork; in a child, run the program."""
    address, program = sys.argv[1:]
    while os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) < RESERVED:
        pass
    preload()
    sys.executable = program
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"{address}.new")
    listener.listen(64)
    Path(f"{address}.new").rename(address)
    gc.collect()
    gc.freeze()
    request = serve(listener)
    if request is not None:
        become(request)
        run(request.words[0])


if __name__ == "__main__":
    main()
