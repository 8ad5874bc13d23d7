"""arena stats LOG...: what the players of match logs won and how they played.

Exit codes: 0 fine, 1 some hands could not be counted, 2 wrong arguments, an unreadable file or an
unknown game, 130 interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dealer.logs.count_logs import STRICT, count_logs
from dealer.logs.counting.player_names import RENAMING_OPTIONS
from dealer.logs.counting.stats_table import (
    COLUMNS_EXPLAINED,
    full_lines,
    stats_as_csv,
    stats_as_json,
    stats_table,
    street_table,
)
from dealer.logs.hand_filter import FILTERS, HandFilter, logs_options
from dealer.logs.log_session import CountedHands, Counting
from engine.console.command import Command, Option
from engine.console.exit_codes import FAILED
from engine.console.options import STDOUT, csv_option, json_option
from engine.console.output import say, tell, write_files
from engine.handlogs.counting.detail import Detail
from engine.handlogs.source.opening import no_hands

if TYPE_CHECKING:
    from pathlib import Path

    from engine.estimates.winrate import WinRate
    from engine.handlogs.counting.hand_stats import PlayerStats

PROG: Final = "arena stats"
_STREET: Final = "street"


def _count(options: argparse.Namespace) -> int:
    from engine.handlogs.counting.hand_stats import GROUPS, player_stats

    by = [group for group in GROUPS if group in options.by]
    what = Counting(
        detail=Detail.OPPONENTS if "opponent" in by else Detail.TRACKER,
        expectation=not options.no_allin_ev,
        shared_seeds=True,
    )
    counted = count_logs(PROG, options, what)
    sets, repeated = _set_rates(counted)
    stats = player_stats(
        [game.tally for game in counted.games], by=by, expectation=what.expectation, sets=sets
    )
    stats = [row for row in stats if options.player in (None, row.player)]
    if repeated:
        tell(
            f"{PROG}: {repeated:,} hands have the cards, players and seats of others: "
            "the interval of mbb/h takes them for independent, that of sets does not"
        )
    texts: dict[Path, str] = {}
    if options.json is not None:
        texts[options.json] = stats_as_json(stats) + "\n"
    if options.csv is not None:
        texts[options.csv] = stats_as_csv(stats)
    written = write_files(texts, PROG)
    if STDOUT in texts:
        pass
    elif stats:
        for line in _shown(stats, options):
            say(line)
    else:
        tell(f"{PROG}: {no_hands(counted.paths, HandFilter(options).asked)}")
        return FAILED
    doubtful = options.strict and counted.doubtful
    return FAILED if counted.complaints.count or doubtful else written


def _set_rates(counted: CountedHands) -> tuple[dict[str, WinRate], int]:
    """Return each player's win rate over duplicate sets, of those who played any.

    Behind it comes how many hands have the cards, players and seats of another.
    """
    import numpy as np

    from engine.estimates.duplicate_deals import find_sets, set_rates
    from engine.estimates.hand_results import lineups

    numbers: dict[str, int] = {}
    results_of_games = []
    for game in counted.games:
        results = game.tally.results()
        if len(results):
            number = [numbers.setdefault(name, len(numbers)) for name in game.tally.players]
            results = replace(results, players=np.array(number, np.int32)[results.players])
            played = lineups(results.players)
            sets = find_sets(results, played)
            results_of_games.append((results, played, sets, game.tally.game.big_blind))
    rates = set_rates(results_of_games)
    repeated = sum(sets.repeated for _, _, sets, _ in results_of_games)
    return {name: rates[index] for name, index in numbers.items() if index in rates}, repeated


def _shown(stats: Sequence[PlayerStats], options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines for people."""
    if options.all:
        for row in stats:
            yield from (*full_lines(row), "")
    yield from stats_table(stats)
    if _STREET in options.by:
        yield from ("", *street_table(stats))


main = Command(
    PROG,
    _count,
    "Per player of match logs: what was won, with its 95 % interval, and how.",
    (
        *logs_options(),
        Option(
            "--by WHAT",
            "add rows of each player for each position, depth of stacks, number of players at the "
            "table or opponent, or a table by street; may be given several times (%(choices)s)",
            repeated=True,
            choices=("position", "depth", "players", "opponent", _STREET),
        ),
        Option(
            "--by-position",
            "the same as --by position",
            action="append_const",
            dest="by",
            const="position",
        ),
        Option(
            "--all", "tell everything that is counted of each row, with counts and 95 %% intervals"
        ),
        *RENAMING_OPTIONS,
        STRICT,
        Option(
            "--no-allin-ev",
            "leave out the all-in expectation, which takes time where three and more are all-in",
        ),
        json_option(beside_files=True),
        csv_option(
            "a line for each player, and each part that --by asks for, with the numbers of --json"
        ),
        FILTERS,
    ),
    COLUMNS_EXPLAINED,
).main
