"""The shipped models, and which of them plays a game.

Leduc hold'em is played as it is built in.  Heads-up hold'em is played with any chips: limit with
any stacks, no-limit at `LEAST_DEPTH` to `MOST_DEPTH` big blinds.  Of the no-limit models the
deepest is taken that is at most `MOST_DEEPER` times as deep as the stacks: a much deeper one folds
too much to an all-in.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from agents.errors import GameNotPlayed
from agents.seat.game_validator import describe
from protocol.gamedef import GameDef
from protocol.gamedefs import load_builtin

MODELS: Final = Path(__file__).with_name("models")
SUFFIX: Final = ".blueprint"
BIG_BLINDS_OF_STEM: Final = {
    "hunl": 200,
    "hunl-100": 100,
    "hunl-50": 50,
    "hunl-33": 33,
    "hunl-20": 20,
}
"""The deepest stacks come first."""
RESPONSE: Final = "restrained-hulhe"
"""Stem of the response to `cnn` in limit hold'em."""
MOST_DEEPER: Final = 1.2
"""At 32 big blinds the model for 50, 1.56 times as deep, lost 145 mbb/h to a script."""
LEAST_DEPTH: Final = 20
MOST_DEPTH: Final = 250


def shipped_model(game: GameDef) -> Path:
    """Return the file of the model that plays a game.

    Raises:
        GameNotPlayed: there is none; the message says which part of the game does not fit.
    """
    if why := why_not_played(game):
        raise GameNotPlayed(why)
    if not game.is_holdem:
        return model_file("leduc")
    if not game.no_limit:
        return model_file("hulhe")
    depth = _depth(game)
    return model_file(
        next(
            stem
            for stem, depth_of_stem in BIG_BLINDS_OF_STEM.items()
            if depth_of_stem <= MOST_DEEPER * depth
        )
    )


def restrained_model(game: GameDef) -> Path:
    """Return the file of the response that plays a game.

    Raises:
        GameNotPlayed: there is none.
    """
    if why := why_not_restrained(game):
        raise GameNotPlayed(why)
    return model_file(RESPONSE)


def is_restrained(game: GameDef) -> bool:
    """Return whether a response that comes along plays a game."""
    return not why_not_restrained(game)


def why_not_restrained(game: GameDef) -> str:
    """Return in a line why no response plays a game, "" where one does."""
    if not game.is_holdem or game.players != 2 or game.no_limit:
        return (
            f"restrained comes with a model for limit hold'em for two, not for {describe(game)}; "
            "--model names one of arena train blueprint --respond-to"
        )
    return _misfit(game)


def model_file(stem: str) -> Path:
    """Return the file of a shipped model."""
    return MODELS / f"{stem}{SUFFIX}"


def named_model(name: str) -> Path:
    """Return the file of a model that a user names.

    Raises:
        ValueError: there is none, or it is a folder.
    """
    if os.path.isdir(name):
        raise ValueError(f"model {name}: is a folder, want its file")
    if not os.path.exists(name):
        raise ValueError(f"model {name}: there is no such file")
    return Path(name)


def is_played(game: GameDef) -> bool:
    """Return whether a model that comes along plays a game."""
    return not why_not_played(game)


def is_played_holdem(game: GameDef) -> bool:
    """Return whether a model that comes along plays a game, and the game is hold'em for two."""
    return not why_not_played_holdem(game)


def why_not_played_holdem(game: GameDef) -> str:
    """Return in a line why a game is no hold'em for two that a model plays, "" where it is."""
    if not game.is_holdem or game.players != 2:
        return f"libratus searches hold'em for two, not {describe(game)}"
    why = why_not_played(game)
    return f"libratus needs a blueprint, and {why}" if why else ""


def why_not_played(game: GameDef) -> str:
    """Return in a line why no model plays a game, "" where one does."""
    if game == load_builtin("leduc"):
        return ""
    if not game.is_holdem or game.players != 2:
        return f"no blueprint has been trained for {describe(game)}"
    return _misfit(game)


def check_model_game(path: Path, abstract: GameDef, game: GameDef) -> None:
    """Check that a model plays a game: its own, or heads-up hold'em of the same kind.

    Args:
        path: the model's file, for messages.
        abstract: the game that it was trained for.
        game: the one to be played.

    Raises:
        GameNotPlayed: it does not play that.
    """
    if game == abstract:
        return
    alike = (
        abstract.is_holdem
        and game.is_holdem
        and game.players == abstract.players == 2
        and game.no_limit == abstract.no_limit
    )
    if not alike:
        raise GameNotPlayed(f"{path} plays {describe(abstract)}, not {describe(game)}")
    if why := _misfit(game):
        raise GameNotPlayed(why)


def _misfit(game: GameDef) -> str:
    """Return in a line why blueprints do not play a game of heads-up hold'em, "" where they do."""
    big, first = game.big_blind, game.first_positions
    if sorted(game.blinds) != [big // 2, big] or big % 2:
        return f"blueprint plays blinds of 1 to 2, this game has {_listed(game.blinds)}"
    button = game.blinds.index(big // 2)
    if first != (button, *(1 - button,) * 3):
        return (
            "blueprint plays with the small blind first before the flop and last after it; "
            "this game asks others first"
        )
    if min(game.max_raises) < 1:
        return "blueprint plays with raises on every street, this game has none on some"
    if not game.no_limit:
        if game.raise_sizes != (big, big, 2 * big, 2 * big):
            return (
                "blueprint plays limit raises of 1, 1, 2, 2 big blinds, "
                f"this game has {_listed(game.raise_sizes)} chips and a big blind of {big}"
            )
        return ""
    depth = _depth(game)
    if not LEAST_DEPTH <= depth <= MOST_DEPTH:
        return (
            f"blueprint plays {LEAST_DEPTH} to {MOST_DEPTH} big blinds, this game has {depth:.6g}"
        )
    return ""


def _depth(game: GameDef) -> float:
    """Return the effective stack, big blinds."""
    return min(game.stacks) / game.big_blind


def _listed(chips: tuple[int, ...]) -> str:
    return "/".join(map(str, chips))
