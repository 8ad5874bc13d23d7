"""Hands -> PHH, the TOML of Kim's standard ("Recording and Describing Poker Hands", 2024).

The players of a hand are p1, p2, ... by position; of two players p1 has the big blind, and blinds
are listed the other way round.  Amounts of `cbr` count within their street, those of logs within
the hand.  What a log says and the standard has no name for is in fields of our own:

    _values     chips won, as printed, where the digits would be others
    _stamp      the unix time of the hand, where it is not a whole number of microseconds
    _names      names that are not UTF-8, a character a byte
    _game       the game definition, where it is not the usual one of its betting
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.hand import decimal_text
from engine.histories.holdem_games import holdem_game
from engine.histories.toml_text import format_toml
from protocol.cards import format_cards
from protocol.gamedef import UNLIMITED_STACK, format_gamedef

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.histories.hand import HandHistory
    from protocol.gamedef import GameDef

NO_LIMIT: Final = "NT"
LIMIT: Final = "FT"
HIDDEN: Final = "????"
_INFINITE: Final = Decimal("inf")
_HEADS_UP: Final = 2


class PhhWriter:
    """Writes hands one behind another: .phhs, or .phh where there is but one."""

    def __init__(self, *, many: bool = True) -> None:
        """Begin a file; of many hands each has its number before it."""
        self._many = many
        self._count = 0

    def add(self, hand: HandHistory) -> str:
        """Return the text of the next hand; see `engine.histories.hand.HistoryWriter`."""
        if self._count and not self._many:
            raise UnusableHistory("a .phh file is of one hand; --to phhs is of many")
        text = format_toml(phh_fields(hand))
        self._count += 1
        if not self._many:
            return text
        gap = "\n" if self._count > 1 else ""
        return f"{gap}[{self._count}]\n{text}"

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""


def phh_fields(hand: HandHistory) -> dict[str, Any]:
    """Return all fields of a hand, those that it brought with it among them.

    Raises:
        UnusableHistory: the standard has no name for its game.
    """
    fields = standard_fields(hand)
    for key, value in hand.fields.items():
        if value is None:
            fields.pop(key, None)
        else:
            fields[key] = value
    return fields


def standard_fields(hand: HandHistory) -> dict[str, Any]:
    """Return the fields that follow from game and record.

    Raises:
        UnusableHistory: the standard has no name for its game.
    """
    game, record, scale = hand.game, hand.record, hand.scale
    blinds = game.blinds[::-1] if game.players == _HEADS_UP else game.blinds
    fields: dict[str, Any] = {
        "variant": _variant(game),
        "antes": [0] * game.players,
        "blinds_or_straddles": _money(blinds, scale),
    }
    if game.no_limit:
        fields["min_bet"] = _money([game.big_blind], scale)[0]
    else:
        sizes = _money(game.raise_sizes, scale)
        fields["small_bet"], fields["big_bet"] = sizes[0], sizes[-1]
    fields["starting_stacks"] = _money(game.stacks, scale)
    fields["actions"] = _actions(hand)
    fields["hand"] = record.hand_id
    names = list(record.names)
    fields["players"] = [_utf8(name) for name in names]
    if fields["players"] != names:
        fields["_names"] = [_bytes_of(name) for name in names]
    values = [Decimal(text) for text in record.values]
    if UNLIMITED_STACK in game.stacks:
        matched = matched_chips(hand.state.spent)
        won = [value + chips for value, chips in zip(values, matched, strict=True)]
        fields["winnings"] = _money(won, scale)
    else:
        finals = [value + chips for value, chips in zip(values, game.stacks, strict=True)]
        fields["finishing_stacks"] = _money(finals, scale)
    if record.stamp is not None:
        fields |= time_fields(record.stamp)
    if [decimal_text(value) for value in values] != list(record.values):
        fields["_values"] = list(record.values)
    usual = holdem_game(game.stacks, game.blinds, () if game.no_limit else game.raise_sizes)
    if usual != game:
        fields["_game"] = format_gamedef(game)
    return fields


def matched_chips(spent: Sequence[int]) -> list[int]:
    """Return the chips of each position that are in the pot: what nobody matched goes back.

    `winnings` of the standard are what is collected of that pot.
    """
    most = sorted(spent)[-2]
    return [min(chips, most) for chips in spent]


def _variant(game: GameDef) -> str:
    if not game.is_holdem:
        raise UnusableHistory("PHH has no name for this game, which is not hold'em")
    usual = holdem_game(game.stacks, game.blinds)
    if usual.first_positions != game.first_positions:
        raise UnusableHistory("PHH cannot say this order of play: the first player acts elsewhere")
    if game.no_limit:
        return NO_LIMIT
    small, second, third, fourth = game.raise_sizes
    if small != second or third != fourth:
        raise UnusableHistory("PHH has two sizes of raises, this game has others")
    return LIMIT


def _money(chips: Sequence[int | Decimal], scale: int) -> list[int | Decimal]:
    """Return chips in the money of the file."""
    return [_amount(amount, scale) for amount in chips]


def _amount(chips: int | Decimal, scale: int) -> int | Decimal:
    if chips == UNLIMITED_STACK:
        return _INFINITE
    if scale != 1:
        exact = Decimal(chips) / scale
        cents = Decimal(1) / scale
        rounded = exact.quantize(cents)
        return rounded if rounded == exact else exact
    return int(chips) if chips == int(chips) else Decimal(decimal_text(Decimal(chips)))


def _actions(hand: HandHistory) -> list[str]:
    game, state = hand.game, hand.state
    holes, board = hand.cards
    texts = [format_cards(hole) or HIDDEN for hole in holes]
    actions = [f"d dh p{number} {cards}" for number, cards in enumerate(texts, 1)]
    street = 0
    base = 0
    history = state.history
    raiser = -1
    for index, (spot, action) in enumerate(history):
        while street < spot.street:
            street += 1
            base = spot.to_match
            raiser = -1
            actions.append(_dealt(game, board, street))
        actor = spot.actor
        if action.kind == "r":
            after = history[index + 1][0] if index + 1 < len(history) else state
            amount = _amount(after.spent[actor] - base, hand.scale)
            actions.append(f"p{actor + 1} cbr {amount}")
            raiser = actor
        else:
            actions.append(f"p{actor + 1} {'f' if action.kind == 'f' else 'cc'}")
    while street < state.street:
        street += 1
        raiser = -1
        actions.append(_dealt(game, board, street))
    if state.showdown:
        first = game.first_positions[-1] if raiser < 0 else raiser
        order = [(first + step) % game.players for step in range(game.players)]
        shown = [player for player in order if not state.folded[player]]
        actions += [
            f"p{player + 1} sm {texts[player]}" if holes[player] else f"p{player + 1} sm"
            for player in shown
        ]
    return actions


def _dealt(game: GameDef, board: Sequence[int], street: int) -> str:
    cards = board[game.board_seen(street - 1) : game.board_seen(street)]
    return f"d db {format_cards(cards)}"


def _utf8(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _bytes_of(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def time_fields(stamp: str) -> dict[str, Any]:
    """Return date and time, in UTC, of a unix time."""
    seconds, _, digits = stamp.partition(".")
    try:
        when = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return {"_stamp": stamp}
    when = when.replace(microsecond=int(digits[:6].ljust(6, "0")))
    fields = {
        "time": when.time(),
        "time_zone": "UTC",
        "day": when.day,
        "month": when.month,
        "year": when.year,
    }
    if stamp_text(when) != stamp:
        fields["_stamp"] = stamp
    return fields


def stamp_text(when: datetime) -> str:
    """Return the unix time of a time in UTC, with as many digits as it has."""
    seconds = int(when.replace(microsecond=0).timestamp())
    return decimal_text(Decimal(seconds) + Decimal(when.microsecond) / 1_000_000)
