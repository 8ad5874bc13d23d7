"""The folder of a match or tournament: begun, made longer, locked while it is worked in, deleted.

That of a tournament has its ledger and standings, and the folder of a match for each pairing.
Whoever changes anything in one holds the lock of the folder itself, so that the manifest may be
replaced meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import combinations
from pathlib import Path
from typing import Final

from dealer.deals.logged_seat import LoggedSeat
from dealer.errors import FolderInUse, MatchError
from dealer.series.given_deals import (
    DEALS_COPY_NAME,
    SIT_IN_AIVAT_NAME,
    SIT_IN_LOG_NAME,
    check_copy,
    copy_deals,
)
from dealer.series.manifest import (
    MANIFEST_NAME,
    TOURNAMENT_NAME,
    Manifest,
    read_manifest,
    write_manifest,
)
from dealer.series.outcome import REPLY_COUNTS_SUFFIX
from dealer.series.schedule import Leg, Pairing
from engine.storage.atomic import remove_unfinished, write_whole
from engine.storage.locks import take_lock

RESULT_NAME: Final = "result.json"
LEDGER_NAME: Final = "ledger.jsonl"
PAIRINGS_NAME: Final = "pairings"
STANDING_NAMES: Final = (
    "standings.txt",
    "standings.csv",
    "ranking.csv",
    "standings.json",
    "standings.html",
    "crosstable.svg",
)
LOCK_WAIT_SECONDS: Final = 5.0
_LEG_SUFFIXES: Final = (".log", ".tlog", ".err", ".end.json", ".events.jsonl", ".aivat")


def prepare_folder(
    folder: Path,
    manifest: Manifest,
    *,
    force: bool,
    deals: Path | None = None,
    seat: LoggedSeat | None = None,
    link: bool = False,
) -> None:
    """Make `folder` ready for a new match or tournament: its manifest, no files of an older one.

    Args:
        force: replace the one that is there.
        deals: the deals file, if one is played.
        seat: what a log says of the seat that the match plays again, if it does.
        link: see `copy_deals`.

    Raises:
        FolderInUse: it holds one and `force` is not set, one of the other kind, or files in the way
            that are nobody's.
        MatchError: it cannot be written.
    """
    what = manifest.what
    if folder.exists() and not folder.is_dir():
        raise MatchError(f"{what} folder {folder}: is a file; choose another folder (--out)")
    with _writing_into(folder, manifest):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder, patience=0.0):
            other_kind = TOURNAMENT_NAME if manifest.is_match else MANIFEST_NAME
            if (folder / other_kind).exists():
                kind = "tournament" if manifest.is_match else "match"
                raise FolderInUse(
                    f"{folder} holds a {kind}, not a {what}; choose another folder (--out)"
                )
            if (folder / manifest.file_name).exists():
                if not force:
                    raise FolderInUse(
                        f"{folder} already holds a {what}; resume it (--resume {folder}), "
                        "replace it (--force) or choose another folder (--out)"
                    )
                old_manifest = read_manifest(folder, manifest.file_name)
                if manifest.deals is not None and deals is not None:
                    copy_deals(deals, folder, manifest.deals)  # it may be the one in the folder
                _remove(folder, old_manifest, keep_deals=deals is not None)
                deals = None
            written = (
                {DEALS_COPY_NAME: seat.deals, SIT_IN_LOG_NAME: seat.log} if seat is not None else {}
            )
            names = _begun(manifest.legs()) if manifest.is_match else [LEDGER_NAME, PAIRINGS_NAME]
            given = [] if deals is None else [DEALS_COPY_NAME]
            _refuse_strangers(folder, manifest, [*names, *given, *written])
            if manifest.deals is not None and deals is not None:
                copy_deals(deals, folder, manifest.deals, link=link)
            for name, content in written.items():
                write_whole(folder / name, content)
            if manifest.is_match:
                (folder / manifest.game_name).write_text(manifest.game_text, encoding="utf-8")
            write_manifest(folder, manifest)


def settle_folder(folder: Path, stored: Manifest, wanted: Manifest) -> None:
    """Make what is in a folder as long as wanted, and clear away what killed writers left.

    Who calls holds the lock.  The manifest changes in one piece, and the legs' files are those of a
    match that was interrupted, so whenever this is cut short it can be resumed.

    Raises:
        FolderInUse: another match or tournament is there by now, or files in the way.
        MatchError: the folder cannot be written, or its deals file has changed.
    """
    if read_manifest(folder, stored.file_name) != stored:
        raise FolderInUse(f"the {stored.what} in {folder} was changed meanwhile; try again")
    if stored.deals is not None:
        check_copy(folder / DEALS_COPY_NAME, stored.deals.sha256)
    if stored.sit_in is not None:
        check_copy(folder / SIT_IN_LOG_NAME, stored.sit_in.sha256, "log of the seat")
    with _writing_into(folder, stored):
        remove_unfinished(folder, _written_whole(stored))
        if wanted == stored:
            return
        if stored.is_match:
            new = wanted.legs()[len(stored.legs()) :]
            _refuse_strangers(folder, wanted, _begun(new))
        write_manifest(folder, wanted)


def discard_folder(folder: Path, manifest: Manifest) -> None:
    """Delete the files of a match or tournament, and its folder where nothing else is in it.

    Raises:
        MatchError: they cannot be deleted.
    """
    with _writing_into(folder, manifest):
        _remove(folder, manifest)
    with suppress(OSError):
        folder.rmdir()


def leg_files(leg: Leg) -> list[str]:
    """Return the names of the files that playing a leg may leave.

    They are exact, with those of each seat's outputs, so A.B.1.0 never takes A.B.1.00 along.
    """
    seats = range(len(leg.seats))
    outputs = [
        f".player{seat}{kind}" for seat in seats for kind in (".std", ".err", REPLY_COUNTS_SUFFIX)
    ]
    return [f"{leg.name}{suffix}" for suffix in (*_LEG_SUFFIXES, *outputs)]


@contextmanager
def locked(folder: Path, *, patience: float = LOCK_WAIT_SECONDS) -> Iterator[int]:
    """Hold the folder's lock and yield its file descriptor.

    The system gives the lock back when every process that holds the descriptor has ended, however
    it ended.  A killed runner's dealers need a moment for that, hence the patience, in seconds.

    Raises:
        FolderInUse: another match runner, or a dealer, holds it.
        MatchError: the folder is gone, or cannot be locked.
    """
    with ExitStack() as stack:
        try:
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            take_lock(descriptor, patience)
        except BlockingIOError as exc:
            raise FolderInUse(f"another arena match is working in {folder}") from exc
        except OSError as exc:
            raise MatchError(f"match folder {folder}: {exc.strerror or exc}") from exc
        yield descriptor


@contextmanager
def _writing_into(folder: Path, manifest: Manifest) -> Iterator[None]:
    """Within, an OSError becomes a MatchError about the folder."""
    try:
        yield
    except OSError as exc:
        raise MatchError(f"{manifest.what} folder {folder}: {exc.strerror or exc}") from exc


def _begun(legs: Iterable[Leg]) -> list[str]:
    """Return the names of files that legs have once they have begun."""
    return [f"{leg.name}{suffix}" for leg in legs for suffix in _LEG_SUFFIXES]


def _refuse_strangers(folder: Path, manifest: Manifest, names: Iterable[str]) -> None:
    for name in names:
        if (folder / name).exists():
            raise FolderInUse(
                f"{folder / name} exists and belongs to no {manifest.what} of this program; "
                "choose another folder (--out)"
            )


def _written_whole(manifest: Manifest) -> set[str]:
    """Return the names of files of which a killed writer may have left unfinished ones."""
    names = {manifest.file_name, DEALS_COPY_NAME, SIT_IN_LOG_NAME}
    if not manifest.is_match:
        return names | {LEDGER_NAME, *STANDING_NAMES}
    return names | {RESULT_NAME, *(f"{leg.name}.end.json" for leg in manifest.legs())}


def _remove(folder: Path, manifest: Manifest, *, keep_deals: bool = False) -> None:
    """Delete the files that playing `manifest` left; nothing else."""
    if manifest.is_match:
        names = [name for leg in manifest.legs() for name in leg_files(leg)]
        names += [manifest.game_name, RESULT_NAME]
    else:
        _remove_pairings(folder / PAIRINGS_NAME, manifest)
        names = [LEDGER_NAME, *STANDING_NAMES]
    if manifest.deals is not None and not keep_deals:
        names.append(DEALS_COPY_NAME)
    if manifest.sit_in is not None:
        names += [SIT_IN_LOG_NAME, SIT_IN_AIVAT_NAME]
    remove_unfinished(folder, _written_whole(manifest))
    for name in (*names, manifest.file_name):
        (folder / name).unlink(missing_ok=True)


def _remove_pairings(folder: Path, manifest: Manifest) -> None:
    tables = combinations(range(len(manifest.bots)), manifest.players)
    names = {manifest.pairing_name(Pairing(table)) for table in tables}
    for match in folder.iterdir() if folder.is_dir() else ():
        if match.name in names and (match / MANIFEST_NAME).is_file():
            discard_folder(match, read_manifest(match))
    with suppress(OSError):
        folder.rmdir()
