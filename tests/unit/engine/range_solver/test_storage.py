"""Rows of numbers in 16 bits."""

import numpy as np

from engine.range_solver.storage import pack_rows, unpack_rows


def packed_and_back(rows):
    packed, scale = np.zeros(rows.shape, np.int16), np.zeros(len(rows), np.float32)
    pack_rows(rows, scale, packed)
    back = np.full_like(rows, np.nan)
    unpack_rows(packed, scale, back)
    return back


def test_numbers_come_back_to_a_fraction_of_the_root():
    """Both signs, whatever the row's size."""
    rng = np.random.default_rng(1)
    rows = (rng.normal(size=(6, 160)) * 10.0 ** np.arange(-12, 6, 3)[:, None]).astype(np.float32)
    back = packed_and_back(rows)
    largest = abs(rows).max(axis=1, keepdims=True)
    half = 0.5 / 32767 + 1e-7
    error = 2 * half * np.sqrt(abs(rows).astype(np.float64) * largest) + half**2 * largest
    assert (abs(back - rows) <= error).all()
    assert (np.sign(back)[back != 0] == np.sign(rows)[back != 0]).all()


def test_small_numbers_stay_beside_large_ones():
    """Four orders of magnitude smaller and still right to a third of a per cent."""
    rows = np.geomspace(1e-4, 1, 64, dtype=np.float32)[None].repeat(2, axis=0)
    rows[1] *= -1
    np.testing.assert_allclose(packed_and_back(rows), rows, rtol=0.0031)


def test_extremes_and_zeros_are_exact():
    """The largest magnitude, and nothing at all; rows too small are nothing."""
    rows = np.zeros((3, 32), np.float32)
    rows[0, 3], rows[0, 4], rows[2, 0] = -7.5, 7.5, 1e-38
    back = packed_and_back(rows)
    np.testing.assert_allclose(back[0], rows[0], rtol=1e-6)
    assert not back[1:].any()
