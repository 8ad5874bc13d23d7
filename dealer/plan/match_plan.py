"""What is to be played, as values: a match, its seats and limits, and a dealer that hosts it.

Whoever has a match to play makes a `MatchPlan`: the command line, a manifest, a test, a server that
stays up.  `dealer.plan.command_line` and `dealer.plan.plan_documents` write and read plans.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, NamedTuple

CLOCKS: Final = ("t_response", "t_hand", "t_per_hand")
SHORTEST_LANE_RESPONSE_MS: Final = 200
"""With less time for a response the waits of the fast lane would matter."""


class LaneMode(Enum):
    """When to play in the fast lane."""

    AUTO = "auto"
    """When its code is there, which is compiled beside matches where it is not."""
    OFF = "off"
    ON = "on"
    """From the first hand on: its code is compiled before, where it is not there."""
    MIXED = "mixed"
    """In and out at random: for tests."""


class SeatClock(NamedTuple):
    """A limit of one seat in place of the match's."""

    option: str
    """One of `CLOCKS`."""
    milliseconds: int
    """Negative: no limit."""


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """How long seats may take, and what becomes of those that are wrong or gone.

    A negative number of milliseconds is no limit, as in the original dealer.
    """

    t_response: int = 600_000
    """Longest single response, milliseconds."""
    t_hand: int = 600_000
    """Longest time of a seat in one hand, milliseconds."""
    t_per_hand: int = 7_000
    """Average time of a seat per hand, over the match, milliseconds."""
    start_timeout: int = -1
    """Longest wait for all seats to connect, milliseconds."""
    reconnect: float = 0
    """How long a lost seat may stay away, seconds; 0: not at all."""
    invalid: str = "fix"
    """What becomes of an unreadable or illegal action: fix, call, fold or forfeit."""


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who sits in a seat."""

    name: str
    clocks: tuple[SeatClock, ...] = ()
    """In place of the match's limits; a later one counts more."""
    token: str = field(default="", repr=False)
    """Secret word that an agent must say to sit down; "" guards nothing."""


@dataclass(frozen=True, slots=True)
class Records:
    """What a match leaves behind; None or False: not this."""

    log: str | None
    """Path of the match log."""
    transactions: str | None = None
    """Path of the transaction file."""
    append: bool = False
    """Add to both files; where there are transactions the match in them is resumed."""
    events: str | None = None
    """Path of the structured log."""
    summary: str | None = None
    """Path of a JSON file that says how the match ended."""
    transcript: bool = True
    """Every message on standard error."""
    waits: int | None = None
    """Number of an open file to write on who is waited for."""

    @property
    def resuming(self) -> bool:
        """Whether what is in the transaction file is played first."""
        return self.append and self.transactions is not None


@dataclass(frozen=True, slots=True)
class SecretDeals:
    """Deals that nobody finds by trying seeds, see `engine.rules.keyed_dealing`."""

    key: str = field(repr=False)
    """Hexadecimal."""
    commitment: str
    """SHA-256 of the secret that the key is made of, hexadecimal, which the log shows."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match."""

    name: str
    game: str
    """File of the game definition, or the name of a built-in game, as the log shows it."""
    hands: int
    seed: int
    """Random number seed of the deals, 0..2**32 - 1; the header's number with `secret`."""
    seats: tuple[SeatPlan, ...]
    records: Records
    limits: MatchLimits = MatchLimits()
    fixed_seats: bool = False
    """Seat i is position i in every hand."""
    deals: str | None = None
    """Path of a deals file; None for the seed's own deals."""
    first_deal: int = 0
    """Deals of that file before that of hand 0."""
    lane: LaneMode = LaneMode.AUTO
    secret: SecretDeals | None = None
    """What the deals are made of in place of the seed; no command line asks for that."""

    @property
    def dealt_from(self) -> int | bytes:
        """Seed or key of the deals."""
        return self.seed if self.secret is None else bytes.fromhex(self.secret.key)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in seat order."""
        return tuple(seat.name for seat in self.seats)

    def limits_of(self, seat: int) -> MatchLimits:
        """Return the limits of one seat, an index from 0."""
        clocks: dict[str, Any] = dict(self.seats[seat].clocks)
        return replace(self.limits, **clocks)


@dataclass(frozen=True, slots=True)
class DealerPlan:
    """A dealer in a process of its own: its match, where it listens, what it shows."""

    match: MatchPlan
    listen: str = "127.0.0.1"
    """Address."""
    ports: tuple[int, ...] = ()
    """In seat order, of one match after the other; 0 or missing: any."""
    serve: int | None = None
    """Matches to play side by side; None: one, under its own name."""
    live: int | None = None
    """Port of a page that shows the match, 0 for any; None: no page."""
    ending_codes: bool = False
    """Each kind of ending has an exit code of its own."""
