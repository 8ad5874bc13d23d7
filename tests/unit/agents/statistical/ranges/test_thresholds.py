"""From frequencies to strengths."""

import numpy as np
import pytest

from agents.statistical.ranges.thresholds import (
    LEAST_THRESHOLD_ERROR,
    RAISE_ERROR,
    Ramp,
    band_of,
    blurred_ramps,
    sharp_ramps,
)


def test_the_patents_example():
    """2:5:3: a band from the 20th to the 70th percentile; a raise is certain above, not below."""
    band = band_of(2, 5, 3)
    assert (band.low, band.high) == (0.2, 0.7)
    assert band.error == pytest.approx(0.25)
    mean, error = sharp_ramps(band).raising
    assert (mean - error, mean + error) == pytest.approx((0.2, 0.7))


SHARES = [0, 0.02, 0.1, 0.3, 0.5, 0.65, 0.9, 0.99, 1]


@pytest.mark.parametrize("share", SHARES)
def test_blurred_ramps_do_as_much_as_was_counted(share):
    """Over all hands: what a call does not keep was folded, or raised, so often.

    However seldom somebody raises, the best hand is the likeliest to.
    """
    hands = (np.arange(100_000) + 0.5) / 100_000

    def mean(ramp, sign):
        height = (sign * (hands - ramp.mean) + ramp.error) / (2 * ramp.error)
        return np.clip(height, 0, 1).mean()

    assert mean(blurred_ramps(band_of(share, 1 - share, 0)).staying, 1) == pytest.approx(
        1 - share, abs=1e-4
    )
    raises = blurred_ramps(band_of(0, 1 - share, share))
    assert mean(raises.not_raising, -1) == pytest.approx(1 - share, abs=1e-4)
    if share >= RAISE_ERROR:  # below, it is scaled up to reach 1
        assert mean(raises.raising, 1) == pytest.approx(share, abs=1e-4)
    assert raises.raising.rising(np.array([1.0]))[0] > 0.9


def test_whoever_always_does_the_same_says_nothing_by_it():
    """The raises of one, the calls of another: equally likely with every hand."""
    station, maniac = blurred_ramps(band_of(0, 1, 0)), blurred_ramps(band_of(0, 0, 1))
    hands = np.linspace(0, 1, 11)
    assert (maniac.raising.rising(hands) == 1).all()
    assert (station.staying.rising(hands) == 1).all()
    assert (station.not_raising.falling(hands) == 1).all()


@pytest.mark.parametrize("ramps", [blurred_ramps, sharp_ramps])
def test_every_ramp_has_a_width(ramps):
    """Also of whoever never calls."""
    for frequencies in ((1, 0, 1), (0, 0, 1), (1, 0, 0), (0, 1, 0)):
        assert all(
            ramp.error >= 0.999 * LEAST_THRESHOLD_ERROR for ramp in ramps(band_of(*frequencies))
        )


@pytest.mark.parametrize("frequencies", [(0, 0, 0), (-1, 1, 1), (1, 1, -0.1)])
def test_what_is_no_frequency_is_refused(frequencies):
    """Negative ones, and nothing at all."""
    with pytest.raises(ValueError, match="frequencies"):
        band_of(*frequencies)


@pytest.mark.parametrize(
    ("ramp", "factors"),
    [
        (Ramp(0.4, 0.2), {0.1: 0.01, 0.2: 0.01, 0.3: 0.25, 0.4: 0.5, 0.5: 0.75, 0.6: 1, 0.9: 1}),
        (Ramp(0.6, 0.2), {0.39: 0.01, 0.5: 0.25, 0.6: 0.5, 0.7: 0.75, 0.8: 1.0}),
    ],
)
def test_ramps_that_were_published(ramp, factors):
    """The patent's of a raise; that of a bet on 3h4cJh in Billings et al."""
    assert ramp.rising(np.array([*factors])) == pytest.approx([*factors.values()])


def test_the_mirrored_ramp_is_the_ramp_of_weakness():
    """What one gives at a distance above the mean the other gives below it."""
    distances = np.linspace(-0.5, 0.5, 101)
    rising = Ramp(0.5, 0.2).rising(0.5 + distances)
    np.testing.assert_allclose(Ramp(0.5, 0.2).falling(0.5 - distances), rising)


def test_sharp_ramps_are_certain_in_their_own_band():
    """For 2:5:3 calls from 0.2 to 0.7, raises from there on; each fades over the next band."""
    ramps = sharp_ramps(band_of(2, 5, 3))
    places = np.array([0.0, 0.1, 0.2, 0.45, 0.7, 0.85, 1.0])
    call = ramps.staying.rising(places) * ramps.not_raising.falling(places)
    assert call == pytest.approx([0.01, 0.5, 1, 1, 1, 0.5, 0.01])
    assert ramps.raising.rising(places) == pytest.approx([0.01, 0.01, 0.01, 0.5, 1, 1, 1])
