"""The attacks that are known to win most from an agent: lower bounds on its exploitability.

The page of each says what it was measured on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Attack:
    """What the best of the attacks that were tried wins."""

    mbb_per_hand: float
    ci95: float
    attack: str
    source: str
    """The page that has it."""


ATTACKS: Final[Mapping[str, Mapping[str, Attack]]] = {
    "blueprint": {
        "hunl": Attack(1789, 146, "river best response after FC", "docs/blueprint.md"),
        "hulhe": Attack(222, 63, "LBR FCP,FCP,FCP,FCP", "docs/blueprint.md"),
    },
    "libratus-fast": {
        "hunl": Attack(1408, 603, "LBR C,C,56,56 of 20 iterations a turn", "docs/libratus.md")
    },
    "cnn --sharpness 2": {"hunl": Attack(869, 204, "LBR C,C,FCPA,FCPA", "docs/standings.md")},
}


def attacks_on(agent: str) -> dict[str, Mapping[str, Attack]]:
    """Return the attacks on an agent by its options, "" for none, and by game."""
    by_words = {tuple(name.partition(" ")[::2]): attacks for name, attacks in ATTACKS.items()}
    return {options: attacks for (name, options), attacks in by_words.items() if name == agent}
