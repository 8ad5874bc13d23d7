"""Challengers of a gauntlet compared with each other: on the same deals, against the same bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from dealer.ratings.titles import quoted_name
from dealer.ratings.verdict import verdict_document, verdict_text
from engine.console.quantities import interval
from engine.estimates.estimators import AIVAT, name_in_sets
from engine.estimates.paired import paired_difference
from engine.estimates.significance import holm

if TYPE_CHECKING:
    from dealer.ratings.verdict import Players
    from dealer.results.played_hands import PlayedHands
    from engine.estimates.winrate import WinRate


@dataclass(frozen=True, slots=True)
class ChallengerComparison:
    """Two challengers, and what the first of them wins more than the other."""

    one: str
    other: str
    opponents: int
    """That both met."""
    rates: Mapping[str, WinRate]
    """The difference by every estimator that all their hands have, over deals."""

    @property
    def rate(self) -> WinRate:
        """The lowest-variance estimate available."""
        return self.rates[quoted_name(self.rates)]

    @property
    def players(self) -> Players:
        """Both, with the difference from the view of each."""
        behind = {
            name: replace(rate, mbb_per_hand=-rate.mbb_per_hand)
            for name, rate in self.rates.items()
        }
        return (self.one, self.rates), (self.other, behind)


def compare_challengers(
    labels: Sequence[str],
    challengers: int,
    played: Mapping[tuple[int, tuple[int, ...]], PlayedHands],
) -> tuple[ChallengerComparison, ...]:
    """Return all pairs of challengers, compared over the opponents that both have met.

    Args:
        labels: of all bots, the challengers first.
        played: by numbers of challenger and opponents, all with the same estimators.
    """
    found = []
    for one, other in combinations(range(challengers), 2):
        common = [met for bot, met in played if bot == one and (other, met) in played]
        if not common:
            continue
        pairs = [(played[one, met], played[other, met]) for met in common]
        rates: dict[str, WinRate] = {}
        for name in pairs[0][0].values:
            rate = _difference(pairs, name)
            rates |= {name: rate, name_in_sets(name): rate}
        found.append(ChallengerComparison(labels[one], labels[other], len(common), rates))
    return _adjusted(found)


def _adjusted(found: Sequence[ChallengerComparison]) -> tuple[ChallengerComparison, ...]:
    """Return the comparisons with the p-values of the betting test adjusted for all (Holm)."""
    chances = {
        name: holm([one.rates[name].p_value for one in found])
        for name in (found[0].rates if found else ())
    }
    return tuple(
        replace(
            one,
            rates={
                name: replace(rate, p_value=chances[name][at]) for name, rate in one.rates.items()
            },
        )
        for at, one in enumerate(found)
    )


def _difference(pairs: Sequence[tuple[PlayedHands, PlayedHands]], name: str) -> WinRate:
    """Return what the first of two challengers wins more, by one estimator of the hands."""
    some = pairs[0][0]
    return paired_difference(
        [one.set_means(name, 0) for one, _ in pairs],
        [other.set_means(name, 0) for _, other in pairs],
        some.big_blind,
        some.seatings,
        None if name == AIVAT else some.bounds,
    )


def challenger_lines(found: Sequence[ChallengerComparison]) -> list[str]:
    """Return a line for each pair of challengers; none where there is no pair."""
    if not found:
        return []
    return [
        "challengers compared on the same deals, against the same opponents:",
        *(
            f"  {one.one} - {one.other}: "
            f"{interval(one.rate.mbb_per_hand, one.rate.ci95, 0)} mbb/h over "
            f"{one.rate.samples:,} deals and {one.opponents:,} opponents; "
            f"{verdict_text(one.players)}"
            for one in found
        ),
        "",
    ]


def challengers_document(found: Sequence[ChallengerComparison]) -> list[dict[str, Any]]:
    """Return the same for programs."""
    return [
        {
            "challenger": one.one,
            "other": one.other,
            "opponents": one.opponents,
            "deals": one.rate.samples,
            "mbb_per_hand": one.rate.mbb_per_hand,
            "ci95": one.rate.ci95 if one.rate.samples > 1 else None,
            "verdict": verdict_document(one.players),
        }
        for one in found
    ]
