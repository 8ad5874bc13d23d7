"""Speed of evaluating hands, one core; unit: seconds per call, hands/s beside it.

Peers are evaluators that can be installed from PyPI, called from Python in their fastest way; each
is measured in the same run, on part of the same hands.
"""

import importlib
import statistics
import subprocess
import sys
from math import comb

import numpy as np
import pytest

from engine.compiled.jit import kernel
from engine.equity import allin_kernels
from engine.showdown import tables
from engine.showdown.ranks import classical_rank, ranks
from engine.showdown.strength_kernels import strengths
from protocol.cards import CARD_TEXT, parse_cards
from tests.benchmarks.timing import note, seconds_of
from tests.helpers.all_hands import count_categories
from tests.oracles import prime_products

pytestmark = pytest.mark.slow

HANDS = 1_000_000


@pytest.fixture(scope="module")
def hands():
    """A million random hands of seven cards, (N, 7) uint8."""
    generator = np.random.default_rng(7)
    parts = [generator.random((HANDS // 20, 52)).argpartition(7)[:, :7] for _ in range(20)]
    return np.concatenate(parts).astype(np.uint8)


def note_speed(benchmark, hands):
    """Note hands/s beside the time and return it; 0 where benchmarks are only tried out."""
    note(benchmark, hands_per_s=lambda median: hands / median)
    return benchmark.extra_info.get("hands_per_s", 0.0)


def speed_of(evaluate, hands, rounds=5):
    """Hands/s of an ordinary function, the median of some calls."""
    return hands / seconds_of(evaluate, repeats=rounds, choose=statistics.median)


def phevaluator(hands):
    """The C function of phevaluator's extension module, over columns of cards."""
    evaluate = importlib.import_module("phevaluator._pheval").evaluate_7cards
    columns = hands.T.tolist()
    return lambda: list(map(evaluate, *columns))


def eval7(hands):
    """The C function of eval7, over lists of its cards."""
    module = importlib.import_module("eval7")
    deck = [module.Card(text) for text in CARD_TEXT]
    dealt = [[deck[card] for card in hand] for hand in hands.tolist()]
    return lambda: list(map(module.evaluate, dealt))


def treys(hands):
    """Plain Python."""
    module = importlib.import_module("treys")
    deck = [module.Card.new(text) for text in CARD_TEXT]
    dealt = [([deck[c] for c in hand[:2]], [deck[c] for c in hand[2:]]) for hand in hands.tolist()]
    evaluate = module.Evaluator().evaluate
    return lambda: [evaluate(hole, board) for hole, board in dealt]


def bench_random_hands(benchmark, hands):
    """Seven-card hands, rows in and ranks out, checks included."""
    got = ranks(hands)
    benchmark.pedantic(ranks, (hands,), rounds=201)
    ours = note_speed(benchmark, HANDS)
    for peer, count in ((phevaluator, 100_000), (eval7, 50_000), (treys, 2_000)):
        pytest.importorskip(peer.__name__)
        theirs = peer(hands[:count])
        if peer is not eval7:  # has a scale of its own
            assert theirs() == classical_rank(got[:count]).tolist()
        benchmark.extra_info[f"ratio_to_{peer.__name__}"] = ours / speed_of(theirs, count)


@pytest.mark.parametrize("count", [5, 7])
def bench_primes_and_products(benchmark, hands, count):
    """The opponent-modelling patent's evaluator of five cards, compiled as ours is."""
    made, words = prime_products.tables(), prime_products.words()
    some = np.ascontiguousarray(hands[:50_000, :count])
    fives = prime_products.FIVES if count == 7 else np.arange(5)[None]
    five, fill = map(kernel, (prime_products.value_of_five, prime_products.fill_values))
    out = np.empty(len(some), np.int64)
    fill(five, some, words, fives, *made, out)
    assert (out == classical_rank(ranks(some))).all()
    benchmark.pedantic(fill, (five, some, words, fives, *made, out), rounds=21)
    theirs = note_speed(benchmark, len(some))
    if theirs:
        benchmark.extra_info["ratio_to_ours"] = theirs / speed_of(lambda: ranks(some), len(some))


def bench_random_hands_by_strength(benchmark, hands):
    """The evaluator for 1 to 10 cards, which compares masks and needs a small table only."""
    strengths(hands)
    benchmark.pedantic(strengths, (hands,), rounds=21)
    note_speed(benchmark, HANDS)


def bench_all_hands(benchmark):
    """All 133 784 560 hands of seven cards, enumerated and counted by category."""
    wanted = count_categories(7)
    assert benchmark.pedantic(count_categories, (7,), rounds=11) == wanted
    note_speed(benchmark, comb(52, 7))


def bench_tables(benchmark):
    """Building all tables in a fresh process, imports not counted."""
    code = (
        "import time, numpy; from engine.showdown import tables; start = time.perf_counter();"
        "tables.card_keys(), tables.card_masks(), tables.flush_ranks();"
        "[tables.plain_ranks(n) for n in (5, 6, 7)]; print(time.perf_counter() - start)"
    )

    def build():
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        return float(done.stdout)

    building = [benchmark.pedantic(build, rounds=1)] + [build() for _ in range(4)]
    benchmark.extra_info["building_s"] = statistics.median(building)
    for cards in (5, 6, 7):
        arrays = tables.plain_ranks(cards)
        benchmark.extra_info[f"bytes_{cards}_cards"] = sum(array.nbytes for array in arrays)


@pytest.mark.parametrize("texts", [("AsAh", "KsKh"), ("AsAh", "KsKh", "7d6d")], ids=len)
def bench_run_out(benchmark, texts):
    """Every board of five cards for two or three hands that are all-in before the flop."""
    holes = np.array([parse_cards(text) for text in texts])
    live = np.setdiff1d(np.arange(52, dtype=np.uint8), holes.astype(np.uint8))
    keys = tables.card_keys()[holes].sum(axis=1)
    masks = tables.card_masks()[holes].sum(axis=1)
    pots = np.array([len(texts)])

    def run_out(kernel, *arguments):
        counts = np.zeros((1, len(texts), len(texts) + 1), np.int64)
        kernel(live, 5, *arguments, counts)
        return counts.tolist()

    ranked = (allin_kernels.count_ranked_boards, np.stack((keys, masks)), pots)
    ranked += tables.plain_ranks(7)
    general = (allin_kernels.count_boards, masks, pots)
    assert run_out(*ranked) == run_out(*general)
    benchmark.pedantic(run_out, ranked, rounds=21)
    if benchmark.stats is not None:
        seconds = 1 / speed_of(lambda: run_out(*general), 1)
        median = benchmark.stats.stats.median
        benchmark.extra_info["boards_per_s"] = comb(len(live), 5) / median
        benchmark.extra_info["ratio_to_strengths"] = seconds / median
