"""The logs that are shown: those of the arguments, as for `arena replay`, each with a number."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from dealer.logs.showing.hand_documents import first_game, game_document
from engine.console.output import tell_once
from engine.errors import LogError
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import FoundGame
from engine.handlogs.source.opening import file_size, open_log
from protocol.gamedef import GameDef

UNREADABLE: Final = "this log cannot be read"
"""What is wrong with a log, for those who may not know where it is."""


class Archive:
    """Numbers logs from 0 on.  A log keeps its number, also while a folder gets more of them."""

    def __init__(
        self, arguments: Sequence[str], game: FoundGame | None = None, *, playing: bool = False
    ) -> None:
        """Look which logs there are.

        Args:
            arguments: files and folders, as for `engine.handlogs.source.folders.logs_in`.
            game: of all logs; None: each has its own.
            playing: whether a match writes them, and may not have begun.

        Raises:
            LogError: a file cannot be read, a folder holds no log or its manifest cannot be used.
        """
        self._arguments = tuple(arguments)
        self.given_game = game
        """Of all logs, where the user names it."""
        self._games: dict[Path, FoundGame] = {}
        self.playing: Final = playing
        self.logs: list[Path] = []
        """Each at its number."""
        if playing:
            self.refresh()
            return
        for argument in map(Path, arguments):
            if not argument.is_dir():
                open_log(argument, again=True, warn=tell_once).close()
        self.logs += dict.fromkeys(logs_in(arguments))

    def game(self, log: Path) -> GameDef:
        """Return the game of a log.

        Raises:
            LogError: it is not known.
        """
        return self._found_game(log).game

    def log(self, number: int) -> Path | None:
        """Return the log of a number, None where there is none."""
        return self.logs[number] if 0 <= number < len(self.logs) else None

    def refresh(self) -> None:
        """Look again; new logs get the next numbers, and none is taken away."""
        for argument in self._arguments:
            try:
                found = logs_in([argument])
            except LogError:  # what was there is known
                continue
            known = set(self.logs)
            self.logs += [log for log in found if log not in known and file_size(log)]

    def newest(self) -> int | None:
        """Return the number of the log that was written last, None where there is none."""
        written = [_time_written(log) for log in self.logs]
        return written.index(max(written)) if written else None

    def documents(
        self, *, folders: bool = True, size: Callable[[Path], int] = file_size
    ) -> list[dict[str, Any]]:
        """Return each log as plain values: number, name, size and game, or what is wrong with it.

        Args:
            size: returns how many bytes of a log may be read by now.
            folders: names are paths from the folder that all logs have in common; else they are
                names of files, and no folder, which may be named after a seed, is told.
        """
        if not self.logs:
            return []
        top = Path(os.path.commonpath([log.absolute().parent for log in self.logs]))
        return [
            self._document(number, log, top if folders else None, size(log))
            for number, log in enumerate(self.logs)
        ]

    def _document(self, number: int, log: Path, top: Path | None, size: int) -> dict[str, Any]:
        shown = log.name if top is None else log.absolute().relative_to(top)
        name = os.fsencode(shown).decode("utf-8", "replace")
        document = {"id": number, "name": name, "bytes": size, "game": None}
        try:
            found = self._found_game(log)
        except LogError as error:
            return document | {"error": UNREADABLE if top is None else str(error)}
        label = found.path.name.removesuffix(".game") if found.path else found.label
        return document | {"game": game_document(label, found.game)}

    def _found_game(self, log: Path) -> FoundGame:
        found = self.given_game or self._games.get(log) or first_game(log)
        self._games[log] = found
        return found


def _time_written(log: Path) -> int:
    try:
        return log.stat().st_mtime_ns
    except OSError:
        return 0
