"""What environments for learners have in common: a hand is an episode, seats keep their numbers.

The button moves one seat with each hand, as in a match: seat (p + hand) % P is in position p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.bridges.libraries import library
from agents.bridges.observations import Observation
from engine.play.environment import DEFAULT_RAISE_POTS, Environment
from engine.rules.dealing import MAX_SEED, DealStream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

BIG_BLINDS: Final = "bb"
CHIPS: Final = "chips"
_MOST_IN_PLANES: Final = 2.0
"""More than 1 where stacks are deeper than 200 big blinds."""


class Episodes:
    """The hands of an environment, and what its seats are shown and given."""

    def __init__(
        self,
        game: GameDef,
        observation: str,
        rewards: str,
        pots: Sequence[float] = DEFAULT_RAISE_POTS,
    ) -> None:
        """Set up a table.

        Args:
            observation: "vector" or "planes", see `agents.bridges.observations`.
            rewards: "bb" for big blinds, or "chips".
            pots: raises to choose from, see `Environment`.

        Raises:
            ValueError: one of these is something else, or the game has no planes.
            MissingLibrary: gymnasium is not installed.
        """
        if rewards not in (BIG_BLINDS, CHIPS):
            raise ValueError(f"rewards in {rewards}: want {BIG_BLINDS} or {CHIPS}")
        self.table: Final = Environment(game, pots)
        self._shown: Final = Observation(observation)
        self._shown.check(self.table)
        self._unit: Final = game.big_blind if rewards == BIG_BLINDS else 1
        self._stream: DealStream | None = None

    def spaces(self) -> tuple[Any, Any]:
        """Return gymnasium's spaces of an observation with its mask, and of actions."""
        spaces = library("gymnasium.spaces")
        actions = self.table.actions
        most = 1.0 if self._shown is Observation.VECTOR else _MOST_IN_PLANES
        parts = {
            "observation": spaces.Box(0.0, most, self._shown.shape(self.table), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        return spaces.Dict(parts), spaces.Discrete(actions)

    def begin(self, seed: int | None) -> None:
        """Deal the next hand; a seed begins anew with the deals of a match of that seed."""
        if seed is not None or self._stream is None:
            drawn = int(np.random.default_rng().integers(MAX_SEED + 1)) if seed is None else seed
            self._stream = DealStream(self.table.game, drawn % (MAX_SEED + 1))
            self.table.hand_id = -1
        self.table.reset(next(self._stream))

    def seat_in(self, position: int) -> int:
        """Return who sits in a position in this hand."""
        return (position + self.table.hand_id) % self.table.game.players

    def position_of(self, seat: int) -> int:
        """Return where a seat plays from in this hand."""
        return (seat - self.table.hand_id) % self.table.game.players

    def shown(self, seat: int) -> dict[str, NDArray[Any]]:
        """Return what a seat sees: "observation", and "action_mask", all 0 out of turn."""
        position = self.position_of(seat)
        mask = self.table.legal()
        if position != self.table.actor:
            mask[:] = 0
        return {"observation": self._shown.show(self.table, position), "action_mask": mask}

    def rewards(self) -> list[float]:
        """Return what each seat won in the hand that is over."""
        values = self.table.values()
        seats = range(len(values))
        return [values[self.position_of(seat)] / self._unit for seat in seats]
