"""What the lane is told, and what it tells; apart, since most dealers never load the lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from dealer.lane.layout import ACTED

if TYPE_CHECKING:
    from engine.rules.keyed_dealing import SeedOrKey
    from protocol.gamedef import GameDef

ENDLESS: Final = 1 << 62


class LaneTerms(NamedTuple):
    """What does not change in a match; seats are seat indices."""

    game: GameDef
    seed: SeedOrKey
    """Or the key that the deals are made of."""
    names: Sequence[str]
    fixed_seats: bool
    hands: int
    """To be played."""
    limits: Sequence[tuple[float, float, float]]
    """Seconds each seat has for a response, a hand, the match; `math.inf` is no limit."""
    log: int
    """Descriptor of the log, -1 for none."""
    transactions: int
    """Descriptor of the transaction file, -1 for none."""
    transcript: int = -1
    """Descriptor that gets every message, -1 for none."""
    tells: bool = False
    """Whether somebody wants to hear of each hand."""


class LaneSeat(NamedTuple):
    """A seat's connection on the way in."""

    descriptor: int
    """Of a socket whose reads wait for `PATIENCE_SECONDS` at most."""
    unused: bytes
    """Received and not used up; less than `INBOX_BYTES` by two lines at least."""
    no_more: bool
    """Whether it is known that nothing more comes."""


class LaneEntry(NamedTuple):
    """Where the match stands on the way in."""

    hand_id: int
    finished: int
    """Hands settled."""
    totals: Sequence[float]
    used: Sequence[float]
    """Seconds used per seat in the match."""
    seats: Sequence[LaneSeat]
    turns: int = ENDLESS
    """Leave after so many, if nothing else happens."""

    def unchanged(self) -> LaneExit:
        """Return the way out of a match of which nothing was played."""
        return LaneExit(
            why=ACTED,
            hand_id=self.hand_id,
            betting="",
            finished=self.finished,
            totals=list(self.totals),
            used_in_hand=[0.0] * len(self.used),
            used=list(self.used),
            unused=[seat.unused for seat in self.seats],
        )


class LaneExit(NamedTuple):
    """Where the match stands on the way out."""

    why: int
    """One of the reasons of `dealer.lane.layout`."""
    hand_id: int
    betting: str
    finished: int
    totals: list[float]
    used_in_hand: list[float]
    used: list[float]
    """Seconds used per seat in the match."""
    unused: list[bytes]
    """Received and not used up, per seat."""
    asked_at: float = 0.0
    """When the last state was sent, seconds of the monotonic clock, and by the wall clock."""
    asked_at_wall: float = 0.0
    seat: int = 0
    """Seat whose message is cut."""
    done: int = 0
    """Bytes of it, or of a line that is cut, that are out."""
    rest: bytes = b""
    """What is still to be written of a line that is cut."""
    turns: int = 0
    """Played in this visit."""
    shown: Sequence[int] = ()
    """Per seat, by how many bytes more was told of what it was sent than of what it sent."""
    hand_texts: bytes = b""
    """Where somebody hears of hands: those that were settled, as their lines in the log."""
