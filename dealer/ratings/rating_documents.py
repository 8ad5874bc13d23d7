"""Win rates for programs: every key with its unit, what is not known is null."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from dealer.ratings.titles import quoted_name
from dealer.ratings.verdict import player_places, verdict_document, verdict_players
from engine.estimates.agreement import WARNING_LEVEL

if TYPE_CHECKING:
    from engine.estimates.agreement import EstimatorPair
    from engine.estimates.estimators import Estimate
    from engine.estimates.hand_estimates import Rating, Ratings
    from engine.estimates.winrate import WinRate

MARGIN_MBB: Final = 10.0
_CSV: Final = (
    "game",
    "player",
    "against",
    "estimator",
    "mbb_per_hand",
    "ci95_mbb_per_hand",
    "sample_unit",
    "samples",
    "hands",
    "sd_mbb_per_hand",
    "hands_saved_factor",
)


def rate_document(rate: WinRate) -> dict[str, Any]:
    """Return a win rate as plain values; numbers that are not known are None."""
    return {
        "mbb_per_hand": rate.mbb_per_hand if rate.samples else None,
        "ci95_mbb_per_hand": finite_number(rate.ci95),
        "sd_mbb_per_sample": finite_number(rate.sd),
        "samples": rate.samples,
        "hands": rate.hands,
        f"hands_needed_for_ci95_of_{MARGIN_MBB:g}_mbb_per_hand": rate.hands_needed(MARGIN_MBB),
    }


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """Return the win rate by one estimator, and what it is worth, as plain values."""
    return {
        **rate_document(estimate.rate),
        "sample_unit": estimate.unit,
        "sd_mbb_per_hand": finite_number(estimate.sd_per_hand),
        "hands_saved_factor": estimate.hands_saved,
    }


def estimates_document(estimates: Iterable[Estimate]) -> dict[str, Any]:
    """Return all estimators of one player, by name."""
    return {estimate.name: estimate_document(estimate) for estimate in estimates}


def guard_document(pairs: Sequence[EstimatorPair]) -> dict[str, Any]:
    """Return how far estimators of the same hands agree."""
    return {
        "significance_level": WARNING_LEVEL,
        "agrees": not any(pair.warns for pair in pairs),
        "comparisons": [
            {
                "player": pair.player,
                "against": pair.against or None,
                "estimators": [pair.estimator, pair.reference],
                "difference_mbb_per_hand": pair.mbb_per_hand,
                "ci95_mbb_per_hand": finite_number(pair.ci95),
                "hands": pair.hands,
                "differing_hands": pair.differing,
                "p_value_adjusted": pair.p_value,
                "warns": pair.warns,
            }
            for pair in pairs
        ],
    }


def ratings_document(
    label: str, big_blind: int, ratings: Ratings, *, verdict: bool = True
) -> dict[str, Any]:
    """Return the ratings of one game."""
    players = verdict_players(ratings) if verdict else None
    return {
        "game": label,
        "big_blind_chips": big_blind,
        "hands": ratings.hands,
        "sessions": ratings.sessions,
        "duplicate_sets": ratings.sets,
        "repeated_hands": ratings.repeated,
        "hands_against_oneself": ratings.alone,
        "players": [_rating(rating) for rating in ratings.totals],
        "groups": [_rating(rating) for rating in ratings.groups],
        "places95": player_places(ratings),
        "guard": guard_document(ratings.comparisons),
        "verdict": None if players is None else verdict_document(players),
    }


def ratings_csv(games: Iterable[tuple[str, Ratings]]) -> str:
    """Return a line for each player, opponents and estimator; those of all hands are against ""."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV)
    for label, ratings in games:
        for rating in (*ratings.totals, *ratings.groups):
            for estimate in rating.estimates:
                rate = estimate.rate
                writer.writerow(
                    [
                        label,
                        rating.player,
                        "|".join(rating.against),
                        estimate.name,
                        f"{rate.mbb_per_hand:.3f}",
                        _number(rate.ci95),
                        estimate.unit,
                        rate.samples,
                        rate.hands,
                        _number(estimate.sd_per_hand),
                        "" if estimate.hands_saved is None else f"{estimate.hands_saved:.4f}",
                    ]
                )
    return text.getvalue()


def finite_number(number: float) -> float | None:
    """Return a number, None for one that is infinite or none."""
    return number if math.isfinite(number) else None


def _number(number: float) -> str:
    return f"{number:.3f}" if math.isfinite(number) else ""


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "player": rating.player,
        "against": list(rating.against),
        "hands": rating.hands,
        "estimators": estimates_document(rating.estimates),
        "quoted_estimator": quoted_name(
            {estimate.name: estimate.rate for estimate in rating.estimates}
        ),
    }
