"""Trains the evolutions of a pilot, each in a run folder, and measures what came of them."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.astar.family import ASTAR
from agents.errors import TrainingError
from agents.evolution.network import SUFFIX, EvolvedNetwork
from agents.evolution.run import METRICS, PICTURE, EvolutionRun, evolve
from agents.roster.bots import COUNTERED, find_agent
from agents.studies.pool.crosstable import samples_of
from agents.training.run_folder import CHECKPOINT, alone_in
from engine.estimates.winrate import win_rate
from engine.play.compiled_match import play_matches
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agents.evolution.evolution import EvolutionPlan
    from agents.studies.astar.pilots.plans import PilotVariant
    from engine.estimates.winrate import WinRate
    from protocol.gamedef import GameDef


class VariantRun(NamedTuple):
    """A variant from one seed."""

    variant: PilotVariant
    seed: int
    folder: Path

    @property
    def network(self) -> Path:
        """File of the best network, there once it is trained."""
        return self.folder / f"best{SUFFIX}"

    @property
    def plan(self) -> EvolutionPlan:
        """What is to be evolved."""
        return replace(self.variant.plan, seed=self.seed, resets=self.variant.resets)


class VariantResult(NamedTuple):
    """What came of a run."""

    run: VariantRun
    history: list[dict[str, Any]]
    """Of each generation, see `GenerationResult.facts`."""
    rates: tuple[WinRate, ...]
    """Of its best network against each of COUNTERED."""
    hands: int
    """Played in training."""
    seconds: float
    """Of training."""

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "variant": self.run.variant.name,
            "seed": self.run.seed,
            "fitness": [round(one["mean_fitness"], 4) for one in self.history],
            "won": {
                name: {"mbb_per_hand": round(rate.mbb_per_hand, 1), "ci95": round(rate.ci95, 1)}
                for name, rate in zip(COUNTERED, self.rates, strict=True)
            },
            "training_hands": self.hands,
            "seconds": self.seconds,
        }


def train_variant(
    game: GameDef,
    run: VariantRun,
    command: str,
    threads: int | None = None,
    told: Callable[[EvolutionRun], None] | None = None,
) -> bool:
    """Train a variant if it is not yet trained; return False if a signal came before.

    Raises:
        OSError: the folder cannot be written.
        TrainingError: another training uses the folder, or its checkpoint is damaged.
    """
    if run.network.exists():
        return True
    plan = run.plan
    with ExitStack() as held:
        held.enter_context(alone_in(run.folder, (CHECKPOINT, METRICS, PICTURE, run.network.name)))
        evolution = EvolutionRun(
            run.folder,
            plan,
            game,
            lambda genome, seed: ASTAR.policy(plan.shape, genome, plan.resets, seed),
            resume=(run.folder / CHECKPOINT).exists(),
        )
        evolution.commands.append(command)
        best = evolve(evolution, threads, told)
        if best is None:
            return False
        genome, facts = best
        network = EvolvedNetwork(ASTAR.name, plan.shape, plan.resets, genome, facts)
        network.save(run.network)
        return True


def measure_variant(
    game: GameDef, run: VariantRun, deals: int, seed: int, threads: int | None = None
) -> VariantResult:
    """Let the best network of a trained variant meet all known opponents, in duplicate.

    Args:
        game: hold'em for two.
        deals: of each match, each from both seats.
        threads: matches at the same time; None for one per core.

    Raises:
        NetworkDamaged: its file is missing or damaged.
        OSError: its metrics cannot be read.
        TrainingError: it is of another plan, or its metrics are damaged.
    """
    network = EvolvedNetwork.load(run.network, ASTAR)
    made = network.facts
    if made.get("plan") != json.loads(json.dumps(run.plan.facts())):
        raise TrainingError(f"{run.network} was evolved by another plan; delete its folder")
    path = run.folder / METRICS
    try:
        history = [json_document(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if [one["generation"] for one in history] != list(range(run.plan.generations)):
            raise ValueError("not a line for each generation")
    except (LookupError, TypeError, ValueError) as error:
        raise TrainingError(f"{path} is damaged: {error}") from error
    player = ASTAR.policy(network.shape, network.genome, network.resets, seed)
    pairs = [(player, find_agent(name).compiled_policy(game, seed + 1)) for name in COUNTERED]
    results = play_matches(game, pairs, deals, seed, duplicate=True, threads=threads)
    rates = tuple(
        win_rate(samples_of(one.won, 1), game.big_blind, hands_per_sample=2) for one in results
    )
    return VariantResult(run, history, rates, 2 * run.plan.deals, float(made["seconds"]))
