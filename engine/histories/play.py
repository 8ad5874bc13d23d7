"""What players do at a table of hold'em, action by action -> a hand.

Readers of formats that tell actions give them to a `Play` in chips of the game, then what the file
says of payoffs; `played_hand` refuses what does not fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from operator import gt
from typing import TYPE_CHECKING, Any, Final

from engine.errors import IllegalAction, UnusableHistory
from engine.histories.hand import HandFields, decimal_text, settled_hand
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values
from protocol.betting import parse_actions
from protocol.gamedef import MAX_PLAYERS, UNLIMITED_RAISES, UNLIMITED_STACK, GameDef
from protocol.handlog import HandRecord, format_chips

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory

_STREETS: Final = 4
_LIMIT_RAISES: Final = (3, 4, 4, 4)
"""A street has four bets; the big blind is the first one of the first."""
_ROUNDING_CHIPS: Final = Decimal("0.000001")
"""What a log prints of a share of a pot is so far from it at most."""
_LEAST_PAID_SHARE: Final = Decimal("0.8")
"""No house takes more than a fifth of a pot."""
_MONEY_SCALE: Final = 100


@lru_cache(maxsize=1024)
def holdem_game(
    stacks: tuple[int, ...], blinds: tuple[int, ...], raise_sizes: tuple[int, ...] = ()
) -> GameDef:
    """Return a game of hold'em; positions are those of a log.

    Position 0 is the first to act after the flop, the last one has the button.  The position
    behind the largest blind opens the hand; of two players that is the button.

    Args:
        stacks: chips by position.
        blinds: chips by position, straddles among them.
        raise_sizes: of limit games, by street; () is no-limit.

    Raises:
        UnusableHistory: a game definition cannot say this.
    """
    players = len(stacks)
    if not 2 <= players <= MAX_PLAYERS:
        raise UnusableHistory(f"{players} players; a game is of 2 to {MAX_PLAYERS}")
    largest = max(blinds)
    if largest <= 0:
        raise UnusableHistory("nobody posts a blind")
    for stack, blind in zip(stacks, blinds, strict=True):
        if not 0 < stack <= UNLIMITED_STACK or not 0 <= blind <= stack:
            raise UnusableHistory(f"no stack of {stack} plays with a blind of {blind}")
    opener = max(index for index, blind in enumerate(blinds) if blind == largest) + 1
    return GameDef(
        no_limit=not raise_sizes,
        players=players,
        streets=_STREETS,
        stacks=stacks,
        blinds=blinds,
        raise_sizes=raise_sizes,
        first_positions=(opener % players, 0, 0, 0),
        max_raises=_LIMIT_RAISES if raise_sizes else (UNLIMITED_RAISES,) * _STREETS,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
    )


def money_scale(amounts: Sequence[object], places: int = 0) -> int:
    """Return how many chips a unit of money must be for amounts to be whole.

    Args:
        amounts: in money; what is no number is passed over.
        places: decimals that others have.
    """
    places = max([places, *map(_places, amounts)])
    return max(_MONEY_SCALE, 10**places) if places else 1


def _places(amount: object) -> int:
    if not isinstance(amount, Decimal) or not amount.is_finite():
        return 0
    return max(0, -int(amount.as_tuple().exponent))


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


def matched_chips(spent: Sequence[int]) -> list[int]:
    """Return the chips of each position that are in the pot: what nobody matched goes back."""
    most = sorted(spent)[-2]
    return [min(chips, most) for chips in spent]


@dataclass(slots=True)
class Play:
    """Takes the actions of a hand one by one; chips are those of the game."""

    game: GameDef
    betting: list[str] = field(default_factory=list)
    """As a log has it."""
    actors: list[int] = field(default_factory=list)
    """Who acts, action by action."""
    raises: list[int] = field(default_factory=list)
    """Chips over the whole hand that each raise leads to."""
    folded: set[int] = field(default_factory=set)
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
        self._base = [0] * self.game.players
        self._to_match = max(self.game.blinds)
        self._holes = [""] * self.game.players

    def hold(self, player: int, cards: str) -> None:
        """Deal hole cards."""
        self._holes[player] += cards

    def deal(self, cards: str) -> None:
        """Deal cards to the board; those of a street begin it."""
        self._board += cards
        while self._street + 1 < self.game.streets and len(self._board) >= 2 * self.game.board_seen(
            self._street + 1
        ):
            self._street += 1
            self.betting.append("/")
            self._base = list(self.spent)

    def fold(self, player: int) -> None:
        """Fold."""
        self.folded.add(player)
        self._act(player, "f")

    def call(self, player: int) -> None:
        """Call or check."""
        self.spent[player] = min(self._to_match, self.game.stacks[player])
        self._act(player, "c")

    def raise_to(self, player: int, chips: int) -> None:
        """Bet or raise to chips within the street."""
        total = self._base[player] + chips
        self.spent[player] = total
        self._to_match = max(self._to_match, total)
        self.raises.append(total)
        self._act(player, f"r{total}" if self.game.no_limit else "r")

    def _act(self, player: int, text: str) -> None:
        dealt, due = len(self._board) // 2, self.game.board_seen(self._street)
        if dealt != due:
            raise UnusableHistory(f"p{player + 1} acts behind {dealt} board cards")
        self.actors.append(player)
        self.betting.append(text)

    def show(self, player: int, cards: str) -> None:
        """Show hole cards, "" or question marks for none, "-" for those that were dealt."""
        is_shown = bool(cards) and set(cards) != {"?"}
        self._shown[player] = is_shown or self._shown.get(player, False)
        if is_shown and cards != "-":
            if "?" in self._holes[player] or not self._holes[player]:
                self._holes[player] = cards
            elif "?" not in cards and set(_split(cards)) != set(_split(self._holes[player])):
                raise UnusableHistory(f"p{player + 1} shows other cards than were dealt")

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
        raised = iter(self.raises)
        for (spot, action, after), actor in zip(hand.state.steps(), self.actors, strict=True):
            if spot.actor != actor:
                raise UnusableHistory(
                    f"p{actor + 1} acts where it is the turn of p{spot.actor + 1}"
                )
            if action.kind == "r" and (amount := next(raised)) != after.spent[actor]:
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


def _split(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


@dataclass(frozen=True, slots=True)
class FilePayoffs:
    """What a file says that the positions get."""

    values: tuple[str, ...] | None = None
    """Chips won; None where the file does not say."""
    doubt: str = ""
    """Why what it says is nothing: it cannot be true."""


def played_hand(
    play: Play,
    record: HandRecord,
    paid_out: Callable[[], FilePayoffs],
    line: int,
    scale: int,
) -> HandHistory:
    """Return the hand that was played, without fields.

    Args:
        play: all that was done.
        record: number, names and time stamp; the rest of it is not looked at.
        paid_out: says the payoffs or raises; what is wrong with the play goes first.
        line: where the hand begins in its file.
        scale: chips for one unit of the file's money.

    Raises:
        UnusableHistory: it contradicts the rules or itself.
        ProtocolError: it holds cards that are none.
    """
    game, betting = play.game, "".join(play.betting)
    raises = [street.count("r") for street in betting.split("/")]
    if any(map(gt, raises, game.max_raises)):
        # A house's own rule
        game = replace(game, max_raises=(UNLIMITED_RAISES,) * game.streets)
    wrong, paid = None, FilePayoffs()
    try:
        paid = paid_out()
    except UnusableHistory as error:
        wrong = error
    record = replace(
        record,
        betting=betting,
        cards=play.card_text(),
        values=paid.values or ("0",) * game.players,
    )
    try:
        hand = settled_hand(game, record, line, HandFields(), scale)
    except UnusableHistory:
        play.check_turns()
        raise
    play.compare(hand)
    if wrong is not None:
        raise wrong
    if paid.values is None:
        computed = _computed(hand, play.mucked, paid.doubt)
        notes = (f"{paid.doubt}; those of cards and betting count",) if paid.doubt else ()
        hand = replace(hand, record=replace(record, values=computed), notes=notes)
    return hand


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


def collected_payoffs(
    play: Play, winnings: Sequence[int | Decimal], printed: object, scale: int
) -> FilePayoffs:
    """Return payoffs of players that collect so much of the pot, in the money of the file.

    What is missing of the pot may be rake, as long as it is a small part of it.  Stacks without an
    end have no finishing stacks: there `winnings` that divide the pot stand, whoever gets them.

    Raises:
        UnusableHistory: chips are missing.
    """
    won = [amount * scale for amount in winnings]
    matched = matched_chips(play.spent)
    pot, total = sum(matched), Decimal(sum(won))
    why = ""
    if total != pot or UNLIMITED_STACK not in play.game.stacks:
        if not total.is_finite() or min(won) < 0:
            why = "somebody collects less than nothing"
        elif any(won[player] for player in play.folded):
            why = "somebody collects who folded"
        elif total - pot > _ROUNDING_CHIPS * play.game.players or total < _LEAST_PAID_SHARE * pot:
            paid, put = (decimal_text(Decimal(chips) / scale) for chips in (total, pot))
            why = f"they are {paid}, the pot is {put}"
    if why:
        return FilePayoffs(doubt=f"the winnings are not known: {why}")
    values = [Decimal(amount) - chips for amount, chips in zip(won, matched, strict=True)]
    return whole_payoffs(values, printed, scale)


def whole_payoffs(values: Sequence[Decimal], printed: object, scale: int) -> FilePayoffs:
    """Return payoffs of chips that are together nothing.

    Args:
        values: chips won by position.
        printed: their texts, if the file has them besides; those of the same values hold.
        scale: chips for one unit of the money.

    Raises:
        UnusableHistory: they are less, as where a house takes rake, or more.
    """
    texts = tuple([decimal_text(value) for value in values])
    if isinstance(printed, list) and list(texts) == [_plain_number(text) for text in printed]:
        return FilePayoffs(tuple(printed))
    surplus = sum(values, Decimal(0))
    if abs(surplus) > _ROUNDING_CHIPS * len(values):
        kind = "rake" if surplus < 0 else "chips from nowhere"
        raise UnusableHistory(
            f"{kind}: {decimal_text(Decimal(abs(surplus)) / scale)}, which no log can say"
        )
    return FilePayoffs(texts)


def _plain_number(text: Any) -> str | None:
    try:
        return decimal_text(Decimal(text)) if isinstance(text, str) and len(text) < 60 else None
    except ArithmeticError:
        return None
