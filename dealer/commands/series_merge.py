"""The shards of a match or tournament joined in one folder, and the usual ending in it."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from dealer.commands.match import read_arguments as read_match
from dealer.commands.match_report import play_match_request
from dealer.commands.tournament import read_arguments as read_tournament
from dealer.commands.tournament_report import play_tournament
from dealer.errors import MatchUsageError
from dealer.series.folder import (
    LEDGER_NAME,
    PAIRINGS_NAME,
    discard_folder,
    leg_files,
    locked,
    prepare_folder,
)
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.ledger import LegEntry, TournamentLedger, digest_of_log
from dealer.series.leg_settings import LegSettings
from dealer.series.logs import MatchLogs
from dealer.series.manifest import (
    MANIFEST_NAME,
    TOURNAMENT_NAME,
    Manifest,
    differences,
    read_manifest,
)
from dealer.series.outcome import finished_leg
from dealer.series.schedule import Leg
from dealer.series.series import Series
from engine.console.shard_records import MergeRequest, StoredShard, unfinished
from engine.errors import ShardError

_AIVAT_OPTIONS = ("--known", "--values")


def merge_match(request: MergeRequest) -> int:
    """Make one match of its shards, and show its result; return the exit code.

    Raises:
        MatchError, ShardError: they cannot be joined.
    """
    out = _join(request, MANIFEST_NAME)
    given = read_match(_ending(request, out))
    given.json = request.json
    return play_match_request(given, _words(request, out))


def merge_tournament(request: MergeRequest) -> int:
    """Make one tournament of its shards, and show its standings; return the exit code.

    Raises:
        MatchError, ShardError: they cannot be joined.
    """
    out = _join(request, TOURNAMENT_NAME)
    given, entries = read_tournament(_ending(request, out))
    given.json = request.json
    return play_tournament(given, entries, _words(request, out))


def _ending(request: MergeRequest, out: Path) -> list[str]:
    """Return the words that show the result of a folder in which nothing is left to play."""
    words, asked = ["--resume", str(out), "--quiet"], iter(request.arguments)
    for word in asked:
        if word in _AIVAT_OPTIONS:
            words += [word, next(asked, "")]
        elif word == "--aivat" or word.partition("=")[0] in _AIVAT_OPTIONS:
            words.append(word)
    return words


def _words(request: MergeRequest, out: Path) -> list[str]:
    """Return the words of the command for the record, as if it had been one run."""
    words = request.arguments
    for number, word in enumerate(words):
        if word == "--out":
            words[number + 1 : number + 2] = [str(out)]
        elif word.startswith("--out="):
            words[number] = f"--out={out}"
    return words


class _Part:
    """The folder in which a shard was played."""

    def __init__(self, stored: StoredShard, name: str) -> None:
        self.shard = stored.record.shard
        self.folder = stored.folder / self.shard.name
        self.manifest = read_manifest(self.folder, name)
        self._entries: dict[str, LegEntry] = {}
        if not self.manifest.is_match:
            ledger = TournamentLedger(self.folder / LEDGER_NAME, self.manifest.digest)
            self._entries = ledger.entries

    def entry(self, match: MatchLogs, leg: Leg) -> LegEntry | None:
        """Return what its ledger has of a leg that is over; None in a match, which has none.

        Raises:
            ShardError: the leg is not over, or its log is damaged.
        """
        if self.manifest.is_match:
            over = finished_leg(match.manifest, self.folder, leg) is not None
        else:
            over = leg.name in self._entries
        if not over:
            raise unfinished(self.shard, f"{leg.name} of {self.folder}")
        entry = self._entries.get(leg.name)
        if entry is not None:
            log = self.folder / PAIRINGS_NAME / match.folder.name / f"{leg.name}.log"
            if digest_of_log(log) != entry.sha256:
                raise ShardError(f"{log} is not the log that {self.folder / LEDGER_NAME} tells of")
        return entry


def _join(request: MergeRequest, name: str) -> Path:
    """Copy the legs of all shards into a new folder; return it."""
    out, parts = request.folder(), [_Part(stored, name) for stored in request.shards]
    manifest = parts[0].manifest
    for part in parts:
        if different := differences(manifest, part.manifest, f"in {parts[0].folder}"):
            raise MatchUsageError(f"{part.folder} is of another result: {'; '.join(different)}")
    deals = None if manifest.deals is None else parts[0].folder / DEALS_COPY_NAME
    prepare_folder(out, manifest, force=False, deals=deals)
    with ExitStack() as failed, ExitStack() as locks:
        failed.callback(discard_folder, out, manifest)
        for folder in (out, *(part.folder for part in parts)):
            locks.enter_context(locked(folder))
        _copy_legs(_series(out, manifest), parts)
        failed.pop_all()
    return out


def _series(out: Path, manifest: Manifest) -> Series:
    ledger = None if manifest.is_match else TournamentLedger(out / LEDGER_NAME, manifest.digest)
    return Series(manifest, out, -1, _plays_nothing, ledger=ledger)


def _plays_nothing(_manifest: Manifest, _folder: Path, _lock: int) -> LegSettings:
    raise AssertionError("no leg is left")


def _copy_legs(whole: Series, parts: list[_Part]) -> None:
    """Copy the files of all legs, and enter them in their order.

    Raises:
        ShardError: a leg is not over; nothing is copied.
    """
    legs = [
        (whole.match(pairing), leg, part)
        for (pairing, leg), part in zip(whole.legs_of(whole.pairings()), cycle(parts), strict=False)
    ]
    entries = [part.entry(match, leg) for match, leg, part in legs]
    for (match, leg, part), entry in zip(legs, entries, strict=True):
        source = part.folder
        if entry is not None:
            source = source / match.folder.relative_to(whole.folder)
            if not (match.folder / MANIFEST_NAME).exists():
                deals = whole.folder / DEALS_COPY_NAME
                prepare_folder(match.folder, match.manifest, force=False, deals=deals, link=True)
        for name in leg_files(leg):
            if (source / name).exists():
                shutil.copyfile(source / name, match.folder / name)
        if entry is not None:
            whole.ledger.add(entry)
