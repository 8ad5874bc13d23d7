"""How libratus searches, and the same from the numbers of a command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Final

from agents.libratus.flop import LEAST_RUNOUTS
from engine.cfr.variants import VARIANTS
from engine.search.subgame_search import Budget, SafetyKind, SearchSettings

FLOP: Final = 1
TURN: Final = 2
SECONDS: Final = 2.0
FLOOR: Final = 0.02
VARIANT: Final = "lcfr"
"""Least exploitable of nine after 40 and 80 iterations of a turn: docs/libratus.md."""
_NODES_A_SECOND: Final = 30
"""Nodes of a turn's tree for each second: 150 iterations at a quarter of a millisecond."""
_LEAST_NODES, _MOST_NODES = 50, 400


@dataclass(frozen=True, slots=True)
class LibratusSettings:
    """How decisions are searched."""

    search: SearchSettings = field(
        default_factory=lambda: SearchSettings(variant=VARIANTS[VARIANT])
    )
    budget: Budget = field(default_factory=lambda: Budget(seconds=SECONDS))
    """Of a decision."""
    floor: float = FLOOR
    """Share of an opponent's range that may be any hand, whatever the blueprint says; a choice."""
    estimates: bool = False
    """Whether the first search of a hand is safe too; see `agents.libratus.estimates`."""
    flop: int = 0
    """Runouts at each end of a flop search; 0: the blueprint plays the flop."""

    @property
    def first_street(self) -> int:
        """0-based; before it the blueprint plays."""
        return FLOP if self.flop else TURN


def repeats(options: Mapping[str, float | str | None]) -> bool:
    """Return whether a bot with these options plays by the strategy that it tells.

    By a clock it plays as the machine's speed allows; shaken, each hand is another strategy.
    """
    return options.get("iterations") is not None and not options.get("shake")


def libratus_settings(
    seconds: float = SECONDS,
    iterations: float | None = None,
    safety: str = SafetyKind.RESOLVE.value,
    threads: float = 1,
    nodes: float | None = None,
    estimates: float = 0.0,
    flop: float = 0.0,
) -> LibratusSettings:
    """Return settings from options; see the roster for their meaning.

    Raises:
        ValueError: a number or a name is none of those that can be.
    """
    if not (isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds {seconds:g}: want more than 0")
    for name, number in (("iterations", iterations), ("threads", threads), ("nodes", nodes)):
        if number is not None and not (number >= 1 and float(number).is_integer()):
            raise ValueError(f"{name} {number:g}: want a whole number from 1 on")
    if flop and not (flop >= LEAST_RUNOUTS and float(flop).is_integer()):
        raise ValueError(f"flop {flop:g}: want a whole number of runouts from {LEAST_RUNOUTS} on")
    if flop and (iterations is None or estimates):
        raise ValueError(f"flop {flop:g}: want iterations instead of a clock, and no estimates")
    if estimates not in (0, 1):
        raise ValueError(f"estimates {estimates:g}: want 0 or 1")
    kinds = [kind.value for kind in SafetyKind]
    if safety not in kinds:
        raise ValueError(f"safety {safety!r}: want {', '.join(kinds)}")
    usual = round(_NODES_A_SECOND * seconds)
    return LibratusSettings(
        SearchSettings(
            VARIANTS[VARIANT],
            SafetyKind(safety),
            int(nodes) if nodes else min(max(usual, _LEAST_NODES), _MOST_NODES),
            int(threads),
        ),
        Budget(seconds=seconds) if iterations is None else Budget(int(iterations), inf),
        estimates=bool(estimates),
        flop=int(flop),
    )
