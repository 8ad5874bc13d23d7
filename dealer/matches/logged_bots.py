"""Who played in logs, as far as they lie in match folders: then the manifest tells it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dealer.bots.participants import BotKind
from dealer.errors import MatchError
from dealer.legs.manifest import Manifest, read_manifest
from dealer.legs.sit_in import SIT_IN_NAME, LoggedBot


def logged_bots(logs: Iterable[Path]) -> tuple[LoggedBot, ...]:
    """Return the shipped bots of logs, by the names that the logs give them.

    Logs outside match folders, or beside a manifest that cannot be read, tell of none.  A name that
    is one bot in one log and another bot in another is left out.
    """
    found: dict[str, LoggedBot] = {}
    doubtful: set[str] = set()
    manifests: dict[Path, Manifest | None] = {}
    for log in logs:
        folder = log.parent
        if folder not in manifests:
            try:
                manifests[folder] = read_manifest(folder)
            except MatchError:
                manifests[folder] = None
        manifest = manifests[folder]
        for bot in () if manifest is None else _bots_of(manifest, log):
            if found.setdefault(bot.label, bot) != bot:
                doubtful.add(bot.label)
    return tuple(bot for bot in found.values() if bot.label not in doubtful)


def _bots_of(manifest: Manifest, log: Path) -> tuple[LoggedBot, ...]:
    """Return the shipped bots of a log of a match, none where it is no log of it."""
    if log.name == SIT_IN_NAME:
        return () if manifest.sit_in is None else manifest.sit_in.bots
    if log.stem not in {leg.name for leg in manifest.legs()}:
        return ()
    return tuple(
        LoggedBot(bot.label, bot.words) for bot in manifest.bots if bot.kind is BotKind.SHIPPED
    )
