"""The evolved players at the table and in bulk matches, by variant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.astar.ensemble.policy import BY_STREET, Blending
from agents.astar.family import policy_of
from agents.astar.models import (
    KNOWN,
    MODELS,
    WIDE,
    ensemble_of,
    load_models,
    load_network,
    usual_library,
)
from agents.compiled.policy_bot import PolicyBot
from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

WHOLE: Final = "whole"
SURE: Final = "sure"
EIGHT: Final = "eight"
STREET: Final = "street"
SIMILAR: Final = "similar"
AVERAGE: Final = "average"
VARIANTS: Final = {
    WHOLE: (Blending(doubt=0.05, patience=1.0, prior=4.0), WIDE),
    SURE: (Blending(confidence=0), WIDE),
    EIGHT: (Blending(), KNOWN),
    STREET: (BY_STREET, KNOWN),
    SIMILAR: (replace(BY_STREET, confidence=0), KNOWN),
    AVERAGE: (Blending(alike=True), KNOWN),
}
"""Ensemble -> how it blends, and its library.  The name of a known opponent, or "base", is a single
network.  Doubt, patience and prior: docs/evolved.md."""

_WHOLE_NUMBERS: Final = ("confidence", "carry")


def variant_policy(
    game: GameDef,
    seed: int,
    variant: str = WHOLE,
    blending: Blending | None = None,
    folder: Path = MODELS,
    library: str | None = None,
) -> CompiledPolicy:
    """Return a player.

    Args:
        game: heads-up no-limit hold'em.
        variant: one of VARIANTS, or the name of a network of the folder.
        blending: None: that of the variant.
        folder: of the networks and the libraries.
        library: its name; None: that of the variant.

    Raises:
        GameNotPlayed: the game is something else.
        AgentError: a file is missing or damaged.
    """
    check_bulk_game(game)
    if not game.no_limit or not max(game.blinds):
        raise GameNotPlayed(f"astar plays no-limit hold'em for two, not {describe(game)}")
    if variant not in VARIANTS:
        return policy_of(load_network(variant, folder), seed)
    usual, name = VARIANTS[variant]
    models = load_models(folder, library or name)
    return ensemble_of(models, blending or usual, seed)


def astar_bot(
    variant: str = WHOLE,
    models: str | None = None,
    library: str | None = None,
    **settings: float | str | None,
) -> PolicyBot:
    """Return a bot for options of the command line; None and "" for the defaults.

    Args:
        variant: one of VARIANTS, or the name of a network of the folder.
        models: folder of the networks and the libraries.
        library: its name.
        settings: fields of `Blending`.

    Raises:
        ValueError: an option is out of range.
        AgentError: a file is missing or damaged.
    """
    folder = Path(models) if models else MODELS
    if variant not in VARIANTS:
        load_network(variant, folder)
        return PolicyBot(partial(variant_policy, variant=variant, folder=folder))
    usual, name = VARIANTS[variant]
    given: dict[str, Any] = {
        field: _whole(field, value) if field in _WHOLE_NUMBERS else value
        for field, value in settings.items()
        if value not in (None, "")
    }
    blending = replace(usual, **given)
    name = library or usual_library(folder, name)
    load_models(folder, name)
    return PolicyBot(
        partial(
            variant_policy,
            variant=variant,
            blending=blending,
            folder=folder,
            library=name,
        )
    )


def _whole(name: str, value: Any) -> int:
    if not float(value).is_integer():
        raise ValueError(f"{name} {value:g}: want a whole number")
    return int(value)
