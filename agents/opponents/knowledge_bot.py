"""The knowledge bots at the table: hold'em for two, limit and no-limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.compiled.policy_bot import PolicyBot
from agents.opponents.knowledge_characters import character_row

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef


class KnowledgeBot(PolicyBot):
    """Plays one of five characters: position, odds, draws, textures, traps, bluffs, reads.

    It remembers the other player's frequencies over the match; decisions are those of the compiled
    policy in bulk matches.
    """

    def __init__(self, character: str = "solid") -> None:
        """Take a character by name.

        Raises:
            ValueError: there is none of that name.
        """
        character_row(character, no_limit=True)
        self._character = character
        super().__init__(self._policy_of_character)

    def start_match(self, game: GameDef, seed: int) -> None:
        """Forget the opponent, and draw from `seed`.

        Raises:
            ValueError: the game is not for two.
        """
        if game.players != 2:
            raise ValueError(f"a knowledge bot plays against one other, not {game.players - 1}")
        super().start_match(game, seed)

    def _policy_of_character(self, game: GameDef, seed: int) -> CompiledPolicy:
        from agents.opponents.knowledge_policy import knowledge_policy

        return knowledge_policy(self._character, game, seed)
