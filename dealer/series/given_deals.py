"""Given deals, and the seat of a log that is played again: looked through first, then copied.

The k-th hand of a leg plays the k-th deal, and each run takes up where the run before it ended.
The manifest has the digest; nothing is played when the copy in the folder is no longer that file.

Who sits in for a player of a log plays the hands that the player had there, in his positions and
with everybody's cards, in one seating.  So every hand of the match has a hand of the log, and what
the bot won more or less is known hand by hand: the luck of the cards is the same on both sides.
The folder keeps the hands of the log as `sit-in.log`, numbered as they are played.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from dealer.deals.logged_seat import LoggedSeat, game_of_header, logged_seat
from dealer.errors import MatchError, MatchUsageError
from dealer.series.schedule import MOST_LEG_HANDS
from engine.console.output import tell
from engine.console.progress import LivingLine
from engine.deals.deals_file import inspect_deals
from engine.errors import LogError, UnusableDeals
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import FoundGame
from engine.storage.atomic import replacing
from protocol.gamedef import parse_gamedef

DEALS_COPY_NAME: Final = "match.deals"
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
    return min(deals.count // runs, MOST_LEG_HANDS)


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
    target = folder / DEALS_COPY_NAME
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


SIT_IN_LOG_NAME: Final = "sit-in.log"
SIT_IN_AIVAT_NAME: Final = "sit-in.aivat"


@dataclass(frozen=True, slots=True)
class LoggedBot:
    """A shipped bot that played in a log."""

    label: str
    """Its name there."""
    words: tuple[str, ...]
    """Its name and options."""
    kind: str = "shipped"
    """As manifests call it."""


@dataclass(frozen=True, slots=True)
class SitIn:
    """Whose seat in a log the first bot of a match takes."""

    player: str
    seat: int
    """0-based seat of both in the match."""
    sha256: str
    """Digest of the hands of the log in the match folder, hexadecimal."""
    bots: tuple[LoggedBot, ...] = ()
    """Shipped bots that played in the log, as far as that is known."""


def logged_game(log: str) -> str:
    """Return the file of the game that a log's header names.

    Args:
        log: a log, or a folder with logs.

    Raises:
        MatchUsageError: there is none.
    """
    try:
        logs = logs_in([log])
        if any(path.is_fifo() for path in logs):
            raise LogError(f"{log}: is a pipe, read but once: name the game with --game")
        return str(game_of_header(logs).path)
    except LogError as exc:
        raise MatchUsageError(f"--sit-in {exc}") from exc


def names_in(log: bytes) -> list[str]:
    """Return the names of the players in the log of a match folder, see `LoggedSeat.log`."""
    name_fields = dict.fromkeys(line.rpartition(b":")[2] for line in log.splitlines())
    names = (name for names in name_fields for name in names.split(b"|"))
    return [name.decode("utf-8", "surrogateescape") for name in dict.fromkeys(names)]


def look_through_seat(
    log: str, player: str, game_name: str, game_text: str, *, named: bool
) -> tuple[MatchDeals, SitIn, LoggedSeat]:
    """Read the hands of a player that somebody else is to play; a long log shows how far it is.

    Hands that cannot be played are left out and told on stderr.

    Args:
        named: whether the user named it, so that it counts and not what the headers say.

    Raises:
        MatchUsageError: the player has no hand there that can be played.
    """
    game = parse_gamedef(game_text)
    with LivingLine(first_seconds=_FIRST_SECONDS) as line:

        def show(text: Callable[[], str]) -> None:
            line.show_often(lambda: f"looking through {log}: {text()}")

        try:
            found_game = FoundGame(game, game_name) if named else None
            seat = logged_seat(logs_in([log]), found_game, game, player, show)
        except LogError as exc:
            raise MatchUsageError(f"--sit-in {exc}") from exc
    for text in seat.damaged:
        tell(text)
    if seat.waiting:
        hands = "1 hand" if seat.waiting == 1 else f"{seat.waiting:,} hands"
        tell(f"{hands} of {player} left out: they are too many of one position for seats that go "
             "round")  # fmt: skip
    deals = MatchDeals(
        Path(log).resolve().name or "log", hashlib.sha256(seat.deals).hexdigest(), seat.hands
    )
    return deals, SitIn(player, seat.seat, hashlib.sha256(seat.log).hexdigest()), seat
