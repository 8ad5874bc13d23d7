"""Whether it pays to choose a regret minimiser for each iteration of CFR, on small games and spots.

Entrants are each member of a pool alone, all members in turn, a random member under several seeds,
and forms of the adaptive choice.  Each one starts from the same random strategies and is measured
at the same iterations by the exploitability of its average strategy; from several starts, of which
means and 95 % intervals are told.  Seconds include the best responses that an adaptive choice
computes for its rewards, and never the measuring.  A ratio compares an entrant with the best member
alone from the same start; best is the member whose mean ends lowest, which is known in hindsight
only.

    make study minimisers                              the patent's settings
    make study NAME="minimisers --case subgames --spots FOLDER"   with files of LibratusEndgames
    make study NAME="minimisers --case holdem"          limit hold'em in groups of buckets

Times are of single runs on one core.  The work folder keeps each game that is done.
"""

import json
import math
import re
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from agents.blueprint_model.grouped_holdem import GroupedHoldem, Groups
from engine.cfr.adaptive import (
    FAST_POOL,
    PATENT_POOL,
    Bonus,
    PoolSolve,
    Reward,
    RoundRobin,
    UcbChooser,
    UcbRule,
    Update,
)
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Variant
from engine.commands.minimiser_options import pool_of
from engine.console.progress import LivingLine
from engine.estimates.winrate import half_interval
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.small_games.catalogue import GAMES
from engine.small_games.table_solver import random_profile
from engine.small_games.tabular import solver_for
from engine.storage.atomic import write_whole
from protocol.gamedefs import load_builtin
from tests.helpers.endgames import BIG_BLIND, SUBGAMES, read_subgame

RANDOM = "random"
ALPHA = 0.1
"""Share of the past that is forgotten each time."""
GROUPED_DEALS = 1_000_000
PER_OCTAVE = 4
"""Checkpoints in which iterations double."""


@dataclass(frozen=True)
class Case:
    """A comparison."""

    games: tuple[str, ...]
    """Small games, hold'em in groups of buckets, spots of our own, or published ones, whose files
    are in a folder.
    """
    pool: tuple[Variant, ...]
    starts: int
    iterations: int = 1024
    seeds: int = 1
    """Of random members."""
    alternating: bool = True
    rewards: tuple[StrategyKind, ...] = tuple(StrategyKind)
    explorations: tuple[float, ...] = (0.1,)
    """Weights of the bonus, big blinds."""


FIVE = pool_of("lcfr,dcfr,dcfr+,cfr+,pcfr+")
CASES = {
    "patent": Case(
        ("kuhn", "fixed-queen", "leduc", "leduc5", "kuhn3"), PATENT_POOL, 30, 1024, seeds=3,
        alternating=False, rewards=(StrategyKind.CURRENT,), explorations=(1.0,),
    ),
    "fast": Case(("leduc",), FAST_POOL, 30, explorations=(0.01,)),
    "subgames": Case(
        ("subgame3", "river-deep", "river-shallow"), FIVE, 10, 256, explorations=(0.1, 0.01)
    ),
    "turn-deep": Case(("turn-deep",), FIVE, 3, 128),
    "subgame1": Case(("subgame1",), FIVE, 3, 64),
    "exploration": Case(
        ("kuhn", "leduc"), PATENT_POOL, 10, alternating=False,
        explorations=(1.0, 0.1, 0.01, 0.001, 0.0),
    ),
    "holdem-patent": Case(
        ("hulhe-3.3.2.2",), PATENT_POOL, 3, 128, alternating=False,
        rewards=(StrategyKind.CURRENT,), explorations=(1.0,),
    ),
    "holdem": Case(
        ("hulhe-3.3.2.2",), FAST_POOL, 3, 64, rewards=(StrategyKind.CURRENT,),
        explorations=(0.01,),
    ),
    "small": Case(("kuhn",), pool_of("cfr,dcfr"), 2, 8),
}  # fmt: skip
"""Where the weights are from those where the bonus decides everything to where it is nothing, too;
"patent" has its pool, its rewards and all updates at once."""
SMALL = {"case": "small"}


def add_options(parser):
    """Add which of the comparisons."""
    parser.add_argument("--case", choices=CASES, default="patent", help="(%(default)s)")
    parser.add_argument("--spots", type=Path, metavar="FOLDER", help="with subgame1.txt and others")


def result_name(options):
    """Return the file of a case."""
    return f"minimisers-{options.case}.json"


def run(options):
    """Compare on each game of a case that is not done; return all."""
    case, results = CASES[options.case], {}
    for name in case.games:
        path = options.work / f"{options.case}-{name}.json"
        if not path.exists():
            result = compared(game_of(name, options.spots, case.alternating), case)
            facts = {"command": f'make study NAME="minimisers --case {options.case}"', **result}
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(facts))
        results[name] = json.loads(path.read_text(encoding="utf-8"))
    return results


class MeasuredGame(NamedTuple):
    """A game, and how to get solvers of it that have not run."""

    summary: str
    big_blind: float
    """Chips."""
    solver: object
    """Seed of a random start -> solver."""


def game_of(name, spots, alternating):
    """Lay a game out.  Raises OSError, ValueError: there is no such file, or it holds no spot."""
    if name in GAMES:
        game = GAMES[name]
        tree = game.build()

        def small_solver(seed):
            start = random_profile(tree, np.random.default_rng(seed))
            return solver_for(tree, alternating=alternating, start=start)

        return MeasuredGame(game.summary, game.big_blind, small_solver)
    if grouped := re.fullmatch(r"(\w+)-(\d+(?:\.\d+)+)", name):
        return grouped_game(*grouped.groups(), alternating)
    if name not in SUBGAMES and spots is None:
        raise ValueError(f"{name}: want the folder of {name}.txt in --spots")
    spot = SUBGAMES[name]() if name in SUBGAMES else read_subgame(spots / f"{name}.txt")
    tree, settings = spot.tree(), RangeSettings(alternating=alternating, threads=1)

    def solver(seed):
        made = RangeSolver(tree, spot.board, spot.ranges, settings)
        made.start_at_random(np.random.default_rng(seed))
        return made

    return MeasuredGame(spot.summary, BIG_BLIND, solver)


def grouped_game(name, widths, alternating):
    """Lay hold'em in groups of buckets out."""
    game = load_builtin(name)
    groups = Groups(tuple(map(int, widths.split("."))), GROUPED_DEALS)
    holdem = GroupedHoldem(game, groups, seed=0)

    def solver(seed):
        return holdem.solver(alternating=alternating, rng=np.random.default_rng(seed))

    hands = holdem.cards.counts[-1]
    return MeasuredGame(f"{name} with {hands} hands on the river", game.big_blind, solver)


class RandomChooser:
    """Every member with equal probability: the baseline for any choice."""

    def __init__(self, members, rng):
        self.members, self._rng = members, rng

    def choose(self):
        """Return a random member."""
        return int(self._rng.integers(self.members))

    def learn(self, member, gain):
        """Learn nothing."""


class Entrant(NamedTuple):
    """A way to run a pool."""

    name: str
    pool: tuple
    chooser: object
    """() -> chooser of a member."""
    reward: Reward | None = None


class Trace(NamedTuple):
    """The course of one entrant from one start."""

    seconds: list[float]
    """At each checkpoint."""
    exploitability: list[float]
    """Of the average strategy, big blinds."""
    uses: list[int]
    """Iterations run with each member of the pool."""

    def at_time(self, seconds):
        """Return the last exploitability measured by `seconds`; infinite before the first."""
        pairs = zip(self.seconds, self.exploitability, strict=True)
        return ([math.inf] + [worth for second, worth in pairs if second <= seconds])[-1]


def entrants(case, big_blind):
    """Return all entrants in the order of the tables; random ones of all seeds share a name."""
    pool, size = case.pool, len(case.pool)
    alone = [Entrant(variant.name, (variant,), lambda: RoundRobin(1)) for variant in pool]
    random = [
        Entrant(RANDOM, pool, lambda seed=seed: RandomChooser(size, np.random.default_rng(seed)))
        for seed in range(1, case.seeds + 1)
    ]
    forms = []
    for which in case.rewards:
        for weight in case.explorations:
            rule = UcbRule(Update.SUM, Bonus.ROOT, weight, ALPHA)
            name = f"adaptive {rule.update.value}, {rule.bonus.value}, c {weight:g}, {which.value}"
            reward = Reward(which, 1, big_blind)
            forms.append(Entrant(name, pool, lambda rule=rule: UcbChooser(size, rule), reward))
    return [*alone, Entrant("in turn", pool, lambda: RoundRobin(size)), *random, *forms]


def checkpoints(iterations):
    """Return iterations to measure at: evenly spaced in the logarithm, powers of two among them."""
    steps = range(math.ceil(PER_OCTAVE * math.log2(iterations)) + 1)
    return sorted({min(round(2 ** (step / PER_OCTAVE)), iterations) for step in steps})


def traced(solver, entrant, iterations, big_blind, clock=time.perf_counter):
    """Run an entrant from one start."""
    seconds, exploitability = [], []
    begun = clock()
    solve = PoolSolve(solver, entrant.pool, entrant.chooser(), entrant.reward)
    spent = clock() - begun
    for stop in checkpoints(iterations):
        begun = clock()
        while solver.iterations < stop:
            solve.iterate()
        spent += clock() - begun
        seconds.append(spent)
        exploitability.append(solver.exploitability(StrategyKind.AVERAGE) / big_blind)
    return Trace(seconds, exploitability, list(solve.uses))


def compared(game, case, clock=time.perf_counter):
    """Return what all entrants come to on a game."""
    field, pool = entrants(case, game.big_blind), case.pool
    traced(game.solver(1), Entrant("", pool, lambda: RoundRobin(len(pool))), 1, 1.0)  # compile
    runs = {entrant.name: [] for entrant in field}
    with LivingLine() as line:
        for seed in range(1, case.starts + 1):
            start = {name: [] for name in runs}
            for entrant in field:
                line.show(f"{game.summary}, start {seed} of {case.starts}: {entrant.name}")
                solver = game.solver(seed)
                trace = traced(solver, entrant, case.iterations, game.big_blind, clock)
                start[entrant.name].append(trace)
            for name, traces in start.items():
                runs[name].append(traces)
    ends = {
        variant.name: fmean(traces[0].exploitability[-1] for traces in runs[variant.name])
        for variant in pool
    }
    best = min(ends, key=ends.__getitem__)
    rivals = [traces[0] for traces in runs[best]]
    return {
        "summary": game.summary,
        "updates": "alternating" if case.alternating else "simultaneous",
        "pool": [variant.name for variant in pool],
        "starts": case.starts,
        "best_member": best,
        "entrants": [
            summary(name, traces, rivals, case.iterations) for name, traces in runs.items()
        ],
        "adaptive": len(case.rewards) * len(case.explorations),
    }


def summary(name, runs, rivals, iterations):
    """Return one entrant's means over starts.

    Args:
        runs: of each start its traces.
        rivals: of each start the trace of the best member.
    """
    measured = checkpoints(iterations)
    shown = [at for at, t in enumerate(measured) if t.bit_count() == 1 or t == iterations]
    pairs = list(zip(runs, rivals, strict=True))
    ends = [
        (fmean(trace.exploitability[-1] for trace in run), rival.exploitability[-1])
        for run, rival in pairs
    ]
    in_time = [
        (fmean(trace.at_time(rival.seconds[-1]) for trace in run), rival.exploitability[-1])
        for run, rival in pairs
    ]
    used = np.sum([trace.uses for run in runs for trace in run], axis=0)
    return {
        "name": name,
        "iterations": [measured[at] for at in shown],
        "exploitability": [
            mean_of_starts([fmean(trace.exploitability[at] for trace in run) for run in runs])
            for at in shown
        ],
        "seconds": mean_of_starts([fmean(trace.seconds[-1] for trace in run) for run in runs]),
        "per_iteration": mean_of_ratios(ends),
        "same_time": mean_of_ratios(in_time),
        "uses": (used / used.sum()).tolist(),
    }


def mean_of_starts(values):
    """Return the mean of independent values, and half its 95 % interval by Student's t."""
    ci95 = half_interval(stdev(values), len(values)) if len(values) > 1 else None
    return {"mean": fmean(values), "ci95": ci95}


def mean_of_ratios(pairs):
    """Return the same of ratios; None where one has no denominator or was not measured yet."""
    if not all(below > 0 and math.isfinite(above) for above, below in pairs):
        return None
    return mean_of_starts([above / below for above, below in pairs])
