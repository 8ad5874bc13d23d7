import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.info_sets import build_info_sets
from engine.mccfr import table_blocks
from tests.helpers.small_mccfr import shallow_holdem


@pytest.fixture(scope="module")
def info_sets():
    """A hand of few chips and buckets."""
    return build_info_sets(shallow_holdem(menu_of((0.5, 1.0), max_raises=2)), (3, 4, 2, 3))


def filled(info_sets, *, whole=False):
    """Return a table of random numbers."""
    cells = np.random.default_rng(2).normal(0, 1000, info_sets.cells).astype(np.float32)
    if whole:
        regrets = cells.view(np.int32)
        for rows, count in each_decision(info_sets, regrets):
            rows[:, :count] = np.random.default_rng(3).integers(-1000, 1000, (len(rows), count))
    return cells


def each_decision(info_sets, table):
    """Return the rows of all decisions and their numbers of actions."""
    for node in map(int, np.flatnonzero(info_sets.offset >= 0)):
        yield info_sets.rows_of(table, node), int(info_sets.tree.child_count[node])


@pytest.mark.parametrize("whole", [False, True])
def test_scaling_reaches_every_row_once(info_sets, whole):
    """Positive regrets, negative ones and sums by factors of their own; the rest stays."""
    cells = filled(info_sets, whole=whole)
    want = cells.copy()
    for rows, count in each_decision(info_sets, want):
        rows[:, count:] *= np.float32(0.25)
    regret, wanted = (cells.view(np.int32), want.view(np.int32)) if whole else (cells, want)
    for rows, count in each_decision(info_sets, wanted):
        scaled = rows[:, :count] * np.where(rows[:, :count] > 0, 0.5, 0.75)
        rows[:, :count] = np.rint(scaled) if whole else scaled
    factors = np.float32(0.5), np.float32(0.75), np.float32(0.25)
    for block in table_blocks.blocks_of(info_sets):
        table_blocks.scale_rows(block, 0, 1, regret, cells, factors)
        table_blocks.scale_rows(block, 1, block.buckets, regret, cells, factors)
    if not whole:
        assert np.allclose(cells, want, rtol=1e-6)
        return
    for (found, count), (near, _) in zip(
        each_decision(info_sets, regret), each_decision(info_sets, wanted), strict=True
    ):
        assert np.abs(found[:, :count] - near[:, :count]).max() <= 1  # halves, either way
        sums, near_sums = (rows[:, count:].view(np.float32) for rows in (found, near))
        assert np.allclose(sums, near_sums, rtol=1e-6)


def test_positive_regrets_are_summed(info_sets):
    """Over all rows, sums of strategies and padding left out."""
    cells = filled(info_sets)
    want = sum(
        np.maximum(rows[:, :count], 0).sum(dtype=np.float64)
        for rows, count in each_decision(info_sets, cells)
    )
    found = sum(
        table_blocks.positive_regrets(block, 0, block.buckets, cells)
        for block in table_blocks.blocks_of(info_sets)
    )
    assert found == pytest.approx(want, rel=1e-6)


def test_merging_averages_gains():
    """Base and copies become the base plus what the copies gained on average, floored."""
    generator = np.random.default_rng(1)
    base = generator.integers(-50, 50, 1000).astype(np.float32)
    parts = base + generator.integers(-50, 50, (4, 1000)).astype(np.float32)
    want = np.maximum(base + (parts - base).mean(axis=0), -60)
    table_blocks.merge_parts(base, parts, 0, 400, np.float32(-60))
    table_blocks.merge_parts(base, parts, 400, 1000, np.float32(-60))
    assert base.tolist() == want.tolist()
    assert (parts == base).all()
