"""The transaction file beside a log, read for how long each answer took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dealer.logs.errors import LogError
from dealer.logs.files import open_log
from dealer.logs.text_blocks import text_blocks
from dealer.logs.transactions import transactions_of

if TYPE_CHECKING:
    from pathlib import Path

    from engine.handlogs.answer_times import TimedActions


def answers_beside(log: Path) -> TimedActions | None:
    """Return the lines beside a log up to the first that is none; None where there is no file."""
    import numpy as np

    from engine.handlogs.answer_times import TimedActions, read_times

    path = transactions_of(log)
    if path is None:
        return None
    found = []
    try:
        with open_log(path) as source:
            for block in text_blocks(source):
                if block.cut_off:
                    break
                found.append(read_times(block.data))
                if len(found[-1].kind) < block.data.count(b"\n"):
                    break
    except (LogError, OSError):  # what is left tells
        pass
    if not found:
        return None
    return TimedActions(
        kind=np.concatenate([one.kind for one in found]),
        hand=np.concatenate([one.hand for one in found]),
        seconds=np.concatenate([one.seconds for one in found]),
    )
