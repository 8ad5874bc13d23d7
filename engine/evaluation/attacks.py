"""What is won from a strategy by players that know it, or that need not.

Local best response looks one action ahead; a river response plays a script up to the river and is
exact there; blind scripts know nothing.

The highest of many figures is too high by chance.  So `WorstCases` tries many ways with few
samples each, and measures those that seemed worst again.  The second pass has more samples, on
deals and boards that played no part in the choice: only its figures mean what their intervals say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from engine.estimates.winrate import WinRate, win_rate
from engine.evaluation.blind_scripts import SCRIPT_PREFIX
from engine.evaluation.board_matches import BoardMatch, values_on_boards
from engine.evaluation.exact_match import ExactMatch
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import (
    LbrSamples,
    MeasuringWorkers,
    join_samples,
    measured_blocks,
    pair_blocks,
)
from engine.evaluation.lbr_result import LbrResult, result_of
from engine.evaluation.river_response import RiverResponse
from engine.evaluation.trunk_policies import RIVER_PREFIX, TrunkPolicy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.betting.policy import GamePolicy, Policy
    from engine.evaluation.blind_scripts import BlindScript
    from engine.evaluation.lbr_settings import LbrSettings
    from engine.evaluation.shard_units import Units
    from protocol.gamedef import GameDef

_Way = TypeVar("_Way")

NAMES_OF_KINDS: Final = {SCRIPT_PREFIX: "scripts", RIVER_PREFIX: "river responses"}
ONE_LINE_SUFFIX: Final = ", one line"
WAYS_MEASURED_AGAIN: Final = 3
_FIRST_PAIRS: Final = 5
_BOARD_STRIDE: Final = 10
"""The first pass plays one in so many boards of the second."""


class AttackResult(NamedTuple):
    """What one way of playing wins."""

    name: str
    """As `arena versus` writes it if it is a script."""
    rate: WinRate
    lbr: LbrResult | None = None
    """All that was measured with LBR; None: it is a script, and a sample is a board."""

    @property
    def samples(self) -> str:
        """How many there were, in words."""
        unit = "board" if self.lbr is None else "pair"
        return f"{self.rate.samples:,} {unit}{'' if self.rate.samples == 1 else 's'}"


class Ways(NamedTuple):
    """What is tried."""

    settings: Sequence[LbrSettings]
    scripts: Sequence[BlindScript]
    rivers: Sequence[TrunkPolicy] = ()
    """What river responses do up to there."""


class Passes(NamedTuple):
    """How much is played in both passes; the second goes on where the first has ended."""

    pairs: tuple[range, range]
    boards: tuple[range, range]


def passes(pairs: int, boards: int) -> Passes:
    """Return the passes whose second has so many pairs and boards."""
    few_pairs, few_boards = max(1, pairs // _FIRST_PAIRS), max(1, boards // _BOARD_STRIDE)
    return Passes(
        (range(few_pairs), range(few_pairs, few_pairs + pairs)),
        (range(few_boards), range(few_boards, few_boards + boards)),
    )


@dataclass(frozen=True, slots=True)
class Bench:
    """A strategy to measure, and how."""

    policy: Policy
    game: GameDef
    seed: int
    """Of deals, draws and boards."""
    jobs: int
    """Processes; the results do not depend on it."""
    said: Callable[[str], None]
    """Told how far it is, more often than anybody wants to know."""
    holes: int = 1
    """Hands of LBR on each board and position."""
    one_line: bool = False
    """Whether river responses follow one line of the opponent; see `RiverResponse`."""
    units: Units | None = None
    """Has the units of a shard played, or knows those of all; None: all are played."""
    elsewhere: MeasuringWorkers | None = None
    """Who measures in place of processes of this machine."""

    def named(self, stage: str) -> Bench:
        """Return one that says which stage it is at."""
        return replace(self, said=lambda text: self.said(f"{stage}: {text}"))

    def measure(self, ways: Ways, pairs: range, boards: range, results: list[AttackResult]) -> None:
        """Measure some ways, all on the same deals and boards.

        Args:
            ways: the settings with LBR, then the scripts, then river responses.
            pairs: hands of the match that LBR is dealt.
            results: gets what is won; of Ctrl-C, too, what there is by then.

        Raises:
            ValueError: the strategy is none.
        """
        for number, settings in enumerate(ways.settings, 1):
            of = f"{number} of {len(ways.settings)}, " if len(ways.settings) > 1 else ""
            self._lbr(settings, pairs, results, f"{of}{settings.name}")
        if ways.scripts:
            self._on_boards(SCRIPT_PREFIX, ways.scripts, boards, results)
        if ways.rivers:
            self._on_boards(RIVER_PREFIX, ways.rivers, boards, results)

    def _lbr(
        self, settings: LbrSettings, pairs: range, results: list[AttackResult], title: str
    ) -> None:
        responder = LocalBestResponse(self.policy, self.game, settings)
        parts: list[LbrSamples] = []
        done = 0
        try:
            for part in self._parts(responder, pair_blocks(pairs, self.holes)):
                parts.append(part)
                done += part.pairs
                self.said(f"{title}: {done:,} of {len(pairs):,} pairs")
        finally:
            if parts:
                result = result_of(join_samples(parts))
                results.append(AttackResult(settings.name, result.rate, result))

    def _on_boards(
        self,
        kind: str,
        ways: Sequence[BlindScript | TrunkPolicy],
        boards: range,
        results: list[AttackResult],
    ) -> None:
        rows: list[NDArray[np.float64]] = []
        title = kind + ways[0].name
        if len(ways) > 1:
            title = f"{len(ways)} {NAMES_OF_KINDS[kind]}"
        try:
            for row in self._values(ways, boards, f"{kind}{', '.join(way.name for way in ways)}"):
                rows.append(row)
                self.said(f"{title}: {len(rows):,} of {len(boards):,} boards")
        finally:
            if rows:
                for way, values in zip(ways, np.stack(rows, axis=1), strict=True):
                    rate = win_rate(values, self.game.big_blind)
                    followed = ONE_LINE_SUFFIX if self.one_line and kind == RIVER_PREFIX else ""
                    results.append(AttackResult(f"{kind}{way.name}{followed}", rate))

    def _parts(
        self, responder: LocalBestResponse, blocks: list[tuple[int, int]]
    ) -> Iterator[LbrSamples]:
        """Yield the samples of blocks of pairs."""

        def play(todo: list[tuple[int, int]]) -> Iterator[LbrSamples]:
            return measured_blocks(
                responder,
                todo,
                self.seed,
                workers=self.jobs,
                holes=self.holes,
                elsewhere=self.elsewhere,
            )

        if self.units is None:
            yield from play(blocks)
            return
        settings = responder.settings
        results = self.units.results(
            settings.name,
            blocks,
            lambda todo: ((part.won, part.luck, part.tally) for part in play(todo)),
        )
        for (first, _), (won, luck, tally) in zip(blocks, results, strict=False):
            yield LbrSamples(self.game, settings, self.seed, first, won, luck, tally, self.holes)

    def _values(
        self, ways: Sequence[BlindScript | TrunkPolicy], boards: range, name: str
    ) -> Iterator[NDArray[np.float64]]:
        """Yield what each way wins, board by board."""
        there, how = self.elsewhere, (tuple(ways), self.one_line)

        def play(todo: Sequence[int]) -> Iterator[NDArray[np.float64]]:
            if there is None:
                arguments = (self.game, self.policy, *how)
                return values_on_boards(_matches, arguments, todo, self.seed, workers=self.jobs)
            recipe = (there.open_policy, there.arguments, *how)
            cluster = there.cluster
            return values_on_boards(_matches_elsewhere, recipe, todo, self.seed, cluster=cluster)

        if self.units is None:
            return play(boards)
        results = self.units.results(name, boards, lambda todo: ((row,) for row in play(todo)))
        return (row for (row,) in results)


@dataclass(slots=True)
class WorstCases:
    """What two passes over many ways have found so far."""

    tried: list[AttackResult] = field(default_factory=list)
    """In the first pass."""
    again: list[AttackResult] = field(default_factory=list)
    """In the second one; nothing of it was known when these were chosen."""

    def search(self, bench: Bench, ways: Ways, samples: Passes) -> None:
        """Try all ways, and measure those again that seem worst; few need no first pass.

        Raises:
            ValueError: the strategy is none.
        """
        few = Ways(_if_many(ways.settings), _if_many(ways.scripts), _if_many(ways.rivers))
        bench.named("tried").measure(few, samples.pairs[0], samples.boards[0], self.tried)
        tried = iter(self.tried)
        settings, scripts, rivers = (list(islice(tried, len(kind))) for kind in few)
        chosen = Ways(
            _worst(ways.settings, settings),
            _worst(ways.scripts, scripts),
            _worst(ways.rivers, rivers),
        )
        bench.named("measured").measure(chosen, samples.pairs[1], samples.boards[1], self.again)


def _if_many(ways: Sequence[_Way]) -> Sequence[_Way]:
    return ways if len(ways) > WAYS_MEASURED_AGAIN else ()


def _worst(ways: Sequence[_Way], tried: Sequence[AttackResult]) -> Sequence[_Way]:
    """Return the ways that won most when they were tried; all of them if they were not."""
    if not tried:
        return ways
    order = sorted(range(len(tried)), key=lambda index: -tried[index].rate.mbb_per_hand)
    return [ways[index] for index in order[:WAYS_MEASURED_AGAIN]]


def worst_first(results: Sequence[AttackResult]) -> list[AttackResult]:
    """Return what was won, the most first."""
    return sorted(results, key=lambda won: -won.rate.mbb_per_hand)


def _matches(
    game: GameDef, policy: Policy, ways: tuple[BlindScript | TrunkPolicy, ...], one_line: bool
) -> list[BoardMatch]:
    return [
        RiverResponse(game, way, policy, one_line=one_line)
        if isinstance(way, TrunkPolicy)
        else ExactMatch(game, way, policy)
        for way in ways
    ]


def _matches_elsewhere(
    open_policy: Callable[..., GamePolicy],
    arguments: tuple[Any, ...],
    ways: tuple[BlindScript | TrunkPolicy, ...],
    one_line: bool,
) -> list[BoardMatch]:
    policy = open_policy(*arguments)
    return _matches(policy.game, policy, ways, one_line)
