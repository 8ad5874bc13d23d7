"""Steps a second of our environment for PettingZoo and of PettingZoo's own no-limit hold'em.

Both are walked by the same loop, a uniform draw among the legal actions, in turns in one run.  Its
own game needs rlcard 1.2.0 and pygame, which nothing else of ours does.
"""

import statistics
import time
import warnings

import numpy as np
import pytest

from agents.bridges.libraries import library
from agents.bridges.pettingzoo_env import PokerAEC
from protocol.gamedefs import load_builtin

STEPS = 3_000
ROUNDS = 5
LEAST = 5.0
"""Times as many steps as PettingZoo's."""


def steps_a_second(env, rng):
    """Walk the environment, hand after hand."""
    made = 0
    begun = time.perf_counter()
    while made < STEPS:
        env.reset()
        for _ in env.agent_iter():
            shown, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = np.flatnonzero(shown["action_mask"])
            env.step(int(legal[rng.integers(len(legal))]))
            made += 1
    return made / (time.perf_counter() - begun)


def bench_steps_beside_pettingzoo(benchmark):
    """Vectors of heads-up no-limit hold'em; `ours_steps_per_s`, `theirs_steps_per_s`, `times`."""
    for module in ("pettingzoo", "rlcard", "pygame"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = library("pettingzoo.classic.texas_holdem_no_limit_v6").env()
        ours = PokerAEC(load_builtin("hunl"))
        rng = np.random.default_rng(1)
        for env in (ours, theirs):
            env.reset(seed=1)
            steps_a_second(env, rng)
        paces = [(steps_a_second(ours, rng), steps_a_second(theirs, rng)) for _ in range(ROUNDS)]
    our_pace, their_pace = (statistics.median(pace) for pace in zip(*paces, strict=True))
    benchmark.extra_info.update(
        ours_steps_per_s=round(our_pace),
        theirs_steps_per_s=round(their_pace),
        times=round(our_pace / their_pace, 1),
    )
    benchmark.pedantic(lambda: steps_a_second(ours, rng), rounds=1)
    assert our_pace > LEAST * their_pace
