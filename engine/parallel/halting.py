"""How a run of several threads ends early: asked to, by Ctrl-C, or because something failed.

Whatever the reason, work under way is finished and counted first, so that the run can be
resumed.  An exception in the middle of it, such as Ctrl-C raises, would leave tables that are ahead
of the counts, and locks of the threads' queue that nobody releases.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager

from engine.parallel.signals import handling


class Halt:
    """Whether a run is to end.

    While entered (`with`), Ctrl-C is kept for later: that asks for the end, and KeyboardInterrupt
    is raised on the way out.  It is so in the main thread and where nobody else handles Ctrl-C, as
    `engine.console.stopping` does; such a handler must not raise.
    """

    def __init__(self, stop: Callable[[], bool] | None = None) -> None:
        """Take a question that is asked now and then; once it is answered True, the run ends."""
        self._stop = stop
        self._asked = threading.Event()
        self._failure: BaseException | None = None
        self._interrupted = False
        self._kept = ExitStack()

    @property
    def raises(self) -> bool:
        """Whether an exception is kept for the way out."""
        return self._interrupted or self._failure is not None

    def __call__(self) -> bool:
        """Return whether to end; True once, True for ever."""
        if self._stop is not None and not self._asked.is_set() and self._stop():
            self._asked.set()
        return self._asked.is_set()

    def fail(self, failure: BaseException) -> None:
        """Ask for the end because of an exception; the first one is raised on the way out."""
        self._failure = self._failure or failure
        self._asked.set()

    def __enter__(self) -> Halt:
        """Keep Ctrl-C from here on."""
        self._keep()
        return self

    def __exit__(self, *raised: object) -> None:
        """Let Ctrl-C through again; raise what was kept."""
        self._let_through()
        if self._failure is not None:
            raise self._failure
        if self._interrupted:
            raise KeyboardInterrupt

    @contextmanager
    def opened(self) -> Generator[None]:
        """Let Ctrl-C through for a while: what is done there may take long."""
        self._let_through()
        try:
            yield
        finally:
            self._keep()

    def _keep(self) -> None:
        self._kept.enter_context(handling((signal.SIGINT,), self._note))

    def _let_through(self) -> None:
        self._kept.close()

    def _note(self, *_: object) -> None:
        self._interrupted = True
        self._asked.set()
