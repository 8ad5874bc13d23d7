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

import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

import numpy as np

from agents.errors import GameNotPlayed
from agents.roster.bots import MEASURED, find_agent
from agents.seat.game_validator import describe
from agents.statistical.bot import Settings
from agents.statistical.departures import PRESET_SETTINGS, preset
from agents.statistical.variants import bot_with, reader_of
from engine.console.arguments import count
from engine.console.options import game_option, jobs_option, seed_option
from engine.console.output import tell
from engine.estimates.winrate import WinRate, half_interval, win_rate
from engine.parallel.processes import in_order
from engine.play.learners import LearnerTable, play_tables, rotations
from tests.studies.frame import finite, resumed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from protocol.gamedef import GameDef


LEARNING: Final = (
    "What it learns differs from match to match: several matches, best four or more, are better "
    "than a longer one, and only then do the intervals hold that, too."
)
_PLAYERS: Final = 2
ON: Final = "modelling"
OFF: Final = "without"


def add_trials(
    parser: ArgumentParser, *, matches: int, opponents: Sequence[str] = MEASURED
) -> None:
    """Add what all trials have: opponents, those by default, and how much is played."""
    add = parser.add_argument
    add(
        "names",
        metavar="OPPONENT",
        nargs="*",
        default=opponents,
        help=f"bots of `arena agent`, or points of the plane ({', '.join(opponents)})",
    )
    game_option().add_to(parser)
    add("--hands", metavar="N", type=count, default=3000, help="deals of a match (%(default)s)")
    add("--matches", metavar="N", type=count, default=matches, help=LEARNING + " (%(default)s)")
    seed_option().add_to(parser)
    jobs_option().add_to(parser)
    add(
        "--predictor",
        metavar="NAME|FILE",
        default="counters",
        help="what predicts the opponent's actions: counters, ann, tree, or the file of one "
        "(%(default)s)",
    )


def add_preset(parser: ArgumentParser) -> None:
    """Add --preset, of `agents.statistical.departures`."""
    parser.add_argument(
        "--preset", choices=PRESET_SETTINGS, help="settings; patent: as it describes them"
    )


def on_and_off(options: Namespace) -> dict[str, Settings]:
    """Return the modeller with its model, and without."""
    settings = preset(options.preset, predictor=options.predictor)
    return {ON: settings, OFF: replace(settings, modelling=False)}


def game_word(game: GameDef) -> str:
    """Return what results are named by: hunl or hulhe."""
    return "hunl" if game.no_limit else "hulhe"


def played(options: Namespace, settings: Mapping[str, Settings]) -> Results:
    """Play everything that the work folder lacks."""
    names = opponents_of(options.names)
    plan = Plan(options.game, settings, options.hands, options.matches, options.seed)
    plan.check(names)
    trials = [Trial(name, match) for match in range(plan.matches) for name in names]
    kept = {name: asdict(one) for name, one in settings.items()}
    facts = json.dumps([describe(plan.game), kept, plan.hands, plan.seed])

    def play(missing: list[int]) -> Iterator[NDArray[np.float64]]:
        return play_trials(plan, [trials[number] for number in missing], options.jobs)

    chips: dict[str, list[NDArray[np.float64]]] = {name: [] for name in names}
    arrays = resumed(options.work, [f"{facts} {trial}" for trial in trials], play)
    for done, (trial, won) in enumerate(zip(trials, arrays, strict=True), 1):
        chips[trial.opponent].append(won)
        tell(f"{done} of {len(trials)} matches, the last against {trial.opponent}")
    return Results(plan, {name: np.stack(won, axis=1) for name, won in chips.items()})


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
        if self.game.players != _PLAYERS:
            raise ValueError("want a game for two")
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
    plan: Plan, trials: Sequence[Trial], jobs: int = 1
) -> Iterator[NDArray[np.float64]]:
    """Yield what the settings won in each trial, as soon as it is known: (V, H) as `won`.

    The results do not depend on `jobs`, the number of processes, nor on who else is played.
    """
    yield from in_order(_TrialPlayer, (plan,), trials, max(min(jobs, len(trials)), 1))


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


@dataclass(frozen=True, slots=True)
class Results:
    """What was played."""

    plan: Plan
    """The last of its settings is what the others are compared with."""
    played: dict[str, NDArray[np.float64]]
    """Opponent -> (V, M, H) chips as `won` in `trials`."""

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


def played_facts(results: Results) -> dict[str, Any]:
    """Return how much was played."""
    matches = sum(won.shape[1] for won in results.played.values())
    return {
        "game": describe(results.plan.game),
        "complete": True,
        "matches_played": matches,
        "matches_wanted": matches,
        "deals": results.plan.hands,
        "seed": results.plan.seed,
    }


def as_data(results: Results, block: int | None = None) -> dict[str, Any]:
    """Return rates and gains by name, None for no interval; with `block` those of blocks, too."""
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
        **played_facts(results),
        "settings": {name: asdict(one) for name, one in plan.settings.items()},
    }
    if block:
        facts["block"] = block
    return {**facts, "opponents": opponents}


def mean_over_opponents(rates: Sequence[WinRate]) -> tuple[float, float]:
    """Return the mean over opponents, as if each met as often, and its interval."""
    ci95 = math.sqrt(sum(rate.ci95**2 for rate in rates)) / len(rates)
    return sum(rate.mbb_per_hand for rate in rates) / len(rates), ci95


def _plain(rate: WinRate) -> dict[str, Any]:
    return {
        "mbb_per_hand": rate.mbb_per_hand,
        "ci95": finite(rate.ci95),
        "samples": rate.samples,
        "deals_of_a_sample": rate.hands // rate.samples // 2,
        "hands": rate.hands,
    }
