"""When a match is to be played in the lane, as a user says it."""

from enum import Enum
from typing import Final

LANE_VARIABLE: Final = "ARENA_LANE"
"""Environment variable with the mode where the command line has none."""

SHORTEST_LIMIT_MS: Final = 200
"""Milliseconds for a response; with less the waits of the lane would matter."""


class LaneMode(Enum):
    """When to play in the lane."""

    AUTO = "auto"
    """When its code is there, which is compiled beside matches where it is not."""
    OFF = "off"
    ON = "on"
    """From the first hand on: its code is compiled before, where it is not there."""
    MIXED = "mixed"
    """In and out at random: for tests."""
