"""Words of the text of PokerStars that its writer and its reader share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any, Final

from engine.histories.phh_write import time_fields

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory

DEFAULT_TABLE: Final = "Arena"
NO_DATE: Final = "1970/01/01 0:00:00 UTC"
STREETS: Final = ("PREFLOP", "FLOP", "TURN", "RIVER")
CURRENCY_SYMBOLS: Final = {"USD": "$", "EUR": "\N{EURO SIGN}", "GBP": "\N{POUND SIGN}"}
_TIME: Final = ("time", "time_zone", "day", "month", "year")
_DATE: Final = "_date"
CARRIED_FIELDS: Final = frozenset(
    {"hand", "table", "seats", "seat_count", "currency", "currency_symbol", _DATE, *_TIME}
)
_DATE_TEXT: Final = re.compile(
    r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2}) (?:- )?([0-9]{1,2}):([0-9]{2}):([0-9]{2})"
    r" ?\(?([A-Z]{0,5})\)?(.*)"
)


def pot_labels(pots: int) -> list[str]:
    """Return what pots are called, the main pot first."""
    if pots == 1:
        return ["Pot"]
    if pots == 2:
        return ["Main pot", "Side pot"]
    return ["Main pot", *(f"Side pot-{number}" for number in range(1, pots))]


def date_text(hand: HandHistory, beside: dict[str, Any]) -> str:
    """Return the date of a hand; what it does not say goes to the fields beside."""
    fields, stamp = hand.fields, hand.record.stamp
    if stamp is not None:
        fields = time_fields(stamp)
        text = _date_of(fields)
        if text is None or read_date(text) != fields:
            beside["_stamp"] = stamp
        return text or NO_DATE
    noted_date = fields.get(_DATE)
    if isinstance(noted_date, str) and read_date(noted_date).items() <= fields.items():
        return noted_date
    text = _date_of(fields)
    entries = {key: fields[key] for key in (*_TIME, _DATE) if key in fields}
    if text is None or read_date(text) != entries:
        beside |= entries
    return text or NO_DATE


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


def read_date(text: str) -> dict[str, Any]:
    """Return the fields that a date says, none for `NO_DATE` and what is no date."""
    match = _DATE_TEXT.fullmatch(text)
    if match is None or text == NO_DATE:
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
