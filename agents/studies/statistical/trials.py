"""Modellers of different settings against one opponent, all on the same deals, in duplicate.

A trial is a match of H deals.  For each of V settings two tables are played, one for each seating,
by bots of their own that know nothing at the start: what is learnt on the way, and what learning
costs, is in the result.

    won    (V, M, H) float64   chips per deal that the modeller of each setting won, the mean over
                               both seatings, in M matches

Results are in mbb/h with 95 % intervals; a sample is a deal in both seatings (a duplicate pair), or
a period of an opponent who changes every so many hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from agents.errors import GameNotPlayed
from agents.roster.bots import MEASURED, find_agent
from agents.statistical.bot import Settings
from agents.statistical.variants import bot_with, reader_of
from engine.estimates.winrate import WinRate, win_rate
from engine.parallel.processes import in_order
from engine.play.learners import LearnerTable, play_tables, rotations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from protocol.gamedef import GameDef


class Trial(NamedTuple):
    """One match of an opponent against all settings."""

    opponent: str
    """One of `opponents_of`."""
    match: int
    """Its number among those of the opponent."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played against each opponent."""

    game: GameDef
    settings: Mapping[str, Settings]
    """By the name under which the result is shown."""
    hands: int = 3000
    """Deals of a match, each in both seatings."""
    matches: int = 1
    seed: int = 1

    def check(self, opponents: Sequence[str]) -> None:
        """Raise what is wrong before anything is played.

        Raises:
            UnknownAgent: there is no such opponent.
            GameNotPlayed: an opponent or the modeller does not play the game.
            ValueError: settings are out of range.
        """
        for settings in self.settings.values():
            settings.check()
        for spec in (*map(find_agent, opponents), find_agent("statistical")):
            if not spec.plays(self.game, {}):
                raise GameNotPlayed(spec.refusal(self.game))


def opponents_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return opponents, each once and by its first name: those named, or else `MEASURED`.

    Raises:
        UnknownAgent: there is none of a name.
    """
    chosen = map(find_agent, names)
    return tuple(dict.fromkeys(spec.same_as or spec.name for spec in chosen)) or MEASURED


def play_trials(
    plan: Plan, opponents: Sequence[str], jobs: int = 1
) -> Iterator[tuple[Trial, NDArray[np.float64]]]:
    """Yield what the settings won in each match, as soon as it is known: (V, H) as `won`.

    The results do not depend on `jobs`, the number of processes, nor on who else is played.

    Raises:
        AgentError: see `Plan.check`.
        ValueError: likewise.
    """
    plan.check(opponents)
    trials = [Trial(name, match) for match in range(plan.matches) for name in opponents]
    jobs = min(jobs, len(trials))
    yield from zip(trials, in_order(_TrialPlayer, (plan,), trials, jobs), strict=True)


class _TrialPlayer:
    """Plays trials in one process."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._readers: dict[type[StrengthReader], StrengthReader] = {}

    def __call__(self, trial: Trial) -> NDArray[np.float64]:
        plan, spec = self._plan, find_agent(trial.opponent)
        tables: list[LearnerTable] = []
        for settings in plan.settings.values():
            kind = reader_of(settings)
            strengths = self._readers.setdefault(kind, kind())
            modeller = partial(bot_with, settings, strengths=strengths)
            tables += rotations([modeller, spec.build])
        won = play_tables(plan.game, match_seed(plan.seed, trial), plan.hands, tables)
        pairs: NDArray[np.float64] = won[:, :, 0].reshape(plan.hands, -1, 2).mean(axis=2).T
        return pairs


def match_seed(seed: int, trial: Trial) -> int:
    """Return the seed of the deals and draws of a trial, below 2**32 - 1."""
    name = crc32(trial.opponent.encode())
    words = np.random.SeedSequence([seed, name, trial.match]).generate_state(1)
    return int(words[0]) >> 1


def period_of(opponent: str) -> int:
    """Return the deals in a row whose results hang together: they count as one sample."""
    return find_agent(opponent).period


def rate_of_trial(won: NDArray[np.float64], big_blind: int, period: int = 1) -> WinRate:
    """Return the win rate of (M, H) chips per deal.

    Args:
        won: of one setting, or the difference of two.
        big_blind: chips.
        period: deals of one sample, at most H; what is left over in a match is left out.  With
            all H the interval is that over the means of matches.
    """
    matches, hands = won.shape
    period = min(period, hands)
    whole = hands // period * period
    samples = won[:, :whole].reshape(matches, -1, period).mean(axis=2).ravel()
    return win_rate(samples, big_blind, hands_per_sample=2 * period)
