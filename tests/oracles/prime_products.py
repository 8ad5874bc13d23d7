"""The evaluator of five cards that the opponent-modelling patent has: words, tables and primes.

    card word   xxxbbbbb bbbbbbbb cdhsrrrr xxpppppp   a bit for the rank, the suit, the rank in
                                                      numbers, 0 for the deuce, and its prime
    flushes     (7937,)  value of a flush by the bits of its ranks, 31 to 7936
    unique5     (7937,)  likewise of five different ranks, 0 where there is a pair
    products    (4888,)  ascending, of the primes of all other hands; values (4888,) theirs

Values are the classical ones: 1 for the royal flush to 7462.  Seven cards are worth the best of
their 21 hands of five.  The functions are plain enough to be compiled as they are.
Source: Suffecool, "Cactus Kev's poker hand evaluator", web page, 2006, from which the patent's
tables are.
"""

from itertools import combinations, combinations_with_replacement
from math import prod

import numpy as np

from tests.oracles.evaluator import strength

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
FIVES = np.array(list(combinations(range(7), 5)), np.int64)
"""(21, 5)"""
BITS = 7937


def words():
    """Return (52,) int64, the words of cards 4 rank + suit, suits c d h s."""
    return np.array(
        [
            1 << 16 + card // 4 | 1 << 15 - card % 4 | card // 4 << 8 | PRIMES[card // 4]
            for card in range(52)
        ],
        np.int64,
    )


def tables():
    """Return flushes, unique5, products and values, int64, from hands put in order one by one."""
    plain = [
        ranks
        for ranks in combinations_with_replacement(range(13), 5)
        if max(map(ranks.count, ranks)) <= 4
    ]
    keys = {(ranks, False): _key(ranks, suited=False) for ranks in plain}
    keys |= {(r, True): _key(r, suited=True) for r in plain if len(set(r)) == 5}
    order = {key: place for place, key in enumerate(sorted(set(keys.values()), reverse=True), 1)}
    flushes, unique5 = np.zeros(BITS, np.int64), np.zeros(BITS, np.int64)
    rest = {}
    for (ranks, suited), key in keys.items():
        if len(set(ranks)) == 5:
            (flushes if suited else unique5)[sum(1 << rank for rank in ranks)] = order[key]
        else:
            rest[prod(PRIMES[rank] for rank in ranks)] = order[key]
    products = np.array(sorted(rest), np.int64)
    return flushes, unique5, products, np.array([rest[one] for one in products.tolist()], np.int64)


def _key(ranks, *, suited):
    """The oracle's key of five ranks, of one suit or of no flush."""
    seen = [0] * 13
    cards = []
    for place, rank in enumerate(ranks):
        suit = 0 if suited else (seen[rank] + (place == 4 and len(set(ranks)) == 5)) % 4
        seen[rank] += 1
        cards.append(4 * rank + suit)
    return strength(cards)


def value_of_five(cards, flushes, unique5, products, values):
    """Return the value of (5,) card words."""
    bits = (cards[0] | cards[1] | cards[2] | cards[3] | cards[4]) >> 16
    if cards[0] & cards[1] & cards[2] & cards[3] & cards[4] & 0xF000:
        return flushes[bits]
    if unique5[bits]:
        return unique5[bits]
    product = 1
    for card in cards:
        product *= card & 0xFF
    low, high = 0, len(products) - 1
    while low < high:
        middle = (low + high) // 2
        if products[middle] < product:
            low = middle + 1
        else:
            high = middle
    return values[low]


def fill_values(five, hands, words, fives, flushes, unique5, products, values, out):
    """Write the values of (N, K) cards to out (N,): the best of the hands of five among them.

    Args:
        five: `value_of_five`, compiled where this is.
        hands: of 5 or 7 cards.
        words: of all cards.
        fives: (21, 5) places of five of seven cards, or (1, 5).
        flushes: as the other tables, see the module.
        unique5: likewise.
        products: likewise.
        values: likewise.
        out: the result.
    """
    cards = np.empty(5, np.int64)
    for hand in range(len(hands)):
        best = 7463
        for some in range(len(fives)):
            for place in range(5):
                cards[place] = words[hands[hand, fives[some, place]]]
            best = min(best, five(cards, flushes, unique5, products, values))
        out[hand] = best
