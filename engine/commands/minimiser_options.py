"""How to choose among regret minimisers, as options: the same names in every command."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cfr.adaptive import FAST_POOL, PATENT_POOL, Bonus, UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS, Variant
from engine.console.arguments import positive, real_number, whole_number
from engine.console.command import Option

ADAPTIVE: Final = "adaptive"
EXPLORATION_BIG_BLINDS: Final = 0.01
"""No more is left to gain after some hundred iterations."""
MOST_EVERY: Final = 1000

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

_LISTED_NAME: Final = re.compile(r"[^,()]+(?:\([^()]*\))?")
"""Names have commas only between parentheses."""
exploration: Final = real_number(
    lambda value: 0 <= value < math.inf, "{!r} is not a number of 0 or more"
)


def names_of(pool: Sequence[Variant]) -> str:
    """Return a pool as it is typed."""
    return ",".join(variant.name for variant in pool)


PRESET_OPTION: Final = Option(
    "--preset",
    "settings by name, which other options change: patent has those of the patent behind the "
    "choice, as far as it tells them",
    choices=PRESETS,
)


def parse_with_preset(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, more: Mapping[str, Any]
) -> argparse.Namespace:
    """Parse a command line; what it leaves open is as its --preset says.

    Args:
        parser: with `PRESET_OPTION`.
        more: what every preset says beside `PRESETS` for this command.
    """
    options = parser.parse_args(argv)
    if options.preset is None:
        return options
    parser.set_defaults(**{**PRESETS[options.preset], **more})
    return parser.parse_args(argv)


def pool_of(text: str) -> tuple[Variant, ...]:
    """Return the variants of a comma-separated list.

    Raises:
        argparse.ArgumentTypeError: one has no such name or is named twice, or there is none.
    """
    names = _LISTED_NAME.findall(text)
    unknown = [name for name in names if name not in VARIANTS]
    if unknown or ",".join(names) != text or not names:
        wrong = ", ".join(unknown) or (repr(text) if names else "nothing")
        raise argparse.ArgumentTypeError(f"{wrong} in the pool; there are {', '.join(VARIANTS)}")
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a minimiser twice")
    return tuple(VARIANTS[name] for name in names)


CHOICE: Final = (
    Option("--pool NAME,...", f"minimisers to choose from ({names_of(FAST_POOL)})", pool_of),
    Option(
        "--reward",
        "the strategy whose exploitability is to fall (%(default)s)",
        default=StrategyKind.CURRENT.value,
        choices=[which.value for which in StrategyKind],
    ),
    Option(
        "--update",
        "how the gains of a minimiser are added up (%(default)s)",
        default=Update.SUM.value,
        choices=[update.value for update in Update],
    ),
    Option(
        "--bonus",
        "how the bonus of seldom chosen ones falls with their uses (%(default)s)",
        default=Bonus.ROOT.name.lower(),
        choices=[bonus.name.lower() for bonus in Bonus],
    ),
    Option(
        "--exploration BLINDS",
        "weight of the bonus, in big blinds (%(default)s)",
        exploration,
        EXPLORATION_BIG_BLINDS,
    ),
    Option(
        "--alpha SHARE",
        "share of the past that is forgotten each time (%(default)s)",
        positive,
        0.1,
    ),
    Option(
        "--every K",
        "choose every K iterations, and compute exploitability as often: what the choice costs "
        "falls by as much (%(default)s)",
        whole_number(1, MOST_EVERY),
        1,
    ),
)


def choice_of(options: argparse.Namespace) -> AdaptiveChoice:
    """Return the choice that options of `CHOICE` describe.

    Raises:
        ValueError: a number is out of range.
    """
    bonus = next(member for member in Bonus if member.name.lower() == options.bonus)
    return AdaptiveChoice(
        pool=options.pool or FAST_POOL,
        rule=UcbRule(Update(options.update), bonus, options.exploration, options.alpha),
        which=StrategyKind(options.reward),
        every=options.every,
    )


def given(options: argparse.Namespace) -> list[str]:
    """Return those of `CHOICE` that differ from their defaults, as typed."""
    return [option.flag for option in CHOICE if option.is_given(options)]
