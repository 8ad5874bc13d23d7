"""Settings of the ACPC benchmark server's form: users, games with their bots, limits.

    port 54000                      startupTimeoutSecs 60         user NAME PASSWORD
    maxRunningBots 0                responseTimeoutSecs 600
                                    handTimeoutSecs 21000         0 of a number of bots or jobs:
                                    avgHandTimeSecs 7             as many as there are
    game FILE {
        maxMatchRuns 10             of one request
        maxRunningJobs 1            matches of the game at a time
        matchHands 5000
        bot NAME SCRIPT             SCRIPT is started with address, port, and its number among the
    }                               bots of the match, from 0

Keywords may be written in any case.  A line that begins with # or ; is skipped, and so is what
follows the last value of a line behind one of them.  Paths are relative to the file.

Source: the published server; different on purpose: a line with more than it takes is refused, and
so are numbers that do not fit and a block that is not closed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dealer.hub.errors import ServerError
from dealer.hub.tokens import ANY_GUEST, NAME_PATTERN
from dealer.plan.match_plan import MatchLimits
from engine.errors import UnreadableText
from engine.storage.plain_text import plain_bytes
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import builtin_aliases, builtin_names, load_builtin

LOCAL: Final = "LOCAL"
"""The player that the asking client brings."""
MOST_HANDS: Final = 10_000_000
"""Of a match."""
_USUAL: Final = {
    "port": 54000,
    "maxRunningBots": 0,
    "startupTimeoutSecs": 60,
    "responseTimeoutSecs": 600,
    "handTimeoutSecs": 21_000,
    "avgHandTimeSecs": 7,
}
_USUAL_OF_GAMES: Final = {"maxMatchRuns": 10, "maxRunningJobs": 1, "matchHands": 5000}
_MOST: Final = 65535
_KEYWORDS: Final = {
    keyword.lower(): keyword for keyword in (*_USUAL, *_USUAL_OF_GAMES, "user", "game", "bot")
}
_COMMENTS: Final = ("#", ";")
GAME_SUFFIX: Final = ".game"
_GAME_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
_PLAYERS: Final = (2, 3)


@dataclass(frozen=True, slots=True)
class AcpcProgram:
    """A bot of a game."""

    name: str
    script: Path
    """Absolute."""


@dataclass(frozen=True, slots=True)
class AcpcGame:
    """A game that clients may ask for."""

    file: str
    """As the config names it, and clients do."""
    name: str
    """On the server: that of a built-in game, where it is one."""
    definition: GameDef
    most_runs: int
    """Of one request."""
    most_jobs: int
    """Matches at a time; 0: as many as there are."""
    hands: int
    """Of a match."""
    programs: tuple[AcpcProgram, ...]
    """In the order of the file."""


@dataclass(frozen=True, slots=True)
class AcpcConfig:
    """All of it."""

    path: Path
    port: int
    most_bots: int
    """Bots of the server that play at a time; 0: as many as there are."""
    limits: MatchLimits
    users: Mapping[str, str] = field(repr=False)
    """Name -> password."""
    games: tuple[AcpcGame, ...]
    """In the order of the file."""
    notes: tuple[str, ...] = ()
    """A line for each game that is not offered."""
    listen: str = "127.0.0.1"


def read_acpc_config(path: Path, house: Collection[str] = ()) -> AcpcConfig:
    """Return the settings of a file.

    Args:
        house: names of the server's house bots, which no user and no bot may have.

    Raises:
        ServerError: it cannot be read; or a line is none, and its number is named.
    """
    try:
        text = plain_bytes(path).decode()
    except UnreadableText as error:
        raise ServerError(str(error)) from error
    except UnicodeError:
        raise ServerError(f"{path}: it is not UTF-8") from None
    reader = _Reader(path.absolute(), {name.lower() for name in house})
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.take(line.split())
        except ServerError as error:
            raise ServerError(f"{path}:{number}: {error}") from error
    try:
        return reader.config()
    except ServerError as error:
        raise ServerError(f"{path}:{number}: {error}") from error


class _Block:
    """A game that is being read."""

    def __init__(self, file: str, definition: GameDef) -> None:
        self.file = file
        self.definition = definition
        self.numbers = dict(_USUAL_OF_GAMES)
        self.programs: list[AcpcProgram] = []

    def game(self, name: str) -> AcpcGame:
        numbers = self.numbers
        return AcpcGame(
            self.file,
            name,
            self.definition,
            numbers["maxMatchRuns"],
            numbers["maxRunningJobs"],
            numbers["matchHands"],
            tuple(self.programs),
        )


class _Reader:
    """Takes the lines of a file, one after the other; each may raise ServerError."""

    def __init__(self, path: Path, house: Collection[str]) -> None:
        self._path = path
        self._house = house
        self._numbers = dict(_USUAL)
        self._users: dict[str, str] = {}
        self._user_names: set[str] = set()
        """In small letters, as all names that are compared."""
        self._bot_names: set[str] = set()
        self._games: list[AcpcGame] = []
        self._files: list[str] = []
        self._notes: list[str] = []
        self._block: _Block | None = None

    def take(self, words: list[str]) -> None:
        """Take a line."""
        if not words or words[0].startswith(_COMMENTS):
            return
        word = words[0]
        keyword = _KEYWORDS.get(word.lower())
        if word == "{" and len(words) == 1 and self._block is not None:
            return
        if word.startswith("}"):
            self._close()
        elif keyword is None:
            raise ServerError(
                f"{word[:40]} is no keyword; there are {', '.join(_KEYWORDS.values())}"
            )
        elif keyword in _USUAL_OF_GAMES or keyword == "bot":
            if self._block is None:
                raise ServerError(f"{keyword} belongs into the block of a game")
            if keyword == "bot":
                self._bot(self._block, *_values(words, "a name and a script"))
            else:
                self._block.numbers[keyword] = _number(words)
        elif self._block is not None:
            raise ServerError(f"{keyword} belongs outside of the block of a game")
        elif keyword == "user":
            self._user(*_values(words, "a name and a password"))
        elif keyword == "game":
            self._game(words)
        else:
            self._numbers[keyword] = _number(words)

    def config(self) -> AcpcConfig:
        """Return what all lines say."""
        if self._block is not None:
            raise ServerError(f"the block of {self._block.file} is not closed")
        numbers = self._numbers
        start = numbers["startupTimeoutSecs"]
        limits = MatchLimits(
            t_response=numbers["responseTimeoutSecs"] * 1000,
            t_hand=numbers["handTimeoutSecs"] * 1000,
            t_per_hand=numbers["avgHandTimeSecs"] * 1000,
            start_timeout=start * 1000 if start else -1,
        )
        return AcpcConfig(
            self._path,
            numbers["port"],
            numbers["maxRunningBots"],
            limits,
            self._users,
            tuple(self._games),
            tuple(self._notes),
        )

    def _user(self, name: str, password: str) -> None:
        _check_name("user", name)
        lower = name.lower()
        if lower in self._user_names:
            raise ServerError(f"there is a user {name} already")
        if lower in self._house or lower in self._bot_names:
            raise ServerError(f"user {name}: a bot is called so")
        self._user_names.add(lower)
        self._users[name] = password

    def _game(self, words: list[str]) -> None:
        file, *extra = words[1:] or ["{"]
        if file.endswith("{"):
            file = file.removesuffix("{")
        elif extra[:1] == ["{"]:
            del extra[0]
        _check_end(extra)
        if not file:
            raise ServerError("want the file of a game")
        if file in self._files:
            raise ServerError(f"{file} has a block already")
        self._files.append(file)
        self._block = _Block(file, _definition(self._path.parent, file))

    def _bot(self, block: _Block, name: str, script: str) -> None:
        _check_name("bot", name)
        lower = name.lower()
        if lower == LOCAL.lower():
            raise ServerError(f"{LOCAL} is the client's own bot")
        if lower in {program.name.lower() for program in block.programs}:
            raise ServerError(f"there is a bot {name} of {block.file} already")
        if lower in self._house or lower in self._user_names:
            raise ServerError(f"bot {name}: a user or a house bot is called so")
        path = self._path.parent / script
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            raise ServerError(f"bot {name}: {script} is no program that may be executed")
        block.programs.append(AcpcProgram(name, path))
        self._bot_names.add(lower)

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None:
            raise ServerError("there is no block to close")
        if not 1 <= block.numbers["matchHands"] <= MOST_HANDS:
            raise ServerError(f"matchHands: want 1 to {MOST_HANDS:,}")
        if block.definition.players not in _PLAYERS:
            players = block.definition.players
            self._notes.append(
                f"{self._path}: {block.file} is for {players} players and not offered: "
                "matches here are of two or three"
            )
            return
        game = block.game(_game_name(block.definition, block.file))
        if any(
            game.name == earlier.name and game.definition != earlier.definition
            for earlier in self._games
        ):
            raise ServerError(f"{block.file}: another game is called {game.name}")
        self._games.append(game)


def _values(words: list[str], what: str) -> tuple[str, str]:
    """Return the two values of a line."""
    if len(words) < 3:
        raise ServerError(f"{words[0]}: want {what}")
    _check_end(words[3:])
    return words[1], words[2]


def _number(words: list[str]) -> int:
    keyword = _KEYWORDS[words[0].lower()]
    most = MOST_HANDS if keyword == "matchHands" else _MOST
    text = words[1] if len(words) > 1 else ""
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise ServerError(f"{keyword}: want a whole number, 0 to {most:,}")
    _check_end(words[2:])
    return int(text)


def _check_end(words: list[str]) -> None:
    if words and not words[0].startswith(_COMMENTS):
        raise ServerError("there is more on the line than it takes")


def _check_name(kind: str, name: str) -> None:
    if not NAME_PATTERN.fullmatch(name):
        raise ServerError(f"{kind} {name[:40]}: a name has up to 40 letters, digits, _ and -")
    if name.lower() == ANY_GUEST:
        raise ServerError(f"{kind} {name}: that is the word for any waiting bot")


def _definition(folder: Path, file: str) -> GameDef:
    """Return the game of a file; where there is no such file, the built-in one of its name."""
    path = folder / file
    if not os.path.lexists(path):
        if file.removesuffix(GAME_SUFFIX) in builtin_names():
            return load_builtin(file)
        raise ServerError(f"there is no file {file}, and no built-in game of this name")
    try:
        return parse_gamedef(plain_bytes(path))
    except UnreadableText as error:
        raise ServerError(str(error)) from error
    except GameDefError as error:
        raise ServerError(f"{file}: {error}") from error


def _game_name(definition: GameDef, file: str) -> str:
    """Return what a game is called on the server."""
    for alias in builtin_aliases():
        if load_builtin(alias) == definition:
            return alias
    name = Path(file).name.removesuffix(GAME_SUFFIX)
    if not _GAME_NAME.fullmatch(name) or name in (*builtin_aliases(), *builtin_names()):
        raise ServerError(f"{file}: want another name for a game that is not built in")
    return name
