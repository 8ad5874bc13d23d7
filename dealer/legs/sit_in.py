"""Somebody sits in for a player of a log: whose seat it is, and what was won there before.

The match plays the hands that the player had in the log, in his positions and with everybody's
cards, in one seating.  So every hand of the match has a hand of the log, and what the one who sits
in won more or less is known hand by hand: the luck of the cards is the same on both sides.

The match folder keeps the hands of the log as `sit-in.log`, numbered as they are played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer.deals.logged_seat import LoggedSeat, game_of_header, logged_seat
from dealer.errors import MatchUsageError
from dealer.legs.given_deals import MatchDeals
from dealer.logs.errors import LogError
from dealer.logs.games import FoundGame
from dealer.logs.inputs import logs_in
from engine.console.output import tell
from engine.console.progress import LivingLine
from protocol.gamedef import parse_gamedef

SIT_IN_NAME: Final = "sit-in.log"
"""Of the hands of the log in the match folder."""
SIT_IN_AIVAT_NAME: Final = "sit-in.aivat"
"""Of what AIVAT says of them."""
_FIRST_SECONDS: Final = 1.0


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
    told = dict.fromkeys(line.rpartition(b":")[2] for line in log.splitlines())
    names = (name for names in told for name in names.split(b"|"))
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
            found = FoundGame(game, game_name) if named else None
            seat = logged_seat(logs_in([log]), found, game, player, show)
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
