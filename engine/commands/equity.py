"""`arena equity RANGE [RANGE...]`: what share of the pot hands and ranges win at the showdown.

`--preflop` shows how good starting hands are instead, by one of three measures.

Two ranges, or any number of known hands, are counted exactly unless samples are asked for; more
than two ranges are sampled.

Exit codes: 0 fine, 1 an unwritable stdout or a damaged table of this program, 2 wrong arguments,
130 interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.console.arguments import spelled_cards, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.output import say, tell
from engine.console.progress import LivingLine
from engine.console.quantities import percent
from engine.console.text_table import aligned
from engine.errors import ArtifactMismatch
from protocol.cards import format_cards
from protocol.errors import MalformedCard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.equity.equity import Equity

PROG: Final = "arena equity"
EVERYTHING: Final = "random"
DEFAULT_SAMPLES: Final = 1_000_000
_MEASURES: Final = ("equity", "sklansky", "chen")
"""It equals `engine.equity.preflop_measures.MEASURES`, without importing numpy."""
_MOST_RANGE_LETTERS: Final = 40

DESCRIPTION: Final = """\
Print what share of the pot hands and ranges win when all cards come: exactly for two ranges and
for known hands, from random deals for more than two ranges."""

EPILOG: Final = """\
ranges:
  QQ+ AKs AKo AK 77-55 A5s-A2s A5s+ JTs-76s AhKh 20% random, joined by commas; AKs:0.5 has half
  the weight, of several the last one counts; 20% are the hands that do best against a random one.
  One range alone plays against a random hand.

examples:
  arena equity AA                                        against a random hand, before the flop
  arena equity AhKh QQ+,AKs --board Ts9s2d
  arena equity AhKh QQ+,AKs --board Ts9s2d --potential   and what the next cards may change
  arena equity AsAd KsKd 7h6h                            three known hands
  arena equity AA KK,QQ 76s+ --samples 5000000 --seed 1
  arena equity --preflop chen                            Chen's points of all starting hands
  arena equity --preflop sklansky AKs 77                 Sklansky's groups of two of them
"""


def _print(options: argparse.Namespace) -> int:
    try:
        lines = _answer(options)
    except ArtifactMismatch:
        raise
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    for line in lines:
        say(line)
    return 0


def _answer(options: argparse.Namespace) -> list[str]:
    """Return what to print.

    Raises:
        ValueError: the arguments make no sense together.
    """
    if options.preflop is not None:
        return _preflop_lines(options)
    if not options.ranges:
        raise ValueError("name a hand or a range, or --preflop")
    board = _board(options.board)
    texts = options.ranges if len(options.ranges) > 1 else [*options.ranges, EVERYTHING]
    ranges = [_range(text, board) for text in texts]
    if options.potential and (
        len(ranges) != 2 or _held(ranges[0]) != 1 or len(board) not in (3, 4)
    ):
        raise ValueError("--potential wants one hand against one range, on the flop or the turn")
    _refuse_shared_cards(ranges)
    with LivingLine() as line:
        equities = _equities(ranges, board, options, line)
        below = _potential_lines(ranges, board, texts) if options.potential else []
    where = f"on {format_cards(board)}" if board else "before the flop"
    how = f"exact, {equities[0].boards:,} board{'s' * (equities[0].boards > 1)}"
    if not equities[0].exact:
        how = f"{equities[0].boards:,} random deals, seed {options.seed}"
    elif any(_held(range_) > 1 for range_ in ranges):
        how += " for each pair of hands"
    return [f"{where}; {how}", *_equity_lines(texts, equities), *below]


def _preflop_lines(options: argparse.Namespace) -> list[str]:
    """Return the starting hands of the ranges by a measure, or the chart of all of them."""
    import numpy as np

    from engine.equity.preflop_measures import EQUITY, preflop_percentiles, preflop_values
    from engine.hands.starting_hands import (
        CHART_RANKS,
        COMBO_STARTING_HAND,
        STARTING_HAND_NAMES,
    )

    if options.board or options.potential or options.samples is not None:
        raise ValueError("--preflop goes without --board, --potential and --samples")
    values = preflop_values(options.preflop).tolist()
    texts = [
        f"{100 * value:.1f}" if options.preflop == EQUITY else f"{value:.0f}" for value in values
    ]
    if not options.ranges:
        side = len(CHART_RANKS)
        rows = [texts[first : first + side] for first in range(0, len(texts), side)]
        chart = [(rank, *row) for rank, row in zip(CHART_RANKS, rows, strict=True)]
        return aligned([("", *CHART_RANKS), *chart])
    places = np.empty(len(texts))
    places[COMBO_STARTING_HAND] = preflop_percentiles(options.preflop)
    hands = [hand for text in options.ranges for hand in _starting_hands(text)]
    named = [(STARTING_HAND_NAMES[hand], texts[hand], percent(places[hand])) for hand in hands]
    return aligned([("", options.preflop, "percentile"), *named])


def _starting_hands(text: str) -> list[int]:
    """Return the starting hands of a range, in the order of the chart."""
    import numpy as np

    from engine.hands.starting_hands import COMBO_STARTING_HAND

    hands: list[int] = np.unique(COMBO_STARTING_HAND[_range(text, ()) > 0]).tolist()
    return hands


def _equities(
    ranges: Sequence[NDArray[np.float32]],
    board: Sequence[int],
    options: argparse.Namespace,
    line: LivingLine,
) -> Sequence[Equity]:
    import numpy as np

    from engine.equity.equity import exact_hand_equity, exact_range_equity
    from engine.equity.sampling import sampled_equity

    def show(done: float) -> None:
        line.show_often(lambda: f"counting ... {done:.0%}")

    show(0.0)
    if options.samples is None and all(_held(range_) == 1 for range_ in ranges):
        return exact_hand_equity([_hole(range_) for range_ in ranges], board)
    if options.samples is None and len(ranges) == 2:
        return exact_range_equity(ranges[0], ranges[1], board)
    samples = options.samples or DEFAULT_SAMPLES
    rng = np.random.default_rng(options.seed)
    return sampled_equity(ranges, board, samples, rng, show)


def _refuse_shared_cards(ranges: Sequence[NDArray[np.float32]]) -> None:
    """Refuse known hands that hold the same card.  Raises ValueError, which names it."""
    owners: dict[int, int] = {}
    for number, range_ in enumerate(ranges, 1):
        for card in _hole(range_) if _held(range_) == 1 else ():
            if card in owners:
                shared = format_cards([card])
                raise ValueError(f"{shared} is in hand {owners[card]} and in hand {number}")
            owners[card] = number


def _potential_lines(
    ranges: Sequence[NDArray[np.float32]], board: Sequence[int], texts: Sequence[str]
) -> list[str]:
    from engine.equity.potential import hand_potential

    rows: list[Sequence[str]] = [("", "HS", "PPot", "NPot", "EHS", "EHS'")]
    for ahead in range(1, 6 - len(board)):
        potential = hand_potential(_hole(ranges[0]), board, ranges[1], ahead)
        values = (
            potential.hs,
            potential.ppot,
            potential.npot,
            potential.ehs,
            potential.ehs_optimistic,
        )
        cards = "next card" if ahead == 1 else "two cards"
        rows.append((cards, *(f"{value:.4f}" for value in values)))
    return [f"potential of {_short(texts[0])}:", *aligned(rows)]


def _equity_lines(texts: Sequence[str], equities: Sequence[Equity]) -> list[str]:
    rows: list[Sequence[str]] = [
        ("", "equity", *(() if equities[0].exact else ("±",)), "win", "tie", "lose")
    ]
    for text, equity in zip(texts, equities, strict=True):
        values = [
            equity.equity,
            *(() if equity.exact else (equity.ci95,)),
            equity.win,
            equity.tie,
            equity.lose,
        ]
        rows.append((_short(text), *(percent(value, 2) for value in values)))
    return aligned(rows)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_RANGE_LETTERS else text[: _MOST_RANGE_LETTERS - 3] + "..."


def _held(range_: NDArray[np.float32]) -> int:
    return int((range_ > 0).sum())


def _hole(range_: NDArray[np.float32]) -> list[int]:
    from engine.hands.cards import COMBO_CARDS

    hole: list[int] = COMBO_CARDS[int(range_.argmax())].tolist()
    return hole


def _range(text: str, board: Sequence[int]) -> NDArray[np.float32]:
    """Return the weights of a range.  Raises ValueError if the board leaves nothing of it."""
    from engine.hands.cards import card_bits, live_combos
    from engine.hands.range_text import given_twice, parse_range

    weights = parse_range(text)
    if twice := given_twice(text):
        tell(f"{PROG}: {text}: hands have several weights; those given last count: {twice[-1]}")
    if not (weights * live_combos(card_bits(board))).any():
        beside = f" beside {format_cards(board)}" if board else ""
        raise ValueError(f"{_short(text)!r}: no hand{beside}")
    return weights


def _board(text: str) -> tuple[int, ...]:
    """Return the cards of a board.  Raises ValueError if they are none."""
    try:
        board = spelled_cards(text)
    except MalformedCard:
        board = (0, 0)
    else:
        twice = [card for number, card in enumerate(board) if card in board[:number]]
        if twice:
            raise ValueError(f"--board {_short(text)!r}: {format_cards(twice[:1])} is named twice")
    if len(board) not in (0, 3, 4, 5) or len(set(board)) < len(board):
        raise ValueError(f"--board {_short(text)!r}: want 3 to 5 different cards, as Ts9s2d")
    return board


main = Command(
    PROG,
    _print,
    DESCRIPTION,
    (
        Option("[RANGE...]", "a hand or a range, see below", dest="ranges"),
        Option("--board CARDS", "3 to 5 cards, as Ts9s2d", default=""),
        Option(
            "--potential",
            "of a hand on the flop or turn: HS, PPot, NPot, EHS = HS (1 - NPot) + (1 - HS) PPot "
            "and EHS' = HS + (1 - HS) PPot against the range",
        ),
        Option(
            "--preflop [MEASURE]",
            "instead: starting hands by equity against a random hand (the default), sklansky, "
            "groups from 1 to 9, or chen, points; a chart, suited hands above the diagonal, or the "
            "hands named",
            choices=_MEASURES,
            const=_MEASURES[0],
        ),
        Option(
            "--samples N",
            f"deal at random; {DEFAULT_SAMPLES:,} times if it cannot be done exactly",
            whole_number(2, 10**10),
        ),
        Option(
            "--seed S",
            "of the random deals (default: %(default)s)",
            whole_number(0, 2**32 - 1),
            0,
        ),
    ),
    EPILOG,
).main
