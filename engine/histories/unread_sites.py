"""Text of sites that is not read: it is called by its site, to look no further."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from engine.histories.hand import LeftOut

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory, ReadSettings

_HAND_START_OF_SITE: Final = {
    "GGPoker": r"Poker Hand #[A-Z]{0,4}[0-9]",
    "Full Tilt, as PokerStars ran it": r"Full Tilt (?:Rush )?Hand #",
    "Winamax": r"Winamax Poker - ",
    "888poker": r"\*{5} (?:888|Cassava|Pacific)[^\n]{0,40} Hand History",
    "Betfair": r"\*{5} Betfair Poker Hand History",
    "the Winning Poker Network": r"(?:Game )?Hand #[0-9]{1,20} - |Game started at: ",
    "Poker Mavens": r"Hand #[0-9]{1,20}-[0-9]{1,9} - ",
    "the Cake network": r"Hand#[0-9A-Z]",
    "the Merge network": r"<description type=\"|<game id=\"",
    "the Boss network": r"<HISTORY ID=\"",
    "the Microgaming network": r"<Game hhversion=",
    "PokerStars in another language than English": (
        r"[^\s:#]{2,20} (?:de |di )?PokerStars [^\n:]{0,40}[0-9]{6}|"
        r"PokerStars (?!(?:[A-Za-z]{1,20} ){0,3}(?:Hand|Game) #)[^\n:]{0,40}[0-9]{6}"
    ),
}
_SELF_NAMED_START: Final = (
    r"([A-Z][\w.]{0,20}(?: [\w.]{1,20}){0,3}?) (?:Hand|Game) #[A-Z]{0,3}[0-9]"
)
_READ: Final = r"(?!(?:PokerStars|POKERSTARS|Full Tilt Poker) )"
_ANY: Final = "|".join(
    f"(?:{pattern})" for pattern in (*_HAND_START_OF_SITE.values(), _SELF_NAMED_START)
)
_FIRST_LINE: Final = re.compile(rf"[\ufeff>| \t]*{_READ}(?:{_ANY})")
UNREAD: Final = re.compile(
    rf"^(?:\xef\xbb\xbf)?[>| \t]*{_READ}(?:{_ANY})".encode("latin-1"), re.MULTILINE
)


def unread_site(line: str) -> str:
    """Return the site of a hand that begins with a line, "" where the line begins none."""
    if _FIRST_LINE.match(line) is None:
        return ""
    text = line.lstrip("\ufeff>| \t")
    for site, pattern in _HAND_START_OF_SITE.items():
        if re.match(pattern, text):
            return site
    named = re.match(_SELF_NAMED_START, text)
    return named[1] if named else ""


def read_unread(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield why each hand is left out; see `engine.histories.hand.HistoryReader`."""
    for number, line in enumerate(lines, 1):
        site = unread_site(line)
        if site:
            yield LeftOut(number, unread_reason(site))


def unread_reason(site: str) -> str:
    """Return why a hand of a site is left out."""
    return f"a hand of {site}, whose text is not read"
