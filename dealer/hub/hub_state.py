"""What the server knows while it runs: settings, store, who is there, and what is being played.

It decides nothing: `dealer.hub.hub` does, and others read it.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, NamedTuple

from dealer.hub.acpc_config import AcpcConfig
from dealer.hub.errors import ServerError
from dealer.hub.house_bots import HouseBots, house_bots
from dealer.hub.offers import RelayChannel
from dealer.hub.server_config import SLUMBOT_GAME, OfferedBot, ServerConfig, SlumbotTable
from dealer.hub.store import Account, BotVersion, MatchRequest, Store, StoredMatch
from dealer.hub.tokens import new_token
from dealer.hub.watched_match import WatchedMatch
from dealer.plan.match_plan import MatchLimits
from engine.storage.atomic import write_whole
from protocol.gamedef import GameDef, format_gamedef, parse_gamedef
from protocol.gamedefs import load_builtin

SLUMBOT_GUEST: Final = "slumbot-guest"
"""Account and bot of clients of the door for Slumbot's that have not logged in."""
BASELINE: Final = "baseline"
"""The leg of an open-ended match in which the house bot plays both seats."""
_DAY_SECONDS: Final = 86_400.0


class EarlyGuest(NamedTuple):
    """A guest's connection at a seat of a leg that is not played yet."""

    leg: str
    seat: int
    connection: socket.socket
    received: bytes
    """What has come over it."""


@dataclass(slots=True)
class ActiveMatch:
    """A match that is being played."""

    record: StoredMatch
    versions: tuple[BotVersion, ...]
    """Who plays, in the seat order of leg 0."""
    legs: dict[str, int]
    """Legs that are played, by key: their numbers."""
    hands: dict[str, int]
    """That are over, by leg."""
    askers: tuple[BotVersion, ...]
    """Whose requests it is for."""
    attempts: int = 0
    stopping: str = ""
    """Why its legs are being stopped, "" where they are not."""
    culprit: BotVersion | None = None
    bots: dict[int, OfferedBot] = field(default_factory=dict)
    """House bots in it as they were offered when it was begun, by version."""
    deadline: asyncio.TimerHandle | None = None
    """Stops it where it takes too long."""
    unsaid: dict[int, MatchRequest] = field(default_factory=dict)
    """Requests whose words for the deals are still to be said, by version."""
    early: dict[str, EarlyGuest] = field(default_factory=dict)
    """Who has taken a seat before the deals are made, by the seat's key."""
    dealing: asyncio.TimerHandle | None = None
    """Makes the deals of the words that were said by then."""
    open_ended: bool = False
    """Whether it ends when its client wants, see `HubState.is_open_ended`."""
    concluded: bool = False
    """Whether it ends early, and what was played of it counts."""
    baseline: str = ""
    """Key of the leg in which the house bot plays both seats of the same deals; "": there is none,
    or it was lost."""

    def send_away(self) -> None:
        """Close the connections of those who have taken seats early."""
        for guest in self.early.values():
            guest.connection.close()
        self.early.clear()

    @property
    def owners(self) -> tuple[int, ...]:
        """Accounts that asked for it."""
        return tuple(version.account for version in self.askers if version.account is not None)

    @property
    def house(self) -> str | None:
        """Name of a house bot in it, None where there is none."""
        return next((version.name for version in self.versions if version.account is None), None)

    def seats(self, number: int) -> tuple[BotVersion, ...]:
        """Return who sits where in a leg."""
        return self.versions if number == 0 else self.versions[::-1]


class HubState:
    """All of it."""

    def __init__(self, config: ServerConfig, folder: Path, store: Store, house_digest: str) -> None:
        """Make the folders and files of a server, and note the versions of its house bots."""
        self.folder: Final = folder
        self.store: Final = store
        self._house_digest = house_digest
        self.config: ServerConfig
        self.bots: HouseBots
        self.offers: Final[dict[int, OfferedBot]] = {}
        """All house bots since the start, by the number of their version."""
        self.configure(config)
        self.channels: Final[defaultdict[int, RelayChannel]] = defaultdict(RelayChannel)
        """What the relays of each version hear."""
        self.running: Final[dict[int, ActiveMatch]] = {}
        """Matches that are played, by number."""
        self.watched: Final[dict[int, WatchedMatch]] = {}
        """Of these, those that have had spectators."""
        self.paused = ""
        """Why no matches are begun at present, "" where they are."""
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
        _write_games(self.folder, config)
        bots = house_bots(self.store, config, self._house_digest)
        if config.acpc is not None:
            _add_users(self.store, config.acpc)
        if config.slumbot is not None:
            _add_guest(self.store, config.slumbot)
        self.config, self.bots = config, bots
        self.offers.update(bots.offered)

    @property
    def house(self) -> dict[str, BotVersion]:
        """Versions of the house bots of the config, by name."""
        return self.bots.house

    def hopeless(self) -> dict[int, str]:
        """Return the waiting requests that no config of today lets be played, and why."""
        versions = self.store.versions()
        former = {v.name for v in versions if v.account is None} - self.bots.house.keys()
        gone = {
            v.id: v.name for v in versions if v.account is None and v.id not in self.bots.offered
        }
        reasons = {}
        for request in self.store.waiting_requests():
            if request.seats is not None:
                for name in [gone[version] for version in request.seats if version in gone]:
                    reasons[request.id] = f"{name} is no bot of the house any more"
            elif request.game not in self.config.games:
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
            return "no relay of this version of the bot is connected, and nobody plays it by HTTP"
        if self.paused:
            return f"the server begins no matches, since it cannot write: {self.paused}"
        return self.reasons.get(request.id, "")

    def match_folder(self, number: int) -> Path:
        """Return the folder of a match's files."""
        return self.folder / "matches" / f"{number:08}"

    def leg_log(self, match: int, leg: str) -> Path:
        """Return the log of a leg: a number, or `BASELINE`."""
        return self.match_folder(match) / f"{'' if leg == BASELINE else 'leg'}{leg}.log"

    def leg_logs(self, record: StoredMatch) -> list[Path]:
        """Return the logs of a match, by leg."""
        return [self.leg_log(record.id, str(number)) for number in range(1 + record.pairs)]

    def game_file(self, game: str) -> Path:
        """Return the file of a game's definition."""
        return self.folder / "games" / f"{game}.game"

    def game(self, name: str) -> GameDef:
        """Return a game that is played here, or was.  Raises OSError: there is none."""
        return parse_gamedef(self.game_file(name).read_bytes())

    def match_name(self, record: StoredMatch, leg: str) -> str:
        """Return the name of a leg in its log; where a client chose the seed it is USER.TAG."""
        if record.seed is not None:
            for number in self.store.askers(record.id):
                asker = self.version(number)
                return f"{asker.name}.{asker.label}"
        return f"{self.config.name}.{record.id}.{leg}"

    def is_open_ended(self, record: StoredMatch) -> bool:
        """Return whether a match is one of the door for Slumbot's clients: hands are played one by
        one as the client asks for them, and those that are over count whenever it ends.
        """
        requests = self.store.requests_of(record.id)
        return any(request.seating is not None and request.seed is None for request in requests)

    def limits(self, record: StoredMatch) -> MatchLimits:
        """Return the time limits of a match."""
        limits, acpc = self.config.limits, self.config.acpc
        if self.is_open_ended(record):  # its door has a limit of its own
            start, reconnect = limits.start_seconds * 1000, limits.reconnect_seconds
            return MatchLimits(-1, -1, -1, start, reconnect)
        if record.seed is not None and acpc is not None:
            return acpc.limits
        return MatchLimits(
            t_response=limits.response_ms,
            t_hand=-1,
            t_per_hand=limits.per_hand_ms,
            start_timeout=limits.start_seconds * 1000,
            reconnect=limits.reconnect_seconds,
        )

    def labels(self, record: StoredMatch) -> tuple[str, ...]:
        """Return the names of all bots in the logs of a match, which differ."""
        labels: list[str] = []
        for name in [self.version(number).name for number in record.versions]:
            choices = chain([name], (f"{name}-{number}" for number in count(2)))
            labels.append(next(label for label in choices if label not in labels))
        return tuple(labels)

    def version_now(self, version: BotVersion) -> BotVersion:
        """Return a version as it stands in the store by now."""
        self._versions.clear()
        return self.version(version.id)


def _add_users(store: Store, acpc: AcpcConfig) -> None:
    """Add the accounts of users that have none.  Raises ServerError: a bot is called so."""
    accounts = {account.name.lower(): account for account in store.accounts()}
    owners = {version.name.lower(): version.account for version in store.versions()}
    for user in acpc.users:
        account = accounts.get(user.lower())
        if account is None:
            account = store.add_account(user, new_token(user)[1], time.time())
        if owners.get(user.lower(), account.id) != account.id:
            raise ServerError(f"{acpc.path}: user {user}: somebody else's bot is called so")


def _add_guest(store: Store, slumbot: SlumbotTable) -> None:
    """Add the account of clients that have not logged in, and let it play as many matches as they
    may have sessions.  Raises ServerError: somebody else's bot is called so.
    """
    if SLUMBOT_GUEST not in [account.name for account in store.accounts()]:
        store.add_account(SLUMBOT_GUEST, new_token(SLUMBOT_GUEST)[1], time.time())
    account = store.change_account(SLUMBOT_GUEST, matches_at_once=slumbot.sessions)
    for version in store.versions():
        if version.name.lower() == SLUMBOT_GUEST and version.account != account.id:
            raise ServerError(f"[slumbot]: somebody else's bot is called {SLUMBOT_GUEST}")


def _write_games(folder: Path, config: ServerConfig) -> None:
    for name in ("games", "matches", "house"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    games = {name: load_builtin(name) for name in config.games}
    games |= {game.name: game.definition for game in (config.acpc.games if config.acpc else ())}
    if config.slumbot is not None:
        games[SLUMBOT_GAME] = load_builtin(SLUMBOT_GAME)
    for name, definition in games.items():
        path = folder / "games" / f"{name}.game"
        if not path.exists():
            write_whole(path, format_gamedef(definition))
        elif parse_gamedef(path.read_bytes()) != definition:
            raise ServerError(f"{name} is another game than {path}, by which matches were played")
