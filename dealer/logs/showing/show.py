"""One hand as text for people: players, streets, actions, chips, result.

A hand is a list of steps, so that it can be printed whole or action by action.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from engine.console.output import printable
from engine.rules.positions import position_names
from engine.rules.pots import called
from engine.rules.state import HandState
from engine.showdown.evaluator import category, strength
from engine.showdown.hand_check import check_hand
from protocol.cards import CARD_TEXT
from protocol.gamedef import UNLIMITED_STACK
from protocol.handlog import format_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.handlogs.source.log_hands import LoggedHand
    from protocol.actions import Action
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown


_HOLDEM_STREETS: Final = ("preflop", "flop", "turn", "river")
_CATEGORIES: Final = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)


class ShownHand(NamedTuple):
    """A hand as text."""

    steps: list[list[str]]
    """Some lines each: the table, every action, the result."""
    right: bool
    """False if it has faults; the steps tell them."""


def hand_steps(hand: LoggedHand, palette: Palette) -> list[list[str]]:
    """Return the steps of `shown_hand`."""
    return shown_hand(hand, palette).steps


def shown_hand(hand: LoggedHand, palette: Palette) -> ShownHand:
    """Return a hand as text.

    One that breaks the rules is shown as it stands in the log, with what is wrong about it.
    """
    game, record = hand.game, hand.record
    report = check_hand(game, record, hidden=True)
    title = f"hand {record.hand_id}"
    head = palette.paint(title, "bold") + palette.paint(f"   {printable(hand.where)}", "dim")
    wrong = [palette.paint(f"  ! {printable(fault)}", "red") for fault in report.faults]
    if report.state is None or report.cards is None or len(record.names) != game.players:
        return ShownHand([["", head, printable(format_hand(record)), *wrong]], right=False)
    view = _HandText(hand, report.state, report.cards, palette)
    steps = [["", head, *view.table()], *view.actions(), [*view.result(), *wrong]]
    return ShownHand(steps, right=not wrong)


class _HandText:
    """The texts of one hand whose betting and cards are right."""

    def __init__(
        self, hand: LoggedHand, end: HandState, cards: CardsShown, palette: Palette
    ) -> None:
        self._game = hand.game
        self._record = hand.record
        self._end = end
        self._cards = cards
        self._palette = palette
        self._names = [printable(name) for name in hand.record.names]
        self._width = max(map(len, self._names))
        self._antes = len(set(hand.game.blinds)) == 1  # equal blinds are no bets

    def table(self) -> list[str]:
        """Return one line per position: name, place, stack, hole cards, blind."""
        game = self._game
        places = position_names(game)
        widest = max(map(len, places))
        stacks = [
            "unlimited" if chips == UNLIMITED_STACK else f"{chips:,}" for chips in game.stacks
        ]
        deepest = max(map(len, stacks))
        lines = []
        for position, name in enumerate(self._names):
            blind = game.blinds[position]
            hole = " ".join(map(self._palette.card, self._cards.holes[position]))
            lines.append(
                f"  {name:{self._width}}  {places[position]:{widest}}  "
                f"{stacks[position]:>{deepest}}  {hole}" + (f"  blind {blind}" if blind else "")
            )
        return lines

    def actions(self) -> list[list[str]]:
        """Return the lines of every action; a new street's come with its first action.

        What of a bet nobody called goes back behind the last one.
        """
        steps = []
        shown = -1
        gathered = self._game.blinds if self._antes else (0,) * self._game.players
        for state, action, after in self._end.steps():
            lines = []
            if state.street != shown:
                shown = state.street
                lines.append(self._street_line(state))
                gathered = state.spent if shown else gathered
            lines.append(self._action_line(state, action, after, gathered))
            steps.append(lines)
        if back := self._end.pot - self._pot:
            most = self._end.spent.index(max(self._end.spent))
            steps.append([self._line(most, f"takes back {back:,}", self._pot)])
        if self._end.street != shown and self._cards.board:
            steps.append([self._street_line(self._end)])
        return steps

    @property
    def _pot(self) -> int:
        """Chips that are won: those that were called."""
        return called(self._end.spent)

    def result(self) -> list[str]:
        """Return one line per position: what it showed and what it won."""
        lines = [self._palette.paint(f"pot {self._pot:,}", "bold")]
        for position, (name, value) in enumerate(
            zip(self._names, self._record.values, strict=True)
        ):
            colour = {"-": "red", "0": ""}.get(value[:1] if value != "0" else "0", "green")
            signed = value if value[:1] == "-" or value == "0" else f"+{value}"
            lines.append(
                f"  {name:{self._width}}  {self._palette.paint(f'{signed:>12}', colour)}"
                f"  {self._outcome(position)}".rstrip()
            )
        return lines

    def _outcome(self, position: int) -> str:
        if self._end.folded[position]:
            return self._palette.paint("folded", "dim")
        if not self._end.showdown:
            return ""
        hole = self._cards.holes[position]
        if not hole:
            return "not shown"
        cards = (*hole, *self._cards.board)
        return _CATEGORIES[category(strength(cards))]

    def _street_line(self, state: HandState) -> str:
        name = _street_name(self._game, state.street)
        board = self._cards.board[: self._game.board_seen(state.street)]
        cards = " ".join(map(self._palette.card, board))
        return f"{self._palette.paint(name, 'cyan', 'bold')}  {cards}".rstrip()

    def _action_line(
        self, state: HandState, action: Action, after: HandState, gathered: Sequence[int]
    ) -> str:
        """Return what was done; `gathered` is what positions had put in by the street's start."""
        actor = state.actor
        added = after.spent[actor] - state.spent[actor]
        if action.kind == "f":
            what = self._palette.paint("folds", "dim")
        elif action.kind == "c":
            what = f"calls {added:,}" if added else "checks"
        elif state.raises == 0 and (state.street > 0 or self._antes):
            what = self._palette.paint(f"bets {added:,}", "yellow")
        else:
            total = after.spent[actor] - gathered[actor]
            what = self._palette.paint(f"raises to {total:,}", "yellow")
        if after.spent[actor] == self._game.stacks[actor] and added:
            what += " all-in"
        return self._line(actor, what, after.pot if added else 0)

    def _line(self, position: int, what: str, pot: int) -> str:
        """Return a line about a position; a pot of 0 is not told."""
        pot_text = self._palette.paint(f"(pot {pot:,})", "dim") if pot else ""
        return f"  {self._names[position]:{self._width}}  {what}  {pot_text}".rstrip()


def _street_name(game: GameDef, street: int) -> str:
    if game.is_holdem:
        return _HOLDEM_STREETS[street]
    return f"street {street + 1}" if game.streets > 1 else "betting"


CHOICES: Final = ("auto", "always", "never")
_RESET: Final = "\x1b[0m"
_CODES: Final = {
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "blue": "\x1b[34m",
    "cyan": "\x1b[36m",
}
_SUIT_COLOURS_CDHS: Final = ("green", "blue", "red", "")


class Palette:
    """Paints text, or leaves it alone."""

    def __init__(self, *, on: bool) -> None:
        self._on = on

    @classmethod
    def chosen(cls, choice: str, stream: TextIO) -> Palette:
        """Return the palette for a choice among `CHOICES`.

        "auto" colours terminals that can, unless NO_COLOR is set (no-color.org).
        """
        if choice == "auto":
            able = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
            return cls(on=able and not os.environ.get("NO_COLOR"))
        return cls(on=choice == "always")

    def paint(self, text: str, *styles: str) -> str:
        """Return `text` in some styles ("bold", "dim" or a colour); "" is no style."""
        codes = "".join(_CODES[style] for style in styles if style)
        return f"{codes}{text}{_RESET}" if self._on and codes else text

    def card(self, card: int) -> str:
        """Return the text of a card in the colour of its suit."""
        return self.paint(CARD_TEXT[card], "bold", _SUIT_COLOURS_CDHS[card & 3])
