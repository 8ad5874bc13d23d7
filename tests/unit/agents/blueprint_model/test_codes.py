"""Rows of probabilities as numbers of 8 or 16 bits."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.blueprint_model.codes import decode, decoding, grid_size, nearest_codes


@pytest.mark.parametrize(
    ("bits", "wholes"),
    [
        (8, (20, 20, 9, 6, 5, 4, 3)),
        (16, (20, 20, 20, 20, 20, 15, 12)),
        (32, (65535, 65535, 2951, 564, 217, 117, 76)),
    ],
)
def test_the_finest_grid_that_the_bits_tell_apart(bits, wholes):
    """As in the table; one more share would be too many points, or finer than is worth it."""
    for actions, whole in enumerate(wholes, start=2):
        assert grid_size(actions, bits) == whole
        assert comb(whole + actions - 1, actions - 1) <= 1 << bits
        finest = whole == (65535 if bits == 32 else 20)
        assert finest or comb(whole + actions, actions - 1) > 1 << bits


@pytest.mark.parametrize("actions", range(2, 9))
@pytest.mark.parametrize("bits", [8, 16])
def test_every_number_is_a_point_and_comes_back(actions, bits):
    """All of them, in lexicographic order, each adding to 1."""
    whole = grid_size(actions, bits)
    points = decoding(actions, bits)
    assert points.shape == (comb(whole + actions - 1, actions - 1), actions)
    assert points.sum(axis=1) == pytest.approx(1, abs=1e-6)
    parts = np.rint(points * whole).astype(int)
    assert (np.abs(parts / whole - points) < 1e-6).all()
    assert (parts.sum(axis=1) == whole).all()
    assert parts.tolist() == sorted(parts.tolist())
    numbers = nearest_codes(points, bits)
    assert numbers.dtype == (np.uint8 if bits == 8 else np.uint16)
    assert (numbers == np.arange(len(points))).all()
    assert not points.flags.writeable  # they are shared


@given(st.integers(2, 4), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 5.0]))
def test_rows_go_to_the_nearest_point(actions, seed, alpha):
    """Nearer than all others: every point is tried."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(actions, alpha), 5).astype(np.float32)
    points = decoding(actions, 8).astype(np.float64)
    found = points[nearest_codes(rows, 8)]
    exact = rows / rows.sum(axis=1, keepdims=True, dtype=np.float64)
    for norm in (1, 2, np.inf):
        miss = np.linalg.norm(found - exact, norm, axis=1)
        best = np.linalg.norm(points[None] - exact[:, None], norm, axis=2).min(axis=1)
        assert (miss <= best + 1e-7).all()


@given(st.integers(2, 8), st.integers(0, 2**32 - 1), st.sampled_from([8, 16, 32]))
def test_rounding_misses_by_less_than_a_share(actions, seed, bits):
    """Certain rows stay certain; impossible actions stay impossible."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(actions), 20).astype(np.float32)
    rows[0] = np.eye(actions)[seed % actions]
    rows[1, 0] = 0
    rows[1] /= rows[1].sum()
    numbers = nearest_codes(rows, bits)
    found = decode(numbers, actions, bits)
    assert bits == 32 or (found == decoding(actions, bits)[numbers]).all()
    assert (np.abs(found - rows) < 1 / grid_size(actions, bits) + 1e-6).all()
    assert (found[0] == rows[0]).all()
    assert found[1, 0] == 0


def test_no_probabilities_are_refused():
    """Negative ones, or rows that do not add to 1; grids of fewer than two actions, other bits."""
    for row in ((0.5, 0.6), (-0.1, 1.1), (0.0, 0.0), (np.nan, 1.0), (np.inf, 0.0)):
        with pytest.raises(ValueError, match="negative or do not add to 1"):
            nearest_codes(np.array([row], np.float32), 8)
    for actions, bits in ((1, 8), (0, 16), (3, 4), (3, 64)):
        with pytest.raises(ValueError, match="a grid of"):
            grid_size(actions, bits)
