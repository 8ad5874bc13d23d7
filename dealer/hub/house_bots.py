"""The bots that the server plays itself: those of its config, and those of the ACPC door.

What results belong to is a version, and another program is another version: of a bot of the config
by all of our programs and its words, of a bot of the door by its script.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field

from dealer.bots.participants import BotKind, Participant
from dealer.hub.acpc_config import AcpcConfig
from dealer.hub.errors import ServerError
from dealer.hub.server_config import OfferedBot, ServerConfig
from dealer.hub.store import BotVersion, Store
from engine.console.version import program_version


@dataclass(frozen=True, slots=True)
class HouseBots:
    """All of them."""

    house: dict[str, BotVersion]
    """Those of the config, by name."""
    programs: dict[tuple[str, str], BotVersion] = field(default_factory=dict)
    """Those of the door, by the file of the game as its config names it, and name."""
    offered: dict[int, OfferedBot] = field(default_factory=dict)
    """How each is started, by version."""


def house_bots(store: Store, config: ServerConfig, digest: str) -> HouseBots:
    """Return the bots of a config; versions that are new are stored.

    Args:
        digest: of our programs.

    Raises:
        ServerError: one is called as somebody else's bot, or its script cannot be read.
    """
    bots = HouseBots({})
    for offered in config.house:
        text = "\0".join((digest, *offered.bot.words))
        version = store.version(
            None, offered.bot.label, program_version(), _sha256(text.encode()), time.time()
        )
        bots.house[offered.bot.label] = version
        bots.offered[version.id] = offered
    if config.acpc is not None:
        _add_programs(bots, store, config.acpc)
    return bots


def _add_programs(bots: HouseBots, store: Store, acpc: AcpcConfig) -> None:
    folder = str(acpc.path.parent)
    for game in acpc.games:
        for program in game.programs:
            try:
                digest = _sha256(program.script.read_bytes())
            except OSError as error:
                raise ServerError(f"{program.script}: {error.strerror or error}") from error
            words = (str(program.script),)
            bot = Participant(program.name, BotKind.COMMAND, words, directory=folder)
            version = store.version(None, program.name, game.name, digest, time.time())
            bots.programs[game.file, program.name] = version
            bots.offered[version.id] = OfferedBot(bot, numbered=True)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
