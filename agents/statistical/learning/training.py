"""What `arena train statistical` does with decisions: train one kind of model, and measure it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.statistical.counting.play_summary import NUMBERS
from agents.statistical.counting.situations import ACTIONS, CELLS
from agents.statistical.learning.dataset import split
from agents.statistical.learning.evaluation import comparison, evaluate, reliability_table
from agents.statistical.learning.tree_growing import TreeConfig, grow_tree, prune
from agents.statistical.learning.type_clustering import CENTRES, WINDOW, find_types, windows_of
from agents.statistical.predicting.ann import NetworkConfig
from agents.statistical.predicting.decision_tree import STRENGTH_BINS, strength_bins
from agents.statistical.predicting.player_types import TYPES
from agents.statistical.predicting.predictor import FrequencyTable, Predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.learning.type_clustering import Windows
    from agents.statistical.predicting.ann import Epoch
    from agents.statistical.predicting.decision_tree import DecisionTree
    from agents.statistical.predicting.player_types import PlayerTypes
    from agents.statistical.predicting.trained import TrainedModel

_ASIDE: Final = 0.1
"""Share of the hands learned from that early stopping and pruning go by."""


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What to learn from, and how."""

    learned: DecisionTable
    held_out: DecisionTable
    seed: int
    settings: Mapping[str, int]
    """Options of the kind that are not its defaults: hidden and epochs; leaf; or window."""
    others: DecisionTable | None
    """Of players whose types are looked at, where they are not learned from."""
    progress: Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, and how it does."""

    model: TrainedModel
    report: str
    """For people."""
    facts: dict[str, Any]
    """The same as plain values."""


def train(kind: str, task: TrainingTask) -> Trained:
    """Train a model of a kind that learns from decisions: "frequencies", "ann", "tree" or "types".

    Raises:
        ValueError: a setting is out of range, or there are too few hands for the kind.
    """
    trainers = {"frequencies": _frequencies, "ann": _network, "tree": _tree, "types": _types}
    return trainers[kind](task)


def check_share(hands: int, held_out: float) -> None:
    """Raise TrainingError where holding out a share of some hands leaves one side without any."""
    aside = round(held_out * hands)
    if not aside:
        raise TrainingError(f"{hands:,} hands are too few to hold out a share of {held_out:g}")
    if aside == hands:
        raise TrainingError(
            f"{hands:,} hands are too few to hold out {held_out:g} and learn from some"
        )


def _frequencies(task: TrainingTask) -> Trained:
    personal = FrequencyTable.counting(task.learned.cells, task.learned.actions, personal=True)
    return _measured("personal", personal, task)


def _network(task: TrainingTask) -> Trained:
    from agents.statistical.learning.ann_training import train_network

    config = NetworkConfig(**task.settings)

    def report(epoch: Epoch) -> None:
        task.progress("network", epoch.number / config.epochs)

    parts = split(task.learned, _ASIDE, np.random.default_rng(task.seed))
    network = train_network(*parts, task.seed, config, report)
    return _measured("ann", network, task)


def _tree(task: TrainingTask) -> Trained:
    config = TreeConfig(least=task.settings["leaf"]) if task.settings else TreeConfig()
    grown_from, aside = split(task.learned, _ASIDE, np.random.default_rng(task.seed))
    grown = grow_tree(grown_from, config, lambda done: task.progress("tree", done))
    tree = prune(grown, aside, config.strength_weight)
    trained = _measured("tree", tree, task)
    told, facts = _strengths_told(tree, task)
    return Trained(tree, f"{trained.report}\n\n{told}", {**trained.facts, **facts})


def _measured(name: str, predictor: Any, task: TrainingTask) -> Trained:
    """Compare a predictor with the table of frequencies."""
    learned = task.learned
    table = FrequencyTable.counting(learned.cells, learned.actions)
    rivals: dict[str, Predictor] = {
        "frequencies": table,
        "personal": FrequencyTable(table.counts, personal=True),
        name: predictor,
    }
    found = {
        rival: evaluate(each, table, task.held_out, np.random.default_rng(task.seed))
        for rival, each in rivals.items()
    }
    report = (
        f"{found[name].decisions:,} decisions in {found[name].hands:,} hands held out, "
        f"95 % intervals over hands\n\n{comparison(found)}\n\n{reliability_table(found[name])}"
    )
    return Trained(predictor, report, {rival: each.facts() for rival, each in found.items()})


def _strengths_told(tree: DecisionTree, task: TrainingTask) -> tuple[str, dict[str, Any]]:
    """Return how well a tree tells the strength of hands, given the action, in words and plainly.

    The rival is a table of strengths by cell and action.
    """
    held_out, learned = task.held_out, task.learned
    bins = strength_bins(held_out.strengths)
    known = np.flatnonzero(bins >= 0)
    if not len(known):
        return "no hand is known: nothing to say about strengths", {}
    rows = held_out.where(bins >= 0)
    by_tree = tree.strengths_given(rows.contexts, rows.actions)
    by_cell = _strengths_by_cell(learned)[rows.cells, rows.actions]
    at = np.arange(len(known))
    loss = [float(-np.log(each[at, bins[known]]).mean()) for each in (by_tree, by_cell)]
    uniform = float(np.log(STRENGTH_BINS))
    facts = {"tree": loss[0], "by_cell": loss[1], "uniform": uniform}
    text = (
        f"strength of the hand in {STRENGTH_BINS} bins, once the action is known: log-loss "
        f"{loss[0]:.4f} nats; by street, raises and action alone {loss[1]:.4f}; uniform "
        f"{uniform:.4f}"
    )
    return text, {"strength_log_loss": facts}


def _strengths_by_cell(learned: DecisionTable) -> NDArray[np.float64]:
    """Return (12, 3, 20) the shares of the bins, each seen once beforehand."""
    bins = strength_bins(learned.strengths)
    known = bins >= 0
    counts = np.ones((CELLS, ACTIONS, STRENGTH_BINS))
    np.add.at(counts, (learned.cells[known], learned.actions[known], bins[known]), 1)
    shares: NDArray[np.float64] = counts / counts.sum(axis=2, keepdims=True)
    return shares


def _types(task: TrainingTask) -> Trained:
    window = task.settings.get("window", WINDOW)
    learned = windows_of(task.learned, window)
    if len(learned.points) < CENTRES:
        raise ValueError(
            f"{len(learned.points)} times {window} hands of a player in the "
            f"{task.learned.hand_count:,} that are learned from: too few for {CENTRES} centres; "
            "want more hands, or a smaller --held-out or --window"
        )
    types = find_types(
        learned.points,
        learned.kinds,
        np.random.default_rng(task.seed),
        window,
        lambda done: task.progress("types", done),
    )
    players = _counts_by_player(types, learned, task.learned.names)
    shares = players.sum(axis=0) / players.sum()
    counts = dict(zip(task.learned.names, players.tolist(), strict=True))
    report = f"{_types_report(types)}\n\n{_counts_table(counts)}"
    facts: dict[str, Any] = {
        "windows": int(players.sum()),
        "shares": dict(zip(TYPES, shares.tolist(), strict=True)),
        "centres": {name: types.names.count(name) for name in TYPES},
        "players": counts,
    }
    agreement = _agreement(types, players, windows_of(task.held_out, window))
    if agreement is not None:
        facts["held_out"] = agreement
        report += (
            f"\n\n{agreement['windows']} windows held out get the type that is commonest for their "
            f"player with probability {agreement['same']:.2f}; by chance {agreement['chance']:.2f}"
        )
    if task.others is not None:
        others = _counts_by_player(types, windows_of(task.others, window), task.others.names)
        named = zip(task.others.names, others.tolist(), strict=True)
        strangers = {name: count for name, count in named if name not in counts}
        facts["strangers"] = strangers
        told = _strangers_told(strangers, window)
        report += f"\n\nplayers who were not learned from: {told}"
    return Trained(types, report, facts)


def _counts_by_player(
    types: PlayerTypes, windows: Windows, names: Sequence[str]
) -> NDArray[np.int64]:
    """Return (P, 5) how many windows of each of P players are of which of `TYPES`."""
    counts = np.zeros((len(names), len(TYPES)), np.int64)
    np.add.at(counts, (windows.players, types.likeliest(windows.points, windows.kinds)), 1)
    return counts


def _agreement(
    types: PlayerTypes, players: NDArray[np.int64], held_out: Windows
) -> dict[str, Any] | None:
    """Return how often windows held out have the type that their players had most often."""
    known = players.sum(axis=1)[held_out.players] > 0
    if not known.any():
        return None
    expected = players.argmax(axis=1)[held_out.players[known]]
    given = types.likeliest(held_out.points[known], held_out.kinds[known])
    shares = [np.bincount(each, minlength=len(TYPES)) / len(given) for each in (expected, given)]
    return {
        "windows": len(given),
        "same": float((expected == given).mean()),
        "chance": float(shares[0] @ shares[1]),
    }


def _strangers_told(strangers: Mapping[str, Sequence[int]], window: int) -> str:
    """Return what there is to say of players who were not learned from."""
    if not strangers:
        return "none, every player of --others was learned from as well"
    if not any(map(any, strangers.values())):
        return f"none of {len(strangers)} played {window} hands of one kind of game"
    return f"\n{_counts_table(strangers)}"


def _types_report(types: PlayerTypes) -> str:
    """Return a table of the centres, one a line, in the units of the features."""
    lines = [f"{'type':12}  " + "  ".join(f"{name:>13}" for name in NUMBERS)]
    for name, centre in sorted(zip(types.names, types.plain_centres().tolist(), strict=True)):
        lines.append(f"{name:12}  " + "  ".join(f"{max(0.0, number):13.3f}" for number in centre))
    missing = [name for name in TYPES if name not in types.names]
    if missing:
        lines.append(f"nobody plays like this: {', '.join(missing)}")
    return "\n".join(lines)


def _counts_table(counts: Mapping[str, Sequence[int]]) -> str:
    """Return a line for each player who has a window."""
    width = max([len("windows"), *map(len, counts)])
    lines = [f"{'windows':{width}}  " + "  ".join(f"{name:>12}" for name in TYPES)]
    for name, row in sorted(counts.items()):
        if any(row):
            lines.append(f"{name:{width}}  " + "  ".join(f"{count:12}" for count in row))
    return "\n".join(lines)
