"""Which logs and which of their hands a command takes: options of all commands, and the choice."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import real_number
from engine.console.command import Option, OptionGroup
from engine.errors import EngineError
from engine.rules.positions import position_names
from protocol.errors import GameDefError, ProtocolError

if TYPE_CHECKING:
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

_STREETS: Final = ("preflop", "flop", "turn", "river")
_RANGE: Final = re.compile(r"([0-9]{1,10})(?:-([0-9]{1,10}))?")
_MOST_RANGES: Final = 1000
_OUTCOME_OPTIONS: Final = ("won", "lost", "street", "showdown", "pot", "off_menu")
_chips: Final = real_number(lambda value: 0 <= value < 1e9, "{}: want big blinds, 0 or more")


class HandFilter:
    """Chooses hands, and counts those it leaves out.  Without options all hands pass."""

    def __init__(self, options: argparse.Namespace, rename: Callable[[str], str] = str) -> None:
        """Take the options of `FILTERS`; `rename` turns a name in a log into a player."""
        self._wanted = {name: getattr(options, name) for name in (*_WHO, *_OUTCOME_OPTIONS)}
        self._rename = rename
        self.hands = 0
        """Hands looked at."""
        self.left_out = 0

    @property
    def chosen(self) -> dict[str, Any]:
        """The options given, by name."""
        return {name: value for name, value in self._wanted.items() if value is not None}

    @property
    def bias(self) -> str | None:
        """What win rates of these hands are not, if they are no fair sample."""
        if not set(_OUTCOME_OPTIONS).isdisjoint(self.chosen):
            return "hands are chosen by what happened in them"
        if {"player", "position"} <= set(self.chosen):
            return "hands are chosen by the player's position"
        return None

    def __bool__(self) -> bool:
        """Return whether any option is given."""
        return bool(self.chosen)

    def passes(self, game: GameDef, record: HandRecord) -> bool:
        """Return whether a hand is taken; one that breaks the rules is, so that others tell it."""
        self.hands += 1
        passed = self._passes(game, record)
        self.left_out += not passed
        return passed

    @property
    def asked(self) -> str:
        """ " as asked" where hands are chosen, for messages that there is none."""
        return " as asked" if self else ""

    @property
    def player(self) -> str | None:
        """Whose hands are wanted; None: everybody's."""
        player: str | None = self._wanted["player"]
        return player

    @property
    def by_number_only(self) -> bool:
        """Whether the hands were named."""
        return set(self.chosen) == {"hands"}

    def left_out_lines(self) -> list[str]:
        """Return how many hands were left out, if any were."""
        line = f"{self.left_out:,} of {self.hands:,} hands left out as asked"
        return [line] * (self.left_out > 0)

    def report_lines(self) -> list[str]:
        """Return what the user of win rates must know of the hands left out."""
        lines = self.left_out_lines()
        if self.bias:
            lines.append(f"{self.bias}: win rates are those of these hands, not of the players")
        return lines

    def facts(self) -> dict[str, Any]:
        """Return the same for JSON."""
        options = self.chosen
        if "hands" in options:
            options["hands"] = [[part.start, part.stop - 1] for part in options["hands"]]
        return {
            **options,
            "bias": self.bias,
            "left_out": self.left_out,
            "of": self.hands,
        }

    def _passes(self, game: GameDef, record: HandRecord) -> bool:
        from engine.showdown.hand_check import game_of_hand

        wanted = self._wanted
        hands = wanted["hands"]
        if hands is not None and not any(record.hand_id in part for part in hands):
            return False
        try:
            game = game_of_hand(game, record)
        except GameDefError:
            return True
        if len(record.names) != game.players:
            return True
        seats = self._seats(game, record)
        if not seats:
            return False
        won = [float(record.values[seat]) / game.big_blind for seat in seats]
        if wanted["won"] is not None and max(won) < wanted["won"]:
            return False
        if wanted["lost"] is not None and -min(won) < wanted["lost"]:
            return False
        if wanted["street"] is not None and record.betting.count("/") < wanted["street"]:
            return False
        shown = record.betting.count("f") < game.players - 1
        if wanted["showdown"] is not None and shown != wanted["showdown"]:
            return False
        return self._betting_passes(game, record, seats)

    def _seats(self, game: GameDef, record: HandRecord) -> list[int]:
        """Return the positions that the options are about."""
        player, position = self._wanted["player"], self._wanted["position"]
        places = position_names(game)
        return [
            seat
            for seat, name in enumerate(record.names)
            if (player is None or self._rename(name) == player)
            and (position is None or places[seat] == position)
        ]

    def _betting_passes(self, game: GameDef, record: HandRecord, seats: Sequence[int]) -> bool:
        pot, menu = self._wanted["pot"], self._wanted["off_menu"]
        if pot is None and menu is None:
            return True
        from engine.rules.pots import called
        from engine.rules.view import state_of_betting

        try:
            state = state_of_betting(game, record.betting)
        except (EngineError, ProtocolError):
            return True
        if pot is not None and called(state.spent) < pot * game.big_blind:
            return False
        return menu is None or any(
            spot.actor in seats and action.kind == "r" and _is_off_menu(spot, after, menu)
            for spot, action, after in state.steps()
        )


def _is_off_menu(state: HandState, after: HandState, menu: Sequence[float]) -> bool:
    """Return whether a bet or raise is no fraction of the pot in `menu`, nor the least or all."""
    from engine.betting.translation import pot_fraction

    legal = state.raise_range()
    raised_to = after.spent[state.actor]
    if legal is None or raised_to in legal:
        return False
    chip = 1 / (state.pot + state.to_call)
    share = pot_fraction(state, raised_to)
    return all(abs(share - part) >= chip for part in menu)


_WHO: Final = ("player", "position", "hands")


def hand_numbers(text: str) -> tuple[range, ...]:
    """Return the hand numbers of a list such as 1,5,20-30.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    parts = text.split(",")
    matches = [_RANGE.fullmatch(part.strip()) for part in parts[:_MOST_RANGES]]
    spans = [(int(match[1]), int(match[2] or match[1])) for match in matches if match is not None]
    if len(spans) < len(parts) or any(last < first for first, last in spans):
        raise argparse.ArgumentTypeError(f"{text[:40]}: want hand numbers such as 1,5,20-30")
    return tuple(range(first, last + 1) for first, last in spans)


def _street(text: str) -> int:
    word = text.lower()
    if word in _STREETS:
        return _STREETS.index(word)
    if not re.fullmatch("[1-4]", word):
        raise argparse.ArgumentTypeError(f"{text}: want preflop, flop, turn, river or 1 to 4")
    return int(word) - 1


def _menu(text: str) -> tuple[float, ...]:
    try:
        sizes = tuple(float(part) for part in text.split(","))
    except ValueError:
        sizes = ()
    if not sizes or not all(0 < size < 1e6 for size in sizes):
        raise argparse.ArgumentTypeError(f"{text}: want shares of the pot such as 0.5,1")
    return sizes


FILTERS: Final = OptionGroup(
    "hands to take",
    (
        Option("--hands --hand LIST", "hand numbers: 1,5,20-30", hand_numbers),
        Option("--player NAME", "hands that NAME played"),
        Option("--position POS", "... in this position: SB, BB, BTN, P1", str.upper),
        *(
            Option(
                f"--{what} BB",
                f"hands in which the player, or anybody, {what} at least so many big blinds",
                _chips,
            )
            for what in ("won", "lost")
        ),
        Option("--street STREET", "hands that came to flop, turn, river, 2", _street),
        Option(
            "--showdown",
            "hands with a showdown, or without one",
            action=argparse.BooleanOptionalAction,
        ),
        Option("--pot BB", "hands with at least so many big blinds in the pot", _chips),
        Option(
            "--off-menu SIZES",
            "hands in which the player, or anybody, bet another share of the pot than these, such "
            "as 0.5,1; the least raise and all-in are on each menu",
            _menu,
        ),
    ),
    "all that are given must be true of a hand",
)


def logs_options(
    what: str = "match logs", *, needed: bool = True, game: str = "the game the logs are about"
) -> tuple[Option, Option]:
    """Return LOG and --game, for `logs_in` and `game_from_argument` of `engine.handlogs.source`.

    Args:
        what: is done with the logs, or what they are, for the help.
        needed: whether there must be one.
        game: the help of --game.
    """
    text = f"{what}; of a folder, those of its match or tournament, else all *.log in it"
    spelling = "LOG|FOLDER..." if needed else "[LOG|FOLDER...]"
    return Option(spelling, text, dest="logs"), Option("--game NAME|FILE", game)
