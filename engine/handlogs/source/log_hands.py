"""The hands of a log one by one, each with its game; for showing rather than for checking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from engine.errors import LogError
from engine.handlogs.source.log_games import FoundGame, GameFinder
from engine.handlogs.source.opening import Warn, is_regular, lines_in, log_blocks, silent
from engine.showdown.hand_check import game_of_hand
from protocol.deals import parse_deals_note
from protocol.errors import GameDefError, MalformedLogLine
from protocol.handlog import Comment, HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from pathlib import Path

    from engine.handlogs.source.complaints import Complaints
    from protocol.deals import DealsOrigin
    from protocol.gamedef import GameDef
    from protocol.handlog import LogLine


_FIRST_BYTES: Final = 1 << 20
_HEADER_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One STATE line and where it stands."""

    log: Path
    line: int
    """Line number in the log, 1-based."""
    match: int
    """Headers before it in the log."""
    game: GameDef
    record: HandRecord
    header: Header | None = None
    """The last one before it."""
    note: DealsOrigin | None = None
    """What the log says there about its deals, where they are not those of the seed."""

    @property
    def where(self) -> str:
        """The usual "file:line"."""
        return f"{self.log}:{self.line}"


def hands_of(
    log: Path, game: FoundGame | None, complaints: Complaints, warn: Warn = silent
) -> Iterator[LoggedHand]:
    """Yield the hands of a log in order.

    Args:
        game: the game, where the user names it; else each header's.
        complaints: told of STATE lines that cannot be read.
        warn: as for `open_log`.

    Raises:
        LogError: the file cannot be read or its game is unknown.
    """
    header: Header | None = None
    note: DealsOrigin | None = None
    games = GameFinder(log, game)
    headers = 0
    for number, text in lines_in(log_blocks(log, warn=warn)):
        try:
            record = parse_log_line(text)
        except MalformedLogLine as error:
            if text.startswith("STATE:"):
                complaints.add(f"{log}:{number}", error)
            continue
        if isinstance(record, Header):
            headers += 1
            header, note = record, None
        elif isinstance(record, Comment):
            note = parse_deals_note(record.text) or note
        elif isinstance(record, HandRecord):
            try:
                played = game_of_hand(games(header, record).game, record)
            except GameDefError as error:
                complaints.add(f"{log}:{number}", error)
                continue
            yield LoggedHand(log, number, headers, played, record, header, note)


def first_header(log: Path, warn: Warn = silent) -> Header | None:
    """Return the header of a file among its first lines, None where there is none or no file."""
    if not is_regular(log):
        return None
    with suppress(LogError):  # reading it tells
        for record in readable(
            islice(lines_in(log_blocks(log, _FIRST_BYTES, warn=warn)), _HEADER_LINES)
        ):
            if isinstance(record, Header):
                return record
    return None


def readable(lines: Iterable[tuple[int, str]]) -> Iterator[LogLine]:
    """Yield what lines of a log say, those left out that cannot be read."""
    for _, text in lines:
        with suppress(MalformedLogLine):
            yield parse_log_line(text)
