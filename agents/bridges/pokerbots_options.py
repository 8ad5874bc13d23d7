"""What can be chosen of the bridge to bots of the pokerbots competitions."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import SWITCH, BotOptions, above_zero, one_of, option, whole_from
from protocol.pokerbots import DIALECTS


@dataclass(frozen=True, slots=True)
class PokerbotsOptions(BotOptions):
    """How such a bot is asked and judged."""

    clock: float = option(60.0, "seconds for all answers of a game", "S", check=above_zero)
    rounds: float = option(
        1000.0, "hands of a game; then it is started anew", "N", check=whole_from(1)
    )
    dialect: str = option("plain", "of its year", "NAME", check=one_of(*DIALECTS))
    strict: float = option(0.0, "1: a wrong answer ends it", SWITCH)
    replies: str = option("", "JSON of what was not taken as it stood")
