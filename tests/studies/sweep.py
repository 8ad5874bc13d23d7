"""What the modeller wins by each of several values of a setting, on the same deals.

    make study NAME="sweep tolerance .02,.10,.05 O2 O3 O5 O6 O7 O8 --game hulhe --hands 1000"
    make study NAME="sweep types 1,0 O3 O4 O5 O6 O7 O8 --game hulhe --hands 1000"
    make study NAME="sweep tolerance .02,.10,.05 O2 O3 O5 O6 O7 O8 --game hulhe --hands 600
        --preset patent"

Each value is compared with the last of them.  By
their deals a tenth of the time of `departures`, on all cores.
"""

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import Any, Final

from agents.statistical.bot import Settings
from agents.statistical.departures import preset
from tests.studies.trials import add_preset, add_trials, as_data, game_word, played

SWEPT: Final = (
    "tolerance",
    "confidence",
    "bin_samples",
    "predictor",
    "mirrored",
    "candidates",
    "values",
    "learn_reading",
    "weights",
    "types",
    "preflop",
    "optimistic",
    "absolute",
    "sharp",
    "initial",
    "by_street",
    "plain",
    "generic",
    "opponent_bins",
)
SMALL: Final = {
    "setting": "tolerance",
    "values": ".02,.05",
    "names": ["O2"],
    "hands": 4,
}


def add_options(parser: ArgumentParser) -> None:
    """Add the setting, its values, opponents and how much is played."""
    add = parser.add_argument
    add("setting", choices=SWEPT, metavar="SETTING", nargs="?", help=", ".join(SWEPT))
    add("values", metavar="VALUE,VALUE,...", nargs="?", default="", help=".02,.10,.05, from 0 on")
    add_trials(parser, matches=1)
    add_preset(parser)


def result_name(options: Namespace) -> str:
    """Return the file of a setting and a game, or of a preset."""
    return f"{options.setting}-{options.preset or game_word(options.game)}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return the win rate of each value, and what it gains beside the last."""
    return {"report": "sweep"} | as_data(played(options, swept_settings(options)))


def swept_settings(options: Namespace) -> dict[str, Settings]:
    """Return the settings by "NAME VALUE".

    Raises:
        ValueError: a value is none, or is named twice, or there is only one.
    """
    name = options.setting
    if name is None:
        raise ValueError("want a setting and its values")
    base = preset(options.preset, predictor=options.predictor)
    texts = [text.strip() for text in options.values.split(",")]
    found: dict[str, Settings] = {}
    for text in texts:
        try:
            value = _value(text, type(getattr(base, name)))
        except ValueError as error:
            raise ValueError(f"{name} {text}: {error} (values stand before opponents)") from None
        settings = replace(base, **{name: value})
        settings.check()
        found[f"{name} {text}"] = settings
    if len(set(found.values())) < len(texts) or len(texts) < 2:
        raise ValueError(f"{name} {options.values}: want different values, as in .02,.10,.05")
    return found


def _value(text: str, kind: type) -> Any:
    """Return the value of a setting of some type.  Raises ValueError: what is wanted instead."""
    if kind is bool:
        if text not in ("0", "1"):
            raise ValueError("want 0 or 1")
        return text == "1"
    if kind is int and not (text.isascii() and text.isdigit()):
        raise ValueError("want a whole number")
    try:
        return kind(text)
    except ValueError:
        raise ValueError("want a number") from None
