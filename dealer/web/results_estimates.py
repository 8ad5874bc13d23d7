"""What AIVAT says of the hands of logs, from the files of `arena aivat beside` that lie there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from dealer.ratings.corrected_hands import RESULT_TOLERANCE_CHIPS, CorrectedHands, read_estimates
from dealer.results.aivat import SUFFIX
from engine.handlogs.source.opening import is_regular

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.estimates.hand_results import HandResults

_COLUMNS: Final = ("hand", "big_blind", "won", "aivat")


def estimates_beside(
    logs: Mapping[int, Path], log: NDArray[np.int64], results: HandResults, big_blind: int
) -> CorrectedHands | None:
    """Return the estimates of N hands between two; None where there is none at all.

    The value of a hand without one is nan.  Its `facts` have all value functions and all known
    strategies; a file that cannot be used is as one that is not there.

    Args:
        logs: by number.
        log: (N,) number of the log of each hand.
        results: the hands.
        big_blind: chips, of the hands.
    """
    value = np.full(len(results), np.nan)
    values: list[str] = []
    known: dict[str, str] = {}
    won = results.chips[:, 0]
    for number, path in logs.items():
        beside = path.with_suffix(SUFFIX)
        if not is_regular(beside):  # a pipe may have no end
            continue
        try:
            whole_lines = beside.read_bytes().rpartition(b"\n")[0].decode().split("\n")
            rows, facts = read_estimates(beside, enumerate(whole_lines, 1), _COLUMNS)
        except (OSError, ValueError):
            continue
        if not (rows[:, 1] > 0).all():
            continue
        own = np.flatnonzero(log == number)[: len(rows)]
        rows = rows[: len(own)]
        scale = big_blind / rows[:, 1]
        same = (rows[:, 0] == results.hand[own]) & (
            abs(scale * rows[:, 2] - won[own]) <= RESULT_TOLERANCE_CHIPS
        )
        if not same.any():
            continue
        value[own[same]] = (scale * rows[:, 3])[same]
        values += [facts["values"]] if facts["values"] not in values else []
        known |= facts["known"]
    if not values:
        return None
    return CorrectedHands(won, value, {"values": values, "known": known})
