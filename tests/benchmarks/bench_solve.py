"""Which algorithm `arena solve` takes unless told otherwise; unit: seconds until accurate.

Typical spots as users type them.  Beside the time of the default stand the iterations that each
candidate takes to 0.3 % and to 0.1 % of the pot, counted in steps of 3 %: an iteration costs all of
them about the same, and the counts are those of any machine.
"""

from typing import NamedTuple

import pytest

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.commands.solve.betting_plan import betting_plan
from engine.commands.solve.request import request_of
from engine.commands.solve.solve_command import ALGORITHM, COMMAND
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from tests.helpers.endgames import CALLER, OPENER

pytestmark = pytest.mark.slow
CANDIDATES = ("lcfr", "dcfr", "dcfr3", "dcfr+", "cfr+")
GOALS = {"0_3": 0.003, "0_1": 0.001}


class Spot(NamedTuple):
    """What is typed."""

    board: str
    pot: int
    stacks: int
    bets: str
    oop: str = CALLER
    ip: str = OPENER


SPOTS = {
    "river, all hands": Spot("4s8hTc9h2s", 500, 19750, "50,100,a", "random", "random"),
    "river": Spot("KsJs7d2c9h", 1200, 9400, "33,75,150,a"),
    "river, large pot": Spot("AsAd7h7c2s", 3000, 5000, "50,100,a"),
    "turn": Spot("Td9d6h2s", 1000, 9500, "75,a"),
    "turn, large pot": Spot("Ts7h4cQd", 4780, 17610, "100,a", "random", "random"),
}


def made(spot):
    """A solver of a spot, on one thread."""
    words = [f"--{name}={value}" for name, value in spot._asdict().items()]
    request = request_of(COMMAND.parser().parse_args([*words, "--max-raises=3"]))
    return RangeSolver(betting_plan(request).tree, request.board, request.ranges, RangeSettings())


def solve_to(solver, algorithm, goal):
    """Iterate until a share of the pot is reached; return the iterations it took."""
    variant = VARIANTS[algorithm]
    look = solver.iterations + 8
    while True:
        solver.iterate(variant.step(solver.iterations + 1, solver.spread))
        if solver.iterations >= look:
            if solver.exploitability_of_pot(StrategyKind.AVERAGE) <= goal:
                return solver.iterations
            look = int(look * 1.03) + 1


@pytest.mark.parametrize("name", SPOTS)
def bench_seconds_to_a_third_of_a_per_cent(benchmark, name):
    """With the default; the iterations of all candidates beside it."""
    spot = SPOTS[name]
    counted = {}
    for algorithm in CANDIDATES:
        solver = made(spot)
        for goal, share in GOALS.items():
            counted[f"iterations_{algorithm}_to_{goal}_percent"] = solve_to(
                solver, algorithm, share
            )
    benchmark.pedantic(
        solve_to, setup=lambda: ((made(spot), ALGORITHM, GOALS["0_3"]), {}), rounds=3
    )
    if benchmark.stats is not None:
        benchmark.extra_info.update(counted)
