"""What options of `arena match` and `arena tournament` ask for: what to play, how, and where."""

from __future__ import annotations

import argparse
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import (
    LABEL_PATTERN,
    BotKind,
    ExploitabilityBound,
    Participant,
    check_game,
    clock_options,
    compiled_bots,
    distinct,
    exploitability_bounds,
    parse_bots,
    possibly_shipped,
    program_words,
    shipped_bots,
)
from dealer.bots.program_files import changed_files, with_earlier, with_files
from dealer.commands.match_options import DEFAULT_HANDS
from dealer.commands.tournament_file import BotEntry
from dealer.deals.logged_seat import LoggedSeat
from dealer.errors import MatchError, MatchUsageError
from dealer.plan.match_plan import CLOCKS, SeatClock
from dealer.plan.options import SHARED_DEALER_OPTIONS
from dealer.ratings.aivat_options import aivat_words, what_is_wrong
from dealer.results.sequential import check_hypotheses, parse_test
from dealer.series.given_deals import (
    DEALS_COPY_NAME,
    SIT_IN_LOG_NAME,
    LoggedBot,
    check_length,
    logged_game,
    look_through,
    look_through_seat,
    names_in,
    usual_hands,
)
from dealer.series.in_process_leg import check_without_dealer, without_dealer
from dealer.series.manifest import (
    MANIFEST_NAME,
    TOURNAMENT_NAME,
    Manifest,
    differences,
    read_manifest,
)
from dealer.series.schedule import (
    MOST_LABEL_CHARACTERS,
    MOST_LEG_HANDS,
    MOST_RUNS,
    TournamentStyle,
    file_stem,
)
from engine.aivat.hands import hands_of
from engine.console.arguments import DEFAULT_GAME
from engine.console.version import program_version
from engine.errors import InvalidGame
from engine.handlogs.source.folders import logs_in
from engine.parallel.cores import CAN_PIN, core_count
from engine.parallel.shards import Shard
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """What the user wants played, how, and where it is kept."""

    manifest: Manifest
    stored: Manifest | None
    """What the folder holds, where that is to be resumed; it may be shorter."""
    game: GameDef
    folder: Path
    deals: Path | None
    """The deals file that is played from now on."""
    force: bool
    jobs: int
    """Legs played side by side."""
    executor: str | None
    """Who plays them, see `engine.parallel.executors`; None: this machine."""
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
    """File for the result as JSON, see `engine.console.options.json_option`."""
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
    shard: Shard | None = None
    """Whose legs are played; its folder is that of all shards and its name.  None: all."""
    rating_interval: int = 0
    """Legs after which the standing of a tournament is shown, 0 for only at the end."""

    @property
    def resume(self) -> bool:
        """Whether to resume what is in `folder`."""
        return self.stored is not None


def series_request(
    given: argparse.Namespace, entries: Sequence[BotEntry], shard: Shard | None = None
) -> PlayRequest:
    """Return what the options of either command ask for.

    Args:
        shard: which part of it is played; its folder is resumed where it is there.

    Raises:
        MatchError: it cannot be played, or the folder to resume in cannot be used.
    """
    stored = seat = None
    if shard is not None:
        _check_shard(given, shard)
    if given.resume is None:
        if given.retry:
            raise MatchUsageError("--retry plays forfeited legs of --resume DIR again")
        manifest, seat = _new_series(given, entries)
    if shard is not None:
        _settle_shard_folder(given, shard, None if given.resume is not None else manifest)
    if given.resume is not None:
        if given.sit_in is not None:
            raise MatchUsageError("--resume knows whose seat it is; --sit-in does not fit")
        stored, manifest = _resumed(given, entries)
        _check_knockout(stored, manifest, given)
        if shard is not None and (new := manifest.newcomers(stored)):
            raise MatchUsageError(f"--shard: {', '.join(new)} can join once all is merged")
    if manifest.is_match:
        _check_match(manifest, stored, given)
    else:
        _check_tournament(manifest, given)
    most_runs = given.runs or MOST_RUNS
    if manifest.deals is not None:
        most_runs = min(most_runs, manifest.deals.count // manifest.hands)
    game = parse_gamedef(manifest.game_text)
    folder = folder_of(given, manifest)
    same = (
        *("force", "affinity", "recover", "events", "in_process", "live", "quiet", "json"),
        *("executor", "retry", "decide", "decide_hands", "rating_interval"),
    )
    return PlayRequest(
        manifest=manifest,
        stored=stored,
        game=game,
        folder=folder,
        deals=None if given.deals is None else Path(given.deals),
        jobs=given.jobs or usual_jobs(manifest.bots),
        faster=could_be_faster(manifest, given),
        aivat=aivat_wanted(given, game, manifest.game_name, _names_in_logs(manifest, seat, folder)),
        seat=seat,
        most_runs=most_runs,
        shard=shard,
        **{name: getattr(given, name) for name in same},
    )


def _check_shard(given: argparse.Namespace, shard: Shard) -> None:
    """Refuse what depends on legs of all shards, and deals that shards would not share."""
    unfit = {
        "--style knockout": given.style == TournamentStyle.KNOCKOUT.value,
        "--sprt": given.sprt,
        "--sit-in": given.sit_in,
        "--decide": given.decide,
        "--rating-interval": given.rating_interval,
        "--json": given.json,
    }
    if option := next((option for option, is_given in unfit.items() if is_given), ""):
        raise MatchUsageError(
            f"shard {shard}: {option} needs the legs of all shards; play without --shard, or see "
            "arena merge --help"
        )
    if given.seed is None and given.resume is None:
        raise MatchUsageError(
            f"shard {shard}: --seed S is needed, so that all shards play the same deals"
        )


def _settle_shard_folder(given: argparse.Namespace, shard: Shard, new: Manifest | None) -> None:
    """Put a shard beside the others of its kind; a new one that is there already is resumed.

    A scheduler that starts a task again starts the same command.
    """
    if new is None:
        given.resume = Path(given.resume) / shard.name
        return
    given.out = folder_of(given, new) / shard.name
    if (given.out / new.file_name).is_file() and not given.force:
        given.resume, given.out = given.out, None


def _new_series(
    given: argparse.Namespace, entries: Sequence[BotEntry]
) -> tuple[Manifest, LoggedSeat | None]:
    """Return what is to be begun, and what the log says of the seat that it plays again."""
    if given.sit_in is not None:
        _check_sitting_in(given)
    game = read_game(given.game or _usual_game(given))
    style = TournamentStyle(given.style or TournamentStyle.ROUND_ROBIN.value)
    bots = _participants(entries, *game, twice=style is TournamentStyle.MATCH)
    if given.sit_in is not None:
        _check_players(bots, *game)
    runs = 1 if given.sprt else given.runs or 1
    deals = None if given.deals is None else look_through(given.deals, *game)
    manifest = Manifest(
        bots=with_files(with_clocks(bots, given), str(Path.cwd())),
        game_name=game[0],
        game_text=game[1],
        hands=given.hands or (DEFAULT_HANDS if deals is None else usual_hands(deals, runs)),
        seed=secrets.randbelow(2**32) if given.seed is None else given.seed,
        runs=runs,
        duplicate=not given.no_duplicate,
        dealer_options=tuple(dealer_options(given).items()),
        working_directory=str(Path.cwd()),
        versions=(("acpc-arena", program_version()),),
        deals=deals,
        style=style,
        challengers=given.challengers or 1,
    )
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


def series_asked(
    stored: Manifest, given: argparse.Namespace, entries: Sequence[BotEntry]
) -> Manifest:
    """Return a stored match or tournament as the arguments would have it.

    Raises:
        MatchUsageError: they name something that cannot be read or started, or nobody's label.
    """
    bots = stored.bots
    if entries and stored.is_match:
        specs = [entry.spec for entry in entries]
        bots = parse_bots(specs, shipped_of(specs), Path(stored.working_directory))
    elif entries:
        named = _participants(entries, stored.game_name, stored.game_text)
        bots = with_newcomers(stored, named, given.challengers)
    runs = stored.runs if stored.sprt is not None else given.runs or stored.runs
    wanted = replace(
        stored,
        bots=with_clocks(bots, given, stored.bots),
        hands=given.hands or stored.hands,
        seed=stored.seed if given.seed is None else given.seed,
        runs=runs,
        dealer_options=tuple({**dict(stored.dealer_options), **dealer_options(given)}.items()),
        duplicate=stored.duplicate and not given.no_duplicate,
        style=stored.style if given.style is None else TournamentStyle(given.style),
        challengers=given.challengers or stored.challengers,
    )
    if given.game is not None:
        name, text = read_game(given.game)
        wanted = replace(wanted, game_name=name, game_text=text)
    if given.deals is not None:
        deals = look_through(given.deals, wanted.game_name, wanted.game_text)
        wanted = replace(wanted, deals=deals)
    if given.sprt:
        usual = () if stored.sprt is None else (stored.sprt.estimator,)
        wanted = replace(wanted, sprt=parse_test(given.sprt, *usual))
    return wanted


def _resumed(given: argparse.Namespace, entries: Sequence[BotEntry]) -> tuple[Manifest, Manifest]:
    """Return what the folder of --resume holds, and the same as it is asked for.

    Raises:
        MatchError: it cannot be read, or something else is asked for.
    """
    if given.out is not None or given.force:
        raise MatchUsageError("--resume goes on in its folder; --out and --force do not fit")
    is_match = given.style == TournamentStyle.MATCH.value
    stored = read_manifest(Path(given.resume), MANIFEST_NAME if is_match else TOURNAMENT_NAME)
    manifest = series_asked(stored, given, entries)
    if different := differences(stored, manifest):
        raise MatchUsageError(f"{given.resume} holds another {stored.what}: {'; '.join(different)}")
    now = with_files(manifest.bots, manifest.working_directory)
    stored_bots = {bot.label: bot for bot in stored.bots}
    were = [stored_bots.get(bot.label, bot) for bot in now]
    changed = changed_files(were, now)
    if changed and not given.changed_bots:
        raise MatchUsageError(
            f"{'; '.join(changed)}; --changed-bots resumes with what is there now, and two "
            "programs then play under one name"
        )
    return stored, replace(manifest, bots=with_earlier(were, now))


def _participants(
    entries: Sequence[BotEntry], game_name: str, game_text: str, *, twice: bool = False
) -> tuple[Participant, ...]:
    """Return the bots of new entries; `twice` says whether two may have one label."""
    labels = Counter(
        label
        for entry in entries
        if LABEL_PATTERN.fullmatch(label := entry.spec.partition("=")[0]) and "=" in entry.spec
    )
    again = next((label for label, count in labels.items() if count > 1), None)
    if again is not None and not twice:
        raise MatchUsageError(f"two bots are labelled {again}")
    shipped = shipped_of([entry.spec for entry in entries])
    bots = []
    for entry in entries:
        (bot,) = parse_bots([entry.spec], shipped, Path(entry.directory or Path.cwd()))
        bots.append(replace(bot, directory=entry.directory, clocks=entry.clocks))
    check_games(bots, shipped, game_name, game_text)
    return distinct(bots)


def folder_of(given: argparse.Namespace, manifest: Manifest) -> Path:
    """Return the folder in which it is played."""
    if (named := given.out if given.resume is None else given.resume) is not None:
        return Path(named)
    if manifest.is_match:
        return Path("matches") / f"{file_stem(manifest.labels)}-{manifest.seed}"
    return Path("tournaments") / f"{manifest.style_name}-{manifest.seed}"


def check_settings(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would fail later, in a match and in a tournament.  Raises MatchUsageError."""
    if manifest.deals is not None:
        check_length(manifest.deals, manifest.hands, manifest.runs)
        if manifest.game_name == DEALS_COPY_NAME:
            raise MatchUsageError(f"a game file called {DEALS_COPY_NAME} goes without --deals")
    ports = Counter(bot.port for bot in manifest.bots if bot.port)
    if (given.jobs or 1) > 1 and ports:
        raise MatchUsageError("legs side by side (--jobs) cannot share the port of listen:PORT")
    if shared := next((port for port, count in ports.items() if count > 1), 0):
        raise MatchUsageError(f"listen:{shared} is given twice; each bot needs a port of its own")
    if given.affinity and not CAN_PIN:
        raise MatchUsageError("--affinity is not possible on this system")
    if given.executor is not None:
        _check_executor(manifest, given)
    if given.recover:
        if dict(manifest.dealer_options).get("reconnect", 0) <= 0:
            raise MatchUsageError("--recover needs --reconnect SECONDS above 0 from the start")
        if all(bot.kind is BotKind.LISTEN for bot in manifest.bots):
            raise MatchUsageError("--recover cannot start bots that connect by themselves")


def _check_executor(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what other machines cannot play, or would play as strongly as they are fast."""
    if given.affinity:
        raise MatchUsageError("--affinity is about this machine, and --executor plays elsewhere")
    guests = [bot.label for bot in manifest.bots if bot.kind is BotKind.LISTEN]
    if guests:
        raise MatchUsageError(
            f"{guests[0]} connects by itself and cannot know where to; --executor does not fit"
        )
    names = {bot.words[0] for bot in manifest.bots if bot.kind is BotKind.SHIPPED}
    without = clock_options(sorted(names)) if names else {}
    for bot in manifest.bots:
        option = without.get(bot.words[0]) if bot.kind is BotKind.SHIPPED else None
        if option and not any(word.partition("=")[0] == option for word in bot.words):
            raise MatchUsageError(
                f"{bot.label} thinks by the clock, so with --executor its strength would depend on "
                f'who plays; give it {option}, as in "{bot.words[0]} {option} 100"'
            )


DEFAULT_RECOVER_SECONDS: Final = 60
FASTER_IN_PROCESS: Final = (
    "faster: --in-process plays the same hands between these bots without dealers, without what "
    "only dealers have (docs/playing.md)"
)
_LONG_MATCH_HANDS: Final = 10_000


def shipped_of(specs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what the bots of the BOT arguments that may be shipped ones play."""
    names = possibly_shipped(specs)
    return shipped_bots(names) if names else {}


def known_bounds(manifest: Manifest) -> dict[str, ExploitabilityBound]:
    """Return the best attacks on record on bots of a tournament, by label.

    Those of shipped bots in a built-in game; none where they cannot be asked for.
    """
    game = parse_gamedef(manifest.game_text)
    alias = next((alias for alias in builtin_aliases() if load_builtin(alias) == game), None)
    shipped = [bot for bot in manifest.bots if bot.kind is BotKind.SHIPPED]
    if alias is None or not shipped:
        return {}
    try:
        bounds = exploitability_bounds([bot.words for bot in shipped], alias)
    except MatchError:
        return {}
    return {bot.label: bounds[bot.words] for bot in shipped if bot.words in bounds}


def could_be_faster(manifest: Manifest, given: argparse.Namespace) -> bool:
    """Return whether to say that in one process it would play sooner.

    So it would for a match between compiled bots without options, and where a tournament has two.
    """
    hands = MOST_LEG_HANDS if manifest.sprt else manifest.hands * manifest.leg_count
    if hands < _LONG_MATCH_HANDS or (
        given.in_process or given.events or given.recover or given.quiet or given.resume
    ):
        return False
    plain = [bot.words[0] for bot in manifest.bots if without_dealer((bot,))]
    names = compiled_bots(plain) if plain else ()
    compiled = sum(name in names for name in plain)
    return compiled == len(manifest.bots) if manifest.is_match else compiled > 1


def usual_jobs(bots: Sequence[Participant]) -> int:
    """Return how many legs are played side by side unless the user says otherwise.

    Who starts a bot by hand may have but one, which has to sit in one leg after the other.
    """
    return 1 if any(bot.kind is BotKind.LISTEN for bot in bots) else core_count()


def check_games(
    bots: Sequence[Participant],
    shipped: Mapping[str, Sequence[str]],
    game_name: str,
    game_text: str,
) -> None:
    """Refuse a shipped bot that does not play a built-in game.

    Of other games, and with a model of its own, it has to tell itself.
    """
    game = parse_gamedef(game_text)
    alias = next((alias for alias in builtin_aliases() if load_builtin(alias) == game), None)
    if alias is not None:
        for bot in bots:
            check_game(bot, shipped, alias, game_name)


def aivat_wanted(
    given: argparse.Namespace, game: GameDef, game_name: str, players: Sequence[str]
) -> tuple[str, ...] | None:
    """Return what the program for AIVAT is told, None where it is not asked for.

    Raises:
        MatchUsageError: it is not for the game, --known names nobody of them, or what it or
            --values names cannot be used.
    """
    if not given.aivat:
        return None
    try:
        hands_of(game)
    except InvalidGame as error:
        raise MatchUsageError(f"--aivat is not for {game_name}: {error}") from error
    for named in given.known:
        if (name := named.partition("=")[0]) not in players:
            there = ", ".join(players)
            raise MatchUsageError(f"--known {named}: nobody is called {name}; there are {there}")
    arguments = aivat_words(given)
    if arguments and (wrong := what_is_wrong(arguments)):
        raise MatchUsageError(wrong)
    return tuple(arguments)


def dealer_options(given: argparse.Namespace) -> dict[str, Any]:
    """Return the options of every dealer that were given, by name without dashes."""
    values = {}
    for name in SHARED_DEALER_OPTIONS:
        value = getattr(given, name)
        if name in CLOCKS:
            value = next((ms for label, ms in reversed(value or ()) if not label), None)
        if value is not None:
            values[name] = value
    if given.recover and given.resume is None:
        values.setdefault("reconnect", DEFAULT_RECOVER_SECONDS)
    return values


def with_clocks(
    bots: Sequence[Participant],
    given: argparse.Namespace,
    stored: Sequence[Participant] = (),
) -> tuple[Participant, ...]:
    """Return the bots with the time limits that were given for one of them alone.

    Args:
        stored: the same bots in the folder of a match to be resumed; their limits stay.

    Raises:
        MatchUsageError: no bot has such a label.
    """
    clocks = {bot.label: dict(bot.clocks) for bot in bots}
    for bot in stored:
        if bot.label in clocks:
            clocks[bot.label] = dict(bot.clocks) | clocks[bot.label]
    for name in CLOCKS:
        for label, value in getattr(given, name) or ():
            if label and label not in clocks:
                labels = ", ".join(clocks)
                raise MatchUsageError(
                    f"--{name} {label}={value}: no bot is labelled {label}; there are {labels}"
                )
            if label:
                clocks[label][name] = value
    return tuple(
        replace(
            bot,
            clocks=tuple(
                SeatClock(name, clocks[bot.label][name])
                for name in CLOCKS
                if name in clocks[bot.label]
            ),
        )
        for bot in bots
    )


def read_game(name: str) -> tuple[str, str]:
    """Return the file name, free of blanks, and the text of a game file or built-in game."""
    path = Path(name)
    try:
        if not path.is_file():
            path = builtin_path(name)
        text = path.read_text(encoding="utf-8")
        parse_gamedef(text)
    except (GameDefError, OSError, UnicodeDecodeError) as exc:
        raise MatchUsageError(f"--game {name}: {exc}") from exc
    return re.sub(r"\s+", "_", path.name), text


def _usual_game(given: argparse.Namespace) -> str:
    return DEFAULT_GAME if given.sit_in is None else logged_game(given.sit_in[0])


def _check_sitting_in(given: argparse.Namespace) -> None:
    """Refuse what does not go with --sit-in."""
    if given.deals is not None or given.sprt:
        name = "deals" if given.deals is not None else "sprt"
        raise MatchUsageError(f"--sit-in plays the hands of the log once; --{name} does not fit")
    if (given.runs or 1) > 1:
        raise MatchUsageError("--sit-in plays the hands of the log once; it goes without --runs")


def _names_in_logs(manifest: Manifest, seat: LoggedSeat | None, folder: Path) -> list[str]:
    """Return the names of all bots, and of those who play in the log where somebody sits in."""
    names = [*manifest.labels]
    if manifest.sit_in is not None:
        log_file = folder / SIT_IN_LOG_NAME
        here = log_file.read_bytes() if log_file.is_file() else b""
        names += names_in(here if seat is None else seat.log)
    return [*dict.fromkeys(names)]


def _check_players(bots: Sequence[Participant], game_name: str, game_text: str) -> None:
    count, players = len(bots), parse_gamedef(game_text).players
    if count != players:
        were = "no bots were" if not count else "1 bot was" if count == 1 else f"{count} bots were"
        raise MatchUsageError(f"{game_name} is for {players} players, {were} given")


def _check_match(manifest: Manifest, stored: Manifest | None, given: argparse.Namespace) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    _check_players(manifest.bots, manifest.game_name, manifest.game_text)
    if manifest.sprt is not None:
        if len(manifest.bots) != 2 or not manifest.duplicate:
            raise MatchUsageError("--sprt is for two bots in duplicate")
        if stored is not None and stored.hands != manifest.hands:
            raise MatchUsageError("--hands: a match with --sprt gets longer by runs, not by hands")
        check_hypotheses(manifest.sprt, parse_gamedef(manifest.game_text))
    check_settings(manifest, given)
    if given.in_process:
        check_without_dealer(manifest.bots)


def logged_bots(logs: Iterable[Path]) -> tuple[LoggedBot, ...]:
    """Return the shipped bots of logs, by the names that the logs give them.

    Logs outside match folders, or beside a manifest that cannot be read, tell of none.  A name that
    is one bot in one log and another bot in another is left out.
    """
    bots: dict[str, LoggedBot] = {}
    doubtful: set[str] = set()
    manifests: dict[Path, Manifest | None] = {}
    for log in logs:
        folder = log.parent
        if folder not in manifests:
            try:
                manifests[folder] = read_manifest(folder)
            except MatchError:
                manifests[folder] = None
        manifest = manifests[folder]
        for bot in () if manifest is None else _bots_of(manifest, log):
            if bots.setdefault(bot.label, bot) != bot:
                doubtful.add(bot.label)
    return tuple(bot for bot in bots.values() if bot.label not in doubtful)


def _bots_of(manifest: Manifest, log: Path) -> tuple[LoggedBot, ...]:
    """Return the shipped bots of a log of a match, none where it is no log of it."""
    if log.name == SIT_IN_LOG_NAME:
        return () if manifest.sit_in is None else manifest.sit_in.bots
    if log.stem not in {leg.name for leg in manifest.legs()}:
        return ()
    return tuple(
        LoggedBot(bot.label, bot.words) for bot in manifest.bots if bot.kind is BotKind.SHIPPED
    )


MOST_BOTS: Final = 1000
MOST_PAIRINGS: Final = 500_000


def _check_knockout(stored: Manifest, manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would change who goes on in a knockout that has begun."""
    if stored.style is not TournamentStyle.KNOCKOUT:
        return
    if manifest.runs > stored.runs:
        raise MatchUsageError(
            f"{given.resume} holds a knockout, which cannot be made longer: with {manifest.runs} "
            f"rounds in the place of {stored.runs} others might have gone on; begin a new one"
        )
    if new := manifest.newcomers(stored):
        raise MatchUsageError(
            f"{given.resume} holds a knockout, which nobody can join: {', '.join(new)}"
        )
    if given.retry:
        raise MatchUsageError(
            f"{given.resume} holds a knockout: played again, a forfeited leg might bring back who "
            "is out; leave --retry out"
        )


def _check_decide(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse to decide places that there are not."""
    if given.decide is None:
        if given.decide_hands is not None:
            raise MatchUsageError("--decide-hands is for --decide K")
        return
    if manifest.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError("--decide is not for a knockout, in which who loses is out")
    gauntlet = manifest.style is TournamentStyle.GAUNTLET
    ranked = manifest.challengers if gauntlet else len(manifest.bots)
    if given.decide >= ranked:
        who = "challengers" if gauntlet else "bots"
        raise MatchUsageError(f"--decide {given.decide}: want fewer places than {ranked} {who}")


def _check_tournament(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    players = manifest.players
    if players != 2 and manifest.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError(f"{manifest.game_name} is for {players} players, a knockout for two")
    bots = manifest.bots
    if not players <= len(bots) <= MOST_BOTS:
        raise MatchUsageError(
            f"{len(bots)} bot{'s' * (len(bots) != 1)}: want {players} to {MOST_BOTS:,}"
        )
    if manifest.style is TournamentStyle.GAUNTLET:
        if manifest.challengers > len(bots) - players + 1:
            raise MatchUsageError(
                f"--challengers {manifest.challengers} of {len(bots)} bots leaves nobody to meet"
            )
    elif given.challengers is not None:
        raise MatchUsageError("--challengers is for --style gauntlet")
    _check_decide(manifest, given)
    if manifest.pairing_count > MOST_PAIRINGS:
        raise MatchUsageError(
            f"{len(bots)} bots have {manifest.pairing_count:,} tables of {players}: want at most "
            f"{MOST_PAIRINGS:,}"
        )
    names = Counter(map(".".join, combinations(manifest.labels, players)))
    if twice := next((name for name, count in names.items() if count > 1), None):
        raise MatchUsageError(f"two pairings would be called {twice}; label a bot otherwise")
    if players > 2 and len(longest := max(names, key=len)) > MOST_LABEL_CHARACTERS:
        raise MatchUsageError(
            f"{longest} is too long a name for files, over {MOST_LABEL_CHARACTERS} characters; "
            "label bots otherwise"
        )
    check_settings(manifest, given)


def with_newcomers(
    stored: Manifest, named: Sequence[Participant], challengers: int | None
) -> tuple[Participant, ...]:
    """Return the bots of a tournament with those that are named for the first time.

    They are the last, but in a gauntlet with more `challengers` than before the last challengers.
    Bots that are there already may be named besides, in their order, or left out; named otherwise,
    nobody joins, and the bots are those named.
    """
    named_labels = {bot.label for bot in named}
    old = [bot.label for bot in named if bot.label in stored.labels]
    if old != [label for label in stored.labels if label in named_labels]:
        return tuple(named)
    as_named = {bot.label: bot for bot in named}
    bots = [as_named.get(bot.label, bot) for bot in stored.bots]
    here = str(Path.cwd())
    new = [
        replace(bot, directory=bot.directory or here)
        if program_words(bot) and here != stored.working_directory
        else bot
        for bot in named
        if bot.label not in stored.labels
    ]
    at = len(bots)
    more = (challengers or stored.challengers) - stored.challengers
    if stored.style is TournamentStyle.GAUNTLET and more == len(new):
        at = stored.challengers
    return (*bots[:at], *new, *bots[at:])
