"""The words of `arena match` -> what to play and how to show it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dealer.bots.participants import Participant, parse_bots
from dealer.deals.logged_seat import LoggedSeat
from dealer.errors import MatchUsageError
from dealer.legs.given_deals import (
    look_through,
    usual_hands,
)
from dealer.legs.in_process_leg import check_without_dealer
from dealer.legs.manifest import Manifest, differences, read_manifest
from dealer.legs.plan import MOST_HANDS, MOST_RUNS, file_stem
from dealer.legs.sit_in import SIT_IN_NAME, logged_game, look_through_seat, names_in
from dealer.logs.inputs import logs_in
from dealer.matches.logged_bots import logged_bots
from dealer.matches.match_options import DEFAULT_HANDS
from dealer.matches.option_values import (
    aivat_wanted,
    check_games,
    compiled_of,
    dealer_options,
    in_process_pays,
    read_game,
    shipped_of,
    with_clocks,
)
from dealer.matches.request import (
    PlayRequest,
    check_resumed_folder,
    check_settings,
    how_to_play,
    new_settings,
)
from dealer.results.sequential import check_hypotheses, parse_test
from engine.console.arguments import DEFAULT_GAME
from protocol.gamedef import GameDef, parse_gamedef


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRequest(PlayRequest):
    """What the user asked for."""

    manifest: Manifest
    seat: LoggedSeat | None
    """What the log says of the seat that a new match plays again."""
    before: Manifest | None
    """What the folder holds, where that match is to be resumed; it may have fewer hands or runs."""
    json: str | None
    """File for the summary, "-" for standard output."""
    most_runs: int
    """To which a sequential test may make the match longer."""


def request_from(given: argparse.Namespace) -> MatchRequest:
    """Return what the options of `command_line` ask for.

    Raises:
        MatchError: it cannot be played, or the folder to resume in cannot be used.
    """
    seat = None
    if given.resume is not None:
        check_resumed_folder(given)
        if given.sit_in is not None:
            raise MatchUsageError("--resume knows whose seat it is; --sit-in does not fit")
        folder = Path(given.resume)
        before = read_manifest(folder)
        manifest = _changed(before, given)
        if different := differences(before, manifest):
            raise MatchUsageError(f"{folder} holds another match: {'; '.join(different)}")
    else:
        before = None
        manifest, seat = _new_manifest(given)
        default = Path("matches") / f"{file_stem(manifest.labels)}-{manifest.seed}"
        folder = default if given.out is None else Path(given.out)
    game = parse_gamedef(manifest.game_text)
    aivat = aivat_wanted(given, game, manifest.game_name, _names_in_logs(manifest, seat, folder))
    _check(manifest, before, game, given)
    most_runs = given.runs or MOST_RUNS
    if manifest.deals is not None:
        most_runs = min(most_runs, manifest.deals.count // manifest.hands)
    return MatchRequest(
        **how_to_play(given, manifest.bots),
        manifest=manifest,
        game=game,
        folder=folder,
        resume=before is not None,
        seat=seat,
        before=before,
        faster=_could_be_faster(manifest, given),
        json=given.json,
        aivat=aivat,
        most_runs=most_runs,
    )


def _new_manifest(given: argparse.Namespace) -> tuple[Manifest, LoggedSeat | None]:
    """Return a new match, and what the log says of the seat that it plays again."""
    if given.sit_in is not None:
        _check_sitting_in(given)
    game_name, game_text = read_game(given.game or _usual_game(given))
    shipped = shipped_of(given.bots)
    bots = with_clocks(parse_bots(given.bots, shipped, Path.cwd()), given)
    check_games(bots, shipped, game_name, game_text)
    deals = look_through(given.deals, game_name, game_text) if given.deals is not None else None
    sit_in = seat = None
    if given.sit_in is not None:
        _check_players(bots, game_name, parse_gamedef(game_text))
        log, player = given.sit_in
        named = given.game is not None
        deals, sit_in, seat = look_through_seat(log, player, game_name, game_text, named=named)
        sit_in = replace(sit_in, bots=logged_bots(logs_in([log])))
    runs = 1 if given.sprt else given.runs or 1
    hands = given.hands or DEFAULT_HANDS
    if deals is not None and not given.hands:
        hands = min(hands, deals.count) if given.sprt else usual_hands(deals, runs)
    manifest = replace(
        new_settings(given, bots, (game_name, game_text), (hands, runs), deals),
        duplicate=not given.no_duplicate and sit_in is None,
        sprt=parse_test(given.sprt) if given.sprt else None,
        sit_in=sit_in,
    )
    return manifest, seat


def _usual_game(given: argparse.Namespace) -> str:
    return DEFAULT_GAME if given.sit_in is None else logged_game(given.sit_in[0])


def _check_sitting_in(given: argparse.Namespace) -> None:
    """Refuse what does not go with --sit-in."""
    if given.deals is not None or given.sprt:
        name = "deals" if given.deals is not None else "sprt"
        raise MatchUsageError(f"--sit-in plays the hands of the log once; --{name} does not fit")
    if (given.runs or 1) > 1:
        raise MatchUsageError("--sit-in plays the hands of the log once; it goes without --runs")


def _changed(stored: Manifest, given: argparse.Namespace) -> Manifest:
    """Return the match in a folder as the arguments would have it."""
    wanted = replace(
        stored,
        hands=given.hands or stored.hands,
        seed=stored.seed if given.seed is None else given.seed,
        runs=stored.runs if stored.sprt else given.runs or stored.runs,
        duplicate=stored.duplicate and not given.no_duplicate,
        dealer_options=tuple({**dict(stored.dealer_options), **dealer_options(given)}.items()),
    )
    if given.sprt:
        wanted = replace(wanted, sprt=parse_test(given.sprt))
    if given.bots:
        shipped = shipped_of(given.bots)
        bots = parse_bots(given.bots, shipped, Path(stored.working_directory))
        wanted = replace(wanted, bots=bots)
    wanted = replace(wanted, bots=with_clocks(wanted.bots, given, stored.bots))
    if given.game is not None:
        name, text = read_game(given.game)
        wanted = replace(wanted, game_name=name, game_text=text)
    if given.deals is not None:
        deals = look_through(given.deals, wanted.game_name, wanted.game_text)
        wanted = replace(wanted, deals=deals)
    return wanted


def _names_in_logs(manifest: Manifest, seat: LoggedSeat | None, folder: Path) -> list[str]:
    """Return the names of all bots, and of those who play in the log where somebody sits in."""
    names = [*manifest.labels]
    if manifest.sit_in is not None:
        kept = folder / SIT_IN_NAME
        here = kept.read_bytes() if kept.is_file() else b""
        names += names_in(here if seat is None else seat.log)
    return [*dict.fromkeys(names)]


def _could_be_faster(manifest: Manifest, given: argparse.Namespace) -> bool:
    most = MOST_HANDS if manifest.sprt else manifest.hands * len(manifest.legs())
    return in_process_pays(given, most) and compiled_of(manifest.bots) == [*manifest.bots]


def _check_players(bots: Sequence[Participant], game_name: str, game: GameDef) -> None:
    count = len(bots)
    if count != game.players:
        were = "no bots were" if not count else "1 bot was" if count == 1 else f"{count} bots were"
        raise MatchUsageError(f"{game_name} is for {game.players} players, {were} given")


def _check(
    manifest: Manifest, before: Manifest | None, game: GameDef, given: argparse.Namespace
) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    count = len(manifest.bots)
    _check_players(manifest.bots, manifest.game_name, game)
    if manifest.sprt is not None:
        if count != 2 or not manifest.duplicate:
            raise MatchUsageError("--sprt is for two bots in duplicate")
        if before is not None and before.hands != manifest.hands:
            raise MatchUsageError("--hands: a match with --sprt gets longer by runs, not by hands")
        check_hypotheses(manifest.sprt, game)
    check_settings(manifest, given)
    if given.in_process:
        check_without_dealer(manifest.bots)
    if given.json not in (None, "-") and not Path(given.json).absolute().parent.is_dir():
        raise MatchUsageError(f"--json {given.json}: there is no such folder")
