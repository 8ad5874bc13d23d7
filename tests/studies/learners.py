"""How exploitable learners are after so many decisions: neural fictitious self-play in both
accounts, policy gradients, single deep CFR, and external-sampling CFR by a table.

    make study NAME="learners --game leduc --steps 1000000 --seeds 5"

Each learner learns by itself, with the settings of `arena train`, on one thread; its run lies in
the work folder, from where it is resumed.  Seconds are those of the processor.  A seed of Leduc
takes two minutes for a million decisions.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Final

from agents.learners.configuration import (
    MMD,
    PPO,
    LearnerConfig,
    NfspSettings,
    SampledCfrSettings,
    Settings,
)
from engine.console.arguments import count, load_game
from tests.studies.frame import finite

LEARNERS: Final[dict[str, Settings]] = {
    "nfsp": NfspSettings(),
    "nfsp-alternating": NfspSettings(alternating=50_000),
    "ppo": PPO,
    "mmd": MMD,
    "sdcfr": SampledCfrSettings(),
    "escfr": SampledCfrSettings(tabular=True, traversals=10, reservoir=1),
}
SMALL: Final = {"game": "kuhn", "steps": 2000, "seeds": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add the game, the learners, and how much they learn."""
    parser.add_argument("--game", default="leduc", help="a small limit game")
    parser.add_argument("--steps", type=count, default=1_000_000, help="decisions")
    parser.add_argument("--seeds", type=count, default=5, help="runs of each learner")
    parser.add_argument("--first", type=count, default=1, help="the first seed")
    parser.add_argument("--learners", default=",".join(LEARNERS), help="some of them, by commas")


def result_name(options: Namespace) -> str:
    """Return the file in docs/data."""
    return f"learners-{options.game}-{options.steps}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return the curves of all runs."""
    names = options.learners.split(",")
    if unknown := [name for name in names if name not in LEARNERS]:
        raise ValueError(f"--learners {unknown[0]}: there are {', '.join(LEARNERS)}")
    runs = [
        learned(options, name, seed)
        for seed in range(options.first, options.first + options.seeds)
        for name in names
    ]
    return {"game": options.game, "steps": options.steps, "runs": runs}


def learned(options: Namespace, name: str, seed: int) -> dict[str, Any]:
    """Return the curve of a run, begun or resumed in its folder."""
    from agents.learners.train.learner_run import LearnerRun

    folder = options.work / f"{options.game}-{options.steps}-{name}-{seed}"
    game = load_game(options.game)
    config = LearnerConfig(name, options.game, game, seed, options.steps, LEARNERS[name])
    learner = LearnerRun(folder, config, resume=(folder / "checkpoint").exists())
    while not learner.over:
        learner.learn(60.0, lambda: None, lambda: False, time.process_time)
        learner.save()
    return {
        "learner": name,
        "seed": seed,
        "seconds": finite(learner.seconds, 1),
        "curve": [[decisions, finite(value, 5)] for decisions, value in learner.curve],
    }
