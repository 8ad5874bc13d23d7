"""The command that trains a toy policy.

    python -m agents.bridges.train --game leduc --against always-call --seed 1 --out toy.network

Half a minute on one core, reproducible with the seed; so the shipped policy was made.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import AgentError
from agents.training.requirements import need_torch
from engine.console.arguments import count, deal_seed, load_game
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.parser import OneLineParser

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = OneLineParser(
        prog="python -m agents.bridges.train",
        description="Train a toy policy by PPO against a bot, in our Gymnasium environment.",
    )
    parser.add_argument("--game", type=load_game, default="leduc", help="a game for two (leduc)")
    parser.add_argument(
        "--against", metavar="BOT", default="always-call", help="opponent (always-call)"
    )
    parser.add_argument("--steps", type=count, default=150_000, help="decisions (150000)")
    parser.add_argument("--seed", type=deal_seed, default=1, help="of all random choices (1)")
    parser.add_argument("--out", type=Path, required=True, help="file of the policy")
    options = parser.parse_args(argv)

    def told(steps: int, won: float) -> None:
        tell(f"{steps} decisions: {won:+.2f} big blinds a hand")

    try:
        need_torch("training")
        import torch

        from agents.bridges.train.ppo import train_ppo
        from agents.training.actor_critic import PpoSettings

        torch.set_num_threads(1)
        settings = PpoSettings(options.steps, options.seed)
        train_ppo(options.game, options.against, settings, told).save(options.out)
    except (AgentError, OSError, ValueError) as error:
        tell(f"{parser.prog}: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
