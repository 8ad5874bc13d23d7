"""arena stats LOG...: what the players of match logs won and how they played.

Exit codes: 0 fine, 1 some hands could not be counted, 2 wrong arguments, an unreadable file or an
unknown game, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.logs.errors import Complaints, LogError
from dealer.logs.files import file_size, no_hands, open_log
from dealer.logs.games import FoundGame, game_from_argument, game_from_header, no_header
from dealer.logs.progress import ProgressBar, ReadProgress
from dealer.logs.text_blocks import TextBlock, decode_line, text_blocks
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import printable, quietly, say, tell
from engine.console.parser import OneLineParser
from engine.console.text_table import aligned
from protocol.errors import MalformedLogLine
from protocol.handlog import HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from engine.estimates.winrate import WinRate
    from engine.handlogs.hand_stats import PlayerStats
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
    logs = [Path(name) for name in options.logs]
    bar = ProgressBar(sys.stderr, sum(map(file_size, logs)))
    bar.announce("loading the compiled counts (the first time they are compiled)")
    complaints = Complaints(tell)
    counter = LogCounter(game, rename, complaints, expectation=not options.no_allin_ev)
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
        )
    finally:
        bar.clear()
    complaints.finish()
    if options.json:
        say(stats_as_json(stats))
    elif stats:
        for line in stats_table(stats):
            say(line)
    else:
        tell(f"{PROG}: {no_hands(logs)}")
        return _UNCOUNTED
    return _UNCOUNTED if complaints.count else 0


class LogCounter:
    """Feeds logs to one tally per game."""

    def __init__(
        self,
        game: FoundGame | None,
        rename: Callable[[str], str],
        complaints: Complaints,
        *,
        expectation: bool = True,
    ) -> None:
        """Start without a log; `game` is that of all logs where the user names it."""
        self._game = game
        self._rename = rename
        self._complaints = complaints
        self._expectation = expectation
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
        elif isinstance(record, HandRecord):
            if self._tally is None:
                self._tally = self._tally_of(log)
            for reason in self._tally.add_hand(record)[:1]:
                self._complaints.add(f"{log}:{line}", reason)

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


def stats_table(stats: Sequence[PlayerStats]) -> list[str]:
    """Return the statistics as lines of a table."""
    by_position = any(row.position for row in stats)
    expectation = any(row.expected is not None for row in stats)
    head = ["player", *(["pos"] if by_position else []), "hands", "mbb/h"]
    head += ["all-in EV"] if expectation else []
    head += ["VPIP", "PFR", "AF", "AFq", "WTSD", "W$SD", "won"]
    rows = [head]
    for row in stats:
        cells = ["" if row.position else printable(row.player)]
        cells += [row.position or "all"] if by_position else []
        cells += [f"{row.hands:,}", _rate(row.raw)]
        cells += [_rate(row.expected)] if expectation else []
        cells += [_percent(row.vpip), _percent(row.pfr)]
        cells += ["-" if row.aggression_factor is None else f"{row.aggression_factor:.2f}"]
        cells += [
            _percent(share)
            for share in (
                row.aggression_frequency,
                row.went_to_showdown,
                row.won_at_showdown,
                row.won,
            )
        ]
        rows.append(cells)
    return aligned(rows, texts=2 if by_position else 1)


def stats_as_json(stats: Sequence[PlayerStats]) -> str:
    """Return the statistics as a JSON array; win rates in mbb/h, numbers not known are null."""
    return json.dumps([_finite(asdict(row)) for row in stats], indent=2)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _rate(rate: WinRate | None) -> str:
    if rate is None:
        return "-"
    spread = f"{rate.ci95:,.0f}" if math.isfinite(rate.ci95) else "?"
    return f"{rate.mbb_per_hand:+,.0f} ± {spread}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


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
        description="Per player of match logs: hands, mbb/h with its 95 % interval (raw, and with "
        "all-in hands at their expectation), VPIP, PFR, aggression, showdowns.",
    )
    parser.add_argument("logs", metavar="LOG", nargs="+")
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
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
