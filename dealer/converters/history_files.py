"""Where converted hands go: standard output, one file, or a file for each file that was read.

Files appear whole, when all their hands are there.  A log is of one game, stacks included: hands
with other chips go to a log of their own, with the stacks in its name, and beside a log that has no
header to name its game stands a game file.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from engine.errors import LogError, UnusableHistory
from engine.histories.acpc_log import LogFrame, LogWriter
from engine.histories.formats import FORMATS, LOG, HistoryFormat
from engine.storage.atomic import replacing, write_whole
from protocol.gamedef import UNLIMITED_STACK, GameDef, format_gamedef

if TYPE_CHECKING:
    from types import TracebackType

    from engine.histories.hand import HandHistory, HistoryWriter

_MOST_OPEN_LOGS: Final = 100
_ENDINGS: Final = re.compile(
    rf"\.(?:{'|'.join(form.name for form in FORMATS)}|gz|bz2|xz|zst|txt|toml)", re.IGNORECASE
)


@dataclass(slots=True)
class _HistoryFile:
    """A file that is being written."""

    name: Path | None
    """Without what tells it from others of the same hands; None: standard output."""
    game: GameDef | None
    """Of a log: that of its hands."""
    label: str
    """Of a log: what tells it from others."""
    headed: bool
    """Whether the log names its game."""
    writer: HistoryWriter
    stream: BinaryIO
    hands: int = 0


class HistoryFiles:
    """The files of one run; a context that closes them."""

    def __init__(
        self,
        form: HistoryFormat,
        out: Path | None,
        inputs: Iterable[Path],
        *,
        each_stakes: bool = False,
        at_once: bool = True,
    ) -> None:
        """Begin without a file.

        Args:
            form: what to write.
            out: a folder, a file, or None for standard output.
            inputs: the files that are read.
            each_stakes: whether lines of logs have stacks and blinds, whatever they are.
            at_once: whether hands go to standard output before the last one is known.

        Raises:
            LogError: two files that are read would become the same one.
        """
        self._form = form
        self._out = out
        self._each_stakes = each_stakes
        self._at_once = at_once
        self._outputs: dict[tuple[Path | None, GameDef | None], _HistoryFile] = {}
        self._open = ExitStack()
        self.written: list[Path] = []
        """Files that are complete."""
        self.by_input = out is not None and out.is_dir()
        """Whether each file that is read becomes one of its own."""
        if self.by_input:
            paths_by_name: dict[Path | None, Path] = {}
            for path in inputs:
                first = paths_by_name.setdefault(self._name(path), path)
                if first is not path:
                    raise LogError(f"{path}: would be written over what {first} becomes")

    def __enter__(self) -> HistoryFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):  # what is kept there is wanted no more
            self._open.close()

    def add(self, path: Path, hand: HandHistory) -> None:
        """Write a hand of the file `path`.

        Raises:
            UnusableHistory: the format cannot carry it, or there is no log for its stacks.
        """
        game = self._game(hand) if self._form.name == LOG else None
        name = self._name(path)
        output = self._outputs.get((name, game))
        if output is None:
            output = self._outputs[name, game] = self._begin(name, game, hand)
        text = output.writer.add(hand)
        with _naming_the_folder(output):
            output.stream.write(text.encode("utf-8", "surrogateescape"))
        output.hands += 1

    def close(self, path: Path | None = None) -> None:
        """Complete the files that the hands of `path` went to, or all that are not complete.

        Raises:
            OSError: one cannot be written.
        """
        wanted = [output for output in self._taken_out(path) if output.hands]
        taken: set[Path] = set()
        for output in wanted:
            with _naming_the_folder(output):
                output.stream.write(output.writer.end().encode())
                output.stream.flush()
            self._put(output, len(wanted) > 1, taken)

    def forget(self, path: Path) -> None:
        """Write nothing of the hands of `path`."""
        for output in self._taken_out(path):
            output.stream.close()

    def _taken_out(self, path: Path | None) -> list[_HistoryFile]:
        keys = [key for key in self._outputs if path is None or key[0] == self._name(path)]
        return [self._outputs.pop(key) for key in keys]

    def _name(self, path: Path) -> Path | None:
        if self._out is None or not self.by_input:
            return self._out
        base = path.name
        while len(base) > 1 and (endings := list(_ENDINGS.finditer(base)))[-1:]:
            if endings[-1].end() != len(base):
                break
            base = base[: endings[-1].start()]
        return self._out / f"{base or path.name}.{self._form.name}"

    def _game(self, hand: HandHistory) -> GameDef:
        """Return what all hands of a log have in common."""
        game = hand.game
        if not self._each_stakes and not LogFrame.of(hand.fields).stakes:
            return game
        none = (0,) * game.players
        return replace(game, stacks=none, blinds=none)

    def _begin(self, name: Path | None, game: GameDef | None, hand: HandHistory) -> _HistoryFile:
        logs = sum(key[0] == name for key in self._outputs)
        if game is not None and logs and (name is None or logs >= _MOST_OPEN_LOGS):
            most = "one log" if name is None else f"{_MOST_OPEN_LOGS} logs"
            raise UnusableHistory(
                f"another game or other stacks than {most} can have; --stacks each writes stacks "
                "into the lines" + (", --out FOLDER/ a log for each" if name is None else "")
            )
        frame = LogFrame.of(hand.fields)
        each = self._each_stakes or frame.stakes
        writer = LogWriter(stakes=each) if self._form.name == LOG else self._new_writer()
        stream: BinaryIO = sys.stdout.buffer
        if name is not None or not self._at_once:
            stream = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        label = f"{hand.game.players}p" if each else _stack_label(hand.game)
        log_game = hand.game if game is not None else None
        return _HistoryFile(name, log_game, label, frame.headed, writer, stream)

    def _new_writer(self) -> HistoryWriter:
        if self._form.writer is None:
            raise LogError(f"{self._form.name} is read, not written")
        return self._form.writer()

    def _put(self, output: _HistoryFile, several: bool, taken: set[Path]) -> None:
        path = output.name
        if path is None:
            if not self._at_once:
                output.stream.seek(0)
                shutil.copyfileobj(output.stream, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        if several:
            stem, ending = path.stem, path.suffix
            path = path.with_name(f"{stem}.{output.label}{ending}")
            count = 1
            while path in taken:
                count += 1
                path = path.with_name(f"{stem}.{output.label}-{count}{ending}")
        taken.add(path)
        output.stream.seek(0)
        with replacing(path) as file:
            shutil.copyfileobj(output.stream, file)
        output.stream.close()
        self.written.append(path)
        if output.game is not None and not output.headed:
            write_whole(path.with_suffix(".game"), format_gamedef(output.game))


@contextmanager
def _naming_the_folder(output: _HistoryFile) -> Iterator[None]:
    """Say where there is no room for what is kept until all is there."""
    try:
        yield
    except OSError as error:
        if output.stream is sys.stdout.buffer:
            raise
        folder = tempfile.gettempdir()
        raise OSError(error.errno, error.strerror, folder) from error


def _stack_label(game: GameDef) -> str:
    stacks = ["unlimited" if stack == UNLIMITED_STACK else str(stack) for stack in game.stacks]
    return stacks[0] if len(set(stacks)) == 1 else "-".join(stacks)
