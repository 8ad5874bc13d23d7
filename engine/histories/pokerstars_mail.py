"""Texts of PokerStars that went through the mail: quoted, folded, encoded -> lines as they were."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_QUOTE_MARKS: Final = re.compile(r"[\ufeff>| \t]+")
_CODED_LINE_ENDS: Final = ("=20", "=")
"""The quoted-printable encoding ends lines with a space so coded, or with nothing."""
_FEWEST_FOLDED_LETTERS: Final = 60
"""Mail programs fold no line that is shorter."""
REMARK: Final = re.compile(
    r".* said, \".*|(?:.* |.*: )(?:joins the table at seat #[0-9]+|leaves the table|is connected|"
    r"(?:is|was) disconnected.*|has timed out.*|has returned|is sitting out|sits out|re-buys .*|"
    r"(?:was|will be) removed from the table.*|will be allowed to play after the button|"
    r"wins .*|finished the tournament.*|adds .*|mucks hand|doesn't show hand|shows a card.*)"
    r"|\*\*\* (?:HOLE CARDS|SHOW ?DOWN|SUMMARY) \*\*\*|Betting is capped|"
)
LINE_START: Final = re.compile(
    r"Seat [0-9]+: |Table '|\*\*\*|Dealt to |Uncalled bet |Total pot |(?:FIRST |SECOND )?Board \[|"
    r".{1,60}: posts "
)
"""Such a line is no rest of a folded one."""


def unmailed(head: str, lines: Sequence[str], *, quoted: bool) -> Iterator[tuple[int, str]]:
    """Yield (lines behind the first one, text) of a hand's first line and the others.

    Args:
        head: the first line, as far as it matters.
        lines: the others.
        quoted: whether something stands before each line.
    """
    coded = [line.endswith(_CODED_LINE_ENDS) for line in lines]
    counted: Iterable[tuple[int, str]] = enumerate((head, *lines))
    if head.endswith("=") or coded.count(True) > 1:
        counted = _decoded(counted)
    for count, text in counted:
        mark = _QUOTE_MARKS.match(text) if quoted else None
        yield count, text[mark.end() if mark else 0 :].rstrip()


def _decoded(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield lines in the quoted-printable encoding as they were."""
    start, begun = 0, ""
    for count, line in lines:
        start = start if begun else count
        begun += line.removesuffix("=")
        if not line.endswith("="):
            raw = quopri.decodestring(begun.encode("utf-8", "surrogateescape"))
            yield start, raw.decode("utf-8", "surrogateescape")
            begun = ""
    if begun:
        yield start, begun


def is_folded(line: str, text: str, names: Iterable[str]) -> bool:
    """Return whether a text is the rest of the line before it, at a table with these names."""
    if not text or len(line) + len(text.partition(" ")[0]) < _FEWEST_FOLDED_LETTERS:
        return False
    begins = LINE_START.match(text) or REMARK.fullmatch(text) or " collected " in text
    return not begins and not any(text.startswith((f"{name}: ", f"{name} ")) for name in names)
