"""Who is better, and how sure that is: the win rates of a match, tested against 0.

Two tests, both two-sided: is the true mean 0?

betting   needs nothing of samples but bounds, and holds however often one looks at a match that is
          played on (`engine.estimates.betting`).  It alone names a winner
t test    Student's, of independent samples.  It holds for a number of hands fixed beforehand, and
          where no few hands make most of the result: with a bot that folds all but the best hands
          it named the loser in 13 of 40 matches of 100 hands.  So it says who leads

Between two players it is one test, since one wins what the other loses.  Among more, each player is
tested against 0 and the probabilities are adjusted for so many tests (Holm, "A simple sequentially
rejective multiple test procedure", Scand. J. Statist. 6, 1979).  So all statements of one verdict
together are wrong in at most 5 of 100 matches between equals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.estimates.betting import samples_wanted
from engine.estimates.student import two_sided_p
from engine.estimates.winrate import WinRate

SIGNIFICANCE_LEVEL: Final = 0.05
"""A p-value below it is called significant."""
POWER: Final = 0.8
"""A match of the recommended length decides so often, if the difference is what it looks like."""
FEWEST_SAMPLES: Final = 100
"""Nobody leads by the t test below, since the results of poker are far from normal: on deals drawn
from matches of 600 and 1000 sets it called equals different in 9 and 27 % of matches of 10 sets, 6
and 8 % of 30, 5 and 6 % of 100, 5 and 5 % of 300."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player in a comparison."""

    label: str
    mbb_per_hand: float
    """Win rate, thousandths of a big blind per hand."""
    p_value: float | None
    """Of the betting test, adjusted for the number of players; None where samples have no bound."""
    t_p_value: float | None
    """Of the t test, likewise; None below two samples."""
    decided: bool
    """Whether the sign of the win rate is significant at LEVEL by the betting test."""
    leads: bool
    """Whether it is by the t test, of enough samples."""


@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """What a match says about its players."""

    standings: tuple[Standing, ...]
    """In the order given."""
    samples: int
    enough_samples: bool
    more_hands: int | None
    """About how many more hands would decide for the leader with probability POWER, if the
    difference is what it looks like; None where it is decided, or nothing can be said."""

    @property
    def decided(self) -> bool:
        """Whether any win rate is significant."""
        return any(standing.decided for standing in self.standings)

    @property
    def best(self) -> Standing:
        """Who has won most."""
        return max(self.standings, key=lambda standing: standing.mbb_per_hand)

    @property
    def leader(self) -> str:
        """The label of that player."""
        return self.best.label

    @property
    def leads(self) -> str | None:
        """The same where the t test says so."""
        return self.leader if self.best.leads else None


def compare_players(players: Sequence[tuple[str, WinRate]]) -> PlayerComparison:
    """Return what the win rates of all players of a match, by one estimator, say about them.

    Raises:
        ValueError: there are fewer than two players.
    """
    if len(players) < 2:
        raise ValueError(f"{len(players)} players: want two or more")
    rates = [rate for _, rate in players]
    samples = min(rate.samples for rate in rates)
    enough = samples >= FEWEST_SAMPLES
    tests = 1 if len(players) == 2 else len(players)
    sure, t_test = [rate.p_value for rate in rates], [t_p_value(rate) for rate in rates]
    if tests > 1:
        sure, t_test = holm(sure), holm(t_test)
    standings = tuple(
        Standing(label, rate.mbb_per_hand, p, t, _is_low(p), _is_low(t) and enough)
        for (label, rate), p, t in zip(players, sure, t_test, strict=True)
    )
    more = None
    if enough and not any(standing.decided for standing in standings):
        more = _more_hands(max(rates, key=lambda rate: rate.mbb_per_hand), tests)
    return PlayerComparison(standings, samples, enough, more)


def t_p_value(rate: WinRate) -> float | None:
    """Return the two-sided p-value of the t test of a true rate of 0; None below two samples."""
    if rate.samples < 2:
        return None
    if rate.mbb_per_hand == 0:
        return 1.0
    error = rate.sd / math.sqrt(rate.samples)
    return two_sided_p(rate.mbb_per_hand / error if error else math.inf, rate.samples - 1)


def _is_low(p: float | None) -> bool:
    return p is not None and p < SIGNIFICANCE_LEVEL


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Return probabilities adjusted for being several (Holm); None stays None."""
    ranked = sorted((p, index) for index, p in enumerate(chances) if p is not None)
    adjusted: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (p, index) in enumerate(ranked):
        least = adjusted[index] = max(least, min(1.0, p * (len(ranked) - rank)))
    return adjusted


def _more_hands(rate: WinRate, tests: int) -> int | None:
    if rate.mbb_per_hand <= 0 or not math.isfinite(rate.most_lost):
        return None
    wanted = samples_wanted(
        rate.mbb_per_hand, rate.sd, rate.most_lost, SIGNIFICANCE_LEVEL / tests, POWER
    )
    if wanted is None:
        return None
    return max(wanted - rate.samples, 1) * (rate.hands // rate.samples)
