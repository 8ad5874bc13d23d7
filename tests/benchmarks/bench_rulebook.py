"""Speed of the rule bot's decisions; `ms_per_decision` has to stay below 5."""

import time

import pytest

from agents.baselines.biased_random import UniformRandom
from agents.rulebook.bot import RuleBot
from engine.play.simulate import play_hands
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize("name", ["hunl", "hulhe", "nolimit6", "limit3"])
def bench_hands_against_random_play(benchmark, name):
    """80 hands, all spots that random play leads to; unit: seconds per 80 hands."""
    game = load_builtin(name)
    bot = RuleBot()
    bot.warm_up()
    bot.start_match(game, 1)
    spent = []

    def timed(view):
        began = time.perf_counter()
        action = bot.act(view)
        spent.append(time.perf_counter() - began)
        return action

    others = []
    for seed in range(game.players - 1):
        other = UniformRandom()
        other.start_match(game, seed)
        others.append(other.act)
    benchmark.pedantic(play_hands, args=(game, 1, 80, [timed, *others]), rounds=5)
    if benchmark.stats is not None:
        benchmark.extra_info["ms_per_decision"] = 1000 * sum(spent) / len(spent)
