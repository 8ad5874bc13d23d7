"""A small example: PPO learns in our Gymnasium environment to beat a bot of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agents.bridges.gymnasium_env import PokerEnv
from agents.bridges.ppo_bot import ToyPolicy
from agents.training.actor_critic import ActorCritic, Decisions, PpoSettings, update_by_ppo
from engine.play.environment import DEFAULT_RAISE_POTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.gamedef import GameDef


def train_ppo(
    game: GameDef,
    bot: str,
    settings: PpoSettings,
    on_batch: Callable[[int, float], None] = lambda steps, won: None,
) -> ToyPolicy:
    """Learn to play a game for two against a bot.

    Args:
        bot: as `arena agent` takes it.
        on_batch: gets decisions made and big blinds won per hand since it was last told.

    Raises:
        AgentError: there is no such bot, or it does not play the game.
        ValueError: the game is not for two.
    """
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    env = PokerEnv(game, [bot])
    net = ActorCritic(env.episodes.table.width, env.episodes.table.actions)
    optimizer = torch.optim.Adam(net.parameters(), settings.rate)
    facts = {"against": bot, "steps": settings.steps, "seed": settings.seed}
    pots = DEFAULT_RAISE_POTS if game.no_limit else ()
    policy = ToyPolicy(game, pots, net.policy(), facts)
    shown, _ = env.reset(seed=settings.seed)
    for begun in range(0, settings.steps, settings.batch):
        size = min(settings.batch, settings.steps - begun)
        batch, shown = _play(env, policy, shown, size, rng)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - begun / settings.steps)
        update_by_ppo(net, optimizer, batch, settings, rng)
        policy = ToyPolicy(game, pots, net.policy(), facts)
        on_batch(begun + size, batch.won.sum() / max(batch.ends.sum(), 1))
    return policy


def _play(
    env: PokerEnv, policy: ToyPolicy, shown: dict[str, Any], size: int, rng: np.random.Generator
) -> tuple[Decisions, dict[str, Any]]:
    """Make so many decisions; return them, and what is seen next."""
    table = env.episodes.table
    observations = np.zeros((size, table.width), np.float32)
    masks = np.zeros((size, table.actions), np.bool_)
    taken = np.zeros(size, np.int64)
    ends = np.zeros(size, np.bool_)
    won = np.zeros(size)
    for i in range(size):
        observations[i], masks[i] = shown["observation"], shown["action_mask"]
        odds = policy.probabilities(observations[i], masks[i])
        taken[i] = rng.choice(table.actions, p=odds)
        shown, won[i], ends[i], _, _ = env.step(int(taken[i]))
        if ends[i]:
            shown, _ = env.reset()
    seen_then, mask_then, action = map(torch.from_numpy, (observations, masks, taken))
    return Decisions(seen_then, mask_then, action, ends, won), shown
