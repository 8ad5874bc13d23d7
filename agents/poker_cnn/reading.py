"""Match logs -> records: lines as a dealer writes them in bulk, all others one by one.

Whatever is left out is counted, and reported line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.errors import TrainingError
from agents.poker_cnn.cnn_records import CnnRecords
from agents.poker_cnn.packing import PackedHands
from agents.seat.game_validator import describe
from agents.training.logs import NO_TEXT, game_of_log, hand_of_line, is_text
from engine.errors import EngineError
from engine.handlogs.source.log_games import find_log_game
from engine.handlogs.source.opening import MAX_LINE_BYTES, log_blocks, unscanned_lines
from protocol.errors import ProtocolError
from protocol.handlog import HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef
    from protocol.handlog import LogLine

WINNER: Final = "winner"
EVERYONE: Final = "everyone"
MOST_MESSAGES: Final = 100_000
_NAMES_SHOWN: Final = 10
_STAMP: Final = b" # "
_NO_SEAT: Final = (-1, 0)


@dataclass(slots=True)
class Cleaning:
    """What became of the hands of logs."""

    learned: int = 0
    """Hands with decisions to learn from."""
    others: int = 0
    """Right, but without a decision of whoever is learned from."""
    revalued: int = 0
    """Right, with printed values that are not those of betting and cards, such as expectations."""
    dropped: int = 0
    """Lines that are broken, or whose hand is not over."""
    messages: list[str] = field(default_factory=list)
    """FILE:LINE: what is wrong, of each that was dropped."""
    log_ends: list[tuple[int, int]] = field(default_factory=list)
    """Of each log: how many matches and messages there are up to its end."""

    def drop(self, where: str, why: str) -> None:
        """Take note of a line that is dropped."""
        self.dropped += 1
        if len(self.messages) < MOST_MESSAGES:
            self.messages.append(f"{where}: {why}")


def collect_records(
    logs: Sequence[Path],
    expert: str = EVERYONE,
    game: GameDef | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> tuple[CnnRecords, Cleaning]:
    """Return the decisions of logs of one game of hold'em, and what was left out.

    Args:
        expert: whose decisions: a player's name, WINNER or EVERYONE.
        game: of all logs; None: each header names a built-in game.

    Raises:
        LogError: a log cannot be read, or its game is unknown.
        TrainingError: a log is no text, its game is no hold'em or not that of the logs before, or
            there is nothing to learn from.
    """
    collector = _Collector(game, expert)
    for number, log in enumerate(logs):
        if progress is not None:
            progress("logs", number / len(logs))
        collector.read(log)
    if progress is not None:
        progress("hand strengths", 0.0)
    records = collector.records(logs)
    return records, collector.cleaning


class _Collector:
    def __init__(self, game: GameDef | None, expert: str) -> None:
        self.cleaning = Cleaning()
        self._asked = game
        self._expert = expert
        self._has_game = False
        """Whether the game of the log that is read is known."""
        self._hands: PackedHands | None = None
        self._sessions: dict[str, int] = {}
        self._session_of: list[int] = []
        """Of each hand."""
        self._experts: list[int] = []
        """Bits of the positions that have the expert's name, of each hand."""

    def read(self, log: Path) -> None:
        """Read a log.  Raises LogError, TrainingError, see `collect_records`."""
        self._has_game = self._asked is not None
        if self._asked is not None:
            self._play(log, self._asked)
        for block in log_blocks(log):
            seats: dict[bytes, tuple[int, int]] = {}
            scan = partial(self._scan, log, block.data, seats)
            for line, text in unscanned_lines(block, scan):
                self._look_at(log, line, text)
        self.cleaning.log_ends.append((len(self._sessions), len(self.cleaning.messages)))

    def _scan(
        self,
        log: Path,
        block: bytes,
        seats: dict[bytes, tuple[int, int]],
        text: NDArray[np.uint8],
        at: int,
        line: int,
    ) -> tuple[int, int]:
        """Pack the lines of a block that compiled code can."""
        if not self._has_game or self._hands is None:
            return at, line
        first = self._hands.count
        at, lines = self._hands.read(text, at, line - 1)
        self._seat_all(log, block, first, seats)
        return at, lines + 1

    def _look_at(self, log: Path, line: int, text: str) -> None:
        """Take a line one by one."""
        where = f"{log}:{line}"
        if not is_text(text):
            raise TrainingError(f"{where}: {NO_TEXT}")
        if len(text) == MAX_LINE_BYTES:  # cut: it has no end
            raise TrainingError(f"{where}: too long a line")
        try:
            parsed: LogLine = parse_log_line(text)
        except ProtocolError as error:
            self.cleaning.drop(where, str(error))
            return
        if isinstance(parsed, Header):
            self._play(log, game_of_log(parsed, log, line, self._asked))
            self._has_game = True
        elif isinstance(parsed, HandRecord):
            if not self._has_game:
                self._play(log, find_log_game(None, log, parsed).game)
                self._has_game = True
            self._add(where, str(log), parsed)

    def _add(self, where: str, log: str, record: HandRecord) -> None:
        """Pack a hand whose line is not as a dealer writes it, or drop it."""
        hands = self._hands
        assert hands is not None
        try:
            hands.add(hand_of_line(hands.game, record))
        except (EngineError, ProtocolError, ValueError) as error:
            self.cleaning.drop(where, str(error))
            return
        self._keep(*self._seat(log, list(record.names)))

    def _play(self, log: Path, game: GameDef) -> None:
        if not game.is_holdem:
            raise TrainingError(
                f"{log}: only hold'em can be learned from, this log is of {describe(game)}"
            )
        if self._hands is None:
            self._hands = PackedHands(game)
        elif self._hands.game != game:
            raise TrainingError(f"{log}: of another game than the logs before: {describe(game)}")

    def _seat_all(
        self, log: Path, block: bytes, first: int, seats: dict[bytes, tuple[int, int]]
    ) -> None:
        hands, name = self._hands, str(log)
        assert hands is not None
        for number in range(first, hands.count):
            begin, end = hands.names[number].tolist()
            raw = block[begin:end].partition(_STAMP)[0].rstrip(b"\r")
            seat = seats.get(raw)
            if seat is None:
                names = raw.decode("utf-8", "surrogateescape").split("|")
                seat = seats[raw] = self._seat(name, names)
            if seat == _NO_SEAT:
                self.cleaning.drop(
                    f"{name}:{hands.lines[number] + 1}", "not a name for each position"
                )
            self._keep(*seat)

    def _seat(self, log: str, names: list[str]) -> tuple[int, int]:
        """Return the session of a hand of these players, and the positions of the expert."""
        if self._hands is not None and len(names) != self._hands.game.players:
            return _NO_SEAT
        session = f"{log}: {', '.join(sorted(names))}"
        number = self._sessions.setdefault(session, len(self._sessions))
        return number, sum(1 << at for at, name in enumerate(names) if name == self._expert)

    def _keep(self, session: int, experts: int) -> None:
        self._session_of.append(session)
        self._experts.append(experts)

    def records(self, logs: Sequence[Path]) -> CnnRecords:
        """Return all that was read.

        Raises:
            TrainingError: there is nothing to learn from.
        """
        hands = self._hands
        count = 0 if hands is None else hands.count
        if hands is None or not count:
            why = f"; {self.cleaning.messages[0]}" if self.cleaning.messages else ""
            raise TrainingError(f"no hands in {', '.join(map(str, logs))}{why}")
        sessions = np.array(self._session_of, np.int32)
        learned = np.where(sessions >= 0, self._learned(hands.won[:count]), 0).astype(np.uint16)
        records = _pack(hands, learned, sessions, self._sessions)
        self.cleaning.learned = len(records.ends)
        self.cleaning.others = int((sessions >= 0).sum()) - len(records.ends)
        self.cleaning.revalued = hands.revalued
        if not len(records):
            raise TrainingError(
                f"no decisions of {self._expert or 'nobody'} in {count:,} hands; the players are "
                f"{self._players()}"
            )
        return records

    def _players(self) -> str:
        names = sorted(
            {name for session in self._sessions for name in session.rpartition(": ")[2].split(", ")}
        )
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        return ", ".join(names[:_NAMES_SHOWN]) + more

    def _learned(self, won: NDArray[np.float32]) -> NDArray[np.uint16]:
        """Return (H,) bits of the positions that are learned from."""
        bits = 1 << np.arange(won.shape[1])
        if self._expert == EVERYONE:
            return np.full(len(won), bits.sum(), np.uint16)
        if self._expert == WINNER:
            return ((won > 0) @ bits).astype(np.uint16)
        return np.array(self._experts, np.uint16)


def _pack(
    hands: PackedHands,
    learned: NDArray[np.uint16],
    sessions: NDArray[np.int32],
    names: dict[str, int],
) -> CnnRecords:
    """Return the decisions that are learned from, with their hands and no others."""
    from agents.poker_cnn.hand_kernels import fill_levels, list_states, new_replay
    from engine.equity.equity_tables import equity_tables
    from engine.rules.packed_game import pack_game

    game, replay = pack_game(hands.game), new_replay()
    ends, cards = hands.ends[: hands.count], hands.cards[: hands.count]
    actions = hands.actions[: hands.used]
    entries, places = np.zeros(len(actions), np.uint32), np.zeros(len(actions), np.uint8)
    count = list_states(game, cards, actions, ends, learned, replay.hand, entries, places)
    hand_rows, states = np.unique(entries[:count], return_inverse=True)
    lengths = np.diff(ends, prepend=0)
    marked = np.zeros(hands.count, np.bool_)
    marked[hand_rows] = True
    packed = CnnRecords(
        game=hands.game,
        cards=cards[hand_rows],
        actions=actions[np.repeat(marked, lengths)],
        ends=np.cumsum(lengths[hand_rows]),
        won=hands.won[hand_rows],
        sessions=sessions[hand_rows],
        hands=states.astype(np.uint32),
        places=places[:count].copy(),
        levels=np.zeros(count, np.uint16),
        session_names=tuple(names),
    )
    fill_levels(
        game, equity_tables(), packed.cards, packed.actions, packed.ends, packed.hands,
        packed.places, replay, packed.levels,
    )  # fmt: skip
    return packed
