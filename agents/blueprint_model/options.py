"""The options of a blueprint's play."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import SWITCH, BotOptions, option, switch

USUAL = 0.5
"""Share of an opponent's decisions that are a raise, from which on it mostly makes it."""


def _probability(value: float) -> str:
    return "" if 0 <= value <= 1 else "a probability"


@dataclass(frozen=True, slots=True)
class BlueprintOptions(BotOptions):
    """How a blueprint is played."""

    model: str | None = option(None, "file of the strategy, not the shipped one")
    threshold: float = option(0.0, "drop actions less probable than this", check=_probability)
    alone: float = option(
        USUAL,
        "use branches learned alone once this share of the opponent's decisions there are their "
        "raise; 0: always, 1: never",
        check=_probability,
    )
    purify: float = option(0.0, "1: only ever take the likeliest action", check=switch)
    renew: float = option(
        0.0, "1: take a newer model of the same file between hands", SWITCH, check=switch
    )

    def __post_init__(self) -> None:
        """Check options by themselves, and those that go together."""
        BotOptions.__post_init__(self)
        if self.renew and self.model is None:
            raise ValueError("renew: want a model's file, which is watched")
