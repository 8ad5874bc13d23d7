"""Speed of equities and potentials, one core; unit: seconds per call."""

import statistics

import numpy as np
import pytest

from engine.equity.equity import exact_hand_equity, exact_range_equity
from engine.equity.potential import hand_potentials, hand_strengths
from engine.equity.sampling import sampled_equity
from engine.hands.cards import COMBOS
from engine.hands.range_text import parse_range
from protocol.cards import CARD_TEXT, parse_cards
from tests.benchmarks.timing import seconds_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of eval7
]
ANY = np.ones(COMBOS)
FLOP = parse_cards("Ts9s2d")
RIVER = parse_cards("Ts9s2d3c4h")


def weights():
    """A range in which no two suits are alike."""
    return np.random.default_rng(5).random(COMBOS)


def measure(benchmark, work, *arguments, rounds=15, **options):
    """Measure some work, compiled beforehand; return the median in seconds, None if only tried."""
    work(*arguments, **options)
    benchmark.pedantic(work, arguments, options, rounds=rounds, iterations=1)
    return None if benchmark.stats is None else benchmark.stats.stats.median


def seconds(work, *arguments, repeats=5):
    """Return the median time of a baseline."""
    return seconds_of(work, *arguments, repeats=repeats, choose=statistics.median)


def bench_aces_against_a_random_hand_counted(benchmark):
    """2 097 572 400 deals, up to the names of suits.  Baseline: one duel after another."""
    median = measure(benchmark, exact_range_equity, parse_range("AsAh"), ANY, by_table=False)
    if median is not None:
        duels = [[parse_cards("AsAh"), parse_cards(f"{rank}d3c")] for rank in "456789TJQK"]
        each = seconds(lambda: [exact_hand_equity(duel) for duel in duels], repeats=1) / len(duels)
        benchmark.extra_info["deals_per_s"] = 1225 * 1712304 / median
        benchmark.extra_info["ratio_to_1225_duels"] = 1225 * each / median


def bench_aces_against_a_random_hand_looked_up(benchmark):
    """The same from the shipped table."""
    measure(benchmark, exact_range_equity, parse_range("AsAh"), ANY)


def bench_random_ranges_before_the_flop_looked_up(benchmark):
    """All 1326 combos against all others."""
    measure(benchmark, exact_range_equity, weights(), weights(), rounds=5)


def bench_ranges_on_the_flop(benchmark):
    """Two ranges of 1176 combos, 1176 run-outs.  Baseline: eval7, all pairs on all run-outs."""
    median = measure(benchmark, exact_range_equity, weights(), weights()[::-1].copy(), FLOP)
    if median is not None:
        benchmark.extra_info["ratio_to_eval7"] = 1176 * 1176 * _eval7_on_the_river() / median


def bench_one_hand_on_the_flop(benchmark):
    """One hand against 1081 combos on 1081 run-outs.  Baseline: eval7 on each of them."""
    median = measure(benchmark, exact_range_equity, parse_range("AhKh"), ANY, FLOP)
    if median is not None:
        benchmark.extra_info["ratio_to_eval7"] = 1081 * _eval7_on_the_river() / median


def bench_one_hand_on_the_river(benchmark):
    """One hand against 990 combos.  Baseline: the same with eval7, its range read beforehand."""
    median = measure(benchmark, exact_range_equity, parse_range("AhKh"), ANY, RIVER, rounds=50)
    if median is not None:
        benchmark.extra_info["ratio_to_eval7"] = _eval7_on_the_river() / median


def bench_samples_on_the_flop(benchmark):
    """100 000 random deals.  Baseline: eval7's Monte Carlo, as many deals."""
    rng = np.random.default_rng(1)
    ranges = [parse_range("AhKh"), ANY]
    median = measure(benchmark, sampled_equity, ranges, FLOP, 100_000, rng)
    if median is not None:
        import eval7

        hole, range_, board = _for_eval7(eval7, FLOP)
        theirs = seconds(eval7.py_hand_vs_range_monte_carlo, hole, range_, board, 100_000)
        benchmark.extra_info["deals_per_s"] = 100_000 / median
        benchmark.extra_info["ratio_to_eval7"] = theirs / median


def bench_strength_of_all_hands_on_the_flop(benchmark):
    """HS of 1176 hands against a weighted range."""
    measure(benchmark, hand_strengths, FLOP, weights(), rounds=100)


@pytest.mark.parametrize("ahead", [1, 2])
def bench_potential_of_all_hands_on_the_flop(benchmark, ahead):
    """HS, PPot, NPot, EHS of 1176 hands against a weighted range."""
    measure(benchmark, hand_potentials, FLOP, weights(), ahead)


def _eval7_on_the_river():
    """Return the time that eval7 takes for a hand against all others on a whole board."""
    import eval7

    hole, range_, board = _for_eval7(eval7, RIVER)
    return seconds(eval7.py_hand_vs_range_exact, hole, range_, board, repeats=25)


def _for_eval7(eval7, board):
    """Return AhKh, any two cards, and a board, as eval7 has them."""
    from itertools import combinations

    cards = [eval7.Card(text) for text in CARD_TEXT]
    range_ = eval7.HandRange("22+")
    range_.hands = [(pair, 1.0) for pair in combinations(cards, 2)]
    return [eval7.Card("Ah"), eval7.Card("Kh")], range_, [cards[card] for card in board]
