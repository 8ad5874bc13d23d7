"""Compare two blueprints of the same betting: `arena versus A.blueprint B.blueprint`.

Exit codes: 0 compared, 1 a file cannot be read or written, 2 wrong arguments or games, 130 Ctrl-C
(what there is, is shown).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from agents.blueprint.model import load_model
from agents.blueprint.models import SHIPPED, shipped_model
from agents.blueprint.versus import Contender, values_on_boards
from agents.bot_words import read_bot
from agents.errors import AgentError, UnknownAgent
from engine.console.arguments import count, real_number
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT, add_jobs, add_json, add_seed
from engine.console.output import show, tell, write_files
from engine.console.parser import OneLineParser
from engine.console.progress import NowAndThen
from engine.console.quantities import interval
from engine.errors import EngineError
from engine.estimates.winrate import WinRate, win_rate
from protocol.gamedefs import load_builtin

PROG: Final = "arena versus"
_BOT: Final = "blueprint"
_GAME: Final = "hunl"
"""Whose shipped model plays where none is named."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    values: list[float] = []
    code = 0
    said = NowAndThen()
    try:
        for value in values_on_boards(
            options.one, options.other, options.boards, options.seed, workers=options.jobs
        ):
            values.append(value)
            said(f"{len(values):,} of {options.boards:,} boards")
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except (EngineError, OSError) as error:
        tell(f"{PROG}: {error}")
        return FAILED
    if not values:
        return code
    game = load_model(options.one.path, verify=False).tree.game
    rate = win_rate(np.array(values), game.big_blind)
    return _report(options, rate) or code


def _report(options: argparse.Namespace, rate: WinRate) -> int:
    boards = f"{rate.samples:,} board{'s' if rate.samples > 1 else ''}"
    shown = (
        0
        if options.json == STDOUT
        else show(
            f"{options.one.text} against {options.other.text}: "
            f"{interval(rate.mbb_per_hand, rate.ci95)} mbb/h (95 %)\n"
            f"{boards}, each with all hands and all actions in both seatings\n",
            PROG,
        )
    )
    if options.json is not None:
        facts = {
            "one": options.one.text,
            "other": options.other.text,
            "mbb_per_hand": rate.mbb_per_hand,
            "ci95": rate.ci95 if math.isfinite(rate.ci95) else None,
            "boards": rate.samples,
            "seed": options.seed,
        }
        return write_files({options.json: json.dumps(facts, indent=2) + "\n"}, PROG) or shown
    return shown


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="What one blueprint wins from another whose abstract game has the same bets: "
        "only boards are sampled, hands and actions are summed up exactly.",
        epilog="A MODEL is a file or, for the shipped one, the name of its game, or the bot with "
        'its options in quotes, "blueprint --model FILE --threshold 0.1", as for arena match; '
        "MODEL,purify and MODEL,threshold=0.1 say the same.",
    )
    add = parser.add_argument
    add("one", metavar="MODEL", type=_player, help="whose winnings are shown")
    add("other", metavar="MODEL", type=_player, help="its opponent")
    add("--boards", metavar="N", type=count, default=200, help="boards (%(default)s)")
    add_seed(parser, "of the boards")
    add_jobs(parser)
    add_json(parser)
    return parser


def _player(text: str) -> Contender:
    if text.split()[:1] == [_BOT] and not Path(text).exists():
        return _bot(text)
    name, *words = text.split(",")
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r}: want a model's file, or the name of its game")
    threshold, purify = 0.0, False
    for word in words:
        key, _, value = word.partition("=")
        if word == "purify":
            purify = True
        elif key == "threshold":
            threshold = _probability(value)
        else:
            raise argparse.ArgumentTypeError(f"{text}: {word!r} is neither purify nor threshold=P")
    return Contender(text, _file(name), threshold, purify)


def _bot(text: str) -> Contender:
    try:
        _, options = read_bot(text)
    except UnknownAgent as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    threshold = _probability(str(options["threshold"]))
    return Contender(
        text, _file(str(options["model"] or _GAME)), threshold, bool(options["purify"])
    )


def _file(name: str) -> Path:
    path = Path(name)
    return shipped_model(load_builtin(name)) if name in SHIPPED and not path.exists() else path


_probability: Final = real_number(lambda value: 0 <= value <= 1, "threshold {}: want a probability")


if __name__ == "__main__":
    sys.exit(main())
