"""Poker-CNN at the table."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.compiled.policy_bot import PolicyBot
from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.policy import cnn_policy
from agents.poker_cnn.shape import VALUE
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

MODELS: Final = Path(__file__).with_name("models")
SHIPPED: Final = "cnn"
"""The network that plays where none is named."""
MOST_SHARPNESS: Final = 100.0


@cache
def load_model(path: Path) -> CnnModel:
    """Return a network.

    Raises:
        CnnModelDamaged: its file is missing or damaged.
    """
    return CnnModel.load(path)


def policy_for(
    game: GameDef,
    seed: int,
    model: str | None = None,
    greedy: float | None = None,
    sized: float | None = None,
    sharpness: float | None = None,
    network: str = SHIPPED,
) -> CompiledPolicy:
    """Return a player of heads-up hold'em.

    Args:
        model: file of its network, if not a shipped one.
        greedy: 1: takes the action of the highest score, 0: draws one; None: greedy where scores
            are values.
        sized: 0: raises the pot; 1 or None: by the network.
        sharpness: inverse temperature: scores are multiplied by it before one is drawn; None: 1.
        network: name of a shipped one, where no file is named.

    Raises:
        AgentError: the file is missing or damaged.
        InvalidGame: the game is not heads-up hold'em.
        ValueError: a switch is neither 0 nor 1, or the sharpness not above 0.
    """
    check_bulk_game(game)
    for name, value in (("greedy", greedy), ("sized", sized)):
        if value not in (None, 0, 1):
            raise ValueError(f"{name} {value}: want 0 or 1")
    if sharpness is not None and not 0 < sharpness <= MOST_SHARPNESS:
        raise ValueError(f"sharpness {sharpness}: want more than 0, {MOST_SHARPNESS:g} at most")
    found = load_model(Path(model) if model else MODELS / f"{network}.network")
    best = found.reading == VALUE if greedy is None else bool(greedy)
    return cnn_policy(
        found.weights,
        greedy=best,
        sized=sized != 0,
        sharpness=1.0 if sharpness is None else sharpness,
        seed=seed,
    )


def cnn_bot(
    model: str | None = None,
    greedy: float | None = None,
    sized: float | None = None,
    sharpness: float | None = None,
    network: str = SHIPPED,
) -> PolicyBot:
    """Return a bot for options of the command line, see `policy_for`.

    Raises:
        AgentError: the file is missing or damaged.
        ValueError: a switch is neither 0 nor 1, or the sharpness not above 0.
    """
    from protocol.gamedefs import load_builtin

    made = partial(
        policy_for,
        model=model,
        greedy=greedy,
        sized=sized,
        sharpness=sharpness,
        network=network,
    )
    made(load_builtin("hunl"), 0)
    return PolicyBot(made)
