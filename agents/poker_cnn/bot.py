"""Poker-CNN at the table."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.compiled.policy_bot import PolicyBot
from agents.poker_cnn.model import SUFFIX, CnnModel
from agents.poker_cnn.options import CnnOptions
from agents.poker_cnn.policy import cnn_policy
from agents.poker_cnn.search_bot import SearchingCnn
from agents.poker_cnn.shape import VALUE
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.bot import Bot
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

MODELS: Final = Path(__file__).with_name("models")
SHIPPED_NETWORK: Final = "cnn"
NETWORKS_OF_LIMIT: Final = {"cnn": "cnn-limit"}
"""Networks that were trained on limit games, and play those in the place of others."""


@cache
def load_model(path: Path) -> CnnModel:
    """Return a network.

    Raises:
        CnnModelDamaged: its file is missing or damaged.
    """
    return CnnModel.load(path)


def shipped_file(network: str, game: GameDef) -> Path:
    """Return the file of a shipped network, for limit games that of another where there is one."""
    name = network if game.no_limit else NETWORKS_OF_LIMIT.get(network, network)
    return MODELS / f"{name}{SUFFIX}"


def network_for(game: GameDef, model: str | None, network: str = SHIPPED_NETWORK) -> CnnModel:
    """Return the network of a file, or a shipped one where none is named.

    Raises:
        CnnModelDamaged: the file is missing or damaged.
    """
    return load_model(Path(model) if model else shipped_file(network, game))


def policy_for(
    game: GameDef,
    seed: int,
    model: str | None = None,
    *,
    network: str = SHIPPED_NETWORK,
    **options: float,
) -> CompiledPolicy:
    """Return a player of heads-up hold'em that does not search; see `CnnOptions`.

    Args:
        network: name of a shipped one, where no file is named.

    Raises:
        AgentError: the file is missing or damaged.
        InvalidGame: the game is not heads-up hold'em.
        ValueError: an option cannot be.
    """
    check_bulk_game(game)
    chosen = CnnOptions(model, **options)
    cnn = network_for(game, model, network)
    return cnn_policy(
        cnn.weights,
        greedy=cnn.reading == VALUE if chosen.greedy is None else bool(chosen.greedy),
        sized=chosen.sized != 0,
        sharpness=1.0 if chosen.sharpness is None else chosen.sharpness,
        seed=seed,
    )


def cnn_bot(model: str | None = None, *, network: str = SHIPPED_NETWORK, **options: Any) -> Bot:
    """Return a bot for options of the command line, see `policy_for`.

    Raises:
        AgentError: the file is missing or damaged.
        ValueError: an option cannot be.
    """
    from protocol.gamedefs import load_builtin

    seated: Callable[[GameDef, int], CompiledPolicy] = partial(
        policy_for, model=model, network=network, **options
    )
    seated(load_builtin("hunl"), 0)
    if search := options.get("search"):
        return SearchingCnn(partial(network_for, model=model, network=network), search)
    return PolicyBot(seated)
