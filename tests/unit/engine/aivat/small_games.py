"""Games with one private card, done the slow and obvious way: hands, strategies, values, ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from engine.aivat.value_function import Opposition
from engine.betting.policy import Strategy
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, RAISE
from protocol.gamedef import GameDef


class OneCardHands:
    """The cards of a deck, each a hand."""

    def __init__(self, game: GameDef) -> None:
        self.game = game
        self.deck = tuple(sorted(game.deck))
        self.size = len(self.deck)
        self._edges: dict[object, np.ndarray] = {}

    def next_hand(self, number: int) -> None:
        """Nothing is drawn."""

    def number(self, hole: Sequence[int]) -> int:
        (card,) = hole
        return self.deck.index(card)

    def unblocked(self, board: Sequence[int]) -> np.ndarray:
        return np.array([card not in board for card in self.deck])

    def met(self, weights: np.ndarray) -> np.ndarray:
        return weights.sum() - weights

    def shown(self, weights: np.ndarray, board: Sequence[int]) -> np.ndarray:
        cards, key = enumerate(self.deck), tuple(board)
        if key not in self._edges:
            self._edges[key] = np.array(
                [[own != c and self._edge(own, c, key) for c in self.deck] for _, own in cards]
            )
        return self._edges[key] @ weights

    def _edge(self, card: int, against: int, board: tuple[int, ...]) -> float:
        """P(win) - P(loss) over the boards to come."""
        if len(board) < self.game.board_total:
            left = [c for c in self.deck if c not in (card, against, *board)]
            return float(np.mean([self._edge(card, against, (*board, c)) for c in left]))
        if card in board or against in board:
            return 0.0
        end = HandState.start(self.game)
        while not end.over:
            end = end.apply(CALL)
        stake = min(end.spent)
        return hand_values(end, ((card,), (against,)), board)[0] / stake


class RandomStrategy:
    """Any strategy: shares drawn anew for every betting, board and hand; some actions never."""

    def __init__(self, game: GameDef, seed: int) -> None:
        self._size = len(tuple(sorted(game.deck)))
        self._seed = seed
        self._known: dict[object, Strategy] = {}

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        key = state.betting, tuple(board)
        if key not in self._known:
            self._known[key] = self._drawn(state, board)
        return self._known[key]

    def _drawn(self, state: HandState, board: Sequence[int]) -> Strategy:
        offered = [a for a in (FOLD, CALL, RAISE) if state.is_legal(a)]
        rng = _rng("strategy", self._seed, state.betting, tuple(board))
        shares = rng.random((self._size, len(offered))) + 0.01
        shares[rng.random(shares.shape) < 0.4] = 0.0
        shares[:, 0] += shares.sum(axis=1) == 0
        return Strategy(tuple(offered), (shares / shares.sum(axis=1, keepdims=True)))


class RandomValues:
    """Any value function: chips drawn for every betting, board and pair of hands."""

    digest = "random"

    def __init__(self, game: GameDef, seed: int) -> None:
        self._game = game
        self._deck = tuple(sorted(game.deck))
        self._seed = seed
        self._drawn: dict[object, np.ndarray] = {}
        self._means: dict[object, np.ndarray] = {}

    def worth(self, state: HandState, met: Opposition) -> np.ndarray:
        assert len(met.board) == self._game.board_seen(state.street)
        return self._sum(self._pairs(state, met.board), met)

    def worth_before_cards(self, state: HandState, met: Opposition) -> np.ndarray:
        key = state.betting, met.board
        if key not in self._means:
            self._means[key] = self._mean(state, met.board)
        return self._sum(self._means[key], met)

    def _mean(self, state: HandState, board: tuple[int, ...]) -> np.ndarray:
        """(H, H) the mean of what pairs are worth over the cards that may come."""
        size = len(self._deck)
        mean = np.zeros((size, size))
        for own in range(size):
            for other in range(size):
                held = self._deck[own], self._deck[other]
                left = [c for c in self._deck if c not in (*held, *board)]
                worths = [self._pairs(state, (*board, c))[own, other] for c in left]
                mean[own, other] = np.mean(worths)
        return mean

    def _pairs(self, state: HandState, board: tuple[int, ...]) -> np.ndarray:
        """(H, H) chips of position 0: its hand, the other's."""
        key = state.betting, board
        if key not in self._drawn:
            size = len(self._deck)
            self._drawn[key] = _rng("values", self._seed, *key).normal(size=(size, size)) * 10
        return self._drawn[key]

    def _sum(self, pairs: np.ndarray, met: Opposition) -> np.ndarray:
        mine = pairs if met.position == 0 else -pairs.T
        apart = 1 - np.eye(len(self._deck))
        return (mine * apart) @ met.weights


class End(NamedTuple):
    """A way in which a hand can go, cards and all."""

    chance: float
    state: HandState
    holes: tuple[tuple[int], tuple[int]]
    board: tuple[int, ...]


def all_ends(game: GameDef, policies: Mapping[int, RandomStrategy]) -> Iterator[End]:
    """Every way in which a hand between two strategies can go."""
    deck = tuple(sorted(game.deck))
    cards = 2 + game.board_total
    deals = list(permutations(deck, cards))
    for deal in deals:
        holes, board = ((deal[0],), (deal[1],)), deal[2:]
        stack = [(1.0 / len(deals), HandState.start(game))]
        while stack:
            chance, state = stack.pop()
            if state.over:
                yield End(chance, state, holes, board)
                continue
            seen = board[: game.board_seen(state.street)]
            strategy = policies[state.actor].strategy(state, seen)
            row = strategy.probabilities[deck.index(holes[state.actor][0])]
            stack += [
                (chance * share, state.apply(action))
                for action, share in zip(strategy.actions, row, strict=True)
                if share > 0
            ]


def _rng(*key: object) -> np.random.Generator:
    digest = hashlib.sha256(repr(key).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "little"))
