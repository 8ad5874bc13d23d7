import numpy as np
import pytest

from engine.compiled import rows
from engine.compiled.jit import kernel

MASKS = [0, 1, 0b11, 0b101, 0b1111, 0b10000000, 0xFF]


@kernel
def arithmetic(a, b, out):
    """Write a * b + a - b."""
    one, two = rows.load(a, 0, 0xFF), rows.load(b, 0, 0xFF)
    rows.store(out, 0, one * two + one - two, 0xFF)


@kernel
def loaded(array, at, mask, out):
    rows.store(out, 0, rows.load(array, at, mask), 0xFF)


@kernel
def stored(array, at, number, mask):
    rows.store(array, at, rows.spread(number), mask)


@kernel
def grown(array, at, row, low, high, mask):
    rows.grow(array, at, rows.load(row, 0, 0xFF), low, high, mask)


@kernel
def kept_and_positive(array, mask, out):
    rows.store(out, 0, rows.positive(rows.kept(rows.load(array, 0, 0xFF), mask)), 0xFF)


@kernel
def sums(array, out):
    row = rows.load(array, 0, 0xFF)
    rows.store(out, 0, rows.running(row), 0xFF)
    return rows.total(row)


@kernel
def reached(array, bound, mask):
    return rows.reached(rows.load(array, 0, 0xFF), bound, mask)


@pytest.fixture
def numbers():
    """Twenty numbers of both signs."""
    return np.random.default_rng(3).normal(0, 100, 20).astype(np.float32)


def lanes(mask):
    """Return the lanes of a mask."""
    return [lane for lane in range(8) if mask >> lane & 1]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_loads_only_what_the_mask_names(numbers, mask, dtype):
    """Other lanes are zero, whatever lies there."""
    out = np.full(8, 7, np.float32)
    array = numbers.astype(dtype)
    loaded(array, 5, mask, out)
    assert out.tolist() == [array[5 + lane] if lane in lanes(mask) else 0 for lane in range(8)]


@pytest.mark.parametrize("mask", MASKS)
def test_stores_only_what_the_mask_names(numbers, mask):
    """Neighbours keep their values."""
    want = numbers.copy()
    want[[9 + lane for lane in lanes(mask)]] = 0.25
    stored(numbers, 9, np.float32(0.25), mask)
    assert numbers.tolist() == want.tolist()


def test_masked_lanes_may_lie_outside_the_array(numbers):
    """The end of a table needs no padding."""
    stored(numbers, 19, np.float32(1), 0b1)
    out = np.empty(8, np.float32)
    loaded(numbers, 19, 0b1, out)
    assert out[0] == 1


@pytest.mark.parametrize("mask", MASKS)
def test_float_elements_grow_within_bounds(numbers, mask):
    """As float32 sums, clipped."""
    row = np.linspace(-300, 300, 8, dtype=np.float32)
    want = numbers.copy()
    for lane in lanes(mask):
        want[2 + lane] = min(max(want[2 + lane] + row[lane], -150), 120)
    grown(numbers, 2, row, np.float32(-150), np.float32(120), mask)
    assert numbers.tolist() == want.tolist()


def test_whole_elements_grow_by_whole_numbers():
    """Rounded, and exact where a float32 is not."""
    array = np.array([0, 0, 0, 2**30 + 1, -(2**31), 2**31 - 1, 5, 5], np.int32)
    row = np.array([0.4, 0.6, -1.5, 3, -(2**31), 2**31, -10, 0], np.float32)
    low, high = np.float32(-2147483520), np.float32(2147483520)
    grown(array, 0, row, low, high, 0xFF)
    assert array.tolist() == [0, 1, -2, 2**30 + 4, -2147483520, 2147483520, -5, 5]


def test_arithmetic_is_lane_by_lane(numbers):
    """Sums, differences and products."""
    a, b, out = numbers[:8].copy(), numbers[8:16].copy(), np.empty(8, np.float32)
    arithmetic(a, b, out)
    assert np.allclose(out, a * b + a - b, rtol=1e-6)


@pytest.mark.parametrize("mask", MASKS)
def test_keeps_lanes_and_positive_numbers(numbers, mask):
    """Zero elsewhere."""
    out = np.empty(8, np.float32)
    array = numbers[:8].copy()
    kept_and_positive(array, mask, out)
    assert out.tolist() == [max(array[lane], 0) if lane in lanes(mask) else 0 for lane in range(8)]


def test_sums_of_lanes(numbers):
    """All of them, and those up to each lane; exact for whole numbers."""
    array, out = np.round(numbers[:8]), np.empty(8, np.float32)
    assert sums(array, out) == array.sum()
    assert out.tolist() == np.cumsum(array).tolist()


@pytest.mark.parametrize("mask", MASKS)
def test_counts_lanes_up_to_a_bound(mask):
    """Equal to the bound counts."""
    array = np.arange(8, dtype=np.float32)
    assert reached(array, np.float32(3), mask) == sum(lane <= 3 for lane in lanes(mask))
