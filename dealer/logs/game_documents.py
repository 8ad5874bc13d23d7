"""The game of a log as JSON, for the page that shows hands in a browser."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from dealer.logs.errors import LogError
from dealer.logs.files import open_log
from dealer.logs.games import FoundGame, find_log_game
from dealer.logs.text_blocks import lines_of
from protocol.errors import MalformedLogLine
from protocol.gamedef import UNLIMITED_STACK
from protocol.handlog import HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.gamedef import GameDef

_FIRST_BYTES: Final = 1 << 16
_FIRST_LINES: Final = 1000
"""Among which the header is, or a hand."""


def first_game(log: Path) -> FoundGame:
    """Return the game of a log's first header, or of its first hand where that comes before.

    Raises:
        LogError: the log cannot be read, or neither is there, or the game is not found.
    """
    try:
        with open_log(log, again=True) as source:
            for _, text in islice(lines_of(source, _FIRST_BYTES), _FIRST_LINES):
                try:
                    record = parse_log_line(text)
                except MalformedLogLine:
                    continue
                if isinstance(record, Header):
                    return find_log_game(record, log)
                if isinstance(record, HandRecord):
                    return find_log_game(None, log, record)
    except OSError as error:
        raise LogError(f"{log}: {error.strerror or error}") from error
    return find_log_game(None, log)


def game_document(name: str, game: GameDef) -> dict[str, Any]:
    """Return a game as plain values: all that a reader of its STATE lines needs.

    Positions and streets are 0-based.  "stacks" is null where they have no end, "raiseSizes" where
    the game gives none; 255 of "maxRaises" is no limit.

    Args:
        name: of the game, for people.
    """
    limited = any(stack != UNLIMITED_STACK for stack in game.stacks)
    return {
        "name": name,
        "betting": "nolimit" if game.no_limit else "limit",
        "players": game.players,
        "rounds": game.streets,
        "stacks": list(game.stacks) if limited else None,
        "blinds": list(game.blinds),
        "raiseSizes": list(game.raise_sizes) or None,
        "firstPlayers": list(game.first_positions),
        "maxRaises": list(game.max_raises),
        "suits": game.suits,
        "ranks": game.ranks,
        "holeCards": game.hole_cards,
        "boardCards": list(game.board_cards),
    }
