"""What `arena solve` is asked to do, as checked, plain values."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from engine.cfr.variants import VARIANTS
from engine.commands.minimiser_options import ADAPTIVE, choice_of, given
from engine.console.arguments import spelled_cards, whole_number
from engine.console.options import STDOUT
from protocol.cards import format_cards
from protocol.errors import MalformedCard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.betting.bet_menu import BetMenu
    from engine.cfr.adaptive_choice import AdaptiveChoice
    from engine.cfr.variants import Variant

_T = TypeVar("_T")

PROG: Final = "arena solve"
MOST_CHIPS: Final = 10**9
"""A pot and a stack of that size together fit the engine's 32-bit chips."""
AUTO: Final = "auto"
PLAYERS: Final = ("out of position", "in position")
_FLOP_CARDS: Final = 3
_RIVER_CARDS: Final = 5
_MOST_FILE_LETTERS: Final = 10**6


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """A spot to solve, and how far."""

    board: tuple[int, ...]
    pot: int
    """Chips in the middle, half of them from each player."""
    stack: int
    """Chips that each player has left and can win from the other."""
    big_blind: int
    """Smallest bet, in chips."""
    ranges: NDArray[np.float32]
    """(2, 1326) weights, out of position and in position; combos with board cards are 0."""
    bets: tuple[tuple[float, ...], ...]
    """Pot fractions of first bets, for each street that has its own."""
    raises: tuple[tuple[float, ...], ...]
    max_raises: int | None
    """Bets and raises on a street; None: without bound."""
    fits_raises: bool
    """Whether raises may be left out where more do not fit."""
    algorithm: str
    """A member of the CFR family, or `ADAPTIVE`."""
    choice: AdaptiveChoice | None
    """Among which minimisers, and how; None with one alone."""
    accuracy: float
    """Exploitability to reach, as a share of the pot."""
    iterations: int | None
    seconds: float | None
    threads: int
    storage: str | None
    """Precision of the tables; None: 16 bits where more do not fit."""
    memory_limit: int
    """Bytes."""
    asked: Mapping[str, str]
    """Betting as the options have it, by their names; those without a text are left out."""

    @property
    def street(self) -> int:
        """1 on the flop, 3 on the river."""
        return len(self.board) - 2

    @property
    def minimisers(self) -> tuple[Variant, ...]:
        """Return all that may run an iteration."""
        return (VARIANTS[self.algorithm],) if self.choice is None else self.choice.pool

    @property
    def identity(self) -> str:
        """Return the name of the kind of iteration: those of different kinds cannot be mixed."""
        return self.algorithm if self.choice is None else self.choice.text()

    def menu(self, max_raises: int) -> BetMenu:
        """Return the sizes to consider on every street, given how often one may raise."""
        from engine.betting.bet_menu import BetMenu, street_menu

        later = range(max(len(self.bets), len(self.raises)))
        menus = [
            street_menu(
                _of_street(self.bets, at), _of_street(self.raises, at), max_raises=max_raises
            )
            for at in later
        ]
        return BetMenu((menus[0],) * self.street + tuple(menus))


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Which part of a solution to print."""

    node: str
    """Betting from the root on, streets separated by "/"."""
    dealt: tuple[int, ...]
    """Board cards that came since the root."""
    hands: NDArray[np.bool_] | None
    """(1326,) combos to show; None shows all."""
    combos: bool
    """Whether every combo gets its own row instead of its starting hand."""
    json: Path | None = None
    """Where one JSON object goes: `STDOUT`, which is then printed instead of tables, or a file."""

    @property
    def as_json(self) -> bool:
        """Whether JSON is printed instead of tables."""
        return self.json == STDOUT


def request_of(options: argparse.Namespace) -> SolveRequest:
    """Return the spot that the options describe.

    Raises:
        ValueError: something is missing or makes no sense; the message names the option.
    """
    import numpy as np

    missing = [
        f"--{name}"
        for name in ("board", "pot", "stacks", "oop", "ip")
        if vars(options)[name] in (None, "")
    ]
    if missing:
        raise ValueError(f"missing: {', '.join(missing)}")
    board = cards_of("--board", options.board)
    if not _FLOP_CARDS <= len(board) <= _RIVER_CARDS:
        raise ValueError(f"--board {options.board}: want 3, 4 or 5 cards, not {len(board)}")
    if options.pot % 2:
        raise ValueError(f"--pot {options.pot}: want an even number, half from each player")
    stack = _stack(options.stacks)
    if options.big_blind > (chips := options.pot // 2 + stack):
        raise ValueError(
            f"--big-blind {options.big_blind}: want {chips} at most, all chips of a player"
        )
    return SolveRequest(
        board=board,
        pot=options.pot,
        stack=stack,
        big_blind=options.big_blind,
        ranges=np.stack([_live_range(f"--{name}", vars(options)[name], board) for name in _SIDES]),
        bets=_sizes("--bets", options.bets, board),
        raises=_sizes("--raises", options.raises, board),
        max_raises=None if options.max_raises == AUTO else options.max_raises,
        fits_raises=options.max_raises == AUTO,
        algorithm=options.algorithm,
        choice=_choice(options),
        accuracy=options.accuracy / 100,
        iterations=options.iterations,
        seconds=options.seconds,
        threads=options.threads,
        storage=None if options.storage == AUTO else options.storage,
        memory_limit=int(options.memory * 2**30),
        asked={
            name: str(value)
            for name in ("bets", "raises", "max-raises", "big-blind")
            if (value := vars(options)[name.replace("-", "_")]) is not None
        },
    )


_SIDES: Final = ("oop", "ip")


def _choice(options: argparse.Namespace) -> AdaptiveChoice | None:
    """Return how minimisers are chosen, None where there is one alone.

    Raises:
        ValueError: there is no such algorithm, or options of the choice have no effect here.
    """
    if options.algorithm == ADAPTIVE:
        return choice_of(options)
    if options.algorithm not in VARIANTS:
        names = ", ".join((ADAPTIVE, *VARIANTS))
        raise ValueError(f"--algorithm {options.algorithm!r}: there are {names}")
    if in_vain := given(options):
        raise ValueError(f"{in_vain[0]} is for --algorithm {ADAPTIVE}")
    return None


def look_of(options: argparse.Namespace) -> ReportSection:
    """Return what the options want to see.

    Raises:
        ValueError: cards or hands make no sense; the message names the option.
    """
    hands = None if options.hands is None else range_of("--hands", options.hands) > 0
    dealt = cards_of("--dealt", options.dealt)
    return ReportSection(options.node.strip(), dealt, hands, options.combos, options.json)


def range_of(option: str, text: str) -> NDArray[np.float32]:
    """Return the (1326,) float32 weights of a range that an option gives as text or @file.

    Raises:
        ValueError: the text is no range, or has no hands, or the file cannot be read.
    """
    from engine.hands.range_text import parse_range

    if text.startswith("@"):
        option = f"{option} {text}"
        try:
            with Path(text[1:]).open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_FILE_LETTERS + 1)
        except OSError as error:
            raise ValueError(f"{option}: {error.strerror or error}") from error
        if len(text) > _MOST_FILE_LETTERS:
            raise ValueError(f"{option}: too long for a range")
    weights = _named(option, parse_range, text)
    if not weights.any():
        raise ValueError(f"{option}: a range without hands")
    return weights


def cards_of(option: str, text: str) -> tuple[int, ...]:
    """Return the different cards that an option names.

    Raises:
        ValueError: some are no cards, or one is named twice.
    """
    try:
        cards = spelled_cards(text)
    except MalformedCard as error:
        raise ValueError(f"{option}: {error}, as KsJs7d is") from error
    twice = [card for number, card in enumerate(cards) if card in cards[:number]]
    if twice:
        raise ValueError(
            f"{option} {format_cards(cards)}: {format_cards(twice[:1])} is named twice"
        )
    return cards


def _live_range(option: str, text: str, board: tuple[int, ...]) -> NDArray[np.float32]:
    """Return a range without the combos that hold a card of the board."""
    from engine.hands.cards import card_bits, live_combos

    weights: NDArray[np.float32] = range_of(option, text) * live_combos(card_bits(board))
    if not weights.any():
        raise ValueError(f"{option}: every hand of it holds a card of {format_cards(board)}")
    return weights


def _sizes(option: str, text: str, board: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """Return the sizes of an option, for each street that is given its own."""
    from engine.betting.bet_menu import parse_sizes

    lists = text.split("/")
    streets = _RIVER_CARDS - len(board) + 1
    if len(lists) > streets:
        raise ValueError(f"{option} {text}: sizes for {len(lists)} streets, {streets} to come")
    return tuple(_named(option, parse_sizes, part) for part in lists)


def _of_street(sizes: tuple[tuple[float, ...], ...], street: int) -> tuple[float, ...]:
    return sizes[min(street, len(sizes) - 1)]


def _stack(text: str) -> int:
    number = whole_number(1, MOST_CHIPS)
    parts = text.split(",")
    if len(parts) > len(PLAYERS):
        raise ValueError(f"--stacks {text[:40]}: want one number, or two")
    try:
        return min(number(part.strip()) for part in parts)
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"--stacks: {error}") from error


def _named(option: str, parse: Callable[[str], _T], text: str) -> _T:
    """Return what `parse` makes of an option's text; its complaints name the option."""
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from error
