"""Compare two strategies exactly, board by board: `arena versus BOT BOT`.  Small games need none.

Both must tell their whole strategy.  Exit codes: 0 compared, 1 a file cannot be read or written,
2 wrong arguments or games, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Final, cast

from agents.errors import UnknownAgent
from engine.commands.attack_options import BETS_HELP
from engine.console.arguments import count
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import STDOUT, game_option, jobs_option, json_option, seed_option
from engine.console.output import put_json, show
from engine.console.progress import RateLimiter
from engine.console.quantities import interval

if TYPE_CHECKING:
    from agents.roster.strategies import Named, Player
    from engine.betting.policy import GamePolicy
    from engine.estimates.winrate import WinRate
    from engine.evaluation.board_matches import BoardMatch
    from protocol.gamedef import GameDef

PROG: Final = "arena versus"


def _compare(options: argparse.Namespace) -> int:
    import numpy as np

    from agents.measuring.small_games import exact_result
    from agents.roster.strategies import seat
    from engine.estimates.winrate import win_rate
    from engine.evaluation.board_matches import values_on_boards

    values: list[float] = []
    code = 0
    said = RateLimiter()
    try:
        game, players = seat((options.one, options.other), options.game, small=True)
        if not game.is_holdem:
            hero, villain = (cast("GamePolicy", player.policy) for player in players)
            return _report_small(options, 1000 * exact_result(hero, villain) / game.big_blind)
        boards = range(options.boards)
        for [value] in values_on_boards(
            _matches, (game, *players), boards, options.seed, workers=options.jobs
        ):
            values.append(float(value))
            said(f"{len(values):,} of {options.boards:,} boards")
    except KeyboardInterrupt:
        code = INTERRUPTED
    if not values:
        return code
    return _report(options, win_rate(np.array(values), game.big_blind)) or code


def _matches(game: GameDef, first: Player, second: Player) -> tuple[BoardMatch]:
    from agents.roster.strategies import match_of

    return (match_of(game, first, second),)


def _report_small(options: argparse.Namespace, mbb_per_hand: float) -> int:
    """Show an exact result, and write it where --json wants it; return the exit code."""
    names = f"{options.one.text} against {options.other.text}"
    text = f"{names}: {mbb_per_hand:+.4g} mbb/h, exactly: all deals and actions, both seatings\n"
    shown = 0 if options.json == STDOUT else show(text, PROG)
    if options.json is not None:
        facts = {"one": options.one.text, "other": options.other.text}
        exact = {"mbb_per_hand": mbb_per_hand, "ci95": 0.0}
        return put_json(options.json, facts | exact, PROG) or shown
    return shown


def _report(options: argparse.Namespace, rate: WinRate) -> int:
    boards = f"{rate.samples:,} board{'s' if rate.samples > 1 else ''}"
    shown = (
        0
        if options.json == STDOUT
        else show(
            f"{options.one.text} against {options.other.text}: "
            f"{interval(rate.mbb_per_hand, rate.ci95)} mbb/h (95 %)\n"
            f"{boards}, each with all hands and all actions in both seatings\n",
            PROG,
        )
    )
    if options.json is not None:
        facts = {
            "one": options.one.text,
            "other": options.other.text,
            "mbb_per_hand": rate.mbb_per_hand,
            "ci95": rate.ci95 if math.isfinite(rate.ci95) else None,
            "boards": rate.samples,
            "seed": options.seed,
        }
        return put_json(options.json, facts, PROG) or shown
    return shown


def _named(text: str) -> Named:
    from agents.roster.strategies import read_strategy

    try:
        return read_strategy(text)
    except UnknownAgent as error:
        raise argparse.ArgumentTypeError(str(error)) from error


main = Command(
    PROG,
    _compare,
    "What one strategy wins from another: only boards are sampled, hands and actions are summed up "
    "exactly. Two blueprints with the same bets take far less time than others. Small games for "
    "two, such as leduc, are summed up whole.",
    (
        Option("BOT", "whose winnings are shown", _named, dest="one"),
        Option("BOT", "its opponent", _named, dest="other"),
        Option("--boards N", "boards (%(default)s)", count, 200),
        seed_option("of the boards"),
        jobs_option(),
        game_option(None, otherwise="that of the first model named, else hunl"),
        json_option(),
    ),
    "A BOT is one with a known strategy, with its options in quotes as for arena match: "
    '"blueprint --model FILE --threshold 0.1". It may be a blueprint\'s file, or the name of '
    "its game for the shipped one; MODEL,purify and MODEL,threshold=0.1 set its options. "
    f"script:BETS looks at no card. {BETS_HELP}",
    prints=False,
).main
