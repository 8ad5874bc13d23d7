"""How much is counted over hands; apart from `tally`, so that help comes without NumPy."""

from enum import IntEnum


class Detail(IntEnum):
    """Each counts what those before it count, and takes longer."""

    BASIC = 0
    """VPIP, PFR, aggression, showdowns."""
    TRACKER = 1
    """All that docs/tracker.md defines."""
    OPPONENTS = 2
    """By opponent as well."""
