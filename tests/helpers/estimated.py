"""Win rates as estimates, where a test makes up results."""

from engine.estimates.estimators import DUPLICATE_SET, HAND, Estimate


def estimated(rates):
    """Return (name, win rate) pairs as estimates that save nothing."""
    return tuple(
        Estimate(name, DUPLICATE_SET if name.endswith("sets") else HAND, rate, 1.0)
        for name, rate in rates
    )
