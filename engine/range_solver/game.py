"""A subgame over full ranges, as the vector solver sees it: betting, boards, hands, chances.

    game = RangeGame(tree, board, ranges)

Everything here follows from the arguments and never changes; the solver keeps what it learns in
`engine.range_solver.tables`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN, BettingTree
from engine.errors import InvalidGame
from engine.hands.cards import card_bits
from engine.hands.private_hands import private_hands
from engine.hands.ranges import compatible_reach, normalised, without_blocked
from engine.hands.suits import ALL_SWAPS, board_symmetries, inverse, range_symmetries
from engine.range_solver.boards import Boards, boards_of
from engine.range_solver.layout import Street, streets_of
from engine.range_solver.leaves import Leaf
from engine.range_solver.records import StreetSide

_ROW_COST: Final = 64
"""Beginning a row costs as much as so many numbers."""


class TableSlot(NamedTuple):
    """Where the solver's tables keep a decision of the betting tree."""

    level: int
    """Street, counted from the root's."""
    player: int
    first: int
    """Row of its first action, the roots' rows left out."""
    actions: int
    decision: int
    """Its number among the player's decisions on the street."""


class RangeGame:
    """One subgame; all attributes are read-only."""

    def __init__(
        self,
        tree: BettingTree,
        board: Sequence[int],
        ranges: ArrayLike,
        *,
        isomorphism: bool = True,
        swaps: Collection[int] = ALL_SWAPS,
        leaf_nodes: Collection[int] = (),
    ) -> None:
        """Lay a subgame out.

        Args:
            tree: betting from a decision on; in hold'em after the first street.
            board: the cards seen on that street, in the order they came.
            ranges: (2, H) weights of `private_hands`; they need not sum to 1.
            isomorphism: whether boards that differ by an exchange of suits only are solved once.
            swaps: a group of exchanges, the only ones by which boards may be shared: they change
                nothing that matters beside board and ranges.
            leaf_nodes: where the subgame stops; see `engine.range_solver.leaves`.

        Raises:
            InvalidGame: this is neither hold'em with two hole cards nor the beginning of it, from
                the flop on or with leaves at all ends of the first street, nor a game of single
                cards that deals one more on each later street.
            ValueError: the board or a range is invalid, the ranges leave no pair of hands, or the
                hand cannot go on from a leaf.
        """
        _check_leaves(tree, leaf_nodes)
        _check_game(tree, board, leaf_nodes)
        self.hands = private_hands(tree.game)
        """What can be held."""
        count = self.hands.count
        try:
            weights = np.asarray(ranges, np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"ranges: want (2, {count}) weights: {error}") from error
        if weights.shape != (2, count):
            raise ValueError(f"ranges: want (2, {count}) weights, not {weights.shape}")
        self.tree = tree
        self.board = tuple(int(card) for card in board)
        self.isomorphism = isomorphism
        self.leaf_nodes = frozenset(leaf_nodes)
        self.beliefs = np.stack(
            [
                normalised(without_blocked(side, self.board, self.hands), self.hands)
                for side in weights
            ]
        )
        """(2, H) float64, each sums to 1."""
        others = self.beliefs[::-1]
        possible = np.stack([compatible_reach(side > 0, self.hands) > 0 for side in others])
        self.rivals = np.where(
            possible, np.stack([compatible_reach(side, self.hands) for side in others]), 0.0
        )
        """(2, H) float64: the other player's belief that is possible beside each hand.

        Exactly 0 where nothing is possible.
        """
        self.joint = float(self.beliefs[0] @ self.rivals[0])
        """Probability that two hands drawn from the beliefs share no card."""
        if not (possible[0] & (self.beliefs[0] > 0)).any():
            raise ValueError("no two hands of these ranges can be dealt together")
        self.streets: tuple[Street, ...] = streets_of(tree, self.leaf_nodes)
        shared = isomorphism and len(self.streets) > 1 and len(self.hands.hand_swaps) > 1
        self.swaps = _symmetries(self.board, self.beliefs, swaps) if shared else (0,)
        """The exchanges of suits by which boards are shared; 0, which changes nothing, is one."""
        swapped = self.hands.hand_swaps[list(self.swaps)]
        self.alike: NDArray[np.intp] = swapped.min(axis=0).astype(np.intp)
        """(H,) one representative of the hands that those exchanges map to each other."""
        self.boards: tuple[Boards, ...] = boards_of(
            self.board,
            self.beliefs,
            hands=self.hands,
            swaps=self.swaps,
            streets=len(self.streets),
            shown=tree.game.board_seen(tree.game.streets - 1),
        )
        self.leaves = tuple(
            Leaf(node, board)
            for street, boards in zip(self.streets, self.boards, strict=True)
            for board in boards.boards
            for node in street.leaf_nodes
        )
        """Street by street, board by board."""
        self.sides = [
            (_side(0, level, self.streets, boards), _side(1, level, self.streets, boards))
            for level, boards in enumerate(self.boards)
        ]
        """Both players' part of each street, for the kernels."""
        self.places = _places(self.streets)
        """By node of the betting tree; those behind a leaf are left out."""
        behind = _stakes_behind(
            tree, [leaf for street in self.streets for leaf in street.leaf_nodes]
        )
        payoffs = np.concatenate([behind, *(street.lanes[0].payoffs for street in self.streets)])
        self.spread = float(payoffs.max() - payoffs.min()) or 1.0
        """Largest payoff less the smallest, chips."""
        self.pot = int(tree.spent[0].sum())
        """Chips in the pot at the root."""

    @property
    def levels(self) -> int:
        """Number of streets, 1 to 3."""
        return len(self.streets)

    @property
    def work(self) -> int:
        """The time of an iteration grows with it: numbers in tables, and their rows as 64 each.

        Of all boards and both players; rows of few hands cost more than their numbers.
        """
        return sum(
            len(boards.boards) * street.rows[player] * (boards.hands[player].width + _ROW_COST)
            for street, boards in zip(self.streets, self.boards, strict=True)
            for player in (0, 1)
        )

    def most_boards_below(self, level: int) -> int:
        """Return how many boards of the next street come from one board of a street, at most."""
        boards = self.boards[level]
        assert boards.deals is not None
        return max(len(boards.deals.below(board)) for board in range(len(boards.boards)))

    def find_board(self, dealt: Sequence[int]) -> tuple[int, NDArray[np.int16]]:
        """Return where the board after some deals is solved, and in which suits.

        Args:
            dealt: cards that came after the root's board, in order.

        Returns:
            The number of the board on its street, and (H,) int16 the hand that stands for each
            hand there.

        Raises:
            ValueError: too many cards, or a card that is invalid or already on the board.
        """
        if len(dealt) >= self.levels:
            raise ValueError(f"{len(dealt)} cards after a board of {len(self.board)}")
        card_bits((*self.board, *dealt))
        board = 0
        card_swaps, hand_swaps = self.hands.card_swaps, self.hands.hand_swaps
        cards, combos = card_swaps[0], hand_swaps[0]
        for level, card in enumerate(dealt):
            deals = self.boards[level].deals
            assert deals is not None
            ways = deals.of(board)
            way = ways.start + int(np.flatnonzero(deals.card[ways] == cards[card])[0])
            back = inverse(int(deals.swap[way]))
            board = int(deals.board[way])
            cards = card_swaps[back][cards]
            combos = hand_swaps[back][combos]
        return board, combos


def _check_game(tree: BettingTree, board: Sequence[int], leaf_nodes: Collection[int]) -> None:
    game = tree.game
    if not game.begins_as_holdem and game.hole_cards != 1:
        raise InvalidGame("the vector solver plays hold'em, flop and turn hold'em, with 52 cards")
    street = int(tree.street[0])
    goes_on = ((tree.kind == DEAL) | (tree.kind == SHOWDOWN)) & (tree.street == street)
    is_dealt = not set(np.flatnonzero(goes_on).tolist()) <= set(leaf_nodes)
    if is_dealt and any(new != 1 for new in game.board_cards[street + 1 :]):
        raise InvalidGame("the vector solver begins on the flop or later, or ends before it")
    wanted = game.board_seen(street)
    if len(board) != wanted:
        raise ValueError(f"the board has {len(board)} cards, not {wanted} as on street {street}")
    card_bits(board)


def _check_leaves(tree: BettingTree, leaf_nodes: Collection[int]) -> None:
    for node in leaf_nodes:
        if not 0 < node < tree.nodes:
            raise ValueError(f"leaf {node} is no node below the root")
        is_last = tree.street[node] == tree.game.streets - 1
        if tree.kind[node] == FOLDED or (tree.kind[node] == SHOWDOWN and is_last):
            raise ValueError(f"the hand is over at leaf {node}")


def _symmetries(
    board: Sequence[int], beliefs: NDArray[np.float64], swaps: Collection[int]
) -> tuple[int, ...]:
    """Return those of some exchanges of suits that change neither board nor beliefs."""
    return range_symmetries([swap for swap in board_symmetries(board) if swap in swaps], beliefs)


def _stakes_behind(tree: BettingTree, leaves: list[int]) -> NDArray[np.float64]:
    """Return the most chips that can be won and lost behind some leaves."""
    if not leaves:
        return np.zeros(0)
    most = tree.spent.min(axis=1)
    for node in range(tree.nodes - 1, 0, -1):  # parents come before children
        most[tree.parent[node]] = max(most[tree.parent[node]], most[node])
    return np.concatenate((most[leaves], -most[leaves])).astype(np.float64)


def _side(player: int, level: int, streets: tuple[Street, ...], boards: Boards) -> StreetSide:
    street = streets[level]
    entry = streets[level - 1].deals[player] if level else np.zeros(1, np.int32)
    return StreetSide(
        street.roots,
        street.decisions[player],
        boards.hands[player],
        street.lanes[player],
        street.only_folds[player],
        street.some_folds[player],
        street.bare[player],
        street.deals[player],
        street.leaf_rows[player],
        entry,
    )


def _places(streets: tuple[Street, ...]) -> dict[int, TableSlot]:
    return {
        int(node): TableSlot(level, player, int(first) - street.roots, int(actions), number)
        for level, street in enumerate(streets)
        for player, decisions in enumerate(street.decisions)
        for number, (_, first, actions, node) in enumerate(zip(*decisions, strict=True))
    }
