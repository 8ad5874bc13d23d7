"""Speed of suit-canonical indices and of the preflop tables, one core; unit: seconds a batch.

The baseline of the indices is what comes to mind first: rename the suits in all 24 ways and keep
the smallest result, compiled as well; it gives a canonical deal and no number yet.  That of the
preflop tables is playing out the boards.
"""

import time
from itertools import permutations

import numpy as np
import pytest

from engine.compiled.jit import kernel
from engine.equity import preflop
from engine.equity.equity import matchups
from engine.equity.preflop import read_counts
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.isomorphism_kernels import (
    SCRATCH,
    class_of_suits,
    clear_suits,
    deal_group,
)
from protocol.cards import parse_cards
from tests.benchmarks.timing import note, seconds_of

DEALS = 200_000
GROUPINGS = [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1), (2, 4), (2, 5), (5,)]
RENAMINGS = np.array(list(permutations(range(4))), np.int64)


@pytest.fixture(scope="module")
def deals():
    """Random hands of seven cards."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (DEALS, 1))
    return np.random.default_rng(1).permuted(deck, axis=1)[:, :7].copy()


@kernel
def smallest_renamed(groups, renamings, cards, out):
    """Write the smallest renaming of each row of cards (N, K), a mask for each group, to out."""
    candidate = np.empty(len(groups), np.uint64)
    for row in range(len(cards)):
        for way in range(len(renamings)):
            start = 0
            for group in range(len(groups)):
                mask = np.uint64(0)
                for i in range(start, start + groups[group]):
                    card = np.int64(cards[row, i])
                    mask |= np.uint64(1) << np.uint64(card - (card & 3) + renamings[way, card & 3])
                candidate[group] = mask
                start += groups[group]
            smaller = way == 0
            for group in range(len(groups)):
                if candidate[group] != out[row, group]:
                    smaller = smaller or candidate[group] < out[row, group]
                    break
            if smaller:
                out[row] = candidate


@kernel
def street_by_street(flop, turn, river, suits, cards, classes):
    """Index hands (N, 7) on three streets, each going on from the one before, into (N, 3)."""
    for row in range(len(cards)):
        hand = cards[row]
        clear_suits(suits)
        deal_group(flop, suits, 0, hand, 0, 2)
        deal_group(flop, suits, 1, hand, 2, 5)
        classes[row, 0] = class_of_suits(flop, suits)
        deal_group(turn, suits, 2, hand, 5, 6)
        classes[row, 1] = class_of_suits(turn, suits)
        deal_group(river, suits, 3, hand, 6, 7)
        classes[row, 2] = class_of_suits(river, suits)


def note_speed(benchmark, count, baseline=None):
    """Note how many a second, and how many times faster than the baseline's seconds."""
    facts = {"look_ups_per_s": lambda s: count / s, "ns_each": lambda s: 1e9 * s / count}
    if baseline is not None:
        facts["ratio_to_baseline"] = lambda median: baseline / median
    note(benchmark, **facts)


def seconds(function, *arguments):
    """Return the time of a call, the best of three after one to compile."""
    function(*arguments)
    return seconds_of(function, *arguments, repeats=3)


@pytest.mark.parametrize("groups", GROUPINGS, ids=str)
def bench_index(benchmark, deals, groups):
    """Cards to classes; the ratio is to the smallest of 24 renamings."""
    index = CanonicalIndex(groups)
    cards = deals[:, : sum(groups)].copy()
    index.index(cards)
    benchmark.pedantic(index.index, (cards,), rounds=15, iterations=1)
    out = np.empty((len(cards), len(groups)), np.uint64)
    sizes = np.array(groups, np.int64)
    note_speed(benchmark, DEALS, seconds(smallest_renamed, sizes, RENAMINGS, cards, out))


def bench_index_street_by_street(benchmark, deals):
    """Flop, turn and river of one hand in one go: three look-ups."""
    tables = [CanonicalIndex(groups).tables for groups in GROUPINGS[1:4]]
    arguments = (*tables, np.empty(SCRATCH, np.int64), deals, np.empty((DEALS, 3), np.int64))
    street_by_street(*arguments)
    benchmark.pedantic(street_by_street, arguments, rounds=15, iterations=1)
    note_speed(benchmark, 3 * DEALS)


@pytest.mark.parametrize("groups", GROUPINGS, ids=str)
def bench_cards(benchmark, deals, groups):
    """Classes to cards."""
    index = CanonicalIndex(groups)
    classes = index.index(deals[:, : sum(groups)].copy())
    index.cards(classes)
    benchmark.pedantic(index.cards, (classes,), rounds=15, iterations=1)
    note_speed(benchmark, DEALS)


def bench_preflop_hand_against_random(benchmark):
    """Aces against all 1225 other hands, from the table; the ratio is to playing them out."""
    aces, kings = parse_cards("AsAh"), parse_cards("KsKh")
    against_random = preflop.equities_against_random()
    benchmark.pedantic(preflop.equities_against_random, rounds=15, iterations=1)
    matchups(kings, by_table=False)
    start = time.perf_counter()
    result = matchups(aces, by_table=False)
    note_speed(benchmark, 169, time.perf_counter() - start)
    share = (result.win + result.tie / 2).sum() / (1225 * result.boards)
    assert against_random[0] == pytest.approx(share, abs=1e-12)


def bench_preflop_one_matchup(benchmark):
    """One hand against another, a Python call each."""
    preflop.preflop_equity(1325, 0)
    benchmark.pedantic(preflop.preflop_equity, (1325, 0), rounds=15, iterations=100)
    note_speed(benchmark, 1)


def bench_preflop_all_combos(benchmark):
    """The whole matrix of 1326 by 1326."""
    preflop.combo_equities()
    benchmark.pedantic(preflop.combo_equities, rounds=10, iterations=1)
    note_speed(benchmark, 1326 * 1326)


def bench_preflop_file(benchmark):
    """Reading and checking the shipped counts, which the first question waits for."""
    benchmark.pedantic(read_counts, rounds=15, iterations=1, warmup_rounds=1)
