"""`arena cnn accuracy`: how well the network predicts what experts do, beside simpler predictors.

Exit codes as of `agents.studies.tasks`.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.poker_cnn.train.plan import CnnPlan
from agents.training.requirements import need_torch
from agents.training.run_folder import alone_in, machine
from engine.console.arguments import count, output_file, real_number, whole_number
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import show, tell
from engine.console.progress import RateLimiter
from engine.console.stopping import stop_on_signals
from engine.storage.atomic import check_writable, write_whole

if TYPE_CHECKING:
    from agents.poker_cnn.records import CnnRecords
    from agents.poker_cnn.train.descent import CnnEpoch
    from agents.poker_cnn.train.states import States
    from agents.studies.poker_cnn.study import AccuracyStudy

PROG: Final = "arena cnn accuracy"
_MOST_FOLDS: Final = 100


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena cnn`."""
    parser = tasks.add_parser(
        "accuracy",
        help="how well the network predicts actions, beside simpler predictors",
        description="Train the network and simpler predictors on records, and compare how well "
        "they predict the actions of matches that they have not seen.  Whatever is trained stays "
        "in the folder of --work, from which the same command goes on.  Wants --folds, --held-out "
        "or both.",
    )
    add = parser.add_argument
    plan = CnnPlan()
    add("records", metavar="FILE", type=Path, help="records, as `arena data cnn` makes them")
    add("--out", metavar="FILE", type=output_file, required=True, help="the result, JSON")
    add("--work", metavar="DIR", type=Path, help="folder of trainings (runs/cnn-accuracy-NAME)")
    add(
        "--folds",
        metavar="K",
        type=whole_number(0, _MOST_FOLDS),
        default=0,
        help="cut what is learned from into K parts, and judge each by nets that learned from the "
        "others (%(default)s: do not)",
    )
    add(
        "--held-out",
        metavar="SHARE",
        type=real_number(lambda value: 0 <= value < 1, "{}: want a number from 0 to less than 1"),
        default=0.0,
        help="of the hands, on which all are judged after learning from the others (%(default)s)",
    )
    add(
        "--shares",
        metavar="SHARE",
        nargs="+",
        type=real_number(lambda value: 0 < value <= 1, "{}: want a number above 0, 1 at most"),
        default=[0.25, 0.5, 1.0],
        help="of the other hands that the network learns from, one after the other (%(default)s)",
    )
    add("--epochs", metavar="N", type=count, default=plan.epochs, help="at most (%(default)s)")
    add("--seed", metavar="N", type=whole_number(0, 2**31 - 1), default=1, help="(%(default)s)")
    add("--threads", metavar="N", type=whole_number(1, 1024), default=1, help="(%(default)s)")
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        AgentError: PyTorch, the records or the folder cannot be used.
        OSError: a file cannot be written.
        ValueError: the options ask for nothing.
    """
    if options.folds == 1 or not (options.folds or options.held_out):
        raise ValueError("want --folds of 2 or more, --held-out or both")
    need_torch(PROG)
    from agents.poker_cnn.records import CnnRecords

    records = CnnRecords.load(options.records)
    check_writable(options.out)
    work = options.work or Path("runs") / f"cnn-accuracy-{options.records.stem}"
    tell(f"trainings in {work}; {len(records):,} decisions in {len(records.ends):,} hands")
    begun = time.perf_counter()
    with alone_in(work, ()), stop_on_signals() as stop:
        try:
            told = _study(options, records, work, stop)
        except KeyboardInterrupt:
            told = None
    if told is None:
        tell(f"stopped; the same command goes on from {work}")
        return INTERRUPTED
    made = {
        "command": _command(options),
        "seconds": round(time.perf_counter() - begun),
        "machine": machine(),
        "records": records.made,
    }
    write_whole(options.out, json.dumps({**told, **made}, indent=1) + "\n")
    tell(f"{options.out} is written")
    return show(_summary(told), PROG)


def _command(options: argparse.Namespace) -> str:
    """Return the command line that does the same."""
    words = [PROG, options.records.name]
    if options.folds:
        words += ["--folds", str(options.folds)]
    if options.held_out:
        shares = map(str, options.shares)
        words += ["--held-out", str(options.held_out), "--shares", *shares]
    words += ["--epochs", str(options.epochs), "--seed", str(options.seed)]
    return " ".join([*words, "--threads", str(options.threads)])


def _study(
    options: argparse.Namespace, records: CnnRecords, work: Path, stop: Any
) -> dict[str, Any] | None:
    """Train and judge; return what came of it, None where it was stopped."""
    import numpy as np

    from agents.poker_cnn.train.devices import prepare
    from agents.poker_cnn.train.run import CnnRunSettings, check_split, held_out_hands
    from agents.poker_cnn.train.splitting import units_of
    from agents.poker_cnn.train.states import States
    from agents.studies.poker_cnn.study import NETS, AccuracyStudy

    device = prepare(options.threads)
    plan = CnnPlan(epochs=options.epochs, seed=options.seed)
    said = RateLimiter()
    units, states = units_of(records), States(records)
    study = AccuracyStudy(
        states, units, plan, work, device,
        lambda name, epoch: said(partial(_line, plan, name, epoch)), stop,
    )  # fmt: skip
    nets = tuple(NETS)
    held = held_out_hands(units, options.held_out)
    check_split(CnnRunSettings(plan, options.held_out, options.folds), units)
    told: dict[str, Any] = {
        "plan": plan.facts(),
        "matches": len(np.unique(records.sessions)),
        "hands": len(units),
        "held_out_hands": int(held.sum()),
        "decisions": len(states),
    }
    if options.folds:
        scores = study.cross(~held, options.folds, nets)
        if scores is None:
            return None
        told["folds"] = options.folds
        told["cross"] = _cross_facts(study, states, scores, held)
    if options.held_out:
        for name in nets:
            shares = tuple(sorted(options.shares)) if name == nets[0] else (1.0,)
            points = study.curve(held, shares, name)
            if points is None:
                return None
            told.setdefault("curve", {})[name] = [
                {"hands": one.hands, "decisions": one.decisions, **one.judged.facts()}
                for one in points
            ]
    return told


def _cross_facts(
    study: AccuracyStudy, states: States, scores: dict[str, Any], held: Any
) -> dict[str, Any]:
    import numpy as np

    from agents.poker_cnn.train.run import OWN
    from agents.studies.poker_cnn.study import facts_of_gain

    chosen = np.flatnonzero(~held[states.records.hands])
    return {
        name: {
            **study.judge(found[chosen], chosen).facts(),
            "network_is_better": facts_of_gain(
                study.gain(scores[OWN][chosen], found[chosen], chosen)
            ),
        }
        for name, found in scores.items()
    }


def _line(plan: CnnPlan, name: str, epoch: CnnEpoch) -> str:
    return (
        f"{name}: epoch {epoch.epoch} of {plan.epochs}: loss {epoch.loss:.4f}; aside "
        f"{epoch.aside_loss:.4f}, accuracy {epoch.aside_accuracy:.4f}"
    )


def _summary(told: dict[str, Any]) -> str:
    lines = []
    for name, one in told.get("cross", {}).items():
        better = one["network_is_better"]
        lines.append(
            f"{name:36}  accuracy {_share(one['accuracy'], 100)} %, log-loss "
            f"{_share(one['log_loss'], 1)}; network better by {better['points']:.1f} points"
        )
    for name, points in told.get("curve", {}).items():
        lines += [
            f"{name:36}  {one['hands']:,} hands: accuracy {_share(one['accuracy'], 100)} %, "
            f"log-loss {_share(one['log_loss'], 1)}"
            for one in points
        ]
    return "\n".join(lines) + "\n"


def _share(told: list[float], unit: int) -> str:
    from agents.poker_cnn.train.report import interval_text

    digits = 1 if unit > 1 else 4
    return interval_text(unit * told[0], unit * told[1], digits)
