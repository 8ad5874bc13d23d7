"""The verdict on who is better: which estimator to quote, and what two tests say, in words.

The betting test alone names a winner, by the lowest-variance estimator whose samples are bounded;
the t test, of the estimator to quote, says who leads (`engine.estimates.significance`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dealer.ratings.titles import TITLES, quoted_name
from engine.console.quantities import rough_count
from engine.estimates.ranking_certainty import bankroll_places
from engine.estimates.significance import (
    FEWEST_SAMPLES,
    POWER,
    SIGNIFICANCE_LEVEL,
    PlayerComparison,
    Standing,
    compare_players,
)
from engine.estimates.winrate import WinRate

if TYPE_CHECKING:
    from engine.estimates.hand_estimates import Ratings

Players = Sequence[tuple[str, Mapping[str, WinRate]]]
"""Label and win rates, by estimator, of all who played."""
_IN_WORDS: Final = {
    "raw": "raw, hand by hand",
    "sets": "duplicate sets",
    "allin": "all-in expectation, hand by hand",
    "allin_sets": "all-in expectation in duplicate sets",
    "aivat": "AIVAT, hand by hand",
    "aivat_sets": "AIVAT in duplicate sets",
}
_P_STEPS: Final = (0.001, 0.01, SIGNIFICANCE_LEVEL)
_NOT_FIXED: Final = "the t test is for a number of hands fixed beforehand"


def verdict_players(ratings: Ratings) -> Players | None:
    """Return the players of a game where all of them met in one group; None elsewhere."""
    everybody = len(ratings.totals)
    if everybody < 2 or any(len(total.against) + 1 < everybody for total in ratings.groups):
        return None
    return [
        (total.player, {estimate.name: estimate.rate for estimate in total.estimates})
        for total in ratings.totals
    ]


def player_places(ratings: Ratings) -> dict[str, tuple[int, int]]:
    """Return the best and the worst place of each player by the mean over those it met, with 95 %.

    Pairs count as independent.  {} where most have not met in pairs, or there are but two.
    """
    players = [group.player for group in ratings.totals]
    pairs = all(len(group.against) == 1 for group in ratings.groups)
    if not pairs or len(players) < 3 or len(ratings.groups) < len(players):
        return {}
    cells = [
        (group, {each.name: each.rate for each in group.estimates}) for group in ratings.groups
    ]
    quoted = [rates[quoted_name(rates)] for _, rates in cells]
    place_ranges = bankroll_places(
        len(players),
        np.array(
            [[players.index(group.player), players.index(group.against[0])] for group, _ in cells]
        ),
        np.array([rate.mbb_per_hand for rate in quoted]),
        np.array([rate.ci95 for rate in quoted]),
    )
    ends = zip(place_ranges.best.tolist(), place_ranges.worst.tolist(), strict=True)
    return dict(zip(players, ends, strict=True))


def quoted_estimator(players: Players) -> str:
    """Return the lowest-variance estimator available that covers the match."""
    return quoted_name(players[0][1])


def verdict_paragraph(players: Players, *, fixed: bool = True) -> str:
    """Return which column to quote and what the tests say, two lines."""
    rates = players[0][1]
    name = quoted_name(rates)
    why = "the lowest-variance estimator available"
    if not name.endswith("sets") and any(estimator.endswith("sets") for estimator in rates):
        why = "too few deals have been played in every seating yet"
    return f"to quote: {TITLES[name]}; {why}\nverdict: {verdict_text(players, fixed=fixed)}"


def verdict_text(players: Players, *, fixed: bool = True) -> str:
    """Return the verdict in one line of words.

    Args:
        fixed: whether the number of hands was fixed beforehand: neither extended nor stopped.
    """
    (name, sure), (quoted, t_test) = _by_betting(players), _by_t_test(players)
    if sure.decided:
        agrees = fixed and t_test.leads == sure.leader
        tests = "betting test and t test agree" if agrees else "betting test"
        how = f"({tests}; {_IN_WORDS[name]})"
        return f"{_winners(sure)} {how}"
    unit = _unit(quoted)
    if not t_test.enough_samples:
        return (
            f"none from {t_test.samples:,} {unit}; it takes {FEWEST_SAMPLES} at least, and mostly "
            "many more"
        )
    if not fixed:
        text = f"not decided, {_p_in_words(sure.best.p_value)} (betting test; {_IN_WORDS[name]})"
        return f"{text}; {_NOT_FIXED}{_what_would_decide(sure)}"
    how = f"{_p_in_words(t_test.best.t_p_value)} (t test; {_IN_WORDS[quoted]})"
    if t_test.leads is not None:
        return (
            f"{t_test.best.label} leads, {how}; too few {unit} in which much was won or lost to be "
            f"sure{_what_would_decide(sure)}"
        )
    leads = f"{t_test.best.label} leads, " if len(players) > 2 else ""
    return f"not decided, {leads}{how}{_what_would_decide(sure)}"


def verdict_document(
    players: Players, *, fixed: bool = True, caveats: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the verdict for programs.

    Args:
        fixed: see `verdict_text`.
        caveats: sentences that the text has too.
    """
    (name, sure), (quoted, t_test) = _by_betting(players), _by_t_test(players)
    return {
        "estimator": name,
        "quoted_estimator": quoted,
        "samples": sure.samples,
        "sample_unit": _unit(name),
        "text": verdict_text(players, fixed=fixed),
        "decided": sure.decided,
        "significance_level": SIGNIFICANCE_LEVEL,
        "hands_fixed_beforehand": fixed,
        "caveats": [*([] if fixed else [_NOT_FIXED]), *caveats],
        "bots": [
            {
                "label": standing.label,
                "standing": _standing(standing, fixed and by_t.leads),
                "p_value_two_sided": standing.p_value,
                "t_test_p_value_two_sided": by_t.t_p_value,
            }
            for standing, by_t in zip(sure.standings, t_test.standings, strict=True)
        ],
        "more_hands_to_decide": sure.more_hands,
        "chance_to_decide_with_them": None if sure.more_hands is None else POWER,
    }


def _by_betting(players: Players) -> tuple[str, PlayerComparison]:
    """Return the estimator that decides, and what it says; the one to quote if none has bounds."""
    rates = players[0][1]
    bounded = {name: rate for name, rate in rates.items() if rate.p_value is not None}
    name = quoted_name(bounded or rates)
    return name, compare_players([(label, rates_of_bot[name]) for label, rates_of_bot in players])


def _by_t_test(players: Players) -> tuple[str, PlayerComparison]:
    name = quoted_name(players[0][1])
    return name, compare_players([(label, rates[name]) for label, rates in players])


def _winners(comparison: PlayerComparison) -> str:
    """Return who is better, or among more who wins and who loses."""
    ranked = sorted(comparison.standings, key=lambda standing: -standing.mbb_per_hand)
    if len(ranked) == 2:
        winner, loser = ranked
        return f"{winner.label} is better than {loser.label}, {_p_in_words(winner.p_value)}"
    clauses = [
        f"{bot.label} {'wins' if bot.mbb_per_hand > 0 else 'loses'}, {_p_in_words(bot.p_value)}"
        for bot in ranked
        if bot.decided
    ]
    if still_open := [bot.label for bot in ranked if not bot.decided]:
        clauses.append(f"not decided: {', '.join(still_open)}")
    return "; ".join(clauses)


def _what_would_decide(comparison: PlayerComparison) -> str:
    if comparison.more_hands is None:
        return ""
    return (
        f": about {rough_count(comparison.more_hands)} more hands would decide it in {POWER:.0%} "
        "of cases, if the difference is what it looks like"
    )


def _unit(name: str) -> str:
    return "duplicate sets" if name.endswith("sets") else "hands"


def _standing(standing: Standing, leads: bool) -> str:
    ahead = standing.mbb_per_hand > 0
    if standing.decided:
        return "ahead" if ahead else "behind"
    if leads:
        return "leads" if ahead else "trails"
    return "open"


def _p_in_words(p: float | None) -> str:
    p_value = 1.0 if p is None else p
    step = next((step for step in _P_STEPS if p_value < step), None)
    return f"p = {math.floor(p_value * 100) / 100:.2f}" if step is None else f"p < {step:g}"
