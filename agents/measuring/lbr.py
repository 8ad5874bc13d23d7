"""Measure what can be won from an agent, at least: `arena lbr AGENT`.

Local best response and scripts that look at no card say so; --worst finds the worst of many.
Only agents that tell their whole strategy can be measured: those with a `policy` in the roster.
Exit codes: 0 measured, 1 it cannot be, 2 wrong arguments, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from engine.console.arguments import count
from engine.console.options import add_game, add_jobs, add_json, add_seed
from engine.console.parser import OneLineParser
from engine.evaluation.attack_options import BETS_IN_WORDS, add_rivers, add_scripts, add_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena lbr"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.one_line and not (options.river or options.worst):
        parser.error("--one-line is for --river or --worst")
    from agents.measuring.lbr_work import measure_bot

    return measure_bot(options, PROG)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Lower bounds on what can be won from an agent: by local best response, which "
        "knows the agent's strategy, by best responses on the river, and by scripts that look at "
        "no card.",
        epilog=BETS_IN_WORDS,
    )
    add = parser.add_argument
    add(
        "agent",
        metavar="AGENT",
        help="an agent that tells its strategy, with its options: blueprint, "
        "or 'blueprint --model FILE'",
    )
    add(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the agent in another way, such as model=FILE",
    )
    add_settings(
        parser, "LBR's actions by street, such as C,C,FCPA,FCPA (without any: the published four)"
    )
    add_scripts(
        parser,
        "what a player wins who looks at no card, such as C,300f, which calls before the flop, "
        "then bets three pots once on each street, and folds to raises",
    )
    add_rivers(
        parser,
        "what the best response on the river wins, with raises of 0.5, 1 and 2.5 pots and all-in. "
        "Before the river the player follows a script, or with FC checks, calls and folds by "
        "equity",
    )
    add(
        "--worst",
        action="store_true",
        help="try many settings, scripts and ways to the river, or those named, with few samples "
        "each, then measure those again that seem worst, on other deals and boards",
    )
    add("--pairs", metavar="N", type=count, default=1000, help="pairs of hands (%(default)s)")
    add(
        "--holes",
        metavar="N",
        type=_holes,
        default=1,
        help="hands that LBR plays on each board of a pair, up to 1081: a mean of more varies "
        "less, and an agent that searches solves the board once for many; scripts and rivers have "
        "all hands anyway (%(default)s)",
    )
    add(
        "--boards",
        metavar="N",
        type=count,
        default=200,
        help="boards of a script or a river (%(default)s)",
    )
    add(
        "--one-line",
        action="store_true",
        help="of each river's board follow one line of the agent to the river, drawn by its "
        "probability, and raise only where it still has a tenth of its hands: for agents that "
        "search, which are slow to ask",
    )
    add_seed(parser, "of the deals and boards")
    add_jobs(parser)
    add_game(parser, None, otherwise="that of the model named, else hunl")
    add_json(parser)
    return parser


def _holes(text: str) -> int:
    from engine.evaluation.lbr_match import MOST_HOLES

    holes = count(text)
    if holes > MOST_HOLES:
        raise argparse.ArgumentTypeError(f"a board leaves {MOST_HOLES} hands, not {holes}")
    return holes


if __name__ == "__main__":
    sys.exit(main())
