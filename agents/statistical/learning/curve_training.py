"""Curves of actions from match logs: counted over the first hands, measured at the last showdowns.

Each decision is counted in the tenth of the actor's own range that its hand was in.  The range is
the other player's estimate at that point: weights by ramps, from the actor's counters of earlier
hands.  A log must show all hole cards, folded ones as well: counted over shown hands alone, the
curves would hold no folds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import (
    ACTIONS,
    FOLD,
    RAISE,
    RAISES_TOLD_APART,
    SeenAction,
    actions_of,
)
from agents.statistical.learning.predictor_training import Trained, check_share
from agents.statistical.learning.range_quality import counted_model, score_ranges
from agents.statistical.predicting.action_curves import TENTHS, ActionCurves, tenth_of
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.training.logs import Progress, hand_of_line
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

_LEAST_SHOWDOWNS: Final = 2
LEAST_DECISIONS: Final = 100
"""Curves of fewer decisions, over all cells, are nothing but what they are smoothed by."""
_LEAST_CELL_DECISIONS: Final = 50
_HANDS_PER_REPORT: Final = 100
_STREETS: Final = ("preflop", "flop", "turn", "river")
_RAISES: Final = ("no raise", "one raise", "more raises")


def train_curves(
    game: GameDef,
    hands: Sequence[HandRecord],
    held_out: float,
    progress: Progress,
    kind: type[ActionCurves] = ActionCurves,
) -> Trained:
    """Count curves over the first hands, and measure them at the showdowns of the others.

    The split is not random: players' counters grow from hand to hand, so the last share of the
    hands is held out.

    Args:
        game: hold'em for two.
        hands: in the order in which they were played, all cards shown, as
            `agents.training.logs.one_game` gives them.
        held_out: share of the hands, above 0 and below 1.
        progress: called with a stage, and the share of it that is done.
        kind: by what rows decisions are counted.

    Raises:
        TrainingError: too few hands or decisions.
    """
    check_share(len(hands), held_out)
    learned = len(hands) - round(held_out * len(hands))
    counts = count_places(game, hands[:learned], progress, kind)
    if counts.sum() < LEAST_DECISIONS:
        raise TrainingError(
            f"{counts.sum()} decisions in {learned:,} hands are too few for curves: want "
            f"{LEAST_DECISIONS} or more"
        )
    curves = kind(counts)
    models = [counted_model(ActionInterpretation(curves=curves)), counted_model()]
    scores = score_ranges(
        game, hands, models, learn=learned, progress=lambda done: progress("showdowns", done)
    )
    showdowns = scores.gains.shape[1]
    facts: dict[str, Any] = {
        "hands": {"learned": learned, "held_out": len(hands) - learned},
        "decisions": int(curves.counts.sum()),
        "showdowns": showdowns,
    }
    lines = [
        f"{facts['decisions']:,} decisions in {learned:,} hands; {len(hands) - learned:,} hands "
        f"held out, {showdowns:,} showdowns among them",
        "",
    ]
    if showdowns >= _LEAST_SHOWDOWNS:
        gains = {
            "curves": scores.gain(0),
            "ramps": scores.gain(1),
            "curves_above_ramps": scores.gain(0, over=1),
        }
        facts["nats_above_uniform"] = {name: list(mean) for name, mean in gains.items()}
        lines.append("hands shown, nats above uniform, 95 % interval")
        lines += [f"{name.replace('_', ' '):20}{mean}" for name, mean in gains.items()]
    else:
        lines.append("too few showdowns to measure anything")
    table = ["", *_table(curves)] if kind is ActionCurves else []
    return Trained(curves, "\n".join([*lines, *table]), facts)


def count_places(
    game: GameDef,
    hands: Sequence[HandRecord],
    progress: Progress,
    kind: type[ActionCurves] = ActionCurves,
) -> NDArray[np.int64]:
    """Return (R, 3, 10) the decisions of some hands, as a kind of curves wants them."""
    counters_of: dict[str, OpponentCounters] = {}
    strengths = StrengthReader()
    counts = np.zeros((kind.ROWS, ACTIONS, TENTHS), np.int64)
    for number, record in enumerate(hands):
        if number % _HANDS_PER_REPORT == 0:
            progress("ranges", number / len(hands))
        pair = [counters_of.setdefault(name, OpponentCounters()) for name in record.names]
        hand = hand_of_line(game, record)
        actions = actions_of(hand.state, hand.cards.board)
        for action, percentile in _places(actions, hand.cards.holes, pair, strengths):
            row = kind.row_of(action.situation)
            counts[row, action.kind, tenth_of(percentile)] += 1
        for action in actions:
            pair[action.actor].add([action])
    return counts


def _places(
    actions: Sequence[SeenAction],
    holes: Sequence[tuple[int, ...]],
    pair: Sequence[OpponentCounters],
    strengths: StrengthReader,
) -> Iterator[tuple[SeenAction, float]]:
    """Yield actions, and the percentile, 0 to 1, of the hand in the actor's range at each."""
    ranges = [
        OpponentRange(holes[1 - actor], strengths, ActionInterpretation()) for actor in (0, 1)
    ]
    for action in actions:
        actor, board = action.actor, action.situation.board
        ranges[actor].follow([], [], board)
        places = ranges[actor].percentiles(strengths.read(board))
        yield action, float(places[combo_of(*holes[actor])])
        ranges[actor].follow([action], [pair[actor].shares(action.situation)], board)


def _table(curves: ActionCurves) -> list[str]:
    """Return the curves in thousandths, two lines for each cell with a decision."""
    lines = ["folds and raises in thousandths, by tenth of the own range, weakest first"]
    for cell, counts in enumerate(curves.counts):
        street, raises = divmod(cell, RAISES_TOLD_APART)
        few = ", too few to say much" if counts.sum() < _LEAST_CELL_DECISIONS else ""
        lines.append(f"{_STREETS[street]}, {_RAISES[raises]}: {counts.sum():,} decisions{few}")
        if not counts.any():
            continue
        for name, action in (("folds", FOLD), ("raises", RAISE)):
            shares = np.rint(1000 * curves.curves[cell, action]).astype(int).tolist()
            lines.append(f"  {name:6}" + "".join(f"{share:5}" for share in shares))
    return lines
