"""Options that `arena match`, `arena tournament` and `arena check` share, and what they name."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from dealer.matches.bots import CLOCKS, BotKind, Participant, possibly_shipped
from dealer.matches.errors import MatchUsageError
from dealer.matches.in_process_leg import without_dealer
from dealer.matches.leg import GUEST_START_MS, START_MS
from dealer.matches.plan import MOST_HANDS, MOST_RUNS
from dealer.matches.roster import compiled_bots, shipped_bots
from dealer.ratings.aivat_options import aivat_words, what_is_wrong
from dealer.server.options import HAND_MS, PER_HAND_MS, RESPONSE_MS
from engine.console.arguments import DEFAULT_GAME, deal_seed, real_number, whole_number
from engine.console.version import program_version
from engine.parallel.cores import core_count
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin

DEFAULT_HANDS: Final = 1000
DEFAULT_RECOVER_SECONDS: Final = 60
"""How long a bot that is started again may take to be back, where --reconnect does not say."""
COUNT: Final = whole_number(1, 2**32 - 1, "{}: want a whole number above 0")
HANDS: Final = whole_number(1, MOST_HANDS, f"{{}}: want a whole number from 1 to {MOST_HANDS:,}")
RUNS: Final = whole_number(1, MOST_RUNS, f"{{}}: want a whole number from 1 to {MOST_RUNS:,}")
_reconnect: Final = real_number(
    lambda value: 0 <= value < 10**9, "{}: want a number of seconds, 0 or more, below 10^9"
)
FASTER_IN_PROCESS: Final = (
    "faster: --in-process plays the same hands between these bots without dealers, without what "
    "only dealers have (docs/playing.md)"
)
_LONG: Final = 10_000
"""Hands below which nobody minds how fast they are played."""
BOT_IS: Final = """\
BOT is one of
  NAME [OPTION...]     a shipped bot (arena agent --list), in quotes with its options
  COMMAND [ARGUMENT..] any program that gets HOST and PORT appended, in quotes with its arguments
                       ({game} in them stands for the game file)
  listen[:PORT]        a bot that you start yourself; you are told where it should connect
with LABEL= before it to name it in logs and tables.
"""
"""For the help of commands that take bots."""
CLOCK_TEXTS: Final = {
    "t_response": "longest single response",
    "t_hand": "longest time of a bot in one hand",
    "t_per_hand": "average time of a bot per hand",
}
"""Time limit -> what it limits."""
_CLOCK_MS: Final = {"t_response": RESPONSE_MS, "t_hand": HAND_MS, "t_per_hand": PER_HAND_MS}
MATCH_SETTINGS: Final = (*CLOCKS, "start_timeout", "reconnect", "invalid", "listen")
"""Names of the options that are told to every dealer."""


def add_game_file(group: Any, more: str = "", **how: Any) -> None:
    """Add --game, for `read_game`, to a group of options; `more` goes into its help."""
    text = f"built-in game or game file{more} ({DEFAULT_GAME})"
    group.add_argument("--game", metavar="NAME|FILE", help=text, **how)


def add_hands(group: Any, again: str, seatings: str) -> None:
    """Add which game and which hands of it are played to a group of options.

    Args:
        group: of options.
        again: what playing all seatings once more is called, "run".
        seatings: "all".
    """
    add_game_file(group)
    add = group.add_argument
    add("--hands", metavar="N", type=HANDS, help=f"hands of each leg ({DEFAULT_HANDS})")
    add(
        "--seed",
        metavar="S",
        type=deal_seed,
        help=f"of the deals (a new one); {again} r uses S + r",
    )
    add(
        f"--{again}s",
        metavar="R",
        type=RUNS,
        help=f"times to play {seatings} seatings, new cards each (1)",
    )
    add(
        "--deals",
        metavar="FILE",
        help="play the deals of this file, one a line, see arena deals; the seed draws what they "
        "leave open, and --hands follows from their number",
    )


def add_dealer_options(group: Any) -> None:
    """Add what is told to every dealer to a group of options."""
    add = group.add_argument
    note = "negative: no limit; LABEL=MS: of one bot"
    for name, text in CLOCK_TEXTS.items():
        told = f"{text} ({_CLOCK_MS[name]}); {note}"
        add(f"--{name}", metavar="[LABEL=]MS", type=_clock, action="append", help=told)
        note = "the same"
    add_start_timeout(group, "all bots", _milliseconds)
    add("--reconnect", metavar="S", type=_reconnect, help="seconds a lost bot may stay away (0)")
    add(
        "--invalid",
        choices=("fix", "call", "fold", "forfeit"),
        help="what an unreadable or illegal action becomes (fix)",
    )
    add("--listen", metavar="ADDRESS", help="address the dealers listen on (127.0.0.1)")


def add_start_timeout(group: Any, whom: str, kind: Callable[[str], int]) -> None:
    """Add how long to wait for `whom`, milliseconds of the given type, to a group of options."""
    group.add_argument(
        "--start_timeout",
        metavar="MS",
        type=kind,
        help=f"longest wait for {whom} to connect ({START_MS}; {GUEST_START_MS} with listen)",
    )


def add_running_options(group: Any, what: str, folder: str) -> None:
    """Add where and how legs are played to a group of options.

    Args:
        group: of options.
        what: is played, "match".
        folder: where it is kept unless the user says otherwise.
    """
    add = group.add_argument
    add("--out", metavar="DIR", help=f"{what} folder ({folder})")
    add("--force", action="store_true", help=f"replace the {what} that is in the folder")
    add("--resume", metavar="DIR", help=f"resume the {what} in this folder, or make it longer")
    add(
        "--jobs",
        "--concurrency",
        metavar="J",
        type=COUNT,
        help="legs side by side (one per core; 1 with listen)",
    )
    add(
        "--affinity",
        action=argparse.BooleanOptionalAction,
        help="keep each job on one processor core (where shipped bots take all cores)",
    )
    add("--recover", action="store_true", help="start a bot again that ended with an error")
    add("--events", action="store_true", help="write each leg's structured log")
    add(
        "--in-process",
        action="store_true",
        help="play shipped bots without options in one process, without dealers and sockets: the "
        "same logs, sooner, and much sooner where both are compiled (the pool, astar, cnn, ...)",
    )
    add_quiet(group)


def add_quiet(group: Any) -> None:
    """Add --quiet to a group of options."""
    group.add_argument("--quiet", action="store_true", help="no progress")


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add --version."""
    parser.add_argument("--version", action="version", version=f"%(prog)s {program_version()}")


def shipped_of(specs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what the bots of the BOT arguments that may be shipped ones play."""
    names = possibly_shipped(specs)
    return shipped_bots(names) if names else {}


def compiled_of(bots: Sequence[Participant]) -> list[Participant]:
    """Return those among bots that play fastest in one process: compiled ones without options."""
    plain = [bot for bot in bots if without_dealer((bot,))]
    names = compiled_bots([bot.words[0] for bot in plain]) if plain else ()
    return [bot for bot in plain if bot.words[0] in names]


def in_process_pays(given: argparse.Namespace, hands: int) -> bool:
    """Return whether to say that a match could be faster, if its bots are compiled.

    Args:
        given: the arguments.
        hands: in all, as far as is known.
    """
    return hands >= _LONG and not (
        given.in_process or given.events or given.recover or given.quiet or given.resume
    )


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
    for bot in bots:
        if bot.kind is not BotKind.SHIPPED or alias is None or "--model" in bot.words:
            continue
        if alias not in shipped[bot.words[0]]:
            played = ", ".join(shipped[bot.words[0]])
            raise MatchUsageError(f"{bot.words[0]} does not play {game_name}; it plays {played}")


def aivat_wanted(
    given: argparse.Namespace, game: GameDef, game_name: str, players: Sequence[str]
) -> tuple[str, ...] | None:
    """Return what the program for AIVAT is told, None where it is not asked for.

    Args:
        given: the arguments, `check_aivat` passed.
        game: that is played.
        game_name: of it.
        players: whom the logs will name.

    Raises:
        MatchUsageError: it is no hold'em for two, --known names nobody of them, or what it or
            --values names cannot be used.
    """
    if not given.aivat:
        return None
    if not (game.is_holdem and game.players == 2):
        raise MatchUsageError(f"--aivat is for hold'em for two, not for {game_name}")
    for known in given.known:
        if (name := known.partition("=")[0]) not in players:
            there = ", ".join(players)
            raise MatchUsageError(f"--known {known}: nobody is called {name}; there are {there}")
    words = aivat_words(given)
    if words and (wrong := what_is_wrong(words)):
        raise MatchUsageError(wrong)
    return tuple(words)


def dealer_options(given: argparse.Namespace) -> dict[str, str]:
    """Return the options of every dealer that were given, by name without dashes."""
    values = {}
    for name in MATCH_SETTINGS:
        value = getattr(given, name)
        if name in CLOCKS:
            value = next((ms for label, ms in reversed(value or ()) if not label), None)
        if value is not None:
            values[name] = str(value)
    if given.recover and given.resume is None:
        values.setdefault("reconnect", str(DEFAULT_RECOVER_SECONDS))
    return values


def with_clocks(
    bots: Sequence[Participant],
    given: argparse.Namespace,
    stored: Sequence[Participant] = (),
) -> tuple[Participant, ...]:
    """Return the bots with the time limits that were given for one of them alone.

    Args:
        bots: with distinct labels.
        given: the arguments.
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
                known = ", ".join(clocks)
                raise MatchUsageError(
                    f"--{name} {label}={value}: no bot is labelled {label}; there are {known}"
                )
            if label:
                clocks[label][name] = str(value)
    return tuple(
        replace(bot, clocks=tuple(sorted(clocks[bot.label].items(), key=_clock_order)))
        for bot in bots
    )


def _clock_order(clock: tuple[str, str]) -> int:
    return CLOCKS.index(clock[0])


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


def _clock(text: str) -> tuple[str, int]:
    label, equals, limit = text.rpartition("=")
    if equals and not label:
        raise argparse.ArgumentTypeError(f"{text}: want LABEL=MS or MS")
    return label, _milliseconds(limit)


def _milliseconds(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,15}", text) is None:
        raise argparse.ArgumentTypeError(f"{text}: want a whole number of milliseconds")
    return int(text)
