"""The bots of the pool as compiled policies for bulk matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.opponents.laws import MEMORY, PARAMS, decide, finish, observe
from agents.roster.characters import ScriptedProfile, find_character, parameters
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

FAMILY: Final = Family("pool", decide, observe, finish, PARAMS, MEMORY)


def pool_policy(character: ScriptedProfile | str, game: GameDef, seed: int = 0) -> CompiledPolicy:
    """Return a bot of the pool, or any other character of its laws, for `game`.

    Raises:
        GameNotPlayed: the game is not heads-up hold'em.
        ValueError: no bot of the pool has that name.
    """
    if isinstance(character, str):
        character = find_character(character)
    return CompiledPolicy(FAMILY, parameters(character, game, seed), seed)
