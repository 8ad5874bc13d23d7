"""The modeller for the options of the command line, see `agents.roster.bots`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.statistical.bot import ANYBODY, Settings
from agents.statistical.departures import preset as preset_settings
from agents.statistical.options import StatisticalOptions
from agents.statistical.variants import VariantSettings, bot_with

if TYPE_CHECKING:
    from agents.statistical.bot import Statistical

_OF_THE_BOT: Final = {setting.name for setting in fields(Settings)}
_KINDS: Final[dict[str, type]] = {
    setting.name: type(setting.default) for setting in fields(VariantSettings)
}


def build(
    memory: str | None = None,
    opponent: str | None = None,
    preset: str | None = None,
    **options: Any,
) -> Statistical:
    """Return the bot for some options.

    Args:
        memory: the path of a file of opponents.
        preset: one of `departures.PRESET_SETTINGS`; options given beside it override it.
        options: the others of `StatisticalOptions`; None and "" for the defaults.

    Raises:
        ValueError: an option is out of range, or the predictor's file cannot be used.
    """
    StatisticalOptions(**options)
    given = {
        name: _KINDS[name](value) for name, value in options.items() if value not in (None, "")
    }
    if preset:
        settings: Settings = preset_settings(preset, **given)
    else:
        settings = (Settings if given.keys() <= _OF_THE_BOT else VariantSettings)(**given)
    path = Path(memory) if memory else None
    return bot_with(settings, memory=path, opponent=opponent or ANYBODY)
