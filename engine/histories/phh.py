"""PHH, the TOML of Kim's standard ("Recording and Describing Poker Hands", 2024) <-> hands.

The players of a hand are p1, p2, ... by position; of two players p1 has the big blind, and blinds
are listed the other way round.  Amounts of `cbr` count within their street, those of logs within
the hand.  What a log says and the standard has no name for is in fields of our own
(`engine.histories.beside`).

Nothing is guessed: an action out of turn, a card too few, an unfinished hand leave the hand out.
Payoffs are those of `finishing_stacks`, else those of `winnings`, else what betting and cards say.
What a record has no place for stays with the hand as it is written, and so does whatever is
written otherwise than the writer here would: to write the hand again loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories import beside
from engine.histories.hand import HEADS_UP, HandHistory, LeftOut, Move, decimal_text
from engine.histories.play import (
    FilePayoffs,
    Play,
    collected_payoffs,
    holdem_game,
    matched_chips,
    money_scale,
    played_hand,
    whole_chips,
    whole_payoffs,
)
from engine.histories.toml_text import format_toml, read_entries, toml_hands
from protocol.cards import format_cards
from protocol.errors import ProtocolError
from protocol.gamedef import UNLIMITED_STACK, format_gamedef

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings
    from protocol.gamedef import GameDef

_NO_LIMIT: Final = "NT"
_LIMIT: Final = "FT"
_HIDDEN: Final = "????"
_INFINITE: Final = Decimal("inf")
_OTHER_GAMES: Final = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high-low",
    "F7S": "fixed-limit seven card stud",
    "F7S/8": "fixed-limit seven card stud high-low",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit single draw",
    "F2L3D": "fixed-limit triple draw",
    "FB": "fixed-limit badugi",
}


def read_phh(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a .phh or .phhs file; see `engine.histories.hand.HistoryReader`."""
    for count, (line, name, text) in enumerate(toml_hands(lines)):
        number = int(name) if name is not None and re.fullmatch("[0-9]{1,10}", name) else count
        try:
            fields = read_entries(text)
            hand = phh_hand(fields, number, line, scale_of_fields(fields))
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(line, str(error))
        else:
            yield hand


def scale_of_fields(fields: Mapping[str, Any]) -> int:
    """Return how many chips a unit of money must be for all amounts of a hand to be whole."""
    amounts: list[Any] = []
    for key in ("blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks"):
        value = fields.get(key)
        amounts += value if isinstance(value, list) else [value]
    actions = fields.get("actions")
    texts = actions if isinstance(actions, list) else []
    places = [_places(text) for text in texts if isinstance(text, str) and "." in text]
    return money_scale(amounts, max(places, default=0))


def _places(action: str) -> int:
    """Return how many decimals the amount of an action has."""
    parts = action.split()
    amount = parts[2] if len(parts) > 2 and parts[1] == "cbr" else ""
    return len(amount.partition(".")[2])


def phh_hand(fields: Mapping[str, Any], number: int, line: int, scale: int) -> HandHistory:
    """Return the hand that fields of the standard tell.

    Args:
        fields: by name, with values of TOML; reals are `Decimal`.
        number: of the hand, where the fields have none that a log can have.
        line: where it begins in its file.
        scale: chips for one unit of money.

    Raises:
        UnusableHistory: they are incomplete, contradict themselves or are of another game.
        ProtocolError: they hold cards or a game definition that are none.
    """
    game = _game(fields, scale)
    play = Play(game)
    for count, action in enumerate(beside.listed(fields, "actions", str), 1):
        _take(play, action, count, scale)
    names = beside.given_names(fields, "players", game.players) or [""] * game.players
    record = beside.record_of(fields, number, names)
    hand = played_hand(play, record, lambda: _payoffs(fields, play, scale), line, scale)
    usual = _standard_fields(hand)
    rest = beside.unsaid(fields, usual, beside.OURS)
    if "actions" in rest and _plain_actions(rest["actions"]) == _plain_actions(usual["actions"]):
        del rest["actions"]
    return replace(hand, fields=rest)


def _plain_actions(actions: Sequence[str]) -> list[list[str]]:
    """Return the words of actions, amounts without zeros behind."""
    split_actions = [action.split() for action in actions]
    for parts in split_actions:
        if parts[1:2] == ["cbr"]:
            parts[2] = decimal_text(Decimal(parts[2]))
    return split_actions


def _game(fields: Mapping[str, Any], scale: int) -> GameDef:
    variant = fields.get("variant")
    if variant not in (_NO_LIMIT, _LIMIT):
        if isinstance(variant, str) and variant in _OTHER_GAMES:
            raise UnusableHistory(f"{_OTHER_GAMES[variant]} ({variant}); hold'em is read")
        raise UnusableHistory(f"no game of hold'em: variant {variant!r}")
    stacks = [_stack(stack, scale) for stack in beside.listed(fields, "starting_stacks")]
    blinds = [whole_chips(blind, scale) for blind in beside.listed(fields, "blinds_or_straddles")]
    antes = beside.listed(fields, "antes")
    if not len(stacks) == len(blinds) == len(antes):
        raise UnusableHistory("stacks, blinds and antes of different numbers of players")
    if any(antes):
        raise UnusableHistory("antes, which no game definition has")
    if len(blinds) == HEADS_UP:
        blinds.reverse()
    raise_sizes: tuple[int, ...] = ()
    if variant == _LIMIT:
        small, big = (whole_chips(fields.get(key), scale) for key in ("small_bet", "big_bet"))
        raise_sizes = (small, small, big, big)
    return beside.noted_game(fields, holdem_game(tuple(stacks), tuple(blinds), raise_sizes))


def _stack(value: object, scale: int) -> int:
    if isinstance(value, Decimal) and value == _INFINITE:
        return UNLIMITED_STACK
    return whole_chips(value, scale)


def _take(play: Play, action: str, count: int, scale: int) -> None:
    """Take the `count`-th action."""
    parts = action.split()
    if "#" in parts:
        parts = parts[: parts.index("#")]
    match parts:
        case []:
            pass
        case ["d", "db", cards]:
            play.deal(cards)
        case ["d", "dh", who, cards]:
            play.hold(_player(play, who, count), cards)
        case [who, "cc"]:
            play.call(_player(play, who, count))
        case [who, "f"]:
            play.fold(_player(play, who, count))
        case [who, "cbr", amount]:
            player = _player(play, who, count)
            try:
                chips = whole_chips(Decimal(amount), scale)
            except ArithmeticError:
                raise UnusableHistory(f"no number of chips: {amount[:20]}") from None
            play.raise_to(player, chips)
        case [who, "sm", *cards_shown]:
            play.show(_player(play, who, count), cards_shown[0] if cards_shown else "")
        case _:
            raise UnusableHistory(f"action {count}: {action[:40]!r} is none of hold'em")


def _player(play: Play, word: str, count: int) -> int:
    number = word[1:]
    if word[:1] == "p" and number.isdecimal() and len(number) < 3:
        player = int(number) - 1
        if 0 <= player < play.game.players:
            return player
    raise UnusableHistory(f"action {count}: no player is called {word[:20]!r}")


def _payoffs(fields: Mapping[str, Any], play: Play, scale: int) -> FilePayoffs:
    game, printed = play.game, fields.get(beside.VALUES)
    key = "finishing_stacks"
    if fields.get(key) is None or UNLIMITED_STACK in game.stacks:
        key = "winnings"
    if fields.get(key) is None:
        return FilePayoffs()
    given = beside.listed(fields, key)
    if len(given) != game.players or not all(isinstance(number, int | Decimal) for number in given):
        raise UnusableHistory(f"{key} are not {game.players} numbers")
    if key == "winnings":
        return collected_payoffs(play, given, printed, scale)
    finals = [Decimal(amount) * scale for amount in given]
    values = [final - stack for final, stack in zip(finals, game.stacks, strict=True)]
    return whole_payoffs(values, printed, scale)


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
        text = format_toml(_standard_fields(hand) | hand.fields)
        self._count += 1
        if not self._many:
            return text
        gap = "\n" if self._count > 1 else ""
        return f"{gap}[{self._count}]\n{text}"

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""


def _standard_fields(hand: HandHistory) -> dict[str, Any]:
    """Return the fields that follow from game and record.

    Raises:
        UnusableHistory: the standard has no name for its game.
    """
    game, record, scale = hand.game, hand.record, hand.scale
    if not game.is_holdem:
        raise UnusableHistory("PHH has no name for this game, which is not hold'em")
    usual = beside.usual_game(game, "PHH")
    blinds = game.blinds[::-1] if game.players == HEADS_UP else game.blinds
    fields: dict[str, Any] = {
        "variant": _NO_LIMIT if game.no_limit else _LIMIT,
        "antes": [0] * game.players,
        "blinds_or_straddles": _money(blinds, scale),
    }
    if game.no_limit:
        fields["min_bet"] = _amount(game.big_blind, scale)
    else:
        sizes = _money(game.raise_sizes, scale)
        fields["small_bet"], fields["big_bet"] = sizes[0], sizes[-1]
    fields["starting_stacks"] = _money(game.stacks, scale)
    fields["actions"] = _actions(hand)
    fields["hand"] = record.hand_id
    names = list(record.names)
    fields["players"] = [beside.utf8_name(name) for name in names]
    if fields["players"] != names:
        fields[beside.NAMES] = [beside.name_bytes(name) for name in names]
    values = [Decimal(text) for text in record.values]
    if UNLIMITED_STACK in game.stacks:
        matched = matched_chips(hand.state.spent)
        won = [value + chips for value, chips in zip(values, matched, strict=True)]
        fields["winnings"] = _money(won, scale)
    else:
        finals = [value + chips for value, chips in zip(values, game.stacks, strict=True)]
        fields["finishing_stacks"] = _money(finals, scale)
    if record.stamp is not None:
        fields |= beside.time_fields(record.stamp)
    if [decimal_text(value) for value in values] != list(record.values):
        fields[beside.VALUES] = list(record.values)
    if usual != game:
        fields[beside.GAME] = format_gamedef(game)
    return fields


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
    holes = hand.cards.holes
    texts = [format_cards(hole) or _HIDDEN for hole in holes]
    actions = [f"d dh p{number} {cards}" for number, cards in enumerate(texts, 1)]
    raiser = -1
    for street in hand.streets():
        if street.number:
            actions.append(f"d db {format_cards(street.board)}")
        raiser = -1
        for action in street.actions:
            who = f"p{action.position + 1}"
            if action.by:
                actions.append(f"{who} cbr {_amount(action.to, hand.scale)}")
                raiser = action.position
            else:
                actions.append(f"{who} {'f' if action.kind == Move.FOLD else 'cc'}")
    if state.showdown:
        first = game.first_positions[-1] if raiser < 0 else raiser
        order = [(first + step) % game.players for step in range(game.players)]
        shown = [player for player in order if not state.folded[player]]
        actions += [
            f"p{player + 1} sm {texts[player]}" if holes[player] else f"p{player + 1} sm"
            for player in shown
        ]
    return actions
