"""The options of libratus."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import (
    SWITCH,
    BotOptions,
    above_zero,
    one_of,
    option,
    switch,
    whole_from,
)
from engine.cfr.variants import VARIANTS

ADAPTIVE = "adaptive"
DEFAULT_ALGORITHM = "dcfr+"
"""On drawn turns and rivers less exploitable than `lcfr` and `dcfr`: docs/libratus.md."""
SAFETY_KINDS = ("unsafe", "resolve", "margin")
STREET = "street"
NET = "net"
NO_FLOP = "0"
LEAST_RUNOUTS = 4
"""With fewer, some pairs of hands are blocked by all."""


@dataclass(frozen=True, slots=True)
class LibratusOptions(BotOptions):
    """How libratus plays, as a command line says it."""

    model: str | None = option(None, "file of the blueprint, not the shipped one")
    seconds: float = option(2.0, "of a decision, at most", "S", check=above_zero)
    iterations: float | None = option(
        None, "of a decision, instead of a clock", "N", check=whole_from(1)
    )
    safety: str = option(
        "resolve", "resolve, margin or unsafe", "KIND", check=one_of(*SAFETY_KINDS)
    )
    algorithm: str = option(
        DEFAULT_ALGORITHM,
        "that solves: a member of the CFR family, or adaptive, chosen while it solves",
        "NAME",
        check=one_of(*VARIANTS, ADAPTIVE),
    )
    threads: float = option(1.0, "that solve together", "N", check=whole_from(1))
    nodes: float | None = option(
        None, "most of a turn's betting (by the seconds)", "N", check=whole_from(1)
    )
    estimates: float = option(0.0, "1: the first search is safe too", SWITCH, check=switch)
    gifts: float = option(
        0.0, "1: later searches count what the opponent gave away", SWITCH, check=switch
    )
    flop: str = option(
        NO_FLOP,
        "searches flops by value networks: street, to their end, or net, through the turn; or over "
        "N runouts, with iterations",
        "street|net|N",
    )
    shake: float = option(0.0, "own bets differ by up to this share a hand, as 0.08")

    def __post_init__(self) -> None:
        """Check options by themselves, and those that go together."""
        BotOptions.__post_init__(self)
        rolled_out = self.flop not in (STREET, NET, NO_FLOP)
        if rolled_out and not _is_runouts(self.flop):
            raise ValueError(
                f"flop {self.flop}: want {STREET}, {NET} or a whole number of runouts from "
                f"{LEAST_RUNOUTS} on"
            )
        if rolled_out and self.iterations is None:
            raise ValueError(f"flop {self.flop}: want iterations instead of a clock")
        if self.flop != NO_FLOP and self.estimates:
            raise ValueError(f"flop {self.flop}: want no estimates")
        if not 0 <= self.shake < 1:
            raise ValueError(f"shake {self.shake:g}: want 0 to less than 1")


def _is_runouts(text: str) -> bool:
    return text.isdecimal() and int(text) >= LEAST_RUNOUTS


def repeats(**options: float | str | None) -> bool:
    """Return whether a bot with these options plays by the strategy that it tells.

    By a clock it plays as the machine's speed allows; shaken, each hand is another strategy.
    """
    return options.get("iterations") is not None and not options.get("shake")
