"""How many examples Hypothesis makes up: `make test` has a profile of few, `make slow` of many."""

from hypothesis import settings


def one_in(number: int) -> settings:
    """Return settings for a test whose examples take long: a share of the profile's examples."""
    return settings(max_examples=-(-settings().max_examples // number))
