"""The text of PokerStars since 2005 -> hands: English, hold'em, no-limit and limit.

Nothing is guessed.  A line that is no action is passed over, as remarks at a table move no chips:
turns, pots and payoffs show whether one is missing, and then the first such line is told.  An
amount that the rules of a log would not have leaves the hand out, such as a call of a big blind
that its owner could not pay in full, and so does a pot that is not what the players put in.
Collected pots count, whatever the cards say.

Texts that went through the mail are read, too: quoted, indented, with long lines folded, or in the
quoted-printable encoding.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.beside import COINS_PER_UNIT, NOTE_PREFIX, STAMP, time_fields
from engine.histories.hand import BEFORE_FLOP, LAST_BET, SHOWDOWN, HandHistory, LeftOut
from engine.histories.sites import unread_reason, unread_site
from engine.histories.table_hand import Seating, TableHand
from engine.histories.toml_text import read_entries
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

DEFAULT_TABLE: Final = "Arena"
_NO_DATE: Final = "1970/01/01 0:00:00 UTC"
NODATE_FIELD: Final = "1970/01/01 0:00:00 UTC"
CURRENCY_SYMBOLS: Final = {"USD": "$", "EUR": "\N{EURO SIGN}", "GBP": "\N{POUND SIGN}"}
_DATE: Final = "_date"
DATE_FIELDS: Final = ("time", "time_zone", "day", "month", "year", _DATE)
_DATE_TEXT: Final = re.compile(
    r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2}) (?:- )?([0-9]{1,2}):([0-9]{2}):([0-9]{2})"
    r" ?\(?([A-Z]{0,5})\)?(.*)"
)
_MOST_LINES: Final = 2_000
_MOST_LINE_LETTERS: Final = 1_000
"""What is longer is not understood."""
_MOST_OF_HEAD: Final = 3  # lines that the first one is folded into behind its beginning
_ONE_CARD: Final = 2  # letters
_HEADER: Final = re.compile(
    r"([\ufeff>| \t]*)PokerStars (?:[A-Z]+ ){0,3}(?:Hand|Game) #([0-9]{1,18}): *"
    r"(?:\{.{0,80}\} +)?(.*)",
    re.IGNORECASE,
)
_AMOUNT: Final = r"([^0-9 .(]?[0-9][0-9,]{0,15}(?:\.[0-9]{1,6})?)"
_GAME: Final = re.compile(
    r"(?:((?:Zoom )?Tournament #.{1,80}?) )?(?:(Mixed [^(]{1,20}|[^ (]{2,10}) \()?(?<!6\+ )"
    r"Hold'em (No Limit|Limit)[,)]?(?: - (.{1,40}?))? "
    rf"\(?{_AMOUNT}/{_AMOUNT}(?: ([A-Z]{{3}}))?\) - (.*)",
    re.IGNORECASE,
)
_OTHER_GAME: Final = re.compile(
    r"(?:(?:Zoom )?Tournament #[^ ]+ (?:[^ ]*[0-9][^ ]* (?:[A-Z]{3} )?)?)?(.{1,60}?) (?:-|\()"
)
_TABLE: Final = re.compile(
    r"Table '(.{1,200})'(?: ([0-9]{1,2})-max)?(?: \(.{1,40}\))? Seat #([0-9]{1,3}) is the button"
)
_SEAT: Final = re.compile(
    rf"Seat ([0-9]{{1,3}}): (.*) \({_AMOUNT} in chips(?:, .{{1,30}} bounty)?\)(?: .*)?"
)
_POST: Final = re.compile(
    rf"posts (?:the )?([a-z& ]{{1,30}}?)(?: of)? {_AMOUNT}(?: and is all-in)?"
)
_LIVE_POSTS: Final = frozenset({"small blind", "big blind", "straddle", "button straddle"})
_PAY: Final = re.compile(rf"(calls|bets|raises) {_AMOUNT}(?: to {_AMOUNT})?(?: and is all-in)?")
_CARDS: Final = r"\[((?:[2-9TJQKA][cdhs] ?){1,5})\]"
_DEALT: Final = re.compile(rf"Dealt to (.*) {_CARDS}")
_SHOWS: Final = re.compile(rf"shows {_CARDS}.*")
_STREET: Final = re.compile(rf"\*\*\* (FLOP|TURN|RIVER) \*\*\*(?: {_CARDS})? {_CARDS}")
_RETURNED: Final = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to (.*)")
_COLLECTED: Final = re.compile(
    rf"(.*) collected {_AMOUNT} from (?:main |side )?pot(?:-[0-9]+)?(?: \(.*\))?"
)
_CASHED_OUT: Final = re.compile(r"(.*) cashed out the hand for (.*)")
_TOTAL: Final = re.compile(rf"Total pot {_AMOUNT}(?: .*?)? \| Rake {_AMOUNT}.*")
_BOARD: Final = re.compile(rf"Board {_CARDS}")
_SUMMARY_OUTCOME: Final = re.compile(
    r"(?: \((?:button|small blind|big blind)\))*"
    rf"(?: (?:showed|mucked) {_CARDS})?(?:(?: and won| collected) \({_AMOUNT}\))?(?: .*)?"
)
_HAND_START: Final = re.compile(
    r"Table '|\*\*\* (?!SUMMARY)|STATE:|\{|(?!Seat |#)(?:.{1,60}: posts |"
    r"[^:]{0,60}(?:(?:Hand|Game|Stage) #|History for|gamecode=))"
)
"""Such a line begins a hand without its first line where no hand is open."""
_RUN_TWICE: Final = re.compile(r"\*\*\* (?:FIRST|SECOND) .*|Hand was run .*")

_QUOTE_MARKS: Final = re.compile(r"[\ufeff>| \t]+")
_CODED_LINE_ENDS: Final = ("=20", "=")
"""The quoted-printable encoding ends lines with a space so coded, or with nothing."""
_FEWEST_FOLDED_LETTERS: Final = 60
"""Mail programs fold no line that is shorter."""
_REMARK: Final = re.compile(
    r".* said, \".*|(?:.* |.*: )(?:joins the table at seat #[0-9]+|leaves the table|is connected|"
    r"(?:is|was) disconnected.*|has timed out.*|has returned|is sitting out|sits out|re-buys .*|"
    r"(?:was|will be) removed from the table.*|will be allowed to play after the button|"
    r"wins .*|finished the tournament.*|adds .*|mucks hand|doesn't show hand|shows a card.*)"
    r"|\*\*\* (?:HOLE CARDS|SHOW ?DOWN|SUMMARY) \*\*\*|Betting is capped|"
)
_LINE_START: Final = re.compile(
    r"Seat [0-9]+: |Table '|\*\*\*|Dealt to |Uncalled bet |Total pot |(?:FIRST |SECOND )?Board \[|"
    r".{1,60}: posts "
)
"""Such a line is no rest of a folded one."""


def read_pokerstars(
    lines: Iterable[str], settings: ReadSettings
) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
    seating = Seating()
    for page in _pages(lines):
        try:
            page.read()
            hand = page.table_hand.hand(seating)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(page.table_hand.line, "; ".join([str(error), *page.unread]), page.ending)
        else:
            yield hand


def _pages(lines: Iterable[str]) -> Iterator[_Page]:
    page: _Page | None = None
    beside: dict[str, Any] = {}
    count = 0
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if text.startswith(NOTE_PREFIX):
            try:
                beside |= read_entries(text.removeprefix(NOTE_PREFIX))
                continue
            except UnusableHistory:
                pass  # a comment of somebody else
        header = _HEADER.fullmatch(text) if "POKERSTARS " in text[:40].upper() else None
        headless = (page is None or page.summed) and _HAND_START.match(text) is not None
        if header is not None or headless:
            if page is not None:
                yield page
            table_hand = TableHand(
                number, count, None if header is None else int(header[2]), beside
            )
            page = _Page(table_hand, None if header is None else header[3])
            page.first = text
            page.quoted = header is not None and bool(header[1].strip("\ufeff"))
            beside = {}
            count += 1
        elif page is not None and len(page.lines) < _MOST_LINES:
            page.lines.append(text[:_MOST_LINE_LETTERS])
            page.summed |= "*** SUMMARY" in text[:40]
    if page is not None:
        yield page


@dataclass(slots=True)
class _Page:
    """The lines of a hand, and what they say."""

    table_hand: TableHand
    """Players are called by their names."""
    head: str | None
    """The first line, less the number of the hand; None: it is lost, or of another site."""
    lines: list[str] = field(default_factory=list)
    first: str = ""
    """The whole first line."""
    summed: bool = False
    """Whether the summary has begun."""
    quoted: bool = False
    """Whether something stands before each line."""
    unread: list[str] = field(default_factory=list)
    """The first line that is neither an action nor a known remark, if there is one."""
    _symbol: str = ""
    """Before each amount."""
    _board: str = ""
    _returned: int | Decimal = 0
    _posted: dict[str, int | Decimal] = field(default_factory=dict)
    """Small and big blind."""
    _collected: dict[str, int | Decimal] = field(default_factory=dict)
    _pot: int | Decimal | None = None
    """As the summary has it."""

    @property
    def ending(self) -> str:
        """How the hand ended, as far as its lines tell; see `LeftOut`."""
        text = "\n".join(self.lines).upper()
        if "*** SHOW DOWN" in text or "*** SHOWDOWN" in text:
            return SHOWDOWN
        return LAST_BET if "*** FLOP" in text else BEFORE_FLOP

    def read(self) -> None:
        """Read the lines."""
        if len(self.lines) == _MOST_LINES:
            raise UnusableHistory(f"a hand of {_MOST_LINES:,} lines or more")
        head, *lines = _unmailed(self.head or "", self.lines, quoted=self.quoted)
        if self.head is not None:
            self.head = head[1]
            while lines and len(self.lines) - len(lines) < _MOST_OF_HEAD:
                if _LINE_START.match(lines[0][1]):
                    break
                self.head = f"{self.head} {lines.pop(0)[1]}".strip()
        date = self._read_head()
        while lines:
            count, text = lines.pop(0)
            while lines and _is_folded(text, lines[0][1], self.table_hand.seats):
                text = f"{text} {lines.pop(0)[1]}"
            try:
                self._read(text, count)
            except UnusableHistory as error:
                raise UnusableHistory(f"line {self.table_hand.line + count}: {error}") from None
        self._finish(date)

    def _finish(self, date: dict[str, Any]) -> None:
        """Say what all lines together tell."""
        if self._pot is None:
            raise UnusableHistory("breaks off before its summary")
        collected = sum(self._collected.values())
        if collected != self._pot:
            raise UnusableHistory(f"a pot of {self._pot}, of which {collected} are collected")
        if not self.table_hand.button:
            raise UnusableHistory("nobody is said to have the button")
        if self.table_hand.stakes is None:
            posted = self._posted
            if "big blind" not in posted:
                raise UnusableHistory("nobody posts the big blind")
            self.table_hand.stakes = posted.get("small blind", 0), posted["big blind"]
        fields = self.table_hand.fields
        if STAMP not in self.table_hand.beside:
            fields |= date
        if fields.get("table") == DEFAULT_TABLE:
            del fields["table"]
        if fields.get("seat_count") == len(self.table_hand.spent):
            del fields["seat_count"]
        if fields.get("currency") in CURRENCY_SYMBOLS:
            self.table_hand.coins = COINS_PER_UNIT

    def _read_head(self) -> dict[str, Any]:
        """Read the game; return the fields of the date."""
        if self.head is None:
            site = unread_site(self.first)
            why = "a hand without its first line, or of another site"
            raise UnusableHistory(unread_reason(site) if site else why)
        match = _GAME.fullmatch(self.head)
        if match is None and " Cap " in self.head:
            raise UnusableHistory("a cap on what a player may put in, which no log can say")
        if match is None:
            variant = _OTHER_GAME.match(self.head)
            if variant is not None and variant[1] in ("Hold'em No Limit", "Hold'em Limit"):
                raise UnusableHistory(f"stakes or date not understood: {self.head[:80]!r}")
            raise UnusableHistory(
                f"{variant[1] if variant else self.head[:60]!r} is not read; no-limit and limit "
                "hold'em are, in English"
            )
        tournament, mix, kind, level, small, big, code, date = match.groups()
        limit = kind.lower() == "limit"
        self._symbol = symbol = small[:1] if not small[:1].isdigit() else ""
        fields = self.table_hand.fields
        stakes = self._amount(small), self._amount(big)
        if limit:
            self.table_hand.limits = stakes
        else:
            self.table_hand.stakes = stakes
        if code is not None:
            fields["currency"] = code
        if symbol != CURRENCY_SYMBOLS.get(code, "$"):
            fields["currency_symbol"] = symbol
        if mix is not None:
            fields["_mixed_game"] = mix
        if tournament is not None:
            name = f"{tournament} {level or ''}".rstrip()
            fields["_tournament"] = name.removeprefix("Tournament #")
        return _read_date(date)

    def _read(self, text: str, count: int) -> None:
        name, rest = self._actor(text)
        if self._pot is not None:
            self._read_summary(text)
        elif not self.table_hand.spent and (match := _SEAT.fullmatch(text)):
            self.table_hand.sit(match[2], match[2], int(match[1]), self._amount(match[3]))
        elif " collected " in text and (match := _COLLECTED.fullmatch(text)):
            self._collect(self._seated(match[1]), self._amount(match[2]))
        elif name and self._act(name, rest, text):
            pass
        elif match := _CASHED_OUT.fullmatch(text):
            self.table_hand.notes.append(f"{text}: the payoffs are those of the pot")
        elif match := _DEALT.fullmatch(text):
            self._hold(match[1], match[2])
        elif match := _STREET.fullmatch(text):
            self._deal(match[1], match[2] or "", match[3])
        elif match := _RETURNED.fullmatch(text):
            self._return(self._seated(match[2]), self._amount(match[1]))
        elif match := _TOTAL.fullmatch(text):
            self._take_total(match)
        elif match := _TABLE.fullmatch(text):
            self.table_hand.button = int(match[3])
            self.table_hand.fields["table"] = match[1]
            if match[2] is not None:
                self.table_hand.fields["seat_count"] = int(match[2])
        elif _RUN_TWICE.fullmatch(text):
            raise UnusableHistory("run twice, which no log can say")
        elif not self.unread and not _REMARK.fullmatch(text):
            self.unread = [f"line {self.table_hand.line + count}: not understood: {text[:60]!r}"]

    def _actor(self, text: str) -> tuple[str, str]:
        """Return who does something and what, "" for a line that begins with nobody's name."""
        name, _, rest = text.partition(": ")
        if ": " in rest or name not in self.table_hand.seats:  # names may have a ":" themselves
            candidates = [seat for seat in self.table_hand.seats if text.startswith(f"{seat}: ")]
            name = max(candidates, key=len, default="")
            rest = text[len(name) + 2 :]
        return name, rest

    def _act(self, name: str, rest: str, text: str) -> bool:
        """Read what a player does; return whether it is anything."""
        table_hand = self.table_hand
        if rest == "folds" or rest.startswith("folds ["):
            table_hand.fold(name)
            if match := _SHOWS.fullmatch(rest.replace("folds", "shows", 1)):
                self._hold(name, match[1])
        elif rest == "checks":
            table_hand.call(name, 0)
        elif match := _PAY.fullmatch(rest):
            chips = self._amount(match[3] or match[2])
            if match[1] == "calls" and match[3] is None:
                table_hand.call(name, chips)
            elif match[1] == "bets" and match[3] is None:
                table_hand.bet(name, chips)
            elif match[1] == "raises" and match[3] is not None:
                table_hand.raise_to(name, chips)
            else:
                raise UnusableHistory(f"not understood: {text[:60]!r}")
        elif match := _SHOWS.fullmatch(rest):
            self._hold(name, match[1])
        elif match := _POST.fullmatch(rest):
            self._post(name, match[1], self._amount(match[2]))
        else:
            return False
        return True

    def _post(self, name: str, kind: str, chips: int | Decimal) -> None:
        if kind.endswith("ante"):
            raise UnusableHistory("antes, which no game definition has")
        if kind == "small blind" and kind in self._posted:
            kind = "dead small blind"
        if kind not in _LIVE_POSTS:
            kind = "dead blind" if kind == "small & big blinds" else kind
            raise UnusableHistory(f"a {kind}, which no game definition has")
        if kind == "big blind" and kind in self._posted:
            raise UnusableHistory("the big blind of a newcomer, which no game definition has")
        self._posted[kind] = chips
        self.table_hand.post(name, chips)

    def _collect(self, name: str, chips: int | Decimal) -> None:
        self._collected[name] = self._collected.get(name, 0) + chips
        self.table_hand.win(name, chips)

    def _hold(self, name: str, cards: str) -> None:
        cards = cards.replace(" ", "")
        if len(cards) != _ONE_CARD:  # who shows one of two keeps the other secret
            self.table_hand.hold(self._seated(name), cards)

    def _deal(self, street: str, known_board: str, cards: str) -> None:
        if known_board.replace(" ", "") != self._board:
            raise UnusableHistory(f"another board before the {street.lower()} than was dealt")
        self._board += cards.replace(" ", "")
        self.table_hand.deal(cards.replace(" ", ""))

    def _seated(self, name: str) -> str:
        if name not in self.table_hand.seats:
            raise UnusableHistory(f"nobody at the table is called {name[:40]!r}")
        return name

    def _return(self, name: str, chips: int | Decimal) -> None:
        uncalled = self.table_hand.uncalled(name)
        if chips != uncalled:
            raise UnusableHistory(f"{name} gets {chips} back, of which nobody called {uncalled}")
        self._returned = chips
        self.table_hand.win(name, chips)

    def _take_total(self, match: re.Match[str]) -> None:
        total, rake = self._amount(match[1]), self._amount(match[2])
        self._pot = total
        if rake:
            raise UnusableHistory(f"rake: {rake}, which no log can say")
        spent = self.table_hand.spent
        put_in = sum(spent.values()) - self._returned
        if total != put_in and not self._returned:
            # Texts before 2008 have no line for what comes back, and leave it out of the pot
            name = max(spent, key=spent.__getitem__, default="")
            uncalled = self.table_hand.uncalled(name)
            if uncalled and total == put_in - uncalled:
                self._return(name, uncalled)
                return
        if total != put_in:
            raise UnusableHistory(f"a pot of {total}, but the players put in {put_in}")

    def _read_summary(self, text: str) -> None:
        """Take cards that are told here alone; refuse what contradicts the lines before."""
        board = _BOARD.fullmatch(text)
        if board is not None and board[1].replace(" ", "") != self._board:
            raise UnusableHistory("another board than was dealt")
        for name, seat in self.table_hand.seats.items():
            if not text.startswith(f"Seat {seat}: {name}"):
                continue
            if name not in self.table_hand.spent:
                raise UnusableHistory(f"{name} has a summary, but does nothing in the hand")
            match = _SUMMARY_OUTCOME.fullmatch(text, len(f"Seat {seat}: {name}"))
            if match is not None and match[1] is not None:
                self._hold(name, match[1])
            won = self._collected.get(name, 0)
            if match is not None and match[2] is not None and self._amount(match[2]) != won:
                raise UnusableHistory(f"{name} won {match[2]}, but collected {won}")

    def _amount(self, text: str) -> int | Decimal:
        plain = text.removeprefix(self._symbol).replace(",", "")
        if not plain[:1].isdigit() or (self._symbol and text[:1] != self._symbol):
            raise UnusableHistory(f"{text} is not in the money of the stakes")
        return Decimal(plain) if "." in plain else int(plain)


def _unmailed(head: str, lines: Sequence[str], *, quoted: bool) -> Iterator[tuple[int, str]]:
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


def _is_folded(line: str, text: str, names: Iterable[str]) -> bool:
    """Return whether a text is the rest of the line before it, at a table with these names."""
    if not text or len(line) + len(text.partition(" ")[0]) < _FEWEST_FOLDED_LETTERS:
        return False
    begins = _LINE_START.match(text) or _REMARK.fullmatch(text) or " collected " in text
    return not begins and not any(text.startswith((f"{name}: ", f"{name} ")) for name in names)


def date_text(hand: HandHistory, noted: dict[str, Any]) -> str:
    """Return the date of a hand; what it does not say goes to the fields noted beside it."""
    fields, stamp = hand.fields, hand.record.stamp
    if stamp is not None:
        said = time_fields(stamp)
        text = _date_of(said)
        if text is None or _read_date(text) != said:
            noted[STAMP] = stamp
        return text or _NO_DATE
    written = fields.get(_DATE)
    if isinstance(written, str) and _read_date(written).items() <= fields.items():
        return written
    text = _date_of(fields)
    entries = {key: fields[key] for key in DATE_FIELDS if key in fields}
    if text is None or _read_date(text) != entries:
        noted |= entries
    return text or _NO_DATE


def _date_of(fields: Mapping[str, Any]) -> str | None:
    clock = fields.get("time")
    try:
        when = datetime(fields["year"], fields["month"], fields["day"], tzinfo=UTC)
    except (KeyError, ValueError, TypeError):
        return None
    if not isinstance(clock, time):
        return None
    zone = fields.get("time_zone")
    zone = f" {zone}" if isinstance(zone, str) and re.fullmatch("[A-Z]{1,5}", zone) else ""
    day = f"{when.year:04}/{when.month:02}/{when.day:02}"
    return f"{day} {clock.hour}:{clock.minute:02}:{clock.second:02}{zone}"


def _read_date(text: str) -> dict[str, Any]:
    """Return the fields that a date says, none for `_NO_DATE` and what is no date."""
    match = _DATE_TEXT.fullmatch(text)
    if match is None or text == _NO_DATE:
        return {}
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    try:
        datetime(year, month, day, tzinfo=UTC)
        fields = {"time": time(hour, minute, second), "day": day, "month": month, "year": year}
    except ValueError:
        return {}
    if match[7]:
        fields["time_zone"] = match[7]
    if match[8] or _date_of(fields) != text:
        fields[_DATE] = text
    return fields
