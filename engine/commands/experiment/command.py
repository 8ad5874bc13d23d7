"""arena experiment subgames DIR: how much do techniques of subgame solving improve a blueprint?

Exit codes: 0 finished, 1 the folder is unusable, 2 wrong arguments, 130 interrupted: what is
finished is shown, and the same command goes on.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT, add_jobs, add_json, add_seed
from engine.console.output import put_json, quietly, say, tell
from engine.console.parser import OneLineParser
from engine.console.progress import LivingLine, RateLimiter
from engine.console.text_table import aligned
from engine.errors import ArtifactMismatch

if TYPE_CHECKING:
    from engine.flop_holdem.experiment import SubgameExperiment

PROG: Final = "arena experiment"
_MBB: Final = 1000
_PUBLISHED: Final = {
    "blueprint": (886.9, 373.7, 91.28),
    "unsafe": (146.8, 39.58, 5.514),
    "resolve": (601.6, 177.9, 54.07),
    "max-margin": (300.5, 139.9, 43.43),
    "reach-max-margin": (298.8, 139.0, 41.47),
    "reach-max-margin, not split": (248.7, 98.07, 25.88),
    "estimate": (116.6, 62.61, 24.23),
    "estimate + distributional": (104.4, 62.45, 34.30),
    "reach-estimate + distributional": (102.1, 57.98, 22.58),
    "the same, not split": (95.60, 49.24, 17.33),
}
"""mbb per hand with 200, 2000 and 30 000 buckets: Brown, Sandholm, "Safe and nested subgame solving
for imperfect-information games", NIPS 2017, small flop hold'em."""
_PUBLISHED_BUCKETS: Final = (200, 2000, 30000)

EPILOG: Final = """\
subgames
  Flop hold'em is over after the flop's betting: one bet of the pot before it, half and whole pots
  on it, two bets at most. A blueprint whose flop hands are in buckets is solved; then each flop is
  solved again by nine techniques, and what a best response wins from each is worked out exactly.
  All 1755 classes of flops take a core some six minutes for a blueprint of 200 iterations and an
  hour and a half for the techniques.

  Ctrl-C stops it, and the same command goes on where it was. With --flops N only N classes of flops
  come up, which takes minutes.

examples:
  arena experiment subgames small --flops 20 --buckets 20 --iterations 20 --solved 50
  arena experiment subgames flop-holdem
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    from engine.flop_holdem.experiment import ExperimentSettings, SubgameExperiment

    try:
        settings = ExperimentSettings(
            options.buckets, options.iterations, options.solved, options.flops, options.seed
        )
    except ValueError as error:
        parser.error(str(error))
    code = 0
    try:
        experiment = SubgameExperiment(options.folder, settings, options.jobs)
        try:
            _run(experiment)
        except KeyboardInterrupt:
            tell(f"{PROG}: stopped; the same command goes on")
            code = INTERRUPTED
        chips = experiment.exploitability()
    except ArtifactMismatch as error:
        tell(f"{PROG}: {error}")
        return FAILED
    except OSError as error:
        tell(f"{PROG}: {error.filename or options.folder}: {error.strerror or error}")
        return FAILED
    return _report(chips, experiment, options) or code


def _run(experiment: SubgameExperiment) -> None:
    begun, stage, first = time.monotonic(), "", 0
    lines = RateLimiter(30.0, longest_seconds=120.0)
    with LivingLine() as line:
        for step in experiment.run():
            if step.stage != stage:
                begun, stage, first = time.monotonic(), step.stage, step.done
            text = f"{step.stage}: {step.done:,} of {step.of:,}"
            if step.done > first:
                passed = time.monotonic() - begun
                left = passed / (step.done - first) * (step.of - step.done)
                text += f", {left / 60:.0f} minutes left of this"
            if line.living:
                line.show(text)
            else:
                lines(text)


def _report(
    chips: dict[str, dict[int, float]], experiment: SubgameExperiment, options: argparse.Namespace
) -> int:
    big_blind = experiment.game.tree.game.big_blind
    found = {
        name: {buckets: _MBB * won / big_blind for buckets, won in row.items()}
        for name, row in chips.items()
    }
    if options.json != STDOUT:
        for line in _table(found, experiment):
            say(line)
    if options.json is None:
        return 0
    facts: dict[str, Any] = {
        "command": f"{PROG} subgames",
        "flops": experiment.settings.flops,
        "iterations": experiment.settings.iterations,
        "solved": experiment.settings.solved,
        "exploitability_mbb_per_hand": found,
        "published": {"buckets": _PUBLISHED_BUCKETS, "mbb_per_hand": _PUBLISHED},
    }
    return put_json(options.json, facts, PROG)


def _table(found: dict[str, dict[int, float]], experiment: SubgameExperiment) -> list[str]:
    if not found:
        return ["nothing is finished yet"]
    buckets = [one for one in experiment.settings.buckets if one in found["blueprint"]]
    rows = [["exploitability, mbb/h", *(f"{one:,} buckets" for one in buckets)]]
    rows[0] += [f"published, {one:,}" for one in buckets if one in _PUBLISHED_BUCKETS]
    for name, row in found.items():
        cells = [f"{row[one]:.2f}" for one in buckets]
        cells += [
            f"{_PUBLISHED[name][_PUBLISHED_BUCKETS.index(one)]:g}"
            for one in buckets
            if one in _PUBLISHED_BUCKETS
        ]
        rows.append([name, *cells])
    return aligned(rows)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Make comparisons that papers published again.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("what", metavar="subgames", choices=("subgames",), help="techniques of subgame solving")
    add("folder", metavar="DIR", type=Path, help="keeps what is done, and the results")
    add(
        "--buckets",
        metavar="B[,B...]",
        type=_buckets,
        default=_PUBLISHED_BUCKETS,
        help="of the flop's hands, for a blueprint each (200,2000,30000)",
    )
    add(
        "--iterations",
        metavar="N",
        type=count,
        default=200,
        help="of each blueprint (%(default)s)",
    )
    add(
        "--solved",
        metavar="N",
        type=count,
        default=200,
        help="iterations of each flop that is solved again (%(default)s)",
    )
    add(
        "--flops",
        metavar="N",
        type=_flops,
        default=1755,
        help="classes of flops that come up, evenly chosen (%(default)s, which are all)",
    )
    add_seed(parser, "of the buckets")
    add_jobs(parser)
    add_json(parser)
    return parser


def _buckets(text: str) -> tuple[int, ...]:
    found = tuple(count(word) for word in text.split(","))
    if max(found) > 1 << 16 or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"{text}: want different numbers from 1 to {1 << 16}")
    return found


def _flops(text: str) -> int:
    found = count(text)
    if found > 1755:
        raise argparse.ArgumentTypeError(f"there are 1755 classes of flops, not {found}")
    return found


if __name__ == "__main__":
    sys.exit(main())
