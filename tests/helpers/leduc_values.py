"""Situations in which Leduc's second round begins, and networks that have learnt what hands win.

Seen from the board there are three ranks: the one that it pairs (1 hand), the lower and the higher
of the others (2 hands each).  In that order every board is the same game, and while nobody tells
suits apart a range is three numbers.  A network sees the bet of each player in parts of the stack,
both ranges, and what each rank wins if nobody bets; it says how many pots more or less that is.
"""

from typing import NamedTuple

import numpy as np

from agents.deepstack.situations import random_range
from engine.range_solver.leaves import LeafRequest
from tests.helpers.leduc import ANTE, ORDERS, RANKS, STACK, solved
from tests.helpers.torch_threads import one_torch_thread

POTS = (100, 300, 900)
"""Bets of each player with which the second round begins where bets are pots."""
HANDS_OF_RANK = np.array([1, 2, 2])
_HAND_RANKS = np.repeat(np.arange(RANKS), HANDS_OF_RANK)
_WINS = np.array([[0, 1, 1], [-1, 0, -1], [-1, 1, 0]])
_PAIRS = np.outer(HANDS_OF_RANK, HANDS_OF_RANK) - np.diag(HANDS_OF_RANK)
"""How many pairs of hands that share no card two ranks have."""
_MET = _PAIRS / np.outer(HANDS_OF_RANK, HANDS_OF_RANK)


class Arrivals(NamedTuple):
    """N public states in which the second round begins."""

    bets: np.ndarray
    """(N,) chips that each player has put in."""
    shares: np.ndarray
    """(N, 2, 3) of each range by rank, in the order of the board; they sum to 1."""

    def rows(self, numbers):
        """Some of them."""
        return Arrivals(self.bets[numbers], self.shares[numbers])


class Encoded(NamedTuple):
    """What a network sees of N states, and what its values count for."""

    features: np.ndarray
    """(N, F) float32"""
    weights: np.ndarray
    """(N, 2, 3) float32 how likely ranks are when two hands that share no card are dealt."""
    base: np.ndarray
    """(N, 2, 3) float32 pots that ranks win if nobody bets."""


def encoded(states):
    """What a network sees of arrivals."""
    bets, shares = states
    met = shares[:, ::-1] @ _MET
    weights = shares * met
    total = weights.sum(axis=2, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    won = shares[:, ::-1] @ (_WINS * _MET).T / 2
    base = np.divide(won, met, out=np.zeros_like(won), where=met > 1e-9)
    stakes = np.stack([bets / STACK, np.log(bets / ANTE)], axis=1)
    flat = [part.reshape(len(bets), -1) for part in (shares, base)]
    features = np.concatenate([stakes, *flat], axis=1)
    return Encoded(*(part.astype(np.float32) for part in (features, weights, base)))


def drawn(count, rng):
    """Arrivals by DeepStack's generator, or with shares of ranks drawn one by one, some of them 0.

    A fifth has bets that pots do not make.
    """
    drawn_bets = np.where(
        rng.uniform(size=count) < 0.8, rng.choice(POTS, count), rng.integers(ANTE, STACK, count)
    )
    shares = np.empty((count, 2, RANKS))
    strengths = np.array([4.0, 0, 0, 1, 1])
    for side in shares.reshape(-1, RANKS):
        if rng.uniform() < 0.1:
            side[:] = _by_rank(random_range(strengths, rng))
            continue
        kind = rng.integers(0, 3, RANKS)
        likely = rng.uniform(size=RANKS)
        likely = np.where(kind == 0, likely, np.where(kind == 1, 1.0, likely**4))
        likely[rng.uniform(size=RANKS) < 0.15] = 0
        side[:] = HANDS_OF_RANK * (likely if likely.any() else 1.0)
    return Arrivals(drawn_bets, shares / shares.sum(axis=2, keepdims=True))


def labelled(states, iterations):
    """(N, 2, 3) pots that ranks win, solved by so many iterations."""
    ranges = (states.shares / HANDS_OF_RANK)[:, :, _HAND_RANKS]
    won = _by_rank(solved(states.bets, ranges, iterations)) / HANDS_OF_RANK
    return won / (2 * states.bets[:, None, None])


def _by_rank(hands):
    """Sums over the hands of each rank."""
    return np.add.reduceat(hands, [0, 1, 3], axis=-1)


def learnt(states, values, plan):
    """A `RangeValueNetwork` that has learnt from (N, 2, 3) pots, by a `TrainingPlan`."""
    from agents.deepstack.net import Situations, train

    seen = encoded(states)
    counts = np.broadcast_to(HANDS_OF_RANK.astype(np.float32), values.shape)
    beyond = (values - seen.base).astype(np.float32)
    with one_torch_thread():  # so that equal seeds make equal networks
        return train(Situations(seen.features, seen.weights, beyond, np.array(counts)), plan)


def distinct(recorded, most, rng):
    """At most so many of the states in a list of arrivals: no two alike, none without a range."""
    states = Arrivals(*map(np.concatenate, zip(*recorded, strict=True)))
    states = states.rows((states.shares.sum(axis=2) > 0).all(axis=1))
    flat = np.column_stack([states.bets, states.shares.reshape(len(states.bets), -1)])
    _, firsts = np.unique(flat.round(5), axis=0, return_index=True)
    return states.rows(rng.permutation(firsts)[:most])


class NetworkRounds:
    """What a network says hands win where the second round begins."""

    def __init__(self, tree, network, recorded=None):
        """Ask a `RangeValueNetwork`; a list, if there is one, gets all that is asked about."""
        self.tree, self.network, self.recorded = tree, network, recorded

    def values(self, request: LeafRequest):
        """Return (L, 2, H); see `engine.range_solver.leaves`."""
        orders = np.array([ORDERS[leaf.board[-1]] for leaf in request.leaves])[:, None]
        orders = orders.repeat(2, axis=1)
        reach = np.take_along_axis(request.reach, orders, axis=2)
        total = reach.sum(axis=2, keepdims=True)
        shares = np.divide(reach, total, out=np.zeros_like(reach), where=total > 0)
        bets = self.tree.spent[[leaf.node for leaf in request.leaves], 0]
        states = Arrivals(bets, _by_rank(shares))
        if self.recorded is not None:
            self.recorded.append(states)
        seen = encoded(states)
        pots = self.network.values(seen.features, seen.weights) + seen.base
        won = pots[:, :, _HAND_RANKS] * (total - reach)[:, ::-1] * 2 * bets[:, None, None]
        answers = np.zeros(request.reach.shape, np.float32)
        np.put_along_axis(answers, orders, won.astype(np.float32), axis=2)
        return answers
