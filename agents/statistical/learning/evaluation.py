"""How good a predictor is on hands that it has not seen: log-loss and calibration.

    log-loss   mean of -ln(probability of what was done), nats; probabilities are 1e-6 at least
    ECE        expected calibration error.  All probabilities of legal actions are sorted into 20
               equal bins; in each, the mean probability is compared with the share that happened;
               the absolute differences are averaged by the number of probabilities

95 % intervals by bootstrap over whole hands, because the decisions of one hand are dependent; the
interval is that between the 2.5th and the 97.5th percentile.
Sources: Guo, Pleiss, Sun, Weinberger, "On calibration of modern neural networks", ICML 2017, here
for all classes; Efron, Tibshirani, "An introduction to the bootstrap", 1993.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.situations import ACTIONS, CELLS
from agents.statistical.predicting.contexts import legal_in_contexts
from agents.statistical.predicting.strength_bins import STRENGTH_BINS, strength_bins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.predicting.decision_tree import DecisionTree

BINS: Final = 20
RESAMPLES: Final = 1000
_SMOOTHING_ACTIONS: Final = 1.0
_LEAST: Final = 1e-6
_TAILS: Final = (2.5, 97.5)


class Interval(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


class Bin(NamedTuple):
    """One line of a reliability table."""

    low: float
    """Smallest probability in it; the next bin's is the largest."""
    size: int
    predicted: float
    """Mean probability; nan for an empty bin."""
    happened: float
    """Share that happened."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A predictor on held-out decisions."""

    log_loss: Interval
    gain: Interval
    """Log-loss of the baseline less the own: above 0 is better than the baseline."""
    calibration_error: Interval
    reliability: tuple[Bin, ...]
    decisions: int
    hands: int

    def facts(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "log_loss": list(self.log_loss),
            "gain_over_frequencies": list(self.gain),
            "calibration_error": list(self.calibration_error),
            "decisions": self.decisions,
            "hands": self.hands,
        }


def frequency_chances(learned: DecisionTable, held_out: DecisionTable) -> NDArray[np.float64]:
    """Return (N, 3), how often players acted so in each cell: the baseline of all predictors."""
    counts = np.full((CELLS, ACTIONS), _SMOOTHING_ACTIONS)
    np.add.at(counts, (learned.cells, learned.actions), 1)
    chances = np.where(legal_in_contexts(held_out.contexts), counts[held_out.cells], 0)
    shares: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
    return shares


def evaluate(
    chances: NDArray[np.float64],
    baseline: NDArray[np.float64],
    held_out: DecisionTable,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Evaluation:
    """Return how a predictor does on N decisions, one at least.

    Args:
        chances: (N, 3) predicted probabilities; illegal actions have 0.
        baseline: (N, 3) those that it is compared with.
    """
    given = _Chances.of(chances, held_out)
    _, hand = np.unique(held_out.hands, return_inverse=True)
    model_losses = losses(chances, held_out.actions)
    base_losses = losses(baseline, held_out.actions)
    sums = _sums_of_hands(model_losses, base_losses, given, hand)
    hands = len(sums)
    drawn = []
    for _ in range(resamples):
        times = np.bincount(rng.integers(hands, size=hands), minlength=hands)
        drawn.append(_measures(times @ sums))
    low, high = np.percentile(drawn, _TAILS, axis=0).tolist()
    log_loss, gain, error = map(Interval, _measures(sums.sum(axis=0)), low, high)
    return Evaluation(log_loss, gain, error, given.table(), len(model_losses), hands)


def losses(chances: NDArray[np.float64], outcomes: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return (N,) nats, -ln of the (N, K) chances of what (N,) outcomes were."""
    done = chances[np.arange(len(outcomes)), outcomes]
    nats: NDArray[np.float64] = -np.log(np.maximum(done, _LEAST))
    return nats


def strength_losses(
    tree: DecisionTree, learned: DecisionTable, held_out: DecisionTable
) -> dict[str, float] | None:
    """Return how well a tree predicts strengths in 20 bins, nats, once actions are known.

    Beside it a table by cell and action, of the decisions learned from, and uniform strengths; None
    where no hand that is held out is known.
    """
    known = held_out.where(~np.isnan(held_out.strengths))
    if not len(known):
        return None
    bins = strength_bins(known.strengths)
    shares = {
        "tree": tree.strength_shares(known.contexts, known.actions),
        "by_cell": _strengths_by_cell(learned)[known.cells, known.actions],
    }
    uniform = float(np.log(STRENGTH_BINS))
    return {name: float(losses(each, bins).mean()) for name, each in shares.items()} | {
        "uniform": uniform
    }


def _strengths_by_cell(learned: DecisionTable) -> NDArray[np.float64]:
    """Return (12, 3, 20) shares of the bins, each counted once beforehand."""
    known = learned.where(~np.isnan(learned.strengths))
    counts = np.full((CELLS, ACTIONS, STRENGTH_BINS), _SMOOTHING_ACTIONS)
    np.add.at(counts, (known.cells, known.actions, strength_bins(known.strengths)), 1)
    shares: NDArray[np.float64] = counts / counts.sum(axis=2, keepdims=True)
    return shares


def comparison(evaluations: Mapping[str, Evaluation]) -> str:
    """Return a table of several predictors, one a line."""
    lines = [f"{'':12}  {'log-loss, nats':25}  {'better than frequencies':27}  calibration error"]
    lines += [
        f"{name:12}  {result.log_loss!s:25}  {result.gain!s:27}  {result.calibration_error}"
        for name, result in evaluations.items()
    ]
    return "\n".join(lines)


def reliability_table(evaluation: Evaluation) -> str:
    """Return the filled bins of a reliability table, one a line."""
    lines = ["probability    count  predicted  happened"]
    lines += [
        f"{filled.low:.2f}-{filled.low + 1 / BINS:.2f}  {filled.size:8}  {filled.predicted:9.4f}  "
        f"{filled.happened:8.4f}"
        for filled in evaluation.reliability
        if filled.size
    ]
    return "\n".join(lines)


def _sums_of_hands(
    model_losses: NDArray[np.float64],
    base_losses: NDArray[np.float64],
    given: _Chances,
    hand: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return (H, 4 + BINS) per hand: losses of both, decisions, probabilities, errors by bin."""
    hands = int(hand.max()) + 1
    whose = hand[given.row]
    columns = [np.bincount(hand, weights, hands) for weights in (model_losses, base_losses, None)]
    columns.append(np.bincount(whose, minlength=hands))
    errors = np.bincount(whose * BINS + given.bin, given.chance - given.came, hands * BINS)
    return np.column_stack([*columns, errors.reshape(hands, BINS)])


def _measures(sums: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return log-loss, gain and calibration error of (4 + BINS,) sums over hands."""
    model_loss, base_loss, decisions, given = sums[:-BINS].tolist()
    error = float(np.abs(sums[-BINS:]).sum()) / given
    return model_loss / decisions, (base_loss - model_loss) / decisions, error


class _Chances(NamedTuple):
    """The probabilities of legal actions, T in all; arrays are (T,)."""

    row: NDArray[np.int64]
    """Of which decision."""
    chance: NDArray[np.float64]
    came: NDArray[np.float64]
    """1 if that action was taken, else 0."""
    bin: NDArray[np.int64]

    @classmethod
    def of(cls, chances: NDArray[np.float64], held_out: DecisionTable) -> _Chances:
        row, action = np.nonzero(legal_in_contexts(held_out.contexts))
        chance = chances[row, action]
        came = (held_out.actions[row] == action).astype(np.float64)
        return cls(row, chance, came, np.minimum((chance * BINS).astype(np.int64), BINS - 1))

    def table(self) -> tuple[Bin, ...]:
        sizes = np.bincount(self.bin, minlength=BINS)
        sums = (np.bincount(self.bin, each, BINS) for each in (self.chance, self.came))
        with np.errstate(invalid="ignore"):
            means = [(each / sizes).tolist() for each in sums]
        lows = (number / BINS for number in range(BINS))
        return tuple(map(Bin, lows, sizes.tolist(), *means))
