"""Takes a run of evolution to its end, in one process."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.console.stopping import stop_on_signals
from engine.parallel.halting import Halt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.evolution.run import EvolutionRun

Best = tuple["NDArray[np.float32]", dict[str, Any]]
"""What `EvolutionRun.best` returns."""


def evolve(
    run: EvolutionRun,
    threads: int | None = None,
    told: Callable[[EvolutionRun], None] | None = None,
) -> Best | None:
    """Play all generations that are left, and the final; return the best.

    Ctrl-C, SIGTERM and SIGHUP end it after what is written is whole; then None is returned.

    Args:
        threads: matches at the same time; None for one per core.
        told: called after each generation.

    Raises:
        OSError: a file cannot be written.
    """
    with stop_on_signals((signal.SIGTERM, signal.SIGHUP), patient=True) as stop:
        try:
            while not run.evolution.done:
                run.step(threads, stop)
                with Halt():  # Ctrl-C waits until all is written
                    run.save()
                if told is not None:
                    told(run)
            return run.best(threads, stop)
        except KeyboardInterrupt:
            return None
