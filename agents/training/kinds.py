"""Commands of several kinds, `arena train KIND` and `arena data KIND`: find the kind and run it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import show, tell
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class KindsCommand(NamedTuple):
    """A command and its kinds."""

    prog: str
    """As typed: "arena train"."""
    summary: str
    """A sentence."""
    done: str
    """What is done to a kind: "trained"."""
    kinds: Mapping[str, tuple[str, str]]
    """Kind -> (module with a `main`, summary); nothing is imported until chosen."""

    def run(self, arguments: Sequence[str]) -> int:
        """Run a command line; return the exit code.  Errors go to stderr, one line each."""
        if arguments and arguments[0] in ("-h", "--help"):
            return show(self._help(), self.prog)
        if not arguments or arguments[0] not in self.kinds:
            named = f"nothing called {arguments[0]!r} is {self.done}; " if arguments else ""
            tell(f"{self.prog}: {named}there is {', '.join(self.kinds)} (--help shows more)")
            return WRONG_ARGUMENTS
        module = importlib.import_module(self.kinds[arguments[0]][0])
        try:
            code: int = module.main(list(arguments[1:]))
            return code
        except AgentError as error:
            tell(f"{self.prog} {arguments[0]}: {error}")
            return error.exit_code
        except (EngineError, OSError) as error:
            tell(f"{self.prog} {arguments[0]}: {error}")
            return FAILED
        except KeyboardInterrupt:
            return INTERRUPTED

    def _help(self) -> str:
        lines = [f"usage: {self.prog} KIND [OPTION...]", "", self.summary, ""]
        lines += [f"  {name:12}  {summary}" for name, (_, summary) in self.kinds.items()]
        lines += ["", f"`{self.prog} KIND --help` tells more."]
        return "\n".join(lines) + "\n"
