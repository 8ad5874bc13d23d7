"""What the server knows while it runs: settings, store, who is there, and what is being played.

It decides nothing: `dealer.hub.hub` does, and others read it.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dealer.hub.offers import RelayChannel
from dealer.hub.server_config import OfferedBot, ServerConfig
from dealer.hub.store import Account, BotVersion, MatchRequest, Store, StoredMatch
from dealer.hub.watched_match import WatchedMatch
from engine.console.version import program_version
from engine.storage.atomic import write_whole
from protocol.gamedef import format_gamedef
from protocol.gamedefs import load_builtin

_DAY_SECONDS: Final = 86_400.0


@dataclass(slots=True)
class ActiveMatch:
    """A match that is being played."""

    record: StoredMatch
    versions: tuple[BotVersion, BotVersion]
    """First and second."""
    legs: dict[str, int]
    """Legs that are played, by key: their numbers."""
    hands: dict[str, int]
    """That are over, by leg."""
    attempts: int = 0
    stopping: str = ""
    """Why its legs are being stopped, "" where they are not."""
    culprit: BotVersion | None = None
    house: dict[str, OfferedBot] = field(default_factory=dict)
    """House bots in it as they were offered when it was begun, by name."""
    deadline: asyncio.TimerHandle | None = None
    """Stops it where it takes too long."""

    def seats(self, number: int) -> tuple[BotVersion, BotVersion]:
        """Return who sits where in a leg."""
        first, second = self.versions
        return (first, second) if number == 0 else (second, first)


class HubState:
    """All of it."""

    def __init__(self, config: ServerConfig, folder: Path, store: Store, house_digest: str) -> None:
        """Make the folders and files of a server, and note the versions of its house bots."""
        self.folder: Final = folder
        self.store: Final = store
        self._house_digest = house_digest
        self.config: ServerConfig
        self.offered: dict[str, OfferedBot]
        """House bots, by name."""
        self.house: dict[str, BotVersion]
        """Their versions, by name."""
        self.offers: Final[dict[int, OfferedBot]] = {}
        """All house bots since the start, by the number of their version."""
        self.configure(config)
        self.channels: Final[defaultdict[int, RelayChannel]] = defaultdict(RelayChannel)
        """What the relays of each version hear."""
        self.running: Final[dict[int, ActiveMatch]] = {}
        """Matches that are played, by number."""
        self.watched: Final[dict[int, WatchedMatch]] = {}
        """Of these, those that have had spectators."""
        self.reasons: dict[int, str] = {}
        """Number of a request -> why it waits."""
        self.ratings: dict[str, Any] = {}
        """By game, see `dealer.hub.board_ratings`."""
        self._versions: dict[int, BotVersion] = {}

    def configure(self, config: ServerConfig) -> None:
        """Take over settings.

        Raises:
            ServerError, OSError: they cannot be; all is as it was.
        """
        offered = {bot.bot.label: bot for bot in config.house}
        _write_games(self.folder, config.games)
        digest, now = self._house_digest, time.time()
        house = {
            label: self.store.version(None, label, *_house_version(bot, digest), now)
            for label, bot in offered.items()
        }
        self.config, self.offered, self.house = config, offered, house
        self.offers.update({house[label].id: bot for label, bot in offered.items()})

    def hopeless(self) -> dict[int, str]:
        """Return the waiting requests that no config of today lets be played, and why."""
        former = {v.name for v in self.store.versions() if v.account is None} - self.house.keys()
        reasons = {}
        for request in self.store.waiting_requests():
            if request.game not in self.config.games:
                reasons[request.id] = f"{request.game} is not played here any more"
            elif request.opponent in former:
                reasons[request.id] = f"{request.opponent} is no bot of the house any more"
        return reasons

    def keep(self, version: BotVersion) -> None:
        """Note a version that was stored."""
        self._versions[version.id] = version

    def hands_today(self, account: Account) -> int:
        """Return how many hands an account has begun in the last 24 hours."""
        return self.store.hands_since(account.id, time.time() - _DAY_SECONDS)

    def quota(self, account: Account, name: str) -> int:
        """Return a quota of an account, its own or the usual one."""
        own: int | None = getattr(account, name)
        usual: int = getattr(self.config.quotas, name)
        return usual if own is None else own

    def version(self, number: int) -> BotVersion:
        """Return a version by its number."""
        if number not in self._versions:
            self._versions |= {version.id: version for version in self.store.versions()}
        return self._versions[number]

    def waiting(self) -> list[MatchRequest]:
        """Return the requests that wait and whose bot is there."""
        return [
            request
            for request in self.store.waiting_requests()
            if self.channels[request.version].relays
        ]

    def why_waiting(self, request: MatchRequest) -> str:
        """Return why a request waits, "" where it does not."""
        if request.state != "waiting":
            return ""
        if not self.channels[request.version].relays:
            return "no relay of this version of the bot is connected"
        return self.reasons.get(request.id, "")

    def match_folder(self, number: int) -> Path:
        """Return the folder of a match's files."""
        return self.folder / "matches" / f"{number:08}"

    def leg_logs(self, record: StoredMatch) -> list[Path]:
        """Return the logs of a match, by leg."""
        folder = self.match_folder(record.id)
        return [folder / f"leg{number}.log" for number in range(1 + record.pairs)]

    def game_file(self, game: str) -> Path:
        """Return the file of a game's definition."""
        return self.folder / "games" / f"{game}.game"

    def labels(self, record: StoredMatch) -> tuple[str, str]:
        """Return the names of both bots in the logs of a match, which differ."""
        first, second = self.version(record.first).name, self.version(record.second).name
        return first, second if second != first else f"{second}-2"

    def version_now(self, version: BotVersion) -> BotVersion:
        """Return a version as it stands in the store by now."""
        self._versions.clear()
        return self.version(version.id)


def _house_version(bot: OfferedBot, programs: str) -> tuple[str, str]:
    """Return the version label and the digest of a house bot."""
    text = "\0".join((programs, *bot.bot.words))
    return program_version(), hashlib.sha256(text.encode()).hexdigest()


def _write_games(folder: Path, games: tuple[str, ...]) -> None:
    for name in ("games", "matches", "house"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for game in games:
        path = folder / "games" / f"{game}.game"
        if not path.exists():
            write_whole(path, format_gamedef(load_builtin(game)))
