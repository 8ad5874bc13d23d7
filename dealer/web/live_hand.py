"""The open hand of a match, looked up in its files."""

import os
import time
from functools import partial
from pathlib import Path
from typing import Final

from dealer.web.log_lines import PIECE_BYTES, LogLines
from dealer.web.spectating import OpenHand, SeenCards
from engine.errors import LogError
from protocol.gamedef import GameDef

_ABANDONED_SECONDS: Final = 600.0
"""A hand of which nothing was written for so long is not being played any more."""
_BEHIND_SECONDS: Final = 5.0
"""A transaction file is written before the log; one so much older is of an earlier match."""
_LAST: Final = 2
"""Hands at the end of a log that say who sits where in the next one."""


class LiveHand:
    """Reads a log, and the transaction file beside it."""

    def __init__(self, log: Path, game: GameDef, cards: SeenCards) -> None:
        self._files: Final = (log, log.with_suffix(".tlog"))
        self._new_hand: Final = partial(OpenHand, game, cards)
        self._hand = self._new_hand()
        self._log: LogLines | None = None
        self._actions: LogLines | None = None

    def look(self) -> str | None:
        """Return the hand, see `OpenHand.line`; None where none is played, or nobody can tell."""
        try:
            return self._look()
        except (LogError, OSError):  # one file is not there, or another one than before
            self.close()
            return None

    def close(self) -> None:
        """Close the files; another look opens them again."""
        for lines in (self._log, self._actions):
            if lines is not None:
                lines.close()
        self._log = self._actions = None
        self._hand = self._new_hand()

    def _look(self) -> str | None:
        log, actions = self._files
        logged, acted = map(os.path.getmtime, self._files)
        abandoned = time.time() - max(logged, acted) > _ABANDONED_SECONDS
        if abandoned or logged - acted > _BEHIND_SECONDS:
            return None
        if self._log is None or self._actions is None:
            self._log = LogLines(log)
            self._actions = LogLines(actions)
            past = os.path.getsize(actions) - PIECE_BYTES
            while self._actions.offset < past and self._actions.read(past):
                pass
        self._log.grown()
        self._actions.grown()
        while piece := self._log.read():
            lines = piece.decode("utf-8", "surrogateescape").splitlines()
            head = next((at for at, line in enumerate(lines) if line[:1] != "#"), len(lines))
            self._hand.read_log(lines[:head])
            self._hand.read_log(lines[max(head, len(lines) - _LAST) :])
        while piece := self._actions.read():
            self._hand.read_actions(piece.decode("ascii", "replace").splitlines())
        return self._hand.line()
