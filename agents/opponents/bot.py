"""The bots of the pool at the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agents.compiled.policy_bot import PolicyBot
from agents.roster.characters import find_character

if TYPE_CHECKING:
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef


class PoolBot(PolicyBot):
    """One of the bots of the pool, by name or by its place in the plane."""

    def __init__(
        self,
        character: str = "O1",
        played: float | None = None,
        raised: float | None = None,
        bluff: float | None = None,
        small: float | None = None,
        large: float | None = None,
    ) -> None:
        """Take a bot of the pool, and numbers that replace its own, if any.

        Raises:
            ValueError: there is no bot of that name, or a number is out of range.
        """
        base = find_character(character)
        smallest = base.small if small is None else small
        largest = max(base.large, smallest) if large is None else large
        self._character = replace(
            base,
            played=base.played if played is None else played,
            raised=base.raised if raised is None else raised,
            bluff=base.bluff if bluff is None else bluff,
            small=smallest,
            large=largest,
        )
        super().__init__(self._policy_of_character)

    def _policy_of_character(self, game: GameDef, seed: int) -> CompiledPolicy:
        from agents.opponents.policy import pool_policy

        return pool_policy(self._character, game, seed)
