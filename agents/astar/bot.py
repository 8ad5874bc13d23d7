"""The evolved players at the table and in bulk matches, by variant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.astar.ensemble.policy import Blending, ensemble_policy
from agents.astar.models import BASE, KNOWN, MODELS, load_models, load_network
from agents.astar.play.policy import evolved_policy
from agents.compiled.policy_bot import PolicyBot
from agents.errors import GameNotPlayed
from agents.recognition import describe
from engine.play.compiled_match import check_game

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

WHOLE: Final = "whole"
SIMILAR: Final = "similar"
STREET: Final = "street"
AVERAGE: Final = "average"
VARIANTS: Final = {
    WHOLE: "blends the counter-strategies by likeness; where unsure, plays the base strategy",
    SIMILAR: "the same, but sure of itself from the first hand",
    STREET: "the same, but by the likeness of the street alone, as in the article",
    AVERAGE: "counts all counter-strategies the same",
    BASE: "the base strategy alone",
}
"""Variant -> how it plays; the name of a known opponent is another, the counter to it alone."""


def variant_policy(
    game: GameDef,
    seed: int,
    variant: str = WHOLE,
    blending: Blending | None = None,
    folder: Path = MODELS,
    library: str = KNOWN,
) -> CompiledPolicy:
    """Return a player.

    Args:
        game: no-limit hold'em for two.
        seed: of its draws.
        variant: one of VARIANTS, or the name of a known opponent.
        blending: of the whole, if not the default.
        folder: of the networks and the library.
        library: its name, if the folder has several.

    Raises:
        GameNotPlayed: the game is something else.
        AgentError: a file is missing or damaged.
    """
    check_game(game)
    if not game.no_limit:
        raise GameNotPlayed(f"astar plays no-limit hold'em for two, not {describe(game)}")
    if variant not in VARIANTS or variant == BASE:
        network = load_network(variant, folder)
        return evolved_policy(network.shape, network.genome, network.resets, seed)
    chosen = blending or Blending()
    if variant == SIMILAR:
        chosen = replace(chosen, confidence=0, doubt=0.0)
    elif variant == STREET:
        chosen = replace(chosen, carry=0, doubt=0.0)
    elif variant == AVERAGE:
        chosen = Blending(alike=True)
    models = load_models(folder, library)
    return ensemble_policy(
        models.shape, models.genomes, models.library, models.resets, chosen, seed
    )


def astar_bot(
    variant: str = WHOLE,
    models: str | None = None,
    library: str | None = None,
    form: str | None = None,
    sharpness: float | None = None,
    confidence: float | None = None,
    half_life: float | None = None,
    carry: float | None = None,
    doubt: float | None = None,
) -> PolicyBot:
    """Return a bot for options of the command line; None and "" for the defaults.

    Raises:
        ValueError: an option is out of range.
        AgentError: a file is missing or damaged.
    """
    folder, library = Path(models) if models else MODELS, library or KNOWN
    default = Blending()
    blending = Blending(
        form or default.form,
        default.sharpness if sharpness is None else sharpness,
        default.confidence if confidence is None else _whole("confidence", confidence),
        default.half_life if half_life is None else half_life,
        default.carry if carry is None else _whole("carry", carry),
        default.doubt if doubt is None else doubt,
    )
    if variant not in VARIANTS or variant == BASE:
        load_network(variant, folder)
    else:
        load_models(folder, library)
    return PolicyBot(
        partial(variant_policy, variant=variant, blending=blending, folder=folder, library=library)
    )


def _whole(name: str, value: float) -> int:
    if not float(value).is_integer():
        raise ValueError(f"{name} {value:g}: want a whole number")
    return int(value)
