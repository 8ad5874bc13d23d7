"""What a format has no place for, as TOML beside a hand, so that it comes back as it was.

Besides the fields that a hand brought with it these are of our own:

    _values     chips won, as printed, where the digits would be others
    _stamp      the unix time of the hand, where the date does not tell it
    _names      names that are not UTF-8, a character a byte
    _game       the game definition, where it is not the usual one of its betting
    _scale      chips for one unit of money, where the money does not tell it
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.hand import HandFields, decimal_text
from engine.histories.play import holdem_game
from engine.histories.toml_text import format_toml
from protocol.gamedef import format_gamedef, parse_gamedef
from protocol.handlog import HandRecord

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory
    from protocol.gamedef import GameDef

VALUES: Final = "_values"
STAMP: Final = "_stamp"
NAMES: Final = "_names"
GAME: Final = "_game"
SCALE: Final = "_scale"
OURS: Final = frozenset({VALUES, STAMP, NAMES, GAME})
NOTE_PREFIX: Final = "# phh: "
"""Begins a comment that is such a field, in formats that have comments."""
COINS_PER_UNIT: Final = 100
GAME_FIELDS: Final = frozenset(
    {
        *("variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet"),
        *("starting_stacks", "actions", "players", "finishing_stacks", "winnings"),
    }
)
"""Fields of PHH that the typed part of a hand says already."""
_HAND_IDS: Final = 10**10
_NAME_ENDS: Final = re.compile(r"[|\r\n]")


def usual_game(game: GameDef, format_name: str) -> GameDef:
    """Return the game of hold'em that stacks, blinds and sizes of raises alone say.

    Raises:
        UnusableHistory: it is another game, or played in another order.
    """
    if not game.is_holdem:
        raise UnusableHistory(f"{format_name} has no words for this game, which is not hold'em")
    usual = holdem_game(game.stacks, game.blinds, () if game.no_limit else game.raise_sizes)
    if usual.first_positions != game.first_positions:
        raise UnusableHistory(
            f"{format_name} cannot say this order of play: the first player acts elsewhere"
        )
    sizes = game.raise_sizes
    if not game.no_limit and (sizes[0] != sizes[1] or sizes[2] != sizes[3]):
        raise UnusableHistory(f"{format_name} has two sizes of raises, this game has others")
    return usual


def fields_beside(
    hand: HandHistory, usual: GameDef, carried: Collection[str], *, exact: bool
) -> dict[str, Any]:
    """Return the fields that a format has no place for.

    Args:
        hand: the hand.
        usual: the game that a reader will take it for.
        carried: the fields that the format has a place for.
        exact: whether the format tells the payoffs as they are printed, to the last digit.
    """
    fields = {
        key: value
        for key, value in hand.fields.items()
        if key not in carried and key not in GAME_FIELDS
    }
    if usual != hand.game:
        fields[GAME] = format_gamedef(hand.game)
    if not exact:
        fields[VALUES] = list(hand.record.values)
    return fields


def comments(fields: Mapping[str, Any]) -> str:
    """Return fields as comments, a line each."""
    return "".join([f"{NOTE_PREFIX}{line}\n" for line in format_toml(fields).split("\n")[:-1]])


def as_utf8(text: str) -> str:
    """Return text that has bytes of another encoding as Latin-1, which every byte is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return name_bytes(text)
    return text


def utf8_name(name: str) -> str:
    """Return a name in UTF-8; bytes that are not are spelled."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def name_bytes(name: str) -> str:
    """Return a name as `NAMES` has it."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def record_of(fields: Mapping[str, Any], count: int, names: Sequence[str]) -> HandRecord:
    """Return number, names and time stamp of a hand; the rest of the record is empty.

    Args:
        fields: of the hand, those beside it among them.
        count: its number, where the fields have none that a log can have.
        names: by position, "" where there is none.

    Raises:
        UnusableHistory: names are noted, but not as many.
    """
    spelled = [_NAME_ENDS.sub("_", name) or f"p{number}" for number, name in enumerate(names, 1)]
    noted = given_names(fields, NAMES, len(names))
    if noted is not None:
        with suppress(UnicodeEncodeError):
            raw = [name.encode("latin-1").decode("utf-8", "surrogateescape") for name in noted]
            plain = [_NAME_ENDS.sub("_", name) for name in raw]
            spelled = [name or old for name, old in zip(plain, spelled, strict=True)]
    return HandRecord(hand_number(fields, count), "", "", (), tuple(spelled), _stamp_of(fields))


def given_names(fields: Mapping[str, Any], key: str, players: int) -> list[str] | None:
    """Return the names in a field, None where there is none.

    Raises:
        UnusableHistory: it holds none, or not one for each player.
    """
    if key not in fields:
        return None
    names = listed(fields, key, str)
    if len(names) != players:
        raise UnusableHistory(f"{len(names)} {key}, {players} stacks")
    return names


def listed(fields: Mapping[str, Any], name: str, kind: type = object) -> list[Any]:
    """Return the list in a field.

    Raises:
        UnusableHistory: there is none, or something else.
    """
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UnusableHistory(f"no list {name}" if value is None else f"{name} is not its list")
    return value


def hand_number(fields: Mapping[str, Any], count: int) -> int:
    """Return the number of a hand, `count` where its fields have none that a log can have."""
    number = fields.get("hand")
    return number if type(number) is int and 0 <= number < _HAND_IDS else count


def noted_game(fields: Mapping[str, Any], game: GameDef) -> GameDef:
    """Return the game that is noted, with the chips of `game`, else `game`.

    Raises:
        ProtocolError: what is noted is no game definition.
    """
    text = fields.get(GAME)
    if isinstance(text, str):
        named = parse_gamedef(text)
        if (named.players, named.no_limit) == (game.players, game.no_limit):
            return replace(named, stacks=game.stacks, blinds=game.blinds)
    return game


def exact_values(values: list[Decimal], printed: object, most: Decimal) -> list[Decimal]:
    """Return payoffs to the last digit.

    Args:
        values: chips by position, as a format with coins tells them.
        printed: what was noted beside, if anything.
        most: chips by which they may differ.
    """
    if not isinstance(printed, list) or len(printed) != len(values):
        return values
    try:
        noted = [Decimal(text) for text in printed]
    except (ArithmeticError, TypeError, ValueError):
        return values
    if all(
        note.is_finite() and abs(note - value) < most
        for note, value in zip(noted, values, strict=True)
    ):
        return noted
    return values


def unsaid(
    fields: Mapping[str, Any], said: Mapping[str, Any], passed_over: Iterable[str]
) -> HandFields:
    """Return the fields less those that the typed part of a hand says."""
    passed = frozenset(passed_over)
    return HandFields(
        {
            key: value
            for key, value in fields.items()
            if key not in passed and (key not in said or said[key] != value)
        }
    )


def time_fields(stamp: str) -> dict[str, Any]:
    """Return date and time, in UTC, of a unix time."""
    seconds, _, digits = stamp.partition(".")
    try:
        when = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return {STAMP: stamp}
    when = when.replace(microsecond=int(digits[:6].ljust(6, "0")))
    fields = {
        "time": when.time(),
        "time_zone": "UTC",
        "day": when.day,
        "month": when.month,
        "year": when.year,
    }
    if stamp_text(when) != stamp:
        fields[STAMP] = stamp
    return fields


def stamp_text(when: datetime) -> str:
    """Return the unix time of a time in UTC, with as many digits as it has."""
    seconds = int(when.replace(microsecond=0).timestamp())
    return decimal_text(Decimal(seconds) + Decimal(when.microsecond) / 1_000_000)


def _stamp_of(fields: Mapping[str, Any]) -> str | None:
    """Return the unix time of a hand that has date and time in UTC."""
    noted = fields.get(STAMP)
    if isinstance(noted, str) and re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", noted):
        return noted
    clock = fields.get("time")
    zone = fields.get("time_zone", fields.get("time_zone_abbreviation"))
    if not isinstance(clock, time) or zone != "UTC":
        return None
    try:
        when = datetime.fromisoformat(
            f"{fields['year']:04}-{fields['month']:02}-{fields['day']:02}T{clock.isoformat()}+00:00"
        )
        return stamp_text(when) if when.year >= 1970 else None
    except (KeyError, ValueError, TypeError):
        return None
