"""The server's settings, from TOML; each has a default, so that no file is needed.

`SAMPLE_CONFIG` names them all.
"""

from __future__ import annotations

import ipaddress
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import (
    BotKind,
    Participant,
    parse_bots,
    possibly_shipped,
    program_words,
    shipped_bots,
)
from dealer.errors import MatchError
from dealer.hub.acpc_config import GAME_SUFFIX, AcpcConfig, read_acpc_config
from dealer.hub.errors import ServerError
from dealer.hub.tokens import ANY_GUEST, NAME_PATTERN
from engine.errors import EngineError, UnreadableText
from engine.storage.documents import toml_document
from engine.storage.plain_text import plain_bytes
from protocol.errors import GameDefError
from protocol.gamedefs import builtin_path, load_builtin

SAMPLE_CONFIG: Final = """\
name = "arena"                 # in logs and on the board
listen = "127.0.0.1"           # 0.0.0.0: all addresses of this machine
port = 9380                    # 0: any that is free
hosts = ["poker.example.org"]  # names by which clients reach it, beside its address
proxies = ["127.0.0.1"]        # reverse proxies, whose word on who asks is taken
games = ["hunl", "hulhe"]      # built-in games that may be asked for

# [acpc]                       # a door for clients of the ACPC benchmark server
# config = "bm_server.config"  # users, passwords, games and bots in that server's form
# listen = "127.0.0.1"         # passwords and cards go over this line as plain text

# [slumbot]                    # a door for clients of slumbot.com
# bot = "rule"                 # house bot that they play; without it blueprint, or the first
# sessions = 16                # of clients, at once
# address_sessions = 4         # of one address
# idle_seconds = 900           # without a request, after which a session ends
# hands = 1000                 # of a match: a session has one after the other
# baseline_seconds = 10        # that the end of a hand waits for its baseline; 0: none is played

# [tls]
# cert = "server.pem"          # relative to this file
# key = "server.key"
# clients = "course.pem"       # authorities: who has no certificate of theirs is not let in

[limits]
matches = 16                   # at once
processes = 0                  # that play them; 0: one a core
response_ms = 60_000           # of a seat for one answer
per_hand_ms = 7_000            # of a seat on average
start_seconds = 60             # until a bot has taken its seat
reconnect_seconds = 30         # that a lost bot may stay away
match_seconds = 14_400         # of a whole match
aivat_seconds = 600            # of CPU time for AIVAT of a match; 0: none is computed
forfeits = 5                   # in a row, after which a bot is put on probation
connections = 2000             # of clients, at once
address_connections = 200      # of one address
address_rate = 20              # requests and new connections of one address, a second

[quotas]                       # of an account that has none of its own
matches_at_once = 4
hands_a_day = 1_000_000
hands_a_match = 100_000

[spectators]                   # of matches that are being played; logs of others are open to all
who = "everybody"              # may watch; nobody, or owners: of the bots that play
cards = "none"                 # until the match is over; shown: boards, and hands at showdowns
delay_hands = 0                # behind the slowest leg of the match

[[house]]
bot = "rule"                   # as a BOT of arena match: a shipped bot or a program
at_once = 4                    # seats it plays at the same time
# memory_mb = 2000             # of each of its processes

# [[house]]
# bot = "lab=./run.sh --fast"  # any program; lab is its name
# directory = "bots"           # in which it is started, relative to this file
"""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where TLS finds what it needs."""

    cert: str
    key: str
    clients: str = ""
    """Certificates of authorities whose clients are let in; "": clients need none."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much goes on at once, and how long it may take."""

    matches: int = 16
    processes: int = 0
    response_ms: int = 60_000
    per_hand_ms: int = 7_000
    start_seconds: int = 60
    reconnect_seconds: int = 30
    match_seconds: int = 14_400
    aivat_seconds: int = 600
    forfeits: int = 5
    connections: int = 2000
    address_connections: int = 200
    address_rate: int = 20


@dataclass(frozen=True, slots=True)
class Quotas:
    """What an account may take."""

    matches_at_once: int = 4
    hands_a_day: int = 1_000_000
    hands_a_match: int = 100_000


@dataclass(frozen=True, slots=True)
class Spectators:
    """Who may watch a match that is being played, and what they see of it."""

    who: str = "everybody"
    cards: str = "none"
    delay_hands: int = 0


_CHOICES: Final = {"who": ("nobody", "owners", "everybody"), "cards": ("none", "shown")}
"""Of `Spectators`."""


@dataclass(frozen=True, slots=True)
class OfferedBot:
    """A bot that the server plays itself."""

    bot: Participant
    at_once: int = 4
    memory_mb: int | None = None
    games: frozenset[str] | None = None
    """That it plays, by every name of theirs; None: all."""
    numbered: bool = False
    """Whether its program is told its number among the house bots of a match, behind the port."""


@dataclass(frozen=True, slots=True)
class AcpcTable:
    """The door for clients of the ACPC benchmark server."""

    config: str
    """A file of that server's form, see `dealer.hub.acpc_config`."""
    listen: str = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SlumbotTable:
    """The door for clients of slumbot.com."""

    bot: str = ""
    """Name of the house bot that they play."""
    sessions: int = 16
    address_sessions: int = 4
    idle_seconds: int = 900
    hands: int = 1000
    baseline_seconds: int = 10


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """All settings."""

    name: str = "arena"
    listen: str = "127.0.0.1"
    port: int = 9380
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    games: tuple[str, ...] = ("hunl", "hulhe")
    tls: TlsFiles | None = None
    limits: ServerLimits = ServerLimits()
    quotas: Quotas = Quotas()
    spectators: Spectators = Spectators()
    house: tuple[OfferedBot, ...] = field(default=())
    acpc: AcpcConfig | None = None
    """None: there is no such door."""
    slumbot: SlumbotTable | None = None
    """The same; its bot is one that plays `SLUMBOT_GAME`."""


SLUMBOT_GAME: Final = "hunl"
_SLUMBOT_BOT: Final = "blueprint"
USUAL_HOUSE: Final = ("O1", "rule", "solid", "statistical", "blueprint", "libratus-fast")
"""BOT words of house bots of graded strength, where no config names others."""
_TABLES: Final[dict[str, type]] = {
    "acpc": AcpcTable,
    "slumbot": SlumbotTable,
    "tls": TlsFiles,
    "limits": ServerLimits,
    "quotas": Quotas,
    "spectators": Spectators,
}
_DAY_MS: Final = 86_400_000
_RANGES: Final = {
    "matches": (0, 100_000),
    "processes": (0, 1024),
    "response_ms": (1, _DAY_MS),
    "per_hand_ms": (1, _DAY_MS),
    "start_seconds": (1, 86_400),
    "reconnect_seconds": (0, 86_400),
    "match_seconds": (1, 100 * 86_400),
    "aivat_seconds": (0, 100 * 86_400),
    "forfeits": (1, 1_000_000),
    "connections": (1, 1_000_000),
    "address_connections": (1, 1_000_000),
    "address_rate": (1, 1_000_000),
}
"""Of `ServerLimits`: the least and the most that makes sense."""
_ANY_NUMBER: Final = (0, 10**12)
_MOST_PORT: Final = 2**16 - 1
_MOST_NUMBER: Final = 1_000_000
"""Of seats, and of megabytes, of a house bot; and of hands."""
_LISTS: Final = ("hosts", "proxies", "games")
_HOUSE_KEYS: Final = {"bot": str, "at_once": int, "memory_mb": int, "directory": str}


def read_config(
    path: Path | None, acpc: Path | None = None, *, slumbot: bool = False
) -> ServerConfig:
    """Return the settings of a file; None: the defaults.

    Args:
        acpc: file of the ACPC benchmark server's form, in place of that of the settings.
        slumbot: whether there is a door for Slumbot's clients, also where the settings have none.

    Raises:
        ServerError: it cannot be read, or has something that is none.
    """
    folder = Path.cwd() if path is None else path.absolute().parent
    document: dict[str, Any] = {}
    if path is not None:
        try:
            document = toml_document(plain_bytes(path).decode())
        except UnreadableText as error:
            raise ServerError(str(error)) from error
        except ValueError as error:
            raise ServerError(f"{path}: {error}") from error
    try:
        if slumbot:
            document.setdefault("slumbot", {})
        config, table = _config(document, folder)
    except ServerError as error:
        raise ServerError(f"{path}: {error}" if path is not None else str(error)) from error
    if acpc is None and table is None:
        return config
    door = read_acpc_config(
        acpc or folder / (table.config if table is not None else ""),
        [offered.bot.label for offered in config.house],
    )
    return replace(config, acpc=door if table is None else replace(door, listen=table.listen))


def _config(document: dict[str, Any], folder: Path) -> tuple[ServerConfig, AcpcTable | None]:
    house = document.pop("house", [{"bot": bot} for bot in USUAL_HOUSE])
    values: dict[str, Any] = {}
    for name, kind in _TABLES.items():
        if name in document:
            values[name] = _record(kind, name, document.pop(name))
    for name in _LISTS:
        if name in document:
            texts = document.pop(name)
            if not isinstance(texts, list) or not all(map(_is_text, texts)):
                raise ServerError(f"{name} is a list of texts")
            values[name] = tuple(texts)
    acpc: AcpcTable | None = values.pop("acpc", None)
    usual: ServerConfig = _record(ServerConfig, "the config", document)
    config = replace(usual, **values)
    _check_addresses(config, acpc)
    for game in config.games:
        try:
            players = load_builtin(game).players
        except GameDefError as error:
            raise ServerError(f"games: {error}") from error
        if players != 2:
            raise ServerError(f"games: {game} is for {players} players; matches are of two")
    for key, choices in _CHOICES.items():
        if getattr(config.spectators, key) not in choices:
            raise ServerError(f"{key} of [spectators]: want {', '.join(choices)}")
    if config.tls is not None:
        files = {name: str(folder / text) for name, text in _texts(config.tls).items() if text}
        config = replace(config, tls=replace(config.tls, **files))
    config = replace(config, house=_house(house, folder))
    if config.slumbot is not None:
        config = replace(config, slumbot=_slumbot(config.slumbot, config.house))
    return config, acpc


def _slumbot(table: SlumbotTable, house: Sequence[OfferedBot]) -> SlumbotTable:
    """Return the settings of a door, with the house bot that it is for.  Raises ServerError."""
    names = [
        offered.bot.label
        for offered in house
        if offered.games is None or SLUMBOT_GAME in offered.games
    ]
    if not names:
        raise ServerError(f"[slumbot]: no house bot plays {SLUMBOT_GAME}")
    usual = _SLUMBOT_BOT if _SLUMBOT_BOT in names else names[0]
    bot = table.bot or usual
    if bot not in names:
        raise ServerError(f"bot of [slumbot]: want a house bot for {SLUMBOT_GAME}: {bot} is none")
    for key in ("sessions", "address_sessions", "idle_seconds"):
        if not getattr(table, key):
            raise ServerError(f"{key} of [slumbot]: want 1 or more")
    if not 2 <= table.hands <= _MOST_NUMBER or table.hands % 2:
        raise ServerError(f"hands of [slumbot]: want an even number from 2 to {_MOST_NUMBER:,}")
    return replace(table, bot=bot)


def _check_addresses(config: ServerConfig, acpc: AcpcTable | None) -> None:
    """Raise ServerError where nobody can listen at an address, or it is none."""
    if config.port > _MOST_PORT:
        raise ServerError(f"port: want 0 to {_MOST_PORT:,}")
    if not config.listen or (acpc is not None and not acpc.listen):
        raise ServerError("listen: want an address; 0.0.0.0 is every IPv4 interface")
    for proxy in config.proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as error:
            raise ServerError(f"proxies: {error}") from error


def _record(kind: type, where: str, table: object) -> Any:
    """Return a record of a table of TOML.  Raises ServerError."""
    if not isinstance(table, dict):
        raise ServerError(f"[{where}] is a table")
    known = {part.name: part for part in fields(kind)}
    for key, value in table.items():
        part = known.get(key)
        wanted = {"int": int, "str": str}.get(str(part.type)) if part is not None else None
        if wanted is None:
            raise ServerError(f"{key} is no key of {where}; there are {', '.join(known)}")
        if type(value) is not wanted or (wanted is str and not _is_text(value)):
            raise ServerError(f"{key}: want {'a whole number' if wanted is int else 'a text'}")
        least, most = _RANGES.get(key, _ANY_NUMBER)
        if isinstance(value, int) and not least <= value <= most:
            raise ServerError(f"{key}: want {least} to {most:,}")
    missing = [
        name for name, part in known.items() if part.default is MISSING and name not in table
    ]
    if missing:
        raise ServerError(f"[{where}] lacks {missing[0]}")
    return kind(**table)


def _is_text(value: object) -> bool:
    """Return whether a value is a text that a line can show, and a system call can take."""
    return isinstance(value, str) and value.isprintable()


def _texts(files: TlsFiles) -> dict[str, str]:
    return {part.name: getattr(files, part.name) for part in fields(files)}


def _house(tables: object, folder: Path) -> tuple[OfferedBot, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ServerError("each house bot is a table [[house]]")
    if not tables:
        return ()
    words = [_house_bot(table) for table in tables]
    try:
        shipped = shipped_bots(possibly_shipped(words))
        bots = [
            parse_bots([word], shipped, folder / table.get("directory", ""))[0]
            for word, table in zip(words, tables, strict=True)
        ]
    except (MatchError, EngineError) as error:
        raise ServerError(str(error)) from error
    house: list[OfferedBot] = []
    for bot, table in zip(bots, tables, strict=True):
        if not NAME_PATTERN.fullmatch(bot.label):
            raise ServerError(f"{bot.label}: a name has up to 40 letters, digits, _ and -")
        if bot.label.lower() == ANY_GUEST:
            raise ServerError(f"{bot.label}: that is the word for any waiting bot")
        if bot.label.lower() in [other.bot.label.lower() for other in house]:
            raise ServerError(f"two house bots are called {bot.label}")
        where = (folder / table.get("directory", "")).resolve()
        directory = str(where) if "directory" in table or program_words(bot) else ""
        if directory and not os.path.isdir(directory):
            raise ServerError(f"there is no folder {directory}")
        settings = {key: table[key] for key in ("at_once", "memory_mb") if key in table}
        games = _games_of(shipped[bot.words[0]]) if bot.kind is BotKind.SHIPPED else None
        house.append(OfferedBot(replace(bot, directory=directory), games=games, **settings))
    return tuple(house)


def _games_of(aliases: Iterable[str]) -> frozenset[str]:
    """Return all names of games that are given by short ones."""
    paths = {alias: builtin_path(alias).name for alias in aliases}
    return frozenset(
        name
        for alias, file in paths.items()
        for name in (alias, file, file.removesuffix(GAME_SUFFIX))
    )


def _house_bot(table: Mapping[str, Any]) -> str:
    for key, value in table.items():
        if type(value) is not _HOUSE_KEYS.get(key) or (
            isinstance(value, str) and not _is_text(value)
        ):
            raise ServerError(
                f"{key} = {value!r:.40} in [[house]]: there are {', '.join(_HOUSE_KEYS)}"
            )
        if isinstance(value, int) and not 1 <= value <= _MOST_NUMBER:
            raise ServerError(f"{key} in [[house]]: want 1 to {_MOST_NUMBER:,}")
    try:
        if not shlex.split(table.get("bot", "")):
            raise ServerError("a [[house]] has no bot")
    except ValueError as error:
        raise ServerError(f"{table['bot']}: {error}") from error
    word: str = table["bot"]
    return word
