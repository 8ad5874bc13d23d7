"""How the user stops a dealer: Ctrl-C, a polite kill, a terminal that goes away."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Final

from dealer.server.endings import Ending

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def hear_signals(interrupt: Callable[[], None]) -> None:
    """Have the first signal call `interrupt`, and a second one end the process.

    The handlers are the interpreter's, not the event loop's: they run even while a write to a
    stderr that nobody reads blocks the loop, on which `interrupt` is called.
    """
    loop = asyncio.get_running_loop()
    heard = False

    def hear(_number: int, _frame: object) -> None:
        nonlocal heard
        if heard:
            os._exit(Ending.INTERRUPTED.exit_code)
        heard = True
        loop.call_soon_threadsafe(interrupt)

    for number in _SIGNALS:
        if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, hear)  # under nohup, a terminal that goes away is no matter


def ignore_signals() -> None:
    """Hear none any more: little is left to do."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
