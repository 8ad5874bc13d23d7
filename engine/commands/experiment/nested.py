"""`arena experiment nested`: answers to a bet that the abstraction lacks, solved or translated."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from engine.commands.experiment.options import add_flop_classes, add_folder
from engine.commands.experiment.steps import show_steps
from engine.console.arguments import count, whole_number
from engine.console.options import STDOUT, add_jobs, add_json
from engine.console.output import put_json, say, tell
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from engine.flop_holdem.nested_experiment import NestedExperiment

_PROG: Final = "arena experiment nested"
_MBB: Final = 1000
_DEFAULT_FLOPS: Final = 20
_MOST_BETS: Final = 3
"""On the flop: before a fourth one some stacks are too short for .75, or for all of the pot."""
_PUBLISHED: Final = {
    "translation, randomised": 1465.0,
    "resolve": 150.2,
    "max-margin": 122.0,
    "reach-max-margin": 119.1,
    "unsafe, from the street": 148.3,
    "reach-max-margin, from the street": 149.2,
}
"""mbb per hand: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games",
NIPS 2017, on nested solving; its expensive forms are those from the street."""

_EPILOG: Final = """\
Flop hold'em is over after the flop's betting. The opponent bets half, three quarters or all of the
pot, once before the flop and up to three times on it; the agent's abstraction has no three quarters
for either. Hands are not in buckets. The abstraction's game is solved; then an agent in either
position answers bets of three quarters by translation, or by solving again what follows each, and
what a best response in the whole game wins is worked out exactly.

A flop takes a core some two minutes, 35 MB of disk and as much memory in each process. Ctrl-C stops
it, and the same command goes on where it was.

examples:
  arena experiment nested quick --bets 1 --flops 1 --iterations 100 --solved 100
  arena experiment nested nested
"""


def _run(options: argparse.Namespace) -> int:
    """Do what is left, and report; return the exit code.

    Raises:
        ArtifactMismatch: the folder holds something else.
        OSError: it cannot be read or written.
    """
    from engine.flop_holdem.nested_experiment import NestedExperiment, NestedSettings

    settings = NestedSettings(options.bets, options.iterations, options.solved, options.flops)
    experiment = NestedExperiment(options.folder, settings, options.jobs)
    code = show_steps(experiment.run(), _PROG)
    return _report(experiment, options) or code


def _report(experiment: NestedExperiment, options: argparse.Namespace) -> int:
    chips = experiment.exploitability()
    if not chips:
        tell("nothing is finished yet")
        return 0
    tree = experiment.game.tree
    big_blind = tree.game.big_blind
    own = _MBB * experiment.blueprint_exploitability() / big_blind
    found = {name: _MBB * won / big_blind for name, won in chips.items()}
    seconds = experiment.seconds()
    if options.json != STDOUT:
        for line in _table(own, found, seconds):
            say(line)
    if options.json is None:
        return 0
    settings = experiment.settings
    facts: dict[str, Any] = {
        "command": _PROG,
        "bets": settings.bets,
        "flops": settings.flops,
        "iterations": settings.iterations,
        "solved": settings.solved,
        "decisions": len(tree.decisions),
        "abstraction_decisions": len(experiment.game.part(0)[0].decisions),
        "blueprint_mbb_per_hand": own,
        "exploitability_mbb_per_hand": found,
        "processor_seconds": seconds,
        "published_mbb_per_hand": _PUBLISHED,
    }
    return put_json(options.json, facts, _PROG)


def _table(own: float, found: dict[str, float], seconds: dict[str, float]) -> list[str]:
    rows = [["exploitability, mbb/h", "", "added", "seconds", "published"]]
    rows.append(["blueprint, where nobody bets .75", f"{own:.2f}", "", _time(seconds, "blueprint")])
    for name, won in found.items():
        published = f"{_PUBLISHED[name]:g}" if name in _PUBLISHED else ""
        rows.append([name, f"{won:.2f}", f"{won - own:.2f}", _time(seconds, name), published])
    rows[1].append("")
    return aligned(rows)


def _time(seconds: dict[str, float], name: str) -> str:
    return f"{seconds[name]:.0f}"


def add_parser(tasks: Any) -> None:
    """Add the parser of this comparison."""
    parser = tasks.add_parser(
        "nested",
        help="nested solving and translation of a bet that the abstraction lacks",
        description="Compare nested solving with translation on flop hold'em.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add_folder(parser)
    add(
        "--bets",
        metavar="N",
        type=whole_number(1, _MOST_BETS),
        default=_MOST_BETS,
        help=f"most bets on the flop, 1 to {_MOST_BETS} (%(default)s)",
    )
    add(
        "--iterations",
        metavar="N",
        type=count,
        default=400,
        help="of the blueprint, and of what follows a bet before the flop (%(default)s)",
    )
    add(
        "--solved",
        metavar="N",
        type=count,
        default=300,
        help="iterations of what follows a bet on a flop (%(default)s)",
    )
    add_flop_classes(parser, _DEFAULT_FLOPS)
    add_jobs(parser)
    add_json(parser)
