"""What the combos win at a public state when both players follow known strategies from there on.

The betting is walked over real cards, with each board to come, by the compiled passes of the range
solver: one pass for the values of a profile, one for those of a best response.

    solver = profile_solver(tree, board, ranges, chosen)
    solver.values(StrategyKind.AVERAGE)                 both follow the profile
    solver.best_response_values(StrategyKind.AVERAGE)   each combo's player alone deviates

`profile_below` is that for the average strategy of a solve, from a later decision on.  Where the
solve ends at leaves, hands win there what they won on average over its iterations: what the average
strategy grants against any play before the leaves, if what was said of them was right.

Source of the averages: Moravcik et al., "DeepStack: expert-level artificial intelligence in
heads-up no-limit poker", Science 356, 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.betting.betting_tree import BettingTree
from engine.cfr.solver import StrategyKind
from engine.hands.private_hands import PrivateHands
from engine.hands.ranges import compatible_reach
from engine.range_solver.leaves import DepthLimit, Leaf, LeafRequest
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import FLOAT32

Chosen = Callable[[int, tuple[int, ...]], NDArray[np.float32]]
"""(node, board) -> (H, A) float32 probabilities, in the order of the node's children.

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
        tree: betting from a decision on; in hold'em on the flop, turn or river.
        board: the cards seen there.
        ranges: (2, H) weights.  A player's values depend on the other one's alone.
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
    solver: RangeSolver,
    node: int,
    board: Sequence[int],
    ranges: ArrayLike,
    left_out: Container[int] = (),
) -> RangeSolver:
    """Return a solver whose average strategy is that of another one, from a decision on.

    Args:
        solver: with float32 storage; where it ends at leaves, it keeps averages there.
        node: the decision, of its tree.
        board: the cards seen there, those of its root first.
        ranges: (2, H) weights of what both hold there.
        left_out: children of the decision that are not gone to: for the values of one action.

    Raises:
        ValueError: it ends at leaves without averages.
    """
    game = solver.game
    nodes = game.tree.nodes_below(node, left_out).tolist()
    board_size = len(game.board)
    settings = RangeSettings(isomorphism=False)  # the strategy may tell suits apart
    limit = _limit_below(solver, nodes) if game.leaves else None
    part = RangeSolver(game.tree.below(node, left_out), board, ranges, settings, limit=limit)
    rows_of_boards = [_standing(boards.boards) for boards in game.boards]
    alone = len(game.swaps) == 1
    for number, decision in part.game.places.items():
        source = game.places[nodes[number]]
        if decision.actions < source.actions:
            continue  # where one action is left, any strategy is that
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


class AverageLeaves:
    """Leaves whose hands win known chips; an `engine.range_solver.leaves.LeafValues`."""

    def __init__(self, hands: PrivateHands, won: Mapping[Leaf, NDArray[np.float64]]) -> None:
        """Take (2, H) chips by leaf, per unit of what a hand can meet."""
        self._hands, self._won = hands, dict(won)

    def values(self, request: LeafRequest) -> NDArray[np.float32]:
        """Return (L, 2, H); see `engine.range_solver.leaves`."""
        answers = np.zeros(request.reach.shape, np.float32)
        for answer, leaf, reach in zip(answers, request.leaves, request.reach, strict=True):
            for player in request.players:
                met = compatible_reach(reach[1 - player], self._hands)
                answer[player] = self._won[leaf][player] * met
        return answers


def _limit_below(solver: RangeSolver, nodes: Sequence[int]) -> DepthLimit:
    """Return the leaves of a solve in a part of its tree, by the numbers there."""
    numbers = {node: number for number, node in enumerate(nodes)}
    won = {
        Leaf(numbers[leaf.node], leaf.board): averages
        for leaf, averages in zip(solver.game.leaves, solver.leaf_averages(), strict=True)
        if leaf.node in numbers
    }
    leaf_nodes = [numbers[node] for node in solver.game.leaf_nodes if node in numbers]
    return DepthLimit(leaf_nodes, AverageLeaves(solver.game.hands, won))


def _standing(boards: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    return {cards: number for number, cards in enumerate(boards)}
