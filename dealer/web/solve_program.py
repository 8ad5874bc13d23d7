"""`arena solve` for a page: a program of its own, whose progress is read from a pipe.

It ends when its standard input does, so that it never outlives the server that wants to know.
"""

import io
import os
import sys
import threading
from typing import Final

from engine.commands.solve.solve_command import main as solve
from engine.parallel.signals import hear_interrupts

ERASE: Final = b"\r\x1b[K"
"""What stands before each new text of the line that changes, as on a terminal."""


class _ProgressPipe(io.TextIOWrapper):
    """Stands for a terminal: the line that tells the progress changes here too."""

    def isatty(self) -> bool:
        return True


def main() -> int:
    """Run `arena solve` with the arguments of this process; return the exit code."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.stderr = _ProgressPipe(sys.stderr.buffer, "utf-8", write_through=True)
    hear_interrupts()
    sys.stderr.write(ERASE.decode())  # whoever reads knows that Ctrl-C is heard
    return solve(sys.argv[1:])


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
