"""The options of the convolutional network's play."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import SWITCH, BotOptions, at_least_zero, option, switch

MOST_SHARPNESS = 100.0


def _sharpness(value: float) -> str:
    return "" if 0 < value <= MOST_SHARPNESS else f"more than 0, {MOST_SHARPNESS:g} at most"


@dataclass(frozen=True, slots=True)
class CnnOptions(BotOptions):
    """How a network is played."""

    model: str | None = option(None, "file of the network, not the shipped one")
    greedy: float | None = option(
        None,
        "1: takes the action of the highest score, 0: draws one (0; of values: 1)",
        SWITCH,
        check=switch,
    )
    sized: float | None = option(
        None, "0: raises the pot, 1: by the network (1)", SWITCH, check=switch
    )
    sharpness: float | None = option(
        None,
        "scores of actions are multiplied by it before one is drawn (1)",
        "X",
        check=_sharpness,
    )
    search: float | None = option(
        None,
        "in limit games, looks one step ahead: nats of an action for each pot that it wins (0)",
        "X",
        check=at_least_zero,
    )

    def __post_init__(self) -> None:
        """Refuse options that say nothing to one who searches."""
        BotOptions.__post_init__(self)
        if self.search and any(value is not None for value in (self.greedy, self.sharpness)):
            raise ValueError("--search takes the best action: not with --greedy or --sharpness")


def draws_actions(**options: object) -> bool:
    """Return whether a bot of these options plays by the shares that its strategy tells."""
    return not options.get("search")
