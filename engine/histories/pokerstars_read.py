"""The text of PokerStars -> hands: English, hold'em, no-limit and limit.

Nothing is guessed.  A line that is neither an action nor one of the remarks that a table makes
leaves the hand out; so does an amount that the rules of a log would not have, such as a call of a
big blind that its owner could not pay in full, and a pot that is not what the players put in.
Collected pots count, whatever the cards say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories import pokerstars_words as words
from engine.histories.acpc_log import NOTE
from engine.histories.hand import HandHistory, LeftOut
from engine.histories.holdem_fields import OF_GAME, exact_values
from engine.histories.phh_read import money_scale, phh_hand
from engine.histories.phh_write import LIMIT, NO_LIMIT
from engine.histories.seating import Seating
from engine.histories.toml_text import read_entries
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

_HEADER: Final = re.compile(
    r"\ufeff?PokerStars (?:[A-Za-z]+ ){0,3}(?:Hand|Game) #([0-9]{1,18}): +(?:\{.{0,80}\} +)?(.*)"
)
_AMOUNT: Final = r"[^0-9 .(]?([0-9][0-9,]{0,15}(?:\.[0-9]{1,6})?)"
_GAME: Final = re.compile(
    rf"(?:Tournament #(.{{1,80}}?) )?Hold'em (No Limit|Limit)(?: - (.{{1,40}}?))? "
    rf"\(([^0-9 .]?){_AMOUNT}/{_AMOUNT}(?: ([A-Z]{{3}}))?\) - (.*)"
)
_OTHER_GAME: Final = re.compile(
    r"(?:Tournament #[^ ]+ )?(?:[^ ]*[0-9][^ ]* (?:[A-Z]{3} )?)?(.{1,60}?) (?:-|\()"
)
_TABLE: Final = re.compile(
    r"Table '(.{1,200})' ([0-9]{1,2})-max (?:\(Play Money\) )?Seat #([0-9]{1,3}) is the button"
)
_SEAT: Final = re.compile(
    rf"Seat ([0-9]{{1,3}}): (.*) \({_AMOUNT} in chips(?:, .{{1,30}} bounty)?\)(?: .*)?"
)
_POST: Final = re.compile(
    rf"posts (small blind|big blind|straddle|the ante|small & big blinds) {_AMOUNT}"
    r"(?: and is all-in)?"
)
_PAY: Final = re.compile(rf"(calls|bets|raises) {_AMOUNT}(?: to {_AMOUNT})?(?: and is all-in)?")
_CARDS: Final = r"\[((?:[2-9TJQKA][cdhs] ?){1,5})\]"
_DEALT: Final = re.compile(rf"Dealt to (.*) {_CARDS}")
_SHOWS: Final = re.compile(rf"shows {_CARDS}.*")
_STREET: Final = re.compile(rf"\*\*\* (FLOP|TURN|RIVER) \*\*\*(?: {_CARDS})? {_CARDS}")
_RETURNED: Final = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to (.*)")
_COLLECTED: Final = re.compile(rf"(.*) collected {_AMOUNT} from (?:main |side )?pot(?:-[0-9]+)?")
_TOTAL: Final = re.compile(rf"Total pot {_AMOUNT}(?: .*?)? \| Rake {_AMOUNT}.*")
_MUCKED: Final = re.compile(rf"Seat ([0-9]{{1,3}}): .* mucked {_CARDS}")
_RUN_TWICE: Final = re.compile(r"\*\*\* (?:FIRST|SECOND) .*|Hand was run .*")
_REMARK: Final = re.compile(
    r".* said, \".*\"?|.* (?:joins the table at seat #[0-9]+|leaves the table|is connected|"
    r"is disconnected|has timed out.*|has returned|is sitting out|sits out|re-buys .*|"
    r"was removed from the table.*|will be allowed to play after the button|"
    r"wins the .*|finished the tournament.*|wins an entry .*|adds .*)"
    r"|\*\*\* (?:HOLE CARDS|SHOW DOWN) \*\*\*|"
)
_QUIET: Final = re.compile(
    r"sits out|is sitting out|has timed out.*|mucks hand|doesn't show hand|is disconnected.*|"
    r"is connected|has returned|shows a card.*"
)
_STREETS: Final = {"FLOP": 1, "TURN": 2, "RIVER": 3}


def read_pokerstars(
    lines: Iterable[str], settings: ReadSettings
) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
    seating = Seating()
    scale = 1
    for page in _pages(lines):
        try:
            scale = page.read(scale)
            hand = page.hand(seating)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(page.line, str(error))
        else:
            yield hand


def _pages(lines: Iterable[str]) -> Iterator[_Page]:
    page: _Page | None = None
    beside: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if text.startswith(NOTE):
            try:
                beside |= read_entries(text.removeprefix(NOTE))
                continue
            except UnusableHistory:
                pass  # a comment of somebody else
        header = _HEADER.fullmatch(text) if "PokerStars " in text[:12] else None
        if header is not None:
            if page is not None:
                yield page
            page = _Page(number, int(header[1]), header[2], beside)
            beside = {}
        elif page is not None:
            page.lines.append(text)
    if page is not None:
        yield page


@dataclass(slots=True)
class _Page:
    """The lines of a hand, and what they say; money is as they have it."""

    line: int
    number: int
    head: str
    beside: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    _fields: dict[str, Any] = field(default_factory=dict)
    _scale: int = 1
    _seats: dict[str, int] = field(default_factory=dict)
    """By name."""
    _button: int = 0
    _stacks: dict[str, int | Decimal] = field(default_factory=dict)
    _blinds: dict[str, int | Decimal] = field(default_factory=dict)
    _spent: dict[str, int | Decimal] = field(default_factory=dict)
    """Of those who are dealt in."""
    _street_spent: dict[str, int | Decimal] = field(default_factory=dict)
    _won: dict[str, int | Decimal] = field(default_factory=dict)
    """Collected and returned."""
    _returned: int | Decimal = 0
    _holes: dict[str, str] = field(default_factory=dict)
    _board: str = ""
    _actions: list[tuple[str, str]] = field(default_factory=list)
    """(name or "", words of PHH)."""
    _paid: list[int | Decimal] = field(default_factory=list)
    """Per action."""
    _total: int | Decimal | None = None

    def read(self, scale: int) -> int:
        """Read the lines; return chips for one unit of money, at least `scale`."""
        self._read_head()
        for count, text in enumerate(self.lines, 1):
            try:
                self._read(text)
            except UnusableHistory as error:
                raise UnusableHistory(f"line {self.line + count}: {error}") from None
        if self._total is None:
            raise UnusableHistory("breaks off before its summary")
        self._order()
        noted = self.beside.pop("_scale", None)
        if noted is not None:
            if type(noted) is not int or not 0 < noted <= 10**6:
                raise UnusableHistory(f"no scale of chips: {noted!r}")
            self._scale = noted
            return scale
        known = self._fields.get("currency") in words.SYMBOLS
        self._scale = max(money_scale(self._fields), words.COINS if known else scale)
        return scale if known else self._scale

    def hand(self, seating: Seating) -> HandHistory:
        """Return the hand that was read."""
        names = self._fields.pop("_text_names")
        seats = [self._seats[name] for name in names]
        if seating.seats(names) != seats:
            self._fields["seats"] = seats
        self._pay_out(names)
        date = self._fields.pop("_date_fields")
        if "_stamp" not in self.beside:
            self._fields |= date
        self._fields |= self.beside
        hand = phh_hand(self._fields, self.number, self.line, self._scale)
        after = [*(before for before, _ in hand.state.history[1:]), hand.state]
        for (before, action), later, paid in zip(
            hand.state.history, after, self._paid, strict=True
        ):
            rules = later.spent[before.actor] - before.spent[before.actor]
            if paid * self._scale != rules and action.kind != "f":
                raise UnusableHistory(
                    f"{names[before.actor]} pays {paid}, by the rules of a log it is "
                    f"{Decimal(rules) / self._scale}"
                )
        fields = {key: value for key, value in hand.fields.items() if key not in OF_GAME}
        return replace(hand, fields=fields)

    def _read_head(self) -> None:
        match = _GAME.fullmatch(self.head)
        if match is None:
            other = _OTHER_GAME.match(self.head)
            raise UnusableHistory(
                f"{other[1] if other else self.head[:60]}: no hold'em, no-limit or limit, in English"
            )
        tournament, kind, level, symbol, small, big, code, date = match.groups()
        fields = self._fields
        fields["variant"] = NO_LIMIT if kind == "No Limit" else LIMIT
        if kind == "Limit":
            fields["small_bet"], fields["big_bet"] = _amount(small), _amount(big)
        if code is not None:
            fields["currency"] = code
        if symbol != words.SYMBOLS.get(code, "$"):
            fields["currency_symbol"] = symbol
        if tournament is not None:
            fields["_tournament"] = f"{tournament} {level or ''}".rstrip()
        fields["_date_fields"] = words.read_date(date)

    def _read(self, text: str) -> None:
        name, _, rest = text.partition(": ")
        if name not in self._seats:
            name = next((one for one in self._seats if text.startswith(f"{one}: ")), "")
            rest = text[len(name) + 2 :]
        if name and self._total is None:
            self._act(name, rest.rstrip(), text)
        elif self._total is not None:
            self._mucked(text)
        elif text.startswith("Dealt to "):
            match = self._match(_DEALT, text)
            self._hold(match[1], match[2])
        elif text.startswith("*** ") and (match := _STREET.fullmatch(text.rstrip())):
            self._deal(match[1], match[2] or "", match[3])
        elif text.startswith("Uncalled bet "):
            match = self._match(_RETURNED, text)
            self._returned = _amount(match[1])
            self._win(match[2], self._returned)
        elif match := _COLLECTED.fullmatch(text.rstrip()):
            self._win(match[1], _amount(match[2]))
        elif text.startswith("Seat ") and (match := _SEAT.fullmatch(text)):
            self._seats[match[2]] = int(match[1])
            self._stacks[match[2]] = _amount(match[3])
        elif text.startswith("Total pot "):
            self._take_total(self._match(_TOTAL, text))
        elif text.startswith("Table "):
            match = self._match(_TABLE, text)
            self._button = int(match[3])
            self._fields |= {"table": match[1], "seat_count": int(match[2])}
        elif _RUN_TWICE.fullmatch(text):
            raise UnusableHistory("run twice, which no log can say")
        elif text.rstrip() != "*** SUMMARY ***" and not _REMARK.fullmatch(text.rstrip()):
            raise UnusableHistory(f"not understood: {text[:60]!r}")

    def _match(self, pattern: re.Pattern[str], text: str) -> re.Match[str]:
        match = pattern.fullmatch(text) or pattern.fullmatch(text.rstrip())
        if match is None:
            raise UnusableHistory(f"not understood: {text[:60]!r}")
        return match

    def _act(self, name: str, rest: str, text: str) -> None:
        if rest == "folds" or rest.startswith("folds ["):
            self._take(name, "f", 0)
        elif rest == "checks":
            self._take(name, "cc", 0)
        elif match := _PAY.fullmatch(rest):
            before = self._street_spent.get(name, 0)
            if match[1] == "calls":
                self._take(name, "cc", _amount(match[2]))
            elif (match[1] == "raises") == (match[3] is not None):
                to = _amount(match[3] or match[2])
                self._take(name, f"cbr {to}", to - before)
            else:
                raise UnusableHistory(f"not understood: {text[:60]!r}")
        elif match := _SHOWS.fullmatch(rest):
            self._spent.setdefault(name, 0)
            self._hold(name, match[1])
        elif match := _POST.fullmatch(rest):
            self._post(name, match[1], _amount(match[2]))
        elif not _QUIET.fullmatch(rest) and not _REMARK.fullmatch(text):
            raise UnusableHistory(f"not understood: {text[:60]!r}")

    def _take(self, name: str, action: str, paid: int | Decimal) -> None:
        self._actions.append((name, action))
        self._paid.append(paid)
        self._put(name, paid)

    def _put(self, name: str, chips: int | Decimal) -> None:
        self._spent[name] = self._spent.get(name, 0) + chips
        self._street_spent[name] = self._street_spent.get(name, 0) + chips

    def _post(self, name: str, kind: str, chips: int | Decimal) -> None:
        if kind == "the ante":
            raise UnusableHistory("antes, which no game definition has")
        if kind == "small & big blinds" or name in self._blinds:
            raise UnusableHistory("a dead blind, which no game definition has")
        if kind == "big blind" and "big blind" in self._fields.setdefault("_posts", []):
            raise UnusableHistory("a second big blind of a newcomer, which no game definition has")
        self._fields.setdefault("_posts", []).append(kind)
        self._blinds[name] = chips
        self._put(name, chips)

    def _hold(self, name: str, cards: str) -> None:
        cards = cards.replace(" ", "")
        known = self._holes.setdefault(name, cards)
        if {known[:2], known[2:]} != {cards[:2], cards[2:]}:
            raise UnusableHistory(f"{name} shows other cards than were dealt")

    def _deal(self, street: str, before: str, cards: str) -> None:
        if before.replace(" ", "") != self._board:
            raise UnusableHistory(f"another board before the {street.lower()} than was dealt")
        self._board += cards.replace(" ", "")
        self._actions.append(("", f"d db {cards.replace(' ', '')}"))
        self._street_spent.clear()

    def _win(self, name: str, chips: int | Decimal) -> None:
        if name not in self._seats:
            raise UnusableHistory(f"nobody at the table is called {name[:40]!r}")
        self._won[name] = self._won.get(name, 0) + chips

    def _take_total(self, match: re.Match[str]) -> None:
        self._total = _amount(match[1])
        rake = _amount(match[2])
        if rake:
            raise UnusableHistory(f"rake: {rake}, which no log can say")
        put_in = sum(self._spent.values()) - self._returned
        if self._total != put_in:
            raise UnusableHistory(f"a pot of {self._total}, but the players put in {put_in}")

    def _mucked(self, text: str) -> None:
        match = _MUCKED.fullmatch(text.rstrip()) if " mucked [" in text else None
        if match is not None:
            for name, seat in self._seats.items():
                if seat == int(match[1]):
                    self._hold(name, match[2])

    def _order(self) -> None:
        """Find the positions, and say the hand in fields of PHH."""
        names = sorted(self._spent, key=lambda name: self._seats[name])
        names.sort(key=lambda name: self._seats[name] <= self._button)
        fields = self._fields
        fields.pop("_posts", None)
        positions = {name: number for number, name in enumerate(names, 1)}
        blinds = [self._blinds.get(name, 0) for name in names]
        fields["_text_names"] = names
        fields["antes"] = [0] * len(names)
        fields["blinds_or_straddles"] = blinds[::-1] if len(names) == 2 else blinds
        fields["min_bet"] = max(blinds, default=0)
        fields["starting_stacks"] = [self._stacks[name] for name in names]
        fields["players"] = names
        if fields.get("table") == words.TABLE:
            del fields["table"]
        if fields.get("seat_count") == len(names):
            del fields["seat_count"]
        fields["hand"] = self.number
        fields["actions"] = [
            *(
                f"d dh p{positions[name]} {self._holes[name]}"
                for name in names
                if name in self._holes
            ),
            *(f"p{positions[name]} {what}" if name else what for name, what in self._actions),
        ]

    def _pay_out(self, names: list[str]) -> None:
        values = [Decimal(self._won.get(name, 0) - self._spent[name]) for name in names]
        if len(self._won) > len([name for name in names if name in self._won]):
            raise UnusableHistory("somebody wins who is not dealt in")
        scale = self._scale
        coin = Decimal(1) / 10 ** max(2, len(str(scale)) - 1)
        chips = exact_values(
            [value * scale for value in values], self.beside.get("_values"), coin * scale * 2
        )
        stacks = self._fields["starting_stacks"]
        self._fields["finishing_stacks"] = [
            stack + one / scale for stack, one in zip(stacks, chips, strict=True)
        ]


def _amount(text: str) -> int | Decimal:
    plain = text.replace(",", "")
    return Decimal(plain) if "." in plain else int(plain)
