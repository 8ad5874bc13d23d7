"""`arena experiment sizes`: which bet sizes are best for a player that has few of them?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from engine.commands.experiment.options import add_flop_classes, add_folder
from engine.commands.experiment.steps import show_steps
from engine.console.arguments import count, real_number, whole_number
from engine.console.drawing import figure_file, figure_svg
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.options import STDOUT, add_jobs, add_json
from engine.console.output import put_json, say, tell, write_files
from engine.console.text_table import aligned
from engine.errors import OutOfMemory

if TYPE_CHECKING:
    from engine.flop_holdem.bet_sizes import SizeExperiment
    from engine.flop_holdem.size_search import Point

_PROG: Final = "arena experiment sizes"
_DEFAULT_FLOPS: Final = 3
_NONE: Final = "none"
_STREETS: Final = 2
_EPILOG: Final = """\
The searcher's menu has N sizes of the first raise before the flop, one of a raise after it, the
same on the flop, and all-in against bets. The opponent's menu is rich and stays as it is. The game
has bets before the flop and on a few flops, then two more cards come; it is solved whole for every
menu, from both positions. A menu is worth what it wins then: 0 would be as much as the opponent's.

Each size in turn is moved up and down, by a factor of 1.6 and then of 1.26, as long as that gains
more than --least. Then each is moved alone, to see what it loses.

Menus are written as MENU, in per cent of the pot, a for all-in: streets separated by /, the raises
on each by ;, where an empty list ends them.

60 iterations settle values with 20 blinds to 2 mbb, 160 those with 200 to 4: a core takes 2 and 4
seconds for each menu and flop. A search takes some 20 menus, its curves 8 more. With too few
iterations what is found is chance.

Ctrl-C stops it, and the same command goes on; other --starts and --beside add to the same folder.

examples:
  arena experiment sizes quick --stack 20 --flops 2 --iterations 20 --starts 100
  arena experiment sizes deep --stack 200 --svg sizes.svg
  arena experiment sizes check --flops 10 --starts none --beside "79;100,a;a;/63;126,a;"
"""


def _run(options: argparse.Namespace) -> int:
    """Do what is left, and report; return the exit code.

    Raises:
        ArtifactMismatch: the folder holds something else.
        OSError: it cannot be read or written.
    """
    from engine.flop_holdem.bet_sizes import OPPONENT, SizeExperiment, SizeSettings
    from engine.flop_holdem.size_search import start_at

    if options.svg is not None and options.svg == options.json:
        tell(f"{_PROG}: error: --json and --svg: {options.svg} cannot be both")
        return WRONG_ARGUMENTS
    if not options.starts and not options.beside:
        tell(f"{_PROG}: error: --starts {_NONE} finds nothing without --beside")
        return WRONG_ARGUMENTS
    opponent = OPPONENT if options.opponent is None else options.opponent
    settings = SizeSettings(options.stack, options.flops, options.iterations, opponent)
    experiment = SizeExperiment(options.folder, settings, options.jobs)
    starts = {share: start_at(share / 100, options.sizes) for share in options.starts}
    try:
        code = show_steps(_steps(experiment, list(starts.values()), options), _PROG)
    except OutOfMemory as error:
        tell(f"{_PROG}: error: {error}")
        return WRONG_ARGUMENTS
    facts = _facts(experiment, starts, options)
    if options.json != STDOUT:
        for line in _lines(facts):
            say(line)
    if options.svg is not None and facts["losses"]:
        from engine.commands.experiment.sizes_picture import sizes_figure

        code = write_files({options.svg: figure_svg(sizes_figure(facts))}, _PROG) or code
    if options.json is not None:
        code = put_json(options.json, facts, _PROG) or code
    return code


def _steps(
    experiment: SizeExperiment, starts: list[Point], options: argparse.Namespace
) -> Iterator[tuple[str, int, int]]:
    for menu in options.beside:
        yield from experiment.evaluate(menu)
    for start in starts:
        yield from experiment.search(start, options.least)
    if (best := experiment.best(starts, options.least)) is not None:
        yield from experiment.around(best)


def _facts(
    experiment: SizeExperiment, starts: dict[int, Point], options: argparse.Namespace
) -> dict[str, Any]:
    """Return what is known so far, as JSON has it."""
    from engine.flop_holdem.size_search import menu_text, names_of_sizes, percent_of_pot

    def won(menu: str) -> dict[str, Any]:
        worth = experiment.worth(menu)
        if worth is None:
            return {"menu": menu}
        bounds = {"low": list(worth.low), "high": list(worth.high)}
        return {"menu": menu, "mbb_per_hand": worth.middle, "by_position": bounds}

    searches = {share: experiment.found(start, options.least) for share, start in starts.items()}
    best = experiment.best(list(starts.values()), options.least)
    losses = {}
    if best is not None:
        losses = {
            name: {
                "best": percent_of_pot(best[size]),
                "moved": [
                    [percent_of_pot(level), lost] for level, lost in experiment.losses(best, size)
                ],
            }
            for size, name in enumerate(names_of_sizes(options.sizes))
        }
    return {
        "command": _PROG,
        "stack": options.stack,
        "flops": options.flops,
        "iterations": options.iterations,
        "least": options.least,
        "opponent": experiment.settings.opponent,
        "beside": [won(menu) for menu in options.beside],
        "searches": {
            share: {
                "ended": found.wanted is None,
                "path": [won(menu_text(point)) for point in found.path],
            }
            for share, found in searches.items()
        },
        "best": None if best is None else won(menu_text(best)),
        "losses": losses,
    }


def _lines(facts: dict[str, Any]) -> list[str]:
    rows = [["what", "menu", "wins, mbb/h", "sure of", "at most"]]
    rows += [_row("beside", one) for one in facts["beside"]]
    for share, search in facts["searches"].items():
        rows.append(_row(f"start at {share} %", search["path"][0]))
        rows.append(_row("found" if search["ended"] else "so far", search["path"][-1]))
    lines = aligned(rows)
    if facts["losses"]:
        lines += ["", "lost where one size of the best is moved, % of the pot: mbb/h"]
    for name, losses in facts["losses"].items():
        lines.append(
            f"{name}: " + ", ".join(f"{size}: {lost:.1f}" for size, lost in losses["moved"])
        )
    return lines


def _row(what: str, won: dict[str, Any]) -> list[str]:
    if "mbb_per_hand" not in won:
        return [what, won["menu"], "-", "-", "-"]
    low, high = (sum(won["by_position"][end]) / 2 for end in ("low", "high"))
    return [what, won["menu"], f"{won['mbb_per_hand']:.1f}", f"{low:.1f}", f"{high:.1f}"]


def add_parser(tasks: Any) -> None:
    """Add the parser of this comparison."""
    parser = tasks.add_parser(
        "sizes",
        help="bet sizes that are found by search",
        description="Search for the best bet sizes of a player that has few of them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add_folder(parser)
    stacks = whole_number(2, 10_000)
    add("--stack", metavar="N", type=stacks, default=200, help="in big blinds (%(default)s)")
    add_flop_classes(parser, _DEFAULT_FLOPS)
    add(
        "--iterations",
        metavar="N",
        type=count,
        default=160,
        help="of DCFR for each menu and position (%(default)s)",
    )
    add(
        "--sizes",
        metavar="N",
        type=whole_number(1, 3),
        default=1,
        help="of a first bet, 1 to 3 (%(default)s)",
    )
    add(
        "--starts",
        metavar="P[,P...]",
        type=_starts,
        default=(50, 150),
        help="per cent of the pot that all sizes begin at; none: no search (50,150)",
    )
    add(
        "--least",
        metavar="MBB",
        type=real_number(lambda value: 0 <= value <= 1e6, "{}: want a number of 0 or more"),
        default=2.0,
        help="mbb per hand that a step must gain (%(default)s)",
    )
    add("--opponent", metavar="MENU", type=_menu, help="its bets, in place of those that it has")
    add(
        "--beside",
        metavar="MENU",
        type=_menu,
        action="append",
        default=[],
        help="also find what this one wins; may be repeated",
    )
    add("--svg", metavar="FILE", type=figure_file, help="draw there what moving a size loses")
    add_jobs(parser, "threads")
    add_json(parser)


def _starts(text: str) -> tuple[int, ...]:
    if text == _NONE:
        return ()
    found = tuple(whole_number(10, 1000)(word) for word in text.split(","))
    if len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"{text}: want different numbers")
    return found


def _menu(text: str) -> str:
    from engine.betting.bet_menu import parse_menu

    try:
        parse_menu(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if text.count("/") >= _STREETS:
        raise argparse.ArgumentTypeError(f"{text}: there are no bets after the flop")
    return text
