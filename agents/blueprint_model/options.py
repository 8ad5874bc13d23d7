"""The options of a blueprint's play."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import BotOptions, option, switch


def _probability(value: float) -> str:
    return "" if 0 <= value <= 1 else "a probability"


@dataclass(frozen=True, slots=True)
class BlueprintOptions(BotOptions):
    """How a blueprint is played."""

    model: str | None = option(None, "file of the strategy, not the shipped one")
    threshold: float = option(0.0, "drop actions less probable than this", check=_probability)
    purify: float = option(0.0, "1: only ever take the likeliest action", check=switch)
