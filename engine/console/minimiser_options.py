"""How to choose among regret minimisers, as options: the same names in every command."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cfr.adaptive import FAST_POOL, PATENT_POOL, Bonus, UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Variant
from engine.console.arguments import positive, real_number, whole_number
from engine.console.pools import pool_of

ADAPTIVE: Final = "adaptive"
EXPLORATION: Final = 0.01
"""Big blinds: what is left to gain after some hundred iterations, and no more."""
MOST_EVERY: Final = 1000
CHOICE_OPTIONS: Final = ("pool", "reward", "update", "bonus", "exploration", "alpha", "every")

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "patent": {
        "pool": PATENT_POOL,
        "reward": StrategyKind.CURRENT.value,
        "update": Update.SUM.value,
        "bonus": Bonus.ROOT.name.lower(),
        "exploration": 1.0,
        "every": 1,
    }
}
"""Settings by name.  "patent": Hedge as exp(R) of plain regrets, the update as printed, rewards
from current strategies in each iteration and a bonus that is 1 before the first use; commands add
updates at once and random initial strategies.  How the bonus falls is not known."""

exploration: Final = real_number(
    lambda value: 0 <= value < math.inf, "{!r} is not a number of 0 or more"
)
"""The type of the weight of the bonus."""


def names_of(pool: Sequence[Variant]) -> str:
    """Return a pool as it is typed."""
    return ",".join(variant.name for variant in pool)


def add_preset(parser: argparse._ActionsContainer) -> None:
    """Add --preset, for `parse_with_preset`."""
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="settings by name, which other options change: patent has those of the patent behind "
        "the choice, as far as it tells them",
    )


def parse_with_preset(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, more: Mapping[str, Any]
) -> argparse.Namespace:
    """Parse a command line; what it leaves open is as its --preset says.

    Args:
        parser: with `add_preset`.
        more: what every preset says beside `PRESETS` for this command.
    """
    options = parser.parse_args(argv)
    if options.preset is None:
        return options
    parser.set_defaults(**{**PRESETS[options.preset], **more})
    return parser.parse_args(argv)


def add_choice(group: argparse._ArgumentGroup) -> None:
    """Add the options of one adaptive choice, for `choice_of`."""
    add = group.add_argument
    add(
        "--pool",
        type=pool_of,
        metavar="NAME,...",
        help=f"minimisers to choose from ({names_of(FAST_POOL)})",
    )
    add(
        "--reward",
        choices=[which.value for which in StrategyKind],
        default=StrategyKind.CURRENT.value,
        help="the strategy whose exploitability is to fall (%(default)s)",
    )
    add(
        "--update",
        choices=[update.value for update in Update],
        default=Update.SUM.value,
        help="how the gains of a minimiser are added up (%(default)s)",
    )
    add(
        "--bonus",
        choices=[bonus.name.lower() for bonus in Bonus],
        default=Bonus.ROOT.name.lower(),
        help="how the bonus of seldom chosen ones falls with their uses (%(default)s)",
    )
    add(
        "--exploration",
        type=exploration,
        metavar="BLINDS",
        default=EXPLORATION,
        help="weight of the bonus, in big blinds (%(default)s)",
    )
    add(
        "--alpha",
        type=positive,
        metavar="SHARE",
        default=0.1,
        help="share of the past that is forgotten each time (%(default)s)",
    )
    add(
        "--every",
        type=whole_number(1, MOST_EVERY),
        default=1,
        metavar="K",
        help="choose every K iterations, and compute exploitability as often: what the choice "
        "costs falls by as much (%(default)s)",
    )


def choice_of(options: argparse.Namespace) -> AdaptiveChoice:
    """Return the choice that options of `add_choice` describe.

    Raises:
        ValueError: a number is out of range.
    """
    bonus = next(one for one in Bonus if one.name.lower() == options.bonus)
    return AdaptiveChoice(
        pool=options.pool or FAST_POOL,
        rule=UcbRule(Update(options.update), bonus, options.exploration, options.alpha),
        which=StrategyKind(options.reward),
        every=options.every,
    )


def given(options: argparse.Namespace, parser: argparse.ArgumentParser) -> list[str]:
    """Return those of `CHOICE_OPTIONS` that differ from their defaults, as typed."""
    return [
        f"--{name}" for name in CHOICE_OPTIONS if getattr(options, name) != parser.get_default(name)
    ]
