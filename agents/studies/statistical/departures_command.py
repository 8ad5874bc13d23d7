"""`arena statistical departures`: what the bot wins more than with one thing as the patent has it.

The bot, the preset `patent` and, for each of `departures.DEPARTURES`, the bot with that one thing
as in the patent play the same deals in duplicate against each opponent.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, Final

from agents.seat.game_validator import describe
from agents.statistical.departures import DEPARTURES, departing, preset
from agents.studies.statistical.publishing import publish_report
from agents.studies.statistical.trials_command import LEARNING, add_common, play_with_progress

if TYPE_CHECKING:
    from agents.statistical.bot import Settings

OPPONENTS: Final = tuple(f"O{number}" for number in range(1, 9))


def add_parser(reports: Any) -> None:
    """Add the report to the subparsers of `arena statistical`."""
    parser = reports.add_parser(
        "departures",
        help="what each departure from the patent wins",
        description="Play the modeller as it is, as the patent describes it (--preset patent of "
        "`arena agent statistical`), and with each one thing as in the patent, on the same deals "
        "in both seatings; show by how much it wins more as it is. "
        f"{len(DEPARTURES) + 2} players meet each opponent: the time is that of so many. "
        + LEARNING,
    )
    add_common(parser, matches=4, opponents=OPPONENTS)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Play and show; return the exit code."""
    from agents.studies.statistical.departures_report import as_data, as_text

    results, code = play_with_progress(options, settings_of(options.predictor))
    if not results.played:
        return code
    head = (
        f"{describe(options.game)}; {options.matches} matches of {options.hands:,} deals against "
        f"each opponent, each deal in both seatings; seed {options.seed}"
    )
    facts = {"report": "departures", "game": describe(options.game)}
    shown = publish_report(
        options,
        f"{head}\n\n{as_text(results)}",
        json.dumps(facts | as_data(results), indent=2),
    )
    return shown or code


def settings_of(predictor: str) -> dict[str, Settings]:
    """Return who plays by name: with each departure taken back, the preset, and the bot as it is.

    Args:
        predictor: of all of them, as in `Settings`.
    """
    from agents.statistical.variants import VariantSettings
    from agents.studies.statistical.departures_report import DEFAULT, PRESET

    base = VariantSettings(predictor=predictor)
    return {
        **{one.name: departing(one, base) for one in DEPARTURES},
        PRESET: preset(PRESET, predictor=predictor),
        DEFAULT: base,
    }
