"""The folder of a match: begun, made longer, locked while it is worked in, deleted.

Whoever changes anything in it holds the lock of the folder itself, so that the manifest may be
replaced meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.errors import FolderInUse, MatchError
from dealer.legs.given_deals import DEALS_NAME, check_copy, copy_deals
from dealer.legs.manifest import MANIFEST_NAME, Manifest, read_manifest, to_json
from dealer.legs.plan import Leg
from dealer.legs.sit_in import SIT_IN_AIVAT_NAME, SIT_IN_NAME
from engine.storage.atomic import remove_unfinished, write_whole
from engine.storage.locks import take_lock

if TYPE_CHECKING:
    from dealer.deals.logged_seat import LoggedSeat

RESULT_NAME: Final = "result.json"
LOCK_SECONDS: Final = 5.0
"""How long to wait for a folder that somebody else is working in."""
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
    """Make `folder` ready for a new match: manifest and game file, no files of an older match.

    Args:
        force: replace the match that is there.
        deals: the deals file, if the match plays one.
        seat: what a log says of the seat that the match plays again, if it does.
        link: see `copy_deals`.

    Raises:
        FolderInUse: it holds a match and `force` is not set, or files in the way that are
            nobody's known match.
        MatchError: it cannot be written.
    """
    with new_folder(folder, "match", MANIFEST_NAME, force=force) as replaces:
        if replaces:
            before = read_manifest(folder)
            if manifest.deals is not None and deals is not None:
                copy_deals(deals, folder, manifest.deals)  # it may be the one in the folder
            _remove_match(folder, before, keep_deals=deals is not None)
            deals = None
        _refuse_strangers(folder, manifest.legs())
        if manifest.deals is not None and deals is not None:
            if (folder / DEALS_NAME).exists():
                raise _stranger(folder / DEALS_NAME)
            copy_deals(deals, folder, manifest.deals, link=link)
        if seat is not None:
            for name, content in ((DEALS_NAME, seat.deals), (SIT_IN_NAME, seat.log)):
                if (folder / name).exists():
                    raise _stranger(folder / name)
                write_whole(folder / name, content)
        (folder / manifest.game_name).write_text(manifest.game_text, encoding="utf-8")
        write_whole(folder / MANIFEST_NAME, to_json(manifest))


@contextmanager
def new_folder(folder: Path, what: str, file: str, *, force: bool) -> Iterator[bool]:
    """Make a folder where there is none, lock it, and yield whether its content is replaced.

    `what`, a match or a tournament, is in it if `file` is there.

    Raises:
        FolderInUse: one is there and `force` is not set.
        MatchError: the folder cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise MatchError(f"{what} folder {folder}: is a file; choose another folder (--out)")
    with writing_into(folder, what):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder, patience=0.0):
            there = (folder / file).exists()
            if there and not force:
                raise FolderInUse(
                    f"{folder} already holds a {what}; resume it (--resume {folder}), "
                    "replace it (--force) or choose another folder (--out)"
                )
            yield there


@contextmanager
def writing_into(folder: Path, what: str = "match") -> Iterator[None]:
    """Within, an OSError becomes a MatchError about the folder."""
    try:
        yield
    except OSError as exc:
        raise MatchError(f"{what} folder {folder}: {exc.strerror or exc}") from exc


def settle_folder(folder: Path, before: Manifest, wanted: Manifest) -> None:
    """Make the match in a folder as long as wanted, and clear away what killed writers left.

    Who calls holds the lock.  The manifest changes in one piece, and the legs' files are those of a
    match that was interrupted, so whenever this is cut short the match can be resumed.

    Raises:
        FolderInUse: another match is there by now, or files in the way.
        MatchError: the folder cannot be written, or its deals file has changed.
    """
    if read_manifest(folder) != before:
        raise FolderInUse(f"the match in {folder} was changed by another arena match; try again")
    if before.deals is not None:
        check_copy(folder / DEALS_NAME, before.deals.sha256)
    if before.sit_in is not None:
        check_copy(folder / SIT_IN_NAME, before.sit_in.sha256, "log of the seat")
    legs = before.legs()
    with writing_into(folder):
        names = {MANIFEST_NAME, RESULT_NAME, *(f"{leg.name}.end.json" for leg in legs)}
        remove_unfinished(folder, names)
        if wanted == before:
            return
        _refuse_strangers(folder, wanted.legs()[len(legs) :])
        write_whole(folder / MANIFEST_NAME, to_json(wanted))


def discard_match(folder: Path, manifest: Manifest) -> None:
    """Delete the files of a match, and its folder where nothing else is in it.

    Raises:
        MatchError: they cannot be deleted.
    """
    with writing_into(folder):
        _remove_match(folder, manifest)
    with suppress(OSError):
        folder.rmdir()


def leg_files(leg: Leg) -> list[str]:
    """Return the names of the files that playing a leg may leave.

    They are exact, with those of each seat's outputs, so A.B.1.0 never takes A.B.1.00 along.
    """
    seats = range(len(leg.seats))
    outputs = [f".player{seat}{kind}" for seat in seats for kind in (".std", ".err")]
    return [f"{leg.name}{suffix}" for suffix in (*_LEG_SUFFIXES, *outputs)]


@contextmanager
def locked(folder: Path, *, patience: float = LOCK_SECONDS) -> Iterator[int]:
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


def _refuse_strangers(folder: Path, legs: tuple[Leg, ...]) -> None:
    """Raise FolderInUse where a leg that is yet to begin has files."""
    for leg in legs:
        for suffix in _LEG_SUFFIXES:
            if (folder / f"{leg.name}{suffix}").exists():
                raise _stranger(folder / f"{leg.name}{suffix}")


def _stranger(path: Path) -> FolderInUse:
    return FolderInUse(
        f"{path} exists and belongs to no match of this program; choose another folder (--out)"
    )


def _remove_match(folder: Path, manifest: Manifest, *, keep_deals: bool = False) -> None:
    """Delete the files that playing `manifest` left; nothing else."""
    written_whole = {MANIFEST_NAME, RESULT_NAME}
    for leg in manifest.legs():
        for name in leg_files(leg):
            (folder / name).unlink(missing_ok=True)
        written_whole.add(f"{leg.name}.end.json")
    remove_unfinished(folder, {*written_whole, DEALS_NAME, SIT_IN_NAME})
    if manifest.deals is not None and not keep_deals:
        (folder / DEALS_NAME).unlink(missing_ok=True)
    if manifest.sit_in is not None:
        for name in (SIT_IN_NAME, SIT_IN_AIVAT_NAME):
            (folder / name).unlink(missing_ok=True)
    for name in (manifest.game_name, RESULT_NAME, MANIFEST_NAME):
        (folder / name).unlink(missing_ok=True)
