"""How fast logs become records and planes, and how fast the network decides and learns."""

import time

import numpy as np
import pytest

from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS
from agents.poker_cnn.forward_kernels import run_cnn
from agents.poker_cnn.hand_kernels import HandRows, StateRows, encode_states, new_replay
from agents.poker_cnn.planes import PLANES, SIDE
from agents.poker_cnn.reading import EVERYONE, collect_records
from agents.poker_cnn.shape import ACTIONS, SCRATCH_SIZE, SIZES, initial_weights
from engine.compiled.jit import kernel
from engine.equity.equity_tables import equity_tables
from engine.rules.packed_game import pack_game
from protocol.gamedefs import load_builtin
from tests.benchmarks.timing import note
from tests.helpers.cnn_records import log_of

GAME = load_builtin("hunl")
ROUNDS = 3


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A match log of random play."""
    return log_of(tmp_path_factory.mktemp("logs"), GAME, 2000)


@pytest.fixture(scope="module")
def records(log):
    """Its decisions."""
    return collect_records([log], EVERYONE, GAME)[0]


@pytest.fixture
def torch():
    """PyTorch on one thread."""
    found = pytest.importorskip("torch")
    threads = found.get_num_threads()
    found.set_num_threads(1)
    yield found
    found.set_num_threads(threads)


def bench_log_to_records(benchmark, log, records):
    """Reading, packing and finding the strength of hands; at least 50 000 states/s are wanted."""
    equity_tables()
    benchmark.pedantic(collect_records, ([log], EVERYONE, GAME), rounds=ROUNDS)
    note(benchmark, states_per_s=lambda median: round(len(records) / median))


def bench_planes(benchmark, records, torch):
    """Records to planes; the peer is PyTorch's loader of planes that lie in memory, 18 KiB each."""
    count = min(4096, len(records)) if benchmark.enabled else 64
    planes = np.zeros((count, PLANES, SIDE, SIDE), np.float32)
    legal, taken = np.zeros((count, ACTIONS), np.float32), np.zeros(count, np.int64)
    suits = np.tile(np.array(ROWS_OF_SUITS), (count, 1))
    given = (
        pack_game(GAME), HandRows(records.cards, records.actions, records.ends),
        StateRows(records.hands[:count], records.places[:count], records.levels[:count]),
        suits, new_replay(), planes, legal, taken,
    )  # fmt: skip
    encode_states(*given)
    benchmark.pedantic(encode_states, given, rounds=ROUNDS)
    if benchmark.stats is None:
        return
    stored = torch.utils.data.TensorDataset(torch.from_numpy(planes), torch.from_numpy(taken))
    loader = torch.utils.data.DataLoader(stored, batch_size=128, shuffle=True)
    begun = time.perf_counter()
    for _ in loader:
        pass
    seconds = time.perf_counter() - begun
    benchmark.extra_info["states_per_s"] = round(count / benchmark.stats["median"])
    benchmark.extra_info["ratio_to_torch_loader"] = round(seconds / benchmark.stats["median"], 2)


@kernel
def ask_often(row, planes, work, actions, sizes, passes):
    """Take one decision after the other."""
    for at in range(passes):
        run_cnn(row, planes[at % len(planes)], work, actions, sizes)


def bench_decision(benchmark, records, torch):
    """A forward pass of one decision; the peers are PyTorch, with this net and with the MLP."""
    from agents.poker_cnn.net import CnnNet
    from agents.poker_cnn.train.baselines import perceptron_on_planes
    from agents.poker_cnn.train.states import States

    passes = 2000 if benchmark.enabled else 4
    planes = States(records).planes(np.arange(256)).inputs
    row = initial_weights(1)
    actions, sizes = np.zeros(ACTIONS, np.float32), np.zeros(SIZES, np.float32)
    given = (row, planes.flatten(1).numpy(), np.zeros(SCRATCH_SIZE, np.float32), actions, sizes)
    ask_often(*given, 1)
    benchmark.pedantic(ask_often, (*given, passes), rounds=ROUNDS)
    if benchmark.stats is None:
        return
    benchmark.extra_info["us_per_decision"] = round(1e6 * benchmark.stats["median"] / passes, 1)
    for name, net in (("torch", CnnNet(row)), ("torch_mlp", perceptron_on_planes(1))):
        with torch.no_grad():
            net(planes[:1])
            begun = time.perf_counter()
            for at in range(passes):
                net(planes[at % 256 : at % 256 + 1])
            seconds = time.perf_counter() - begun
        benchmark.extra_info[f"ratio_to_{name}"] = round(seconds / benchmark.stats["median"], 2)


def bench_training(benchmark, records, torch):
    """An epoch on one core, planes included; the peer is the MLP on the same planes."""
    from agents.poker_cnn.net import CnnNet
    from agents.poker_cnn.train.baselines import perceptron_on_planes
    from agents.poker_cnn.train.cnn_plan import CnnPlan
    from agents.poker_cnn.train.descent import Descent, train_epoch, weights_of
    from agents.poker_cnn.train.states import States

    states = States(records)
    hands = np.arange(len(records.ends)) < (1000 if benchmark.enabled else 20)
    plan, device = CnnPlan(epochs=1), torch.device("cpu")

    def epoch(net):
        train_epoch(
            net,
            states.planes,
            states,
            hands,
            ~hands & False,
            plan,
            Descent(weights_of(net)),
            device,
        )

    net = CnnNet(initial_weights(1))
    benchmark.pedantic(epoch, (net,), rounds=ROUNDS)
    if benchmark.stats is None:
        return
    begun = time.perf_counter()
    epoch(perceptron_on_planes(1))
    seconds = time.perf_counter() - begun
    count = int(hands[records.hands].sum())
    benchmark.extra_info["states_per_s"] = round(count / benchmark.stats["median"])
    benchmark.extra_info["ratio_to_mlp"] = round(seconds / benchmark.stats["median"], 2)
