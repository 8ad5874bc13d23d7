"""AIVAT of a match while it is played, and of the hands of matches that are left after the play.

`arena aivat beside` is a program of its own, which estimates hands into NAME.aivat beside NAME.log
and goes on where it ended.  What is there already is looked at again: it may be of other values or
strategies, or of hands that were played anew.  What the files say of a hand counts once the log has
that hand with that result.
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

from dealer.errors import MatchError
from dealer.ratings.aivat_options import AIVAT_PROGRAM, words_for
from dealer.ratings.corrected_hands import RESULT_TOLERANCE_CHIPS, read_facts
from dealer.series.given_deals import SIT_IN_AIVAT_NAME
from dealer.series.logs import LegLog, MatchLogs
from engine.console.exit_codes import INTERRUPTED
from engine.console.quantities import interval
from engine.estimates.winrate import win_rate_from_sums
from engine.parallel.own_programs import environment

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
        if (
            not log.played[hand]
            or abs(log.chips[hand, columns[0]] - float(row["won"])) > RESULT_TOLERANCE_CHIPS
        ):
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
        return next((leg.facts for leg in self._legs if leg.facts), {})

    @property
    def chips(self) -> list[NDArray[np.float64]]:
        """(H, B) chips of each leg, in the order of the logs; see `LegEstimates`."""
        return [leg.chips for leg in self._legs]

    def read_new(self) -> None:
        """Read what was added.

        Raises:
            MatchError: a file is none of estimates.
        """
        self._legs += [LegEstimates(log) for log in self._logs[len(self._legs) :]]
        for leg in self._legs:
            leg.read_new()

    def read_all(self) -> None:
        """Read everything from the start, as files may have been made anew.

        Raises:
            MatchError: a file is none of estimates, or a hand has none.
        """
        self._legs = []
        self.read_new()
        if not all(leg.complete for leg in self._legs):
            raise MatchError("no AIVAT: its files are not those of the logs")


_FOLLOWER_STOP_SECONDS: Final = 10.0


def estimate_beside(
    places: Sequence[Path], game: Path, known_options: Sequence[str], jobs: int, *, shown: bool
) -> None:
    """Estimate the hands of logs that have no estimate yet, which takes a while.

    Args:
        places: logs, or match folders with logs.
        words: what the program is told beside that, see `aivat_words`.
        shown: whether it shows its progress on stderr.

    Raises:
        KeyboardInterrupt: it was stopped; what it has estimated stays.
        MatchError: it cannot; the message says why.
    """
    with tempfile.TemporaryFile() as said:
        ended = subprocess.run(
            [*_command(places, game, known_options), "--jobs", str(jobs)],
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


class AivatFollower:
    """The program following logs as they grow.  It ends with this process, however that ends."""

    def __init__(self, places: Sequence[Path], game: Path, known_options: Sequence[str]) -> None:
        """Start it, for what `estimate_beside` takes."""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        """What it writes on stderr."""
        self._program = subprocess.Popen(
            [*_command(places, game, known_options), "--follow", "--jobs", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            env=environment(),
            start_new_session=True,
        )

    def trouble(self) -> str:
        """Return why it has ended by itself, "" where it has not."""
        return _last_words(self._said) if self._program.poll() else ""

    def stop(self) -> None:
        """Let it write what it has begun, and end."""
        if self._program.stdin is not None:
            self._program.stdin.close()
        self._said.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(_FOLLOWER_STOP_SECONDS)
        self._program.kill()
        self._program.wait()


def _command(places: Sequence[Path], game: Path, known_options: Sequence[str]) -> list[str]:
    return [*AIVAT_PROGRAM, "beside", *map(str, places), "--game", str(game), *known_options]


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").splitlines()
    return f"no AIVAT: {lines[-1] if lines else 'see above'}"


_FOLDERS_PER_CALL: Final = 500
"""Command lines are of limited length."""


def estimate_matches(
    matches: Sequence[MatchLogs], known_options: Sequence[str], jobs: int, *, shown: bool
) -> list[MatchEstimates] | None:
    """Estimate the hands of matches of one game that are left, and return all estimates.

    One program does it, into files beside the logs, where they are kept.  None where nothing was
    played.

    Raises:
        KeyboardInterrupt: it was stopped; what it has estimated stays.
        MatchError: some hand has no estimate; the message says why.
    """
    played = [match for match in matches if match.hands]
    if not played:
        return None
    for first in range(0, len(played), _FOLDERS_PER_CALL):
        folders = [match.folder for match in played[first : first + _FOLDERS_PER_CALL]]
        estimate_beside(folders, played[0].game_file, known_options, jobs, shown=shown)
    match_estimates = [MatchEstimates(match.logs) for match in matches]
    for estimates in match_estimates:
        estimates.read_all()
    return match_estimates


class LiveAivat:
    """Estimates the hands of a match while it is played, and those that are left after it."""

    def __init__(self, logs: MatchLogs, known_options: Sequence[str]) -> None:
        self._logs = logs
        self._known_options = known_options
        self._estimates = MatchEstimates(logs.logs)
        self._follower: AivatFollower | None = None

    def start(self) -> None:
        """Begin to follow the logs."""
        logs = self._logs
        self._follower = AivatFollower([logs.folder], logs.game_file, self._known_options)

    def stop(self) -> None:
        """Let the program write what it has begun, and end."""
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.stop()

    def standing(self) -> str:
        """Return the win rate of the first bot over the hands estimated so far, in words.

        Where the program has ended by itself, or its files cannot be read, why.
        """
        if self._follower is not None and (trouble := self._follower.trouble()):
            return trouble
        try:
            self._estimates.read_new()
        except MatchError as error:
            return str(error)
        chips = [leg[~np.isnan(leg[:, 0]), 0] for leg in self._estimates.chips]
        count = sum(map(len, chips))
        if not count:
            return "AIVAT: no hand yet"
        total, squares = (sum(leg.sum() for leg in chips), sum(leg @ leg for leg in chips))
        rate = win_rate_from_sums(count, total, squares, self._logs.game.big_blind)
        return f"AIVAT {interval(rate.mbb_per_hand, rate.ci95)} of {count:,}"

    def estimates(self, jobs: int, *, shown: bool) -> list[NDArray[np.float64]] | None:
        """Estimate the hands that are left, and return the estimates of each leg, (H, B) chips.

        None where nothing was played.

        Raises:
            MatchError: it cannot; the message says why.
        """
        self.stop()
        match_estimates = estimate_matches([self._logs], self._known_options, jobs, shown=shown)
        if match_estimates is None:
            return None
        (self._estimates,) = match_estimates
        return self._estimates.chips

    def seat_estimates(self, jobs: int, *, shown: bool) -> LegEstimates | None:
        """Estimate the hands of the log in which the first bot sits in, as many as were played.

        None where nobody sits in, or nothing was played.

        Raises:
            MatchError: it cannot, as where the log hides cards; the message says why.
        """
        seat = self._logs.seat
        if seat is None or not self._logs.hands:
            return None
        seat.read_new()
        hands = max(int(np.flatnonzero(log.played).max(initial=-1)) for log in self._logs.logs) + 1
        seat_options = [*words_for(self._known_options, seat.names), "--most", str(hands)]
        estimate_beside([seat.path], self._logs.game_file, seat_options, jobs, shown=shown)
        seat_estimates = LegEstimates(seat)
        seat_estimates.read_new()
        if np.isnan(seat_estimates.chips[:hands]).any():
            raise MatchError(f"no AIVAT: {SIT_IN_AIVAT_NAME} is not of these hands")
        return seat_estimates

    def facts(self) -> dict[str, Any]:
        """Return which value function, and whose strategies were known."""
        return self._estimates.facts
