"""The boards of a subgame, street by street, and the hands that both players may hold on each.

Boards that an exchange of suits maps to each other share one entry, if the board before allows it
and the exchange leaves the subgame unchanged.  A player's hands on a board are those of positive
weight without a board card.  They are in the order of `PrivateHands`; on the last street in
ascending order of strength, so that showdowns need no look-up.  B boards, H the largest number of
hands on any of them, padded to whole vectors with at least one to spare:

    held        (B,)      int32     hands
    combo       (B, H)    int32     the hands by number; 0 in the padding
    cards       (B, H, 2) uint8     their cards
    weight      (B, H)    float32   the player's belief at the root; 0 in the padding
    unit        (B, H)    float32   what of the other player's belief is possible beside the hand
    twin        (B, H)    int32     where the other player keeps the same combo, or its last place
    above       (B, H)    int32     where the player keeps it on the board before, at the root here,
                                    or its last place
    group_end   (B, G)    int32     last street: number of hands up to the g-th strength; else G = 0

    deals       E ways to deal a card, board by board: the ones of board b are
                first_deal[b] .. first_deal[b + 1], each with its card, the board (of the next
                street) that stands for the result, and the exchange that makes it the result
    place       (E, H)    int32     where a hand's value is found on the board that stands for it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.lanes import LANES
from engine.hands.private_hands import HOLDEM_HANDS, PrivateHands
from engine.hands.ranges import compatible_reach
from engine.hands.suits import SUIT_SWAPS, inverse
from engine.showdown.board_ranks import board_ranks
from engine.showdown.evaluator import strength

BOARD_CARDS: Final = 5


class BoardHands(NamedTuple):
    """One player's hands on the boards of a street; see the module's table."""

    held: NDArray[np.int32]
    combo: NDArray[np.int32]
    cards: NDArray[np.uint8]
    weight: NDArray[np.float32]
    unit: NDArray[np.float32]
    twin: NDArray[np.int32]
    above: NDArray[np.int32]
    group_end: NDArray[np.int32]

    @property
    def width(self) -> int:
        """H, the padded number of hands."""
        return int(self.combo.shape[1])


@dataclass(frozen=True, slots=True)
class CardDeals:
    """The ways to deal the next card; see the module's table."""

    first_deal: NDArray[np.int32]
    card: NDArray[np.int32]
    board: NDArray[np.int32]
    swap: NDArray[np.int32]
    place: tuple[NDArray[np.int32], NDArray[np.int32]]
    """One table per player."""
    chance: float
    """Probability of each card, given the board and two hands."""

    def of(self, board: int) -> slice:
        """Return the deals of one board."""
        return slice(int(self.first_deal[board]), int(self.first_deal[board + 1]))

    def below(self, board: int) -> range:
        """Return the boards of the next street that come from one board."""
        boards = self.board[self.of(board)]
        return range(int(boards.min()), int(boards.max()) + 1)


@dataclass(frozen=True, slots=True)
class Boards:
    """All boards of one street."""

    boards: tuple[tuple[int, ...], ...]
    hands: tuple[BoardHands, BoardHands]
    deals: CardDeals | None
    """None on the last street."""

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        arrays = [*self.hands[0], *self.hands[1], *(self.deals.place if self.deals else ())]
        return sum(array.nbytes for array in arrays)


def boards_of(
    board: Sequence[int],
    ranges: NDArray[np.float64],
    *,
    hands: PrivateHands = HOLDEM_HANDS,
    swaps: tuple[int, ...] = (0,),
    streets: int | None = None,
    shown: int = BOARD_CARDS,
) -> tuple[Boards, ...]:
    """Return the boards of some streets, the one of `board` first.

    Args:
        board: the cards seen; 3 to 5 in hold'em.
        ranges: (2, H) float64 beliefs, zero where a hand is blocked.
        hands: what can be held.
        swaps: a group of exchanges that leave `board` and all that is known of the hands as they
            are; boards that they map to each other share one entry.
        streets: how many; None for all to the last.
        shown: cards on the board at a showdown, as many as at last or more; flop hold'em has 3.
    """
    level = [_Board(tuple(int(card) for card in board), swaps, 0)]
    sides = _held(level, ranges, hands, None, shown)
    levels = []
    count = shown - len(board) + 1 if streets is None else streets
    for _ in range(count - 1):
        below, dealt = _next_level(level, hands)
        chance = 1 / (len(hands.deck) - len(level[0].cards) - 2 * hands.hole_cards)
        held_below = _held(below, ranges, hands, sides, shown)
        deals = _deals(dealt, len(level), hands, (sides, held_below), chance)
        levels.append(
            Boards(tuple(b.cards for b in level), (sides[0].hands, sides[1].hands), deals)
        )
        level, sides = below, held_below
    levels.append(Boards(tuple(b.cards for b in level), (sides[0].hands, sides[1].hands), None))
    return tuple(levels)


class _Board(NamedTuple):
    cards: tuple[int, ...]
    swaps: tuple[int, ...]
    above: int


class _Deal(NamedTuple):
    above: int
    card: int
    board: int
    swap: int


def _next_level(level: list[_Board], hands: PrivateHands) -> tuple[list[_Board], list[_Deal]]:
    boards: list[_Board] = []
    deals: list[_Deal] = []
    for above, board in enumerate(level):
        standing: dict[int, tuple[int, int]] = {}
        for card in hands.deck:
            if card in board.cards:
                continue
            if card not in standing:
                stabiliser = tuple(
                    swap for swap in board.swaps if hands.card_swaps[swap, card] == card
                )
                for swap in board.swaps:
                    standing.setdefault(int(hands.card_swaps[swap, card]), (len(boards), swap))
                boards.append(_Board((*board.cards, card), stabiliser, above))
            deals.append(_Deal(above, card, *standing[card]))
    return boards, deals


class _Held(NamedTuple):
    """One player's hands on all boards of a street, and where they are."""

    hands: BoardHands
    places: NDArray[np.int32]
    """(B, H) where each board keeps each hand; the last place for those it does not have."""


class _Lists(NamedTuple):
    """One player's hands on every board of a street, before they are padded."""

    combos: list[NDArray[np.int64]]
    group_ends: list[NDArray[np.int64]]


def _held(
    level: list[_Board],
    ranges: NDArray[np.float64],
    hands: PrivateHands,
    above: tuple[_Held, _Held] | None,
    shown: int,
) -> tuple[_Held, _Held]:
    lists = _lists(level, ranges, hands, shown)
    places = [_places(side.combos, hands.count) for side in lists]
    parents = np.array([board.above for board in level])[:, None]
    both_hands = []
    for player, side in enumerate(lists):
        count = np.array([len(combos) for combos in side.combos], np.int32)
        combo = _padded(side.combos, _width(side.combos), repeat=False)
        real = np.arange(combo.shape[1]) < count[:, None]
        twin = places[1 - player][np.arange(len(level))[:, None], combo]
        up, last_up = np.arange(combo.shape[1])[None], combo.shape[1] - 1
        if above is not None:
            up, last_up = above[player].places[parents, combo], above[player].hands.width - 1
        rivals = _rivals(level, ranges[1 - player], hands, combo)
        on_boards = BoardHands(
            held=count,
            combo=combo,
            cards=np.where(real[..., None], hands.cards[combo], np.uint8(0)),
            weight=np.where(real, ranges[player][combo], 0).astype(np.float32),
            unit=np.where(real, rivals, 0).astype(np.float32),
            twin=np.where(real, twin, _width(lists[1 - player].combos) - 1).astype(np.int32),
            above=np.where(real, up, last_up).astype(np.int32),
            group_end=_padded(side.group_ends, max(map(len, side.group_ends)), repeat=True),
        )
        both_hands.append(_Held(on_boards, places[player]))
    return both_hands[0], both_hands[1]


def _rivals(
    level: list[_Board],
    belief: NDArray[np.float64],
    hands: PrivateHands,
    combo: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Return (B, H) what of a belief is possible on each board beside some hands."""
    reach = np.empty(combo.shape)
    for number, board in enumerate(level):
        live = np.where(hands.live(board.cards), belief, 0.0)
        reach[number] = compatible_reach(live, hands)[combo[number]]
    return reach


def _lists(
    level: list[_Board], ranges: NDArray[np.float64], hands: PrivateHands, shown: int
) -> tuple[_Lists, _Lists]:
    lists = _Lists([], []), _Lists([], [])
    for board in level:
        live = hands.live(board.cards)
        combos = [np.flatnonzero(live & (belief > 0)) for belief in ranges]
        ends = [np.zeros(0, np.int64)] * 2
        if len(board.cards) == shown:
            combos, ends = _by_strength(_ranks(board.cards, hands), combos)
        for player in (0, 1):
            lists[player].combos.append(combos[player])
            lists[player].group_ends.append(ends[player])
    return lists


def _ranks(board: tuple[int, ...], hands: PrivateHands) -> NDArray[np.integer]:
    """Return (H,) how strong each hand is on a whole board; blocked hands have any number."""
    if hands is HOLDEM_HANDS:
        return board_ranks(board)
    dealt = hands.cards[:, : hands.hole_cards].tolist()
    return np.array([strength((*hand, *board)) for hand in dealt], np.int32)


def _by_strength(
    ranks: NDArray[np.integer], combos: list[NDArray[np.int64]]
) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """Return both players' hands by strength, and how many there are up to each strength."""
    side_ranks = [ranks[side] for side in combos]
    every = np.unique(np.concatenate(side_ranks))
    orders = [np.argsort(side, kind="stable") for side in side_ranks]
    counts = [
        np.searchsorted(side[order], every, side="right")
        for side, order in zip(side_ranks, orders, strict=True)
    ]
    return [side[order] for side, order in zip(combos, orders, strict=True)], counts


def _width(lists: list[NDArray[np.int64]]) -> int:
    return max(map(len, lists)) // LANES * LANES + LANES


def _places(lists: list[NDArray[np.int64]], hands: int) -> NDArray[np.int32]:
    places = np.full((len(lists), hands), _width(lists) - 1, np.int32)
    for board, combos in enumerate(lists):
        places[board, combos] = np.arange(len(combos))
    return places


def _padded(lists: list[NDArray[np.int64]], width: int, *, repeat: bool) -> NDArray[np.int32]:
    """Return lists as one table; short ones are filled with 0, or repeat their last entry."""
    table = np.zeros((len(lists), width), np.int32)
    for number, entries in enumerate(lists):
        table[number, : len(entries)] = entries
        if repeat and len(entries):
            table[number, len(entries) :] = entries[-1]
    return table


def _deals(
    dealt: list[_Deal],
    boards: int,
    hands: PrivateHands,
    streets: tuple[tuple[_Held, _Held], tuple[_Held, _Held]],
    chance: float,
) -> CardDeals:
    above, card, board, swap = (np.array(column, np.int32) for column in zip(*dealt, strict=True))
    undone = np.array([inverse(number) for number in range(len(SUIT_SWAPS))])[swap]
    sides, below = streets
    places = []
    for player in (0, 1):
        here = sides[player].hands
        moved = hands.hand_swaps[undone[:, None], here.combo[above]]
        index = below[player].places[board[:, None], moved]
        real = np.arange(here.width) < here.held[above][:, None]
        last = below[player].hands.width - 1
        places.append(np.where(real, index, last).astype(np.int32))
    first = np.searchsorted(above, np.arange(boards + 1)).astype(np.int32)
    return CardDeals(first, card, board, swap, (places[0], places[1]), chance)
