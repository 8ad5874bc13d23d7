"""What is wrong with single hands of logs: counted, and the first ones handed on as lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

_SHOWN: Final = 20
_MOST_KINDS: Final = 1_000
_KINDS_SHOWN: Final = 5
_LINE_NAME_OR_AMOUNT: Final = re.compile(
    r"line [0-9]+: |'[^']*'?|\"[^\"]*\"?|(?:[^\w\s])?[0-9][0-9,.]*"
)


class Complaints:
    """Counts hands that cannot be used, and tells of the first ones."""

    def __init__(self, tell: Callable[[str], None], done: str = "left out") -> None:
        """Begin with none; `done` is what becomes of the lines."""
        self._tell = tell
        self._done = done
        self._kinds: Counter[str] = Counter()
        self.count = 0

    def add(self, where: str, reason: object) -> None:
        """Tell what becomes of the line at `where` ("file:line"), and why."""
        self.count += 1
        kind = " ".join(_LINE_NAME_OR_AMOUNT.sub("", str(reason).partition("; line ")[0]).split())
        if kind in self._kinds or len(self._kinds) < _MOST_KINDS:
            self._kinds[kind] += 1
        if self.count <= _SHOWN:
            self._tell(f"{where}: {self._done}: {reason}")

    def finish(self) -> None:
        """Tell how many more there were than were shown, and what the most have in common."""
        if self.count > _SHOWN:
            kinds = self._kinds.most_common(_KINDS_SHOWN)
            most = "".join([f"; {count:,}: {kind}" for kind, count in kinds if count > 1])
            self._tell(
                f"... and {self.count - _SHOWN:,} more lines {self._done}"
                + (f"; of all {self.count:,}{most}" if most else "")
            )
