"""Which game a log is about.

In this order: the game named on the command line; the path in the log's header as it stands; the
same path from the folder the dealer was started in, as far as header and log file reveal it; a
file of that name beside the log; the built-in game of that name or alias.  A log without a header
may have a game file of its own name beside it, as `arena convert` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import LogError
from engine.handlogs.source.opening import is_regular, read_error
from protocol.errors import GameDefError
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin
from protocol.spelled_games import spelled_game

if TYPE_CHECKING:
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord, Header

_MAX_GAME_BYTES: Final = 1 << 20
_HEADS_UP: Final = "hunl"
_TWO: Final = 2


class FoundGame(NamedTuple):
    """A game and what to call it in a report."""

    game: GameDef
    label: str
    """A file's path or a built-in game's name."""
    path: Path | None = None
    """Its file."""


def game_from_argument(text: str) -> FoundGame:
    """Return the game that the user names: a file, else a built-in game.

    Raises:
        LogError: there is no such game, or its file cannot be used.
    """
    path = Path(text)
    if is_regular(path):
        return _read(path)
    try:
        return FoundGame(load_builtin(text), text, builtin_path(text))
    except GameDefError:
        raise LogError(
            f"--game {text}: neither a file nor a built-in game ({', '.join(builtin_aliases())})"
        ) from None


def game_from_header(header: Header, log: Path) -> FoundGame:
    """Return the game that a log's header names.

    Raises:
        LogError: it is not found, or its file cannot be used.
    """
    try:
        spelled = spelled_game(header.game)
    except GameDefError as error:
        raise LogError(f"{log}: its header: {error}") from error
    if spelled is not None:
        return FoundGame(spelled, _words_for(spelled))
    for path in _candidates(header, log):
        if is_regular(path):
            return _read(path)
    base = _base_name(header.game)
    try:
        label = f"built-in {base.removesuffix('.game')}"
        return FoundGame(load_builtin(base), label, builtin_path(base))
    except GameDefError:
        raise LogError(
            f"{log}: its game {header.game} is neither there, nor beside the log, nor built in; "
            "pass it with --game NAME|FILE"
        ) from None


def find_log_game(header: Header | None, log: Path, record: HandRecord | None = None) -> FoundGame:
    """Return the game of a log that the user does not name.

    Hands that state their stacks and blinds need no header: two players play no-limit hold'em.

    Args:
        record: a hand of the log.

    Raises:
        LogError: no header names the game, or it cannot be used.
    """
    if header is not None:
        return game_from_header(header, log)
    beside = log.with_suffix(".game")
    if is_regular(beside):
        return _read(beside)
    if record is not None and record.stakes is not None and len(record.values) == _TWO:
        return FoundGame(load_builtin(_HEADS_UP), _HEADS_UP, builtin_path(_HEADS_UP))
    aliases = ", ".join(builtin_aliases())
    raise LogError(f"{log}: no header names the game; pass --game FILE or one of {aliases}")


class GameFinder:
    """Finds the game of each hand of a log: the one that the user names, else its header's."""

    def __init__(self, log: Path, named: FoundGame | None) -> None:
        self._log = log
        self._named = named
        self._games: dict[str | None, FoundGame] = {}

    def __call__(self, header: Header | None, record: HandRecord) -> FoundGame:
        """Return the game of a hand behind a header.  Raises LogError, see `find_log_game`."""
        if self._named is not None:
            return self._named
        key = None if header is None else header.game
        if key not in self._games:
            self._games[key] = find_log_game(header, self._log, record)
        return self._games[key]


def _candidates(header: Header, log: Path) -> Iterator[Path]:
    yield Path(header.game)
    start = str(log).removesuffix(f"{header.name}.log")
    if start != str(log):
        yield Path(start) / header.game
    yield log.parent / header.game
    yield log.parent / _base_name(header.game)


def _words_for(game: GameDef) -> str:
    for alias in builtin_aliases():
        if load_builtin(alias) == game:
            return alias
    kind = "no-limit" if game.no_limit else "limit"
    return f"{kind} hold'em for {game.players}" if game.is_holdem else f"{kind} game"


def _base_name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _read(path: Path) -> FoundGame:
    try:
        with path.open("rb") as source:
            text = source.read(_MAX_GAME_BYTES)
        return FoundGame(parse_gamedef(text), str(path), path)
    except OSError as error:
        raise read_error(path, error) from error
    except GameDefError as error:
        raise LogError(f"{path}: {error}") from error
