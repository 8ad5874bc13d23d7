"""What nested solving and translation lose to a bet that the abstraction lacks, in flop hold'em.

The opponent bets half, three quarters or all of the pot, once before the flop and up to three times
on it; the agent's abstraction has no three quarters for either.  Hands are not in buckets.  The
abstraction's game is solved; then an agent in either position answers bets of three quarters by
translation, or by solving again what follows each, and what a best response in the whole game wins
is worked out exactly.  A flop takes a core some two minutes, 35 MB of disk and as much memory in
each process; without the expensive forms a quarter of that.  How much less nested solving loses
than translation comes with a 95 % interval over flops, by leaving each out (jackknife); what is
done before the flop stays as it was solved with all.  The tables of docs:

    make study nested
    make study NAME="nested --flops 16 --methods cheap"
    make study NAME="nested --bets 1 --flops 1 --iterations 1000 --solved 1000"

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

import time
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.console.options import jobs_option
from engine.estimates.winrate import t95
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS, STARTING_HANDS
from engine.parallel.processes import in_order
from tests.studies.flop_holdem.kernels import BEST
from tests.studies.flop_holdem.nesting import (
    DECISION,
    NESTINGS,
    STREET,
    TRANSLATIONS,
    VARIANT,
    FlopNesting,
    OffTreeGame,
    OnFlop,
    SolvedGame,
    follow_strategy,
    solver_after,
    translate,
)
from tests.studies.flop_holdem.parts import Parts, take
from tests.studies.flop_holdem.solver import (
    FlopHandSolver,
    preflop_reach,
    values_before_flop,
    walk_flop,
)

ITERATIONS_AT_ONCE = 20
TRANSLATED = {how.name: how for how in TRANSLATIONS}
NESTED = {nesting.name: nesting for nesting in NESTINGS}
METHODS = (*TRANSLATED, *NESTED)
RANDOMISED = TRANSLATIONS[0].name
CHEAP = (RANDOMISED, "resolve", "max-margin")
CHOICES = {"all": METHODS, "cheap": CHEAP}
PUBLISHED = {
    "translation, randomised": 1465.0,
    "resolve": 150.2,
    "max-margin": 122.0,
    "reach-max-margin": 119.1,
    "unsafe, from the street": 148.3,
    "reach-max-margin, from the street": 149.2,
}
"""mbb per hand, on nested solving; the article's expensive forms are those from the street."""
SMALL = {"bets": 1, "flops": 1, "iterations": 2, "solved": 2, "jobs": 1}


def add_options(parser):
    """Add what is compared."""
    add = parser.add_argument
    bets = "most bets on the flop; before a fourth some stacks are too short for .75 or the pot"
    add("--bets", type=int, choices=(1, 2, 3), default=3, help=bets)
    add("--methods", choices=CHOICES, default="all", help="cheap: what can be had for many flops")
    add("--flops", type=int, default=6, help="classes of flops that come up, evenly chosen")
    add("--iterations", type=int, default=400, help="before the flop")
    add("--solved", type=int, default=300, help="iterations of what follows a bet on a flop")
    jobs_option().add_to(parser)


def result_name(options):
    """Return the file of either game, or that of many flops."""
    if options.bets == 1:
        return "nested-one-bet.json"
    return "nested.json" if options.methods == "all" else "nested-flops.json"


def run(options):
    """Do what is left; return mbb per hand by method, beside the article's."""
    sizes = {name: getattr(options, name) for name in ("bets", "flops", "iterations", "solved")}
    settings = sizes | {"methods": options.methods}
    study = NestedSolving(options.work, settings, options.jobs)
    take(study.steps())
    tree = study.game.tree
    mbb = 1000 / tree.game.big_blind
    own = study.blueprint.solver.exploitability(StrategyKind.AVERAGE)
    return {
        "command": "make study nested",
        **sizes,
        "decisions": len(tree.decisions),
        "abstraction_decisions": len(study.game.part(0)[0].decisions),
        "blueprint_mbb_per_hand": mbb * own,
        "exploitability_mbb_per_hand": {
            method: mbb * float(np.mean(won)) for method, won in study.best_responses().items()
        },
        "processor_seconds": study.seconds(),
        "published_mbb_per_hand": PUBLISHED,
    } | ({"times_less": times_less(study)} if options.flops > 1 else {})


def times_less(study):
    """Return how many times less than randomised translation nested solving loses, by method.

    Of all that is lost ("whole"), and of what .75 adds to what the blueprint loses ("added"); each
    with the 95 % interval over flops.
    """
    flops = study.settings["flops"]
    named = [name for name in study.methods if name in NESTED]

    def ratios(flops):
        """Return (2, methods)."""
        own = np.mean(study.blueprint_best_responses(flops))
        lost = {name: np.mean(won) for name, won in study.best_responses(flops).items()}
        return np.array(
            [
                [(lost[RANDOMISED] - less) / (lost[name] - less) for name in named]
                for less in (0, own)
            ]
        )

    left_out = [[other for other in range(flops) if other != flop] for flop in range(flops)]
    values, half = ratios(range(flops)), jackknife_interval([ratios(some) for some in left_out])
    return {
        name: {
            kind: {"times": float(values[row, column]), "ci95": float(half[row, column])}
            for row, kind in enumerate(("whole", "added"))
        }
        for column, name in enumerate(named)
    }


def jackknife_interval(left_out):
    """Return the half width of the 95 % interval of an estimate.

    Args:
        left_out: (N, ...) the same estimate without each of N samples.
    """
    values, samples = np.array(left_out), len(left_out)
    spread = (samples - 1) / samples * ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return t95(samples - 1) * np.sqrt(spread)


class Arrived(NamedTuple):
    """What an agent does before the flop, and where that leads."""

    strategy: NDArray[np.float32]
    """(169, P) by row of the whole game; 0 for the opponent."""
    reach: NDArray[np.float64]
    """(nodes, 2, 1326) of the agent."""
    places: dict[int, list]
    """Of a translating agent where the flop comes, see `translate`; else empty."""


class NestedSolving:
    """One game, in parts that are kept.

    BETS/blueprint            the solver's tables of the game without .75
    BETS/before-HOW-PLAYER    the same of what follows a player's .75 before the flop
    BETS/flop-NUMBER          what best responses win on a flop, and the seconds it took
    """

    def __init__(self, folder, settings, workers=1):
        """Begin, or go on."""
        self.parts = Parts(folder, settings)
        self.settings = settings
        self.workers = workers
        self.methods = CHOICES[settings["methods"]]
        self._after = {}

    @cached_property
    def game(self):
        """The whole game."""
        return OffTreeGame(self.settings["flops"], self.settings["bets"])

    @cached_property
    def blueprint(self):
        """The finished solution of the game without .75."""
        return SolvedGame(self.game, *self._solver("blueprint"))

    def after(self, nesting, opponent):
        """Return the finished solution of what follows .75 before the flop."""
        name = _before(nesting, opponent)
        if name not in self._after:
            self._after[name] = SolvedGame(self.game, *self._solver(name))
        return self._after[name]

    def steps(self):
        """Do what is left, and say how far it is; may be stopped anywhere."""
        for name in ("blueprint", *_forms(self.methods)):
            yield from self._train(name)
        flops = self.settings["flops"]
        left = [flop for flop in range(flops) if not self.parts.has(self._name(f"flop-{flop:04}"))]
        arguments = self.parts.folder, self.settings
        results = in_order(_flop_solver, arguments, left, self.workers)
        for number, (flop, won) in enumerate(zip(left, results, strict=True)):
            self.parts.save(self._name(f"flop-{flop:04}"), won)
            yield "flops", flops - len(left) + number + 1, flops

    def best_responses(self, flops=None):
        """Return what opponents win in both positions at best, chips per hand by method.

        Args:
            flops: numbers of those that come up; None: all.
        """
        return {
            method: [
                _best_response(self.game.game, self.preflop(method, 1 - opponent), opponent, values)
                for opponent, values in enumerate(sums)
            ]
            for method, sums in zip(self.methods, self._mean("sums", flops), strict=True)
        }

    def blueprint_best_responses(self, flops=None):
        """Return the same for the blueprint, where nobody bets .75."""
        game, solved = self.blueprint.game, self.blueprint.profile.preflop
        came = Arrived(solved, preflop_reach(game, solved), {})
        sums = self._mean("blueprint", flops)
        return [_best_response(game, came, opponent, sums[opponent]) for opponent in (0, 1)]

    def seconds(self):
        """Return processor seconds by method, and of the blueprint."""
        flops = range(self.settings["flops"])
        seconds = np.sum([self._flop_part(flop)["seconds"] for flop in flops], axis=0)
        spent = dict(zip(self.methods, seconds.tolist(), strict=True))
        for nesting in _nestings(self.methods):
            for opponent in (0, 1):
                spent[nesting.name] += self._trained_seconds(_before(nesting, opponent))
        return {"blueprint": self._trained_seconds("blueprint")} | spent

    def solve_flop(self, flop):
        """Return what opponents win at best on one flop.

        sums       (methods, 2, R, 169)  by opponent and root, as of `solver.flop_sums`
        blueprint  (2, R, 169)           the same of the blueprint, in the game without .75
        seconds    (methods,)            of making the strategies
        """
        game = self.game.game
        sums = np.zeros((len(self.methods), 2, len(game.roots), STARTING_HANDS))
        seconds = np.zeros(len(self.methods))
        for number, method in enumerate(self.methods):
            for agent in (0, 1):
                begun, came = time.process_time(), self.preflop(method, agent)
                shares = self.flop_shares(method, agent, flop, came)
                seconds[number] += time.process_time() - begun
                sums[number, 1 - agent] = _won_on(game, flop, shares, came.reach)[1 - agent]
        without, profile = self.blueprint.game, self.blueprint.profile
        reach = preflop_reach(without, profile.preflop)
        won = _won_on(without, flop, profile.shares(flop), reach)
        return {"sums": sums, "blueprint": won, "seconds": seconds}

    def preflop(self, method, agent):
        """Return what an agent does before the flop."""
        game, blueprint, places = self.game, self.blueprint, {}
        into = np.zeros((game.game.preflop_row_count, STARTING_HANDS), np.float32)
        begin = np.ones(STARTING_HANDS)
        if method in TRANSLATED:
            how = TRANSLATED[method]
            places = translate(game, agent, 0, [(begin, 0)], blueprint.shares, how, into)
        else:
            after = self.after(NESTED[method], 1 - agent)
            follow_strategy(game, agent, 0, begin, blueprint, lambda bet: after, into)
        strategy = np.ascontiguousarray(into.T)
        return Arrived(strategy, preflop_reach(game.game, strategy), places)

    def flop_shares(self, method, agent, flop, came):
        """Return (T, 1176) what an agent does on a flop, by row of the whole game."""
        game, tree = self.game, self.game.tree
        into = np.zeros((game.game.row_count, game.game.flops.live), np.float32)
        combo = game.game.flops.combo[flop]
        reach = {way: came.reach[way, agent] for way in game.game.ways if tree.kind[way] == DEAL}
        by_blueprint = OnFlop(self.blueprint, flop, agent, reach)
        if method in TRANSLATED:
            how = TRANSLATED[method]
            for way, places in came.places.items():
                begins = [
                    (weights[COMBO_STARTING_HAND[combo]], game.kept(at)[0])
                    for weights, at in places
                ]
                translate(game, agent, game.kept(way)[0], begins, by_blueprint.shares, how, into)
            return into
        nesting, bet = NESTED[method], game.preflop_bet(1 - agent)
        after = self.after(nesting, 1 - agent)
        follows = OnFlop(after, flop, agent, reach)
        iterations = self.settings["solved"]
        for way, arrived in reach.items():
            solved, strategy = self.blueprint, by_blueprint
            if game.below_bet(way, bet):
                solved, strategy = after, follows
            elif way not in solved.number:
                continue  # the agent's own .75
            again = FlopNesting(solved, flop, way, nesting, agent, arrived, iterations).again
            follow_strategy(game, agent, game.kept(way)[0], arrived[combo], strategy, again, into)
        return into

    def _name(self, part):
        return f"{self.settings['bets']}/{part}"

    def _solver(self, name):
        """Return a solver as far as it came, and its nodes."""
        if name == "blueprint":
            part, nodes = self.game.flop_part(0)
            solver = FlopHandSolver(part, threads=self.workers)
        else:
            solver, nodes = solver_after(
                self.game, self.blueprint, *_forms(self.methods)[name], self.workers
            )
        if self.parts.has(self._name(name)):
            solver.resume(self.parts.load(self._name(name)))
        return solver, nodes

    def _train(self, name):
        wanted, part = self.settings["iterations"], self._name(name)
        spent, done = 0.0, 0
        if self.parts.has(part):
            spent, done = self._trained_seconds(name), int(self.parts.load(part)["iterations"])
        if done >= wanted:
            return
        solver, _ = self._solver(name)
        while solver.iterations < wanted:
            yield name, solver.iterations, wanted
            begun = time.process_time()
            solve(solver, VARIANTS[VARIANT], min(ITERATIONS_AT_ONCE, wanted - solver.iterations))
            spent += time.process_time() - begun
            self.parts.save(part, solver.state() | {"seconds": np.array(spent)})

    def _trained_seconds(self, name):
        return float(self.parts.load(self._name(name))["seconds"])

    def _flop_part(self, flop):
        return self.parts.load(self._name(f"flop-{flop:04}"))

    def _mean(self, array, flops=None):
        """Return the mean over some flops for each hand, chips."""
        tables = self.game.game.flops
        flops = list(range(self.settings["flops"]) if flops is None else flops)
        share = tables.ways[flops].sum() / tables.ways.sum()
        total = np.sum([self._sums[array][flop] for flop in flops], axis=0)
        return total / (STARTING_HAND_COMBOS * tables.ways_for_two * share)

    @cached_property
    def _sums(self):
        """By name (F, ...) what `solve_flop` returned."""
        parts = [self._flop_part(flop) for flop in range(self.settings["flops"])]
        return {name: np.array([part[name] for part in parts]) for name in ("sums", "blueprint")}


def _won_on(game, flop, shares, came):
    """Return (2, R, 169) what best responses win on a flop, by player and root.

    Args:
        shares: (T, 1176) what hands do.
        came: (nodes, 2, 1326) reach before the flop.
    """
    shape = (len(game.nodes.kind), 2, game.flops.live)
    reach, values = np.empty(shape), np.empty(shape)
    walk_flop(game, flop, shares, came[list(game.ways)], (BEST, BEST), reach, values)
    of_hand = game.flops.hand[game.flops.combo[flop]]
    ways = float(game.flops.ways[flop])
    return ways * np.array(
        [
            [np.bincount(of_hand, values[root, player], STARTING_HANDS) for root in game.roots]
            for player in (0, 1)
        ]
    )


def _best_response(game, agent, opponent, values):
    """Return what an opponent wins at best, chips per hand.

    Args:
        agent: what it meets before the flop, `Arrived`.
        values: (R, 169) of its hands by root.
    """
    roots = np.zeros((2, *values.shape))
    roots[opponent] = values
    won = values_before_flop(game, agent.strategy, agent.reach, roots, (BEST, BEST))
    return game.mean(won[0, opponent])


def _nestings(methods):
    """Return those of some methods that solve again."""
    return [NESTED[name] for name in methods if name in NESTED]


def _before(nesting, opponent):
    """Return a name that those share which do the same before the flop.

    There are no gifts yet, and the second player's decision is the street's first.
    """
    how = ("margin" if nesting.margin else "resolve") if nesting.safe else "unsafe"
    start = STREET if nesting.start == DECISION and opponent == 1 else nesting.start
    return f"before-{how}-{start}-{opponent}"


def _forms(methods):
    """Return what is solved before the flop by some methods, each once."""
    return {
        _before(nesting, opponent): (nesting, opponent)
        for nesting in _nestings(methods)
        for opponent in (0, 1)
    }


def _flop_solver(folder, settings):
    return NestedSolving(folder, settings).solve_flop
