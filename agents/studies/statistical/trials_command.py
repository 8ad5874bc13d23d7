"""Reports of `arena statistical` on what modelling wins: `versus`, `curve` and `sweep`.

All three play modellers of different settings on the same deals in duplicate against each opponent:
with modelling and without, or with several values of one setting.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from agents.roster.bots import MEASURED
from agents.seat.game_validator import describe
from agents.statistical.departures import PRESETS, preset
from agents.studies.statistical.publishing import PROG, publish_report
from engine.console.arguments import count
from engine.console.drawing import figure_file, figure_svg
from engine.console.options import add_game, add_jobs, add_json, add_seed
from engine.console.output import stopped, tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents.statistical.bot import Settings
    from agents.studies.statistical.trials_report import Results

LEARNING: Final = (
    "What it learns differs from match to match: several matches, best four or more, are better "
    "than a longer one, and only then do the intervals hold that, too."
)


SWEPT: Final = (
    "tolerance",
    "confidence",
    "bin_samples",
    "predictor",
    "mirrored",
    "candidates",
    "values",
    "learn_reading",
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
"""Settings that `sweep` knows."""


def add_parser(reports: Any) -> None:
    """Add the three reports to the subparsers of `arena statistical`."""
    versus = reports.add_parser(
        "versus",
        help="what modelling wins from each opponent of the pool",
        description="Play the modeller with modelling and without, on the same deals in both "
        "seatings, against each opponent; show both win rates and their paired difference. "
        + LEARNING,
    )
    add_common(versus, matches=1)
    add_settings_preset(versus)
    versus.set_defaults(run=_run, report="versus", settings=_on_and_off, block=None)
    curve = reports.add_parser(
        "curve",
        help="how what modelling wins grows with the hands played",
        description="The same, deal by deal of a match: win rates of each block of deals, over "
        "all matches.",
    )
    add_common(curve, matches=4)
    add_settings_preset(curve)
    curve.add_argument(
        "--block", metavar="N", type=count, default=500, help="deals of a point (%(default)s)"
    )
    curve.add_argument("--svg", metavar="FILE", type=figure_file, help="draw the curves there")
    curve.set_defaults(run=_run, report="curve", settings=_on_and_off, fail=curve.error)
    sweep = reports.add_parser(
        "sweep",
        help="what each of several values of a setting wins",
        description="Play the modeller with several values of one setting on the same deals, and "
        "compare each with the last of them. " + LEARNING,
    )
    sweep.add_argument("setting", choices=SWEPT, metavar="SETTING", help=", ".join(SWEPT))
    sweep.add_argument(
        "values", metavar="VALUE,VALUE,...", help="such as .02,.10,.05; none is below 0"
    )
    add_common(sweep, matches=1)
    add_settings_preset(sweep)
    sweep.set_defaults(run=_run, report="sweep", settings=_swept, block=None)


def add_common(
    parser: argparse.ArgumentParser, *, matches: int, opponents: Sequence[str] = MEASURED
) -> None:
    """Add what all trials have: opponents, those by default, and how much is played."""
    add = parser.add_argument
    add(
        "names",
        metavar="OPPONENT",
        nargs="*",
        default=opponents,
        help="bots of `arena agent`, or points of the plane as "
        "plane-PLAYED-RAISED-BLUFF-SLOW-PRESSURE-SIZE in percent, the last four may be left out "
        f"({', '.join(opponents)})",
    )
    add_game(parser)
    add(
        "--hands",
        metavar="N",
        type=count,
        default=3000,
        help="deals of a match, each played in both seatings (%(default)s)",
    )
    add(
        "--matches",
        metavar="N",
        type=count,
        default=matches,
        help="matches against each opponent; each starts knowing nothing (%(default)s)",
    )
    add_seed(parser)
    add_jobs(parser)
    add(
        "--predictor",
        metavar="NAME|FILE",
        default="counters",
        help="what predicts the opponent's actions: counters, ann, or the file of a network "
        "(%(default)s)",
    )
    add_json(parser)


def add_settings_preset(parser: argparse.ArgumentParser) -> None:
    """Add `--preset`, for `departures.preset`."""
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="play with the settings of a preset; patent: as the patent describes it",
    )


def _run(options: argparse.Namespace) -> int:
    """Play and show; return the exit code."""
    from agents.studies.statistical.trials_picture import curves_figure
    from agents.studies.statistical.trials_report import as_data, as_text

    block = options.block
    if block is not None and block > options.hands:
        options.fail(f"--block {block}: a match has only {options.hands} deals")
    results, code = play_with_progress(options, options.settings(options))
    if not results.played:
        return code
    head = (
        f"{describe(options.game)}; matches of {options.hands:,} deals, each in both seatings; "
        f"seed {options.seed}" + (f"; preset {options.preset}" if options.preset else "")
    )
    facts = {"report": options.report, "game": describe(options.game)}
    shown = publish_report(
        options,
        f"{head}\n\n{as_text(results, block)}",
        json.dumps(facts | as_data(results, block), indent=2),
        (lambda: figure_svg(curves_figure(results, block, head))) if block is not None else None,
    )
    return shown or code


def _on_and_off(options: argparse.Namespace) -> dict[str, Settings]:
    from agents.studies.statistical.trials_report import OFF, ON

    settings = preset(options.preset, predictor=options.predictor)
    return {ON: settings, OFF: replace(settings, modelling=False)}


def _swept(options: argparse.Namespace) -> dict[str, Settings]:
    """Return the settings by "NAME VALUE".

    Raises:
        ValueError: a value is none, or is named twice, or there is only one.
    """
    name = options.setting
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


def play_with_progress(
    options: argparse.Namespace, settings: Mapping[str, Settings]
) -> tuple[Results, int]:
    """Play everything, or until Ctrl-C; return what there is and the exit code."""
    import numpy as np

    from agents.studies.statistical.trials import Plan, opponents_of, play_trials
    from agents.studies.statistical.trials_report import Results

    names = opponents_of(options.names)
    plan = Plan(options.game, settings, options.hands, options.matches, options.seed)
    results = Results(plan, names, {})
    code = 0
    try:
        for trial, won in play_trials(plan, names, options.jobs):
            before = results.played.get(trial.opponent)
            found = won[:, np.newaxis]
            results.played[trial.opponent] = (
                found if before is None else np.concatenate((before, found), axis=1)
            )
            said = f"{results.matches} of {results.wanted} matches, the last"
            tell(f"{said} against {trial.opponent}")
    except KeyboardInterrupt:
        code = stopped(PROG, results.matches, results.wanted, "matches")
    return results, code
