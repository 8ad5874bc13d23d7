"""Exploitability on the published Libratus subgames, against a reproduction in double precision.

Figures: thousandths of a big blind, mean of both best-response values, big blind 100, alternating
updates.  From about fifty iterations on those of the discounting algorithms hang on the last bits:
strategies that nobody plays are matched to what little regret there is.  Changing single bits
moves DCFR after 128 iterations of subgame 3 between 106 and 172.
"""

import pytest

from engine.cfr.range_cfr import RangeSettings, RangeSolver
from engine.cfr.solver import Which, solve
from engine.cfr.variants import VARIANTS
from tests.helpers.libratus import read_subgame, subgame_tree

MBB = 10.0
"""Thousandths of a big blind per chip."""
AFTER = (32, 64, 128, 256, 512, 1024, 2048, 4096)
SOON = 512

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
    "dcfr+": (854, 186, 47.2, 14.1, 3.98, 1.18, 0.435, 0.170),
    "pcfr+": (2000, 871, 353, 102, 30.1, 10.5, 3.53, 1.26),
    "sapcfr+": (1680, 631, 186, 49.3, 13.8, 5.01, 2.05, 0.588),
    "pdcfr+": (1650, 716, 234, 91.3, 27.2, 10.8, 3.76, 1.22),
}
TURN_500 = {"dcfr": (1338, 560, 184, 60.4)}
TURN_4780 = {"dcfr": (1624, 525, 134, 38.1, 11.8), "lcfr": (None, None, 259, 91.0, 31.1)}


def solver_of(folder, number, **settings):
    """A solver of one of the files; not all of them come with the recordings."""
    path = folder / "libratus_subgames" / f"subgame{number}.txt"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    subgame = read_subgame(path)
    tree = subgame_tree(subgame.street, subgame.pot)
    return RangeSolver(tree, subgame.board, subgame.ranges, RangeSettings(**settings))


def compare(solver, name, figures, *, up_to):
    """Solve, and look at the exploitability on the way."""
    for iterations, figure in zip(AFTER, figures, strict=False):
        if iterations <= up_to:
            solve(solver, VARIANTS[name], iterations - solver.iterations)
            if figure is not None:
                found = MBB * solver.exploitability(Which.AVERAGE)
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
    assert [int(hands.held[0]) for hands in river.boards[0].hands] == [1033, 1059]
    turn = read_subgame(shared_data / "libratus_subgames" / "subgame1.txt")
    assert (turn.street, turn.pot) == (2, 500)
    assert len(subgame_tree(turn.street, turn.pot).decisions) == 32 + 256
