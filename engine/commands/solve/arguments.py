"""The command line of `arena solve`: options, help and defaults."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.commands.solve.machine import free_memory
from engine.console.arguments import real_number, whole_number
from engine.console.minimiser_options import add_choice
from engine.console.options import add_json
from engine.console.parser import OneLineParser

PROG: Final = "arena solve"
MOST_CHIPS: Final = 10**9
"""In a pot and in a stack; both together fit the engine's 32-bit chips."""
AUTO: Final = "auto"
ALGORITHM: Final = "dcfr+"
"""What comes closest soonest on typical spots: see `tests/benchmarks/bench_solve.py`."""
_SHARE_OF_FREE: Final = 0.75

_DESCRIPTION: Final = """\
Solve a river, turn or flop spot of heads-up no-limit hold'em over full ranges. Print the strategy
at its root and its exploitability, and save all of it. Given a saved FILE, print any of its
decisions."""

_EPILOG: Final = """\
ranges:
  QQ+ AKs AKo AK 77-55 A5s-A2s A5s+ JTs-76s AhKh 20% random, joined by commas. AKs:0.5 has half
  the weight; 20% are the hands that do best against a random one. @FILE reads a range from a
  file.

sizes:
  per cent of the pot, after the call where there is a bet to call; a is all-in. 50,100,a is for
  every street, 50,100,a/75,a/100 a list for each street from the board's on.

tables:
  share is how often a hand is held there. EV is the chips it takes out of the pot on average, less
  what it puts in from there on; both players' sum to the pot. It is left out behind the root of a
  flop where it would take long. The words in the row --node are what --node wants: r and all chips
  put in over the hand, those already in the pot included. A / separates streets: --node cc/
  --dealt 2h is the first decision after check, check and the deuce of hearts.

examples:
  arena solve --board 4s8hTc9h2s --pot 500 --stacks 19750 --oop random --ip random --bets 50,100,a
                          a river, under a second
  arena solve --board KsJs7d2c --pot 500 --stacks 4750 --oop 22+,A2s+ --ip QQ+,AKs --out my.solution
                          a turn, 2 to 6 seconds
  arena solve --board KsJs7d --pot 500 --stacks 2750 --oop 30% --ip 20% --max-raises 2
                          a flop, 1 to 5 minutes
  arena solve my.solution --node cr500 --hands AA,KK
  arena solve my.solution --node cr500c --dealt 2h --combos

  The first solve on a machine compiles the solver besides, for some 20 seconds (river) to 40.
  What a spot takes in memory and time is said on stderr before it is begun.
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    made = OneLineParser(
        prog=PROG,
        usage="%(prog)s --board CARDS --pot CHIPS --stacks CHIPS --oop RANGE --ip RANGE "
        "[OPTION...]\n       %(prog)s FILE [--node BETTING] [--dealt CARDS] [--hands RANGE] "
        "[--combos] [--json]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a saved solution")
    _add_spot(made.add_argument_group("the spot"))
    _add_work(made.add_argument_group("how far, and with what"))
    add_choice(made.add_argument_group("how --algorithm adaptive chooses"))
    _add_look(made.add_argument_group("what to print"))
    return made


def _add_spot(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--board", metavar="CARDS", help="3, 4 or 5 cards, as KsJs7d")
    group.add_argument(
        "--pot",
        metavar="CHIPS",
        type=whole_number(2, MOST_CHIPS),
        help="an even number, half of it from each player",
    )
    group.add_argument(
        "--stacks",
        metavar="CHIPS",
        help="chips each player has left; of two numbers, as in 900,1200, the smaller one counts",
    )
    group.add_argument(
        "--oop", metavar="RANGE", help="hands of the player out of position, who acts first"
    )
    group.add_argument("--ip", metavar="RANGE", help="hands of the player in position")
    group.add_argument(
        "--bets", metavar="SIZES", default="50,100,a", help="first bets (default %(default)s)"
    )
    group.add_argument(
        "--raises", metavar="SIZES", default="100,a", help="raises (default %(default)s)"
    )
    group.add_argument(
        "--max-raises",
        metavar="N",
        type=_most_raises,
        help="most bets and raises on a street (default: without bound); auto: without bound, or "
        "else the largest of 3, 2 and 1 that fits in --memory",
    )
    group.add_argument(
        "--big-blind",
        metavar="CHIPS",
        type=whole_number(1, MOST_CHIPS),
        default=100,
        help="the smallest bet (default %(default)s)",
    )


def _add_work(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--accuracy",
        metavar="PERCENT",
        type=_positive(1e6),
        default=0.3,
        help="stop at this exploitability, in per cent of the pot (default %(default)s). Most "
        "spots reach 0.01, those with deep stacks do not; a solve that stops improving ends",
    )
    group.add_argument(
        "--iterations",
        metavar="N",
        type=whole_number(1, 10**9),
        help="or after so many, those of a checkpoint included",
    )
    group.add_argument("--seconds", metavar="S", type=_positive(1e9), help="or after so long")
    group.add_argument(
        "--algorithm",
        metavar="NAME",
        default=ALGORITHM,
        help="member of the CFR family, or adaptive: chosen among several while it solves, by what "
        "they take off the exploitability (default %(default)s)",
    )
    group.add_argument(
        "--threads",
        metavar="N",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        help="on turn and flop (default: one for each core, here %(default)s)",
    )
    group.add_argument(
        "--storage",
        choices=(AUTO, "float32", "int16"),
        default=AUTO,
        help="precision of the tables; int16 takes 60 per cent of the memory (default: float32 "
        "where that fits in --memory)",
    )
    group.add_argument(
        "--memory",
        metavar="GIB",
        type=_positive(1e6),
        default=max(0.1, round(_SHARE_OF_FREE * free_memory() / 2**30, 1)),
        help="refuse what needs more (default: three quarters of what is free, here %(default)s)",
    )
    group.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="save the solution here (default BOARD.solution, with a number where that exists); a "
        "solution that is there already is replaced",
    )
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="save the unfinished work here every minute, and resume it if it is there: "
        "the same spot with the same --algorithm",
    )


def _add_look(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--node",
        metavar="BETTING",
        default="",
        help="the decision after this betting, as cr500 (default: the root)",
    )
    group.add_argument(
        "--dealt",
        metavar="CARDS",
        default="",
        help="board cards that came since the root, where the decision is on a later street",
    )
    group.add_argument("--hands", metavar="RANGE", help="only these hands")
    group.add_argument("--combos", action="store_true", help="a row for every combo")
    add_json(
        group, "one JSON object instead of the tables, or beside them in FILE", beside_files=True
    )


def _most_raises(text: str) -> int | str:
    return AUTO if text == AUTO else whole_number(0, 64, "{!r}: want 0 to 64, or auto")(text)


def _positive(largest: float) -> Callable[[str], float]:
    return real_number(
        lambda value: 0 < value <= largest, f"{{!r}}: want a number above 0, at most {largest:,.0f}"
    )
