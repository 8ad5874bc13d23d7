"""The transaction file beside a log, and how long each answer took by it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine.console.output import tell_once
from engine.errors import LogError
from engine.handlogs.source.opening import is_regular, log_blocks

if TYPE_CHECKING:
    from pathlib import Path

    from engine.handlogs.counting.answer_times import TimedActions


def transactions_of(log: Path) -> Path | None:
    """Return the transaction file beside a log, None where there is none."""
    path = log.with_suffix(".tlog")
    return path if log.suffix == ".log" and is_regular(log) and is_regular(path) else None


def answers_beside(log: Path) -> TimedActions | None:
    """Return the lines beside a log up to the first that is none; None where there is no file."""
    import numpy as np

    from engine.handlogs.counting.answer_times import TimedActions, read_times

    path = transactions_of(log)
    if path is None:
        return None
    blocks = []
    with suppress(LogError):  # what is left tells
        for block in log_blocks(path, warn=tell_once):
            if block.cut_off:
                break
            blocks.append(read_times(block.data))
            if len(blocks[-1].kind) < block.data.count(b"\n"):
                break
    if not blocks:
        return None
    return TimedActions(
        kind=np.concatenate([times.kind for times in blocks]),
        hand=np.concatenate([times.hand for times in blocks]),
        seconds=np.concatenate([times.seconds for times in blocks]),
    )
