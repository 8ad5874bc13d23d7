"""The command that trains a toy policy.

    python -m agents.bridges.train --game leduc --against always-call --seed 1 --out toy.network

Half a minute on one core, reproducible with the seed; so the shipped policy was made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agents.training.requirements import need_torch
from engine.console.arguments import count, deal_seed, load_game
from engine.console.command import Command, Option, WrongArguments
from engine.console.output import tell


def _train(options: argparse.Namespace) -> int:
    def told(steps: int, won: float) -> None:
        tell(f"{steps} decisions: {won:+.2f} big blinds a hand")

    need_torch("training")
    import torch

    from agents.bridges.train.ppo import train_ppo
    from agents.training.actor_critic import PpoSettings

    torch.set_num_threads(1)
    settings = PpoSettings(options.steps, options.seed)
    try:
        train_ppo(options.game, options.against, settings, told).save(options.out)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    return 0


main = Command(
    "python -m agents.bridges.train",
    _train,
    "Train a toy policy by PPO against a bot, in our Gymnasium environment.",
    (
        Option("--game NAME|FILE", "a game for two (leduc)", load_game, "leduc"),
        Option("--against BOT", "opponent (always-call)", default="always-call"),
        Option("--steps N", "decisions (150000)", count, 150_000),
        Option("--seed N", "of all random choices (1)", deal_seed, 1),
        Option("--out FILE", "file of the policy", Path, required=True),
    ),
    prints=False,
).main

if __name__ == "__main__":
    sys.exit(main())
