"""How fast compiled policies play, against the same policies hand by hand; and p of one hand."""

import time

import numpy as np
import pytest

from agents.roster.contestants import find_contestants
from engine.equity.equity_tables import equity_level, equity_tables
from engine.play.compiled_match import play_matches
from engine.play.simulate import play_hands
from protocol.gamedefs import load_builtin
from tests.benchmarks.timing import note
from tests.helpers.bulk_policies import plain
from tests.oracles.bulk import SlowPlayer

HANDS = 40_000
SLOW_HANDS = 60
PAIR = (plain(), plain(0.2, 0.6, 0.2, 3))


@pytest.fixture(scope="module")
def tables():
    """The tables, compiled code and the exact equity are there before anything is timed."""
    found = equity_tables()
    for name in ("hunl", "hulhe"):
        play_matches(load_builtin(name), [PAIR], 10, 1, tables=found)
    equity_level((0, 1), (2, 3, 4))
    return found


@pytest.fixture
def hands(benchmark):
    """Hands of a match: a few where it is only run once, as a test."""
    return HANDS if benchmark.enabled else 400


@pytest.mark.parametrize("name", ["hunl", "hulhe"])
def bench_match(benchmark, tables, hands, name):
    """One match on one core; the same by `engine.play.simulate.play_hands` is the baseline."""
    game = load_builtin(name)
    (found,) = benchmark.pedantic(
        play_matches,
        (game, [PAIR], hands, 7),
        {"tables": tables, "threads": 1},
        rounds=5,
        warmup_rounds=1,
    )
    if benchmark.stats is None:  # run once, as a test
        return
    players = [SlowPlayer(policy) for policy in PAIR]

    def act(player):
        def decide(view):
            if len(view.state.betting) <= 1:
                player.begin_hand()
            return player.act(view)

        return decide

    seated = [act(player) for player in players]
    play_hands(game, 8, 2, seated)
    start = time.perf_counter()
    slow = play_hands(game, 7, SLOW_HANDS, seated)
    seconds = time.perf_counter() - start
    hands_per_s = hands / benchmark.stats["median"]
    memory = found.memories[0][0]
    benchmark.extra_info["hands_per_s"] = round(hands_per_s)
    benchmark.extra_info["actions_a_hand"] = round(memory[0] / hands, 2)
    benchmark.extra_info["showdowns"] = round(memory[4] / hands, 3)
    benchmark.extra_info["ratio_to_simulate"] = round(hands_per_s / (SLOW_HANDS / seconds))
    assert slow.shape == (SLOW_HANDS, 2)


@pytest.mark.parametrize("names", [("O5", "O8"), ("O3", "O6"), ("solid", "pressure")], ids=str)
def bench_pool_pair(benchmark, tables, hands, names):
    """Two bots of the pool on one core."""
    game = load_builtin("hunl")
    pair = [one.compiled_policy(game, 7) for one in find_contestants(names)]
    play_matches(game, [pair], 10, 1, tables=tables)
    benchmark.pedantic(
        play_matches, (game, [pair], hands, 7), {"tables": tables, "threads": 1}, rounds=5
    )
    note(benchmark, hands_per_s=lambda median: round(hands / median))


def bench_crosstable(benchmark, tables):
    """Eight policies in duplicate against each other, on all cores."""
    game = load_builtin("hunl")
    players = [plain(0.1 * n, 0.5 + 0.05 * n, seed=n) for n in range(8)]
    pairs = [(one, other) for n, one in enumerate(players) for other in players[:n]]
    benchmark.pedantic(
        play_matches, (game, pairs, 1000, 7), {"tables": tables, "duplicate": True}, rounds=3
    )
    hands = 2 * 1000 * len(pairs)
    note(benchmark, hands_per_s=lambda median: round(hands / median))


@pytest.mark.parametrize(("board", "rounds"), [(3, 20), (4, 200), (5, 500)])
def bench_exact_equity(benchmark, tables, board, rounds):
    """p of one hand without tables: flop, turn, river."""
    rng = np.random.default_rng(board)
    cards = iter([rng.permutation(52)[: 2 + board].tolist() for _ in range(rounds + 1)])

    def one_hand():
        row = next(cards)
        return equity_level(row[:2], row[2:])

    benchmark.pedantic(one_hand, rounds=rounds, warmup_rounds=1)
    note(benchmark, hands_per_s=lambda median: round(1 / median))
