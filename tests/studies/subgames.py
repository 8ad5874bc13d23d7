"""How much techniques of subgame solving improve a blueprint of flop hold'em, beside the article's.

A blueprint whose flop hands are in buckets is solved; then each flop is solved again by nine
techniques, and what a best response wins from each is worked out exactly.  The small game has one
bet of the pot before the flop, half and whole pots on it, two bets at most; the large one a bet of
half, three quarters or all of the pot before it, and all-in bets on it too.  The turn game begins
on one flop, with half and whole pots, two bets a street, and its turns are solved again.

All 1755 classes of flops take two cores a quarter of an hour for a blueprint and 25 minutes for the
techniques; three to four times as long in the large game.  With --flops N only N classes of flops
come up, which takes minutes.  The tables of docs:

    make study subgames
    make study NAME="subgames --tree large --flops 40 --buckets 5,46,684"
    make study NAME="subgames --tree turn --buckets 100"
    make study NAME="subgames --tree turn --turn-flop FLOP --buckets 100,400 --solved 200"

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017, tables 1 to 3.
"""

from argparse import ArgumentTypeError
from functools import cached_property

import numpy as np

from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.console.options import jobs_option
from engine.parallel.processes import in_order
from engine.rules.state import HandState
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.errors import ProtocolError
from tests.studies.flop_holdem.game import FLOPS, FlopGame, flop_holdem, flop_tables, turn_tables
from tests.studies.flop_holdem.parts import Parts, take
from tests.studies.flop_holdem.solver import FlopBucketSolver
from tests.studies.flop_holdem.techniques import (
    TECHNIQUES,
    FlopBlueprint,
    flop_buckets,
    flop_features,
)

FLOPS_AT_ONCE = 5
ITERATIONS_AT_ONCE = 10
TREES = {
    "small": BetMenu((street_menu((1.0,), max_raises=1), street_menu((0.5, 1.0), max_raises=2))),
    "large": BetMenu(
        (
            street_menu((0.5, 0.75, 1.0), max_raises=1),
            street_menu((0.5, 1.0, ALL_IN), max_raises=2),
        )
    ),
    "turn": BetMenu((street_menu((0.5, 1.0), max_raises=2),)),
}
"""114 and 392 actions on the flop.  The article tells only how much memory its games take, and
these would take as much.  Turn: no betting before the flop."""
TURN_FLOP = "Ks8d4c"
"""The turn game's; of the usual kind, without a pair, a flush or a straight to come.  A choice."""
BUCKETS = {"small": (200, 2000, 30000), "large": (200, 2000, 30000), "turn": (200, 2000, 20000)}
PUBLISHED = {
    "small": {
        "blueprint": (886.9, 373.7, 91.28),
        "unsafe": (146.8, 39.58, 5.514),
        "resolve": (601.6, 177.9, 54.07),
        "max-margin": (300.5, 139.9, 43.43),
        "reach-max-margin": (298.8, 139.0, 41.47),
        "reach-max-margin, not split": (248.7, 98.07, 25.88),
        "estimate": (116.6, 62.61, 24.23),
        "estimate + distributional": (104.4, 62.45, 34.30),
        "reach-estimate + distributional": (102.1, 57.98, 22.58),
        "reach-estimate + distributional, not split": (95.60, 49.24, 17.33),
    },
    "large": {
        "blueprint": (283.7, 165.2, 41.41),
        "unsafe": (65.59, 38.22, 396.8),
        "resolve": (179.6, 101.7, 23.11),
        "max-margin": (134.7, 77.89, 19.50),
        "reach-max-margin": (134.0, 72.22, 18.80),
        "reach-max-margin, not split": (130.3, 66.79, 16.41),
        "estimate": (52.62, 41.93, 30.09),
        "estimate + distributional": (49.56, 38.98, 10.54),
        "reach-estimate + distributional": (49.33, 38.52, 9.840),
        "reach-estimate + distributional, not split": (49.13, 37.22, 8.777),
    },
    "turn": {
        "blueprint": (684.6, 465.1, 345.5),
        "unsafe": (130.4, 85.95, 79.34),
        "resolve": (454.9, 321.5, 251.8),
        "max-margin": (427.6, 299.6, 234.4),
        "reach-max-margin": (424.4, 298.3, 233.5),
        "reach-max-margin, not split": (333.4, 229.4, 175.5),
        "estimate": (120.6, 89.43, 76.44),
        "estimate + distributional": (119.4, 87.83, 74.35),
        "reach-estimate + distributional": (116.8, 85.80, 72.59),
        "reach-estimate + distributional, not split": (113.3, 83.24, 70.68),
    },
}
"""By tree, mbb per hand with so many `BUCKETS`."""
SMALL = {"flops": 1, "buckets": (3,), "iterations": 3, "solved": 5, "jobs": 1}


def add_options(parser):
    """Add what is compared."""
    add = parser.add_argument
    add("--tree", choices=TREES, default="small", help="the article's small, large or turn game")
    add("--buckets", type=lambda text: tuple(map(int, text.split(","))), help="200,2000,30000")
    add("--flops", type=int, default=FLOPS, help="classes of flops that come up, evenly chosen")
    flop = "on which the turn game begins (%(default)s)"
    add("--turn-flop", type=_flop, default=TURN_FLOP, metavar="CARDS", help=flop)
    add("--algorithm", choices=VARIANTS, default="lcfr", help="that solves them (%(default)s)")
    add("--iterations", type=int, default=1000, help="of each blueprint")
    add("--solved", type=int, default=400, help="iterations of each flop that is solved again")
    add("--seed", type=int, default=1, help="of the buckets")
    jobs_option().add_to(parser)


def result_name(options):
    """Return the file of a tree, or of the turn game on another flop."""
    another = options.tree == "turn" and options.turn_flop != TURN_FLOP
    return f"subgames-{options.tree}{f'-{options.turn_flop}' if another else ''}.json"


def _flop(text):
    """Read the three cards of a flop."""
    try:
        cards = parse_cards(text)
    except ProtocolError as error:
        raise ArgumentTypeError(str(error)) from error
    if len(cards) != 3 or len(set(cards)) != 3:
        raise ArgumentTypeError(f"want three cards, such as {TURN_FLOP}, not {text!r}")
    return text


def run(options):
    """Do what is left; return mbb per hand by technique and buckets, beside the article's."""
    tree, settings = options.tree, {"iterations": options.iterations, "solved": options.solved}
    game = {name: getattr(options, name) for name in ("tree", "flops", "seed", "algorithm")}
    if tree == "turn":
        game["turn_flop"] = options.turn_flop
    study = Subgames(options.work, settings | game, options.jobs)
    measured = {}
    for buckets in options.buckets or BUCKETS[tree]:
        take(study.steps(buckets))
        for name, chips in study.exploitability(buckets).items():
            mbb = 1000 * chips / study.game.tree.game.big_blind
            measured.setdefault(name, {})[buckets] = mbb
    return {
        "command": "make study subgames",
        "tree": tree,
        **({"turn_flop": options.turn_flop} if tree == "turn" else {}),
        "flops": len(study.game.flops.ways),
        **settings,
        "exploitability_mbb_per_hand": measured,
        "published": {"buckets": BUCKETS[tree], "mbb_per_hand": PUBLISHED[tree]},
    }


class Subgames:
    """One game, in parts that are kept.

    TREE/B/buckets        (F, 1176) uint16 for each number of buckets B
    TREE/B/blueprint      the solver's tables, with how many iterations made them
    TREE/B/solved-FIRST   the sums over some flops, from number FIRST on
    """

    def __init__(self, folder, settings, workers=1):
        """Begin, or go on."""
        self.parts = Parts(folder, settings)
        self.settings = settings
        self.workers = workers

    @cached_property
    def game(self):
        """The betting, and the flops that come up."""
        menu = TREES[self.settings["tree"]]
        if self.settings["tree"] == "turn":
            state = HandState.start(flop_holdem(3)).apply(CALL).apply(CALL)
            flop = tuple(parse_cards(self.settings["turn_flop"]))
            return FlopGame(build_betting_tree(state, menu), turn_tables(flop))
        state = HandState.start(flop_holdem())
        return FlopGame(build_betting_tree(state, menu), flop_tables(self.settings["flops"]))

    def steps(self, buckets):
        """Do what is left, and say how far it is; may be stopped anywhere."""
        yield from self._bucket(buckets)
        yield from self._train(buckets)
        yield from self._solve(buckets)

    def exploitability(self, buckets):
        """Return chips per hand by technique, when all is done."""
        plan = FlopBlueprint(self.solver(buckets))
        names = [self._name(buckets, f"solved-{first:04}") for first in self._firsts]
        sums = np.sum([self.parts.load(name)["sums"] for name in names], axis=0)
        return {"blueprint": plan.exploitability(None)} | {
            technique.name: plan.exploitability(sums[number])
            for number, technique in enumerate(TECHNIQUES)
        }

    def _name(self, buckets, part):
        return f"{self.settings['tree']}/{buckets}/{part}"

    @property
    def _firsts(self):
        return range(0, len(self.game.flops.ways), FLOPS_AT_ONCE)

    def _bucket(self, buckets):
        name = self._name(buckets, "buckets")
        if self.parts.has(name):
            return
        yield f"{buckets} buckets", 0, 1
        flops, threads = self.game.flops, self.workers
        features = flop_features(flops, threads)
        made = flop_buckets(flops, features, buckets, self.settings["seed"], threads)
        self.parts.save(name, {"buckets": made})
        yield f"{buckets} buckets", 1, 1

    def solver(self, buckets):
        """Return the blueprint's solver as far as it came."""
        of_hands = self.parts.load(self._name(buckets, "buckets"))["buckets"]
        solver = FlopBucketSolver(self.game, of_hands, threads=self.workers)
        if self.parts.has(name := self._name(buckets, "blueprint")):
            solver.resume(self.parts.load(name))
        return solver

    def _train(self, buckets):
        wanted, solver = self.settings["iterations"], self.solver(buckets)
        while solver.iterations < wanted:
            yield f"blueprint of {buckets}", solver.iterations, wanted
            more = min(ITERATIONS_AT_ONCE, wanted - solver.iterations)
            solve(solver, VARIANTS[self.settings["algorithm"]], more)
            self.parts.save(self._name(buckets, "blueprint"), solver.state())
            yield f"blueprint of {buckets}", solver.iterations, wanted

    def _solve(self, buckets):
        names = {first: self._name(buckets, f"solved-{first:04}") for first in self._firsts}
        left = [first for first, name in names.items() if not self.parts.has(name)]
        done, stage = len(names) - len(left), f"flops again, {buckets}"
        arguments = self.parts.folder, self.settings, buckets
        for first, sums in zip(
            left, in_order(_flop_solver, arguments, left, self.workers), strict=True
        ):
            self.parts.save(names[first], {"sums": sums})
            done += 1
            yield stage, done, len(names)


def _flop_solver(folder, settings, buckets):
    plan = FlopBlueprint(Subgames(folder, settings).solver(buckets))

    def solved(first):
        flops = range(first, min(first + FLOPS_AT_ONCE, len(plan.game.flops.ways)))
        return np.sum([plan.solved_flop(flop, settings["solved"]) for flop in flops], axis=0)

    return solved
