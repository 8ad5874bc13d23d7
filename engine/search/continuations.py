"""Values at the end of a street when both play on in known ways, as matrices of hand against hand.

    won = sampled_payoffs(tree, board, chooser, played, runouts)       (K, 1326, 1326)
    source = MatrixLeaves({leaf: matrix, ...})                         a source of leaf values

A pair of hands that all runouts block counts as 0: with eight runouts there is hardly any.

What the hands win does not depend on the ranges, so the matrices are made once and each pass of a
solver multiplies them by the ranges that arrive.  Boards to come are sampled: a pair of hands gets
its mean over the runouts that it does not block.

`biased` makes the continuations: one kind of action ten times as likely, as in Modicum.

Source: Brown, Sandholm, Amos, "Depth-limited solving for imperfect-information games", NeurIPS
2018.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import CALL, DEAL, FOLD, FOLDED, RAISE, BettingTree
from engine.equity.allin_matrix import apart
from engine.hands.cards import CARDS, COMBOS, card_bits, live_combos
from engine.range_solver.leaves import LeafRequest
from engine.search.profile_values import Chosen
from engine.showdown.board_ranks import board_ranks

BIAS_FACTOR: Final = 10.0
BIASES: Final = (None, FOLD, CALL, RAISE)
"""The four continuations are as it is, and with more folds, calls or raises."""
_BOARD: Final = 5

_Payoffs = Callable[[tuple[int, ...], NDArray[np.intp]], NDArray[np.float32]]
"""(whole board, (H,) the combos it leaves) -> (K, H, H) chips."""


class MatrixLeaves:
    """Leaves whose values are linear in the ranges; an `engine.range_solver.leaves.LeafValues`."""

    def __init__(self, matrices: Mapping[int, NDArray[np.float32]]) -> None:
        """Take (1326, 1326) chips that player 0's combos win from player 1's, by leaf node."""
        self._matrices = dict(matrices)

    def forget(self) -> None:
        """Forget all values, 7 MB a leaf; the solver that asked for them can only be read then."""
        self._matrices.clear()

    def values(self, request: LeafRequest) -> NDArray[np.float32]:
        """Return (L, 2, 1326); see `engine.range_solver.leaves`."""
        answers = np.zeros((len(request.leaves), 2, COMBOS), np.float32)
        for answer, leaf, reach in zip(answers, request.leaves, request.reach, strict=True):
            won = self._matrices[leaf.node]
            if 0 in request.players:
                answer[0] = won @ reach[1]
            if 1 in request.players:
                answer[1] = -(reach[0] @ won)
        return answers


def biased(
    shares: NDArray[np.float32], kinds: Sequence[int], favoured: int | None
) -> NDArray[np.float32]:
    """Return (H, A) strategies with one kind of action `BIAS_FACTOR` times as likely, summing to 1.

    Args:
        shares: (H, A) probabilities.
        kinds: `FOLD`, `CALL` or `RAISE` for each action.
        favoured: one of them; None: nothing is changed.
    """
    if favoured is None:
        return shares
    weighed = shares * np.where(np.array(kinds) == favoured, np.float32(BIAS_FACTOR), np.float32(1))
    strategies: NDArray[np.float32] = weighed / weighed.sum(axis=1, keepdims=True)
    return strategies


def draw_runouts(
    board: Sequence[int], count: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    """Return whole boards: the next cards run through the deck without repeats while they can."""
    deck = np.array([card for card in range(CARDS) if card not in board])
    runouts: list[tuple[int, ...]] = []
    while len(runouts) < count:
        for card in rng.permutation(deck).tolist():
            rest = rng.permutation(deck[deck != card])[: _BOARD - len(board) - 1]
            runouts.append((*board, card, *rest.tolist()))
    return runouts[:count]


def sampled_payoffs(
    tree: BettingTree,
    board: Sequence[int],
    chooser: int,
    played: Chosen,
    runouts: Sequence[tuple[int, ...]],
) -> NDArray[np.float32]:
    """Return (K, 1326, 1326) chips that player 0's combos win from player 1's, for all `BIASES`.

    Args:
        tree: betting from the first decision of the next street on.
        board: the cards seen before it.
        chooser: the player whose way to play is biased.
        played: how both play; see `engine.search.profile_values.Chosen`.
        runouts: whole boards that begin with `board`.
    """
    return _mean_over(
        board, runouts, lambda cards, live: _payoffs(tree, cards, live, chooser, played)
    )


def _mean_over(
    board: Sequence[int], runouts: Sequence[tuple[int, ...]], payoffs: _Payoffs
) -> NDArray[np.float32]:
    """Return (K, 1326, 1326) the mean of each pair of hands over the runouts it does not block."""
    total: NDArray[np.float32] | None = None
    counts = np.zeros((COMBOS, COMBOS), np.float32)
    together = apart()
    for cards in runouts:
        live = np.flatnonzero(live_combos(card_bits(cards)))
        block = np.ix_(live, live)
        block_payoffs = payoffs(cards, live) * together[block]
        if total is None:
            total = np.zeros((len(block_payoffs), COMBOS, COMBOS), np.float32)
        total[:, live[:, None], live] += block_payoffs
        counts[block] += 1
    if total is None:
        raise ValueError("no runouts")
    total /= np.maximum(counts, 1)
    return total


def _payoffs(
    tree: BettingTree, cards: tuple[int, ...], live: NDArray[np.intp], chooser: int, played: Chosen
) -> NDArray[np.float32]:
    """Return (K, H, H) payoffs on one whole board; hands that share cards mean nothing."""
    ways = [BIASES if player == chooser else (None,) for player in (0, 1)]
    reach = [np.ones((tree.nodes, len(of), len(live)), np.float32) for of in ways]
    for node in range(tree.nodes):
        below = tree.children(node)
        for side in reach:
            side[below.start : below.stop] = side[node]
        actor = int(tree.kind[node])
        if actor < DEAL:
            shares = played(node, cards[: tree.game.board_seen(int(tree.street[node]))])[live]
            kinds = [int(tree.action[child]) for child in below]
            for way, bias in enumerate(ways[actor]):
                reach[actor][below.start : below.stop, way] *= biased(shares, kinds, bias).T
    ends = np.flatnonzero(tree.kind >= FOLDED)
    stakes = tree.spent[ends].min(axis=1).astype(np.float32)
    folder = tree.kind[tree.parent[ends]]
    folded = tree.kind[ends] == FOLDED
    stakes = np.where(folded & (folder == 0), -stakes, stakes)[:, None]
    first_reach, second_reach = (side[ends] for side in reach)  # (Z, K or 1, H)
    signs = _signs(cards, live)
    payoffs = np.empty((len(BIASES), len(live), len(live)), np.float32)
    for way in range(len(BIASES)):
        mine = first_reach[:, min(way, first_reach.shape[1] - 1)] * stakes
        theirs = second_reach[:, min(way, second_reach.shape[1] - 1)]
        payoffs[way] = signs * (mine[~folded].T @ theirs[~folded])
        payoffs[way] += mine[folded].T @ theirs[folded]
    return payoffs


def _signs(cards: tuple[int, ...], live: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return (H, H) 1 where player 0's hand is the stronger, -1 where the other one is."""
    ranks = board_ranks(cards)[live].astype(np.int32)
    signs: NDArray[np.float32] = np.sign(ranks[:, None] - ranks).astype(np.float32)
    return signs
