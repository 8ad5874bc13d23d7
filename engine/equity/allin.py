"""All-in expectation: the mean payoff over all boards to come after the betting has closed.

A hand whose betting closes before the last street is decided by the cards still to come.  Its
result is replaced by the mean over all of them, which lowers the variance of a win rate.  All hole
cards count as known, also those of folded positions: none of them can come on the board.

    state     a finished HandState that went to showdown
    street    closing_street(state): the last street with betting
    board     the board cards seen on it, board_seen(street) of them

Every remaining board is counted (1 712 304 for two hands before the flop), nothing is sampled.
Counts are whole numbers and the division comes last, so the result is the double nearest to the
true mean.  Counts do not depend on stakes or names of suits, and are cached without them.  Those
of two hold'em hands before the flop are looked up in `engine.equity.preflop`, the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Final

from engine.rules.pots import payoffs
from engine.showdown.evaluator import strength
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef

_Lane = tuple[int, ...]
_COMMON_WINNER_MULTIPLE: Final = lcm(*range(1, 11))


def closing_street(state: HandState) -> int:
    """Return the street, 0-based, on which the betting of a finished hand ended."""
    return state.betting.rstrip("/").count("/")


def is_allin_before_last_street(state: HandState) -> bool:
    """Return whether the hand went to showdown with its betting closed before the last street."""
    return state.showdown and closing_street(state) < state.game.streets - 1


def allin_expectation(
    game: GameDef,
    spent: Sequence[int],
    folded: Sequence[bool],
    holes: Sequence[Sequence[int]],
    board_known: Sequence[int],
) -> tuple[float, ...]:
    """Return the mean payoff in chips per position over all boards that could still come.

    Args:
        spent: (P,) chips put in over the hand.
        folded: (P,) whether the position has folded.
        holes: (P, K) hole cards of every position, folded ones included.
        board_known: the board cards seen when the betting closed.

    Raises:
        ValueError: fewer than two positions are left, a card is held twice or not in the deck,
            or the numbers of positions or cards do not fit the game.
    """
    deck = _remaining_deck(game, spent, folded, holes, board_known)
    contenders = [p for p in range(game.players) if not folded[p]]
    to_come = game.board_total - len(board_known)
    if to_come == 0:
        board = tuple(board_known)
        ranked = [
            0 if out else strength((*hole, *board)) for hole, out in zip(holes, folded, strict=True)
        ]
        return payoffs(spent, folded, ranked)
    contenders.sort(key=lambda p: -spent[p])
    rivals = _side_pots([spent[p] for p in contenders])
    lanes = _sorted_lanes(deck, board_known, [holes[p] for p in contenders])
    counts, boards = _count(lanes, rivals, to_come)
    return _mean_payoffs(spent, contenders, rivals, counts, boards)


def logged_expectation(state: HandState, card_text: str) -> tuple[float, ...] | None:
    """Return the all-in expectation of a logged hand, in chips per position.

    Args:
        card_text: its cards as in a match log, everybody's hole cards and the board.

    Returns:
        None where the hand was not all-in before the last street, or is not over.

    Raises:
        MalformedCard: the cards cannot be read.
        ValueError: cards are missing, dealt twice or not in the deck.
    """
    if not is_allin_before_last_street(state):
        return None
    game = state.game
    cards = parse_card_text(card_text, game)
    board_size = game.board_seen(closing_street(state))
    board = cards.board[:board_size]
    if len(board) < board_size:
        raise ValueError("board cards are missing")
    return allin_expectation(game, state.spent, state.folded, cards.holes, board)


def count_best(holes: Sequence[Sequence[int]], board: Sequence[int]) -> tuple[list[list[int]], int]:
    """Return on how many hold'em boards each hand is one of the j best, and how many there are.

    Args:
        holes: (P, 2) at least two hands.
        board: the known cards, 0 to 5.

    Returns:
        P rows of P + 1 counts, [p][j], and the number of boards of five cards.

    Raises:
        ValueError: a card is dealt twice or does not exist.
    """
    dealt = [card for hole in holes for card in hole] + list(board)
    deck = set(range(52)).difference(dealt)
    if len(deck) != 52 - len(dealt):
        raise ValueError("a card is dealt twice or is none")
    counts, boards = _count(_sorted_lanes(deck, board, holes), (len(holes),), 5 - len(board))
    return counts[0], boards


def warm_up() -> None:
    """Compile (or load from the cache) what `allin_expectation` runs, about 3 s the first time."""
    for to_come in (1, 4):
        _count(((0b1111, 0, 0b10000, 0b100000),) + ((0, 0, 0, 0),) * 3, (2,), to_come)


def _remaining_deck(
    game: GameDef,
    spent: Sequence[int],
    folded: Sequence[bool],
    holes: Sequence[Sequence[int]],
    board_known: Sequence[int],
) -> set[int]:
    players = game.players
    if not len(spent) == len(folded) == len(holes) == players:
        raise ValueError(f"want chips, folds and hole cards of {players} positions")
    if players - sum(map(bool, folded)) < 2:
        raise ValueError("no showdown: fewer than two positions are left")
    dealt = [card for hole in holes for card in hole] + list(board_known)
    deck = set(game.deck)
    remaining = deck.difference(dealt)
    if len(remaining) != len(deck) - len(dealt):
        raise ValueError("a card is held twice or is not in the deck")
    if any(len(hole) != game.hole_cards for hole in holes) or len(board_known) > game.board_total:
        raise ValueError("the numbers of cards do not fit the game")
    return remaining


def _side_pots(spent: Sequence[int]) -> tuple[int, ...]:
    """Return how many contenders compete for each side pot, fewest first.

    `spent` is sorted, most chips first; contenders who put in equally much share their pots.
    """
    return tuple(
        here + 1
        for here in range(1, len(spent))
        if here + 1 == len(spent) or spent[here] != spent[here + 1]
    )


def _lanes(cards: Sequence[int] | set[int]) -> _Lane:
    """Return the ranks held in each of the four suits, bit r for rank r."""
    lanes = [0, 0, 0, 0]
    for card in cards:
        lanes[card & 3] |= 1 << (card >> 2)
    return tuple(lanes)


def _cards(lanes: Sequence[int]) -> list[int]:
    return [
        4 * rank + suit for suit, lane in enumerate(lanes) for rank in range(13) if lane >> rank & 1
    ]


def _sorted_lanes(
    deck: set[int], board: Sequence[int], holes: Sequence[Sequence[int]]
) -> tuple[_Lane, ...]:
    """Return the argument of `_count`: equal for deals that differ only in the names of suits."""
    columns = (_lanes(deck), _lanes(board), *map(_lanes, holes))
    return tuple(sorted(zip(*columns, strict=True)))


@lru_cache(maxsize=4096)
def _count(
    lanes: tuple[_Lane, ...], rivals: tuple[int, ...], to_come: int
) -> tuple[list[list[list[int]]], int]:
    """Return for each pot and contender how often it is one of j best, and the number of boards.

    `lanes` has, for each suit, the ranks in the deck, on the board and in each contender's hole.
    Renaming suits changes nothing, so the caller sorts them and equivalent hands meet here.
    """
    table_counts = _preflop_counts(lanes, to_come)
    if table_counts is not None:
        return table_counts
    import numpy as np

    from engine.equity import allin_kernels
    from engine.showdown import tables

    deck, board, *holes = (_cards(column) for column in zip(*lanes, strict=True))
    live = np.array(deck, np.uint8)
    hands = np.array([hole + board for hole in holes])
    masks = tables.card_masks()[hands].sum(axis=1)
    pots = np.array(rivals, np.int64)
    counts = np.zeros((len(pots), len(holes), len(holes) + 1), np.int64)
    total = hands.shape[1] + to_come
    if to_come >= 2 and 5 <= total <= 7:
        sums = np.stack((tables.card_keys()[hands].sum(axis=1), masks))
        allin_kernels.count_ranked_boards(
            live, to_come, sums, pots, *tables.plain_ranks(total), counts
        )
    else:
        allin_kernels.count_boards(live, to_come, masks, pots, counts)
    boards = sum(int(counts[0, :, j].sum()) // j for j in range(1, len(holes) + 1))
    return counts.tolist(), boards


def _preflop_counts(
    lanes: tuple[_Lane, ...], to_come: int
) -> tuple[list[list[list[int]]], int] | None:
    """Return what `_count` does for two hold'em hands before the flop, from the shipped table."""
    if len(lanes[0]) != 4 or to_come != 5:
        return None
    _, _, *holes = (_cards(column) for column in zip(*lanes, strict=True))
    whole_deck = all(deck | first | second == 0x1FFF for deck, _, first, second in lanes)
    if not whole_deck or [len(hole) for hole in holes] != [2, 2]:
        return None
    from engine.equity.preflop import BOARDS_FOR_TWO_HANDS, preflop_counts
    from engine.hands.cards import combo_of

    won, tied, lost = preflop_counts(combo_of(*holes[0]), combo_of(*holes[1]))
    return [[[0, won, tied], [0, lost, tied]]], BOARDS_FOR_TWO_HANDS


def _mean_payoffs(
    spent: Sequence[int],
    contenders: Sequence[int],
    rivals: Sequence[int],
    counts: Sequence[Sequence[Sequence[int]]],
    boards: int,
) -> tuple[float, ...]:
    """Turn counts into chips; the same levels as in `engine.rules.pots`, in whole numbers."""
    gains = [-chips * _COMMON_WINNER_MULTIPLE * boards for chips in spent]
    below = 0
    for level in sorted(set(spent)):
        reached = sum(spent[p] >= level for p in contenders)
        pot = (level - below) * sum(chips >= level for chips in spent) * _COMMON_WINNER_MULTIPLE
        if reached == 1:
            gains[contenders[0]] += pot * boards
        elif reached:
            for c, p in enumerate(contenders[:reached]):
                best_of = counts[rivals.index(reached)][c]
                gains[p] += sum(pot // j * best_of[j] for j in range(1, reached + 1))
        below = level
    return tuple(gain / (_COMMON_WINNER_MULTIPLE * boards) for gain in gains)
