"""Estimates that lie beside their logs, NAME.aivat beside NAME.log, and grow as the logs do.

Such a file is the CSV of `agents.aivat.rows`, and is continued where it ended.  Rows of hands that
are still in the log stay; those of others, and a row cut short by a kill, are made anew.
"""

from __future__ import annotations

import csv
import math
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from agents.aivat.estimating import Chunk, EstimateConfig, EstimatedHand, Estimator
from agents.aivat.rows import COLUMNS, chips_text, row_text
from agents.errors import AgentError
from agents.training.logs import checked_hand, hands_of_lines
from engine.handlogs.source.opening import MAX_LINE_BYTES, decode_line, open_log
from engine.parallel.processes import in_order
from engine.showdown.hand_values import hand_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from agents.training.logs import PlayedHand
    from protocol.gamedef import GameDef

SUFFIX: Final = ".aivat"
_ROUNDING_CHIPS: Final = 0.001
_HANDS_PER_CHUNK: Final = 20
_PAUSE_SECONDS: Final = 0.3


class GrowingEstimates:
    """The estimates beside one log."""

    def __init__(self, log: Path, game: GameDef | None, head: str, most: int | None = None) -> None:
        """Read what there is.

        Args:
            log: its file; it may be written meanwhile.
            game: of the log; None: its header names a built-in game.
            head: the lines before the rows: what the estimates depend on.
            most: hands that are read, the first ones of the log; None for all.

        Raises:
            AgentError: the file beside it cannot be read or written.
        """
        self._log = log
        self._game = game
        self._head = head.encode()
        self._most = most
        self._beside = log.with_suffix(SUFFIX)
        self._rows: list[list[str]] = []
        self._ends: list[int] = []
        self._begin()

    def _begin(self) -> None:
        """Read the log from its start, and what is beside it."""
        self._offset = self._lines = self._hands = 0
        try:
            self._read_rows(self._head)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise AgentError(f"{self._beside}: {error}") from error

    def _read_rows(self, head: bytes) -> None:
        self._rows = []
        content = self._beside.read_bytes() if self._beside.exists() else b""
        if not content.startswith(head):
            self._beside.write_bytes(head)
            content = head
        self._ends = [len(head)]
        for line in content[len(head) :].splitlines(keepends=True):
            if line.endswith(b"\n"):
                self._rows.append(next(csv.reader([line.decode()])))
                self._ends.append(self._ends[-1] + len(line))
        self._size = len(content)
        if self._ends[-1] < len(content):
            self._cut(len(self._rows))

    def new_hands(self) -> Iterator[tuple[int, str, PlayedHand]]:
        """Yield the hands that were logged since the last call and have no row yet.

        With each come its number in the log, from 0, and its place.

        Raises:
            AgentError: the log cannot be read, or hides cards.
        """
        try:
            if self._log.stat().st_size < self._offset:
                self._begin()  # its end was taken back
            with open_log(self._log) as file:
                if file.seekable():
                    file.seek(self._offset)
                else:
                    file.read(self._offset)
                complete = file.read().rpartition(b"\n")[0]
        except OSError as error:
            raise AgentError(f"{self._log}: {error.strerror or error}") from error
        texts = [decode_line(line)[:MAX_LINE_BYTES] for line in complete.split(b"\n")]
        records = list(hands_of_lines(self._log, enumerate(texts, self._lines + 1), self._game))
        if not records:  # the header comes again with the first hand
            return
        self._offset += len(complete) + 1
        self._lines += len(texts)
        for game, record, line in records:
            self._game = game
            if self._most is not None and self._hands >= self._most:
                return
            where = f"{self._log.name}:{line}"
            hand = checked_hand(where, game, record, for_two=True, small=True)
            number, self._hands = self._hands, self._hands + 1
            if number < len(self._rows) and not _is_row(self._rows[number], where, hand):
                self._cut(number)
            if number >= len(self._rows):
                yield number, where, hand

    def add(self, hands: Iterable[EstimatedHand]) -> None:
        """Write the rows of hands that `new_hands` yielded.

        Raises:
            AgentError: they cannot be written, or somebody else writes there.
        """
        rows = "".join(map(row_text, hands)).encode()
        try:
            with self._beside.open("ab") as file:
                if file.tell() != self._size:
                    raise AgentError(
                        f"{self._beside}: another program writes its estimates there; try again "
                        "when it has ended"
                    )
                file.write(rows)
            self._size += len(rows)
        except OSError as error:
            raise AgentError(f"{self._beside}: {error.strerror}") from error

    def _cut(self, rows: int) -> None:
        """Truncate the file behind so many rows."""
        with self._beside.open("r+b") as file:
            self._size = file.truncate(self._ends[rows])
        del self._rows[rows:]


def _is_row(row: list[str], where: str, hand: PlayedHand) -> bool:
    won = hand_values(hand.state, hand.cards.holes, hand.cards.board)[0]
    fields = [where, str(hand.record.hand_id), *hand.record.names, f"{hand.state.game.big_blind}"]
    if len(row) != len(COLUMNS) or row[: len(fields) + 1] != [*fields, chips_text(won)]:
        return False
    try:
        allin, aivat, *parts = map(float, row[len(fields) + 1 :])
        missed = abs(math.fsum(parts) - aivat)
    except (OverflowError, ValueError):
        return False
    return math.isfinite(allin) and missed < _ROUNDING_CHIPS


def hands_left(log: Path, head: str, most: int | None = None) -> int:
    """Return how many hands of a log have no row yet, as far as counting lines tells.

    Args:
        head: of the file beside it.
        most: hands of the log that are looked at; None for all.

    Raises:
        AgentError: a file cannot be read.
    """
    beside = log.with_suffix(SUFFIX)
    try:
        with open_log(log) as file:
            hands = (b"\n" + file.read()).count(b"\nSTATE:")
        content = beside.read_bytes() if beside.exists() else b""
    except OSError as error:
        raise AgentError(f"{log}: {error.strerror or error}") from error
    if most is not None:
        hands = min(hands, most)
    start = head.encode()
    return max(hands - content.count(b"\n", len(start)), 0) if content.startswith(start) else hands


def estimate_beside(
    logs: Callable[[], Iterable[Path]],
    game: GameDef | None,
    how: EstimateConfig,
    head: Callable[[Path], str],
    workers: int,
    ended: Callable[[], bool] | None = None,
    *,
    most: int | None = None,
) -> Iterator[int]:
    """Estimate the hands of logs, and yield from time to time how many more were estimated.

    Args:
        logs: returns the logs there are; called again and again.
        game: of all of them; None: each log's header names a built-in game.
        head: returns what the file beside a log begins with.
        ended: the logs are followed as they grow until this returns True; None: they are read once.
        most: hands that are read, the first ones of each log; None for all.

    Raises:
        AgentError: a file cannot be read or written, or a player is not the bot that it is said
            to be; the message says where.
        EngineError: a bot or a file cannot be opened.
    """
    handed_out: deque[GrowingEstimates | None] = deque()

    def chunks() -> Iterator[Chunk]:
        by_log: dict[Path, GrowingEstimates] = {}
        while True:
            count = 0
            for log in logs():
                if log not in by_log:
                    by_log[log] = GrowingEstimates(log, game, head(log), most)
                for chunk in _chunks(by_log[log]):
                    if ended is not None and ended():
                        return
                    count += 1
                    handed_out.append(by_log[log])
                    yield chunk
            if ended is None or ended():
                return
            if not count:
                time.sleep(_PAUSE_SECONDS)
                handed_out.append(None)
                yield 0, []  # so that what was handed out before comes back

    for hands in in_order(Estimator, (how,), chunks(), workers):
        estimates = handed_out.popleft()
        if estimates is not None:
            estimates.add(hands)
        yield len(hands)


def _chunks(estimates: GrowingEstimates) -> Iterator[Chunk]:
    first = 0
    hands: list[tuple[str, PlayedHand]] = []
    for number, where, hand in estimates.new_hands():
        if not hands:
            first = number
        hands.append((where, hand))
        if len(hands) == _HANDS_PER_CHUNK:
            yield first, hands
            hands = []
    if hands:
        yield first, hands
