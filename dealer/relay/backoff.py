"""How long to wait before the next try: twice as long each time at most, and by chance.

Many clients that lost a server at the same moment do not come back at the same moment ("full
jitter": Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
"""

import secrets
from collections.abc import Callable
from typing import Final

LEAST_SECONDS: Final = 0.5
MOST_SECONDS: Final = 60.0
_STEPS: Final = 1 << 20


def _chance() -> float:
    return secrets.randbelow(_STEPS) / _STEPS


class Backoff:
    """The waits of one task that tries again and again."""

    def __init__(
        self,
        least: float = LEAST_SECONDS,
        most: float = MOST_SECONDS,
        chance: Callable[[], float] = _chance,
    ) -> None:
        """Begin anew.

        Args:
            least: longest first wait, seconds.
            most: longest wait of all, seconds.
            chance: draws a number from 0 to 1.
        """
        self._least = least
        self._most = most
        self._chance = chance
        self._limit = least

    def next(self, asked: float = 0.0) -> float:
        """Return the next wait in seconds; never less than was asked for."""
        wait = asked + self._limit * self._chance()
        self._limit = min(self._most, 2 * self._limit)
        return wait

    def reset(self) -> None:
        """Begin anew: a try has succeeded."""
        self._limit = self._least
