"""What a bridge did not take of a program's words as it stood, counted and told to the user.

The file of counts is what dealers read of a seat, beside what they count themselves.
"""

from __future__ import annotations

import json
import operator
import time
from collections import Counter
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Final

from engine.console.output import tell
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

CORRECTED: Final = "corrected: check or fold"
_REPLACED: Final = "corrected: "
"""Begins the reasons for which another action was taken."""
_MISTAKES_SHOWN: Final = 10
_COUNTS_INTERVAL_SECONDS: Final = 1.0


class Replies:
    """What a program wrote that was not taken as it stood: told to the user and counted."""

    def __init__(self, name: str, path: Path | None, wrong: Collection[str]) -> None:
        """Go on from what the file at `path` counts, where there is one.

        Args:
            wrong: the reasons that are mistakes of the program's.
        """
        self.name = name
        self._wrong = frozenset(wrong)
        self.counts: Counter[str] = Counter()
        """By what became of them and why, as dealers count replies."""
        self._examples: dict[str, str] = {}
        self._path = path
        self._written = -inf
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            stored = json_document(path.read_bytes()) if path is not None else {}
            counts = {reason: operator.index(count) for reason, count in stored["counts"].items()}
            self._examples.update({reason: str(stored["examples"][reason]) for reason in counts})
            self.counts.update(counts)

    @property
    def wrong(self) -> int:
        """How many of them were mistakes."""
        return sum(self.counts[reason] for reason in self._wrong)

    def add(self, reason: str, what: str) -> None:
        """Count one, and tell of the first ones."""
        self.counts[reason] += 1
        self._examples.setdefault(reason, what)
        if self.counts[reason] == 1 or (reason in self._wrong and self.wrong <= _MISTAKES_SHOWN):
            tell(f"{self.name}: {what}")
            if self.wrong == _MISTAKES_SHOWN:
                tell(f"{self.name}: more wrong answers are counted, not told")
        if (
            self.counts.total() <= _MISTAKES_SHOWN
            or time.monotonic() > self._written + _COUNTS_INTERVAL_SECONDS
        ):
            self._write()

    def sum_up(self) -> None:
        """Tell the user how many there were."""
        if not self.counts:
            return
        replaced = [reason for reason in self.counts if reason.startswith(_REPLACED)]
        passed_over = self.counts.keys() - self._wrong - set(replaced)
        more = sum(self.counts[reason] for reason in passed_over)
        tell(
            f"{self.name}: wrong answers: {self.wrong:,}; decisions played as check or fold "
            f"instead: {sum(self.counts[reason] for reason in replaced):,}"
            + (f"; passed over besides: {more:,}" if more else "")
        )
        self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        if self._path is not None:
            counts = {"counts": self.counts, "examples": self._examples}
            with suppress(OSError):  # a full disk is no reason to stop
                write_whole(self._path, json.dumps(counts) + "\n")
