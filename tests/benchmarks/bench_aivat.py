"""Speed of AIVAT on a log of the blueprint against itself, one core; unit: hands a second."""

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from agents.aivat.estimating import EstimateConfig, Estimator
from agents.training.logs import read_hands
from engine.aivat.equity_values import shipped_values
from engine.equity.equity import matchups
from engine.equity.range_showdowns import RangeShowdowns
from engine.hands.cards import COMBO_CARDS, card_bits, live_combos
from tests.benchmarks.timing import note

LOG = Path(__file__).parents[1] / "golden" / "aivat" / "blueprint.twin.log"
NOBODY: dict[str, str] = {}
ONE = {"blueprint": "blueprint"}
BOTH = {**ONE, "twin": "blueprint"}


@pytest.mark.parametrize("known", [NOBODY, ONE, BOTH], ids=["nobody", "one", "both"])
def bench_hands(benchmark, tmp_path, known):
    """Hands of a log; beside it, the time to read them and check their rules."""
    log = Path(shutil.copy(LOG, tmp_path / "m.log"))
    start = time.perf_counter()
    hands = list(read_hands([log]))
    reading = time.perf_counter() - start
    estimator = Estimator(EstimateConfig(known, shipped_values(no_limit=True), {}, 1))
    estimator((0, hands))  # compiles

    def estimate():
        # the boards of these few hands must not be known from the round before
        again = Estimator(EstimateConfig(known, shipped_values(no_limit=True), {}, 1))
        again((0, hands[:1]))
        start = time.perf_counter()
        again((1, hands[1:]))
        return time.perf_counter() - start

    spent = benchmark.pedantic(estimate, rounds=1, iterations=1)
    benchmark.extra_info["hands_per_s"] = (len(hands) - 1) / spent
    benchmark.extra_info["ratio_to_reading"] = spent / reading


def bench_showdowns_of_a_range(benchmark):
    """All hands against a range on the turn; beside it, hand by hand."""
    board = (0, 5, 20, 33)
    weights = np.random.default_rng(1).random(len(COMBO_CARDS))
    showdowns = RangeShowdowns(board)
    benchmark(lambda: showdowns.shown(weights))
    start = time.perf_counter()
    for combo in np.flatnonzero(live_combos(card_bits(board)))[:20].tolist():
        found = matchups(COMBO_CARDS[combo].tolist(), board)
        assert float(weights @ (found.win - found.lose)) != 0
    one_by_one = (time.perf_counter() - start) / 20 * len(COMBO_CARDS)
    note(benchmark, ratio_one_by_one=lambda median: one_by_one / median)
