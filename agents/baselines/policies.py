"""The strategies of bots that look at no card, for AIVAT and local best response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


@dataclass(frozen=True)
class AlwaysCallPolicy(CallPolicy):
    """What always-call does in a game."""

    game: GameDef


@dataclass(frozen=True)
class AlwaysFoldPolicy(FoldPolicy):
    """What always-fold does in a game."""

    game: GameDef


def always_call_for(game: GameDef | None) -> AlwaysCallPolicy:
    """Return the strategy of always-call; raises as `always_fold_for`."""
    return AlwaysCallPolicy(_checked(game))


def always_fold_for(game: GameDef | None) -> AlwaysFoldPolicy:
    """Return the strategy of always-fold.

    Raises:
        GameNotPlayed: the game is neither hold'em for two nor one with a single private card.
        ValueError: there is no game.
    """
    return AlwaysFoldPolicy(_checked(game))


def _checked(game: GameDef | None) -> GameDef:
    if game is None:
        raise ValueError("want a game")
    if not (game.is_holdem and game.players == 2) and game.hole_cards != 1:
        raise GameNotPlayed(
            "it tells its strategy of hold'em for two, and of games with one private card, not of "
            f"{describe(game)}"
        )
    return game
