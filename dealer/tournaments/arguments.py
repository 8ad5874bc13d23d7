"""The words of `arena tournament` -> what to play and how to show it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import LABEL, Participant, distinct, parse_bots
from dealer.errors import MatchUsageError
from dealer.legs.given_deals import (
    look_through,
    usual_hands,
)
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
from dealer.tournaments.schedule import TournamentStyle
from dealer.tournaments.toml_file import BotEntry
from dealer.tournaments.tournament import Tournament, read_tournament
from engine.console.arguments import DEFAULT_GAME
from protocol.gamedef import parse_gamedef

MOST_BOTS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRequest(PlayRequest):
    """The tournament that the user asked for, and how to play it."""

    tournament: Tournament
    before: Tournament | None
    """What the folder holds, where that tournament is to be resumed."""
    retry: bool
    rating_interval: int
    """Legs after which the standing is shown, 0 for only at the end."""
    json: Path | None
    """File for the standings as JSON, see `engine.console.options.add_json`."""


def request_from(
    given: argparse.Namespace, entries: Sequence[BotEntry], share: int = 1
) -> TournamentRequest:
    """Return what the words of `command_line` ask for.

    Args:
        share: how many processes play the tournament on this machine.

    Raises:
        MatchError: it cannot be played, or the folder to resume in cannot be used.
    """
    before = None
    if given.resume is None:
        if given.retry:
            raise MatchUsageError("--retry plays forfeited legs of --resume DIR again")
        tournament = _new_tournament(given, entries)
        default = Path("tournaments") / f"{tournament.style.value}-{tournament.settings.seed}"
        folder = default if given.out is None else Path(given.out)
    else:
        folder = Path(given.resume)
        before = read_tournament(folder)
        tournament = _longer(before, given, entries)
    _check(tournament, given)
    game = parse_gamedef(tournament.settings.game_text)
    return TournamentRequest(
        **how_to_play(given, tournament.settings.bots, share),
        tournament=tournament,
        game=game,
        folder=folder,
        resume=before is not None,
        before=before,
        retry=given.retry,
        faster=_could_be_faster(tournament, given),
        rating_interval=given.rating_interval,
        json=given.json,
        aivat=aivat_wanted(given, game, tournament.settings.game_name, tournament.labels),
    )


def _could_be_faster(tournament: Tournament, given: argparse.Namespace) -> bool:
    settings = tournament.settings
    if not in_process_pays(given, tournament.pairing_count * settings.runs * 2 * settings.hands):
        return False
    return len(compiled_of(settings.bots)) > 1


def _new_tournament(given: argparse.Namespace, entries: Sequence[BotEntry]) -> Tournament:
    game_name, game_text = read_game(given.game or DEFAULT_GAME)
    bots = with_clocks(_participants(entries, game_name, game_text), given)
    deals = look_through(given.deals, game_name, game_text) if given.deals is not None else None
    runs = given.rounds or 1
    hands = given.hands or (DEFAULT_HANDS if deals is None else usual_hands(deals, runs))
    return Tournament(
        TournamentStyle(given.style or TournamentStyle.ROUND_ROBIN.value),
        given.challengers or 1,
        new_settings(given, bots, (game_name, game_text), (hands, runs), deals),
    )


def _participants(
    entries: Sequence[BotEntry], game_name: str, game_text: str
) -> tuple[Participant, ...]:
    labels = Counter(
        label
        for entry in entries
        if LABEL.fullmatch(label := entry.spec.partition("=")[0]) and "=" in entry.spec
    )
    if twice := next((label for label, count in labels.items() if count > 1), None):
        raise MatchUsageError(f"two bots are labelled {twice}")
    shipped = shipped_of([entry.spec for entry in entries])
    bots = []
    for entry in entries:
        (bot,) = parse_bots([entry.spec], shipped, Path(entry.directory or Path.cwd()))
        bots.append(replace(bot, directory=entry.directory, clocks=entry.clocks))
    check_games(bots, shipped, game_name, game_text)
    return distinct(bots)


def _longer(
    stored: Tournament, given: argparse.Namespace, entries: Sequence[BotEntry]
) -> Tournament:
    """Return the stored tournament, with more rounds if they were asked for.

    Raises:
        MatchUsageError: something else is asked for than what is stored.
    """
    check_resumed_folder(given)
    rounds = given.rounds or stored.settings.runs
    bots = bots_asked_for(stored, given, entries)
    different = differences_asked(stored, given, bots, "in the folder")
    if rounds < stored.settings.runs:
        different.append(f"rounds: {stored.settings.runs} in the folder, {rounds} asked for")
    if different:
        raise MatchUsageError(f"{given.resume} holds another tournament: {'; '.join(different)}")
    if rounds > stored.settings.runs and stored.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError(
            f"{given.resume} holds a knockout, which cannot be made longer: with {rounds} rounds "
            f"in the place of {stored.settings.runs} others might have gone on; begin a new one"
        )
    if given.retry and stored.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError(
            f"{given.resume} holds a knockout: played again, a forfeited leg might bring back who "
            "is out; leave --retry out"
        )
    return replace(stored, settings=replace(stored.settings, runs=rounds))


def bots_asked_for(
    stored: Tournament, given: argparse.Namespace, entries: Sequence[BotEntry]
) -> tuple[Participant, ...]:
    """Return the bots of a tournament as the arguments would have them.

    Raises:
        MatchUsageError: they name something that cannot be started, or nobody's label.
    """
    settings = stored.settings
    bots = settings.bots
    if entries:
        bots = _participants(entries, settings.game_name, settings.game_text)
    return with_clocks(bots, given, settings.bots)


def differences_asked(
    stored: Tournament, given: argparse.Namespace, bots: Sequence[Participant], where: str
) -> list[str]:
    """Return the settings, but for the rounds, in which the arguments differ from the stored ones.

    Raises:
        MatchUsageError: the game cannot be read.
    """
    settings = stored.settings
    asked = {
        "style": (given.style, stored.style.value),
        "challengers": (given.challengers, stored.challengers),
        "hands": (given.hands, settings.hands),
        "seed": (given.seed, settings.seed),
    }
    different = [
        f"{name}: {before} {where}, {now} asked for"
        for name, (now, before) in asked.items()
        if now is not None and now != before
    ]
    stated = {**dict(settings.dealer_options), **dealer_options(given)}
    if stated != dict(settings.dealer_options):
        different.append("options of the dealer")
    if given.game is not None and read_game(given.game)[1] != settings.game_text:
        different.append(f"game: {settings.game_name} {where}, {given.game} asked for")
    if given.deals is not None:
        deals = look_through(given.deals, settings.game_name, settings.game_text)
        if settings.deals is None or deals.sha256 != settings.deals.sha256:
            different.append(f"deals: not those of {given.deals} {where}")
    if _without_clocks(bots) != _without_clocks(settings.bots):
        different.append(f"bots: {', '.join(stored.labels)} {where}, others asked for")
    elif tuple(bots) != settings.bots:
        different.append("time limits of bots")
    return different


def _without_clocks(bots: Sequence[Participant]) -> list[Participant]:
    return [replace(bot, clocks=()) for bot in bots]


def _check(tournament: Tournament, given: Any) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    settings = tournament.settings
    players = parse_gamedef(settings.game_text).players
    if players != 2:
        raise MatchUsageError(
            f"{settings.game_name} is for {players} players; pairings are of two, and "
            "`arena match` plays a table of more in all seatings"
        )
    if not 2 <= len(settings.bots) <= MOST_BOTS:
        raise MatchUsageError(f"{len(settings.bots)} bots: want 2 to {MOST_BOTS:,}")
    if tournament.style is TournamentStyle.GAUNTLET:
        if tournament.challengers >= len(settings.bots):
            raise MatchUsageError(
                f"--challengers {tournament.challengers} of {len(settings.bots)} bots leaves "
                "nobody to meet"
            )
    elif given.challengers is not None:
        raise MatchUsageError("--challengers is for --style gauntlet")
    names = Counter(
        f"{one.label}.{other.label}"
        for at, one in enumerate(settings.bots)
        for other in settings.bots[at + 1 :]
    )
    if twice := next((name for name, count in names.items() if count > 1), None):
        raise MatchUsageError(f"two pairings would be called {twice}; label a bot otherwise")
    check_settings(settings, given)
