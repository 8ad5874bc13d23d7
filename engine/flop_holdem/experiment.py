"""The article's comparison of techniques on flop hold'em, in steps that can be taken up again.

    settings.json          what is compared
    B/buckets              (F, 1176) uint16 for each number of buckets B
    B/blueprint            the solver's tables, with how many iterations made them
    B/solved-FIRST         the sums over some flops, from number FIRST on

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import KMeans
from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.flop_holdem.bucket_solver import FlopHoldemSolver
from engine.flop_holdem.flop_blueprint import FlopBlueprint
from engine.flop_holdem.flop_buckets import flop_buckets, flop_features
from engine.flop_holdem.flop_game import FlopGame
from engine.flop_holdem.flops import FLOPS, flop_tables, turn_tables
from engine.flop_holdem.folder import ExperimentFolder
from engine.flop_holdem.techniques import TECHNIQUES
from engine.parallel.processes import in_order
from engine.rules.state import HandState
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.gamedef import GameDef
from protocol.gamedefs import load_builtin

VARIANT: Final = "lcfr"
_FLOPS_AT_ONCE: Final = 5
_ITERATIONS_AT_ONCE: Final = 10
TREES: Final = {
    "small": BetMenu((street_menu((1.0,), max_raises=1), street_menu((0.5, 1.0), max_raises=2))),
    "large": BetMenu(
        (
            street_menu((0.5, 0.75, 1.0), max_raises=1),
            street_menu((0.5, 1.0, ALL_IN), max_raises=2),
        )
    ),
    "turn": BetMenu((street_menu((0.5, 1.0), max_raises=2),)),
}
"""Small and large: one bet before the flop, two on it, 114 and 392 actions there.  The article
tells only how much memory its games take, and these would take as much.  Turn: half and whole pots,
two bets a street, on the flop and the turn, and no betting before."""
TURN_FLOP: Final = tuple(parse_cards("Ks8d4c"))
"""The turn game's; of the usual kind, without a pair, a flush or a straight to come.  A choice."""


@dataclass(frozen=True, slots=True)
class ExperimentSettings:
    """What is compared."""

    tree: str = "small"
    """Of `TREES`."""
    iterations: int = 1000
    """Of each blueprint."""
    solved: int = 400
    """Iterations of each flop's new solution."""
    flops: int = FLOPS
    """Classes of flops that come up; of the turn game, all."""
    seed: int = 1
    """Of the buckets."""


class ExperimentStep(NamedTuple):
    """How far it is."""

    stage: str
    done: int
    of: int


def flop_holdem(streets: int = 2, stack: int = 200) -> GameDef:
    """Return hold'em for two with so many big blinds that is over after the flop's betting.

    Args:
        streets: 3: after the turn's.
        stack: of each, in big blinds.
    """
    game = load_builtin("hunl")
    return replace(
        game,
        stacks=(stack * game.big_blind,) * game.players,
        streets=streets,
        board_cards=game.board_cards[:streets],
        first_positions=game.first_positions[:streets],
        max_raises=game.max_raises[:streets],
    )


class SubgameExperiment:
    """One folder of results."""

    def __init__(
        self,
        folder: Path,
        settings: ExperimentSettings | None,
        wanted: Sequence[int] = (),
        workers: int = 1,
    ) -> None:
        """Open or begin an experiment.

        Args:
            settings: None: those of the folder.
            wanted: numbers of buckets, for a blueprint each; a folder can get more later.
            workers: processes; results do not depend on it.

        Raises:
            ArtifactMismatch: the folder holds another experiment, or none where one is wanted.
            OSError: it cannot be read or written.
        """
        self.folder: Final = ExperimentFolder(
            folder, asdict(settings) if settings else None, asdict(ExperimentSettings())
        )
        self.settings: Final = ExperimentSettings(**self.folder.facts)
        if self.settings.tree not in TREES:
            raise self.folder.damaged()
        self.wanted: Final = tuple(wanted)
        self.workers: Final = workers

    @cached_property
    def game(self) -> FlopGame:
        """The betting, and the flops that come up."""
        menu = TREES[self.settings.tree]
        if self.settings.tree == "turn":
            state = HandState.start(flop_holdem(3)).apply(CALL).apply(CALL)
            return FlopGame(build_betting_tree(state, menu), turn_tables(TURN_FLOP))
        state = HandState.start(flop_holdem())
        return FlopGame(build_betting_tree(state, menu), flop_tables(self.settings.flops))

    def run(self) -> Iterator[ExperimentStep]:
        """Do what is left, and say how far it is; may be stopped anywhere."""
        for buckets in self.wanted:
            yield from self._bucket(buckets)
            yield from self._train(buckets)
            yield from self._solve(buckets)

    def exploitability(self) -> dict[str, dict[int, float]]:
        """Return chips per hand by technique and number of buckets, of what is finished."""
        found: dict[str, dict[int, float]] = {}
        for buckets in self.wanted:
            if self._trained(buckets) < self.settings.iterations or len(self._left(buckets)):
                continue
            plan = FlopBlueprint(self.solver(buckets))
            found.setdefault("blueprint", {})[buckets] = plan.exploitability(None)
            sums = np.sum([self._sums(buckets, first) for first in self._firsts], axis=0)
            for number, technique in enumerate(TECHNIQUES):
                found.setdefault(technique.name, {})[buckets] = plan.exploitability(sums[number])
        return found

    @property
    def _firsts(self) -> range:
        return range(0, len(self.game.flops.ways), _FLOPS_AT_ONCE)

    def _sums(self, buckets: int, first: int) -> NDArray[np.float64]:
        sums: NDArray[np.float64] = self.folder.load(_part(buckets, first))["sums"]
        return sums

    def _left(self, buckets: int) -> list[int]:
        return [first for first in self._firsts if not self.folder.has(_part(buckets, first))]

    def buckets(self, buckets: int) -> NDArray[np.uint16]:
        """Return (F, 1176) a finished abstraction."""
        found: NDArray[np.uint16] = self.folder.load(_buckets(buckets))["buckets"]
        return found

    def _bucket(self, buckets: int) -> Iterator[ExperimentStep]:
        if self.folder.has(_buckets(buckets)):
            return
        yield ExperimentStep(f"{buckets} buckets", 0, 1)
        flops, threads = self.game.flops, self.workers
        features = flop_features(flops, threads=threads)
        found = flop_buckets(
            flops, features, buckets, self.settings.seed, settings=KMeans(threads=threads)
        )
        self.folder.save(_buckets(buckets), {"buckets": found})
        yield ExperimentStep(f"{buckets} buckets", 1, 1)

    def solver(self, buckets: int) -> FlopHoldemSolver:
        """Return the blueprint's solver as far as it came."""
        found = FlopHoldemSolver(self.game, self.buckets(buckets), threads=self.workers)
        if self.folder.has(_blueprint(buckets)):
            found.resume(self.folder.load(_blueprint(buckets)))
        return found

    def _trained(self, buckets: int) -> int:
        return self.solver(buckets).iterations if self.folder.has(_blueprint(buckets)) else 0

    def _train(self, buckets: int) -> Iterator[ExperimentStep]:
        wanted = self.settings.iterations
        if self._trained(buckets) >= wanted:
            return
        solver = self.solver(buckets)
        while solver.iterations < wanted:
            yield ExperimentStep(f"blueprint of {buckets}", solver.iterations, wanted)
            solve(
                solver,
                VARIANTS[VARIANT],
                min(_ITERATIONS_AT_ONCE, wanted - solver.iterations),
            )
            self.folder.save(_blueprint(buckets), solver.state())
        yield ExperimentStep(f"blueprint of {buckets}", wanted, wanted)

    def _solve(self, buckets: int) -> Iterator[ExperimentStep]:
        left = self._left(buckets)
        stage, total = f"flops again, {buckets}", len(self._firsts)
        results = in_order(_flop_solver, (self.folder.path, buckets), left, self.workers)
        for number, (first, sums) in enumerate(zip(left, results, strict=True)):
            if not number:
                yield ExperimentStep(stage, total - len(left), total)
            self.folder.save(_part(buckets, first), {"sums": sums})
            yield ExperimentStep(stage, total - len(left) + number + 1, total)


def _buckets(buckets: int) -> str:
    return f"{buckets}/buckets"


def _blueprint(buckets: int) -> str:
    return f"{buckets}/blueprint"


def _part(buckets: int, first: int) -> str:
    return f"{buckets}/solved-{first:04}"


def _flop_solver(folder: Path, buckets: int) -> Callable[[int], NDArray[np.float64]]:
    experiment = SubgameExperiment(folder, None)
    plan, settings = FlopBlueprint(experiment.solver(buckets)), experiment.settings

    def solved(first: int) -> NDArray[np.float64]:
        flops = range(first, min(first + _FLOPS_AT_ONCE, len(plan.game.flops.ways)))
        total: NDArray[np.float64] = np.sum(
            [plan.solved_flop(flop, settings.solved) for flop in flops], axis=0
        )
        return total

    return solved
