"""Progress of an experiment that goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import LivingLine, RateLimiter

_LINE_SECONDS: Final = 30.0
_LONGEST_SECONDS: Final = 120.0


def show_steps(steps: Iterable[tuple[str, int, int]], prog: str) -> int:
    """Take all steps, showing how far they are; return 0, or 130 where Ctrl-C ends them.

    Args:
        steps: what is being done, parts of it that are done, and of how many.
    """
    begun, before, first = time.monotonic(), "", 0
    lines = RateLimiter(_LINE_SECONDS, longest_seconds=_LONGEST_SECONDS)
    try:
        with LivingLine() as line:
            for stage, done, of in steps:
                if stage != before:
                    begun, before, first = time.monotonic(), stage, done
                text = f"{stage}: {done:,} of {of:,}"
                if done > first:
                    left = (time.monotonic() - begun) / (done - first) * (of - done)
                    text += f", {left / 60:.0f} minutes left of this"
                if line.living:
                    line.show(text)
                else:
                    lines(text)
    except KeyboardInterrupt:
        tell(f"{prog}: stopped; the same command goes on")
        return INTERRUPTED
    return 0
