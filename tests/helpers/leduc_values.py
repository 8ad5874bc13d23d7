"""Situations in which Leduc's second round begins, and networks that have learnt what hands win.

A network sees the bet of each player in parts of the stack, the board's rank and both ranges; it
says pots.  Hands are in the order of the board: the card that pairs it, then the other ranks, both
suits of each.
"""

import numpy as np

from agents.deepstack.situations import random_range
from tests.helpers.leduc import ANTE, GAME, HANDS, MENU, STACK
from tests.oracles.leduc_round import round_of, solve_round

POTS = (100, 300, 900)
"""Bets of each player with which the second round begins where bets are pots."""
RANKS = 3
LIVE = HANDS.count - 1
FEATURES = 2 + RANKS + 2 * LIVE


def order_on(card):
    """(5,) the hands that a board leaves: the one that pairs it, then the others by rank."""
    live = [hand for hand in range(HANDS.count) if HANDS.deck[hand] != card]
    return np.array(sorted(live, key=lambda hand: (HANDS.deck[hand] >> 2 != card >> 2, hand)))


def rank_of(card):
    """0 to 2."""
    return (card >> 2) - (HANDS.deck[0] >> 2)


ORDERS = {card: order_on(card) for card in HANDS.deck}


def encoded(bets, cards, ranges):
    """What a network sees, how likely hands are, and what each hand can meet.

    Of N states: (N,) bets and boards, (N, 2, 6) ranges; the last result is (N, 2, 5).
    """
    orders = np.array([ORDERS[card] for card in cards])
    shares = np.take_along_axis(ranges.astype(float), orders[:, None].repeat(2, axis=1), axis=2)
    sums = shares.sum(axis=2, keepdims=True)
    shares = np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0)
    met = np.maximum(1 - shares[:, ::-1], 0)
    weights = shares * met
    total = weights.sum(axis=2, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    boards = np.eye(RANKS)[[rank_of(card) for card in cards]]
    stakes = np.stack([bets / STACK, np.log(bets / ANTE)], axis=1)
    features = np.concatenate([stakes, boards, shares.reshape(len(bets), -1)], axis=1)
    return features.astype(np.float32), weights.astype(np.float32), met * sums[:, ::-1]


def drawn_ranges(card, rng):
    """(2, 6) ranges: DeepStack's generator, or shares by rank; some hands never come at all."""
    strengths = np.full(HANDS.count, -1.0)
    strengths[ORDERS[card]] = (4, 0, 0, 1, 1)
    ranges = np.stack([random_range(strengths, rng) for _ in range(2)])
    if rng.uniform() < 0.9:  # as the first round has them: suits are alike
        for side in ranges:
            shares = np.array([rng.uniform(), rng.uniform(), rng.uniform()])
            kind = rng.integers(0, 3, RANKS)
            shares = np.where(kind == 0, shares, np.where(kind == 1, 1.0, shares**4))
            shares[rng.uniform(size=RANKS) < 0.15] = 0
            side[:] = np.repeat(shares if shares.any() else np.ones(RANKS), 2)
    ranges[:, HANDS.deck.index(card)] = 0
    for side in ranges:
        if not side.any():
            side[ORDERS[card]] = 1
    return ranges / ranges.sum(axis=1, keepdims=True)


def solved_situations(count, iterations, seed=1):
    """(features, weights, values) of so many situations that are solved."""
    rng = np.random.default_rng(seed)
    rounds = {}
    bets, cards = np.zeros(count, int), np.zeros(count, int)
    ranges, values = np.zeros((count, 2, HANDS.count)), np.zeros((count, 2, LIVE))
    for number in range(count):
        card = HANDS.deck[rng.integers(HANDS.count)]
        bet = int(rng.choice(POTS) if rng.uniform() < 0.8 else rng.integers(ANTE, STACK))
        if (bet, card) not in rounds:
            rounds[bet, card] = round_of(GAME, MENU, bet, card)
        bets[number], cards[number], ranges[number] = bet, card, drawn_ranges(card, rng)
        won = np.zeros((2, HANDS.count))
        solve_round(rounds[bet, card], ranges[number], iterations, won)
        values[number] = won[:, ORDERS[card]] / (2 * bet)
    features, weights, _ = encoded(bets, cards, ranges)
    return features, weights, values.astype(np.float32)


class NetworkRounds:
    """What a network says hands win where the second round begins."""

    def __init__(self, tree, network):
        """Ask a `RangeValueNetwork`."""
        self.tree, self.network = tree, network

    def values(self, request):
        """Return (L, 2, H); see `engine.range_solver.leaves`."""
        bets = self.tree.spent[[leaf.node for leaf in request.leaves], 0]
        cards = [leaf.board[-1] for leaf in request.leaves]
        features, weights, met = encoded(bets, cards, request.reach)
        won = self.network.values(features, weights) * met * 2 * bets[:, None, None]
        answers = np.zeros(request.reach.shape, np.float32)
        for answer, card, row in zip(answers, cards, won, strict=True):
            answer[:, ORDERS[card]] = row
        return answers


def suits_exchanged(batch, rng):
    """The same situations, with both suits of a rank exchanged at random: nobody tells them apart.

    The board's own rank has a single hand.
    """
    order = np.tile(np.arange(LIVE), (len(batch.features), 1))
    for first in range(1, LIVE, 2):
        pair = order[:, first : first + 2]
        pair[:] = np.where(rng.uniform(size=(len(order), 1)) < 0.5, pair, pair[:, ::-1])

    def moved(array):
        return np.take_along_axis(array, order[:, None].repeat(2, axis=1), axis=2)

    shares = batch.features[:, -2 * LIVE :].reshape(-1, 2, LIVE)
    features = batch.features.copy()
    features[:, -2 * LIVE :] = moved(shares).reshape(len(shares), -1)
    return batch._replace(
        features=features, weights=moved(batch.weights), values=moved(batch.values)
    )
