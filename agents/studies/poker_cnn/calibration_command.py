"""`arena cnn calibration`: chances predicted beside what happened, as SVG."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from engine.console.arguments import output_file
from engine.console.line_chart import ChartLine, line_chart
from engine.console.output import tell
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

PROG: Final = "arena cnn calibration"
_LEAST: Final = 50
"""Actions in a bin that is drawn."""


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena cnn`."""
    parser = tasks.add_parser(
        "calibration",
        help="chances predicted beside what happened, as SVG",
        description="Draw how often actions happened to which a chance was given, in bins of "
        f"chances of five percent each; bins of fewer than {_LEAST} actions are left out.",
    )
    add = parser.add_argument
    add("result", metavar="FILE", type=Path, help="JSON, as `arena cnn accuracy` writes it")
    add("--out", metavar="FILE", type=output_file, required=True, help="the picture")
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: that is no result of `arena cnn accuracy`.
    """
    try:
        told = json_document(options.result.read_text(encoding="utf-8"))
        bins = reliability_bins(told)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise ValueError(f"{options.result}: no result of `arena cnn accuracy`") from error
    write_whole(options.out, calibration_svg(bins))
    tell(f"{options.out} is written")
    return 0


def reliability_bins(told: dict[str, Any]) -> dict[str, list[tuple[float, float, int]]]:
    """Return the bins of each trained predictor: mean chance, share that happened, actions.

    Of every decision once where there was a cross training, else of the hands held out by those
    who learned from most.

    Raises:
        KeyError: there is neither.
        TypeError, ValueError, IndexError, AttributeError: they are not what they should be.
    """
    from agents.poker_cnn.train.accuracy import MAJORITY

    facts = told.get("cross") or {name: points[-1] for name, points in told["curve"].items()}
    return {
        name: [(float(given), float(done), int(count)) for given, done, count in one["reliability"]]
        for name, one in facts.items()
        if name != MAJORITY
    }


def calibration_svg(bins: dict[str, list[tuple[float, float, int]]]) -> str:
    """Return the picture of some predictors' bins, in percent."""
    lines = [
        ChartLine(
            name,
            [(100 * given, 100 * done) for given, done, count in found if count >= _LEAST],
        )
        for name, found in bins.items()
    ]
    ideal = ChartLine("as predicted", [(0.0, 0.0), (100.0, 100.0)], dashed=True)
    return line_chart(
        "Chances predicted, and what happened",
        "actions that happened, %",
        "chance predicted, %",
        [*lines, ideal],
        (0.0, 100.0),
    )
