"""The deals file of a match: looked through when the match begins, then copied into its folder.

The k-th hand of a leg plays the k-th deal, and each run takes up where the run before it ended.
The manifest has the digest; nothing is played when the copy in the folder is no longer that file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from dealer.errors import MatchError, MatchUsageError
from dealer.legs.plan import MOST_HANDS
from engine.console.progress import LivingLine
from engine.deals.deals_file import inspect_deals
from engine.errors import UnusableDeals
from engine.storage.atomic import replacing
from protocol.gamedef import parse_gamedef

DEALS_NAME: Final = "match.deals"
"""Of the copy in the match folder."""
_FIRST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class MatchDeals:
    """The deals file that a match plays."""

    name: str
    """What the user called it."""
    sha256: str
    count: int
    """Deals in it."""


def look_through(name: str, game_name: str, game_text: str) -> MatchDeals:
    """Look a deals file through that the user names; a long one shows how far it is.

    Raises:
        MatchUsageError: it cannot be played in this game.
    """
    path = Path(name)
    with LivingLine(first_seconds=_FIRST_SECONDS) as line:

        def show(_read: int, deals: int) -> None:
            line.show_often(lambda: f"looking through {name}: {deals:,} deals")

        try:
            facts = inspect_deals(path, parse_gamedef(game_text), game_name, progress=show)
        except UnusableDeals as exc:
            raise MatchUsageError(f"--deals {exc}") from exc
    return MatchDeals(path.name, facts.sha256, facts.deals)


def usual_hands(deals: MatchDeals, runs: int) -> int:
    """Return the hands of a leg for which all deals are played.

    Raises:
        MatchUsageError: they cannot be shared out evenly among so many runs.
    """
    if deals.count % runs:
        raise MatchUsageError(
            f"{deals.name} has {deals.count:,} deals, which {runs:,} runs cannot share out evenly; "
            "say how many --hands"
        )
    return min(deals.count // runs, MOST_HANDS)


def check_length(deals: MatchDeals, hands: int, runs: int) -> None:
    """Refuse a match that is longer than its deals last.

    Raises:
        MatchUsageError: it is.
    """
    if hands * runs > deals.count:
        wanted = f"{hands:,} hands" if runs == 1 else f"{runs:,} runs of {hands:,} hands"
        raise MatchUsageError(f"{deals.name} has {deals.count:,} deals, too few for {wanted}")


def copy_deals(source: Path, folder: Path, deals: MatchDeals, *, link: bool = False) -> None:
    """Put the deals file into a match folder.

    Args:
        link: share the bytes on the disk where that is possible, as between our own folders.

    Raises:
        MatchError: it has changed since it was looked through.
        OSError: it cannot be read or written.
    """
    target = folder / DEALS_NAME
    if link:
        try:
            os.link(source, target)
        except OSError:  # another disk, or one that cannot
            pass
        else:
            return
    with source.open("rb") as original, replacing(target) as copy:
        shutil.copyfileobj(original, copy)
        copy.flush()
        original.seek(0)
        _check(original, deals.sha256, source, "deals file")


def check_copy(path: Path, sha256: str, what: str = "deals file") -> None:
    """Refuse a match folder in which a file is not that of its match.

    Raises:
        MatchError: it has changed, is gone, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            _check(file, sha256, path, what)
    except OSError as exc:
        raise MatchError(f"{path}: {exc.strerror or exc}; the match cannot do without") from exc


def deals_document(deals: MatchDeals) -> dict[str, Any]:
    """Return the deals of a manifest as plain values."""
    return {"file": deals.name, "sha256": deals.sha256, "deals": deals.count}


def _check(file: BufferedReader, sha256: str, path: Path, what: str) -> None:
    if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
        raise MatchError(f"{path} is not the {what} that the match began with")
