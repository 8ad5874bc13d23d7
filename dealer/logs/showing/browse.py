"""Stepping through logged hands at a terminal, with nothing but lines of input."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dealer.logs.showing.show import hand_steps
from engine.console.output import tell_once
from engine.errors import LogError
from engine.handlogs.source.log_games import FoundGame, find_log_game
from engine.handlogs.source.log_hands import LoggedHand
from engine.handlogs.source.opening import MAX_LINE_BYTES, decode_line, open_log, read_error
from engine.showdown.hand_check import game_of_hand
from protocol.errors import GameDefError, MalformedLogLine
from protocol.handlog import HandRecord, Header, parse_log_line

if TYPE_CHECKING:
    from pathlib import Path

    from dealer.logs.showing.show import Palette

HELP: Final = (
    "Enter: next step   n: next hand   p: previous hand   a: rest of the hand   "
    "g N: go to hand N   q: quit"
)
_MAX_MATCHES: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class _IndexedMatch:
    """What hands of one match have in common."""

    log: Path
    number: int
    header: Header | None


class HandIndex:
    """Where the hands of some logs stand; 16 bytes a hand."""

    def __init__(self, logs: Sequence[Path], game: FoundGame | None) -> None:
        """Go through the logs once.

        Raises:
            LogError: a log cannot be read.
        """
        self._game = game
        self._matches: list[_IndexedMatch] = []
        self._offsets = array("Q")
        self._lines = array("L")
        self._match_of = array("H")
        for log in logs:
            self._add(log)

    def __len__(self) -> int:
        return len(self._offsets)

    def hand(self, index: int) -> LoggedHand:
        """Read one hand again.

        Raises:
            LogError: it cannot be read, or its game is unknown.
        """
        match = self._matches[self._match_of[index]]
        line = self._lines[index]
        try:
            with open_log(match.log, again=True, warn=tell_once) as source:
                source.seek(self._offsets[index])
                text = decode_line(source.readline(MAX_LINE_BYTES).rstrip(b"\n"))
            record = parse_log_line(text)
        except (OSError, MalformedLogLine) as error:
            raise LogError(f"{match.log}:{line}: {error}") from error
        if not isinstance(record, HandRecord):
            raise LogError(f"{match.log}:{line}: the log has changed")
        found_game = self._game or find_log_game(match.header, match.log, record)
        try:
            game = game_of_hand(found_game.game, record)
        except GameDefError as error:
            raise LogError(f"{match.log}:{line}: {error}") from error
        return LoggedHand(match.log, line, match.number, game, record)

    def find(self, hand_id: int, after: int) -> int | None:
        """Return the index of the next hand with this id behind `after`, wrapping around."""
        for step in range(1, len(self) + 1):
            index = (after + step) % len(self)
            try:
                if self.hand(index).record.hand_id == hand_id:
                    return index
            except LogError:
                continue
        return None

    def _add(self, log: Path) -> None:
        line = 0
        self._begin(log, 0, None)
        try:
            with open_log(log, again=True, warn=tell_once) as source:
                offset = source.tell()
                while raw := source.readline(MAX_LINE_BYTES):
                    line += 1
                    if raw.startswith(b"STATE:"):
                        self._offsets.append(offset)
                        self._lines.append(line)
                        self._match_of.append(len(self._matches) - 1)
                    elif raw.startswith(b"# name/"):
                        self._read_header(log, decode_line(raw.rstrip(b"\n")))
                    offset += len(raw)
        except OSError as error:
            raise read_error(log, error) from error

    def _read_header(self, log: Path, text: str) -> None:
        try:
            header = parse_log_line(text)
        except MalformedLogLine:
            return
        if isinstance(header, Header):
            self._begin(log, self._matches[-1].number + 1, header)

    def _begin(self, log: Path, number: int, header: Header | None) -> None:
        if len(self._matches) < _MAX_MATCHES:
            self._matches.append(_IndexedMatch(log, number, header))


class Browser:
    """Shows hands step by step as commands come in."""

    def __init__(self, hands: HandIndex, palette: Palette, write: Callable[[str], None]) -> None:
        self._hands = hands
        self._palette = palette
        self._write = write
        self._index = 0
        self._steps: list[list[str]] = []
        self._open(0)

    def run(self, ask: Callable[[str], str]) -> None:
        """Obey commands from `ask`, which gets a prompt, until "q" or the end of input."""
        self._write(HELP)
        self._next_step()
        while True:
            try:
                command = ask(self._prompt()).strip().lower()
            except EOFError:
                return
            if command in ("q", "quit", "exit"):
                return
            self._obey(command)

    def _prompt(self) -> str:
        steps_left = f"{len(self._steps)} more" if self._steps else "end of hand"
        return self._palette.paint(f"[{self._index + 1}/{len(self._hands)}, {steps_left}] ", "dim")

    def _obey(self, command: str) -> None:
        word, _, rest = command.partition(" ")
        if word == "":
            self._next_step()
        elif word == "n":
            self._turn(1)
        elif word == "p":
            self._turn(-1)
        elif word == "a":
            while self._steps:
                self._next_step()
        elif word == "g" or word.isdecimal():
            self._go_to(rest if word == "g" else word)
        else:
            self._write(HELP)

    def _next_step(self) -> None:
        if not self._steps:
            self._turn(1)
            return
        for line in self._steps.pop(0):
            self._write(line)

    def _turn(self, step: int) -> None:
        index = self._index + step
        if not 0 <= index < len(self._hands):
            self._write("there is no hand after this one" if step > 0 else "this is the first hand")
            return
        self._open(index)
        self._next_step()

    def _go_to(self, text: str) -> None:
        number = text.strip()
        if not number.isdecimal() or len(number) > 10:
            self._write("g wants the number of a hand, as in: g 17")
            return
        index = self._hands.find(int(number), self._index)
        if index is None:
            self._write(f"there is no hand {number}")
            return
        self._open(index)
        self._next_step()

    def _open(self, index: int) -> None:
        self._index = index
        try:
            self._steps = hand_steps(self._hands.hand(index), self._palette)
        except LogError as error:
            self._steps = [["", self._palette.paint(str(error), "red")]]
