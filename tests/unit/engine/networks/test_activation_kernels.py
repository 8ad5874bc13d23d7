"""The functions of networks against those of the library, in double precision."""

from __future__ import annotations

import numpy as np

from engine.compiled.jit import kernel
from engine.networks.activation_kernels import LIMIT, sigma_of, tanh_of


@kernel
def _map(xs, tanhs, sigmas):
    for at in range(len(xs)):
        tanhs[at] = tanh_of(xs[at])
        sigmas[at] = sigma_of(xs[at])


def mapped(xs):
    xs = np.asarray(xs, np.float32)
    tanhs, sigmas = np.empty_like(xs), np.empty_like(xs)
    _map(xs, tanhs, sigmas)
    return xs.astype(float), tanhs, sigmas


def test_both_are_those_of_the_library():
    """From end to end, as far as float32 goes."""
    xs, tanhs, sigmas = mapped(np.linspace(-30, 30, 400_001))
    np.testing.assert_allclose(tanhs, np.tanh(xs), rtol=0, atol=6e-7)
    np.testing.assert_allclose(sigmas, 1 / (1 + np.exp(-xs)), rtol=0, atol=6e-7)


def test_small_numbers_keep_their_digits():
    """The error is relative there."""
    xs, tanhs, _ = mapped(np.geomspace(1e-20, 1e-2, 1000))
    np.testing.assert_allclose(tanhs, np.tanh(xs), rtol=1e-6)


def test_tanh_is_odd_and_stays_within_one():
    """At infinity, too."""
    xs = np.concatenate((np.linspace(0, 2 * float(LIMIT), 10_001), [1e30, np.inf]))
    _, tanhs, _ = mapped(xs)
    _, mirrored, _ = mapped(-xs)
    np.testing.assert_array_equal(tanhs, -mirrored)
    assert np.abs(tanhs).max() <= 1
    assert tanhs[-1] > 1 - 1e-6
