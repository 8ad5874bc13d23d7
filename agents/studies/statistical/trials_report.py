"""What trials of the modeller gave, as text for a terminal and as plain numbers for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from agents.roster.bots import find_agent
from agents.studies.statistical.trials import Plan, period_of, rate_of_trial
from engine.console.quantities import interval
from engine.console.text_table import aligned
from engine.estimates.winrate import WinRate, half_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

ON: Final = "modelling"
OFF: Final = "without"
_EXPLANATION: Final = """\
All in mbb/h with 95 % intervals over deals played in both seatings or, where the opponent changes
every so many deals, over these periods; ?: a single sample has no interval.
gain: the paired difference to the last of the columns before.  *: the intervals of the two win
rates are apart.
"""
_ONE_MATCH: Final = """\
What is learnt differs from match to match, and this is one: the intervals do not hold the others.
"""
_MATCHES: Final = """\
What is learnt differs from match to match: where the interval over the means of matches is wider
than that over deals or periods, it is the one shown.
"""
_BLOCKS: Final = """\
All in mbb/h with 95 % intervals over deals played in both seatings or, where the opponent changes
every so many deals, over these periods, or over matches if a block is no whole number of periods;
?: a single sample has no interval.  gain: the paired difference of the two columns before.
What is learnt differs from match to match: the intervals hold only the matches played.
"""


@dataclass(frozen=True, slots=True)
class Results:
    """What was played so far."""

    plan: Plan
    """The last of its settings is what the others are compared with."""
    opponents: Sequence[str]
    """All that are to be met."""
    played: dict[str, NDArray[np.float64]]
    """Opponent -> (V, M, H) chips as `won` in `trials`."""

    @property
    def matches(self) -> int:
        """How many matches were played so far."""
        return sum(won.shape[1] for won in self.played.values())

    @property
    def wanted(self) -> int:
        """How many there are to play."""
        return len(self.opponents) * self.plan.matches

    def rates(self, opponent: str) -> list[WinRate]:
        """Return the win rate of each setting."""
        return [self._rate(won, opponent) for won in self.played[opponent]]

    def gains(self, opponent: str) -> list[WinRate]:
        """Return by how much each setting but the last wins more than the last, paired."""
        won = self.played[opponent]
        return [self._rate(one - won[-1], opponent) for one in won[:-1]]

    def blocks(self, opponent: str, block: int) -> list[list[WinRate]]:
        """Return the win rates of each block of deals of a match: settings, then the gain.

        A block that is no whole number of the opponent's periods is one sample: it may share one
        with its neighbours.
        """
        won = self.played[opponent]
        rows = [*won, won[0] - won[-1]]
        ends = range(block, won.shape[2] + 1, block)
        period = period_of(opponent)
        size = block if block % period else period
        big_blind = max(self.plan.game.blinds)
        return [
            [rate_of_trial(row[:, end - block : end], big_blind, size) for end in ends]
            for row in rows
        ]

    def _rate(self, won: NDArray[np.float64], opponent: str) -> WinRate:
        """Return the rate over deals or periods or, if its interval is wider, over matches."""
        matches, hands = won.shape
        period = min(period_of(opponent), hands)
        whole = hands // period * period
        sizes = (period, whole) if matches > 1 else (period,)
        big_blind = max(self.plan.game.blinds)
        rates = [rate_of_trial(won[:, :whole], big_blind, size) for size in sizes]
        return max(rates, key=lambda rate: half_interval(rate.sd, rate.samples))


def as_text(results: Results, block: int | None = None) -> str:
    """Return a table: a row for each opponent, or with `block` for each block of its matches."""
    return _by_block(results, block) if block else _by_opponent(results)


def _by_opponent(results: Results) -> str:
    names = list(results.plan.settings)
    rows = [["opponent", *names, *(f"gain of {name}" for name in names[:-1])]]
    for opponent in results.played:
        rates, gains = results.rates(opponent), results.gains(opponent)
        apart = ["*" if _apart(rate, rates[-1]) else " " for rate in rates[:-1]]
        rows.append(
            [
                _title(opponent),
                *map(_result, rates),
                *(_result(gain) + mark for gain, mark in zip(gains, apart, strict=True)),
            ]
        )
    if len(results.played) > 1:
        each = [[*results.rates(name), *results.gains(name)] for name in results.played]
        rows.append(["mean", *map(_mean, zip(*each, strict=True))])
    matches = min(won.shape[1] for won in results.played.values())
    explanation = _EXPLANATION + (_MATCHES if matches > 1 else _ONE_MATCH)
    return "\n".join([*aligned(rows), "", explanation])


def _by_block(results: Results, block: int) -> str:
    rows = [["opponent", "deals", *results.plan.settings, "gain"]]
    for opponent in results.played:
        for number, rates in enumerate(zip(*results.blocks(opponent, block), strict=True)):
            rows.append([_title(opponent), f"{number * block}-", *map(_result, rates)])
    return "\n".join([*aligned(rows), "", _BLOCKS])


def as_data(results: Results, block: int | None = None) -> dict[str, Any]:
    """Return the same as plain numbers; settings and gains by name, None for no interval.

    Where matches were not played, "complete" is False.
    """
    plan = results.plan
    names = list(plan.settings)
    opponents = []
    for opponent, won in results.played.items():
        rates, gains = results.rates(opponent), results.gains(opponent)
        found: dict[str, Any] = {
            "opponent": opponent,
            "matches": won.shape[1],
            "rates": {name: _plain(rate) for name, rate in zip(names, rates, strict=True)},
            "gains": {name: _plain(gain) for name, gain in zip(names[:-1], gains, strict=True)},
        }
        if block:
            found["blocks"] = {
                name: [_plain(rate) for rate in row]
                for name, row in zip([*names, "gain"], results.blocks(opponent, block), strict=True)
            }
        opponents.append(found)
    facts: dict[str, Any] = {
        "complete": results.matches == results.wanted,
        "matches_played": results.matches,
        "matches_wanted": results.wanted,
        "deals": plan.hands,
        "seed": plan.seed,
        "settings": {name: asdict(one) for name, one in plan.settings.items()},
    }
    if block:
        facts["block"] = block
    return {**facts, "opponents": opponents}


def _title(opponent: str) -> str:
    """Return the name of an opponent, with the other one that it goes by."""
    also = find_agent(opponent).also
    return f"{opponent} ({also})" if also else opponent


def _mean(rates: Sequence[WinRate]) -> str:
    """Return the mean over opponents as text."""
    return _written(*mean_over_opponents(rates))


def mean_over_opponents(rates: Sequence[WinRate]) -> tuple[float, float]:
    """Return the mean over opponents, as if each met as often, and its interval."""
    ci95 = math.sqrt(sum(rate.ci95**2 for rate in rates)) / len(rates)
    return sum(rate.mbb_per_hand for rate in rates) / len(rates), ci95


def _apart(one: WinRate, other: WinRate) -> bool:
    return one.mbb_per_hand - one.ci95 > other.mbb_per_hand + other.ci95


def _plain(rate: WinRate) -> dict[str, Any]:
    return {
        "mbb_per_hand": rate.mbb_per_hand,
        "ci95": rate.ci95 if math.isfinite(rate.ci95) else None,
        "samples": rate.samples,
        "deals_of_a_sample": rate.hands // rate.samples // 2,
        "hands": rate.hands,
    }


def _result(rate: WinRate) -> str:
    return _written(rate.mbb_per_hand, rate.ci95)


def _written(mbb_per_hand: float, ci95: float) -> str:
    return interval(mbb_per_hand, ci95, 0)
