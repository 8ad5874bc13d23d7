"""What runs studies: the list of them, their options, where their results go, how they end.

    python -m tests.studies [NAME [--small] [--out FILE] [--work FOLDER] [its own options]]

A study is a module of this package with a function `run`.  Its docstring says in the first sentence
what is measured, then the source, how long it takes and what of the machine it uses.  It has

    run(options)          what was measured, for JSON; `options.small` and `options.work` are set
    add_options(parser)   its own options, if it has some
    result_name(options)  the file in docs/data, where it is not NAME.json: with the suffix .jsonl,
                          a line for each item of what `run` returns; `options.result` says it
    SMALL                 its options in the smallest sensible form, which --small chooses

Results go to docs/data, those of --small to build/studies.  What a long study needs to be resumed
lies in its work folder, build/studies/NAME.  Nothing here draws or formats: tests.documents does.

Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments, 130 Ctrl-C.
"""

import ast
import hashlib
import json
import math
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import show, tell
from engine.console.parser import OneLineParser
from engine.errors import EngineError
from engine.storage.atomic import check_writable, replacing, write_whole
from tests.documents.cells import ROOT

PROG: Final = "make study"
RESULTS: Final = ROOT / "docs" / "data"
WORK: Final = ROOT / "build" / "studies"


@cache
def studies() -> dict[str, str]:
    """Return the first sentence of each study by its name; imports none of them."""
    summaries = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "run" for node in tree.body):
            first = (ast.get_docstring(tree) or "").partition("\n\n")[0]
            summaries[path.stem.replace("_", "-")] = " ".join(first.split()).removesuffix(".")
    return summaries


def study_module(name: str) -> Any:
    """Import a study."""
    return import_module(f"tests.studies.{name.replace('-', '_')}")


def parsed(name: str, words: Sequence[str]) -> Namespace:
    """Return the options of a study, its name and the file of its result."""
    module = study_module(name)
    parser = OneLineParser(prog=f"{PROG} {name}", description=module.__doc__.partition("\n\n")[0])
    parser.add_argument("--small", action="store_true", help="the smallest sensible form")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where the result goes, - prints")
    parser.add_argument("--work", metavar="FOLDER", type=Path, help="where it can be resumed from")
    if hasattr(module, "add_options"):
        module.add_options(parser)
    if "--small" in words:
        parser.set_defaults(**getattr(module, "SMALL", {}))
    options = parser.parse_args(words)
    options.result = f"{name}.json"
    if hasattr(module, "result_name"):
        options.result = module.result_name(options)
    options.out = options.out or (WORK if options.small else RESULTS) / options.result
    options.work = options.work or WORK / (f"{name}-small" if options.small else name)
    return options


def finite(number: float, digits: int | None = None) -> float | None:
    """Return a number as JSON can have it, rounded: None for an interval that is infinite."""
    if not math.isfinite(number):
        return None
    return number if digits is None else round(number, digits)


def resumed(
    work: Path, keys: Sequence[str], play: Callable[[list[int]], Iterator[NDArray[Any]]]
) -> Iterator[NDArray[Any]]:
    """Yield an array for each key: from its file in the work folder, or played and then kept there.

    Args:
        keys: of all that the arrays depend on.
        play: yields the arrays of those whose numbers it is given.
    """
    work.mkdir(parents=True, exist_ok=True)
    files = [work / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.npy" for key in keys]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    played = play(missing)
    for number, file in enumerate(files):
        if number in missing:
            with replacing(file) as stream:
                np.save(stream, next(played))
        yield np.load(file)


def result_text(result: Any, name: str) -> str:
    """Return the text of a result's file.

    Raises:
        ValueError: a number is infinite or not a number.
    """
    if name.endswith(".jsonl"):
        return "".join(json.dumps(row, allow_nan=False) + "\n" for row in result)
    return json.dumps(result, indent=1, allow_nan=False) + "\n"


def measure(name: str, words: Sequence[str]) -> int:
    """Run a study and write its result; return the exit code."""
    options = parsed(name, words)
    prog = f"{PROG} {name}"
    printed = str(options.out) == "-"
    try:
        if not printed:
            options.out.parent.mkdir(parents=True, exist_ok=True)
            check_writable(options.out)
        text = result_text(study_module(name).run(options), options.result)
        if printed:
            return show(text, prog)
        write_whole(options.out, text)
        return show(f"{options.out}\n", prog)
    except KeyboardInterrupt:
        tell(f"{prog}: stopped; nothing was written but what {options.work} has")
        return INTERRUPTED
    except (AgentError, EngineError, ValueError) as error:
        tell(f"{prog}: {error}")
        return WRONG_ARGUMENTS
    except OSError as error:
        tell(f"{prog}: {error.filename}: {error.strerror}")
        return FAILED


def main(argv: Sequence[str] | None = None) -> int:
    """Run a study, or list all; return the exit code."""
    name, *words = [*(sys.argv[1:] if argv is None else argv), ""]
    name, known = name.replace("_", "-"), studies()
    if name in known:
        return measure(name, words[:-1])
    if name:
        tell(f"{PROG}: there is no study {name!r}; `make studies` lists them")
        return WRONG_ARGUMENTS
    width = max(map(len, known))
    lines = [f"{study:{width}}  {summary}\n" for study, summary in known.items()]
    return show("".join(lines), PROG)
