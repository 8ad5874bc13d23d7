"""The folder of a tournament: begun, made longer, replaced."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dealer.errors import FolderInUse
from dealer.legs.folder import discard_match, new_folder, writing_into
from dealer.legs.given_deals import DEALS_NAME, check_copy, copy_deals
from dealer.legs.manifest import MANIFEST_NAME, read_manifest
from dealer.tournaments.ledger import LEDGER_NAME
from dealer.tournaments.tournament import (
    PAIRINGS_NAME,
    TOURNAMENT_NAME,
    Tournament,
    read_tournament,
    write_tournament,
)
from engine.storage.atomic import remove_unfinished

_WHAT: Final = "tournament"
STANDING_NAMES: Final = (
    "standings.txt",
    "standings.csv",
    "ranking.csv",
    "standings.json",
    "standings.html",
    "crosstable.svg",
)


def prepare_tournament(
    folder: Path, tournament: Tournament, *, force: bool, deals: Path | None = None
) -> None:
    """Make a folder ready for a new tournament.

    Raises:
        FolderInUse: it holds one and `force` is not set, or a ledger or pairings of none.
        MatchError: it cannot be written.
    """
    given = tournament.settings.deals
    with new_folder(folder, _WHAT, TOURNAMENT_NAME, force=force) as replaces:
        if replaces:
            before = read_tournament(folder)
            if given is not None and deals is not None:
                copy_deals(deals, folder, given)  # it may be the one in the folder
            _remove_tournament(folder, before, keep_deals=given is not None)
            deals = None
        for name in (LEDGER_NAME, PAIRINGS_NAME, *([] if deals is None else [DEALS_NAME])):
            if (folder / name).exists():
                raise FolderInUse(
                    f"{folder / name} exists and belongs to no tournament; choose another "
                    "folder (--out)"
                )
        if given is not None and deals is not None:
            copy_deals(deals, folder, given)
        write_tournament(folder, tournament)


def settle_tournament(folder: Path, before: Tournament) -> None:
    """Make sure that a folder holds the tournament that was read; who calls has it locked.

    Raises:
        FolderInUse: another tournament is there by now.
        MatchError: the folder cannot be written, or its deals file has changed.
    """
    if read_tournament(folder) != before:
        raise FolderInUse(f"the tournament in {folder} was changed meanwhile; try again")
    if before.settings.deals is not None:
        check_copy(folder / DEALS_NAME, before.settings.deals.sha256)
    with writing_into(folder, _WHAT):
        remove_unfinished(folder, {TOURNAMENT_NAME, LEDGER_NAME, DEALS_NAME, *STANDING_NAMES})


def discard_tournament(folder: Path, tournament: Tournament) -> None:
    """Delete a tournament of which nothing was played.

    Raises:
        MatchError: it cannot be deleted.
    """
    with writing_into(folder, _WHAT):
        _remove_tournament(folder, tournament)
        if not any(folder.iterdir()):
            folder.rmdir()


def _remove_tournament(folder: Path, tournament: Tournament, *, keep_deals: bool = False) -> None:
    """Delete the files that a tournament left; nothing else."""
    every = range(len(tournament.labels))
    names = {
        f"{tournament.labels[one]}.{tournament.labels[other]}"
        for one in every
        for other in every
        if one < other
    }
    pairings = folder / PAIRINGS_NAME
    for match in pairings.iterdir() if pairings.is_dir() else ():
        if match.name in names and (match / MANIFEST_NAME).is_file():
            discard_match(match, read_manifest(match))
    if pairings.is_dir() and not any(pairings.iterdir()):
        pairings.rmdir()
    if tournament.settings.deals is not None and not keep_deals:
        (folder / DEALS_NAME).unlink(missing_ok=True)
    for name in (LEDGER_NAME, *STANDING_NAMES, TOURNAMENT_NAME):
        (folder / name).unlink(missing_ok=True)
