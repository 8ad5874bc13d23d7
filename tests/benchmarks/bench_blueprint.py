"""The shipped blueprint's speed: start-up, one look-up, decisions, buckets of one hand.

A row has to be there within 0.2 ms, a decision within 0.1 s, start-up within 2 s.
"""

import numpy as np
import pytest

from agents.blueprint.bot import Blueprint
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import load_model
from agents.blueprint_model.models import shipped_model
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_action

HUNL = load_builtin("hunl")
STREETS = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}


def told(benchmark, name, times=1):
    """Keep the median, in milliseconds."""
    if benchmark.stats is not None:
        seconds = benchmark.stats.stats.median / times
        benchmark.extra_info[f"ms_per_{name}"] = 1000 * seconds


def views(street, count=200):
    """States on a street in which somebody has to act, with any bets before."""
    rng, found = np.random.default_rng(3), []
    for number, deal in enumerate(DealStream(HUNL, 5)):
        state = HandState.start(HUNL)
        while not state.over and state.street < street:
            state = state.apply(random_action(state, rng, raising=0.2))
        if not state.over and state.street == street:
            found.append(PlayerView.of(state, deal, state.actor, number))
        if len(found) == count:
            return found


def bench_start_up(benchmark):
    """The model opened, its tree built, everything compiled loaded; without Python's own start."""
    bot = Blueprint()
    bot.start_match(HUNL, 1)
    benchmark(bot.start_match, HUNL, 1)
    told(benchmark, "start_up")


@pytest.mark.parametrize("street", STREETS)
def bench_decision(benchmark, street):
    """A new hand each time, read from its first action."""
    bot, hands = Blueprint(), views(STREETS[street])
    bot.start_match(HUNL, 1)
    places = iter(range(10**9))
    benchmark.pedantic(
        bot.act, setup=lambda: ((hands[next(places) % len(hands)],), {}), rounds=2000
    )
    told(benchmark, "decision")
    if benchmark.stats is not None:
        benchmark.extra_info["ms_at_most"] = 1000 * benchmark.stats.stats.max


def bench_look_up(benchmark):
    """One row of the strategy, anywhere in the file."""
    model = load_model(shipped_model(HUNL))
    interpreter, rng = Interpreter(model), np.random.default_rng(1)
    nodes = [node for node in range(model.tree.nodes) if model.tree.child_count[node] > 1]
    nodes = rng.choice([node for node in nodes if model.tree.kind[node] < 2], 1000).tolist()
    bucket = np.zeros(1, np.int32)

    def look_up():
        for node in nodes:
            interpreter.rows(node, bucket)

    benchmark(look_up)
    told(benchmark, "row", len(nodes))


@pytest.mark.parametrize("cards", [4, 5], ids=["turn", "river"])
def bench_bucket(benchmark, cards):
    """Of one hand, without tables, against finding those of all hands of the board."""
    abstraction, rng = load_model(shipped_model(HUNL)).cards, np.random.default_rng(1)
    hands = [rng.permutation(52)[: 2 + cards].tolist() for _ in range(50)]

    def one():
        for hand in hands:
            abstraction.bucket(hand[:2], hand[2:])

    one()
    benchmark(one)
    told(benchmark, "bucket", len(hands))
