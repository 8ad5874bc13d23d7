"""The match log of one leg, read as it grows: every number that the runner shows comes from here.

H hands of the leg, B bots:

    chips    (H, B) float64  chips won per hand, columns by bot, not by seat or position
    played   (H,)   bool     which hands are in the log
    run_outs (N, 2) int64    hand, and offset of its line in the file, of each hand whose betting
                             closed before the last street

The arrays are as long as the leg from the start (untouched pages cost nothing), so memory is
bounded by the number of hands, 8 * B + 1 bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.ratings.titles import prefers_sets
from dealer.series.given_deals import SIT_IN_LOG_NAME, SitIn
from dealer.series.manifest import Manifest
from engine.console.quantities import UNKNOWN, interval
from engine.estimates.winrate import WinRate, win_rate_from_sums
from engine.handlogs.source.opening import text_blocks
from protocol.errors import MalformedLogLine
from protocol.gamedef import GameDef
from protocol.handlog import HAND_LINE, HandRecord, Score, parse_log_line

_CHUNK_BYTES: Final = 1 << 20
Chips = Sequence[NDArray[np.float64]]
"""Each leg has an array of (H, B): hands, bots."""


Expectation: TypeAlias = Callable[[Sequence["LegLog"], range], Chips]
"""Returns the chips of legs of one run with run-outs at their expectation, for some hands."""


class LegLog:
    """Reads what was added to a log since the last time."""

    def __init__(self, path: Path, labels: Sequence[str], hands: int) -> None:
        self.path = path
        self.chips: NDArray[np.float64] = np.zeros((hands, len(labels)))
        self.played: NDArray[np.bool_] = np.zeros(hands, np.bool_)
        self.hands = 0
        """Hands read so far."""
        self._total = [0.0] * len(labels)
        self._squares = [0.0] * len(labels)
        self.scored = False
        """True once the SCORE line was read: the leg is complete."""
        self._labels = list(labels)
        self._columns: dict[tuple[str, ...], list[int]] = {}
        self._columns_of_names: dict[bytes, list[int]] = {}
        """The same by the end of a line, for lines in the usual form."""
        self._offset = 0
        self._run_outs = array("q")

    @property
    def total(self) -> NDArray[np.float64]:
        """(B,) chips won over the hands read so far; a copy."""
        return np.array(self._total)

    @property
    def squares(self) -> NDArray[np.float64]:
        """(B,) sum over hands of chips squared; a copy."""
        return np.array(self._squares)

    @property
    def run_outs(self) -> NDArray[np.int64]:
        """Hands with cards run out after an all-in, see above; a copy."""
        return np.array(self._run_outs, np.int64).reshape(-1, 2)

    def read_new(self) -> int:
        """Read the complete lines added since the last call; return how many hands they held.

        Raises:
            MatchError: it cannot be read, or a line belongs to no hand of this leg.
        """
        hands_so_far = self.hands
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                for block in text_blocks(file, _CHUNK_BYTES):
                    for line in [] if block.cut_off else block.data[:-1].split(b"\n"):
                        self._line(line)
                        self._offset += len(line) + 1
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise MatchError(f"{self.path}: {error.strerror or error}") from error
        return self.hands - hands_so_far

    def columns(self, names: tuple[str, ...]) -> list[int]:
        """Return the column in `chips` of each position's bot, empty for foreign names."""
        return self._columns.get(names) or self._learn(names)

    def _line(self, line: bytes) -> None:
        match = HAND_LINE.fullmatch(line)
        if match is not None and (columns := self._columns_of_names.get(match[5])) is not None:
            values = match[4].split(b"|")
            if len(values) == len(columns) == match[3].count(b"|") + 1:
                self._count(int(match[1]), columns, values, line, closed=match[2].endswith(b"/"))
                return
        try:
            record = parse_log_line(line.decode("utf-8", "surrogateescape"))
        except MalformedLogLine as exc:
            raise self._stranger(line) from exc
        if isinstance(record, HandRecord):
            self._hand(record, line)
        elif isinstance(record, Score):
            self.scored = True

    def _hand(self, record: HandRecord, line: bytes) -> None:
        columns = self.columns(record.names)
        if len(columns) != len(record.names):
            raise self._stranger(line)
        closed = record.betting.endswith("/")
        self._count(record.hand_id, columns, record.values, line, closed=closed)
        if record.stamp is None:
            self._columns_of_names["|".join(record.names).encode()] = columns

    def _count(
        self,
        hand: int,
        columns: list[int],
        values: Iterable[str | bytes],
        line: bytes,
        *,
        closed: bool,
    ) -> None:
        if hand >= len(self.played):
            raise self._stranger(line)
        if self.played[hand]:
            raise MatchError(f"{self.path}: hand {hand} is in the log twice")
        for column, text in zip(columns, values, strict=True):
            value = float(text)
            self.chips[hand, column] = value
            self._total[column] += value
            self._squares[column] += value * value
        self.played[hand] = True
        self.hands += 1
        if closed:
            self._run_outs.extend((hand, self._offset))

    def _learn(self, names: tuple[str, ...]) -> list[int]:
        if sorted(names) != sorted(self._labels):
            return []
        self._columns[names] = [self._labels.index(name) for name in names]
        return self._columns[names]

    def _stranger(self, line: bytes) -> MatchError:
        text = line[:120].decode("utf-8", "backslashreplace")
        return MatchError(f"{self.path}: not a line of this match: {text}")


class SeatLog(LegLog):
    """The hands of the log, in the order of the match; column 0 is the player's."""

    def __init__(self, path: Path, sit_in: SitIn, players: int, hands: int) -> None:
        super().__init__(path, [str(seat) for seat in range(players)], hands)
        self.player = sit_in.player

    @property
    def names(self) -> set[str]:
        """Who plays in the hands read so far."""
        return {name for names in self._columns for name in names}

    def _learn(self, names: tuple[str, ...]) -> list[int]:
        if self.player not in names:
            return []
        seat = names.index(self.player)
        players = len(names)
        self._columns[names] = [(position - seat) % players for position in range(players)]
        return self._columns[names]


class _RunningSets:
    """The duplicate sets of one run, counted as they become complete."""

    def __init__(self, logs: Sequence[LegLog]) -> None:
        self.count = 0
        """Deals that were played in every seating, up to the first that was not."""
        self.total = np.zeros_like(logs[0].total)
        """(B,) sum over sets of the mean chips per hand."""
        self.squares = np.zeros_like(self.total)
        """(B,) the same of its square."""
        self._logs = logs

    @property
    def complete(self) -> bool:
        """Whether there is no more to come."""
        return self.count == len(self._logs[0].played)

    def chips(self, bot: int, first: int, expected: Expectation | None) -> NDArray[np.float64]:
        """Return what a bot won per hand in those counted, from number `first` on."""
        new = range(first, self.count)
        legs = [log.chips for log in self._logs] if expected is None else expected(self._logs, new)
        chips: NDArray[np.float64] = np.mean([leg[first : self.count, bot] for leg in legs], axis=0)
        return chips

    def count_new(self) -> None:
        """Count what has become complete since the last call."""
        new = slice(self.count, max(self.count, min(log.hands for log in self._logs)))
        complete = np.all([log.played[new] for log in self._logs], axis=0)
        whole = complete.size if complete.all() else int(np.argmin(complete))
        new = slice(self.count, self.count + whole)
        chips = np.mean([log.chips[new] for log in self._logs], axis=0)
        self.total += chips.sum(axis=0)
        self.squares += np.square(chips).sum(axis=0)
        self.count += whole


class MatchLogs:
    """The logs of all legs of a match."""

    def __init__(self, manifest: Manifest, game: GameDef, folder: Path) -> None:
        self.game = game
        self.labels = manifest.labels
        self.seatings = len(manifest.bots) if manifest.duplicate else 1
        self.hands_planned = 0
        self.logs: list[LegLog] = []
        self.folder = folder
        self.game_file = folder / manifest.game_name
        self._sets: list[_RunningSets] = []
        self.seat: SeatLog | None = None
        """The log in which the first bot sits in, if it does."""
        if manifest.sit_in is not None and manifest.deals is not None:
            self.seat = SeatLog(
                folder / SIT_IN_LOG_NAME, manifest.sit_in, game.players, manifest.deals.count
            )
        self.extend(manifest)

    def extend(self, manifest: Manifest) -> None:
        """Take up the legs of the same match with more runs."""
        self.manifest = manifest
        self.legs = manifest.legs()
        self.hands_planned = manifest.hands * len(self.legs)
        self.logs += [
            LegLog(self.folder / f"{leg.name}.log", manifest.labels, manifest.hands)
            for leg in self.legs[len(self.logs) :]
        ]
        if self.seatings > 1:
            self._sets += [_RunningSets(run) for run in self.by_run()[len(self._sets) :]]

    @property
    def hands(self) -> int:
        """Hands read so far."""
        return sum(log.hands for log in self.logs)

    @property
    def run_outs(self) -> int:
        """Hands read so far whose betting closed before the last street."""
        return sum(len(log.run_outs) for log in self.logs)

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.  Raises MatchError."""
        hands = sum(log.read_new() for log in self.logs)
        for sets in self._sets:
            sets.count_new()
        return hands

    def running_rate(self, bot: int) -> WinRate:
        """Return the raw win rate of one bot over the hands read so far; cheap."""
        return self._running(self.logs, self.hands, bot, 1)

    def running_sets(self, bot: int) -> WinRate:
        """Return its win rate over the duplicate sets read so far; cheap.

        Deals count in their order, so those after one that is missing count later.
        """
        sets = self._sets
        return self._running(sets, sum(run.count for run in sets), bot, self.seatings)

    def sets_in_order(
        self, bot: int, first: int, expected: Expectation | None = None
    ) -> NDArray[np.float64]:
        """Return what a bot won per hand in the duplicate sets read so far, chips.

        They stand in the order of runs and deals, however the runs were played, and end before the
        first that is missing.

        Args:
            bot: its number.
            first: sets to leave out.
            expected: gives legs of one run and some of their hands the chips that count; None:
                as played.

        Raises:
            MatchError: a line cannot be read again.
        """
        parts = [np.zeros(0)]
        for sets in self._sets:
            if first < sets.count:
                parts.append(sets.chips(bot, first, expected))
            first = max(first - sets.count, 0)
            if not sets.complete:
                break
        return np.concatenate(parts)

    def standing(self) -> str:
        """Return the win rate of the first bot, in duplicate sets once they are most hands."""
        rate, sets = self.running_rate(0), self.running_sets(0)
        chosen = sets if prefers_sets(sets, rate) else rate
        win_rate = interval(chosen.mbb_per_hand, chosen.ci95) if chosen.samples else UNKNOWN
        return f"{self.labels[0]} {win_rate} mbb/h" + " in sets" * (chosen is sets)

    def _running(
        self, sums: Sequence[LegLog] | Sequence[_RunningSets], count: int, bot: int, hands: int
    ) -> WinRate:
        return win_rate_from_sums(
            count,
            float(sum(part.total[bot] for part in sums)),
            float(sum(part.squares[bot] for part in sums)),
            self.game.big_blind,
            hands_per_sample=hands,
        )

    def by_run(self) -> list[list[LegLog]]:
        """Return the logs run by run."""
        starts = range(0, len(self.logs), self.seatings)
        return [self.logs[start : start + self.seatings] for start in starts]
