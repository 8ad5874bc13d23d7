"""`arena statistical strengths`: what two modellers hold, and how often each strength wins."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, Final

from agents.seat.game_validator import describe
from agents.statistical.departures import preset
from agents.studies.statistical.publishing import PROG, publish_report
from agents.studies.statistical.trials_command import add_settings_preset
from engine.console.arguments import count
from engine.console.drawing import figure_file, figure_svg
from engine.console.options import add_game, add_jobs, add_json, add_seed
from engine.console.output import stopped, tell

if TYPE_CHECKING:
    from agents.studies.statistical.strength_study import StrengthCounts, Study

_GAME: Final = "hulhe"
_BINS: Final = 20


def add_parser(reports: Any) -> None:
    """Add the report to the subparsers of `arena statistical`."""
    parser = reports.add_parser(
        "strengths",
        help="what it holds against itself, and how often each strength wins",
        description="Play two modellers against each other; count how strong their hands are on "
        "each street, and how often each strength wins.",
    )
    add = parser.add_argument
    add_game(parser, _GAME)
    add("--hands", metavar="N", type=count, default=10_000, help="deals in all (%(default)s)")
    add(
        "--match",
        metavar="N",
        type=count,
        default=2000,
        help="deals of a match; both begin each knowing nothing (%(default)s)",
    )
    add_settings_preset(parser)
    add_seed(parser)
    add_jobs(parser)
    add_json(parser)
    add(
        "--svg",
        metavar="FILE",
        type=figure_file,
        help="draw histogram and win chances there",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Play and show; return the exit code."""
    from agents.studies.statistical.strength_picture import study_figure
    from agents.studies.statistical.strength_study import Study

    settings = preset(options.preset)
    study = Study(options.game, options.hands, options.match, options.seed, settings)
    counts, code = _play(study, options.jobs)
    if not counts.deals:
        return code
    drawn = f"seed {study.seed}" + (f", preset {options.preset}" if options.preset else "")
    head = (
        f"{describe(study.game)}; {counts.deals:,} deals between two modellers, "
        f"matches of {study.match:,}, {drawn}"
    )
    kind = "no-limit" if study.game.no_limit else "limit"
    below = f"{kind} hold'em for two, {counts.deals:,} deals, {drawn}"
    facts = {
        "complete": counts.deals == study.hands,
        "deals_wanted": study.hands,
        "game": describe(study.game),
        "match": study.match,
        "preset": options.preset,
        "seed": study.seed,
    }
    shown = publish_report(
        options,
        f"{head}\n\n{_as_text(counts)}",
        json.dumps(facts | counts.plain()),
        lambda: figure_svg(study_figure(counts, below)),
    )
    return shown or code


def _play(study: Study, jobs: int) -> tuple[StrengthCounts, int]:
    """Play everything, or until Ctrl-C; return the counts and the exit code."""
    from agents.studies.statistical.strength_study import StrengthCounts, count_strengths

    counts = StrengthCounts()
    code = 0
    try:
        for found in count_strengths(study, jobs):
            counts.add(found)
            tell(f"{counts.deals:,} of {study.hands:,} deals")
    except KeyboardInterrupt:
        code = stopped(PROG, counts.deals, study.hands, "deals")
    return counts, code


def _as_text(counts: StrengthCounts) -> str:
    """Return the shapes of the histograms, and the win chances with their intervals."""
    import numpy as np

    from agents.studies.statistical.strength_shape import histogram_shape
    from agents.studies.statistical.strength_study import STREET_NAMES, merged_bins

    rows = {"all streets": slice(None), "after the flop is dealt": slice(1, None)}
    for street, name in enumerate(STREET_NAMES[1:], 1):  # before it strengths are percentiles: flat
        rows[name] = slice(street, street + 1)
    lines = [f"shape of the histogram, {_BINS} bins{'':4}{'hands':44} decisions"]
    for name, streets in rows.items():
        shapes = [
            str(histogram_shape(merged_bins(counted[streets].sum(axis=0), _BINS).tolist()))
            for counted in (counts.hands, counts.decisions)
        ]
        lines.append(f"{name:35}{shapes[0]:44} {shapes[1]}")
    lines += ["", f"strength     {'hands':>8}  won, 95 % interval      " + _columns(STREET_NAMES)]
    found = counts.win_chances(bins=_BINS)
    by_street = [counts.win_chances(street, _BINS).chance for street in range(len(STREET_NAMES))]
    for place, (hands, chance, low, high) in enumerate(zip(*found, strict=True)):
        if hands:
            each = _columns(
                "-" if np.isnan(one[place]) else f"{one[place]:.3f}" for one in by_street
            )
            interval = f"{chance:.3f} [{low:.3f}, {high:.3f}]"
            bounds = f"{place / _BINS:.2f}-{(place + 1) / _BINS:.2f}"
            lines.append(f"{bounds:13}{hands:8,}  {interval:24}{each}".rstrip())
    return "\n".join(lines) + "\n"


def _columns(words: Any) -> str:
    return "".join(f"{word:17}" for word in words).rstrip()
