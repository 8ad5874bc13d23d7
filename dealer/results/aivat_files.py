"""The estimates of AIVAT that lie beside the logs of a match, NAME.aivat beside NAME.log.

`arena aivat beside` writes them (`dealer.results.aivat_program`); what they say of a hand counts
once the log has that hand with that result.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.ratings.corrected_hands import CLOSE, read_facts
from dealer.results.leg_log import LegLog

SUFFIX: Final = ".aivat"
ESTIMATES_LEFT_OUT: Final = (
    "the estimates by AIVAT that are here are left out of the result; --aivat takes them in"
)


def has_estimates(folder: Path) -> bool:
    """Return whether there are estimates in a folder of a match or tournament."""
    return next(folder.rglob(f"*{SUFFIX}"), None) is not None


class LegEstimates:
    """The estimates beside the log of one leg, read as they grow.

    Attributes:
        chips: (H, B) float64, columns by bot as in `LegLog`; nan where there is no estimate.
        facts: which value function, and whose strategies were known; empty before the first row.
    """

    def __init__(self, log: LegLog) -> None:
        self._log = log
        self._path = log.path.with_suffix(SUFFIX)
        self._begin()

    def _begin(self) -> None:
        self.chips: NDArray[np.float64] = np.full(self._log.chips.shape, np.nan)
        self.facts: dict[str, Any] = {}
        self._offset = 0
        self._fields: list[str] = []
        self._ahead: list[dict[str, str]] = []
        """Rows of hands that were not in the log when it was read last."""

    @property
    def complete(self) -> bool:
        """Whether every hand of the log has an estimate."""
        return not bool(np.isnan(self.chips[self._log.played]).any())

    def read_new(self) -> None:
        """Read the rows that were added.

        Raises:
            MatchError: the file is none of estimates.
        """
        try:
            with self._path.open("rb") as file:
                if file.seek(0, os.SEEK_END) < self._offset:
                    self._begin()
                file.seek(self._offset)
                text = file.read().rpartition(b"\n")[0]
        except FileNotFoundError:
            return
        try:
            self._ahead += self._rows(text)
            self._ahead = [row for row in self._ahead if not self._take(row)]
        except (LookupError, TypeError, ValueError) as error:
            raise MatchError(f"{self._path}: no estimates of arena aivat ({error})") from error

    def _rows(self, text: bytes) -> Iterable[dict[str, str]]:
        if not text:
            return ()
        self._offset += len(text) + 1
        lines = text.decode().split("\n")
        if not self._fields:
            notes = [line for line in lines if line.startswith("#")]
            self.facts = read_facts(notes)
            self._fields = lines[len(notes)].split(",")
            lines = lines[len(notes) + 1 :]
        return csv.DictReader(lines, self._fields)

    def _take(self, row: Mapping[str, str]) -> bool:
        """Take the estimate of a hand that is in the log; return False where it is not."""
        log, hand = self._log, int(row["hand"])
        columns = log.columns((row["position0"], row["position1"]))
        if not columns or hand >= len(log.played):
            raise ValueError("hands of another match")
        if not log.played[hand] or abs(log.chips[hand, columns[0]] - float(row["won"])) > CLOSE:
            return False
        value = float(row["aivat"])
        self.chips[hand, columns] = value, -value
        return True


class MatchEstimates:
    """The estimates beside all logs of a match, read as they grow."""

    def __init__(self, logs: Sequence[LegLog]) -> None:
        self._logs = logs
        self._legs: list[LegEstimates] = []

    @property
    def facts(self) -> dict[str, Any]:
        """Which value function, and whose strategies were known; empty before the first row."""
        return next((one.facts for one in self._legs if one.facts), {})

    @property
    def chips(self) -> list[NDArray[np.float64]]:
        """(H, B) chips of each leg, in the order of the logs; see `LegEstimates`."""
        return [one.chips for one in self._legs]

    def read_new(self) -> None:
        """Read what was added.

        Raises:
            MatchError: a file is none of estimates.
        """
        self._legs += [LegEstimates(log) for log in self._logs[len(self._legs) :]]
        for one in self._legs:
            one.read_new()

    def read_all(self) -> None:
        """Read everything from the start, as files may have been made anew.

        Raises:
            MatchError: a file is none of estimates, or a hand has none.
        """
        self._legs = []
        self.read_new()
        if not all(one.complete for one in self._legs):
            raise MatchError("no AIVAT: its files are not those of the logs")
