"""What `arena sprt` says: a table for people, and the same for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from engine.console.quantities import UNKNOWN
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from engine.estimates.shares import ShareEstimate
    from engine.estimates.sprt import SequentialTest
    from engine.sequential.populations import Population
    from engine.sequential.trials import Trials

SHARES: Final = (0.5, 0.9)
"""Of the tests, within how many hands they were over."""


def prediction_rows(hands: dict[str, int], test: SequentialTest) -> list[str]:
    """Return about how many hands a test takes, a line for each true win rate."""
    rows = [
        (f"at {mean:g} mbb/h", f"{hands[name]:,}")
        for name, mean in (("mbb0", test.mbb0), ("middle", test.middle), ("mbb1", test.mbb1))
    ]
    head = ("true win rate", "hands, about")
    return aligned([head, *rows, ("a test of a fixed size", f"{hands['fixed']:,}")])


def trial_rows(trials: Sequence[tuple[str, Trials]], fixed: Sequence[int]) -> list[str]:
    """Return a line for the simulated tests of each population and true mean.

    Args:
        trials: (name of the population, tests).
        fixed: hands of a test of a fixed size, for each.
    """
    head = (
        *("samples", "true", "tests", "wrong", "95 %", "H1", "open"),
        *("hands: mean", "half", "90 %", "fixed"),
    )
    return aligned(
        [
            head,
            *(
                (
                    name,
                    f"{one.mean:g}",
                    f"{len(one.lengths):,}",
                    UNKNOWN if one.wrong is None else _percent(one.wrong.value),
                    UNKNOWN if one.wrong is None else _interval(one.wrong),
                    _percent(one.accepted_h1.value),
                    f"{one.open:,}",
                    f"{one.mean_hands:,.0f}",
                    *(f"{one.hands(share):,}" for share in SHARES),
                    f"{hands:,}",
                )
                for (name, one), hands in zip(trials, fixed, strict=True)
            ),
        ]
    )


def test_document(test: SequentialTest) -> dict[str, Any]:
    """Return the hypotheses and the errors as plain values."""
    return asdict(test)


def population_document(population: Population, hands: dict[str, int]) -> dict[str, Any]:
    """Return what samples are like, and how many hands a test of them takes, about."""
    return {
        "samples": population.name,
        "count": len(population.samples),
        "hands_per_sample": population.hands_per_sample,
        "mean_mbb_per_hand": population.mean,
        "ci95_mbb_per_hand": _ci95(population),
        "sd_mbb_per_sample": population.sd,
        "skewness": population.skewness,
        "kurtosis": population.kurtosis,
        "most_mbb_per_sample": population.most,
        "predicted_hands": hands,
    }


def trials_document(trials: Trials) -> dict[str, Any]:
    """Return what simulated tests came to as plain values."""
    ci95 = trials.mean_hands_ci95
    return {
        "true_mbb_per_hand": trials.mean,
        "tests": len(trials.lengths),
        "wrong": None if trials.wrong is None else asdict(trials.wrong),
        "accepted_h1": asdict(trials.accepted_h1),
        "open": trials.open,
        "hands_mean": trials.mean_hands,
        "hands_mean_ci95": ci95 if math.isfinite(ci95) else None,
        "hands_median": trials.hands(SHARES[0]),
        "hands_90_percent": trials.hands(SHARES[1]),
    }


def _ci95(population: Population) -> float:
    return 1.96 * population.sd / math.sqrt(len(population.samples))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(share: ShareEstimate) -> str:
    return f"{100 * share.low:.1f} to {100 * share.high:.1f}"
