"""How fast evolved networks play and are asked, beside scripted players and beside PyTorch."""

import time

import numpy as np
import pytest

from agents.astar.bot import variant_policy
from agents.astar.family import ASTAR
from agents.recurrent.forward_kernels import run_net
from agents.recurrent.shape import NetShape, Stack, random_genome
from agents.roster.bots import find_agent
from engine.compiled.jit import kernel
from engine.equity.equity_tables import equity_tables
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin

HANDS = 20_000
GAME = load_builtin("hunl")
ROUNDS = 3


def shape_of(width):
    """The shipped shape, with another head."""
    return NetShape(
        Stack(1, 1, 10),
        Stack(1, 10, 5),
        (width, width),
        ASTAR.opponent_inputs,
        ASTAR.game_inputs,
        ASTAR.outputs,
    )


def timed_match(benchmark, player, opponent):
    """Let a player meet an opponent on one core; the same with O6 in its place is the baseline."""
    hands = HANDS if benchmark.enabled else 200
    tables = equity_tables()
    other = find_agent(opponent).compiled_policy(GAME, 2)
    scripted = find_agent("O6").compiled_policy(GAME, 1)
    settings = {"tables": tables, "threads": 1}
    for one in (player, scripted):
        play_matches(GAME, [(one, other)], 10, 1, **settings)
    benchmark.pedantic(play_matches, (GAME, [(player, other)], hands, 7), settings, rounds=ROUNDS)
    if benchmark.stats is None:  # run once, as a test
        return
    begun = time.perf_counter()
    play_matches(GAME, [(scripted, other)], hands, 7, **settings)
    seconds = time.perf_counter() - begun
    benchmark.extra_info["hands_per_s"] = round(hands / benchmark.stats["median"])
    benchmark.extra_info["ratio_to_scripted"] = round(seconds / benchmark.stats["median"], 3)


@pytest.mark.parametrize("opponent", ["O2", "O5", "O8"])
@pytest.mark.parametrize("width", [50, 100, 300])
def bench_one_network(benchmark, width, opponent):
    """Random weights: one network a decision, as in training."""
    shape = shape_of(width)
    genome = random_genome(shape, np.random.default_rng(1))
    timed_match(benchmark, ASTAR.policy(shape, genome, 2, 1), opponent)


@pytest.mark.parametrize("opponent", ["O2", "O5", "O8"])
def bench_ensemble(benchmark, opponent):
    """The shipped nine networks, and the library."""
    timed_match(benchmark, variant_policy(GAME, 1), opponent)


@kernel
def ask_often(sizes, genome, opponent, game, state, work, scores, passes):
    """Take one decision after the other."""
    for at in range(passes):
        row = at % len(opponent)
        run_net(sizes, genome, opponent[row], game[row], state, work, scores)


@pytest.mark.parametrize("width", [100, 300])
def bench_forward_pass(benchmark, width):
    """A decision's forward pass; PyTorch with a thousand decisions at once is the peer."""
    torch = pytest.importorskip("torch")
    from tests.oracles.recurrent_net import TorchNet

    shape, rng = shape_of(width), np.random.default_rng(1)
    genome = random_genome(shape, rng)
    passes, batch = (20_000 if benchmark.enabled else 10), 1000
    opponent = rng.random((batch, shape.opponent_inputs), np.float32)
    game = rng.random((batch, shape.game_inputs), np.float32)
    state = np.zeros(shape.state, np.float32)
    work, scores = np.zeros(shape.work, np.float32), np.zeros(shape.outputs, np.float32)

    given = (shape.sizes, genome, opponent, game, state, work, scores)
    ask_often(*given, 1)
    benchmark.pedantic(ask_often, (*given, passes), rounds=ROUNDS)
    if benchmark.stats is None:
        return
    net = TorchNet(shape, genome)
    tensors = [torch.tensor(one) for one in (opponent, game)]
    kept = torch.zeros(batch, shape.state)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.no_grad():
        net.forward(*tensors, kept)
        begun = time.perf_counter()
        for _ in range(passes // batch):
            _, kept = net.forward(*tensors, kept)
        seconds = time.perf_counter() - begun
    torch.set_num_threads(threads)
    benchmark.extra_info["us_per_decision"] = round(1e6 * benchmark.stats["median"] / passes, 2)
    benchmark.extra_info["ratio_to_torch"] = round(seconds / benchmark.stats["median"], 2)
