"""The article's comparison of nested solving with translation, in steps that can be taken up again.

    settings.json          what is compared
    blueprint              the solver's tables of the game without .75
    before-HOW-PLAYER      the same of what follows a player's .75 before the flop
    flop-NUMBER            what best responses win on a flop, and the seconds it took

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.flop_holdem.experiment import ExperimentStep
from engine.flop_holdem.folder import ExperimentFolder
from engine.flop_holdem.hand_solver import FlopHandSolver
from engine.flop_holdem.nested import (
    DECISION,
    NESTINGS,
    STREET,
    VARIANT,
    FlopNesting,
    Nesting,
    OnFlop,
    SolvedGame,
    solver_after,
)
from engine.flop_holdem.off_tree import (
    TRANSLATIONS,
    OffTreeGame,
    Places,
    follow_strategy,
    translate,
)
from engine.flop_holdem.solver import (
    preflop_reach,
    values_before_flop,
    walk_flop,
)
from engine.flop_holdem.walk_kernels import BEST
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS, STARTING_HANDS
from engine.parallel.processes import in_order

_ITERATIONS_AT_ONCE: Final = 20
_TRANSLATIONS: Final = {how.name: how for how in TRANSLATIONS}
_NESTINGS: Final = {nesting.name: nesting for nesting in NESTINGS}
METHODS: Final = (*_TRANSLATIONS, *_NESTINGS)


@dataclass(frozen=True, slots=True)
class NestedSettings:
    """What is compared."""

    bets: int = 3
    """Most bets on the flop."""
    iterations: int = 400
    """Of the blueprint, and of what follows a bet before the flop."""
    solved: int = 300
    """Iterations of each new solution on a flop."""
    flops: int = 20
    """Classes of flops that come up."""


class Arrived(NamedTuple):
    """What an agent does before the flop, and where that leads."""

    strategy: NDArray[np.float32]
    """(169, P) by row of the whole game; 0 for the opponent."""
    reach: NDArray[np.float64]
    """(nodes, 2, 1326) of the agent."""
    places: dict[int, Places]
    """Of a translating agent where the flop comes; else empty."""


class NestedExperiment:
    """One folder of results."""

    def __init__(self, folder: Path, settings: NestedSettings | None, workers: int = 1) -> None:
        """Open or begin an experiment.

        Args:
            settings: None: those of the folder.
            workers: processes; results do not depend on it.

        Raises:
            ArtifactMismatch: the folder holds another experiment, or none where one is wanted.
            OSError: it cannot be read or written.
        """
        self.folder: Final = ExperimentFolder(
            folder, asdict(settings) if settings else None, asdict(NestedSettings())
        )
        self.settings: Final = NestedSettings(**self.folder.facts)
        self.workers: Final = workers
        self._after: dict[str, SolvedGame] = {}

    @cached_property
    def game(self) -> OffTreeGame:
        """The whole game."""
        return OffTreeGame(self.settings.flops, self.settings.bets)

    @cached_property
    def blueprint(self) -> SolvedGame:
        """The finished solution of the game without .75."""
        return SolvedGame(self.game, *self._solver("blueprint"))

    def after(self, nesting: Nesting, opponent: int) -> SolvedGame:
        """Return the finished solution of what follows .75 before the flop."""
        name = _before(nesting, opponent)
        if name not in self._after:
            self._after[name] = SolvedGame(self.game, *self._solver(name))
        return self._after[name]

    def run(self) -> Iterator[ExperimentStep]:
        """Do what is left, and say how far it is; may be stopped anywhere."""
        for name in ("blueprint", *_forms()):
            yield from self._train(name)
        left = [flop for flop in range(self.settings.flops) if not self.folder.has(_flop(flop))]
        results = in_order(_flop_solver, (self.folder.path,), left, self.workers)
        done = self.settings.flops - len(left)
        for number, (flop, found) in enumerate(zip(left, results, strict=True)):
            if not number:
                yield ExperimentStep("flops", done, self.settings.flops)
            self.folder.save(_flop(flop), found)
            yield ExperimentStep("flops", done + number + 1, self.settings.flops)

    def exploitability(self) -> dict[str, float]:
        """Return chips per hand by method, the mean of both positions."""
        return {method: float(np.mean(won)) for method, won in self.best_responses().items()}

    def best_responses(self) -> dict[str, list[float]]:
        """Return what opponents win in both positions at best, chips per hand by method.

        When all is finished; empty before.
        """
        if not all(self.folder.has(_flop(flop)) for flop in range(self.settings.flops)):
            return {}
        sums = self._total("sums") / (STARTING_HAND_COMBOS * self.game.game.flops.ways_for_two)
        return {
            method: [
                self._best_response(self.preflop(method, 1 - opponent), opponent, values)
                for opponent, values in enumerate(sums[number])
            ]
            for number, method in enumerate(METHODS)
        }

    def blueprint_exploitability(self) -> float:
        """Return chips per hand that the blueprint loses where nobody bets .75."""
        return self.blueprint.solver.exploitability(StrategyKind.AVERAGE)

    def seconds(self) -> dict[str, float]:
        """Return processor seconds of the parts that are finished, by method; and the blueprint."""
        flops = self._total("seconds")
        found = dict(zip(METHODS, flops.tolist(), strict=True))
        for nesting in NESTINGS:
            for opponent in (0, 1):
                found[nesting.name] += self._trained_seconds(_before(nesting, opponent))
        return {"blueprint": self._trained_seconds("blueprint")} | found

    def solve_flop(self, flop: int) -> dict[str, NDArray[np.float64]]:
        """Return what opponents win at best on one flop.

        sums     (methods, 2, R, 169)  by opponent and root, as of `engine.flop_holdem.solver`
        seconds  (methods,)            of making the strategies
        """
        game = self.game.game
        sums = np.zeros((len(METHODS), 2, len(game.roots), STARTING_HANDS))
        seconds = np.zeros(len(METHODS))
        of_hand = game.flops.hand[game.flops.combo[flop]]
        shape = (len(game.nodes.kind), 2, game.flops.live)
        reach, values = np.empty(shape), np.empty(shape)
        for number, method in enumerate(METHODS):
            for agent in (0, 1):
                begun, came = time.process_time(), self.preflop(method, agent)
                shares = self.flop_shares(method, agent, flop, came)
                seconds[number] += time.process_time() - begun
                arrivals = came.reach[list(game.ways)]
                walk_flop(game, flop, shares, arrivals, (BEST, BEST), reach, values)
                for root, into in zip(game.roots, sums[number, 1 - agent], strict=True):
                    into[:] = game.flops.ways[flop] * np.bincount(
                        of_hand, values[root, 1 - agent], STARTING_HANDS
                    )
        return {"sums": sums, "seconds": seconds}

    def preflop(self, method: str, agent: int) -> Arrived:
        """Return what an agent does before the flop."""
        game, blueprint, places = self.game, self.blueprint, {}
        into = np.zeros((game.game.preflop_row_count, STARTING_HANDS), np.float32)
        begin = np.ones(STARTING_HANDS)
        if method in _TRANSLATIONS:
            places = translate(
                game, agent, 0, [(begin, 0)], blueprint.shares, _TRANSLATIONS[method], into
            )
        else:
            after = self.after(_NESTINGS[method], 1 - agent)
            follow_strategy(game, agent, 0, begin, blueprint, lambda bet: after, into)
        strategy = np.ascontiguousarray(into.T)
        return Arrived(strategy, preflop_reach(game.game, strategy), places)

    def flop_shares(self, method: str, agent: int, flop: int, came: Arrived) -> NDArray[np.float32]:
        """Return (T, 1176) what an agent does on a flop, by row of the whole game."""
        game, tree = self.game, self.game.tree
        into = np.zeros((game.game.row_count, game.game.flops.live), np.float32)
        combo = game.game.flops.combo[flop]
        reach = {way: came.reach[way, agent] for way in game.game.ways if tree.kind[way] == DEAL}
        known = OnFlop(self.blueprint, flop, agent, reach)
        if method in _TRANSLATIONS:
            for way, places in came.places.items():
                here = [
                    (weights[COMBO_STARTING_HAND[combo]], game.kept(place)[0])
                    for weights, place in places
                ]
                first = game.kept(way)[0]
                translate(game, agent, first, here, known.shares, _TRANSLATIONS[method], into)
            return into
        nesting, bet = _NESTINGS[method], game.preflop_bet(1 - agent)
        after = self.after(nesting, 1 - agent)
        follows = OnFlop(after, flop, agent, reach)
        for way, arrived in reach.items():
            solved, strategy = self.blueprint, known
            if game.below_bet(way, bet):
                solved, strategy = after, follows
            elif way not in solved.number:
                continue  # the agent's own .75
            again = FlopNesting(
                solved, flop, way, nesting, agent, arrived, self.settings.solved
            ).again
            follow_strategy(game, agent, game.kept(way)[0], arrived[combo], strategy, again, into)
        return into

    def _best_response(self, agent: Arrived, opponent: int, values: NDArray[np.float64]) -> float:
        game = self.game.game
        roots = np.zeros((2, *values.shape))
        roots[opponent] = values
        won = values_before_flop(game, agent.strategy, agent.reach, roots, (BEST, BEST))
        return game.mean(won[0, opponent])

    def _solver(self, name: str) -> tuple[FlopHandSolver, list[int]]:
        """Return a solver as far as it came, and its nodes."""
        if name == "blueprint":
            part, nodes = self.game.flop_part(0)
            found = FlopHandSolver(part, threads=self.workers)
        else:
            found, nodes = solver_after(self.game, self.blueprint, *_forms()[name], self.workers)
        if self.folder.has(name):
            found.resume(self.folder.load(name))
        return found, nodes

    def _train(self, name: str) -> Iterator[ExperimentStep]:
        wanted = self.settings.iterations
        done = int(self.folder.load(name)["iterations"]) if self.folder.has(name) else 0
        if done >= wanted:
            return
        solver, _ = self._solver(name)
        spent = self._trained_seconds(name) if done else 0.0
        while solver.iterations < wanted:
            yield ExperimentStep(name, solver.iterations, wanted)
            begun = time.process_time()
            left = wanted - solver.iterations
            solve(solver, VARIANTS[VARIANT], min(_ITERATIONS_AT_ONCE, left))
            spent += time.process_time() - begun
            self.folder.save(name, solver.state() | {"seconds": np.array(spent)})
        yield ExperimentStep(name, wanted, wanted)

    def _trained_seconds(self, name: str) -> float:
        return float(self.folder.load(name)["seconds"])

    def _total(self, name: str) -> NDArray[np.float64]:
        parts = [self.folder.load(_flop(flop)) for flop in range(self.settings.flops)]
        found: NDArray[np.float64] = np.sum([part[name] for part in parts], axis=0)
        return found


def _before(nesting: Nesting, opponent: int) -> str:
    """Return a name that those share which do the same before the flop.

    There are no gifts yet, and the second player's decision is the street's first.
    """
    how = ("margin" if nesting.margin else "resolve") if nesting.safe else "unsafe"
    start = STREET if nesting.start == DECISION and opponent == 1 else nesting.start
    return f"before-{how}-{start}-{opponent}"


def _forms() -> dict[str, tuple[Nesting, int]]:
    """Return what is solved before the flop, each once."""
    return {
        _before(nesting, opponent): (nesting, opponent)
        for nesting in NESTINGS
        for opponent in (0, 1)
    }


def _flop(flop: int) -> str:
    return f"flop-{flop:04}"


def _flop_solver(folder: Path) -> Callable[[int], dict[str, NDArray[Any]]]:
    return NestedExperiment(folder, None).solve_flop
