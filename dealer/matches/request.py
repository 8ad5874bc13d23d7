"""What `arena match` and `arena tournament` are both asked for, and what both refuse."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dealer.bots.participants import BotKind, Participant
from dealer.errors import MatchUsageError
from dealer.legs.given_deals import DEALS_NAME, MatchDeals, check_length
from dealer.legs.manifest import Manifest
from dealer.matches.option_values import dealer_options, usual_jobs
from engine.console.version import program_version
from engine.parallel.cores import CAN_PIN
from protocol.gamedef import GameDef


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """How the user wants legs to be played, and where they are kept."""

    game: GameDef
    folder: Path
    resume: bool
    """Whether to resume what is in `folder`."""
    deals: Path | None
    """The deals file that is played from now on."""
    force: bool
    jobs: int
    """Legs played side by side."""
    affinity: bool | None
    """Keep each job on a processor core; None: where that suits."""
    recover: bool
    events: bool
    in_process: bool
    """Play shipped bots without dealers."""
    faster: bool
    """Whether that would be faster, and was not asked for."""
    quiet: bool
    aivat: tuple[str, ...] | None
    """What the program for AIVAT is told; None: it is left out."""


def how_to_play(
    given: argparse.Namespace, bots: Sequence[Participant], share: int = 1
) -> dict[str, Any]:
    """Return the fields of a `PlayRequest` that the options alone say.

    Args:
        share: how many processes play side by side on this machine.
    """
    return {
        "deals": None if given.deals is None else Path(given.deals),
        "jobs": given.jobs or max(1, usual_jobs(bots) // share),
        **{
            name: getattr(given, name)
            for name in ("force", "affinity", "recover", "events", "in_process", "quiet")
        },
    }


def new_settings(
    given: argparse.Namespace,
    bots: tuple[Participant, ...],
    game: tuple[str, str],
    length: tuple[int, int],
    deals: MatchDeals | None,
) -> Manifest:
    """Return what is played, in duplicate.

    Args:
        game: name and text of the game file.
        length: hands of a leg, and runs.
        deals: the deals that are played; None for those of the seed.
    """
    return Manifest(
        bots=bots,
        game_name=game[0],
        game_text=game[1],
        hands=length[0],
        seed=secrets.randbelow(2**32) if given.seed is None else given.seed,
        runs=length[1],
        duplicate=True,
        dealer_options=tuple(dealer_options(given).items()),
        working_directory=str(Path.cwd()),
        versions=(("acpc-arena", program_version()),),
        deals=deals,
    )


def check_resumed_folder(given: argparse.Namespace) -> None:
    """Refuse --resume with another folder.  Raises MatchUsageError."""
    if given.out is not None or given.force:
        raise MatchUsageError("--resume goes on in its folder; --out and --force do not fit")


def check_settings(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would fail later, in a match and in a tournament.  Raises MatchUsageError."""
    if manifest.deals is not None:
        check_length(manifest.deals, manifest.hands, manifest.runs)
        if manifest.game_name == DEALS_NAME:
            raise MatchUsageError(f"a game file called {DEALS_NAME} goes without --deals")
    ports = Counter(bot.port for bot in manifest.bots if bot.port)
    if (given.jobs or 1) > 1 and ports:
        raise MatchUsageError("legs side by side (--jobs) cannot share the port of listen:PORT")
    if shared := next((port for port, count in ports.items() if count > 1), 0):
        raise MatchUsageError(f"listen:{shared} is given twice; each bot needs a port of its own")
    if given.affinity and not CAN_PIN:
        raise MatchUsageError("--affinity is not possible on this system")
    if given.recover:
        if float(dict(manifest.dealer_options).get("reconnect", "0")) <= 0:
            raise MatchUsageError("--recover needs --reconnect SECONDS above 0 from the start")
        if all(bot.kind is BotKind.LISTEN for bot in manifest.bots):
            raise MatchUsageError("--recover cannot start bots that connect by themselves")
