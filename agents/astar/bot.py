"""The evolved players at the table and in bulk matches, by variant."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.astar.ensemble.policy import BY_STREET, Blending
from agents.astar.ensemble_models import (
    KNOWN_LIBRARY,
    MODELS,
    WIDE_LIBRARY,
    ensemble_of,
    load_models,
    load_network,
    usual_library,
)
from agents.astar.family import policy_of
from agents.astar.options import AVERAGE, EIGHT, SIMILAR, STREET, SURE, WHOLE, AstarOptions
from agents.compiled.policy_bot import PolicyBot
from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from engine.play.compiled_match import check_bulk_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

VARIANTS: Final = {
    WHOLE: (Blending(doubt=0.05, patience=1.0, prior=4.0), WIDE_LIBRARY),
    SURE: (Blending(confidence=0), WIDE_LIBRARY),
    EIGHT: (Blending(), KNOWN_LIBRARY),
    STREET: (BY_STREET, KNOWN_LIBRARY),
    SIMILAR: (replace(BY_STREET, confidence=0), KNOWN_LIBRARY),
    AVERAGE: (Blending(alike=True), KNOWN_LIBRARY),
}
"""Variant -> how it blends, and its library; the others are single networks.  Doubt, patience and
prior: docs/evolved.md."""

_WHOLE_NUMBERS: Final = ("confidence", "carry")
_OPTIONS_OF_FILES: Final = ("variant", "models", "library")


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


def astar_bot(variant: str = WHOLE, **options: Any) -> PolicyBot:
    """Return a bot for options of the command line, see `AstarOptions`; None and "" for defaults.

    Raises:
        ValueError: an option is out of range.
        AgentError: a file is missing or damaged.
    """
    return PolicyBot(_seated(AstarOptions(variant, **options)))


def astar_policy(game: GameDef, seed: int, variant: str = WHOLE, **options: Any) -> CompiledPolicy:
    """Return the player of a bulk match; as `astar_bot`, and GameNotPlayed for other games."""
    return _seated(AstarOptions(variant, **options))(game, seed)


def counter_bot(opponent: str) -> PolicyBot:
    """Return the counter-strategy to a known opponent, as a bot.

    Raises:
        AgentError: its file is missing or damaged.
    """
    load_network(opponent, MODELS)
    return PolicyBot(partial(variant_policy, variant=opponent))


def counter_policy(game: GameDef, seed: int, opponent: str) -> CompiledPolicy:
    """Return the same for a bulk match; raises as `variant_policy`."""
    return variant_policy(game, seed, opponent)


def _seated(options: AstarOptions) -> Callable[[GameDef, int], CompiledPolicy]:
    """Return a function from the game and the seed of a match to the player."""
    folder = Path(options.models) if options.models else MODELS
    if options.variant not in VARIANTS:
        load_network(options.variant, folder)
        return partial(variant_policy, variant=options.variant, folder=folder)
    usual, name = VARIANTS[options.variant]
    given: dict[str, Any] = {
        field: int(value) if field in _WHOLE_NUMBERS else value
        for field, value in asdict(options).items()
        if field not in _OPTIONS_OF_FILES and value not in (None, "")
    }
    library = options.library or usual_library(folder, name)
    load_models(folder, library)
    return partial(
        variant_policy,
        variant=options.variant,
        blending=replace(usual, **given),
        folder=folder,
        library=library,
    )
