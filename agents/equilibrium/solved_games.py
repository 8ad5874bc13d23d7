"""The solved games that come along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

MODELS: Final = Path(__file__).with_name("models")
SHIPPED_GAMES: Final = ("kuhn", "kuhn3", "leduc", "leduc3", "fixed-queen")
SUFFIX: Final = ".equilibrium"


def solved_file(name: str) -> Path:
    """Return the file of a shipped model."""
    return MODELS / f"{name}{SUFFIX}"


def shipped_for(game: GameDef) -> Path:
    """Return the file of the model that plays a game.

    Raises:
        GameNotPlayed: there is none.
    """
    for name in SHIPPED_GAMES:
        if load_builtin(name) == game:
            return solved_file(name)
    raise GameNotPlayed(why_not_solved(game))


def is_solved(game: GameDef) -> bool:
    """Return whether a model that comes along plays a game."""
    return any(load_builtin(name) == game for name in SHIPPED_GAMES)


def why_not_solved(game: GameDef) -> str:
    """Return in a line why no model plays a game, "" where one does."""
    if is_solved(game):
        return ""
    return (
        f"no equilibrium comes along for {describe(game)}; for a small game "
        "`arena train equilibrium` makes one, and --model plays it"
    )
