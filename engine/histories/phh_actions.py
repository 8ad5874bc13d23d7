"""The actions of a PHH hand as they come, in the words of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.errors import IllegalAction, UnusableHistory
from engine.rules.state import HandState
from protocol.betting import parse_actions
from protocol.gamedef import UNLIMITED_STACK

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory
    from protocol.gamedef import GameDef


def whole_chips(value: object, scale: int) -> int:
    """Return an amount of money in chips.

    Raises:
        UnusableHistory: it is none, or no whole number of chips.
    """
    if type(value) is int:
        chips: int | Decimal = value * scale
    elif isinstance(value, Decimal) and value.is_finite():
        chips = value * scale
    else:
        raise UnusableHistory(f"no number of chips: {value!r}")
    if chips != int(chips) or not 0 <= chips <= UNLIMITED_STACK:
        raise UnusableHistory(f"no number of chips: {value}")
    return int(chips)


@dataclass(slots=True)
class PhhActions:
    """Takes the actions of a hand one by one."""

    game: GameDef
    scale: int
    betting: list[str] = field(default_factory=list)
    actors: list[int] = field(default_factory=list)
    """Who acts, action by action."""
    raises: list[int] = field(default_factory=list)
    """Chips over the whole hand that each raise leads to."""
    folded: set[int] = field(default_factory=set)
    street_raises: list[int] = field(init=False)
    """Bets and raises by street."""
    spent: list[int] = field(init=False)
    _base: list[int] = field(init=False)
    """Chips spent before this street."""
    _to_match: int = field(init=False)
    _street: int = 0
    _holes: list[str] = field(init=False)
    _shown: dict[int, bool] = field(default_factory=dict)
    """Player that is said to show -> whether any of its cards are ever seen."""
    _board: str = ""

    def __post_init__(self) -> None:
        self.spent = list(self.game.blinds)
        self.street_raises = [0] * self.game.streets
        self._base = [0] * self.game.players
        self._to_match = max(self.game.blinds)
        self._holes = [""] * self.game.players

    def take(self, action: str, count: int) -> None:
        """Take the next action, the `count`-th."""
        parts = action.split()
        if "#" in parts:
            parts = parts[: parts.index("#")]
        match parts:
            case []:
                pass
            case ["d", "db", cards]:
                self._deal_board(cards)
            case ["d", "dh", who, cards]:
                self._holes[self._player(who, count)] += cards
            case [who, "cc"]:
                player = self._player(who, count)
                self.spent[player] = min(self._to_match, self.game.stacks[player])
                self._act(player, "c")
            case [who, "f"]:
                player = self._player(who, count)
                self.folded.add(player)
                self._act(player, "f")
            case [who, "cbr", amount]:
                self._raise(self._player(who, count), amount)
            case [who, "sm", *cards]:
                self._show(self._player(who, count), cards)
            case _:
                raise UnusableHistory(f"action {count}: {action[:40]!r} is none of hold'em")

    @property
    def mucked(self) -> set[int]:
        """Players that show no cards, or only unknown ones."""
        return {player for player, is_shown in self._shown.items() if not is_shown}

    def card_text(self) -> str:
        """Return the cards as a log has them; hole cards not wholly known are left out."""
        text = "|".join(["" if "?" in hole else hole for hole in self._holes])
        end = 0
        for street in range(self._street + 1):
            start, end = end, self.game.board_seen(street)
            text += ("/" if street else "") + self._board[2 * start : 2 * end]
        return text + self._board[2 * end :]

    def compare(self, hand: HandHistory) -> None:
        """Refuse the hand if others acted, or raised to other amounts, than its file says."""
        history = hand.state.history
        raised = iter(self.raises)
        for count, ((spot, action), actor) in enumerate(zip(history, self.actors, strict=True), 1):
            if spot.actor != actor:
                raise UnusableHistory(
                    f"p{actor + 1} acts where it is the turn of p{spot.actor + 1}"
                )
            if action.kind == "r" and not self.game.no_limit:
                after = history[count][0] if count < len(history) else hand.state
                amount = next(raised)
                if after.spent[actor] != amount:
                    raise UnusableHistory(
                        f"p{actor + 1} raises to {amount} chips, the limit is {after.spent[actor]}"
                    )

    def check_turns(self) -> None:
        """Refuse the hand if somebody acts whose turn it is not, or who may not do that."""
        state = HandState.start(self.game)
        actions = parse_actions("".join(self.betting))
        for action, actor in zip(actions, self.actors, strict=True):
            if state.actor != actor:
                turn = f"it is the turn of p{state.actor + 1}" if not state.over else "all is over"
                raise UnusableHistory(f"p{actor + 1} acts where {turn}")
            try:
                state = state.apply(action)
            except IllegalAction as error:
                raise UnusableHistory(f"p{actor + 1}: {error}") from error
        if not state.over:
            raise UnusableHistory(f"it ends where it is the turn of p{state.actor + 1}")

    def _player(self, word: str, count: int) -> int:
        number = word[1:]
        if word[:1] == "p" and number.isdecimal() and len(number) < 3:
            player = int(number) - 1
            if 0 <= player < self.game.players:
                return player
        raise UnusableHistory(f"action {count}: no player is called {word[:20]!r}")

    def _deal_board(self, cards: str) -> None:
        self._board += cards
        while self._street + 1 < self.game.streets and len(self._board) >= 2 * self.game.board_seen(
            self._street + 1
        ):
            self._street += 1
            self.betting.append("/")
            self._base = list(self.spent)

    def _act(self, player: int, text: str) -> None:
        dealt, due = len(self._board) // 2, self.game.board_seen(self._street)
        if dealt != due:
            raise UnusableHistory(f"p{player + 1} acts behind {dealt} board cards")
        self.actors.append(player)
        self.betting.append(text)

    def _raise(self, player: int, amount: str) -> None:
        try:
            added = whole_chips(Decimal(amount), self.scale)
        except ArithmeticError:
            raise UnusableHistory(f"no number of chips: {amount[:20]}") from None
        total = self._base[player] + added
        self.spent[player] = total
        self._to_match = max(self._to_match, total)
        self.raises.append(total)
        self.street_raises[self._street] += 1
        self._act(player, f"r{total}" if self.game.no_limit else "r")

    def _show(self, player: int, cards: Sequence[str]) -> None:
        is_shown = bool(cards) and set(cards[0]) != {"?"}
        self._shown[player] = is_shown or self._shown.get(player, False)
        if is_shown and cards[0] != "-":
            if "?" in self._holes[player] or not self._holes[player]:
                self._holes[player] = cards[0]
            elif "?" not in cards[0] and set(_split(cards[0])) != set(_split(self._holes[player])):
                raise UnusableHistory(f"p{player + 1} shows other cards than were dealt")


def _split(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]
