"""What the scripted bots do, and what each wins from each of the others, in duplicate.

    make study NAME="pool [BOT...] --hands 100000 --seed 1"

Each pair plays its deals in both seatings.  A sample is a deal, worth the mean of its two
seatings; where one of the two changes its play every so many hands, all deals of such a period are
one sample.  Whether a sample's deals or periods are many enough is for the interval to say: with
less than two samples it is infinite.  100 000 deals a pair take minutes on all cores.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.opponents.pool_logs import pool_seed
from agents.roster.bots import MEASURED
from agents.roster.contestants import find_contestants
from agents.seat.game_validator import describe
from engine.console.arguments import count
from engine.console.options import game_option, jobs_option, seed_option
from engine.console.progress import RateLimiter
from engine.estimates.winrate import WinRate, win_rate
from engine.play.compiled_match import play_matches
from tests.studies.frame import finite
from tests.studies.habits import COUNTS, MeasuredHabits, count_actions, habits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from agents.roster.spec import AgentSpec
    from engine.play.compiled_match import CompiledMatchResult
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

SMALL: Final = {"names": ["O5", "O6", "solid"], "hands": 200}


def add_options(parser: ArgumentParser) -> None:
    """Add who plays what, and how much of it."""
    parser.add_argument(
        "names",
        metavar="BOT",
        nargs="*",
        default=[],
        help=f"who takes part ({', '.join(MEASURED)}); also points of the plane",
    )
    game_option().add_to(parser)
    parser.add_argument("--hands", metavar="N", type=count, default=10_000, help="deals a pair")
    seed_option().add_to(parser)
    jobs_option("threads").add_to(parser)


def run(options: Namespace) -> dict[str, Any]:
    """Play all pairs; return the habits of all bots, and what each wins from each."""
    bots = find_contestants(options.names)
    if len(bots) < 2:
        raise ValueError(f"{bots[0].name} alone has nobody to play: name two, or none for all")
    wanted, pairs, said = Crosstable(bots, ()).wanted, [], RateLimiter()
    for pair in play_pairs(bots, options.game, options.hands, options.seed, at_once=options.jobs):
        pairs.append(pair)
        said(f"{len(pairs)} of {wanted} pairs")
    facts = {"game": describe(options.game), "deals": options.hands, "seed": options.seed}
    return facts | as_data(Crosstable(bots, tuple(pairs)))


@dataclass(frozen=True, slots=True, eq=False)
class PairResult:
    """Two bots, and what the first of them won."""

    one: int
    """Numbers of the bots in the table."""
    other: int
    rate: WinRate
    counts: NDArray[np.int64]
    """(2, COUNTS) what each of them did."""


@dataclass(frozen=True, slots=True, eq=False)
class Crosstable:
    """Results of N bots; pairs that were not played are missing."""

    bots: tuple[AgentSpec, ...]
    pairs: tuple[PairResult, ...]

    @property
    def wanted(self) -> int:
        """How many pairs there are to play."""
        return len(self.bots) * (len(self.bots) - 1) // 2

    def rate(self, one: int, other: int) -> tuple[float, float] | None:
        """Return what bot `one` wins from bot `other` in mbb/h, and half its 95 % interval."""
        for pair in self.pairs:
            if (pair.one, pair.other) == (one, other):
                return pair.rate.mbb_per_hand, pair.rate.ci95
            if (pair.other, pair.one) == (one, other):
                return -pair.rate.mbb_per_hand, pair.rate.ci95
        return None

    def mean(self, one: int) -> tuple[float, float] | None:
        """Return its mean over the opponents it met, in mbb/h, and half the 95 % interval.

        Pairs have deals of their own, and a bot that wanders visits other points against each
        opponent, so their errors add up as those of independent samples.
        """
        met = [self.rate(one, other) for other in range(len(self.bots))]
        found = np.array([rate for rate in met if rate is not None])
        if not len(found):
            return None
        return float(found[:, 0].mean()), float(np.sqrt((found[:, 1] ** 2).sum()) / len(found))

    def habits(self, one: int) -> MeasuredHabits:
        """Return what a bot did against all it met."""
        counts = np.zeros(COUNTS, np.int64)
        for pair in self.pairs:
            if one in (pair.one, pair.other):
                counts += pair.counts[int(one == pair.other)]
        return habits_of(counts)


def play_pairs(
    bots: Sequence[AgentSpec], game: GameDef, hands: int, seed: int, *, at_once: int = 1
) -> Iterator[PairResult]:
    """Yield the result of every pair as soon as it is known.

    Args:
        game: hold'em for two.
        hands: deals for each pair, 1 or more, each played in both seatings.
        seed: of all deals and draws, which are others for each pair.  With the same seed a pair
            gets the same result, whoever else takes part.
        at_once: pairs played at the same time; the results do not depend on it.

    Raises:
        AgentError: a bot does not play this game.
        InvalidGame: the game is none for two.
        ValueError: there are no hands, or the seed is negative.
    """
    if hands < 1 or seed < 0:
        raise ValueError(f"{hands} deals from seed {seed}: want 1 or more, and a seed from 0 on")
    pairs = list(combinations(range(len(bots)), 2))
    for first in range(0, len(pairs), at_once):
        chosen = pairs[first : first + at_once]
        results = play_matches(
            game,
            [_policies(bots[one], bots[other], game, seed) for one, other in chosen],
            hands,
            [pool_seed(seed, bots[one].name, bots[other].name) for one, other in chosen],
            duplicate=True,
            record=True,
            threads=at_once,
        )
        for (one, other), result in zip(chosen, results, strict=True):
            yield _pair_result(game, bots, one, other, result)


def samples_of(won: NDArray[np.float64], block: int) -> NDArray[np.float64]:
    """Return (S,) float64 chips per hand of each sample.

    Args:
        won: (2, H) chips won in the two seatings.
        block: deals of one sample, at most H; what is left over at the end is left out.
    """
    deals: NDArray[np.float64] = won.mean(axis=0)
    whole = len(deals) // block * block
    samples: NDArray[np.float64] = deals[:whole].reshape(-1, block).mean(axis=1)
    return samples


def as_data(table: Crosstable) -> dict[str, Any]:
    """Return the same as plain numbers, for JSON; None where nothing is known.

    Where pairs were not played, "complete" is False.
    """
    bots = []
    for number, bot in enumerate(table.bots):
        mean = table.mean(number)
        bots.append(
            {
                "name": bot.name,
                "also": bot.also,
                "group": bot.group,
                "quadrant": bot.quadrant,
                **asdict(table.habits(number)),
                "mbb_per_hand": None if mean is None else mean[0],
                "ci95": None if mean is None else finite(mean[1]),
            }
        )
    pairs = [
        {
            "one": table.bots[pair.one].name,
            "other": table.bots[pair.other].name,
            "mbb_per_hand": pair.rate.mbb_per_hand,
            "ci95": finite(pair.rate.ci95),
            "samples": pair.rate.samples,
            "hands": pair.rate.hands,
        }
        for pair in table.pairs
    ]
    return {
        "complete": len(pairs) == table.wanted,
        "pairs_played": len(pairs),
        "pairs_wanted": table.wanted,
        "bots": bots,
        "pairs": pairs,
    }


def _policies(
    one: AgentSpec, other: AgentSpec, game: GameDef, seed: int
) -> tuple[CompiledPolicy, CompiledPolicy]:
    """Return both bots, with draws of their own against this opponent."""
    names = one.name, other.name
    first, second = (
        bot.compiled_policy(game, pool_seed(seed, *names, bot.name)) for bot in (one, other)
    )
    return first, second


def _pair_result(
    game: GameDef, bots: Sequence[AgentSpec], one: int, other: int, result: CompiledMatchResult
) -> PairResult:
    block = min(max(bots[one].period, bots[other].period), result.won.shape[1])
    samples = samples_of(result.won, block)
    rate = win_rate(samples, max(game.blinds), hands_per_sample=2 * block)
    counts = np.zeros((2, COUNTS), np.int64)
    for seating, records in enumerate(result.records or ()):
        counts += count_actions(game, records, seating)
    return PairResult(one, other, rate, counts)
