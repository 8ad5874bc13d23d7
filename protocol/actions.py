"""One betting action and its text.

f         fold
c         check or call
r         bet or raise of a limit game (its size is given by the game)
r<n>      bet or raise of a no-limit game, to n chips over the whole hand
"""

from typing import Final, NamedTuple


class Action(NamedTuple):
    """What a player does; compares and hashes like the pair (kind, raise_to)."""

    kind: str
    """"f" fold, "c" check or call, "r" bet or raise."""
    raise_to: int = 0
    """Total chips this player has in after a no-limit raise, counted over the whole hand;
    0 for every other action and in limit games."""

    @property
    def text(self) -> str:
        """The action as it stands in betting text: "f", "c", "r" or "r300"."""
        return f"r{self.raise_to}" if self.raise_to else self.kind


FOLD: Final = Action("f")
CALL: Final = Action("c")
"""Check or call, whichever applies."""
RAISE: Final = Action("r")
"""Bet or raise of a limit game."""


def raise_to(chips: int) -> Action:
    """Return the no-limit raise to `chips` over the whole hand.

    Raises:
        ValueError: `chips` is not positive (0 would read as a limit raise).
    """
    if chips <= 0:
        raise ValueError(f"raise to {chips} chips")
    return Action("r", chips)
