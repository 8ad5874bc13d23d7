"""What a tournament is: its bots and settings, written to `tournament.json` before the first hand.

Its folder holds that file, the ledger of the legs that are over, and a match folder for each
pairing, which all tools for matches read.  Results are always computed again from there.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dealer.errors import MatchError, MatchUsageError
from dealer.legs.manifest import UNREADABLE, Manifest, settings_document, settings_from
from dealer.tournaments.schedule import (
    Pairing,
    TournamentStyle,
    Winner,
    pairing_count,
    pairings,
)
from engine.storage.atomic import write_whole

TOURNAMENT_NAME: Final = "tournament.json"
PAIRINGS_NAME: Final = "pairings"
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who takes part, who meets whom, and what each pairing plays."""

    style: TournamentStyle
    challengers: int
    """In a gauntlet, how many of the first bots meet all others."""
    settings: Manifest
    """All bots, and what is common to the matches of all pairings."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the bots."""
        return self.settings.labels

    @property
    def digest(self) -> str:
        """SHA-256 of all that a resumed tournament must not change: everything but its length."""
        document = json.loads(to_json(self))
        for loose in ("runs", "versions", "working_directory"):
            del document[loose]
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()

    def pairings(self, winner: Winner) -> list[Pairing]:
        """Return the pairings known so far, see `dealer.tournaments.schedule`."""
        return pairings(self.style, len(self.labels), winner, self.challengers)

    @property
    def pairing_count(self) -> int:
        """How many pairings there will be."""
        return pairing_count(self.style, len(self.labels), self.challengers)

    def name(self, pairing: Pairing) -> str:
        """Return the name of a pairing and its folder."""
        return f"{self.labels[pairing.one]}.{self.labels[pairing.other]}"

    def match(self, pairing: Pairing) -> Manifest:
        """Return the match of a pairing; all pairings have the same deals."""
        bots = self.settings.bots[pairing.one], self.settings.bots[pairing.other]
        return replace(self.settings, bots=bots)


def to_json(tournament: Tournament) -> str:
    """Return the text of a tournament file."""
    document = {
        "format": _FORMAT,
        "style": tournament.style.value,
        "challengers": tournament.challengers,
        **settings_document(tournament.settings),
    }
    return json.dumps(document, indent=2) + "\n"


def tournament_from(text: str, source: str) -> Tournament:
    """Return the tournament that a text from `to_json` tells of.

    Raises:
        MatchError: it is of another format, or its game was changed by hand; `source` says where.
        ValueError, KeyError, TypeError, AttributeError: it was damaged.
    """
    document = json.loads(text)
    if document["format"] != _FORMAT:
        raise MatchError(
            f"{source}: a tournament of format {document['format']}; only {_FORMAT} can be read"
        )
    tournament = Tournament(
        TournamentStyle(document["style"]),
        int(document["challengers"]),
        settings_from(document),
    )
    tournament.pairings(lambda _: None)
    return tournament


def read_tournament(folder: Path) -> Tournament:
    """Return the tournament of a folder.

    Raises:
        MatchUsageError: there is none.
        MatchError: it cannot be read.
    """
    path = folder / TOURNAMENT_NAME
    try:
        return tournament_from(path.read_text(encoding="utf-8"), str(path))
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise MatchUsageError(f"{folder} holds no tournament (no {TOURNAMENT_NAME})") from exc
    except (OSError, *UNREADABLE) as exc:
        raise MatchError(f"{path}: cannot be read ({type(exc).__name__}: {exc})") from exc


def write_tournament(folder: Path, tournament: Tournament) -> None:
    """Write the file of a tournament in one piece.  Raises MatchError when it cannot be written."""
    try:
        write_whole(folder / TOURNAMENT_NAME, to_json(tournament))
    except OSError as exc:
        raise MatchError(f"{folder / TOURNAMENT_NAME}: {exc.strerror or exc}") from exc
