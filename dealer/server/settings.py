"""How one match is to be played."""

from dataclasses import dataclass

from dealer.server.time_limits import TimeLimits


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What a match needs to know beside its table and its seats."""

    hands: int
    limits: tuple[TimeLimits, ...]
    """Of each seat."""
    invalid: str = "fix"
    """What becomes of an unreadable or illegal action: fix, call, fold or forfeit."""
    reconnect_s: float = 0.0
    """Seconds a lost seat may stay away; 0: not at all."""
