"""The options of the bots that act at random."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import BotOptions, above_zero, at_least_zero, option


@dataclass(frozen=True, slots=True)
class RandomOptions(BotOptions):
    """Weights of the kinds of action.

    The defaults are those of the example player that comes with the ACPC reference dealer.
    """

    fold: float = option(0.06, "weight of folding, where something is to call", check=at_least_zero)
    call: float = option(0.47, "weight of checking and calling", check=above_zero)
    raise_: float = option(
        0.47, "weight of raising, where a raise is legal", check=at_least_zero, flag="--raise"
    )
