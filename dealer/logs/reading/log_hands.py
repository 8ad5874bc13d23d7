"""The hands of a log one by one, each with its game; for showing rather than for checking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealer.logs.reading.errors import Complaints, LogError
from dealer.logs.reading.files import lines_of, open_log
from dealer.logs.reading.log_games import FoundGame, find_log_game
from engine.handlogs.reading.hand_check import game_of_hand
from protocol.deals import parse_deals_note
from protocol.errors import GameDefError, MalformedLogLine
from protocol.handlog import Comment, HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.deals import DealsNote
    from protocol.gamedef import GameDef


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
    note: DealsNote | None = None
    """What the log says there about the deals file that was played."""

    @property
    def where(self) -> str:
        """The usual "file:line"."""
        return f"{self.log}:{self.line}"


def hands_of(log: Path, game: FoundGame | None, complaints: Complaints) -> Iterator[LoggedHand]:
    """Yield the hands of a log in order.

    Args:
        game: the game, where the user names it; else each header's.
        complaints: told of STATE lines that cannot be read.

    Raises:
        LogError: the file cannot be read or its game is unknown.
    """
    header: Header | None = None
    note: DealsNote | None = None
    found_game = game
    headers = 0
    try:
        with open_log(log) as source:
            for number, text in lines_of(source):
                try:
                    record = parse_log_line(text)
                except MalformedLogLine as error:
                    if text.startswith("STATE:"):
                        complaints.add(f"{log}:{number}", error)
                    continue
                if isinstance(record, Header):
                    headers += 1
                    if game is None and (header is None or header.game != record.game):
                        found_game = None
                    header, note = record, None
                elif isinstance(record, Comment):
                    note = parse_deals_note(record.text) or note
                elif isinstance(record, HandRecord):
                    if found_game is None:
                        found_game = find_log_game(header, log, record)
                    try:
                        played = game_of_hand(found_game.game, record)
                    except GameDefError as error:
                        complaints.add(f"{log}:{number}", error)
                        continue
                    yield LoggedHand(log, number, headers, played, record, header, note)
    except OSError as error:
        raise LogError(f"{log}: {error.strerror or error}") from error
