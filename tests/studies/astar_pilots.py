"""Small evolutions side by side, each pilot with one thing changed: curves, and what the best win.

    make study NAME="astar-pilots --seeds 1 --threads 1"
    make study NAME="astar-pilots curricula --plan-deals 20 --deals 2000
        --out docs/data/astar-seeds.json"

The same small plan is changed: curriculum S4 scaled down to 40 individuals, 60 generations, 200
deals.  40 minutes of one core for each seed; the second command takes five for three seeds.  Each
evolution lives in a run folder of its own in the work folder, so what was stopped is resumed, and
more seeds or pilots train only what is missing; a plan that several pilots have is trained once.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.astar.family import ASTAR
from agents.errors import TrainingError
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.evolution_run import METRICS, PICTURE, EvolutionRun, evolve
from agents.evolution.network import SUFFIX, EvolvedNetwork
from agents.evolution.selection import LinearSchedule, ReproductionConfig
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW, NetShape, Stack
from agents.roster.bots import COUNTERED_OPPONENTS, find_agent
from agents.training.run_folder import CHECKPOINT, alone_in
from engine.console.arguments import count, whole_number
from engine.console.options import seed_option
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.estimates.winrate import win_rate
from engine.play.compiled_match import play_matches
from engine.storage.documents import json_document
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite
from tests.studies.pool import samples_of

GAME: Final = "hunl"
NAMES: Final = ("stacks", "curricula", "widths", "survival", "budgets")
DEALS: Final = 10_000
MOST_SEED: Final = 2**31 - 1
SIMPLE: Final = COUNTERED_OPPONENTS[:4]
COMPLEX: Final = COUNTERED_OPPONENTS[4:]
WIDTHS: Final = (50, 100, 200, 300, 400)
"""Of both hidden layers of the head."""
SURVIVALS: Final = (0.1, 0.25, 0.4, 0.6)
BREEDING: Final = ReproductionConfig(
    rate=LinearSchedule(0.25, 0.05), strength=LinearSchedule(1.0, 0.2)
)
SMALL: Final = {
    "pilots": ["survival"],
    "seeds": [1],
    "part": 1,
    "plan_deals": 1,
    "population": 6,
    "deals": 4,
}


def add_options(parser: ArgumentParser) -> None:
    """Add pilots, seeds, how much is measured, and the plan that they change."""
    add = parser.add_argument
    add("pilots", metavar="PILOT", nargs="*", default=NAMES, help=f"of {', '.join(NAMES)} (all)")
    seeds = whole_number(0, MOST_SEED)
    add("--seeds", metavar="N", nargs="+", type=seeds, default=[1, 2, 3], help="(1 2 3)")
    add("--deals", metavar="N", type=count, default=DEALS, help="measured of each match")
    add("--variants", metavar="NAME", nargs="+", help="of the pilots (all)")
    add("--part", metavar="N", type=count, default=20, help="generations of a third (%(default)s)")
    add("--plan-deals", metavar="N", type=count, default=200, help="of a match in training")
    add("--population", metavar="N", type=count, default=40, help="(%(default)s)")
    add("--threads", metavar="N", type=count, help="matches at once (one per core)")
    seed_option().add_to(parser)


def run(options: Namespace) -> dict[str, Any]:
    """Train what the work folder lacks; return the curves, and what the best networks win."""
    unknown = sorted(set(options.pilots) - set(NAMES))
    if unknown:
        raise ValueError(f"no pilot is called {unknown[0]!r}; there are: {', '.join(NAMES)}")
    chosen = {
        name: [one for one in variants if one.name in (options.variants or [one.name])]
        for name, variants in pilots(options).items()
        if name in options.pilots
    }
    variants = [one.name for several in chosen.values() for one in several]
    unknown = sorted(set(options.variants or ()) - set(variants))
    if unknown:
        raise ValueError(f"no variant of these pilots is called {unknown[0]!r}")
    measured: dict[EvolutionPlan, dict[str, Any]] = {}
    return {
        "deals": options.deals,
        "seed": options.seed,
        "pilots": {
            name: _results(name, variants, options, measured) for name, variants in chosen.items()
        },
    }


def _results(
    pilot: str,
    variants: Sequence[PilotVariant],
    options: Namespace,
    measured: dict[EvolutionPlan, dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return the results of a pilot; those in `measured` by their plans are not trained again."""
    results = []
    for variant in variants:
        for seed in dict.fromkeys(options.seeds):
            name = f"{pilot}, {variant.name}, seed {seed}"
            folder = options.work / pilot / f"{variant.name.replace(' ', '-')}-seed{seed}"
            run = VariantRun(variant, seed, folder)
            if run.plan not in measured:
                said = partial(_tell, name, RateLimiter())
                command = f"make study astar-pilots {pilot}"
                if not train_variant(run, command, options.threads, said):
                    raise KeyboardInterrupt
                measured[run.plan] = measure_variant(run, options)
                tell(f"{name}: trained and measured")
            results.append({**measured[run.plan], "variant": variant.name})
    return results


def _tell(name: str, said: RateLimiter, run: EvolutionRun) -> None:
    evolution = run.evolution
    said(lambda: f"{name}: generation {evolution.generation} of {evolution.plan.generations}")


class PilotVariant(NamedTuple):
    """One of the evolutions of a pilot."""

    name: str
    plan: EvolutionPlan
    resets: int = GAME_ANEW
    """Which stacks begin each hand anew, see `agents.recurrent.shape`."""


def curriculum(name: str, part: int, deals: int) -> tuple[Stage, ...]:
    """Return the stages of S1, S2, S3 or S4, of three parts.

    Source: Zhang et al., named in `agents.astar`, whose parts have 100 generations.
    """
    simple, complex_, everybody = (
        Stage(part, opponents, deals) for opponents in (SIMPLE, COMPLEX, COUNTERED_OPPONENTS)
    )
    if name == "S1":
        return (everybody._replace(generations=3 * part),)
    if name == "S2":
        return (simple, complex_._replace(generations=2 * part))
    if name == "S3":
        return (simple, everybody._replace(generations=2 * part))
    if name == "S4":
        return (simple, complex_, everybody)
    raise ValueError(f"curriculum {name!r}: want S1, S2, S3 or S4")


def network_shape(
    head: tuple[int, ...] = (50, 50),
    opponent: tuple[int, int, int] = (1, 1, 10),
    game: tuple[int, int, int] = (1, 10, 5),
) -> NetShape:
    """Return the shape of a network: widths; layers, blocks and cells of both stacks."""
    return NetShape(
        Stack(*opponent),
        Stack(*game),
        head,
        ASTAR.opponent_inputs,
        ASTAR.game_inputs,
        ASTAR.outputs,
        ASTAR.activation,
    )


def small_plan(options: Namespace) -> EvolutionPlan:
    """Return the plan that each pilot changes one thing of."""
    return EvolutionPlan(
        shape=network_shape(),
        stages=curriculum("S4", options.part, options.plan_deals),
        population=options.population,
        founders=5 * options.population,
        breeding=BREEDING,
    )


def pilots(options: Namespace) -> dict[str, tuple[PilotVariant, ...]]:
    """Return all of them: evolutions that differ in one thing."""
    small, part, deals = small_plan(options), options.part, options.plan_deals
    return {
        "stacks": (
            PilotVariant("as shipped", small),
            PilotVariant("both anew", small, GAME_ANEW | OPPONENT_ANEW),
            PilotVariant("none anew", small, 0),
            PilotVariant("opponent anew", small, OPPONENT_ANEW),
            PilotVariant("game 1 x 10", replace(small, shape=network_shape(game=(1, 1, 10)))),
            PilotVariant("game 2 layers", replace(small, shape=network_shape(game=(2, 10, 5)))),
            PilotVariant(
                "opponent 10 x 5", replace(small, shape=network_shape(opponent=(1, 10, 5)))
            ),
        ),
        "curricula": tuple(
            PilotVariant(name, replace(small, stages=curriculum(name, part, deals)))
            for name in ("S1", "S2", "S3", "S4")
        ),
        "widths": tuple(
            PilotVariant(str(width), replace(small, shape=network_shape((width, width))))
            for width in WIDTHS
        ),
        "survival": tuple(
            PilotVariant(f"{share:g}", replace(small, breeding=replace(BREEDING, survival=share)))
            for share in SURVIVALS
        ),
        "budgets": tuple(
            PilotVariant(
                f"{float(times * times):g} x",
                replace(
                    small,
                    stages=curriculum("S4", *(max(int(times * n), 1) for n in (part, deals))),
                ),
            )
            for times in (0.25, 0.5, 1, 2)
        ),
    }


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


def train_variant(
    run: VariantRun, command: str, threads: int | None, told: Callable[[EvolutionRun], None]
) -> bool:
    """Train a variant if it is not yet trained; return False if a signal came before.

    Raises:
        OSError: the folder cannot be written.
        TrainingError: another training uses the folder, or its checkpoint is damaged.
    """
    if run.network.exists():
        return True
    plan = run.plan
    with alone_in(run.folder, (CHECKPOINT, METRICS, PICTURE, run.network.name)):
        evolution = EvolutionRun(
            run.folder,
            plan,
            load_builtin(GAME),
            lambda genome, seed: ASTAR.policy(plan.shape, genome, plan.resets, seed),
            resume=(run.folder / CHECKPOINT).exists(),
        )
        evolution.commands.append(command)
        best = evolve(evolution, threads, told)
        if best is None:
            return False
        genome, facts = best
        EvolvedNetwork(ASTAR.name, plan.shape, plan.resets, genome, facts).save(run.network)
        return True


def measure_variant(run: VariantRun, options: Namespace) -> dict[str, Any]:
    """Return the curve of a run, and what its best network wins from all known opponents.

    Raises:
        NetworkDamaged: its file is missing or damaged.
        OSError: its metrics cannot be read.
        TrainingError: it is of another plan, or its metrics are damaged.
    """
    network, game = EvolvedNetwork.load(run.network, ASTAR), load_builtin(GAME)
    if network.facts.get("plan") != json.loads(json.dumps(run.plan.facts())):
        raise TrainingError(f"{run.network} was evolved by another plan; delete its folder")
    path = run.folder / METRICS
    try:
        history = [json_document(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if [one["generation"] for one in history] != list(range(run.plan.generations)):
            raise ValueError("not a line for each generation")
    except (LookupError, TypeError, ValueError) as error:
        raise TrainingError(f"{path} is damaged: {error}") from error
    seed = options.seed
    player = ASTAR.policy(network.shape, network.genome, network.resets, seed)
    pairs = [
        (player, find_agent(name).compiled_policy(game, seed + 1)) for name in COUNTERED_OPPONENTS
    ]
    results = play_matches(
        game, pairs, options.deals, seed, duplicate=True, threads=options.threads
    )
    rates = [
        win_rate(samples_of(one.won, 1), game.big_blind, hands_per_sample=2) for one in results
    ]
    return {
        "variant": run.variant.name,
        "seed": run.seed,
        "fitness": [round(one["mean_fitness"], 4) for one in history],
        "won": {
            name: {"mbb_per_hand": round(rate.mbb_per_hand, 1), "ci95": finite(rate.ci95, 1)}
            for name, rate in zip(COUNTERED_OPPONENTS, rates, strict=True)
        },
        "training_hands": 2 * run.plan.deals,
        "seconds": float(network.facts["seconds"]),
    }
