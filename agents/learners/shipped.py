"""The learned policies that come along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

MODELS: Final = Path(__file__).with_name("models")
LEARNED_GAMES: Final = ("kuhn", "leduc")
LEARNED_BY: Final = ("nfsp", "mmd")


def learned_file(algorithm: str, game: str) -> Path:
    """Return the file of a shipped model."""
    return MODELS / f"{algorithm}-{game}.learned"


def learned_for(algorithm: str, game: GameDef) -> Path:
    """Return the file of the model that plays a game.

    Raises:
        GameNotPlayed: there is none.
    """
    for name in LEARNED_GAMES:
        if load_builtin(name) == game:
            return learned_file(algorithm, name)
    raise GameNotPlayed(why_not_learned(game))


def is_learned(game: GameDef) -> bool:
    """Return whether models that come along play a game."""
    return any(load_builtin(name) == game for name in LEARNED_GAMES)


def why_not_learned(game: GameDef) -> str:
    """Return in a line why no model plays a game, "" where some do."""
    if is_learned(game):
        return ""
    return (
        f"nothing that was learned comes along for {describe(game)}; for a small limit game "
        "`arena train mmd` makes it, and --model plays it"
    )
