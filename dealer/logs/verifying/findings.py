"""What verifying a log found: records only; `dealer.logs.showing.verify_report` prints them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_MATCHES_REPORTED: Final = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or a remark about one line."""

    line: int
    """Line number in the file, 1-based; 0 for the file as a whole."""
    text: str


@dataclass(slots=True)
class Part:
    """One match within a log: what its header says and what was checked."""

    line: int
    """Line on which it begins."""
    name: str
    """Match name, "" without a header."""
    game: str
    """What the game is called."""
    seed: int | None
    seed_origin: str
    """Where the seed comes from, or why the deals are not checked."""
    promised: int | None
    """Hands the header speaks of."""
    hands: int = 0
    deals_checked: int = 0
    missing: int = 0
    """Hand ids before the last one that are not in the log; only of logs with a header."""
    restarts: int = 0
    wrong: dict[str, int] = field(default_factory=dict)
    """Hands with faults of each kind, by the names in `engine.showdown.hand_check`."""
    transactions: int = 0
    """Hands whose actions were compared with a transaction file."""
    diagnosis: list[str] = field(default_factory=list)
    """What all wrong hands have in common, where something was found."""
    deals_file: str = ""
    """What gave the deals where a deals file did."""
    commitment: str = ""
    """SHA-256 of the secret that the deals were checked with, where there is one."""
    score: str = "none"
    """"right", "wrong", "none", or why it was not checked."""


@dataclass(slots=True)
class LogReport:
    """Everything found in one log."""

    path: str
    hands: int = 0
    lines: int = 0
    deals_checked: int = 0
    fault_count: int = 0
    faults: list[Finding] = field(default_factory=list)
    """The first ones, as many as the caller wanted."""
    parts: list[Part] = field(default_factory=list)
    """The first `MAX_MATCHES_REPORTED` matches of the log."""
    part_count: int = 0
    remarks: list[Finding] = field(default_factory=list)
    """Things worth knowing that are no faults: interruptions, missing ends."""
    stopped_at: int | None = None
    """Line at which the last fault wanted was found; what follows was not read."""
    error: str | None = None
    """Why the log could not be checked at all."""

    @property
    def all_is_well(self) -> bool:
        """True when nothing was found wrong."""
        return self.fault_count == 0 and self.error is None
