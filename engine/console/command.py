"""A command as a record: its help, its options and the one call that does its work.

    COMMAND = Command(
        "arena games", _print, "List the games.", (Option("[NAME]", "of a game", dest="name"),)
    )
    main = COMMAND.main

What is wrong is told in one line on stderr, and decides the exit code: an error's `exit_code` where
its class has one, 1 for a file that cannot be read or written, 2 for wrong arguments, 130 for
Ctrl-C.  argparse stays underneath.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.output import quietly, tell
from engine.console.parser import OneLineParser


class WrongArguments(Exception):
    """The arguments make no sense together; the message is one line."""


class Option:
    """An argument of a command, spelled as its help shows it.

    --verbose            true or false
    --hands N            a value; with several flags: --jobs --workers N
    --json [FILE]        a value that may be left out
    LOG...               an argument without a flag, here one or more; [LOG...]: any number
    """

    def __init__(
        self,
        spelling: str,
        text: str | None,
        kind: Callable[[str], Any] | None = None,
        default: Any = None,
        *,
        repeated: bool = False,
        **others: Any,
    ) -> None:
        """Take what argparse's `add_argument` has to know.

        Args:
            spelling: see above.
            text: the help; argparse fills "%(default)s" in.
            kind: makes the value of a word, or raises argparse.ArgumentTypeError.
            default: what the value is without the option.
            repeated: whether the option may be given several times; the value is then a list.
            others: for `add_argument`, such as `choices`, `dest` and `required`.
        """
        parts = spelling.split()
        flags = [word for word in parts if word.startswith("-")]
        name = " ".join(parts[len(flags) :])
        if optional := name.startswith("[") and name.endswith("]"):
            name = name[1:-1]
        if several := name.endswith("...") and not name.endswith(",..."):
            name = name[:-3]
        if name:
            others["metavar"] = name
        if several or optional:
            others["nargs"] = "+" if not optional else "*" if several else "?"
        if kind is not None:
            others["type"] = kind
        if repeated:
            others.update(action="append", default=[])
        elif default is not None:
            others["default"] = default
        if flags and not (name or others.keys() & {"choices", "action"}):
            others["action"] = "store_true"
        self._names = flags or [others.pop("dest", name.lower())]
        self._keywords = {**others, "help": text}

    @property
    def flag(self) -> str:
        """The option as it is typed; the name of an argument without a flag."""
        return self._names[0]

    @property
    def dest(self) -> str:
        """The name of its value."""
        dest: str = self._keywords.get("dest", self.flag.lstrip("-").replace("-", "_"))
        return dest

    def is_given(self, options: argparse.Namespace) -> bool:
        """Return whether a value differs from that without the option."""
        switch, several = self._keywords.get("action"), self._keywords.get("nargs")
        without: object = False if switch == "store_true" else [] if several == "*" else None
        return bool(getattr(options, self.dest) != self._keywords.get("default", without))

    def add_to(self, container: argparse._ActionsContainer) -> None:
        """Add the argument to a parser, or a group of one."""
        container.add_argument(*self._names, **self._keywords)


@dataclass(frozen=True)
class OptionGroup:
    """Options that the help shows under a title of their own."""

    title: str
    options: Sequence[Option]
    description: str | None = None

    def add_to(self, container: argparse._ActionsContainer) -> None:
        """Add the group to a parser."""
        add_options(container.add_argument_group(self.title, self.description), self.options)


@dataclass(frozen=True)
class OneOf:
    """Options of which at most one may be given."""

    options: Sequence[Option]

    def add_to(self, container: argparse._ActionsContainer) -> None:
        """Add the options to a parser, or a group of one."""
        add_options(container.add_mutually_exclusive_group(), self.options)


Options = Sequence[Option | OptionGroup | OneOf]


def add_options(
    container: argparse._ActionsContainer, options: Iterable[Option | OptionGroup | OneOf]
) -> None:
    """Add options to a parser, or a group of one."""
    for option in options:
        option.add_to(container)


@dataclass(frozen=True)
class Command:
    """A command; its module calls `main` of it `main`."""

    prog: str
    """As typed: "arena games"."""
    work: Callable[[argparse.Namespace], int]
    """Takes the options, and the words they were read from as `argv`; returns the exit code."""
    description: str
    options: Options = ()
    epilog: str = ""
    usage: str | None = None
    stopped: str = ""
    """What Ctrl-C is answered with."""
    prints: bool = True
    """Whether `work` writes on stdout itself: what cannot be written is then no error of a file."""
    allow_abbrev: bool = True
    parse: Callable[[OneLineParser, Sequence[str]], argparse.Namespace] = OneLineParser.parse_args

    def parser(self) -> OneLineParser:
        """Return a parser of the command line; texts of several lines stay as they are."""
        written = "\n" in self.description + self.epilog
        parser = OneLineParser(
            prog=self.prog,
            usage=self.usage,
            description=self.description,
            epilog=self.epilog or None,
            allow_abbrev=self.allow_abbrev,
            formatter_class=argparse.RawDescriptionHelpFormatter
            if written
            else argparse.HelpFormatter,
        )
        add_options(parser, self.options)
        return parser

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run a command line, None for that of the process; return the exit code.

        Raises:
            SystemExit: the arguments are wrong (2), or help was wanted (0).
        """
        arguments = sys.argv[1:] if argv is None else list(argv)
        run = partial(self._run, arguments)
        return quietly(run, self.prog) if self.prints else run()

    def _run(self, arguments: list[str]) -> int:
        parser = self.parser()
        options = self.parse(parser, arguments)
        options.argv = arguments
        try:
            return self.work(options)
        except WrongArguments as error:
            parser.error(str(error))
        except OSError as error:
            if error.filename is None and self.prints:  # stdout's
                raise
            reason = error.strerror or str(error)
            where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
            tell(f"{self.prog}: {where}{reason}")
            return FAILED
        except KeyboardInterrupt:
            if self.stopped:
                tell(f"{self.prog}: {self.stopped}")
            return INTERRUPTED
        except Exception as error:
            code: int | None = getattr(error, "exit_code", None)
            if code is None:
                raise
            tell(f"{self.prog}: {error}")
            return code
