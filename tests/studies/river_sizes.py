"""Which bet sizes are best on the river, by a search to a local optimum and on other rivers.

One player has the menu that is asked for, the opponent has a richer one.  Rivers are drawn from
hands that blueprints play with themselves (`tests.studies.libratus_turns`).  Each is solved with
the menu in either seat, and a menu is worth the mean game value, per cent of the pot.  The search
begins at the richest river menu of `engine.search.menus` and moves one size after the other, as
`bet-sizes` does; another one has one size of a bet beside all-in, as a turn's solution has it on
the river.  What they end at is compared with the shipped menus on rivers that they did not have.
Six minutes of a core.
"""

import json
from itertools import pairwise

import numpy as np

from engine.betting.bet_menu import ALL_IN, SeatMenus, menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.console.progress import LivingLine
from engine.estimates.winrate import win_rate
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.storage.atomic import write_whole
from tests.studies.bet_sizes import LEVELS, climb, percent_of_pot
from tests.studies.frame import finite
from tests.studies.libratus_turns import DEPTHS, drawn_roots

OPPONENT = menu_of((0.25, 0.5, 0.75, 1.0, 1.5, 2.5, ALL_IN), (0.5, 1.0, ALL_IN), max_raises=3)
VARIANT = "dcfr+"
ITERATIONS = 200
RIVER = 3
LEAST = 0.02
"""Per cent of the pot that a step must gain."""
CASES = {
    "three bets": (3, (-5, -1, 2, -3, 0), ((0.33, 0.75, 1.5), (0.5, 1.0))),
    "one bet": (1, (-1,), ((0.75,), ())),
}
"""How many sizes are of a bet, the start of the search, and the shipped menu beside it."""
SEARCHED, MEASURED = (1, 2), range(3, 11)
"""Seeds of the rivers."""


def run(options):
    """Return the path of each search, and what its end gains on other rivers."""
    depths = DEPTHS[-1:] if options.small else DEPTHS
    rivers, others = (
        [root for seed in seeds for root in drawn_roots(RIVER, depths, seed)]
        for seeds in (SEARCHED, MEASURED)
    )
    if options.small:
        rivers, others = rivers[:1], others[:2]
    cases = {name: searched(name, options, rivers, others) for name in CASES}
    return {
        "command": "make study river-sizes",
        "iterations": iterations_of(options),
        "rivers": len(rivers),
        "other_rivers": len(others),
        "cases": cases,
    }


def searched(name, options, rivers, others):
    """Return the path of a search, and what its end gains on other rivers."""
    bets, start, shipped = CASES[name]
    iterations = iterations_of(options)
    values = Values(options.work / f"{name}.json", rivers, iterations)

    def value(point):
        return values.of(sizes_of(point, bets))

    path = [start] if options.small else climb(start, value, LEAST, moved(bets))
    best = sizes_of(path[-1], bets)
    of_both = [worth(menu, others, iterations) for menu in (shipped, best)]
    return {
        "shipped": shipped,
        "shipped_value": values.of(shipped),
        "path": [[sizes_of(point, bets), value(point)] for point in path],
        "values": values.all,
        "gain": win_rate_of([after - before for before, after in zip(*of_both, strict=True)]),
    }


def iterations_of(options):
    """Return how long each river is solved."""
    return 4 if options.small else ITERATIONS


def win_rate_of(gained):
    """Return a mean and half its 95 % interval."""
    rate = win_rate(np.array(gained), 1000)
    return [round(rate.mbb_per_hand, 4), finite(rate.ci95, 4)]


class Values:
    """What menus are worth on the rivers of the search, kept in a file of the work folder."""

    def __init__(self, path, rivers, iterations):
        """Begin, or go on."""
        self._path, self._rivers, self._iterations = path, rivers, iterations
        self.all = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def of(self, sizes):
        """Return per cent of the pot."""
        key = "; ".join(", ".join(f"{size:.2f}" for size in part) for part in sizes)
        if key not in self.all:
            with LivingLine() as line:
                line.show(key)
                values = worth(sizes, self._rivers, self._iterations)
            self.all[key] = round(sum(values) / len(values), 4)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(self.all, indent=1) + "\n")
        return self.all[key]


def worth(sizes, rivers, iterations):
    """Return what a menu wins on each river, per cent of the pot, a mean over both seats."""
    bets, raises = sizes
    menu = menu_of((*bets, ALL_IN), (*raises, ALL_IN), max_raises=4)
    values = []
    for root in rivers:
        total = 0.0
        for seat, sign in enumerate((1, -1)):
            menus = (menu, OPPONENT) if seat == 0 else (OPPONENT, menu)
            tree = build_betting_tree(root.state, SeatMenus(menus))
            solver = RangeSolver(tree, root.board, root.ranges, RangeSettings())
            solve(solver, VARIANTS[VARIANT], iterations)
            total += sign * solver.game_value(StrategyKind.AVERAGE)
        values.append(100 * total / 2 / sum(root.state.spent))
    return values


def sizes_of(point, bets):
    """Return the sizes of bets and of raises at a point, pots."""
    shares = [percent_of_pot(level) / 100 for level in point]
    return tuple(shares[:bets]), tuple(shares[bets:])


def moved(bets):
    """Return what moves a point of so many sizes of a bet: sizes of a kind stay in order."""

    def move(point, size, strides):
        points = [(*point[:size], point[size] + stride, *point[size + 1 :]) for stride in strides]
        return [
            point
            for point in points
            if point[size] in LEVELS
            and all(
                low < high for part in (point[:bets], point[bets:]) for low, high in pairwise(part)
            )
        ]

    return move
