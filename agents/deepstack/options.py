"""The options of deepstack."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import BotOptions, above_zero, option, whole_from


@dataclass(frozen=True, slots=True)
class DeepStackOptions(BotOptions):
    """How deepstack plays, as a command line says it."""

    networks: str | None = option(
        None, "folder of preflop-end, flop-end and turn-end.network, not the shipped ones", "FOLDER"
    )
    seconds: float = option(2.0, "of a decision, at most", "S", check=above_zero)
    iterations: float | None = option(
        None, "of a decision, instead of a clock", "N", check=whole_from(1)
    )


def repeats(**options: float | str | None) -> bool:
    """Return whether a bot with these options plays by the strategy that it tells.

    By a clock it plays as the machine's speed allows.
    """
    return options.get("iterations") is not None
