"""Sixteen lanes: what compiled kernels compute with them is what numpy computes."""

import numpy as np
import pytest

from engine.compiled import lanes as _lanes
from engine.compiled.jit import raw_kernel
from engine.compiled.lanes import (
    LANES,
    aligned_zeros,
    cleared,
    lanes_to_rows,
    load,
    magnitude,
    rows_to_lanes,
    spread,
    store,
)


@raw_kernel
def _compute(a, b, bound, out):
    """All operators, from float32 and float64 arrays to float64."""
    first, second = load(a, LANES), load(b, 0)
    store(out, 0, first + second)
    store(out, LANES, first - second)
    store(out, 2 * LANES, first * second)
    store(out, 3 * LANES, magnitude(first))
    store(out, 4 * LANES, cleared(first, spread(bound)))
    store(a, 0, second)


@raw_kernel
def _turn(source, weight, rows, lanes, target):
    """To lanes and back, all hands."""
    for hand in range(0, source.shape[1], LANES):
        rows_to_lanes(source, weight, rows, 0, hand, lanes)
    for hand in range(0, source.shape[1], LANES):
        lanes_to_rows(lanes, target, rows, 0, hand)


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def test_lanes_are_computed_one_by_one(rng):
    """Loads from either precision, stores into either."""
    a = rng.normal(size=(2, LANES)).astype(np.float32)
    b = rng.normal(size=LANES)
    out = np.zeros((5, LANES))
    first = a[1].astype(float)
    _compute(a, b, 0.5, out)
    np.testing.assert_array_equal(out[:3], [first + b, first - b, first * b])
    np.testing.assert_array_equal(out[3], abs(first))
    np.testing.assert_array_equal(out[4], np.where(abs(first) > 0.5, first, 0))
    np.testing.assert_array_equal(a[0], b.astype(np.float32))


def test_rows_become_lanes_and_lanes_become_rows(rng):
    """Any choice of rows, in any order; the others are left alone."""
    source = rng.normal(size=(20, 48)).astype(np.float32)
    weight = rng.random(48).astype(np.float32)
    rows = rng.permutation(20)[:LANES].astype(np.int32)
    lanes = np.zeros((48, LANES), np.float32)
    target = np.full_like(source, -1)
    _turn(source, weight, rows, lanes, target)
    np.testing.assert_array_equal(lanes, (source[rows] * weight).T)
    expected = np.full_like(source, -1)
    expected[rows] = source[rows] * weight
    np.testing.assert_array_equal(target, expected)


def test_without_compilation_everything_is_the_same(rng, monkeypatch):
    """The Python bodies of the kernels, over the Python versions of the helpers."""
    python = {
        "load": _lanes._load_slice,
        "store": _lanes._store_slice,
        "spread": _lanes._fill,
        "magnitude": np.abs,
        "cleared": _lanes._clear,
        "rows_to_lanes": _lanes._rows_transposed,
        "lanes_to_rows": _lanes._lanes_transposed,
    }
    kernels = {
        name: getattr(kernel, "py_func", kernel)
        for name, kernel in (("compute", _compute), ("turn", _turn))
    }
    a = rng.normal(size=(2, LANES)).astype(np.float32)
    b, out, plain = rng.normal(size=LANES), np.zeros((2, 5, LANES)), a.copy()
    _compute(a, b, 0.5, out[0])
    for name, function in python.items():
        monkeypatch.setitem(kernels["compute"].__globals__, name, function)
    kernels["compute"](plain, b, 0.5, out[1])
    np.testing.assert_array_equal(out[0], out[1])
    np.testing.assert_array_equal(a, plain)
    source = rng.normal(size=(9, 32)).astype(np.float32)
    rows = rng.integers(0, 9, LANES).astype(np.int32)
    weight = np.full(32, 0.5, np.float32)
    targets = np.zeros((2, 9, 32), np.float32)
    lanes = np.zeros((32, LANES), np.float32)
    kernels["turn"](source, weight, rows, lanes, targets[0])
    monkeypatch.undo()
    _turn(source, weight, rows, lanes, targets[1])
    np.testing.assert_array_equal(targets[0], targets[1])


def test_aligned_zeros_begin_on_a_cache_line():
    """Of any shape and type."""
    for shape, dtype in ((7, np.float32), ((3, 5), np.int16), ((2, 1, 4), np.float64)):
        zeros = aligned_zeros(shape, dtype)
        assert zeros.ctypes.data % 64 == 0
        assert zeros.dtype == dtype
        assert zeros.shape == np.zeros(shape).shape
        assert zeros.flags.c_contiguous
        assert not zeros.any()
