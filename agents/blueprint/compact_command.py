"""`arena train compact`: a blueprint's file made smaller, or written in today's format.

Exit codes: 0 done, 1 a file that cannot be written, 2 wrong arguments, or a model that cannot be
read or made smaller, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
from pathlib import Path
from typing import Any, Final

from agents.blueprint.compacting import Limits, compacted, repacked
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.models import named_model
from agents.errors import ConfigError, GameNotPlayed
from engine.abstraction.buckets import CardAbstraction
from engine.console.arguments import output_file, real_number, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.errors import ArtifactMismatch
from engine.storage.atomic import check_writable, write_whole
from engine.storage.documents import json_document

PROG: Final = "arena train compact"
LOSS: Final = 3.0
DEALS: Final = 65_536


def _compact(options: argparse.Namespace) -> int:
    if options.out.suffix == ".json":
        raise WrongArguments(
            f"argument --out: {options.out}: the file beside the model has that name"
        )
    beside = options.out.with_suffix(".json")
    for written in (options.out, beside):
        if _is_one_of(written, options.model):
            raise WrongArguments(f"argument --out: {written} belongs to the model that is read")
        check_writable(written)
    facts, model = _opened(options.model)
    size = options.model.stat().st_size
    made: dict[str, Any] = {
        "commands": [*model.provenance.get("commands", ()), f"{PROG} {shlex.join(options.argv)}"]
    }
    if options.loss:
        if not isinstance(model.cards, CardAbstraction):
            raise GameNotPlayed("only blueprints of hold'em are made smaller; --loss 0 takes any")
        limits = Limits(options.loss, options.deals, options.seed)
        said = RateLimiter()
        packed = compacted(model, limits, lambda done: said(f"{done:,} deals"))
        made["compacted"] = limits._asdict()
    else:
        packed = repacked(model)
    provenance = {**model.provenance, **made}
    BlueprintModel(model.config, model.tree, model.cards, packed, provenance).save(options.out)
    write_whole(beside, json.dumps({**facts, **provenance}, indent=2) + "\n")
    after = options.out.stat().st_size
    tell(f"{options.out}: {after / 1e6:.2f} MB, was {size / 1e6:.2f} MB")
    return 0


def _opened(path: Path) -> tuple[dict[str, Any], BlueprintModel]:
    """Return a model, and the contents of the JSON file beside it, if there is one.

    Raises:
        ConfigError: one of them cannot be read.
    """
    beside = path.with_suffix(".json")
    try:
        model = load_model(path)
        facts = json_document(beside.read_text(encoding="utf-8")) if beside.exists() else {}
    except (ArtifactMismatch, OSError, ValueError) as error:
        raise ConfigError(str(error)) from error
    if not isinstance(facts, dict):
        raise ConfigError(f"{beside}: tells nothing of a model")
    return {**model.provenance, **facts}, model


def _is_one_of(path: Path, model: Path) -> bool:
    """Return whether a path leads to a model's file, or to that beside it."""
    return any(
        path.exists() and file.exists() and path.samefile(file)
        for file in (model, model.with_suffix(".json"))
    )


def _file(text: str) -> Path:
    try:
        return named_model(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


main = Command(
    PROG,
    _compact,
    "Make a blueprint's file smaller: rows that play seldom comes to become those of their "
    "neighbours, or coarser. What that costs, arena versus and arena lbr say.",
    (
        Option("MODEL", "the model's file, of this version or 3", _file),
        Option("--out FILE", "the smaller one", output_file, required=True),
        Option(
            "--loss X",
            "what one row may cost, millionths of a big blind per hand (%(default)g); 0: no row "
            "changes, the file is only written anew",
            real_number(lambda value: 0 <= value < math.inf, "{}: want a number from 0 on"),
            LOSS,
        ),
        Option(
            "--deals N",
            "on which it is sampled where play comes (%(default)s)",
            whole_number(1, 10**9, "{}: want a number from 1 to 1000000000"),
            DEALS,
        ),
        Option(
            "--seed N",
            "of the deals (%(default)s)",
            whole_number(0, 2**32 - 1, "{}: want a number from 0 to 4294967295"),
            1,
        ),
    ),
    prints=False,
).main
