"""Commands by name, as `arena COMMAND` and `arena train KIND` have them: finds one and runs it.

Only modules that cost no time are imported, so that the list of commands comes at once.
"""

from __future__ import annotations

import sys

from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import show, tell

TYPE_CHECKING = False
if TYPE_CHECKING:  # what typing costs is most of the time that the list takes
    from collections.abc import Mapping, Sequence


class CommandTable:
    """Commands, each in a module that is imported when it is asked for."""

    def __init__(
        self,
        prog: str,
        summary: str,
        commands: Mapping[str, tuple[str, str]],
        groups: Mapping[str, Sequence[str]] | None = None,
        *,
        word: str = "KIND",
    ) -> None:
        """Take the table.

        Args:
            prog: as typed: "arena train".
            summary: a sentence for the help.
            commands: name -> (module, or "module:function", of `main(argv) -> int`; summary).
            groups: title -> names, as the help shows them; without any it shows one list.
            word: what the help calls a name.
        """
        self.prog = prog
        self.summary = summary
        self.commands = commands
        self.groups = groups or {}
        self.word = word

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run a command line, None for that of the process; return the exit code."""
        arguments = sys.argv[1:] if argv is None else list(argv)
        name = arguments[0] if arguments else ""
        if name in self.commands:
            return self.run(name, arguments[1:])
        if name in ("", "-h", "--help", "help"):
            return show(self.help(), self.prog) or (0 if name else WRONG_ARGUMENTS)
        if name in ("-V", "--version"):
            from engine.console.version import program_version

            return show(f"{self.prog} {program_version()}\n", self.prog)
        tell(self._unknown(name))
        return WRONG_ARGUMENTS

    def run(self, name: str, arguments: Sequence[str]) -> int:
        """Import a command and run it; return its exit code."""
        from importlib import import_module

        module, _, function = self.commands[name][0].partition(":")
        code: int = getattr(import_module(module), function or "main")(arguments)
        return code

    def help(self) -> str:
        """Return the commands and what they are for."""
        width = max(map(len, self.commands))
        grouped = {name for names in self.groups.values() for name in names}
        others = [name for name in self.commands if name not in grouped]
        lines = [f"usage: {self.prog} {self.word} [ARGUMENT...]", "", self.summary, ""]
        for title, names in (*self.groups.items(), ("others" if grouped else "", others)):
            if names:
                lines += [f"{title}:"] * bool(title)
                lines += [f"  {name:{width}}  {self.commands[name][1]}" for name in names]
                lines.append("")
        lines.append(
            f"`{self.prog} {self.word} --help` tells more about it; --version the version."
        )
        return "\n".join(lines) + "\n"

    def _unknown(self, name: str) -> str:
        import difflib

        near = difflib.get_close_matches(name, self.commands, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.commands)}"
        return f"{self.prog}: no {self.word.lower()} is called {name}; {hint}"
