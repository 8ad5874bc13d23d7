"""`arena statistical importance`: which inputs matter to the network that predicts actions."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from agents.seat.game_validator import describe
from agents.studies.statistical.hand_source import add_source, source_hands
from agents.studies.statistical.publishing import PROG, publish_report
from engine.console.arguments import count, real_number
from engine.console.options import add_json
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.console.quantities import interval
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from agents.statistical.predicting.ann import Network
    from agents.studies.statistical.input_importance import Importances
    from agents.training.logs import LoggedHands, PlayedHand

_SHIPPED: Final = "ann"
_DIGITS: Final = 4


def add_parser(reports: Any) -> None:
    """Add the report to the subparsers of `arena statistical`."""
    parser = reports.add_parser(
        "importance",
        help="which inputs matter to the network that predicts actions",
        description="Shuffle each input of the network among decisions of hands that it has not "
        "learned from; show by how much it predicts worse. Inputs that are one feature, such as "
        "those of the street, are shuffled together.",
    )
    add_source(parser, "of the hands held out, the shuffles, and --pool's deals")
    add = parser.add_argument
    add(
        "--predictor",
        metavar="FILE",
        default=_SHIPPED,
        help="the network, as `arena train statistical ann` writes it (the one that comes along)",
    )
    add(
        "--held-out",
        metavar="SHARE",
        type=real_number(lambda share: 0 < share < 1, "{}: want a number between 0 and 1"),
        default=0.2,
        help="of the hands, at random; with the share and the seed of the training they are those "
        "that it held out (%(default)s)",
    )
    add(
        "--repeats",
        metavar="N",
        type=count,
        default=10,
        help="shuffles of each feature (%(default)s)",
    )
    add_json(parser, beside_files=True)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Measure and show; return the exit code."""
    import numpy as np

    from agents.statistical.learning.dataset import split_decisions
    from agents.statistical.learning.log_decisions import collect_decisions
    from agents.statistical.learning.training import check_share
    from agents.statistical.predicting.model_files import load_ann
    from agents.studies.statistical.input_importance import importances

    network = load_ann(options.predictor)
    logged = source_hands(options)
    decisions = collect_decisions(_read(logged), strengths=False)
    check_share(decisions.hand_count, options.held_out)
    if not options.pool:
        _warn_of_learned(network, options)
    rng = np.random.default_rng(options.seed)
    _, held_out = split_decisions(decisions, options.held_out, rng)
    said = RateLimiter()
    found = importances(
        network,
        held_out,
        options.repeats,
        rng,
        lambda done: said(f"shuffling: {100 * done:.0f} %"),
    )
    facts = {
        "game": describe(logged.game),
        "hands": found.hands,
        "decisions": found.decisions,
        "held_out": options.held_out,
        "seed": options.seed,
        "repeats": found.repeats,
        "loss": found.loss,
        "features": [
            {
                "feature": one.feature,
                "inputs": list(one.inputs),
                "increase": one.increase,
                "ci95": one.half_width if math.isfinite(one.half_width) else None,
                "se_over_hands": one.over_hands,
            }
            for one in found.features
        ],
    }
    return publish_report(options, _as_text(facts["game"], found), json.dumps(facts, indent=1))


def _read(logged: LoggedHands) -> Iterator[PlayedHand]:
    from agents.training.logs import hand_of_line

    said = RateLimiter()
    for number, record in enumerate(logged.hands):
        said(f"{number:,} of {len(logged.hands):,} hands")
        yield hand_of_line(logged.game, record)


def _warn_of_learned(network: Network, options: argparse.Namespace) -> None:
    """Tell where hands may be held out that the network was trained with."""
    from agents.training.logs import find_logs, source_of

    made = network.provenance
    logs = source_of(find_logs(options.logs), options.game)["logs"]
    if made.get("logs") != logs:
        tell(
            f"{PROG}: the network was trained with other logs than these; hands that are in both "
            "are not held out"
        )
    elif (made.get("held_out"), made.get("seed")) != (options.held_out, options.seed):
        tell(
            f"{PROG}: the network has learned from some of these hands; it held out those of "
            f"--held-out {made.get('held_out')} --seed {made.get('seed')}"
        )


def _as_text(game: Any, found: Importances) -> str:
    lines = [
        f"{game}; {found.decisions:,} decisions in {found.hands:,} hands held out",
        f"log-loss with all inputs {found.loss:.4f} nats; {found.repeats} shuffles of each feature",
        "",
    ]
    rows = [("shuffled", "nats worse, 95 % interval", "s.e. over hands", "inputs")]
    for one in found.features:
        change = interval(one.increase, one.half_width, _DIGITS)
        names = "" if len(one.inputs) == 1 else ", ".join(one.inputs)
        rows.append((one.feature, change, f"{one.over_hands:.{_DIGITS}f}", names))
    inputs = [row[-1] for row in rows]
    columns = zip(aligned([row[:-1] for row in rows]), inputs, strict=True)
    return "\n".join([*lines, *(f"{line}  {names}".rstrip() for line, names in columns)]) + "\n"
