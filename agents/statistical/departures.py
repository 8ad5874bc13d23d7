"""Where the modeller departs from the patent, and the presets that play by it.

Each departure is one setting of `variants.VariantSettings`; the preset `patent` has them all as the
patent does.  What the patent does not tell is ours in every preset: the tolerance, the samples a
bin
needs, the numbers of the tables but for one row, hands until the table changes, sizes of raises.
So are strengths before the flop, percentiles of the equity: the patent's measures, which
`preflop` chooses, were made for full tables.

That a call also lowers the hands that would have raised (`mirrored`) is no departure: the patent
shows the ramp of a raise only, but decides as if a call lay between the bounds.  Nor are the five
types of players; they bear on what wins most chips, which the preset does not ask for.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.statistical.variants import VariantSettings


class Departure(NamedTuple):
    """One thing that the patent does otherwise than the bot by default."""

    name: str
    patent: str
    """What the patent does."""
    default: str
    """What the bot does."""
    setting: str
    """Of `VariantSettings`, and of the command line."""
    value: Any
    """Of the setting, so that it is done as in the patent."""

    @property
    def option(self) -> str:
        """The same for a command line."""
        return f"--{self.setting} {self.value:g}"


DEPARTURES: Final = (
    Departure(
        "strength",
        "EHS' = HS + (1 - HS) PPot",
        "EHS, which also counts what may get worse",
        "optimistic",
        True,
    ),
    Departure(
        "scale",
        "thresholds are strengths, the same for all boards",
        "thresholds are percentiles among what the opponent may hold",
        "absolute",
        True,
    ),
    Departure(
        "ramps",
        "an action is certain in its band and fades over the next",
        "softer: a ramp averages to how often the action is taken",
        "sharp",
        True,
    ),
    Departure(
        "initial weights",
        "set by the strongest action before the flop and all that was counted there",
        "changed by each action before the flop, in its own situation",
        "initial",
        True,
    ),
    Departure(
        "streets",
        "weights of each street start over with the initial ones",
        "weights are kept over the whole hand",
        "by_street",
        True,
    ),
    Departure(
        "shown hands",
        "do not change how actions are interpreted",
        "choose among five ways to interpret the opponent's actions",
        "learn_reading",
        False,
    ),
    Departure(
        "counters",
        "the 36 counters as they are",
        "drawn to other cells and to 2:5:3; position and sizes of bets count",
        "plain",
        True,
    ),
    Departure(
        "generic model",
        "2:5:3 for everybody in phase 1, and the own strength against hands so weighted",
        "own counters from the first hand; phase 1 goes by the own strength against any hand",
        "generic",
        True,
    ),
    Departure(
        "samples",
        "phase 2 once the opponent was seen with hands of every strength bin",
        "phase 2 once the bot has decided with hands of every strength bin",
        "opponent_bins",
        True,
    ),
    Departure(
        "confidence",
        "phase 2 is for all hands, once it has begun",
        "phase 2 only where the opponent's actions in this hand were seen often enough",
        "confidence",
        0.0,
    ),
    Departure(
        "candidates",
        "compared with the mean of the hands of highest weight",
        "compared with the mean of all hands by weight",
        "candidates",
        True,
    ),
    Departure(
        "outcomes",
        "raise, call or fold by the comparison alone",
        "or what wins clearly more chips, with pot odds and folds of the opponent",
        "values",
        False,
    ),
)
PRESET_SETTINGS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"patent": MappingProxyType({departure.setting: departure.value for departure in DEPARTURES})}
)


def preset(name: str | None, **others: Any) -> VariantSettings:
    """Return the settings of a preset.

    Args:
        name: one of PRESETS; None: settings are those by default.
        others: settings that count for more than the preset.

    Raises:
        ValueError: there is no such preset.
    """
    from agents.statistical.variants import VariantSettings

    if name is None:
        return VariantSettings(**others)
    if name not in PRESET_SETTINGS:
        raise ValueError(f"preset {name!r}: want {' or '.join(PRESET_SETTINGS)}")
    return VariantSettings(**{**PRESET_SETTINGS[name], **others})


def departing(departure: Departure, base: VariantSettings) -> VariantSettings:
    """Return some settings with one thing as the patent has it."""
    return replace(base, **{departure.setting: departure.value})
