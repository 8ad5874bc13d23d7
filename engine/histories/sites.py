"""Texts of sites besides PokerStars: read by PokerKit, which is an optional part, or not read.

PokerKit reads no-limit hold'em of Full Tilt Poker, PartyPoker, Absolute Poker, the Ongame network
and the iPoker network, works out the pot anew and passes over what players collected.  Here the
lines that say so are read beside it: they count, and a hand whose pot they do not divide, as where
the site takes rake, is left out.

A text that is not read is called by its site, to look no further.

Source: Kim, "PokerKit: A Comprehensive Python Library for Fine-Grained Multi-Variant Poker Game
Simulations", 2023.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.beside import COINS_PER_UNIT, GAME_FIELDS, as_utf8, unsaid
from engine.histories.hand import HandHistory, LeftOut
from engine.histories.phh import phh_hand, scale_of_fields
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.histories.hand import ReadSettings

POKERKIT_MISSING: Final = "PokerKit reads such files: pip install '.[formats]'"
_MOST_HAND_LINES: Final = 2_000
_MOST_LINE_LETTERS: Final = 1_000
_FIELDS: Final = (
    *("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions"),
    *("players", "seats", "hand", "table", "seat_count", "venue", "currency", "currency_symbol"),
    *("time", "day", "month", "year"),
)
_MONEY: Final = r"[^0-9 .(]?([0-9][0-9,]{0,15}(?:\.[0-9]{1,6})?)"


@dataclass(frozen=True, slots=True)
class ForeignSite:
    """One site, or network of sites."""

    name: str
    parser: str
    """Method of PokerKit's `HandHistory`."""
    begins: str
    """The first line of a hand."""
    wins: str
    """Pattern of a line that says who (group 1) gets how much (group 2)."""

    def read(self, lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
        """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
        try:
            from pokerkit.notation import HandHistory as Notation
        except ImportError:
            yield LeftOut(1, f"{self.name}: {POKERKIT_MISSING}")
            return
        parse = getattr(Notation, self.parser)
        for count, (line, page) in enumerate(self._pages(lines)):
            try:
                fields = _parsed(parse, page)
                hand = self._hand(fields, page, line, count)
            except (UnusableHistory, ProtocolError) as error:
                yield LeftOut(line, f"{self.name}: {error}")
            else:
                yield hand

    def _pages(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield (line, lines) of the hands of a file."""
        page: list[str] | None = None
        start = 0
        for number, line in enumerate(lines, 1):
            text = line.rstrip("\r\n").lstrip("\ufeff\t ")
            if text.startswith(self.begins):
                if page is not None:
                    yield start, page
                page, start = [], number
            if page is not None and len(page) < _MOST_HAND_LINES:
                page.append(text[:_MOST_LINE_LETTERS])
        if page is not None:
            yield start, page

    def _hand(self, fields: dict[str, Any], page: list[str], line: int, count: int) -> HandHistory:
        scale = max(COINS_PER_UNIT, scale_of_fields(fields))
        stacks = fields["starting_stacks"]
        first = phh_hand({**fields, "finishing_stacks": stacks}, count, line, scale)
        spent = [Decimal(chips) / scale for chips in first.state.spent]
        won = self._won(page, fields["players"])
        top, second = sorted(spent, reverse=True)[:2]
        if sum(won) == sum(spent) - (top - second):
            won[spent.index(top)] += top - second
        if sum(won) != sum(spent):
            raise UnusableHistory(
                f"the players put in {sum(spent)} and got {sum(won)}: rake, or misread"
            )
        finals = [stack + got - put for stack, got, put in zip(stacks, won, spent, strict=True)]
        hand = phh_hand({**fields, "finishing_stacks": finals}, count, line, scale)
        return replace(hand, fields=unsaid(hand.fields, {}, GAME_FIELDS))

    def _won(self, page: list[str], players: list[str]) -> list[Decimal]:
        winnings = dict.fromkeys(players, Decimal(0))
        wins = re.compile(self.wins)
        for text in page:
            match = wins.fullmatch(text.rstrip())
            if match is not None and match[1] in winnings:
                winnings[match[1]] += Decimal(match[2].replace(",", ""))
        return list(winnings.values())


def _parsed(parse: Any, page: list[str]) -> dict[str, Any]:
    """Return the fields of a hand that PokerKit reads."""
    text = "\n".join(page) + "\n\n\n\n"
    try:
        # It prints what it stumbles over, and warns of its own fields
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed_hands = list(parse(text, error_status=True))
    except Exception as error:  # whatever a library makes of a file that is not as it thinks
        raise UnusableHistory("PokerKit cannot read it") from error
    if len(parsed_hands) != 1:
        raise UnusableHistory("PokerKit finds no hand of no-limit hold'em in it")
    extra_fields = parsed_hands[0].user_defined_fields
    values = {name: getattr(parsed_hands[0], name, None) for name in _FIELDS}
    values["time_zone"] = extra_fields.get("time_zone_abbreviation")
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    """Return a value of PokerKit's as TOML has it."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return as_utf8(value)
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value


SITES: Final[Mapping[str, ForeignSite]] = {
    site.parser.removeprefix("from_"): site
    for site in (
        ForeignSite(
            "Full Tilt Poker",
            "from_full_tilt_poker",
            "Full Tilt Poker Game #",
            rf"(.*) (?:wins|ties for) (?:the )?(?:main |side )?pot(?: #[0-9]+)? \({_MONEY}\).*",
        ),
        ForeignSite(
            "PartyPoker",
            "from_partypoker",
            "Game #",
            rf"(\S+) wins {_MONEY}(?: .*|\.)?",
        ),
        ForeignSite(
            "Absolute Poker",
            "from_absolute_poker",
            "Stage #",
            rf"(.*) Collects {_MONEY} from .*",
        ),
        ForeignSite(
            "the Ongame network",
            "from_ongame_network",
            "***** History for hand ",
            rf".*pot: [^ ]+ won by (.*) \({_MONEY}\).*",
        ),
        ForeignSite(
            "the iPoker network",
            "from_ipoker_network",
            '<game gamecode="',
            rf'<player\b.*\bname="([^"]*)".*\bwin="{_MONEY}".*',
        ),
    )
}

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
