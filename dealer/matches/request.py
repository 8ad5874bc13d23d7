"""What `arena match` and `arena tournament` are asked for: the same, but for who meets whom."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dealer.bots.participants import BotKind, Participant
from dealer.bots.program_files import changed_files, with_earlier, with_files
from dealer.deals.logged_seat import LoggedSeat
from dealer.errors import MatchUsageError
from dealer.legs.differences import differences
from dealer.legs.given_deals import DEALS_NAME, check_length, look_through, usual_hands
from dealer.legs.manifest import Manifest, read_manifest
from dealer.legs.plan import MOST_RUNS, file_stem
from dealer.matches.match_options import DEFAULT_HANDS
from dealer.matches.option_values import (
    aivat_wanted,
    could_be_faster,
    dealer_options,
    read_game,
    usual_jobs,
    with_clocks,
)
from engine.console.version import program_version
from engine.parallel.cores import CAN_PIN
from protocol.gamedef import GameDef, parse_gamedef


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """What the user wants played, how, and where it is kept."""

    manifest: Manifest
    before: Manifest | None
    """What the folder holds, where that is to be resumed; it may be shorter."""
    game: GameDef
    folder: Path
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
    live: int | None
    """Port of the page that shows it, 0 for any; None: no page."""
    quiet: bool
    json: Path | None
    """File for the result as JSON, see `engine.console.options.add_json`."""
    aivat: tuple[str, ...] | None
    """What the program for AIVAT is told; None: it is left out."""
    seat: LoggedSeat | None = None
    """What the log says of the seat that a new match plays again."""
    most_runs: int = MOST_RUNS
    """To which a sequential test may make a match longer."""
    retry: bool = False
    """Play forfeited legs of a tournament again."""
    decide: int | None = None
    """Places of a tournament that further rounds are to decide; None: none."""
    decide_hands: int | None = None
    """The most hands of these rounds; None: as many as those of all."""
    rating_interval: int = 0
    """Legs after which the standing of a tournament is shown, 0 for only at the end."""

    @property
    def resume(self) -> bool:
        """Whether to resume what is in `folder`."""
        return self.before is not None


def play_request(
    given: argparse.Namespace,
    manifest: Manifest,
    before: Manifest | None,
    *,
    players: Sequence[str],
    share: int = 1,
    **more: Any,
) -> PlayRequest:
    """Return the request to play `manifest`, `before` of which is in the folder, if anything.

    Args:
        players: whose strategies AIVAT may know.
        share: how many processes play side by side on this machine.
        more: further fields.

    Raises:
        MatchUsageError: AIVAT cannot be had.
    """
    game = parse_gamedef(manifest.game_text)
    same = ("force", "affinity", "recover", "events", "in_process", "live", "quiet", "json")
    return PlayRequest(
        manifest=manifest,
        before=before,
        game=game,
        folder=folder_of(given, manifest),
        deals=None if given.deals is None else Path(given.deals),
        jobs=given.jobs or max(1, usual_jobs(manifest.bots) // share),
        faster=could_be_faster(manifest, given),
        aivat=aivat_wanted(given, game, manifest.game_name, players),
        **{name: getattr(given, name) for name in same},
        **more,
    )


def new_manifest(
    given: argparse.Namespace, bots: Sequence[Participant], game: tuple[str, str], runs: int
) -> Manifest:
    """Return what is played in duplicate by some bots.

    Args:
        game: name and text of the game file.
        runs: with which it begins.

    Raises:
        MatchUsageError: a time limit is nobody's, or the deals cannot be played.
    """
    deals = None if given.deals is None else look_through(given.deals, *game)
    return Manifest(
        bots=with_files(with_clocks(bots, given), str(Path.cwd())),
        game_name=game[0],
        game_text=game[1],
        hands=given.hands or (DEFAULT_HANDS if deals is None else usual_hands(deals, runs)),
        seed=secrets.randbelow(2**32) if given.seed is None else given.seed,
        runs=runs,
        duplicate=True,
        dealer_options=tuple(dealer_options(given).items()),
        working_directory=str(Path.cwd()),
        versions=(("acpc-arena", program_version()),),
        deals=deals,
    )


def as_asked(stored: Manifest, given: argparse.Namespace, bots: Sequence[Participant]) -> Manifest:
    """Return what is in a folder as the arguments would have it.

    Args:
        bots: those that are asked for, without the time limits that are options.

    Raises:
        MatchUsageError: the game or the deals cannot be read, or a time limit is nobody's.
    """
    wanted = replace(
        stored,
        bots=with_clocks(bots, given, stored.bots),
        hands=given.hands or stored.hands,
        seed=stored.seed if given.seed is None else given.seed,
        runs=given.runs or stored.runs,
        dealer_options=tuple({**dict(stored.dealer_options), **dealer_options(given)}.items()),
    )
    if given.game is not None:
        name, text = read_game(given.game)
        wanted = replace(wanted, game_name=name, game_text=text)
    if given.deals is not None:
        deals = look_through(given.deals, wanted.game_name, wanted.game_text)
        wanted = replace(wanted, deals=deals)
    return wanted


def resumed(
    given: argparse.Namespace, name: str, asked: Callable[[Manifest], Manifest]
) -> tuple[Manifest, Manifest]:
    """Return what the folder of --resume holds, and the same as it is asked for.

    Args:
        name: of the manifest's file.
        asked: returns a manifest as the arguments would have it.

    Raises:
        MatchError: it cannot be read, or something else is asked for.
    """
    if given.out is not None or given.force:
        raise MatchUsageError("--resume goes on in its folder; --out and --force do not fit")
    before = read_manifest(Path(given.resume), name)
    manifest = asked(before)
    if different := differences(before, manifest):
        raise MatchUsageError(f"{given.resume} holds another {before.what}: {'; '.join(different)}")
    now = with_files(manifest.bots, manifest.working_directory)
    known = {bot.label: bot for bot in before.bots}
    were = [known.get(bot.label, bot) for bot in now]
    changed = changed_files(were, now)
    if changed and not given.changed_bots:
        raise MatchUsageError(
            f"{'; '.join(changed)}; --changed-bots resumes with what is there now, and two "
            "programs then play under one name"
        )
    return before, replace(manifest, bots=with_earlier(were, now))


def folder_of(given: argparse.Namespace, manifest: Manifest) -> Path:
    """Return the folder in which it is played."""
    if (named := given.out if given.resume is None else given.resume) is not None:
        return Path(named)
    if manifest.style is None:
        return Path("matches") / f"{file_stem(manifest.labels)}-{manifest.seed}"
    return Path("tournaments") / f"{manifest.style_name}-{manifest.seed}"


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
