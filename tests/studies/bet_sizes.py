"""Which bet sizes are best for a player that has few of them, by a search to a local optimum.

One player, the searcher, has the menu that is asked for, the other one the opponent's, which never
changes.  Hold'em with this betting before the flop and on a few flops is solved whole, from both
positions; after the flop's betting two more cards come without bets.  Then

    low     what the searcher's average strategy wins from a best response to it: it is sure of it
    high    what a best response wins from the opponent's average strategy: nobody wins more

The value lies between both.  Their middle settles many times sooner than either, since both
strategies are about equally far from their best, so it is what menus are compared by.

A point of the search has four levels: of the first raise before the flop, one of a raise after it,
of the first bet on the flop, one of a raise of it; level n stands for 10 ** (n / 10) of the pot.
Against a bet all-in is offered as well: three raises at most before the flop, two on it.

The work folder keeps low and high of each menu.  Both cases of docs take nine minutes of a core.

Sources: Hawkin, Holte, Szafron, "Automated action abstraction of imperfect information
extensive-form games", AAAI 2011; Brown, Sandholm, "Superhuman AI for heads-up no-limit poker:
Libratus beats top professionals", Science 359, 2018, which says that sizes of early rounds came
from a search that ends in a local optimum.
"""

import json
import math
from dataclasses import asdict, dataclass
from functools import cached_property

from engine.betting.bet_menu import SeatMenus, parse_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.errors import ArtifactMismatch
from engine.rules.state import HandState
from engine.storage.atomic import write_whole
from tests.studies.flop_holdem.game import FlopGame, flop_holdem, flop_tables, run_out
from tests.studies.flop_holdem.solver import FlopHandSolver

OPPONENT = "50,100,200,a;70,140,a;a;/33,75,150,a;100,a;"
VARIANT = "dcfr3"
"""On two flops with 200 blinds its bounds are 29 mbb per hand apart after 160 iterations, those of
CFR+ 101."""
NAMES = ("first raise", "raise again", "flop bet", "flop raise")
LEVELS = range(-10, 11)
"""From a tenth of the pot to ten pots."""
LEAST_FIRST_RAISE = -3
"""Half the pot, below which the rules allow none."""
STRIDES = (2, 1)
"""Levels of a step: first wide ones, then those between."""
CURVE = (-4, -2, -1, 0, 1, 2, 4)
"""Levels that one size is moved by to see what that loses."""
MOST_NODES = 10_000
"""Of a game: 0.4 GB a thread and 60 MB a flop."""


@dataclass(frozen=True)
class Case:
    """A search, and what its values depend on."""

    stack: int
    """Big blinds."""
    iterations: int
    """For each menu and position."""
    least: float
    """mbb per hand that a step must gain: what chance may make of one."""
    starts: tuple[int, ...]
    """Per cent of the pot that all sizes begin at."""
    beside: str
    """A menu that is valued, too: the shipped one."""
    flops: int = 3
    """Classes of flops that come up."""
    opponent: str = OPPONENT
    curve: tuple[int, ...] = CURVE


CASES = (
    Case(20, 60, 1.0, (100, 150), "50,75,250,a;75,125,a;a/33,50,100,250,a;75,a;a"),
    Case(200, 160, 2.0, (100,), "50,100,250,600,a;100,a;100,a;a/50,100,250,a;100,a;a"),
)
SMALL_CASES = (Case(3, 1, 100.0, (100,), "100;/50;", 1, "50,100;a;/75;", (0, 1)),)


def add_options(parser):
    """Add how it is shared out."""
    jobs_option("threads").add_to(parser)


def result_name(options):
    """Return the file of the result."""
    return "sizes.json"


def run(options):
    """Return what was found in each case: searches, their best, and what moving a size loses."""
    cases = SMALL_CASES if options.small else CASES
    return [searched(Values(options.work, case, options.jobs)) for case in cases]


def searched(values):
    """Do the searches of a case; return what menus win and what moving a size loses."""
    case = values.case
    beside = values.won(case.beside)
    paths = {
        share: climb(start_at(share / 100), values.middle, case.least) for share in case.starts
    }
    best = max((path[-1] for path in paths.values()), key=values.middle)
    losses = {}
    for size, name in enumerate(NAMES):
        lost = {
            percent_of_pot(point[size]): round(values.middle(best) - values.middle(point), 2)
            for point in moved(best, size, case.curve)
        }
        losses[name] = {"best": percent_of_pot(best[size]), "moved": list(map(list, lost.items()))}
    return {
        "command": "make study bet-sizes",
        **{name: getattr(case, name) for name in ("stack", "flops", "iterations", "least")},
        "opponent": case.opponent,
        "beside": [beside],
        "searches": {
            share: {"ended": True, "path": [values.won(menu_text(point)) for point in path]}
            for share, path in paths.items()
        },
        "best": values.won(menu_text(best)),
        "losses": losses,
    }


class Values:
    """What menus win in a case, kept in a file of the work folder."""

    def __init__(self, folder, case, threads=None):
        """Begin, or go on.

        Raises:
            ArtifactMismatch: the file is of other settings.
        """
        self.case, self.threads = case, threads
        self._path = folder / f"sizes-{case.stack}.json"
        facts = {"case": json.loads(json.dumps(asdict(case))), "low_high_mbb": {}}
        if self._path.exists():
            facts |= json.loads(self._path.read_text(encoding="utf-8"))
        if facts["case"] != json.loads(json.dumps(asdict(case))):
            raise ArtifactMismatch(f"{self._path} is of other settings; remove it")
        self._facts = facts

    @cached_property
    def flops(self):
        """The flops that come up."""
        return run_out(flop_tables(self.case.flops), self.threads)

    def middle(self, point):
        """Return the mean of all bounds of a point, mbb per hand."""
        low, high = self.bounds(menu_text(point))
        return sum(low + high) / 4

    def won(self, menu):
        """Return what a menu wins, mbb per hand, for JSON."""
        low, high = self.bounds(menu)
        bounds = {"low": [round(one, 2) for one in low], "high": [round(one, 2) for one in high]}
        return {"menu": menu, "mbb_per_hand": round(sum(low + high) / 4, 2), "by_position": bounds}

    def bounds(self, menu):
        """Return low and high by position, mbb per hand: 0 acts first after the flop."""
        values = self._facts["low_high_mbb"]
        if menu not in values:
            values[menu] = self._evaluated(menu)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(self._facts, indent=1) + "\n")
        return values[menu]

    def _evaluated(self, menu):
        low, high = [0.0, 0.0], [0.0, 0.0]
        with LivingLine() as line:
            line.show(f"{self.case.stack} blinds: {menu}")
            for position in (0, 1):
                solver = self.solver(menu, position)
                solve(solver, VARIANTS[VARIANT], self.case.iterations)
                won = solver.best_responses(StrategyKind.AVERAGE)
                mbb = 1000 / solver.game.tree.game.big_blind
                low[position], high[position] = -won[1 - position] * mbb, won[position] * mbb
        return [low, high]

    def solver(self, menu, position):
        """Return the solver of the game in which one position has a menu, before it begins."""
        menus = [parse_menu(self.case.opponent), parse_menu(self.case.opponent)]
        menus[position] = parse_menu(menu)
        root = HandState.start(flop_holdem(stack=self.case.stack))
        tree = build_betting_tree(root, SeatMenus(tuple(menus)), most_nodes=MOST_NODES)
        return FlopHandSolver(FlopGame(tree, self.flops), threads=self.threads)


def climb(start, value, least, move=None):
    """Return the path of a search, each point better than the one before by more than `least`.

    `move` is `moved` unless it is given.

    One size after the other is moved up and down.  The better one of both is gone to, and the same
    size is moved again; the search ends where none gains.
    """
    path = [start]
    for stride in STRIDES:
        size, without_gain = 0, 0
        while without_gain < len(start):
            best, gained = path[-1], least
            for other in (move or moved)(path[-1], size, (-stride, stride)):
                if (gain := value(other) - value(path[-1])) > gained:
                    best, gained = other, gain
            if best == path[-1]:
                size, without_gain = (size + 1) % len(start), without_gain + 1
            else:
                path.append(best)
                without_gain = 0
    return path


def moved(point, size, strides):
    """Return a point with one of its sizes moved, by each stride that stays on the grid."""
    least = LEAST_FIRST_RAISE if size == 0 else LEVELS[0]
    levels = [point[size] + stride for stride in strides]
    return [
        (*point[:size], level, *point[size + 1 :])
        for level in levels
        if least <= level <= LEVELS[-1]
    ]


def percent_of_pot(level):
    """Return how many hundredths of the pot a level is."""
    return round(100 * 10 ** (level / 10))


def start_at(share):
    """Return the point whose sizes all are about a share of the pot, as far as the grid goes."""
    level = min(max(round(10 * math.log10(share)), LEVELS[0]), LEVELS[-1])
    return (max(level, LEAST_FIRST_RAISE), level, level, level)


def menu_text(point):
    """Return the menu of a point as `engine.betting.bet_menu.parse_menu` reads it."""
    first, again, bet, raised = map(percent_of_pot, point)
    return f"{first};{again},a;a;/{bet};{raised},a;"
