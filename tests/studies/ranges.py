"""How much the modeller's weights know of the hands that are shown.

    make study NAME="ranges LOG --game hunl"
    make study NAME="ranges --pool --hands 200"
    make study NAME="ranges LOG --game hunl --showdowns 1000 --out docs/data/weights.json"

The weights are followed through the hands of logs, or of the pool against itself; by how much do
they give the hands shown at the last showdowns more than a uniform range does, and more than the
generic weights do?  Nats, with 95 % intervals.  A tree is grown from the hands before; the shipped
curves are of the first 7316 hands of DeepStack's log.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents.errors import TrainingError
from agents.seat.game_validator import describe
from agents.statistical.learning.log_decisions import collect_decisions
from agents.statistical.learning.range_quality import (
    RangeModel,
    counted_model,
    generic_model,
    playing_model,
    score_ranges,
)
from agents.statistical.learning.tree_growing import grow_tree
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import InterpretationChoice
from agents.statistical.ranges.tree_interpretation import TreeInterpretation
from agents.training.logs import hand_of_line
from engine.console.arguments import count
from engine.console.progress import RateLimiter
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord
from protocol.matchstate import parse_card_text
from tests.studies.logged_hands import SMALL_POOL, add_source, source_hands

PLAYED: Final = "as it plays"
COUNTED: Final = "own counters"
GENERIC: Final = "generic 2:5:3"
SEQUENCES: Final = "counters, curves of sequences"
TREE: Final = "tree of the hands before"
LEAST_SHOWDOWNS: Final = 2
SMALL: Final = SMALL_POOL


def add_options(parser: ArgumentParser) -> None:
    """Add the hands, and how many showdowns are scored."""
    add_source(parser)
    parser.add_argument(
        "--showdowns",
        metavar="N",
        type=count,
        default=5000,
        help="score the last N; hands before them are only learnt from (%(default)s)",
    )


def result_name(options: Namespace) -> str:
    """Return the file of DeepStack's log, or of the pool."""
    return f"ranges-{'pool' if options.pool else 'deepstack'}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return what each way to weigh hands knows of those shown."""
    game, hands, places = source_hands(options)
    shown = [number for number, hand in enumerate(hands) if not hand.betting.endswith("f")]
    if len(shown) < LEAST_SHOWDOWNS:
        raise TrainingError(f"{len(shown)} showdowns: want {LEAST_SHOWDOWNS} or more")
    for number in shown[-options.showdowns :]:
        if not all(parse_card_text(hands[number].cards, game).holes):
            raise TrainingError(f"{places[number]}: a showdown hides a hand")
    learn = shown[-options.showdowns] if len(shown) > options.showdowns else 0
    choice = InterpretationChoice(load_shipped("curves"))
    models = dict(range_models(choice))
    if learn:
        models[TREE] = tree_model(game, hands[:learn])
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
    models_facts = {
        name: {"above_uniform": list(gain), "above_generic": list(over)}
        for name, (gain, over) in gains.items()
    }
    return facts | {"models": models_facts}


def tree_model(game: GameDef, hands: Sequence[HandRecord]) -> RangeModel:
    """Return weights by the leaves of a tree that is grown from some hands."""
    said = RateLimiter()
    decisions = collect_decisions(
        (hand_of_line(game, hand) for hand in hands),
        lambda stage, done: said(f"tree, {stage}: {100 * done:.0f} %"),
    )
    return RangeModel(TreeInterpretation(tree=grow_tree(decisions)).of)


def range_models(choice: InterpretationChoice) -> Mapping[str, RangeModel]:
    return {
        PLAYED: playing_model(choice),
        COUNTED: counted_model(),
        GENERIC: generic_model(),
        "counters, counted curves": counted_model(ActionInterpretation(curves=choice.curves)),
        SEQUENCES: counted_model(ActionInterpretation(curves=load_shipped("sequences"))),
        "counters, calls not mirrored": counted_model(ActionInterpretation(mirrored=False)),
        "counters, absolute scale": counted_model(ActionInterpretation(absolute=True)),
        "counters, sharp ramps": counted_model(ActionInterpretation(sharp=True)),
        "counters, sharp and absolute": counted_model(
            ActionInterpretation(absolute=True, sharp=True)
        ),
    }
