"""AIVAT of a match while it is played: a program estimates the hands into files beside the logs.

It is `arena aivat beside`, which follows the logs and goes on where it ended; what it says of a
hand counts once the log has that hand with that result.
"""

from __future__ import annotations

import contextlib
import csv
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.matches.errors import MatchError
from dealer.matches.leg_log import LegLog
from dealer.matches.manifest import Manifest
from dealer.matches.results import MatchLogs
from dealer.ratings.aivat_options import PROGRAM
from dealer.ratings.corrected_hands import CLOSE, read_facts
from engine.console.exit_codes import INTERRUPTED
from engine.console.quantities import interval
from engine.estimates.winrate import win_rate_from_sums
from engine.parallel.own_programs import environment

SUFFIX: Final = ".aivat"
_END_SECONDS: Final = 10.0
"""What the program may take to end with the hands it has begun."""


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


class LiveAivat:
    """Estimates the hands of a match while it is played, and those that are left after it."""

    def __init__(
        self, manifest: Manifest, logs: MatchLogs, folder: Path, words: Sequence[str]
    ) -> None:
        """Take a match.

        Args:
            manifest: of the match.
            logs: of its legs; there may come more.
            folder: of the match.
            words: what the program is told beside the folder and the game.
        """
        self._labels = manifest.labels
        self._logs = logs
        game = folder / manifest.game_name
        self._command = (*PROGRAM, "beside", str(folder), "--game", str(game), *words)
        self._estimates: list[LegEstimates] = []
        self._follower: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        """What the follower writes on stderr."""

    def start(self) -> None:
        """Begin to follow the logs.  It ends with this process, however that ends."""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        self._follower = subprocess.Popen(
            [*self._command, "--follow", "--jobs", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            env=environment(),
            start_new_session=True,
        )

    def stop(self) -> None:
        """Let the program write what it has begun, and end."""
        follower, self._follower = self._follower, None
        if follower is None or follower.stdin is None or self._said is None:
            return
        follower.stdin.close()
        self._said.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            follower.wait(_END_SECONDS)
        follower.kill()
        follower.wait()

    def _read_new(self) -> None:
        logs = self._logs.logs
        self._estimates += [LegEstimates(log) for log in logs[len(self._estimates) :]]
        for estimates in self._estimates:
            estimates.read_new()

    def standing(self) -> str:
        """Return the win rate of the first bot over the hands estimated so far, in words.

        Where the program has ended by itself, or its files cannot be read, why.
        """
        if self._follower is not None and self._follower.poll() and self._said is not None:
            return _last_words(self._said)
        try:
            self._read_new()
        except MatchError as error:
            return str(error)
        chips = [one.chips[~np.isnan(one.chips[:, 0]), 0] for one in self._estimates]
        count = sum(map(len, chips))
        if not count:
            return "AIVAT: no hand yet"
        total, squares = sum(one.sum() for one in chips), sum(one @ one for one in chips)
        rate = win_rate_from_sums(count, total, squares, self._logs.game.big_blind)
        return f"AIVAT {interval(rate.mbb_per_hand, rate.ci95)} of {count:,}"

    def estimates(self, jobs: int, *, shown: bool) -> list[NDArray[np.float64]] | None:
        """Estimate the hands that are left, and return the estimates of each leg, (H, B) chips.

        What is there is looked at again: it may be of other values or strategies, or of hands that
        were played anew since.  None where nothing was played.

        Args:
            jobs: processes.
            shown: whether the program shows its progress.

        Raises:
            MatchError: it cannot; the message says why.
        """
        self.stop()
        if not self._logs.hands:
            return None
        self._finish(jobs, shown=shown)
        self._estimates = []
        self._read_new()
        if not all(one.complete for one in self._estimates):
            raise MatchError("no AIVAT: its files are not those of the logs")
        return [one.chips for one in self._estimates]

    def _finish(self, jobs: int, *, shown: bool) -> None:
        with tempfile.TemporaryFile() as said:
            ended = subprocess.run(
                [*self._command, "--jobs", str(jobs)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if shown else said,
                env=environment(),
                check=False,
            )
            if ended.returncode == INTERRUPTED:
                raise KeyboardInterrupt
            if ended.returncode:
                raise MatchError(_last_words(said))

    def facts(self) -> dict[str, Any]:
        """Return which value function, and whose strategies were known."""
        return next((one.facts for one in self._estimates if one.facts), {})


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").splitlines()
    return f"no AIVAT: {lines[-1] if lines else 'see above'}"
