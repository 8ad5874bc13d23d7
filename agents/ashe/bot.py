"""ASHE at the table and in bulk matches."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.ashe.policy import ASHE, ashe_policy
from agents.compiled.policy_bot import PolicyBot
from agents.errors import GameNotPlayed
from agents.evolution.network import EvolvedNetwork
from agents.recognition import describe
from engine.play.compiled_match import check_game

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

MODEL: Final = Path(__file__).with_name("models") / "ashe.network"


@cache
def load_model(path: Path = MODEL) -> EvolvedNetwork:
    """Return a network.

    Raises:
        NetworkDamaged: its file is missing or damaged, or of another family.
    """
    return EvolvedNetwork.load(path, ASHE)


def policy_for(game: GameDef, seed: int, path: Path = MODEL) -> CompiledPolicy:
    """Return a player.

    Raises:
        AgentError: the file is missing or damaged, or the game is not no-limit hold'em for two.
        InvalidGame: the game is no hold'em for two.
    """
    check_game(game)
    if not game.no_limit:
        raise GameNotPlayed(f"ashe plays no-limit hold'em for two, not {describe(game)}")
    network = load_model(path)
    return ashe_policy(network.shape, network.genome, network.resets, seed)


def ashe_bot(model: str | None = None) -> PolicyBot:
    """Return a bot for options of the command line; None and "" for the defaults.

    Raises:
        AgentError: the file is missing or damaged.
    """
    path = Path(model) if model else MODEL
    load_model(path)
    return PolicyBot(partial(policy_for, path=path))
