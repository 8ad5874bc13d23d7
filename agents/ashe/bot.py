"""ASHE at the table and in bulk matches."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.ashe.policy import ASHE
from agents.compiled.policy_bot import PolicyBot
from agents.errors import GameNotPlayed
from agents.evolution.network import EvolvedNetwork
from agents.lookahead.policy import LOOKAHEAD
from agents.seat.game_validator import describe
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

MODELS: Final = Path(__file__).with_name("models")
MODEL: Final = MODELS / "ashe.network"
SECOND_MODEL: Final = MODELS / "ashe-2.network"
FAMILY_AND_MODEL: Final = {ASHE.name: (ASHE, MODEL), LOOKAHEAD.name: (LOOKAHEAD, SECOND_MODEL)}


@cache
def load_model(path: Path = MODEL, version: str = ASHE.name) -> EvolvedNetwork:
    """Return a network of one of FAMILIES.

    Raises:
        NetworkDamaged: its file is missing or damaged, or of another family.
    """
    family, _ = FAMILY_AND_MODEL[version]
    return EvolvedNetwork.load(path, family)


def policy_for(
    game: GameDef, seed: int, model: Path | str | None = None, version: str = ASHE.name
) -> CompiledPolicy:
    """Return a player.

    Args:
        game: no-limit hold'em for two.
        model: file of its network, if not the shipped one.

    Raises:
        AgentError: the file is missing or damaged, or the game is not no-limit hold'em for two.
        InvalidGame: the game is no hold'em for two.
    """
    check_bulk_game(game)
    if not game.no_limit or not max(game.blinds):
        raise GameNotPlayed(f"{version} plays no-limit hold'em for two, not {describe(game)}")
    family, shipped = FAMILY_AND_MODEL[version]
    network = load_model(Path(model) if model else shipped, version)
    policy: CompiledPolicy = family.policy(network.shape, network.genome, network.resets, seed)
    return policy


def ashe_bot(model: str | None = None, version: str = ASHE.name) -> PolicyBot:
    """Return a bot for options of the command line; None and "" for the defaults.

    Raises:
        AgentError: the file is missing or damaged.
    """
    path = Path(model) if model else FAMILY_AND_MODEL[version][1]
    load_model(path, version)
    return PolicyBot(partial(policy_for, model=path, version=version))
