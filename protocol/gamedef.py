"""Game definition files <-> GameDef.

Line oriented.  A line whose first byte is "#" or that is empty is skipped, "end gamedef" ends the
definition.  Keys are compared without regard to case as a prefix at column 0; unknown lines are
ignored.  After a key, blanks and "=" are skipped before each number, and the first thing that is
no number ends the list (so commas do).  A repeated key overwrites.  Lines are cut into pieces of
4095 bytes, and a NUL byte ends a piece.

    key            values                                default
    limit/nolimit  flag                                  limit
    numPlayers     one, 2..10                            required
    numRounds      one, 1..4                             required
    stack          one per position, chips               2147483647 for every position
    blind          one per position, chips, <= stack     required
    raiseSize      one per street, chips                 required in limit games
    firstPlayer    one per street, 1..numPlayers         1
    maxRaises      one per street, 0..255                255
    numSuits       one, 1..4                             required
    numRanks       one, 1..13                            required
    numHoleCards   one, 1..3                             required
    numBoardCards  one per street, at most 7 in all      required
    dealtCards     cards per position, as "JsKs Qs"      the whole deck for every position

`dealtCards` is ours, for games that deal some cards to some positions only.  Each position gets its
hole cards out of its own list, drawn evenly; no card is in two lists.  The original, which ignores
lines that it does not know, deals such a game from the whole deck.

Source: the behaviour of the original dealer, recorded as tests/golden/test_gamedef_cases.py
checks.  Different on purpose: numbers that do not fit are refused where the original wraps them.
Every position has a default stack.  Too many raise sizes or board cards are errors where the
original writes over its own memory.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from protocol.cards import format_cards, parse_cards
from protocol.errors import GameDefError, MalformedCard

UNLIMITED_STACK: Final = 2147483647
"""A position whose stack the file leaves out has it; no stack is larger."""
UNLIMITED_RAISES: Final = 255
MAX_PLAYERS: Final = 10
MAX_STREETS: Final = 4
MAX_HOLE_CARDS: Final = 3
MAX_BOARD_CARDS: Final = 7

_MAX_SUITS: Final = 4
_MAX_RANKS: Final = 13
_HOLDEM_BOARD: Final = (0, 3, 1, 1)
_MAX_BYTE: Final = 255
_PIECE_BYTES: Final = 4095
_END: Final = b"end gamedef"
_DEALT: Final = "dealtCards"
GAME_KEYS: Final = (
    "numPlayers",
    "numRounds",
    "stack",
    "blind",
    "raiseSize",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
"""The original looks for these keys, each with numbers behind it."""
_KEYS: Final[tuple[tuple[bytes, str], ...]] = tuple(
    (key.lower().encode(), key) for key in GAME_KEYS
)
_NUMBER: Final = re.compile(rb"[ \t\n\v\f\r=]*+([+-]?[0-9]++)")
_BEYOND: Final = 10**18  # stands for every number that is larger still


@dataclass(frozen=True, slots=True)
class GameDef:
    """One game.  Positions and streets are 0-based; tuples are indexed by them.

    Made by `parse_gamedef`, which checks every field; the constructor trusts its arguments.
    """

    no_limit: bool
    players: int
    streets: int
    stacks: tuple[int, ...]
    """Chips per position at the start of every hand."""
    blinds: tuple[int, ...]
    """Chips per position put in before the first action."""
    raise_sizes: tuple[int, ...]
    """Chips a limit raise adds, per street; empty in a no-limit game that does not give them."""
    first_positions: tuple[int, ...]
    """Position that opens each street."""
    max_raises: tuple[int, ...]
    """Most bets and raises per street; `UNLIMITED_RAISES` where the file says nothing."""
    suits: int
    ranks: int
    hole_cards: int
    """Private cards per position."""
    board_cards: tuple[int, ...]
    """New board cards per street."""
    dealt_cards: tuple[tuple[int, ...], ...] = ()
    """The only cards that hole cards are drawn from, per position, in the deck's order; () where
    all are drawn from the whole deck."""

    big_blind: int = field(init=False, repr=False, compare=False)
    """Largest blind, chips; 1 in a game without blinds, so that it can be divided by."""
    board_total: int = field(init=False, repr=False, compare=False)
    """Board cards of all streets together."""
    cards_per_hand: int = field(init=False, repr=False, compare=False)
    """Cards dealt in one hand: all hole cards and the whole board."""
    deck: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The fresh deck: suit by suit, ranks ascending, of the highest suits and ranks."""
    _board_seen: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sums = tuple([sum(self.board_cards[: street + 1]) for street in range(self.streets)])
        deck = [
            rank * _MAX_SUITS + suit
            for suit in range(_MAX_SUITS - self.suits, _MAX_SUITS)
            for rank in range(_MAX_RANKS - self.ranks, _MAX_RANKS)
        ]
        put = object.__setattr__
        put(self, "big_blind", max(self.blinds) or 1)
        put(self, "board_total", sums[-1])
        put(self, "cards_per_hand", self.players * self.hole_cards + sums[-1])
        put(self, "deck", tuple(deck))
        put(self, "_board_seen", sums)

    @property
    def is_holdem(self) -> bool:
        """Whether this is hold'em: two of 52 cards each, a board of three, one and one more."""
        return self.begins_as_holdem and self.board_cards == _HOLDEM_BOARD

    @property
    def begins_as_holdem(self) -> bool:
        """Whether this is hold'em, or ends sooner: flop hold'em and turn hold'em of research."""
        deck = (self.suits, self.ranks, self.hole_cards, self.dealt_cards)
        board = _HOLDEM_BOARD[: len(self.board_cards)]
        return deck == (_MAX_SUITS, _MAX_RANKS, 2, ()) and self.board_cards == board

    def board_seen(self, street: int) -> int:
        """Return how many board cards lie open on `street` (0-based), earlier streets included."""
        return self._board_seen[street]


def parse_gamedef(text: str | bytes) -> GameDef:
    """Parse a game definition.

    Raises:
        GameDefError: the definition is incomplete or contradicts itself.  `message` is the text
            the original dealer prints, where it prints one.
    """
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return _check(_read(data))


def format_gamedef(game: GameDef) -> str:
    """Return the canonical definition: fixed order of keys, defaults left out.

    The same text as the original's own printer gives, plus the raise sizes of a no-limit game if
    it has any.  `parse_gamedef` gives the equal game back.
    """
    lines = [
        "GAMEDEF",
        "nolimit" if game.no_limit else "limit",
        f"numPlayers = {game.players}",
        f"numRounds = {game.streets}",
    ]
    if any(stack != UNLIMITED_STACK for stack in game.stacks):
        lines.append(_values("stack", game.stacks))
    lines.append(_values("blind", game.blinds))
    if game.raise_sizes:
        lines.append(_values("raiseSize", game.raise_sizes))
    if any(game.first_positions):
        lines.append(_values("firstPlayer", [first + 1 for first in game.first_positions]))
    if any(most != UNLIMITED_RAISES for most in game.max_raises):
        lines.append(_values("maxRaises", game.max_raises))
    lines += [
        f"numSuits = {game.suits}",
        f"numRanks = {game.ranks}",
        f"numHoleCards = {game.hole_cards}",
        _values("numBoardCards", game.board_cards),
    ]
    if game.dealt_cards:
        lines.append(f"{_DEALT} = " + " ".join(map(format_cards, game.dealt_cards)))
    lines.append("END GAMEDEF")
    return "\n".join(lines) + "\n"


def _values(key: str, values: Sequence[int]) -> str:
    return f"{key} = " + " ".join([str(value) for value in values])


@dataclass(slots=True)
class _Draft:
    """What a file says, numbers as written."""

    no_limit: bool = False
    values: dict[str, list[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    """Numbers read by the last line of a key: a short repetition does not count as complete."""
    line_numbers: dict[str, int] = field(default_factory=dict)
    dealt: list[str] = field(default_factory=list)
    """Cards per position."""

    def number(self, key: str) -> int:
        """Return the single value of `key`, 0 if there is none."""
        values = self.values.get(key)
        return values[0] if values else 0

    def listed(self, key: str, needed: int, named: str) -> list[int]:
        """Return the first `needed` values of `key`; GameDefError if there are fewer."""
        count = self.counts.get(key, 0)
        if count < needed:
            self.fail(key, f"only read {count} {named}, need {needed}")
        return self.values[key][:needed]

    def fail(self, key: str, message: str) -> None:
        raise GameDefError(message, self.line_numbers.get(key))


def _read(data: bytes) -> _Draft:
    draft = _Draft()
    for line_number, line in enumerate(data.split(b"\n"), start=1):
        for start in range(0, len(line), _PIECE_BYTES):
            piece = line[start : start + _PIECE_BYTES].partition(b"\0")[0]
            if not _read_piece(draft, piece, line_number):
                return draft
    return draft


def _read_piece(draft: _Draft, piece: bytes, line_number: int) -> bool:
    """Take one piece of a line into `draft`; False if it ends the definition."""
    folded = piece[:16].lower()
    if folded.startswith(b"#"):
        return True
    if folded.startswith(_END):
        return False
    if folded.startswith(b"limit"):
        draft.no_limit = False
    elif folded.startswith(b"nolimit"):
        draft.no_limit = True
    for prefix, key in _KEYS:
        if folded.startswith(prefix):
            numbers = _scan_numbers(piece, len(prefix))
            draft.values[key] = numbers + draft.values.get(key, [])[len(numbers) :]
            draft.counts[key] = len(numbers)
            draft.line_numbers[key] = line_number
    if folded.startswith(_DEALT.lower().encode()):
        rest = piece[len(_DEALT) :].decode("ascii", "replace")
        draft.dealt = rest.replace("=", " ", 1).split()
        draft.line_numbers[_DEALT] = line_number
    return True


def _scan_numbers(piece: bytes, position: int) -> list[int]:
    numbers = []
    while (match := _NUMBER.match(piece, position)) is not None:
        position = match.end()
        digits = match[1]
        if len(digits) < len(str(_BEYOND)):
            numbers.append(int(digits))
        else:  # a long run of zeros may still be a small number
            magnitude = digits.lstrip(b"+-").lstrip(b"0") or b"0"
            value = min(int(magnitude[:20]), _BEYOND) if len(magnitude) <= 20 else _BEYOND
            numbers.append(-value if digits.startswith(b"-") else value)
    return numbers


def _check(draft: _Draft) -> GameDef:
    """Turn a draft into a game; the order of the checks is the original's."""
    streets = _single(draft, "numRounds", 1, MAX_STREETS, "rounds")
    players = _single(draft, "numPlayers", 2, MAX_PLAYERS, "players")
    stacks, blinds = _check_chips(draft, players)
    raise_sizes = _check_raise_sizes(draft, streets)
    first_positions = _check_first_positions(draft, streets, players)
    max_raises = _check_max_raises(draft, streets)
    suits = _single(draft, "numSuits", 1, _MAX_SUITS, "suits")
    ranks = _single(draft, "numRanks", 1, _MAX_RANKS, "ranks")
    hole_cards = _single(draft, "numHoleCards", 1, MAX_HOLE_CARDS, "hole cards")
    board_cards = draft.listed("numBoardCards", streets, "board card numbers")
    for street, cards in enumerate(board_cards):
        if not 0 <= cards <= _MAX_BYTE:
            draft.fail(
                "numBoardCards", f"invalid number of board cards {cards} on round {street + 1}"
            )
    if players * hole_cards + sum(board_cards) > suits * ranks:
        raise GameDefError("too many hole and board cards for specified deck")
    if sum(board_cards) > MAX_BOARD_CARDS:
        draft.fail(
            "numBoardCards", f"too many board cards: {sum(board_cards)}, at most {MAX_BOARD_CARDS}"
        )
    game = GameDef(
        no_limit=draft.no_limit,
        players=players,
        streets=streets,
        stacks=stacks,
        blinds=blinds,
        raise_sizes=raise_sizes,
        first_positions=first_positions,
        max_raises=max_raises,
        suits=suits,
        ranks=ranks,
        hole_cards=hole_cards,
        board_cards=tuple(board_cards),
    )
    return (
        replace(game, dealt_cards=_check_dealt(draft, game))
        if _DEALT in draft.line_numbers
        else game
    )


def _check_dealt(draft: _Draft, game: GameDef) -> tuple[tuple[int, ...], ...]:
    """Return the cards that each position gets its hole cards from."""
    if len(draft.dealt) != game.players:
        draft.fail(_DEALT, f"cards dealt to {len(draft.dealt)} players, need {game.players}")
    dealt_cards: list[tuple[int, ...]] = []
    for player, text in enumerate(draft.dealt, start=1):
        try:
            cards = parse_cards(text)
        except MalformedCard:
            draft.fail(_DEALT, f"cards dealt to player {player} are no cards: {text[:40]}")
        if not set(cards) <= set(game.deck) or len(set(cards)) < len(cards):
            draft.fail(
                _DEALT, f"cards dealt to player {player} are not once in the deck: {text[:40]}"
            )
        if len(cards) < game.hole_cards:
            draft.fail(
                _DEALT, f"only {len(cards)} cards dealt to player {player}, need {game.hole_cards}"
            )
        dealt_cards.append(tuple(card for card in game.deck if card in cards))
    every = [card for cards in dealt_cards for card in cards]
    if len(set(every)) < len(every):
        draft.fail(_DEALT, "a card is dealt to two players")
    return tuple(dealt_cards)


def _single(draft: _Draft, key: str, least: int, most: int, named: str) -> int:
    value = draft.number(key)
    if not least <= value <= most:
        draft.fail(key, f"invalid number of {named}: {value}")
    return value


def _check_chips(draft: _Draft, players: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    stacks = [UNLIMITED_STACK] * players
    if "stack" in draft.counts:
        stacks = draft.listed("stack", players, "stack sizes")
    blinds = draft.listed("blind", players, "blinds")
    for player, stack in enumerate(stacks, start=1):
        if not 0 <= stack <= UNLIMITED_STACK:
            draft.fail("stack", f"stack of player {player} is out of range: {stack}")
    for player, (blind, stack) in enumerate(zip(blinds, stacks, strict=True), start=1):
        if blind > stack:
            draft.fail("blind", f"blind for player {player} is greater than stack size")
        if blind < 0:
            draft.fail("blind", f"blind for player {player} is negative: {blind}")
    return tuple(stacks), tuple(blinds)


def _check_raise_sizes(draft: _Draft, streets: int) -> tuple[int, ...]:
    if not draft.no_limit:
        draft.listed("raiseSize", streets, "raise sizes")
    count = draft.counts.get("raiseSize", 0)
    if count > streets:
        draft.fail("raiseSize", f"read {count} raise sizes, but there are only {streets} rounds")
    sizes = draft.values.get("raiseSize", [])[:count]
    for street, size in enumerate(sizes):
        if not 0 <= size <= UNLIMITED_STACK:
            draft.fail("raiseSize", f"raise size on round {street + 1} is out of range: {size}")
    return tuple(sizes)


def _check_first_positions(draft: _Draft, streets: int, players: int) -> tuple[int, ...]:
    given = draft.values.get("firstPlayer", [])[:streets]
    first_players = given + [1] * (streets - len(given))
    for street, first in enumerate(first_players):
        if not 1 <= first <= players:
            draft.fail("firstPlayer", f"invalid first player {first} on round {street + 1}")
    return tuple([first - 1 for first in first_players])


def _check_max_raises(draft: _Draft, streets: int) -> tuple[int, ...]:
    given = draft.values.get("maxRaises", [])[:streets]
    for street, most in enumerate(given):
        if not 0 <= most <= _MAX_BYTE:
            draft.fail(
                "maxRaises", f"invalid maximum number of raises {most} on round {street + 1}"
            )
    return tuple(given + [UNLIMITED_RAISES] * (streets - len(given)))
