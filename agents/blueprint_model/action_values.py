"""What each action of a blueprint is worth to a hand, where both players go on by the blueprint.

The other player holds a range; its weights are those of whoever asks.  From the turn on a value is
exact: all boards that can still come, all combos of the range and all actions are counted.  Before,
boards are drawn, some combos on each of them evenly from the weakest to the strongest, and an
action of either player at each later decision.  All actions that are compared get the same
boards, combos and random numbers, so that differences are known better than values.  How often the
hand wins a showdown without any betting is known exactly; by how far the draws miss it, values are
corrected: a control variate.

    D deals        a combo of the other player on a board
    B boards       deals on the same board are one sample
    value          chips won from there on, what is in the pot belongs to nobody: folding is worth 0
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.equity.preflop import BOARDS_FOR_TWO_HANDS, pair_counts
from engine.equity.range_showdowns import RangeShowdowns
from engine.hands.cards import CARDS, card_bits, combo_of, live_combos
from engine.range_solver.terminal import BOARD_CARDS
from engine.showdown.board_ranks import board_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agents.blueprint_model.policy import BlueprintPolicy
    from engine.rules.state import HandState
    from protocol.actions import Action

_EXACT_FROM_BOARD_CARDS: Final = 4
_DRAWN_BOARDS: Final = 320
_COMBOS_A_BOARD: Final = 160
_BUCKETS_KEPT: Final = 2048
_STREAM: Final = 0x56414C


class ActionValues(NamedTuple):
    """What A actions are worth to a hand."""

    actions: tuple[Action, ...]
    """Different legal ones."""
    chips: NDArray[np.float64]
    """(A,) see the module."""
    spread: NDArray[np.float64] | None
    """(A, A) covariances of their errors; None where they are exact."""

    def error(self, action: int, alternative: int | None = None) -> float:
        """Return the standard error of a value, or of one less another."""
        if self.spread is None:
            return 0.0
        if alternative is None:
            return float(np.sqrt(self.spread[action, action]))
        apart = (
            self.spread[action, action]
            + self.spread[alternative, alternative]
            - 2 * self.spread[action, alternative]
        )
        return float(np.sqrt(max(apart, 0.0)))


class _Deals(NamedTuple):
    own_buckets: NDArray[np.int32]
    """(4, D) bucket of the hand on each street."""
    theirs: NDArray[np.int32]
    won: NDArray[np.int8]
    """(D,) 1 where the hand wins a showdown, 0 where it ties, -1 where it loses."""
    weight: NDArray[np.float64]
    """(D,) how much of the range a deal stands for."""
    board: NDArray[np.int64]
    """(D,) its number."""


class ActionValuer:
    """Values decisions of one hand; remembers what was computed of its boards."""

    def __init__(self, policy: BlueprintPolicy) -> None:
        """Take the blueprint by which both go on."""
        self._policy = policy
        self._buckets = lru_cache(_BUCKETS_KEPT)(self._buckets_on)
        self._showdowns = lru_cache(1)(RangeShowdowns)

    def values(
        self,
        state: HandState,
        board: Sequence[int],
        hole: Sequence[int],
        theirs: NDArray[np.float64],
    ) -> ActionValues | None:
        """Return what the actions of `state.actor` are worth with a hand.

        Args:
            state: a decision; the likeliest node of the blueprint's tree stands for it at which
                the same player decides.  Chips are in proportion to the true pot.
            board: the cards seen there.
            hole: (2,) cards of the hand.
            theirs: (1326,) weights of what the other player holds.

        Returns:
            None where the blueprint has no such decision, or the range is empty beside the cards.
        """
        policy, cards = self._policy, tuple(map(int, board))
        reader = policy.interpreter.reader
        node = next(
            (
                candidate
                for candidate in policy.likely(state, cards)
                if reader.offers(candidate, state)
            ),
            None,
        )
        belief = np.where(live_combos(card_bits((*cards, *map(int, hole)))), theirs, 0.0)
        if node is None or not belief.any():
            return None
        offers = reader.offers(node, state)
        drawn = len(cards) < _EXACT_FROM_BOARD_CARDS
        rng = np.random.default_rng((_STREAM, *cards)) if drawn else None
        deals = self._deals(cards, hole, belief, rng)
        walk = _Continuation(policy, deals, node, rng)
        child_of: dict[Action, int] = {}
        for action, child in zip(offers, policy.model.tree.children(node), strict=True):
            child_of.setdefault(action, child)
        won = np.array([walk.won(child) for child in child_of.values()])
        pot = 2 * policy.model.tree.spent[node].max()
        won *= (state.pot + state.to_call) / pot
        chips = won @ deals.weight / deals.weight.sum()
        if not drawn:
            return ActionValues(tuple(child_of), chips, None)
        edge = self._edge(cards, combo_of(*hole), belief)
        return ActionValues(tuple(child_of), *_corrected(chips, won, deals, edge))

    def _edge(self, board: tuple[int, ...], combo: int, belief: NDArray[np.float64]) -> float:
        """Return how often a combo wins less how often it loses, over all boards and a range."""
        if board:
            showdowns = self._showdowns(board)
            return float(showdowns.shown(belief)[combo] / showdowns.met(belief)[combo])
        combos = np.flatnonzero(belief)
        won, tied = pair_counts(np.full(len(combos), combo), combos)
        return float(
            ((2.0 * won + tied) / BOARDS_FOR_TWO_HANDS - 1) @ belief[combos] / belief.sum()
        )

    def _buckets_on(self, board: tuple[int, ...]) -> NDArray[np.int32]:
        buckets: NDArray[np.int32] = self._policy.model.cards.buckets(board)
        return buckets

    def _deals(
        self,
        board: tuple[int, ...],
        hole: Sequence[int],
        belief: NDArray[np.float64],
        rng: np.random.Generator | None,
    ) -> _Deals:
        combo = combo_of(*hole)
        board_counts = [
            self._policy.game.board_seen(street) for street in range(self._policy.game.streets)
        ]
        board_deals = []
        for number, whole in enumerate(_boards(board, hole, rng)):
            ranks = board_ranks(whole).astype(np.int32)
            weights = np.where(ranks > 0, belief, 0.0)
            if not weights.any():
                continue
            combos, weight = _combos(weights, ranks, rng)
            buckets = np.stack([self._buckets(whole[:count]) for count in board_counts])
            board_deals.append(
                _Deals(
                    np.repeat(buckets[:, combo : combo + 1], len(combos), axis=1),
                    buckets[:, combos],
                    np.sign(ranks[combo] - ranks[combos]).astype(np.int8),
                    weight,
                    np.full(len(combos), number),
                )
            )
        return _Deals(*(np.concatenate(part, axis=-1) for part in zip(*board_deals, strict=True)))


class _Continuation:
    """Both players go on by a blueprint, with many deals at once."""

    def __init__(
        self, policy: BlueprintPolicy, deals: _Deals, node: int, rng: np.random.Generator | None
    ) -> None:
        """Begin at a decision of the hand's player.

        Args:
            rng: draws later actions; None: all are taken, each in proportion.
        """
        self._rows = policy.interpreter.rows
        self._tree = tree = policy.model.tree
        self._deals = deals
        self._own = int(tree.kind[node])
        self._spent = int(tree.spent[node, self._own])
        self._every = np.arange(len(deals.weight))
        self._rng = rng
        self._random: list[NDArray[np.float64]] = []

    def won(self, node: int) -> NDArray[np.float64]:
        """Return (D,) chips of the tree that each deal comes to from a node on."""
        return self._won(node, self._every, 0) + self._spent

    def _won(self, node: int, which: NDArray[np.int64], depth: int) -> NDArray[np.float64]:
        """Return what some deals come to, less what was spent before."""
        tree, kind = self._tree, int(self._tree.kind[node])
        if kind == DEAL:
            return self._won(int(tree.first_child[node]), which, depth)
        if kind == SHOWDOWN:
            stake = float(tree.spent[node].min())
            return self._deals.won[which].astype(np.float64) * stake
        if kind == FOLDED:
            folder = int(tree.kind[tree.parent[node]])
            lost = float(tree.spent[node, folder])
            return np.full(len(which), -lost if folder == self._own else lost)
        chances = self._chances(node, which, depth)
        total = np.zeros(len(which))
        for column, child in enumerate(tree.children(node)):
            taken = np.flatnonzero(chances[:, column])
            if len(taken):
                won = self._won(child, which[taken], depth + 1)
                total[taken] += chances[taken, column] * won
        return total

    def _chances(self, node: int, which: NDArray[np.int64], depth: int) -> NDArray[np.float64]:
        """Return (W, A) how likely each action is with each deal; where it is drawn, 0 or 1."""
        deals, tree = self._deals, self._tree
        buckets = deals.own_buckets if tree.kind[node] == self._own else deals.theirs
        rows = self._rows(node, buckets[tree.street[node], which]).astype(np.float64)
        if self._rng is None or rows.shape[1] == 1:
            return rows
        while depth >= len(self._random):
            self._random.append(self._rng.random(len(self._every)))
        sums = rows.cumsum(axis=1)
        points = self._random[depth][which] * sums[:, -1]
        drawn = (sums <= points[:, None]).sum(axis=1)
        choices: NDArray[np.float64] = np.eye(rows.shape[1])[drawn]
        return choices


def _boards(
    board: tuple[int, ...], hole: Sequence[int], rng: np.random.Generator | None
) -> list[tuple[int, ...]]:
    """Return whole boards that may come: all, or some that are drawn whatever the hand."""
    missing = BOARD_CARDS - len(board)
    unseen = [card for card in range(CARDS) if card not in board]
    if rng is None:
        ends = list(permutations(unseen, missing))
    else:
        ends = [tuple(rng.permutation(unseen)[:missing].tolist()) for _ in range(_DRAWN_BOARDS)]
    return [(*board, *end) for end in ends if not set(end) & set(hole)]


def _combos(
    weights: NDArray[np.float64], ranks: NDArray[np.int32], rng: np.random.Generator | None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return combos of a range on a board, and what each of them stands for."""
    if rng is None:
        combos = np.flatnonzero(weights)
        return combos, weights[combos]
    order = np.argsort(ranks, kind="stable")
    sums = weights[order].cumsum()
    points = (np.arange(_COMBOS_A_BOARD) + rng.random()) / _COMBOS_A_BOARD * sums[-1]
    at = np.searchsorted(sums, points, side="right")
    return order[np.minimum(at, len(order) - 1)], np.full(len(at), sums[-1] / len(at))


def _corrected(
    chips: NDArray[np.float64], won: NDArray[np.float64], deals: _Deals, edge: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (A,) values corrected for the luck of the draws, and covariances of their errors.

    Boards are weighted by how much of the range they leave: errors are those of ratios of sums.

    Args:
        chips: (A,) means of the deals.
        won: (A, D) what they are means of.
        edge: the true mean of `deals.won`.
    """
    total = deals.weight.sum()
    luck = deals.won @ deals.weight / total
    apart = np.vstack([won - chips[:, None], deals.won - luck]) * deals.weight
    *rows, lucky = (np.bincount(deals.board, row) for row in apart)
    slope = np.stack(rows) @ lucky / (float(lucky @ lucky) or 1.0)
    by_board = np.stack(rows) - slope[:, None] * lucky
    boards = int(np.count_nonzero(np.bincount(deals.board)))
    spread = by_board @ by_board.T / total**2 * (boards / max(boards - 2, 1))
    return chips - slope * (luck - edge), spread
