"""The models that come along, one for each game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from agents.errors import GameNotPlayed
from agents.recognition import describe
from protocol.gamedef import GameDef
from protocol.gamedefs import load_builtin

MODELS: Final = Path(__file__).with_name("models")
SHIPPED: Final = {"leduc": "leduc", "hulhe": "hulhe", "hunl": "hunl"}
"""Built-in game -> stem of its model's file."""
SUFFIX: Final = ".blueprint"


def shipped_model(game: GameDef) -> Path:
    """Return the file of the model that plays a game.

    Raises:
        GameNotPlayed: there is none.
    """
    for name, stem in SHIPPED.items():
        if game == load_builtin(name):
            return MODELS / f"{stem}{SUFFIX}"
    raise GameNotPlayed(f"no blueprint has been trained for {describe(game)}")


def is_played(game: GameDef) -> bool:
    """Return whether a model for the game comes along."""
    return any(game == load_builtin(name) for name in SHIPPED)
