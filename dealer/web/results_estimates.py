"""What AIVAT says of the hands of logs, from the files of `arena aivat beside` that lie there."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dealer.logs.reading.files import is_regular
from dealer.ratings.corrected_hands import RESULT_TOLERANCE_CHIPS, CorrectedHands, read_facts
from dealer.results.aivat import SUFFIX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.estimates.hand_results import HandResults

_COLUMNS: Final = ("hand", "big_blind", "won", "aivat")
_MOST_CHIPS: Final = 1e12


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
            rows, facts = _read(beside)
        except (OSError, LookupError, TypeError, ValueError):
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


def _read(path: Path) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """Return (L, 4) `_COLUMNS` of the whole lines of a file, and what they depend on.

    Raises:
        OSError, LookupError, TypeError, ValueError: it is none of estimates.
    """
    lines = path.read_bytes().rpartition(b"\n")[0].decode().split("\n")
    notes = [line for line in lines if line.startswith("#")]
    rows = csv.DictReader(lines[len(notes) :])
    found = np.array([[float(row[name]) for name in _COLUMNS] for row in rows]).reshape(-1, 4)
    if not (np.abs(found) <= _MOST_CHIPS).all() or not (found[:, 1] > 0).all():
        raise ValueError(f"{path}: no estimates")
    return found, read_facts(notes)
