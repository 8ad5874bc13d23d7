"""Train what bots play by: `python -m agents.training KIND ...`, also known as `arena train`."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Final

from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import show, tell
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena train"
KINDS: Final = {
    "ashe": ("agents.ashe.train_command", "a network that says what hands are worth, by evolution"),
    "ashe-2": ("agents.lookahead.train_command", "ASHE 2.0: estimators, by evolution"),
    "astar": ("agents.astar.train_command", "networks that exploit opponents, by evolution"),
    "blueprint": ("agents.blueprint.train_command", "an approximate equilibrium, by MCCFR"),
    "equilibrium": (
        "agents.equilibrium.train_command",
        "an equilibrium of a small game, by CFR",
    ),
    "statistical": (
        "agents.statistical.learning.command",
        "what players do, from match logs",
    ),
}
"""Kind -> (module with a `main`, summary); nothing is imported until chosen."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code.  Errors go to stderr, one line each."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments and arguments[0] in ("-h", "--help"):
        return show(_help(), PROG)
    if not arguments or arguments[0] not in KINDS:
        named = f"nothing called {arguments[0]!r} is trained; " if arguments else ""
        tell(f"{PROG}: {named}there is {', '.join(KINDS)} (--help shows more)")
        return WRONG_ARGUMENTS
    module = importlib.import_module(KINDS[arguments[0]][0])
    try:
        code: int = module.main(arguments[1:])
        return code
    except AgentError as error:
        tell(f"{PROG} {arguments[0]}: {error}")
        return error.exit_code
    except (EngineError, OSError) as error:
        tell(f"{PROG} {arguments[0]}: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _help() -> str:
    lines = [f"usage: {PROG} KIND [OPTION...]", "", "Train what bots play by.", ""]
    lines += [f"  {name:12}  {summary}" for name, (_, summary) in KINDS.items()]
    lines += ["", f"`{PROG} KIND --help` tells more."]
    return "\n".join(lines) + "\n"
