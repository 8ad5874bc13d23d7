"""All-in expectation over the logs of a match: luck of the cards run out after an all-in removed.

Each hand whose betting closed before the last street gets the mean of its value over all boards
that could still have come (`engine.equity.allin`, exact).  All other hands keep their value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.results.leg_log import LegLog
from engine.equity.allin import logged_expectation
from engine.errors import EngineError
from engine.rules.view import state_of_betting
from protocol.errors import ProtocolError
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord, parse_log_line


def expected_chips(
    game: GameDef,
    logs: Sequence[LegLog],
    progress: Callable[[int], None],
    hands: range | None = None,
) -> list[NDArray[np.float64]]:
    """Return for each leg of one run its (H, B) float64 chips with run-outs at their expectation.

    Args:
        logs: the legs of one run, which share their deals.
        progress: told the number of run-outs each time some more are done.
        hands: those that are wanted; None: all.

    Raises:
        MatchError: a line cannot be read again or is no legal hand.
    """
    expected = [log.chips.copy() for log in logs]
    todo = np.concatenate([np.insert(log.run_outs, 0, leg, axis=1) for leg, log in enumerate(logs)])
    if hands is not None:
        todo = todo[(todo[:, 1] >= hands.start) & (todo[:, 1] < hands.stop)]
    # Deal by deal: the seatings of one deal mostly need the same boards, and those are remembered.
    todo = todo[np.argsort(todo[:, 1], kind="stable")]
    with ExitStack() as stack:
        files = [
            stack.enter_context(log.path.open("rb")) if len(log.run_outs) else None for log in logs
        ]
        for done, (leg, hand, offset) in enumerate(todo):
            file = files[leg]
            if file is None:
                continue
            file.seek(offset)
            line = file.readline().decode("utf-8", "surrogateescape")
            try:
                values, names = _expectation(game, line)
            except (ProtocolError, EngineError, ValueError) as exc:
                raise MatchError(f"{logs[leg].path}: {exc}: {line[:120].rstrip()}") from exc
            expected[leg][hand, logs[leg].columns(names)] = values
            if done % 16 == 15:
                progress(16)
        progress(len(todo) % 16)
    return expected


def _expectation(game: GameDef, line: str) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the expected chips and the names by position of one STATE line."""
    record = parse_log_line(line)
    if not isinstance(record, HandRecord):
        raise ValueError("not a STATE line")
    values = logged_expectation(state_of_betting(game, record.betting), record.cards)
    return values or tuple(map(float, record.values)), record.names
