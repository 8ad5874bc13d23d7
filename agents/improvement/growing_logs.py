"""Logs that are being written while they are read: what is whole in them is counted.

Of a log the last line counts once it has its line end.  Lines that a killed writer left torn, and
hands that break the rules, are left out, as are logs of other games and files that are none; each
is told, none ends the reading.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from agents.errors import GameNotPlayed, TrainingError
from agents.improvement.logged_raises import HandCounts
from agents.training.logs import find_logs, game_of_log
from engine.errors import EngineError, LogError
from engine.handlogs.source.log_games import find_log_game
from engine.handlogs.source.opening import lines_in, log_blocks
from protocol.errors import ProtocolError
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord, Header, parse_log_line


def count_growing(
    counts: HandCounts, folder: Path, game: GameDef | None, warn: Callable[[str], None]
) -> None:
    """Count the hands of all logs of a folder.

    Args:
        game: of all logs; None: each log's header names it.
        warn: told what is left out, a line for each log.
    """
    try:
        logs = find_logs([folder])
    except LogError as error:
        warn(str(error))
        return
    for log in logs:
        try:
            _count_log(counts, log, game, warn)
        except (GameNotPlayed, LogError, TrainingError) as error:
            warn(f"left out: {error}")


def _count_log(
    counts: HandCounts, log: Path, game: GameDef | None, warn: Callable[[str], None]
) -> None:
    """Count the hands of a log.

    Raises:
        GameNotPlayed: the model does not play its game.
        LogError: it cannot be read, or its game is unknown.
        TrainingError: its header names another kind of game than `game`.
    """
    torn: list[str] = []
    for played, record, line in _whole_hands(log, game, torn):
        try:
            counts.add(played, record)
        except (EngineError, ProtocolError) as error:
            torn.append(f"{line}: {error}")
    if torn:
        warn(f"{log}: left out {len(torn):,} of its lines, as {torn[0]}")


def _whole_hands(
    log: Path, game: GameDef | None, torn: list[str]
) -> Iterator[tuple[GameDef, HandRecord, int]]:
    """Yield hands as `logged_hands` does; of lines that are none, `torn` gets number and reason."""
    current = game
    for line, text in lines_in(log_blocks(log, written=sys.maxsize)):
        try:
            record = parse_log_line(text)
        except ProtocolError as error:
            torn.append(f"{line}: {error}")
            continue
        if isinstance(record, Header):
            current = game_of_log(record, log, line, game)
        elif isinstance(record, HandRecord):
            if current is None:
                current = find_log_game(None, log, record).game
            yield current, record, line
