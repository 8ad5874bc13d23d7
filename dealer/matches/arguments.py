"""The words of `arena match` -> what to play and how to show it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dealer.bots.participants import Participant, parse_bots
from dealer.deals.logged_seat import LoggedSeat
from dealer.errors import MatchUsageError
from dealer.legs.given_deals import usual_hands
from dealer.legs.in_process_leg import check_without_dealer
from dealer.legs.manifest import MANIFEST_NAME, Manifest
from dealer.legs.plan import MOST_RUNS
from dealer.legs.sit_in import SIT_IN_NAME, logged_game, look_through_seat, names_in
from dealer.logs.inputs import logs_in
from dealer.matches.logged_bots import logged_bots
from dealer.matches.match_options import DEFAULT_HANDS
from dealer.matches.option_values import check_games, read_game, shipped_of
from dealer.matches.request import (
    PlayRequest,
    as_asked,
    check_settings,
    folder_of,
    new_manifest,
    play_request,
    resumed,
)
from dealer.results.sequential import check_hypotheses, parse_test
from engine.console.arguments import DEFAULT_GAME
from protocol.gamedef import parse_gamedef


def request_from(given: argparse.Namespace) -> PlayRequest:
    """Return what the options of `command_line` ask for.

    Raises:
        MatchError: it cannot be played, or the folder to resume in cannot be used.
    """
    before = seat = None
    if given.resume is not None:
        if given.sit_in is not None:
            raise MatchUsageError("--resume knows whose seat it is; --sit-in does not fit")
        before, manifest = resumed(given, MANIFEST_NAME, lambda stored: _as_asked(stored, given))
    else:
        manifest, seat = _new_match(given)
    _check(manifest, before, given)
    most_runs = given.runs or MOST_RUNS
    if manifest.deals is not None:
        most_runs = min(most_runs, manifest.deals.count // manifest.hands)
    players = _names_in_logs(manifest, seat, folder_of(given, manifest))
    return play_request(given, manifest, before, players=players, seat=seat, most_runs=most_runs)


def _new_match(given: argparse.Namespace) -> tuple[Manifest, LoggedSeat | None]:
    """Return a new match, and what the log says of the seat that it plays again."""
    if given.sit_in is not None:
        _check_sitting_in(given)
    game = read_game(given.game or _usual_game(given))
    shipped = shipped_of(given.bots)
    bots = parse_bots(given.bots, shipped, Path.cwd())
    check_games(bots, shipped, *game)
    if given.sit_in is not None:
        _check_players(bots, *game)
    manifest = new_manifest(given, bots, game, 1 if given.sprt else given.runs or 1)
    manifest = replace(manifest, duplicate=not given.no_duplicate)
    if given.sprt:
        hands = given.hands or min(manifest.hands, DEFAULT_HANDS)
        manifest = replace(manifest, hands=hands, sprt=parse_test(given.sprt))
    if given.sit_in is None:
        return manifest, None
    log, player = given.sit_in
    deals, sit_in, seat = look_through_seat(log, player, *game, named=given.game is not None)
    sit_in = replace(sit_in, bots=logged_bots(logs_in([log])))
    hands = given.hands or usual_hands(deals, 1)
    return replace(manifest, hands=hands, duplicate=False, deals=deals, sit_in=sit_in), seat


def _usual_game(given: argparse.Namespace) -> str:
    return DEFAULT_GAME if given.sit_in is None else logged_game(given.sit_in[0])


def _check_sitting_in(given: argparse.Namespace) -> None:
    """Refuse what does not go with --sit-in."""
    if given.deals is not None or given.sprt:
        name = "deals" if given.deals is not None else "sprt"
        raise MatchUsageError(f"--sit-in plays the hands of the log once; --{name} does not fit")
    if (given.runs or 1) > 1:
        raise MatchUsageError("--sit-in plays the hands of the log once; it goes without --runs")


def _as_asked(stored: Manifest, given: argparse.Namespace) -> Manifest:
    """Return the match in a folder as the arguments would have it."""
    bots = stored.bots
    if given.bots:
        bots = parse_bots(given.bots, shipped_of(given.bots), Path(stored.working_directory))
    wanted = as_asked(stored, given, bots)
    if stored.sprt is not None:
        wanted = replace(wanted, runs=stored.runs)
    if given.sprt:
        usual = () if stored.sprt is None else (stored.sprt.estimator,)
        wanted = replace(wanted, sprt=parse_test(given.sprt, *usual))
    return replace(wanted, duplicate=stored.duplicate and not given.no_duplicate)


def _names_in_logs(manifest: Manifest, seat: LoggedSeat | None, folder: Path) -> list[str]:
    """Return the names of all bots, and of those who play in the log where somebody sits in."""
    names = [*manifest.labels]
    if manifest.sit_in is not None:
        kept = folder / SIT_IN_NAME
        here = kept.read_bytes() if kept.is_file() else b""
        names += names_in(here if seat is None else seat.log)
    return [*dict.fromkeys(names)]


def _check_players(bots: Sequence[Participant], game_name: str, game_text: str) -> None:
    count, players = len(bots), parse_gamedef(game_text).players
    if count != players:
        were = "no bots were" if not count else "1 bot was" if count == 1 else f"{count} bots were"
        raise MatchUsageError(f"{game_name} is for {players} players, {were} given")


def _check(manifest: Manifest, before: Manifest | None, given: argparse.Namespace) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    _check_players(manifest.bots, manifest.game_name, manifest.game_text)
    if manifest.sprt is not None:
        if len(manifest.bots) != 2 or not manifest.duplicate:
            raise MatchUsageError("--sprt is for two bots in duplicate")
        if before is not None and before.hands != manifest.hands:
            raise MatchUsageError("--hands: a match with --sprt gets longer by runs, not by hands")
        check_hypotheses(manifest.sprt, parse_gamedef(manifest.game_text))
    check_settings(manifest, given)
    if given.in_process:
        check_without_dealer(manifest.bots)
