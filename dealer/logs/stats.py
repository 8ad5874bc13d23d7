"""arena stats LOG...: what the players of match logs won and how they played.

Exit codes: 0 fine, 1 some hands could not be counted, 2 wrong arguments, an unreadable file or an
unknown game, 130 interrupted.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.logs.errors import Complaints, LogError
from dealer.logs.files import file_size, no_hands, open_log
from dealer.logs.games import FoundGame, game_from_argument, game_from_header, no_header
from dealer.logs.inputs import logs_in, shared_seeds, without_copies
from dealer.logs.progress import ProgressBar, ReadProgress
from dealer.logs.stats_table import COLUMNS_EXPLAINED, stats_as_json, stats_table
from dealer.logs.text_blocks import TextBlock, decode_line, text_blocks
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.options import STDOUT, add_json
from engine.console.output import quietly, say, tell, write_files
from engine.console.parser import OneLineParser
from protocol.errors import MalformedLogLine
from protocol.handlog import HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.estimates.winrate import WinRate
    from engine.handlogs.tally import Tally
    from protocol.gamedef import GameDef

PROG: Final = "arena stats"
TABLE_NUMBER: Final = r"\.[0-9]+"
"""What `--strip-suffix` cuts off a name unless told otherwise: "name.2" is name at table 2."""
_UNCOUNTED: Final = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        rename = _renaming(options.strip_suffix, options.rename)
    except ValueError as error:
        parser.error(str(error))
    try:
        return _run(options, rename)
    except LogError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS


def _run(options: argparse.Namespace, rename: Callable[[str], str]) -> int:
    from engine.handlogs.hand_stats import player_stats

    game = game_from_argument(options.game) if options.game is not None else None
    logs = without_copies(logs_in(options.logs), tell)
    bar = ProgressBar(sys.stderr, sum(map(file_size, logs)))
    bar.announce("loading the compiled counts (the first time they are compiled)")
    complaints = Complaints(tell)
    counter = LogCounter(
        game,
        rename,
        complaints,
        expectation=not options.no_allin_ev,
        seeds=shared_seeds(logs) if len(logs) > 1 else frozenset(),
    )
    read = 0
    try:
        for log in logs:
            counter.count(log, bar.behind(read))
            read += file_size(log)
        counter.allin_progress = partial(bar.show, read, counter.hands)
        stats = player_stats(
            counter.tallies,
            by_position=options.by_position,
            expectation=not options.no_allin_ev,
            sets=counter.set_rates(),
        )
    finally:
        bar.clear()
    complaints.finish()
    if counter.repeated:
        tell(
            f"{PROG}: {counter.repeated:,} hands have the cards, players and seats of others: "
            "the interval of mbb/h takes them for independent, that of sets does not"
        )
    written = 0
    if options.json is not None:
        written = write_files({options.json: stats_as_json(stats) + "\n"}, PROG)
    if options.json == STDOUT:
        pass
    elif stats:
        for line in stats_table(stats):
            say(line)
    else:
        tell(f"{PROG}: {no_hands(logs)}")
        return _UNCOUNTED
    return _UNCOUNTED if complaints.count else written


class LogCounter:
    """Feeds logs to one tally per game."""

    def __init__(
        self,
        game: FoundGame | None,
        rename: Callable[[str], str],
        complaints: Complaints,
        *,
        expectation: bool = True,
        seeds: frozenset[int] = frozenset(),
    ) -> None:
        """Start without a log.

        Args:
            game: that of all logs, where the user names it.
            rename: turns a name in a log into the player it belongs to.
            complaints: told of hands that cannot be counted.
            expectation: whether all-in hands get their expectation.
            seeds: those whose hands are kept one by one, to find duplicate sets.
        """
        self._game = game
        self._rename = rename
        self._complaints = complaints
        self._expectation = expectation
        self._seeds = seeds
        self._kept: dict[tuple[GameDef, int], list[NDArray[np.int64]]] = {}
        self.repeated = 0
        """Hands with the cards, players and seats of another, once `set_rates` has looked."""
        self._tallies: dict[GameDef, Tally] = {}
        self._header: Header | None = None
        self._tally: Tally | None = None
        self.allin_progress: Callable[[], None] = lambda: None

    @property
    def tallies(self) -> list[Tally]:
        """One for each game met."""
        return list(self._tallies.values())

    @property
    def hands(self) -> int:
        """Hands counted so far."""
        return sum(tally.hands for tally in self._tallies.values())

    def set_rates(self) -> dict[str, WinRate]:
        """Return each player's win rate over duplicate sets, of those who played any."""
        import numpy as np

        from engine.handlogs.duplicate_deals import find_sets, set_rates

        names: dict[str, int] = {}
        found = []
        for (game, _), rows in self._kept.items():
            players = self._tallies[game].players
            number = [names.setdefault(player, len(names)) for player in players]
            for sets in find_sets(np.concatenate(rows)) if rows else ():
                samples = {number[player]: own for player, own in sets.samples.items()}
                found.append((replace(sets, samples=samples), game.big_blind))
                self.repeated += sets.repeated
        rates = set_rates(found)
        return {player: rates[index] for player, index in names.items() if index in rates}

    def count(self, log: Path, progress: ReadProgress) -> None:
        """Count the hands of one log.

        Raises:
            LogError: the file cannot be read, or its game is unknown.
        """
        self._header = None
        self._tally = None
        self.allin_progress = partial(progress, 0, 0)
        try:
            with open_log(log) as source:
                for block in text_blocks(source):
                    self.allin_progress = partial(progress, block.read, self.hands)
                    self._count_block(log, block)
                    progress(block.read, self.hands)
        except OSError as error:
            raise LogError(f"{log}: {error.strerror or error}") from error

    def _count_block(self, log: Path, block: TextBlock) -> None:
        import numpy as np

        array = np.frombuffer(block.data, np.uint8)
        at = 0
        line = block.line
        while at < len(block.data):
            if self._tally is not None:
                at, passed = self._tally.scan(array, at)
                line += passed
                if at == len(block.data):
                    return
            end = block.data.index(b"\n", at)
            self._count_line(log, line, decode_line(block.data[at:end]))
            at = end + 1
            line += 1

    def _count_line(self, log: Path, line: int, text: str) -> None:
        try:
            record = parse_log_line(text)
        except MalformedLogLine as error:
            if text.startswith("STATE:"):
                self._complaints.add(f"{log}:{line}", error)
            return
        if isinstance(record, Header):
            if self._game is None and (self._header is None or self._header.game != record.game):
                self._tally = None
            self._header = record
            if self._tally is not None:
                self._keep_results(self._tally)
        elif isinstance(record, HandRecord):
            if self._tally is None:
                self._tally = self._tally_of(log)
                self._keep_results(self._tally)
            for reason in self._tally.add_hand(record)[:1]:
                self._complaints.add(f"{log}:{line}", reason)

    def _keep_results(self, tally: Tally) -> None:
        """Let the hands to come be kept one by one if they may be part of sets."""
        header = self._header
        kept = None
        if header is not None and header.seed in self._seeds:
            kept = self._kept.setdefault((tally.game, header.seed), [])
        tally.keep_results(kept)

    def _tally_of(self, log: Path) -> Tally:
        from engine.handlogs.tally import Tally

        if self._game is not None:
            game = self._game.game
        elif self._header is not None:
            game = game_from_header(self._header, log).game
        else:
            raise no_header(log)
        if game not in self._tallies:
            self._tallies[game] = Tally(
                game,
                rename=self._rename,
                expectation=self._expectation,
                progress=lambda _: self.allin_progress(),
            )
        return self._tallies[game]


def _renaming(suffix: str | None, renames: Sequence[str]) -> Callable[[str], str]:
    """Return what turns a name in a log into a player.

    Raises:
        ValueError: the pattern or a renaming cannot be understood.
    """
    try:
        pattern = re.compile(f"(?:{suffix})$") if suffix is not None else None
    except re.error as error:
        raise ValueError(f"--strip-suffix {suffix}: {error}") from error
    names: dict[str, str] = {}
    for rename in renames:
        old, equals, new = rename.partition("=")
        if not (old and equals and new):
            raise ValueError(f"--rename {rename}: want OLD=NEW")
        names[old] = new

    def player(name: str) -> str:
        name = names.get(name, name)
        if pattern is None:
            return name
        short = pattern.sub("", name)
        return names.get(short, short) or name

    return player


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Per player of match logs: what was won, with its 95 % interval, and how.",
        epilog=COLUMNS_EXPLAINED,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "logs",
        metavar="LOG|FOLDER",
        nargs="+",
        help="logs; of a folder, those that its manifest.json names, else all *.log in it",
    )
    parser.add_argument("--game", metavar="NAME|FILE", help="the game the logs are about")
    parser.add_argument(
        "--by-position", action="store_true", help="add rows for each position of each player"
    )
    parser.add_argument(
        "--strip-suffix",
        metavar="REGEX",
        nargs="?",
        const=TABLE_NUMBER,
        help="cut this off the ends of names, to merge players who sat at several tables "
        f"(without REGEX: {TABLE_NUMBER})",
    )
    parser.add_argument(
        "--rename",
        metavar="OLD=NEW",
        action="append",
        default=[],
        help="count the hands of OLD as NEW's; may be repeated",
    )
    parser.add_argument(
        "--no-allin-ev",
        action="store_true",
        help="leave out the all-in expectation, which takes up to 0.1 s per all-in hand",
    )
    add_json(parser, beside_files=True)
    return parser


if __name__ == "__main__":
    sys.exit(main())
