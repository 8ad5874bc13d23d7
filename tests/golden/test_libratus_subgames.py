"""Exploitability on the published Libratus subgames, against a reproduction in double precision.

Figures: thousandths of a big blind, mean of both best-response values, big blind 100, alternating
updates.  Every figure is to be met within 15 %, by the ranges as they are printed.

From about fifty iterations on those of the discounting algorithms hang on the last bits: strategies
that nobody plays are matched to what little regret there is.  Changing the ranges by a millionth,
six times, moved subgame 3 after 128 iterations from 164 to between 111 and 130 with DCFR, from 172
to between 107 and 131 with DCFR(1.5, 0, 3), from 117 to between 92 and 125 with DCFR+, and after
256 iterations from 30 to between 28 and 46; CFR, CFR+, PCFR+ and SAPCFR+ stay within 10 % to the
end, LCFR within 15 %.

Left out are figures of DCFR+ on subgame 4 after more than 32 iterations: 186 after 64 and 47.2
after 128, where payoff matrices in double precision give 154.7 and 89, this solver 154.7 and 124.
"""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import SHOWDOWN
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import INT16
from tests.helpers.endgames import read_subgame
from tests.helpers.subgames import tree_of

MBB = 10.0
"""Thousandths of a big blind per chip."""
AFTER = (32, 64, 128, 256, 512, 1024, 2048, 4096)
SOON = 512
STEADY = ("cfr", "cfr+", "lcfr", "pcfr+", "sapcfr+")
"""Algorithms whose figures outlast a small change of the ranges."""

RIVER_500 = {
    "cfr": (2320, 1270, 659, 341, 179, 92.8, 48.5, 24.6),
    "cfr+": (659, 371, 181, 82.9, 37.7, 18.6, 7.54, 2.42),
    "lcfr": (368, 163, 82.0, 28.1, 9.02, 2.98, 1.05, 0.409),
    "dcfr": (478, 251, 169, 49.3, 17.8, 5.74, 1.96, 0.691),
    "dcfr3": (439, 264, 178, 45.8, 15.8, 5.27, 1.91, 0.694),
    "dcfr+": (513, 210, 121, 33.4, 11.0, 4.46, 1.50, 0.524),
    "pcfr+": (597, 343, 233, 131, 65.4, 24.8, 9.61, 3.42),
    "sapcfr+": (662, 356, 193, 104, 44.1, 20.2, 8.17, 2.80),
    "pdcfr+": (566, 358, 218, 124, 52.5, 16.8, 6.48, 2.63),
}
RIVER_3750 = {
    "cfr": (4620, 2280, 1160, 596, 301, 153, 78.5, 39.1),
    "cfr+": (1460, 510, 124, 33.8, 11.4, 3.69, 1.35, 0.454),
    "lcfr": (1120, 361, 115, 36.9, 13.8, 5.11, 2.49, 1.11),
    "dcfr": (965, 291, 74.6, 18.3, 6.17, 2.11, 0.653, 0.232),
    "dcfr3": (954, 264, 67.2, 16.1, 6.36, 2.02, 0.621, 0.216),
    "dcfr+": (854,),
    "pcfr+": (2000, 871, 353, 102, 30.1, 10.5, 3.53, 1.26),
    "sapcfr+": (1680, 631, 186, 49.3, 13.8, 5.01, 2.05, 0.588),
    "pdcfr+": (1650, 716, 234, 91.3, 27.2, 10.8, 3.76, 1.22),
}
TURN_500 = {"dcfr": (1338, 560, 184, 60.4)}
TURN_4780 = {"dcfr": (1624, 525, 134, 38.1, 11.8), "lcfr": (None, None, 259, 91.0, 31.1)}


def solver_of(folder, number, changed=0.0, **settings):
    """A solver of one of the files; not all of them come with the recordings.

    `changed` is the standard deviation of a relative change of all weights.
    """
    path = folder / "libratus_subgames" / f"subgame{number}.txt"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    subgame = read_subgame(path)
    noise = np.random.default_rng(1).standard_normal(subgame.ranges.shape)
    ranges = subgame.ranges * (1 + changed * noise)
    return RangeSolver(subgame.tree(), subgame.board, ranges, RangeSettings(**settings))


def compare(solver, name, figures, *, up_to):
    """Solve, and look at the exploitability on the way."""
    for iterations, figure in zip(AFTER, figures, strict=False):
        if iterations <= up_to:
            solve(solver, VARIANTS[name], iterations - solver.iterations)
            if figure is not None:
                found = MBB * solver.exploitability(StrategyKind.AVERAGE)
                assert found == pytest.approx(figure, rel=0.15), iterations


@pytest.mark.parametrize("name", RIVER_500)
def test_river_of_500_soon(shared_data, name):
    """Every algorithm, while it is cheap."""
    compare(solver_of(shared_data, 3), name, RIVER_500[name], up_to=SOON)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIVER_500)
def test_river_of_500(shared_data, name):
    """Every algorithm to the end of the table."""
    compare(solver_of(shared_data, 3), name, RIVER_500[name], up_to=AFTER[-1])


def test_sixteen_bits_go_as_far(shared_data):
    """Where hands of one row win from a few chips to 20 000."""
    found = []
    for storage in ("float32", INT16):
        solver = solver_of(shared_data, 3, storage=storage)
        solve(solver, VARIANTS["lcfr"], SOON)
        found.append(solver.exploitability(StrategyKind.AVERAGE))
    assert found[1] < 1.25 * found[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", STEADY)
def test_steady_figures_are_no_luck(shared_data, name):
    """Slightly other ranges meet them as well."""
    compare(solver_of(shared_data, 3, changed=1e-6), name, RIVER_500[name], up_to=SOON)


@pytest.mark.slow
def test_figures_of_discounting_hang_on_the_last_bits(shared_data):
    """DCFR after 128 iterations: the same game, but for a millionth, is far off."""
    found = []
    for changed in (0.0, 1e-6):
        solver = solver_of(shared_data, 3, changed=changed)
        solve(solver, VARIANTS["dcfr"], 128)
        found.append(solver.exploitability(StrategyKind.AVERAGE))
    assert max(found) > 1.15 * min(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIVER_3750)
def test_river_of_3750(shared_data, name):
    """Every algorithm to the end of the table."""
    compare(solver_of(shared_data, 4), name, RIVER_3750[name], up_to=AFTER[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", TURN_500)
def test_turn_of_500(shared_data, name):
    """48 rivers, no two suits alike."""
    compare(solver_of(shared_data, 1, threads=2), name, TURN_500[name], up_to=AFTER[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", TURN_4780)
def test_turn_of_4780(shared_data, name):
    """48 rivers, few bets left."""
    compare(solver_of(shared_data, 2, threads=2), name, TURN_4780[name], up_to=AFTER[-1])


def test_subgames_are_read_as_they_are_printed(shared_data):
    """Sizes of the trees and of the ranges, and a few hands known by sight."""
    river = solver_of(shared_data, 3).game
    assert len(river.tree.decisions) == 32
    every = tree_of("4s8hTc9h2s", menu_of((0.5, 1, ALL_IN)), pot=500, stacks=(19_750, 19_750))
    assert (len(every.decisions), int((every.kind == SHOWDOWN).sum())) == (188, 187)
    assert [int(hands.held[0]) for hands in river.boards[0].hands] == [1033, 1059]
    turn = read_subgame(shared_data / "libratus_subgames" / "subgame1.txt")
    assert (len(turn.board), turn.pot) == (4, 500)
    assert len(turn.tree().decisions) == 32 + 256
