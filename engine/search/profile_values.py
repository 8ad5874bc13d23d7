"""What the combos win at a public state when both players follow known strategies from there on.

The betting is walked over real cards, with each board to come, by the compiled passes of the range
solver: one pass for the values of a profile, one for those of a best response.

    solver = profile_solver(tree, board, ranges, chosen)
    solver.values(StrategyKind.AVERAGE)                 both follow the profile
    solver.best_response_values(StrategyKind.AVERAGE)   each combo's player alone deviates

`profile_below` is that for the average strategy of a solve, from a later decision on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.betting.betting_tree import BettingTree
from engine.cfr.solver import StrategyKind
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import FLOAT32

Chosen = Callable[[int, tuple[int, ...]], NDArray[np.float32]]
"""(node, board) -> (1326, A) float32 probabilities, in the order of the node's children.

The board has all cards seen there, the root's first.
"""


def profile_solver(
    tree: BettingTree,
    board: Sequence[int],
    ranges: ArrayLike,
    chosen: Chosen,
    settings: RangeSettings | None = None,
) -> RangeSolver:
    """Return a solver whose average strategy is a profile.

    Args:
        tree: betting from a decision on the flop, turn or river on.
        board: the cards seen there.
        ranges: (2, 1326) weights.  A player's values depend on the other one's alone.
        chosen: the profile; see `Chosen`.
        settings: with float32 storage; None: the usual ones.

    Raises:
        InvalidGame, ValueError: as from `RangeSolver`, or the storage is another one.
    """
    if settings is not None and settings.storage != FLOAT32:
        raise ValueError(f"a profile is adopted into float32 tables, not {settings.storage}")
    solver = RangeSolver(tree, board, ranges, settings)
    tables, game = solver.learnt.tables, solver.game
    for node, decision in game.places.items():
        boards = game.boards[decision.level]
        hands = boards.hands[decision.player]
        sums = tables[decision.level][decision.player].strategy_sum
        for number, cards in enumerate(boards.boards):
            combos = hands.combo[number, : hands.held[number]]
            rows = slice(decision.first, decision.first + decision.actions)
            sums[number, rows, : len(combos)] = chosen(node, cards)[combos].T
    return solver


def profile_below(
    solver: RangeSolver, node: int, board: Sequence[int], ranges: ArrayLike
) -> RangeSolver:
    """Return a solver whose average strategy is that of another one, from a decision on.

    Args:
        solver: with float32 storage.
        node: the decision, of its tree.
        board: the cards seen there, those of its root first.
        ranges: (2, 1326) weights of what both hold there.
    """
    game = solver.game
    nodes = game.tree.nodes_below(node).tolist()
    board_size = len(game.board)
    settings = RangeSettings(isomorphism=False)  # the strategy may tell suits apart
    part = RangeSolver(game.tree.below(node), board, ranges, settings)
    rows_of_boards = [_standing(boards.boards) for boards in game.boards]
    alone = len(game.swaps) == 1
    for number, decision in part.game.places.items():
        source = game.places[nodes[number]]
        boards, hands = part.game.boards[decision.level], part.game.boards[decision.level].hands
        part_hands, theirs = (
            hands[decision.player],
            game.boards[source.level].hands[decision.player],
        )
        sums = part.learnt.tables[decision.level][decision.player].strategy_sum
        source_sums = solver.learnt.tables[source.level][decision.player].strategy_sum
        into = slice(decision.first, decision.first + decision.actions)
        rows = slice(source.first, source.first + source.actions)
        for at, cards in enumerate(boards.boards):
            combos = part_hands.combo[at, : part_hands.held[at]]
            where = rows_of_boards[source.level].get(cards) if alone else None
            if where is not None and np.array_equal(
                combos, theirs.combo[where, : theirs.held[where]]
            ):
                sums[at, into, : len(combos)] = source_sums[where, rows, : len(combos)]
            else:
                chosen = solver.strategy(StrategyKind.AVERAGE, nodes[number], cards[board_size:])
                sums[at, into, : len(combos)] = chosen[combos].T
    return part


def _standing(boards: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    return {cards: number for number, cards in enumerate(boards)}
