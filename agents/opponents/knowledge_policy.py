"""The knowledge bots as compiled policies, for bulk matches and for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.opponents.knowledge_characters import character_row
from agents.opponents.knowledge_kernels import PARAMS, decide, finish, observe
from agents.opponents.knowledge_opponent import MEMORY
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

FAMILY: Final = Family("knowledge", decide, observe, finish, PARAMS, MEMORY)


def knowledge_policy(character: str, game: GameDef, seed: int = 0) -> CompiledPolicy:
    """Return a knowledge bot for heads-up hold'em, limit or no-limit.

    Raises:
        ValueError: no character is called so.
    """
    return CompiledPolicy(FAMILY, character_row(character, no_limit=game.no_limit), seed)
