"""Hands of any format as the lines of a log, for programs that read logs.

Each hand stands on the line on which it begins in its file, with its stacks and blinds where they
are not those of the header before it.  What could not be read is a line that says why (`LEFT_OUT`),
which every reader of logs refuses and tells.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from engine.histories.hand import EndingCounts, HandHistory, LeftOut, ReadSettings
from protocol.handlog import LEFT_OUT, Header, Stakes, format_hand, format_header
from protocol.spelled_games import spell_game

if TYPE_CHECKING:
    from engine.histories.formats import HistoryFormat
    from protocol.gamedef import GameDef

NOT_READ: Final = "written, not read; name the logs that it was made from, or their folder"
_MAX_LINE_BYTES: Final = 1 << 20
"""A longer line is cut into pieces: a file without line ends must not fill the memory."""


def lines_as_log(hands: Iterable[HandHistory | LeftOut], name: str) -> Iterator[str]:
    """Yield the lines of a log, with their ends.

    Args:
        hands: of a file, in its order.
        name: of the file, for headers.
    """
    game: GameDef | None = None
    written = 0
    for hand in hands:
        lines = []
        if isinstance(hand, LeftOut):
            lines.append(f"{LEFT_OUT}{hand.reason}")
        else:
            if game is None or replace(game, stacks=hand.game.stacks, blinds=hand.game.blinds) != (
                hand.game
            ):
                game = hand.game
                lines.append(format_header(Header(name, spell_game(game))))
            record = hand.record
            if hand.game != game:
                record = replace(record, stakes=Stakes(hand.game.stacks, hand.game.blinds))
            lines.append(format_hand(record))
        blank = max(0, hand.line - written - len(lines))
        written += blank + len(lines)
        yield "\n" * blank + "\n".join(lines) + "\n"


def bytes_as_log(
    form: HistoryFormat,
    source: BinaryIO,
    name: str,
    tell: Callable[[str], None] | None = None,
) -> Iterator[bytes]:
    """Yield the same for a file that is open, with foreign bytes in names as they were.

    Args:
        form: what the file is in.
        source: the file.
        name: of it.
        tell: is given a line at the end where the hands left out are not like the others.
    """
    endings = EndingCounts()
    if form.reader is None:
        hands: Iterable[HandHistory | LeftOut] = [LeftOut(1, f"{form.name} is {NOT_READ}")]
    else:
        hands = form.reader(TextLines(source), ReadSettings())
    for lines in lines_as_log(endings.counting(hands), name):
        yield lines.encode("utf-8", "surrogateescape")
    if tell is not None and (bias := endings.bias()):
        tell(bias)


class LineStream(io.RawIOBase):
    """Lines that are made of those of a file."""

    def __init__(
        self, source: BinaryIO, lines: Iterator[bytes], at_end: Callable[[], None] | None = None
    ) -> None:
        self._source = source
        self._lines = lines
        self._at_end = at_end
        self._rest = b""

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return how many bytes, 0 at the end."""
        view = memoryview(buffer)
        self._rest = self._rest or next(self._lines, b"")
        piece, self._rest = self._rest[: len(view)], self._rest[len(view) :]
        view[: len(piece)] = piece
        if not piece and self._at_end is not None:
            self._at_end()
        return len(piece)

    def close(self) -> None:
        """Close the file, too."""
        self._source.close()
        super().close()


class TextLines:
    """The lines of a file as text with their ends, and how much of it has been read."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.read = 0
        """Bytes."""

    def __iter__(self) -> Iterator[str]:
        for line in iter(partial(self._source.readline, _MAX_LINE_BYTES), b""):
            self.read += len(line)
            yield line.decode("utf-8", "surrogateescape")
