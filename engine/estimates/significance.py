"""Who is better, and how sure that is: the win rates of a match, tested against 0.

The test is Student's, two-sided, on independent samples: is the true mean 0?  Between two players
it is one test, since one wins what the other loses.  Among more, each player is tested against 0
and the probabilities are adjusted for so many tests (Holm, "A simple sequentially rejective
multiple test procedure", Scand. J. Statist. 6, 1979).  So all statements of one verdict together
are wrong in at most 5 of 100 matches between equals.  That holds for a number of hands
fixed beforehand; who plays on until the verdict pleases is wrong more often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from engine.estimates.student import two_sided_p
from engine.estimates.winrate import WinRate

LEVEL: Final = 0.05
"""Most improbable results that still count as chance."""
POWER: Final = 0.8
"""How often a match of the length recommended decides, if the difference is what it looks like."""
FEWEST_SAMPLES: Final = 100
"""Nothing is decided below, since the results of poker are far from normal: on deals drawn from
matches of 600 and 1000 sets the test called equals different in 9 and 27 % of matches of 10 sets,
6 and 8 % of 30, 5 and 6 % of 100, 5 and 5 % of 300.  With a made-up bot that wins 200 big blinds in
0.3 % of its hands, and loses in all others, it takes more than 1000."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player in a comparison."""

    label: str
    mbb_per_hand: float
    """Win rate, thousandths of a big blind per hand."""
    p_value: float | None
    """Probability of a result at least so far from 0 if the player is worth 0, adjusted for the
    number of players; None below two samples."""
    decided: bool
    """Whether the sign of the win rate is significant at LEVEL."""


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
    chances = [p_value(rate) for rate in rates]
    if tests > 1:
        chances = holm(chances)
    standings = tuple(
        Standing(label, rate.mbb_per_hand, p, enough and p is not None and p < LEVEL)
        for (label, rate), p in zip(players, chances, strict=True)
    )
    more = None
    if enough and not any(standing.decided for standing in standings):
        more = _more_hands(max(rates, key=lambda rate: rate.mbb_per_hand), tests)
    return PlayerComparison(standings, samples, enough, more)


def p_value(rate: WinRate) -> float | None:
    """Return the two-sided p-value of a win rate under a true one of 0; None below two samples."""
    if rate.samples < 2:
        return None
    if rate.mbb_per_hand == 0:
        return 1.0
    error = rate.sd / math.sqrt(rate.samples)
    return two_sided_p(rate.mbb_per_hand / error if error else math.inf, rate.samples - 1)


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Return probabilities adjusted for being several (Holm); None stays None."""
    known = sorted((p, index) for index, p in enumerate(chances) if p is not None)
    adjusted: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (p, index) in enumerate(known):
        least = adjusted[index] = max(least, min(1.0, p * (len(known) - rank)))
    return adjusted


def _more_hands(rate: WinRate, tests: int) -> int | None:
    if rate.mbb_per_hand == 0 or rate.sd == 0:
        return None
    normal = NormalDist()
    errors = normal.inv_cdf(1 - LEVEL / (2 * tests)) + normal.inv_cdf(POWER)
    wanted = math.ceil((errors * rate.sd / rate.mbb_per_hand) ** 2)
    return max(wanted - rate.samples, 1) * (rate.hands // rate.samples)
