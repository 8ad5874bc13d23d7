"""The verdict of a match: which estimator to quote, and what it says in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from dealer.ratings.titles import TITLES, quoted_name
from dealer.results.results import MatchResult
from engine.estimates.significance import (
    FEWEST_SAMPLES,
    LEVEL,
    POWER,
    PlayerComparison,
    Standing,
    compare_players,
)

_IN_WORDS: Final = {
    "raw": "raw, hand by hand",
    "sets": "duplicate sets",
    "allin": "all-in expectation, hand by hand",
    "allin_sets": "all-in expectation in duplicate sets",
    "aivat": "AIVAT, hand by hand",
    "aivat_sets": "AIVAT in duplicate sets",
}
_P_STEPS: Final = (0.001, 0.01, LEVEL)


def quoted_estimator(result: MatchResult) -> str:
    """Return the lowest-variance estimator available that covers the match."""
    return quoted_name(result.bots[0].rates)


def _compared(result: MatchResult, name: str) -> PlayerComparison:
    return compare_players([(bot.label, bot.rates[name]) for bot in result.bots])


def verdict_paragraph(result: MatchResult) -> str:
    """Return which column to quote and what it says, two lines; "" where nothing was played."""
    if not result.hands:
        return ""
    name = quoted_estimator(result)
    why = "the lowest-variance estimator available"
    if not name.endswith("sets") and any(one.endswith("sets") for one in result.bots[0].rates):
        why = "too few deals have been played in every seating yet"
    return f"to quote: {TITLES[name]}; {why}\nverdict: {verdict_text(result)}"


def verdict_text(result: MatchResult) -> str:
    """Return the verdict in one line of words."""
    name = quoted_estimator(result)
    found = _compared(result, name)
    unit = "duplicate sets" if name.endswith("sets") else "hands"
    if not found.enough_samples:
        return (
            f"none from {found.samples:,} {unit}; it takes {FEWEST_SAMPLES} at least, and mostly "
            "many more"
        )
    by = f"({_IN_WORDS[name]})"
    if len(found.standings) == 2:
        return _between_two(found, by)
    return _among_more(found, by)


def verdict_document(result: MatchResult) -> Mapping[str, Any] | None:
    """Return the verdict for programs; None where nothing was played."""
    if not result.hands:
        return None
    name = quoted_estimator(result)
    found = _compared(result, name)
    return {
        "estimator": name,
        "samples": found.samples,
        "sample_unit": "duplicate sets" if name.endswith("sets") else "hands",
        "text": verdict_text(result),
        "decided": found.decided,
        "significance_level": LEVEL,
        "bots": [
            {
                "label": standing.label,
                "standing": _standing(standing),
                "p_value_two_sided": standing.p_value,
            }
            for standing in found.standings
        ],
        "more_hands_to_decide": found.more_hands,
        "chance_to_decide_with_them": None if found.more_hands is None else POWER,
    }


def _between_two(found: PlayerComparison, by: str) -> str:
    winner, loser = sorted(found.standings, key=lambda standing: -standing.mbb_per_hand)
    if winner.decided:
        return f"{winner.label} is better than {loser.label}, {_p_in_words(winner)} {by}"
    return f"not decided, {_p_in_words(winner)} {by}{_what_would_decide(found)}"


def _among_more(found: PlayerComparison, by: str) -> str:
    ranked = sorted(found.standings, key=lambda standing: -standing.mbb_per_hand)
    if not found.decided:
        leader = ranked[0]
        leads = f"{leader.label} leads, {_p_in_words(leader)}"
        return f"not decided, {leads} {by}{_what_would_decide(found)}"
    words = {"ahead": "wins", "behind": "loses"}
    told = [
        f"{standing.label} {words[_standing(standing)]}, {_p_in_words(standing)}"
        for standing in ranked
        if standing.decided
    ]
    if still_open := [standing.label for standing in ranked if not standing.decided]:
        told.append(f"not decided: {', '.join(still_open)}")
    return f"{'; '.join(told)} {by}"


def _what_would_decide(found: PlayerComparison) -> str:
    if found.more_hands is None:
        return ""
    return (
        f": about {_rounded(found.more_hands):,} more hands would decide it in {POWER:.0%} of "
        "cases, if the difference is what it looks like"
    )


def _standing(standing: Standing) -> str:
    if not standing.decided:
        return "open"
    return "ahead" if standing.mbb_per_hand > 0 else "behind"


def _p_in_words(standing: Standing) -> str:
    p = 1.0 if standing.p_value is None else standing.p_value
    step = next((step for step in _P_STEPS if p < step), None)
    return f"p = {math.floor(p * 100) / 100:.2f}" if step is None else f"p < {step:g}"


def _rounded(number: int) -> int:
    """Return a number with two digits that count: no estimate of a spread is better."""
    unit = int(10 ** max(len(str(number)) - 2, 0))
    return -(-number // unit) * unit
