"""`arena statistical ranges`: how much the weights know of the hands that are shown."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, Final

from agents.errors import TrainingError
from agents.seat.game_validator import describe
from agents.studies.statistical.hand_source import add_source, source_hands
from agents.studies.statistical.publishing import publish_report
from engine.console.arguments import count
from engine.console.options import add_json
from engine.console.progress import RateLimiter
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.statistical.learning.range_quality import Mean, RangeModel
    from agents.statistical.ranges.interpretation_choice import InterpretationChoice

PLAYED: Final = "as it plays"
COUNTED: Final = "own counters"
GENERIC: Final = "generic 2:5:3"
_LEAST: Final = 2


def add_parser(reports: Any) -> None:
    """Add the report to the subparsers of `arena statistical`."""
    parser = reports.add_parser(
        "ranges",
        help="how much the weights know of the hands that are shown",
        description="Follow the weights through the hands of logs, or of the pool against itself; "
        "show by how much they give the hands shown at the last showdowns more than a uniform "
        "range does, and more than the generic weights do.",
    )
    add_source(parser)
    parser.add_argument(
        "--showdowns",
        metavar="N",
        type=count,
        default=5000,
        help="score the last N; hands before them are only learnt from (%(default)s)",
    )
    add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Measure and show; return the exit code."""
    from agents.statistical.learning.range_quality import score_ranges
    from agents.statistical.predicting.model_files import load_shipped
    from agents.statistical.ranges.interpretation_choice import InterpretationChoice

    game, hands, places = source_hands(options)
    shown = [number for number, hand in enumerate(hands) if not hand.betting.endswith("f")]
    if len(shown) < _LEAST:
        raise TrainingError(f"{len(shown)} showdowns: want {_LEAST} or more")
    for number in shown[-options.showdowns :]:
        if not all(parse_card_text(hands[number].cards, game).holes):
            raise TrainingError(f"{places[number]}: a showdown hides a hand")
    learn = shown[-options.showdowns] if len(shown) > options.showdowns else 0
    choice = InterpretationChoice(load_shipped("curves"))
    models = _models(choice)
    said = RateLimiter()
    scores = score_ranges(
        game,
        hands,
        list(models.values()),
        learn=learn,
        choice=choice,
        progress=lambda done: said(f"reading hands: {100 * done:.0f} %"),
    )
    generic = list(models).index(GENERIC)
    gains = {
        name: (scores.gain(number), scores.gain(number, over=generic))
        for number, name in enumerate(models)
    }
    facts = {
        "game": describe(game),
        "hands": len(hands),
        "learnt_from": learn,
        "showdowns": scores.gains.shape[1],
    }
    told = {
        name: {"above_uniform": list(gain), "above_generic": list(over)}
        for name, (gain, over) in gains.items()
    }
    text = _as_text(facts | {"players": len(scores.opponents)}, gains)
    return publish_report(options, text, json.dumps(facts | {"models": told}, indent=2))


def _models(choice: InterpretationChoice) -> Mapping[str, RangeModel]:
    from agents.statistical.learning.range_quality import (
        counted_model,
        generic_model,
        playing_model,
    )
    from agents.statistical.ranges.interpretation import ActionInterpretation

    return {
        PLAYED: playing_model(choice),
        COUNTED: counted_model(),
        GENERIC: generic_model(),
        "counters, counted curves": counted_model(ActionInterpretation(curves=choice.curves)),
        "counters, calls not mirrored": counted_model(ActionInterpretation(mirrored=False)),
        "counters, absolute scale": counted_model(ActionInterpretation(absolute=True)),
        "counters, sharp ramps": counted_model(ActionInterpretation(sharp=True)),
        "counters, sharp and absolute": counted_model(
            ActionInterpretation(absolute=True, sharp=True)
        ),
    }


def _as_text(facts: Mapping[str, Any], gains: Mapping[str, tuple[Mean, Mean]]) -> str:
    learnt = facts["learnt_from"]
    before = f"after {learnt:,} hands that were only learnt from" if learnt else "all there are"
    lines = [
        f"{facts['game']}; {facts['hands']:,} hands, {facts['players']} players",
        f"both hands of {facts['showdowns']:,} showdowns, {before}",
        "",
        f"{'nats, mean and 95 % interval':30}{'above uniform':22}above generic",
    ]
    for name, (gain, over_generic) in gains.items():
        over = "" if name == GENERIC else str(over_generic)
        lines.append(f"{name:30}{gain!s:22}{over}".rstrip())
    return "\n".join(lines) + "\n"
