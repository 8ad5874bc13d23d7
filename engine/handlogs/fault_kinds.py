"""What can be wrong with a hand of a log, as places in an array of counts."""

from typing import Final

UNREADABLE: Final = 0
"""The line is no STATE line, or has not one name and value for each position."""
BETTING: Final = 1
"""An action is not allowed, the betting stops too early, or is written otherwise."""
CARDS: Final = 2
"""Cards that no deal of the game has, or not as many as the betting shows."""
VALUES: Final = 3
"""Chips won are not those recomputed."""
DEALS: Final = 4
"""Cards are not those that the seed deals."""
NAMES: Final = 5
"""Players are not those of the match, or sit elsewhere."""
IDS: Final = 6
"""The number does not follow that of the hand before, or is one too many."""
KINDS: Final = 7

KIND_NAMES: Final = ("unreadable", "betting", "cards", "values", "deals", "names", "ids")
