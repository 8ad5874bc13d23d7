"""Logs counted: one tally for each game met, whatever dialects and however many files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.console.output import tell_once
from engine.errors import LogError
from engine.handlogs.counting.detail import Detail
from engine.handlogs.source.log_games import FoundGame, GameFinder
from engine.handlogs.source.log_hands import first_header
from engine.handlogs.source.opening import (
    file_sha256,
    file_size,
    log_blocks,
    unscanned_lines,
)
from protocol.errors import MalformedLogLine
from protocol.handlog import HandRecord, Header, Score, parse_log_line

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from dealer.logs.hand_filter import HandFilter
    from dealer.logs.progress import ReadProgress
    from engine.handlogs.counting.repeats import RepeatedHands
    from engine.handlogs.counting.tally import Doubts, Tally
    from engine.handlogs.source.complaints import Complaints
    from protocol.gamedef import GameDef

NO_LOG: Final = "no log: it has neither header nor hand"
_SMALL_DECK_DEALS: Final = 100_000
"""Among fewer deals equal ones are often chance: only logs of one seed then have the same deals."""


@dataclass(frozen=True, slots=True)
class Counting:
    """What to count of logs."""

    game: FoundGame | None = None
    """That of all logs, where the user names it."""
    rename: Callable[[str], str] = str
    """Turns a name in a log into the player it belongs to."""
    chosen: HandFilter | None = None
    """Which hands to count; None: all."""
    detail: Detail = Detail.BASIC
    expectation: bool = True
    """Whether all-in hands get their expectation."""
    shared_seeds: bool = False
    """Keep only hands of seeds that several logs share one by one, for duplicate sets; else all."""
    actions: bool = False
    """Keep the actions of these hands, too."""
    threads: int | None = None
    """For expectations; None for one per core."""
    begins_within: int | None = None
    """Bytes: a file with neither header nor hand in them is not read on."""


@dataclass(slots=True)
class CountedLog:
    """What became of one log."""

    path: Path
    hands: int = 0
    left_out: int = 0
    """Lines with hands that cannot be counted."""
    doubts: Doubts | None = None
    """Hands whose payoffs cannot be right; None where all can."""
    begun: bool = False
    """Whether it has a header or a hand."""
    ended: bool = False
    """Whether a match has ended in it."""
    error: LogError | None = None
    """Why it could not be read to its end."""


class CountedGame(NamedTuple):
    """The hands of one game."""

    label: str
    """What the game is called."""
    tally: Tally
    hands: Counter[Path]
    """By log."""


@dataclass(frozen=True, slots=True)
class CountedHands:
    """What came of counting logs."""

    games: list[CountedGame]
    """Those with hands."""
    logs: list[CountedLog]
    chosen: HandFilter | None
    """What chose the hands; None: all were counted."""
    complaints: Complaints
    """Of hands that cannot be counted."""
    repeats: RepeatedHands
    """Hands that stand in the logs more than once, line for line."""

    @property
    def doubtful(self) -> list[CountedLog]:
        """Logs with hands whose payoffs contradict the betting, or that were left out."""
        return [log for log in self.logs if log.doubts is not None or log.left_out]

    @property
    def paths(self) -> list[Path]:
        """The logs' files."""
        return [log.path for log in self.logs]

    @property
    def contradicted(self) -> int:
        """Hands whose payoffs contradict betting and cards."""
        return sum(log.doubts.contradicted for log in self.logs if log.doubts is not None)


class LogSession:
    """Counts the hands of logs."""

    def __init__(
        self,
        logs: Sequence[Path],
        what: Counting,
        complaints: Complaints,
        progress: ReadProgress = lambda read, hands: None,
    ) -> None:
        """Count nothing yet.

        Args:
            logs: their files; pipes are read once.
            complaints: told of hands that cannot be counted.
            progress: told of bytes and hands of all logs; what it raises ends the counting.
        """
        self._logs = logs
        self._what = what
        self._complaints = complaints
        self._progress = progress
        self._seeds: frozenset[int] | None = None
        """Hands of other seeds are not kept; None: all are."""
        if what.shared_seeds:
            self._seeds = _shared_seeds(logs) if len(logs) > 1 else frozenset()
        self._games: dict[GameDef, CountedGame] = {}
        self._sessions = 0
        self._read_before = self._read = 0
        self._find_game: Callable[[Header | None, HandRecord], FoundGame]
        self._header: Header | None = None
        self._tally: Tally | None = None
        self._alike = False
        """Whether hands of one number have the same cards by chance, as with few cards."""

    def count(
        self,
        on_log: Callable[[CountedLog], None] | None = None,
        ends: Sequence[int] | None = None,
    ) -> CountedHands:
        """Count all logs.

        Args:
            on_log: told of each log when it has been read; then one that cannot be read does not
                end the counting.
            ends: bytes of each log that are counted, if logs grow; see `text_blocks`.  Then they
                are files, and nothing else is waited for.

        Raises:
            LogError: a log cannot be read, or its game is unknown.
        """
        from engine.handlogs.counting.repeats import RepeatedHands

        counted = []
        repeats = RepeatedHands()
        for number, path in enumerate(self._logs):
            log = CountedLog(path)
            counted.append(log)
            try:
                self._count_log(log, None if ends is None else ends[number], repeats)
            except LogError as error:
                if on_log is None:
                    raise
                log.error = error
            self._read_before += file_size(path)
            self._read = 0
            if on_log is not None:
                on_log(log)
        games = [game for game in self._games.values() if game.tally.hands]
        for game in games:
            game.tally.settle()
        return CountedHands(games, counted, self._what.chosen, self._complaints, repeats)

    @property
    def _hands(self) -> int:
        return sum(game.tally.hands for game in self._games.values())

    def _report(self, _: int = 0) -> None:
        self._progress(self._read_before + self._read, self._hands)

    def _count_log(self, log: CountedLog, end: int | None, repeats: RepeatedHands) -> None:
        self._header = self._tally = None
        self._alike = False
        self._find_game = GameFinder(log.path, self._what.game)
        repeats.begin()
        hands = {game: counted.tally.hands for game, counted in self._games.items()}
        doubts, left_out = self._doubts(), self._complaints.count
        begins_within = self._what.begins_within
        try:
            for block in log_blocks(log.path, again=end is not None, written=end, warn=tell_once):
                self._read = block.read
                for line, text in unscanned_lines(block, self._scan):
                    self._count_line(log, line, text)
                repeats.add(block.data, alike=self._alike)
                self._report()
                if begins_within is not None and not log.begun and block.read > begins_within:
                    raise LogError(NO_LOG)
        finally:
            for game, counted in self._games.items():
                counted.hands[log.path] += counted.tally.hands - hands.get(game, 0)
            log.hands = self._hands - sum(hands.values())
            log.left_out = self._complaints.count - left_out
            more = [now - then for now, then in zip(self._doubts(), doubts, strict=True)]
            if any(more):
                from engine.handlogs.counting.tally import Doubts

                log.doubts = Doubts(*more)

    def _doubts(self) -> list[int]:
        """Return how many hands of all games are doubtful, as `Doubts` has them."""
        doubts = [game.tally.doubts for game in self._games.values()]
        return [sum(counts) for counts in zip((0, 0, 0), *doubts, strict=True)]

    def _scan(self, text: NDArray[np.uint8], at: int, line: int) -> tuple[int, int]:
        """Count the lines of a block that compiled code can."""
        if self._tally is None or self._what.chosen:
            return at, line
        at, passed = self._tally.scan(text, at)
        return at, line + passed

    def _count_line(self, log: CountedLog, line: int, text: str) -> None:
        try:
            record = parse_log_line(text)
        except MalformedLogLine as error:
            if text.startswith("STATE:"):
                self._complaints.add(f"{log.path}:{line}", error)
            return
        log.begun |= isinstance(record, Header | HandRecord)
        log.ended |= isinstance(record, Score)
        if isinstance(record, Header):
            self._header, self._tally = record, None
        elif isinstance(record, HandRecord):
            if self._tally is None:
                self._tally = self._tally_of(self._find_game(self._header, record))
                self._alike = not self._tally.game.is_holdem
                self._begin_session(self._tally)
            chosen = self._what.chosen
            if chosen and not chosen.passes(self._tally.game, record):
                return
            for reason in self._tally.add_hand(record)[:1]:
                self._complaints.add(f"{log.path}:{line}", reason)

    def _begin_session(self, tally: Tally) -> None:
        """Keep the hands to come as those of another session, if they are to be kept."""
        self._sessions += 1
        seed = None if self._header is None else self._header.seed
        if self._seeds is not None:
            keep = seed is not None and seed in self._seeds
            tally.begin_session(keep=keep, deals_of=seed + 1 if keep and seed is not None else 0)
        elif _hole_deals(tally.game) >= _SMALL_DECK_DEALS:
            tally.begin_session()
        else:
            tally.begin_session(deals_of=-self._sessions if seed is None else seed + 1)

    def _tally_of(self, found: FoundGame) -> Tally:
        from engine.handlogs.counting.tally import Tally

        what = self._what
        if found.game not in self._games:
            tally = Tally(
                found.game,
                rename=what.rename,
                expectation=what.expectation,
                progress=self._report,
                threads=what.threads,
                keep=self._seeds is None,
                keep_actions=what.actions,
                detail=what.detail,
            )
            self._games[found.game] = CountedGame(found.label, tally, Counter())
        return self._games[found.game].tally


def without_copies(logs: Sequence[Path], warn: Callable[[str], None]) -> list[Path]:
    """Return the logs less those that hold byte by byte what one before them holds.

    Each of them is told.  Pipes are left as they are.
    """
    sizes = Counter(file_size(log) for log in logs)
    first: dict[tuple[int, str], Path] = {}
    originals = []
    for log in logs:
        size = file_size(log)
        if size and sizes[size] > 1:
            original = first.setdefault((size, file_sha256(log)), log)
            if original is not log:
                warn(f"{log}: the same as {original}, counted once")
                continue
        originals.append(log)
    return originals


def _shared_seeds(logs: Iterable[Path]) -> frozenset[int]:
    """Return the seeds that stand in the headers of more than one log."""
    headers = (first_header(log, tell_once) for log in logs)
    seeds = Counter(header.seed for header in headers if header is not None)
    return frozenset(seed for seed, count in seeds.items() if seed is not None and count > 1)


def _hole_deals(game: GameDef) -> int:
    """Return in how many ways all hole cards can be dealt."""
    from math import comb

    ways, deck = 1, len(game.deck)
    for _ in range(game.players):
        ways *= comb(deck, game.hole_cards)
        deck -= game.hole_cards
    return ways
