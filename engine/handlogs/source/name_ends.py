"""What programs write behind the last name of a hand: a blank, a comment, a field of theirs.

Names stand last on a line because they may hold any character, so what is behind one becomes part
of it, and one player turns into as many as there are hands.  Who a player is show the other places:
names there end at a bar.  In fixed seats, where the last player never sits elsewhere, a text that
differs in most hands behind the same beginning is no name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from protocol.handlog import HAND_LINE

_NAME_END: Final = re.compile(rb"[\s#;:,]")
_ODD_LAST_NAME: Final = re.compile(rb"\|[^|\n]*[ \t#;:,][^|\n]*$", re.MULTILINE)
_STAMP: Final = re.compile(rb" # [0-9.]+$")
_LOST_HEADER: Final = re.compile(rb"# name/game|#--t_\w+ [0-9]")
"""A header behind a hand has lost the line end before it; the line is refused there, not cut."""


def are_plain(text: bytes) -> bool:
    """Return whether the last names of some lines can have nothing behind them; quick."""
    return _ODD_LAST_NAME.search(text) is None


def _fields(line: bytes) -> tuple[list[bytes], int] | None:
    """Return the names of a hand and where the last one begins; None of any other line."""
    match = HAND_LINE.fullmatch(line)
    if match is None:
        return None
    names = match[5].rsplit(b"|", match[4].count(b"|"))
    return names, len(line) - len(names[-1])


class NameEnds:
    """The players of a log, and what to cut off behind the last name of its hands."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        """Look at the first lines of a log, without line ends."""
        self.count = 0
        """Hands from which something was cut off."""
        self.example = b""
        """The first that was."""
        self._names: set[bytes] = set()
        self._stems: set[bytes] = set()
        """Beginnings of texts that differ in most hands."""
        behind: defaultdict[bytes, list[bytes]] = defaultdict(list)
        for line in lines:
            if (fields := _fields(line)) is not None:
                names, _ = fields
                self._names.update(names[:-1])
                behind[_NAME_END.split(names[-1], maxsplit=1)[0]].append(_STAMP.sub(b"", names[-1]))
        for stem, texts in behind.items():
            if stem and 2 < len(set(texts)) > len(texts) / 2:
                self._stems.add(stem)
        self.wanted = any(
            self._name_in(text, [b""]) != text for texts in behind.values() for text in texts
        )
        """Whether there is anything to cut off."""

    def cleaned(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield lines, with line ends or without, less what is no part of the last name."""
        for line in lines:
            text = line.rstrip(b"\r\n")
            fields = _fields(text)
            if fields is None:
                yield line
                continue
            names, at = fields
            self._names.update(names[:-1])
            last = _STAMP.sub(b"", names[-1])
            name = self._name_in(last, names[:-1])
            if name == last:
                yield line
                continue
            self.count += 1
            self.example = self.example or last[len(name) :]
            yield text[:at] + name + line[len(text) :]

    def _name_in(self, text: bytes, taken: list[bytes]) -> bytes:
        """Return the longest beginning of a text that is a player, all of it where none is."""
        if text in self._names or _LOST_HEADER.search(text) is not None:
            return text
        ends = [separator.start() for separator in _NAME_END.finditer(text)]
        for end in reversed(ends):
            if (name := text[:end]) and name in self._names and name not in taken:
                return name
        return text[: ends[0]] if ends and text[: ends[0]] in self._stems else text
