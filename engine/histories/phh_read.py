"""PHH, the TOML of Kim's standard ("Recording and Describing Poker Hands", 2024) -> hands.

Nothing is guessed: an action out of turn, a card too few, an unfinished hand leave the hand out.
Payoffs are those of `finishing_stacks`, else those of `winnings`, else what betting and cards say.
What a record has no place for stays with the hand as it is written, and so does whatever is
written otherwise than `engine.histories.phh_write` would: to write the hand again loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from decimal import Decimal
from operator import gt
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories.hand import HandHistory, LeftOut, decimal_text, settled_hand
from engine.histories.holdem_games import holdem_game
from engine.histories.phh_actions import PhhActions, whole_chips
from engine.histories.phh_write import (
    LIMIT,
    NO_LIMIT,
    matched_chips,
    stamp_text,
    standard_fields,
)
from engine.histories.toml_text import read_entries, toml_hands
from engine.showdown.hand_values import hand_values
from protocol.errors import ProtocolError
from protocol.gamedef import UNLIMITED_RAISES, UNLIMITED_STACK, parse_gamedef
from protocol.handlog import HandRecord, format_chips

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings
    from protocol.gamedef import GameDef

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
_HAND_IDS: Final = 10**10
_MONEY_SCALE: Final = 100
_HEADS_UP: Final = 2
_ROUNDING_CHIPS: Final = Decimal("0.000001")
"""What a log prints of a share of a pot is so far from it at most."""
_LEAST_PAID_SHARE: Final = Decimal("0.8")
"""No house takes more than a fifth of a pot."""
_NAME_ENDS: Final = re.compile(r"[|\r\n]")
_OURS: Final = ("_values", "_stamp", "_names", "_game")


def read_phh(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a .phh or .phhs file; see `engine.histories.hand.HistoryReader`."""
    for count, (line, name, text) in enumerate(toml_hands(lines)):
        number = int(name) if name is not None and re.fullmatch("[0-9]{1,10}", name) else count
        try:
            fields = read_entries(text)
            hand = phh_hand(fields, number, line, money_scale(fields))
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(line, str(error))
        else:
            yield hand


def money_scale(fields: Mapping[str, Any]) -> int:
    """Return how many chips a unit of money must be for all amounts of a hand to be whole."""
    amounts: list[Any] = []
    for key in ("blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks"):
        value = fields.get(key)
        amounts += value if isinstance(value, list) else [value]
    actions = fields.get("actions")
    texts = actions if isinstance(actions, list) else []
    digits = max([_digits(text) for text in texts if isinstance(text, str)], default=0)
    digits = max([digits, *(_places(amount) for amount in amounts)])
    return max(_MONEY_SCALE, 10**digits) if digits else 1


def _places(amount: object) -> int:
    if not isinstance(amount, Decimal) or not amount.is_finite():
        return 0
    return max(0, -int(amount.as_tuple().exponent))


def _digits(action: str) -> int:
    if "." not in action:
        return 0
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
    walk = PhhActions(game, scale)
    for count, action in enumerate(_listed(fields, "actions", str), 1):
        walk.take(action, count)
    if any(map(gt, walk.street_raises, game.max_raises)):
        game = replace(game, max_raises=(UNLIMITED_RAISES,) * game.streets)  # a house's own rule
    betting, cards = "".join(walk.betting), walk.card_text()
    names = _names(fields, game.players)
    values, wrong, doubt = None, None, ""
    try:
        doubt = _doubt_of_winnings(fields, game, walk, scale)
        values = None if doubt else _values(fields, game, walk.spent, scale)
    except UnusableHistory as error:
        wrong = error  # what is wrong with the actions is told first
    noted_id = fields.get("hand")
    is_usable = type(noted_id) is int and 0 <= noted_id < _HAND_IDS
    record = HandRecord(
        hand_id=noted_id if is_usable and isinstance(noted_id, int) else number,
        betting=betting,
        cards=cards,
        values=values or ("0",) * game.players,
        names=names,
        stamp=_stamp(fields),
    )
    try:
        hand = settled_hand(game, record, line, {}, scale)
    except UnusableHistory:
        walk.check_turns()
        raise
    walk.compare(hand)
    if wrong is not None:
        raise wrong
    if values is None:
        computed = _computed(hand, walk.mucked, doubt)
        notes = (f"{doubt}; those of cards and betting count",) if doubt else ()
        hand = replace(hand, record=replace(record, values=computed), notes=notes)
    usual = standard_fields(hand)
    rest = {
        key: value
        for key, value in fields.items()
        if key not in _OURS and (key not in usual or usual[key] != value)
    }
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
    if variant not in (NO_LIMIT, LIMIT):
        if isinstance(variant, str) and variant in _OTHER_GAMES:
            raise UnusableHistory(f"{_OTHER_GAMES[variant]} ({variant}); hold'em is read")
        raise UnusableHistory(f"no game of hold'em: variant {variant!r}")
    stacks = [_stack(stack, scale) for stack in _listed(fields, "starting_stacks")]
    blinds = [whole_chips(blind, scale) for blind in _listed(fields, "blinds_or_straddles")]
    antes = _listed(fields, "antes")
    if not len(stacks) == len(blinds) == len(antes):
        raise UnusableHistory("stacks, blinds and antes of different numbers of players")
    if any(antes):
        raise UnusableHistory("antes, which no game definition has")
    if len(blinds) == _HEADS_UP:
        blinds.reverse()
    raise_sizes: tuple[int, ...] = ()
    if variant == LIMIT:
        small, big = (whole_chips(fields.get(key), scale) for key in ("small_bet", "big_bet"))
        raise_sizes = (small, small, big, big)
    game = holdem_game(tuple(stacks), tuple(blinds), raise_sizes)
    noted_game = fields.get("_game")
    if isinstance(noted_game, str):
        named = parse_gamedef(noted_game)
        if (named.players, named.no_limit) == (game.players, game.no_limit):
            game = replace(named, stacks=game.stacks, blinds=game.blinds)
    return game


def _listed(fields: Mapping[str, Any], name: str, kind: type = object) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UnusableHistory(f"no list {name}" if value is None else f"{name} is not its list")
    return value


def _stack(value: object, scale: int) -> int:
    if isinstance(value, Decimal) and value == Decimal("inf"):
        return UNLIMITED_STACK
    return whole_chips(value, scale)


def _names(fields: Mapping[str, Any], players: int) -> tuple[str, ...]:
    """Return names as a log can have them; where there are none, what the actions call players."""
    names = [f"p{number}" for number in range(1, players + 1)]
    for key in ("players", "_names"):
        if key not in fields:
            continue
        given = _listed(fields, key, str)
        if len(given) != players:
            raise UnusableHistory(f"{len(given)} {key}, {players} stacks")
        if key == "_names":
            try:
                given = [
                    name.encode("latin-1").decode("utf-8", "surrogateescape") for name in given
                ]
            except UnicodeEncodeError:
                continue
        names = [_NAME_ENDS.sub("_", name) or old for name, old in zip(given, names, strict=True)]
    return tuple(names)


def _payoff_key(fields: Mapping[str, Any], game: GameDef) -> str:
    """Return the field that says what everybody won, if one does."""
    key = "finishing_stacks"
    return "winnings" if fields.get(key) is None or UNLIMITED_STACK in game.stacks else key


def _numbers(fields: Mapping[str, Any], key: str, players: int) -> list[int | Decimal]:
    given = _listed(fields, key)
    if len(given) != players or not all(isinstance(number, int | Decimal) for number in given):
        raise UnusableHistory(f"{key} are not {players} numbers")
    return given


def _doubt_of_winnings(
    fields: Mapping[str, Any], game: GameDef, walk: PhhActions, scale: int
) -> str:
    """Return why `winnings` say nothing: they cannot be true.  "" where they may be, or are none.

    What is missing of the pot may be rake, as long as it is a small part of it.  Stacks without an
    end have no finishing stacks: there `winnings` that divide the pot stand, whoever gets them.
    """
    key = _payoff_key(fields, game)
    if key != "winnings" or fields.get(key) is None:
        return ""
    won = [winnings * scale for winnings in _numbers(fields, key, game.players)]
    pot = sum(matched_chips(walk.spent))
    total = Decimal(sum(won))
    why = ""
    if total == pot and UNLIMITED_STACK in game.stacks:
        return ""
    if not total.is_finite() or min(won) < 0:
        why = "somebody collects less than nothing"
    elif any(won[player] for player in walk.folded):
        why = "somebody collects who folded"
    elif total - pot > _ROUNDING_CHIPS * game.players or total < _LEAST_PAID_SHARE * pot:
        paid, put = (decimal_text(Decimal(chips) / scale) for chips in (total, pot))
        why = f"they are {paid}, the pot is {put}"
    return why and f"the winnings are not known: {why}"


def _values(
    fields: Mapping[str, Any], game: GameDef, spent: Sequence[int], scale: int
) -> tuple[str, ...] | None:
    """Return what each position won, None where the file does not say."""
    key = _payoff_key(fields, game)
    bounds = game.stacks if key == "finishing_stacks" else matched_chips(spent)
    if fields.get(key) is None:
        return None
    given = _numbers(fields, key, game.players)
    values = [Decimal(amount) * scale - bound for amount, bound in zip(given, bounds, strict=True)]
    texts = tuple([decimal_text(value) for value in values])
    printed = fields.get("_values")
    if isinstance(printed, list) and list(texts) == [_plain_number(text) for text in printed]:
        return tuple(printed)
    surplus = sum(values, Decimal(0))
    if abs(surplus) > _ROUNDING_CHIPS * game.players:
        kind = "rake" if surplus < 0 else "chips from nowhere"
        raise UnusableHistory(
            f"{kind}: {decimal_text(Decimal(abs(surplus)) / scale)}, which no log can say"
        )
    return texts


def _plain_number(text: object) -> str | None:
    try:
        return decimal_text(Decimal(text)) if isinstance(text, str) and len(text) < 60 else None
    except ArithmeticError:
        return None


def _computed(hand: HandHistory, mucked: set[int], doubt: str) -> tuple[str, ...]:
    """Return what betting and cards say that each position won; who mucks wins nothing."""
    state, (holes, board) = hand.state, hand.cards
    gone = tuple([out or player in mucked for player, out in enumerate(state.folded)])
    unknown = any(not hole and not out for hole, out in zip(holes, gone, strict=True))
    if state.showdown and (all(gone) or (unknown and gone.count(False) > 1)):
        why = doubt or "no finishing_stacks"
        raise UnusableHistory(f"a showdown of unknown cards, and {why}")
    values = hand_values(state._replace(folded=gone), holes, board)
    return tuple([format_chips(value) for value in values])


def _stamp(fields: Mapping[str, Any]) -> str | None:
    """Return the unix time of a hand that has date and time in UTC."""
    noted_stamp = fields.get("_stamp")
    if isinstance(noted_stamp, str) and re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", noted_stamp):
        return noted_stamp
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
