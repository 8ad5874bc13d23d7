"""Which inputs matter to the network that predicts actions: by how much it is worse without each.

    make study NAME="importance LOG --game hunl --held-out .2 --seed 1"

    importance = mean of -ln(probability of what was done), the input shuffled, less the same with
                 the input as it is; nats per decision, on hands that were not learned from

An input is shuffled among the held-out decisions, so that its values stay as frequent as they were
and tell nothing of the decision.  Inputs that are one feature, such as the three that say the
street, move together.  What is legal stays as it is, whatever the shuffled inputs say of it.
Permutation importance: Breiman, "Random forests", Machine Learning 45, 2001, for any model Fisher,
Rudin, Dominici, "All models are wrong, but many are useful", JMLR 20, 2019.  What two inputs both
tell counts for neither, as the network still has it from the other one.

The interval is over repeats of the shuffle (Student's).  It holds how the shuffles differ, not how
other hands would: the standard error over hands stands beside it.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.seat.game_validator import describe
from agents.statistical.learning.dataset import split_decisions
from agents.statistical.learning.evaluation import losses
from agents.statistical.learning.log_decisions import collect_decisions
from agents.statistical.learning.predictor_training import check_share
from agents.statistical.predicting.contexts import FEATURES, legal_in_contexts
from agents.statistical.predicting.model_files import load_predictor
from agents.training.logs import find_logs, hand_of_line, source_of
from engine.console.arguments import count, real_number
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.estimates.winrate import half_interval
from tests.studies.frame import finite
from tests.studies.logged_hands import SMALL_POOL, add_source, source_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.predicting.model_files import Predictor
    from agents.training.logs import LoggedHands, PlayedHand

TOGETHER: Final = {
    "street": ("flop", "turn", "river"),
    "raises faced": ("no raise", "one raise", "more raises"),
    "price of a call": ("pot odds", "bet"),
    "leader of the street before": ("led street before", "other led street before"),
    "suits of the board": ("flush possible", "two of a suit"),
    "high cards of the board": ("ace", "king", "high cards"),
    "own counters here": ("folds here", "calls here", "raises here", "known here"),
    "own counters in all": ("folds", "raises"),
}
"""Feature -> its inputs; every other input is a feature by itself."""
SHIPPED: Final = "ann"
SMALL: Final = {**SMALL_POOL, "held_out": 0.5, "repeats": 2}


def add_options(parser: ArgumentParser) -> None:
    """Add the hands, the network, and what is held out."""
    add_source(parser, "of the hands held out, the shuffles, and --pool's deals")
    add = parser.add_argument
    add(
        "--predictor",
        metavar="FILE",
        default=SHIPPED,
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


def run(options: Namespace) -> dict[str, Any]:
    """Return by how much predictions are worse without each feature."""
    network = load_predictor(options.predictor)
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
    return {
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
                "ci95": finite(one.half_width),
                "se_over_hands": one.over_hands,
            }
            for one in found.features
        ],
    }


def _read(logged: LoggedHands) -> Iterator[PlayedHand]:
    said = RateLimiter()
    for number, record in enumerate(logged.hands):
        said(f"{number:,} of {len(logged.hands):,} hands")
        yield hand_of_line(logged.game, record)


def _warn_of_learned(network: Predictor, options: Namespace) -> None:
    """Tell where hands may be held out that the network was trained with."""
    made = network.provenance
    logs = source_of(find_logs(options.logs), options.game)["logs"]
    if made.get("logs") != logs:
        tell(
            "the network was trained with other logs than these; hands that are in both "
            "are not held out"
        )
    elif (made.get("held_out"), made.get("seed")) != (options.held_out, options.seed):
        tell(
            f"the network has learned from some of these hands; it held out those of "
            f"--held-out {made.get('held_out')} --seed {made.get('seed')}"
        )


class Importance(NamedTuple):
    """How much a feature matters, nats per decision."""

    feature: str
    inputs: tuple[str, ...]
    increase: float
    half_width: float
    """Half the 95 % interval over repeats; infinite for one."""
    over_hands: float
    """Standard error of the increase over hands."""


class Importances(NamedTuple):
    """All features, what matters most first."""

    loss: float
    """Of the network with all inputs, nats per decision."""
    decisions: int
    hands: int
    repeats: int
    features: list[Importance]


def features() -> dict[str, tuple[str, ...]]:
    """Return the inputs of each feature, in the order of `FEATURES`."""
    owner = {one: name for name, inputs in TOGETHER.items() for one in inputs}
    found: dict[str, tuple[str, ...]] = {}
    for one in FEATURES:
        name = owner.get(one, one)
        found[name] = (*found.get(name, ()), one)
    return found


def importances(
    network: Predictor,
    held_out: DecisionTable,
    repeats: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> Importances:
    """Return how much each feature matters; the same generator gives the same numbers.

    Args:
        held_out: decisions that it has not seen, one at least.
        repeats: shuffles of each feature, one or more.
        progress: told the share that is done.
    """
    legal = legal_in_contexts(held_out.contexts)
    _, hand = np.unique(held_out.hands, return_inverse=True)

    def loss_of(contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        return losses(network.probabilities_among(legal, contexts), held_out.actions)

    usual = loss_of(held_out.contexts)
    count = len(usual)
    found = []
    every = features()
    for number, (name, inputs) in enumerate(every.items()):
        if progress is not None:
            progress(number / len(every))
        columns = [FEATURES.index(one) for one in inputs]
        worse = np.zeros((repeats, count))
        for one in range(repeats):
            shuffled = held_out.contexts.copy()
            shuffled[:, columns] = held_out.contexts[rng.permutation(count)][:, columns]
            worse[one] = loss_of(shuffled) - usual
        means = worse.mean(axis=1)
        increase = float(means.mean())
        sd = float(means.std(ddof=1)) if repeats > 1 else math.inf
        sums = np.bincount(hand, worse.mean(axis=0) - increase)
        found.append(
            Importance(
                name,
                inputs,
                increase,
                half_interval(sd, repeats),
                math.sqrt(float(sums @ sums)) / count,
            )
        )
    found.sort(key=lambda one: -one.increase)
    return Importances(float(usual.mean()), count, len(sums), repeats, found)
