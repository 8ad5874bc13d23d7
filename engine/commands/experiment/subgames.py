"""`arena experiment subgames`: how much do techniques of subgame solving improve a blueprint?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from engine.commands.experiment.options import add_flop_classes, add_folder
from engine.commands.experiment.picture import techniques_figure
from engine.commands.experiment.steps import show_steps
from engine.console.arguments import count
from engine.console.drawing import figure_file, figure_svg
from engine.console.options import STDOUT, add_jobs, add_json, add_seed
from engine.console.output import put_json, say, write_files
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from engine.flop_holdem.experiment import SubgameExperiment

_PROG: Final = "arena experiment subgames"
_MBB: Final = 1000
_BUCKETS: Final = (200, 2000, 30000)
_PUBLISHED: Final = {
    "small": {
        "blueprint": (886.9, 373.7, 91.28),
        "unsafe": (146.8, 39.58, 5.514),
        "resolve": (601.6, 177.9, 54.07),
        "max-margin": (300.5, 139.9, 43.43),
        "reach-max-margin": (298.8, 139.0, 41.47),
        "reach-max-margin, not split": (248.7, 98.07, 25.88),
        "estimate": (116.6, 62.61, 24.23),
        "estimate + distributional": (104.4, 62.45, 34.30),
        "reach-estimate + distributional": (102.1, 57.98, 22.58),
        "reach-estimate + distributional, not split": (95.60, 49.24, 17.33),
    },
    "large": {
        "blueprint": (283.7, 165.2, 41.41),
        "unsafe": (65.59, 38.22, 396.8),
        "resolve": (179.6, 101.7, 23.11),
        "max-margin": (134.7, 77.89, 19.50),
        "reach-max-margin": (134.0, 72.22, 18.80),
        "reach-max-margin, not split": (130.3, 66.79, 16.41),
        "estimate": (52.62, 41.93, 30.09),
        "estimate + distributional": (49.56, 38.98, 10.54),
        "reach-estimate + distributional": (49.33, 38.52, 9.840),
        "reach-estimate + distributional, not split": (49.13, 37.22, 8.777),
    },
    "turn": {
        "blueprint": (684.6, 465.1, 345.5),
        "unsafe": (130.4, 85.95, 79.34),
        "resolve": (454.9, 321.5, 251.8),
        "max-margin": (427.6, 299.6, 234.4),
        "reach-max-margin": (424.4, 298.3, 233.5),
        "reach-max-margin, not split": (333.4, 229.4, 175.5),
        "estimate": (120.6, 89.43, 76.44),
        "estimate + distributional": (119.4, 87.83, 74.35),
        "reach-estimate + distributional": (116.8, 85.80, 72.59),
        "reach-estimate + distributional, not split": (113.3, 83.24, 70.68),
    },
}
"""By tree, mbb per hand with `_PUBLISHED_BUCKETS`: Brown, Sandholm, "Safe and nested subgame
solving for imperfect-information games", NIPS 2017, tables 1 to 3."""
_PUBLISHED_BUCKETS: Final = {"small": _BUCKETS, "large": _BUCKETS, "turn": (200, 2000, 20000)}

_EPILOG: Final = """\
Flop hold'em is over after the flop's betting. In the small game there is one bet of the pot before
it, half and whole pots on it, two bets at most. The large one has one bet of half, three quarters
or all of the pot before it, and all-in bets on it too.

A blueprint whose flop hands are in buckets is solved; then each flop is solved again by nine
techniques, and what a best response wins from each is worked out exactly. All 1755 classes of flops
take two cores a quarter of an hour for a blueprint and 25 minutes for the techniques; three to four
times as long in the large game. The turn game begins on one flop, with half and whole pots, two
bets a street, and its turns are solved again.

Ctrl-C stops it, and the same command goes on where it was. With --flops N only N classes of flops
come up, which takes minutes.

examples:
  arena experiment subgames quick --flops 20 --buckets 20 --iterations 20 --solved 50
  arena experiment subgames flop-holdem
  arena experiment subgames large --tree large --flops 100 --buckets 11,114,1710
  arena experiment subgames turn --tree turn --buckets 50,500,5000
"""


def _run(options: argparse.Namespace) -> int:
    """Do what is left, and report; return the exit code.

    Raises:
        ArtifactMismatch: the folder holds something else.
        OSError: it cannot be read or written.
    """
    from engine.flop_holdem.experiment import ExperimentSettings, SubgameExperiment

    settings = ExperimentSettings(
        options.tree, options.iterations, options.solved, options.flops, options.seed
    )
    experiment = SubgameExperiment(options.folder, settings, options.buckets, options.jobs)
    code = show_steps(experiment.run(), _PROG)
    return _report(experiment.exploitability(), experiment, options) or code


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
    code, tree = 0, experiment.settings.tree
    if options.svg is not None and found:
        published = _PUBLISHED[tree], _PUBLISHED_BUCKETS[tree]
        figure = techniques_figure(found, *published, _subtitle(experiment))
        code = write_files({options.svg: figure_svg(figure)}, _PROG)
    if options.json is None:
        return code
    facts: dict[str, Any] = {
        "command": _PROG,
        "tree": tree,
        "flops": len(experiment.game.flops.ways),
        "iterations": experiment.settings.iterations,
        "solved": experiment.settings.solved,
        "exploitability_mbb_per_hand": found,
        "published": {
            "buckets": _PUBLISHED_BUCKETS[tree],
            "mbb_per_hand": _PUBLISHED[tree],
        },
    }
    return put_json(options.json, facts, _PROG) or code


def _subtitle(experiment: SubgameExperiment) -> str:
    settings = experiment.settings
    boards = len(experiment.game.flops.ways)
    return (
        f"{settings.tree} game, {boards} classes of boards, blueprints of "
        f"{settings.iterations} iterations, boards solved again in {settings.solved}"
    )


def _table(found: dict[str, dict[int, float]], experiment: SubgameExperiment) -> list[str]:
    if not found:
        return ["nothing is finished yet"]
    buckets = [one for one in experiment.wanted if one in found["blueprint"]]
    tree = experiment.settings.tree
    published = {
        number: place for place, number in enumerate(_PUBLISHED_BUCKETS[tree]) if number in buckets
    }
    rows = [["exploitability, mbb/h", *(f"{one:,} buckets" for one in buckets)]]
    rows[0] += [f"published, {one:,}" for one in published]
    for name, row in found.items():
        cells = [f"{row[one]:.2f}" for one in buckets]
        cells += [f"{_PUBLISHED[tree][name][place]:g}" for place in published.values()]
        rows.append([name, *cells])
    return aligned(rows)


def add_parser(tasks: Any) -> None:
    """Add the parser of this comparison."""
    parser = tasks.add_parser(
        "subgames",
        help="techniques of subgame solving on flop hold'em",
        description="Compare techniques of subgame solving on flop hold'em.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add_folder(parser)
    add(
        "--tree",
        choices=tuple(_PUBLISHED),
        default="small",
        help="the article's small or large game, or its turn game on one flop (%(default)s)",
    )
    add(
        "--buckets",
        metavar="B[,B...]",
        type=_buckets,
        default=_BUCKETS,
        help="of the last street's hands, for a blueprint each (200,2000,30000)",
    )
    add(
        "--iterations",
        metavar="N",
        type=count,
        default=1000,
        help="of each blueprint (%(default)s)",
    )
    add(
        "--solved",
        metavar="N",
        type=count,
        default=400,
        help="iterations of each flop that is solved again (%(default)s)",
    )
    add_flop_classes(parser)
    add_seed(parser, "of the buckets")
    add_jobs(parser)
    add_json(parser)
    add("--svg", metavar="FILE", type=figure_file, help="draw there what the table says")


def _buckets(text: str) -> tuple[int, ...]:
    found = tuple(count(word) for word in text.split(","))
    if max(found) > 1 << 16 or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"{text}: want different numbers from 1 to {1 << 16}")
    return found
