"""Logs fed to tallies: one for each game met, whatever dialects and however many files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dealer.logs.reading.errors import Complaints, LogError
from dealer.logs.reading.files import TextBlock, decode_line, open_log, text_blocks
from dealer.logs.reading.log_games import FoundGame, find_log_game
from dealer.logs.reading.progress import ReadProgress
from engine.handlogs.counting.detail import Detail
from protocol.errors import MalformedLogLine
from protocol.handlog import HandRecord, Header, Score, parse_log_line

if TYPE_CHECKING:
    from dealer.logs.reading.hand_filter import HandFilter
    from engine.handlogs.counting.tally import Doubts, Tally
    from protocol.gamedef import GameDef


class HandKeeper(Protocol):
    """Decides which hands are kept one by one."""

    def begin(self, tally: Tally, header: Header | None) -> None:
        """Hear that a session begins: a log, or what follows another header in it."""


@dataclass(frozen=True, slots=True)
class DoubtfulLog:
    """A log with hands whose payoffs cannot be right, or that cannot be counted."""

    path: Path
    hands: int
    doubts: Doubts
    left_out: int


class LogCounter:
    """Feeds logs to one tally per game."""

    def __init__(
        self,
        game: FoundGame | None,
        rename: Callable[[str], str],
        complaints: Complaints,
        keeper: HandKeeper,
        *,
        expectation: bool = True,
        keep_expectation: bool = False,
        keep_actions: bool = False,
        threads: int | None = None,
        chosen: HandFilter | None = None,
    ) -> None:
        """Start without a log.

        Args:
            game: that of all logs, where the user names it.
            rename: turns a name in a log into the player it belongs to.
            complaints: told of hands that cannot be counted.
            keeper: told where sessions begin.
            expectation: whether all-in hands get their expectation.
            keep_expectation: whether tallies keep it hand by hand.
            keep_actions: whether tallies keep the actions of hands that are kept.
            threads: for expectations; None for one per core.
            chosen: which hands to count; None: all.
        """
        self._chosen = chosen or None
        self._game = game
        self._rename = rename
        self._complaints = complaints
        self._expectation = expectation
        self._keeper = keeper
        self._keep_expectation = keep_expectation
        self._keep_actions = keep_actions
        self._threads = threads
        self._tallies: dict[GameDef, Tally] = {}
        self._labels: dict[GameDef, str] = {}
        self._header: Header | None = None
        self._tally: Tally | None = None
        from engine.handlogs.counting.repeats import RepeatedHands

        self.repeats = RepeatedHands()
        """Hands that stand in the logs more than once, line for line."""
        self.doubtful: list[DoubtfulLog] = []
        """Logs with hands whose payoffs contradict the betting, or that were left out."""
        self.finished: set[Path] = set()
        """Logs in which a match has ended."""
        self.met_log = False
        """Whether the log counted last has a header or a hand."""
        self.allin_progress: Callable[[], None] = lambda: None

        self.detail = Detail.BASIC
        """How much the tallies to come count."""

    @property
    def tallies(self) -> list[Tally]:
        """One for each game met."""
        return list(self._tallies.values())

    @property
    def games(self) -> list[tuple[str, Tally]]:
        """What each game met is called, and its tally."""
        return [(self._labels[game], tally) for game, tally in self._tallies.items()]

    @property
    def hands(self) -> int:
        """Hands counted so far."""
        return sum(tally.hands for tally in self._tallies.values())

    def count(self, log: Path, progress: ReadProgress, written: int | None = None) -> None:
        """Count the hands of one log.

        Args:
            written: bytes of it that are counted, if it grows; see `text_blocks`.  Then it is a
                file, and nothing else is waited for.

        Raises:
            LogError: the file cannot be read, or its game is unknown.
        """
        self._header = None
        self._tally = None
        self.met_log = False
        self.repeats.begin()
        self.allin_progress = partial(progress, 0, 0)
        doubts_so_far, hands, left_out = self._doubts(), self.hands, self._complaints.count
        try:
            with open_log(log, again=written is not None) as source:
                for block in text_blocks(source, written=written):
                    self.allin_progress = partial(progress, block.read, self.hands)
                    self._count_block(log, block)
                    self.repeats.add(block.data, alike=self._deals_alike)
                    progress(block.read, self.hands)
        except OSError as error:
            raise LogError(f"{log}: {error.strerror or error}") from error
        finally:
            doubts = [now - then for now, then in zip(self._doubts(), doubts_so_far, strict=True)]
            left_out = self._complaints.count - left_out
            if any(doubts) or left_out:
                from engine.handlogs.counting.tally import Doubts

                log_doubts = DoubtfulLog(log, self.hands - hands, Doubts(*doubts), left_out)
                self.doubtful.append(log_doubts)

    @property
    def _deals_alike(self) -> bool:
        """Whether hands of one number have the same cards by chance, as with few cards."""
        return self._tally is not None and not self._tally.game.is_holdem

    def _doubts(self) -> tuple[int, int, int]:
        """Return the sums over all tallies."""
        counts = [tally.doubts for tally in self._tallies.values()]
        return (
            sum(doubts.contradicted for doubts in counts),
            sum(doubts.impossible for doubts in counts),
            sum(doubts.uneven for doubts in counts),
        )

    def _count_block(self, log: Path, block: TextBlock) -> None:
        import numpy as np

        array = np.frombuffer(block.data, np.uint8)
        at = 0
        line = block.line
        while at < len(block.data):
            if self._tally is not None and self._chosen is None:
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
        self.met_log |= isinstance(record, Header | HandRecord)
        if isinstance(record, Header):
            if self._game is None and (self._header is None or self._header.game != record.game):
                self._tally = None
            self._header = record
            if self._tally is not None:
                self._keeper.begin(self._tally, self._header)
        elif isinstance(record, Score):
            self.finished.add(log)
        elif isinstance(record, HandRecord):
            if self._tally is None:
                self._tally = self._tally_of(log, record)
                self._keeper.begin(self._tally, self._header)
            if self._chosen is not None and not self._chosen.passes(self._tally.game, record):
                return
            for reason in self._tally.add_hand(record)[:1]:
                self._complaints.add(f"{log}:{line}", reason)

    def _tally_of(self, log: Path, record: HandRecord) -> Tally:
        from engine.handlogs.counting.tally import Tally

        found_game = self._game or find_log_game(self._header, log, record)
        game = found_game.game
        if game not in self._tallies:
            self._labels[game] = found_game.label
            self._tallies[game] = Tally(
                game,
                rename=self._rename,
                expectation=self._expectation,
                progress=lambda _: self.allin_progress(),
                threads=self._threads,
                keep=self._keep_expectation,
                keep_actions=self._keep_actions,
                detail=self.detail,
            )
        return self._tallies[game]
