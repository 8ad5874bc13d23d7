"""When a match is to be played in the lane, as a user says it."""

from enum import Enum
from typing import Final

LANE_VARIABLE: Final = "ARENA_LANE"
"""Environment variable with the mode where the command line has none."""


class LaneMode(Enum):
    """When to play in the lane."""

    AUTO = "auto"
    """When its code is loaded, which is begun where it pays."""
    OFF = "off"
    ON = "on"
    """From the first hand on: its code is loaded, or compiled, before."""
    MIXED = "mixed"
    """In and out at random: for tests."""
