"""arena stats LOG...: what the players of match logs won and how they played.

Exit codes: 0 fine, 1 some hands could not be counted, 2 wrong arguments, an unreadable file or an
unknown game, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from dealer.logs.counting.doubts import STRICT, tell_doubts
from dealer.logs.counting.log_counter import LogCounter
from dealer.logs.counting.player_names import RENAMING_OPTIONS, renaming
from dealer.logs.counting.stats_table import (
    COLUMNS_EXPLAINED,
    full_lines,
    stats_as_csv,
    stats_as_json,
    stats_table,
    street_table,
)
from dealer.logs.reading.errors import Complaints
from dealer.logs.reading.files import file_size, no_hands
from dealer.logs.reading.hand_filter import FILTERS, HandFilter
from dealer.logs.reading.inputs import logs_in, logs_options, shared_seeds, without_copies
from dealer.logs.reading.log_games import game_from_argument
from dealer.logs.reading.progress import ProgressBar
from engine.console.command import Command, Option, WrongArguments
from engine.console.options import STDOUT, csv_option, json_option
from engine.console.output import say, tell, write_files
from engine.handlogs.counting.detail import Detail

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from engine.estimates.winrate import WinRate
    from engine.handlogs.counting.hand_stats import PlayerStats
    from engine.handlogs.counting.tally import Tally
    from protocol.handlog import Header

PROG: Final = "arena stats"
_UNCOUNTED: Final = 1
_STREET: Final = "street"


def _count(options: argparse.Namespace) -> int:
    try:
        rename = renaming(options.strip_suffix, options.rename)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    if options.json == STDOUT == options.csv:
        raise WrongArguments("--json and --csv cannot both go to stdout")
    return _run(options, rename)


def _run(options: argparse.Namespace, rename: Callable[[str], str]) -> int:
    from engine.handlogs.counting.hand_stats import GROUPS, player_stats

    game = game_from_argument(options.game) if options.game is not None else None
    logs = without_copies(logs_in(options.logs), tell)
    bar = ProgressBar(sys.stderr, sum(map(file_size, logs)))
    bar.announce("loading the compiled counts (the first time they are compiled)")
    complaints = Complaints(tell)
    seeded = SeededHands(shared_seeds(logs) if len(logs) > 1 else frozenset())
    chosen = HandFilter(options, rename)
    by = [group for group in GROUPS if group in options.by]
    counter = LogCounter(
        game,
        rename,
        complaints,
        seeded,
        expectation=not options.no_allin_ev,
        chosen=chosen,
    )
    counter.detail = Detail.OPPONENTS if "opponent" in by else Detail.TRACKER
    read = 0
    try:
        for log in logs:
            counter.count(log, bar.behind(read))
            read += file_size(log)
        counter.allin_progress = partial(bar.show, read, counter.hands)
        stats = player_stats(
            counter.tallies,
            by=by,
            expectation=not options.no_allin_ev,
            sets=seeded.set_rates(),
        )
    finally:
        bar.clear()
    stats = [row for row in stats if chosen.player in (None, row.player)]
    complaints.finish()
    tell_doubts(counter.doubtful, game, tell)
    for line in (*counter.repeats.warnings(), *chosen.report_lines()):
        tell(f"{PROG}: {line}")
    if seeded.repeated:
        tell(
            f"{PROG}: {seeded.repeated:,} hands have the cards, players and seats of others: "
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
        tell(f"{PROG}: {no_hands(logs, chosen.asked)}")
        return _UNCOUNTED
    doubtful = options.strict and counter.doubtful
    return _UNCOUNTED if complaints.count or doubtful else written


def _shown(stats: Sequence[PlayerStats], options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines for people."""
    if options.all:
        for row in stats:
            yield from (*full_lines(row), "")
    yield from stats_table(stats)
    if _STREET in options.by:
        yield from ("", *street_table(stats))


class SeededHands:
    """Keeps the hands of logs that share a seed one by one, to find duplicate sets among them."""

    def __init__(self, seeds: frozenset[int]) -> None:
        self._seeds = seeds
        self._rows_of_tallies: dict[int, tuple[Tally, list[NDArray[np.int64]]]] = {}
        self.repeated = 0
        """Hands with the cards, players and seats of another, once `set_rates` has looked."""

    def begin(self, tally: Tally, header: Header | None) -> None:
        """Let the hands to come be kept if they may be part of sets."""
        if header is not None and header.seed is not None and header.seed in self._seeds:
            _, rows = self._rows_of_tallies.setdefault(id(tally), (tally, []))
            tally.keep_results(rows, header.seed + 1)
        else:
            tally.keep_results(None)

    def set_rates(self) -> dict[str, WinRate]:
        """Return each player's win rate over duplicate sets, of those who played any."""
        import numpy as np

        from engine.estimates.duplicate_deals import find_sets, set_rates
        from engine.estimates.hand_results import lineups

        names: dict[str, int] = {}
        results_of_games = []
        for tally, rows in self._rows_of_tallies.values():
            number = [names.setdefault(player, len(names)) for player in tally.players]
            results = tally.results([rows])
            results = replace(results, players=np.array(number, np.int32)[results.players])
            played = lineups(results.players)
            sets = find_sets(results, played)
            results_of_games.append((results, played, sets, tally.game.big_blind))
            self.repeated += sets.repeated
        rates = set_rates(results_of_games)
        return {player: rates[index] for player, index in names.items() if index in rates}


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
