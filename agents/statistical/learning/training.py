"""What `arena train statistical` does with decisions: train one kind of model, and measure it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.play_summary import NUMBERS
from agents.statistical.counting.situations import ACTIONS, CELLS
from agents.statistical.learning import tree_growing
from agents.statistical.learning.dataset import split
from agents.statistical.learning.evaluation import comparison, evaluate, reliability_table
from agents.statistical.learning.type_clustering import CENTRES, WINDOW, find_types, windows_of
from agents.statistical.predicting import ann
from agents.statistical.predicting.decision_tree import STRENGTH_BINS, strength_bins
from agents.statistical.predicting.player_types import TYPES
from agents.statistical.predicting.predictor import FrequencyTable, Predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.learning.type_clustering import Windows
    from agents.statistical.predicting.decision_tree import DecisionTree
    from agents.statistical.predicting.player_types import PlayerTypes

_ASIDE: Final = 0.1
"""Share of the hands learned from that early stopping and pruning go by."""


def _quietly(stage: str, done: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What to learn from, and how."""

    learned: DecisionTable
    held_out: DecisionTable
    seed: int
    network: ann.NetworkConfig = field(default_factory=ann.NetworkConfig)
    tree: tree_growing.TreeConfig = field(default_factory=tree_growing.TreeConfig)
    window: int = WINDOW
    others: DecisionTable | None = None
    """Of players whose types are looked at, where they are not learned from."""
    progress: Callable[[str, float], None] = _quietly


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, and how it does."""

    model: Any
    """It has `save` and `provenance`."""
    report: str
    """For people."""
    facts: dict[str, Any]
    """The same as plain values."""


def train(kind: str, task: TrainingTask) -> Trained:
    """Train a model of a kind: "frequencies", "ann", "tree" or "types".

    Raises:
        ValueError: no such kind, or too few hands for it.
    """
    trainers = {
        "frequencies": _frequencies,
        "ann": _network,
        "tree": _tree,
        "types": _types,
    }
    if kind not in trainers:
        raise ValueError(f"nothing called {kind!r} is trained; there is {', '.join(trainers)}")
    return trainers[kind](task)


def check_share(hands: int, held_out: float) -> None:
    """Raise ValueError where holding out a share of some hands leaves one side without a hand."""
    aside = round(held_out * hands)
    if not aside:
        raise ValueError(f"{hands:,} hands are too few to hold out a share of {held_out:g}")
    if aside == hands:
        raise ValueError(
            f"{hands:,} hands are too few to hold out {held_out:g} and learn from some"
        )


def _frequencies(task: TrainingTask) -> Trained:
    personal = FrequencyTable.counting(task.learned.cells, task.learned.actions, personal=True)
    return _measured("personal", personal, task)


def _network(task: TrainingTask) -> Trained:
    from agents.statistical.learning.ann_training import train_network

    def report(epoch: ann.Epoch) -> None:
        task.progress("network", epoch.number / task.network.epochs)

    learned = task.learned
    _, others = split(learned, _ASIDE, np.random.default_rng(task.seed))
    aside = np.isin(learned.hands, others.hands)
    network = train_network(
        learned.contexts, learned.actions, aside, task.seed, task.network, report
    )
    return _measured("ann", network, task)


def _tree(task: TrainingTask) -> Trained:
    grown_from, aside = split(task.learned, _ASIDE, np.random.default_rng(task.seed))
    grown = tree_growing.grow_tree(
        grown_from.contexts,
        grown_from.actions,
        grown_from.strengths,
        task.tree,
        lambda done: task.progress("tree", done),
    )
    tree = tree_growing.prune(
        grown, aside.contexts, aside.actions, aside.strengths, task.tree.strength_weight
    )
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
    learned = windows_of(task.learned, task.window)
    if len(learned.points) < CENTRES:
        raise ValueError(
            f"{len(learned.points)} times {task.window} hands of a player in the "
            f"{task.learned.hand_count:,} that are learned from: too few for {CENTRES} centres; "
            "want more hands, or a smaller --held-out or --window"
        )
    types = find_types(
        learned.points,
        learned.kinds,
        np.random.default_rng(task.seed),
        task.window,
        lambda done: task.progress("types", done),
    )
    others = windows_of(task.held_out, task.window)
    named = types.chances(learned.points, learned.kinds).argmax(axis=1)
    shares = np.bincount(named, minlength=len(TYPES)) / len(named)
    players = _counts_by_player(task.learned.names, learned.players, named)
    report = f"{_types_report(types)}\n\n{_counts_table(players)}"
    facts: dict[str, Any] = {
        "windows": len(named),
        "shares": dict(zip(TYPES, shares.tolist(), strict=True)),
        "centres": {name: types.names.count(name) for name in TYPES},
        "players": players,
    }
    agreement = _agreement(types, learned, named, others)
    if agreement is not None:
        facts["held_out"] = agreement
        report += (
            f"\n\n{agreement['windows']} windows held out get the type that is commonest for their "
            f"player with probability {agreement['same']:.2f}; by chance {agreement['chance']:.2f}"
        )
    if task.others is not None:
        strangers = _strangers(types, task)
        facts["strangers"] = strangers
        report += f"\n\nplayers who were not learned from: {_strangers_told(strangers, task)}"
    return Trained(types, report, facts)


def _strangers(types: PlayerTypes, task: TrainingTask) -> dict[str, list[int]]:
    """Return how many windows of each player that was not learned from are of which type."""
    assert task.others is not None
    windows = windows_of(task.others, task.window)
    named = np.zeros(0, np.int64)
    if len(windows.points):
        named = types.chances(windows.points, windows.kinds).argmax(axis=1)
    counts = _counts_by_player(task.others.names, windows.players, named)
    return {name: count for name, count in counts.items() if name not in task.learned.names}


def _strangers_told(strangers: Mapping[str, Sequence[int]], task: TrainingTask) -> str:
    """Return what there is to say of players who were not learned from."""
    if not strangers:
        return "none, every player of --others was learned from as well"
    if not any(map(any, strangers.values())):
        return f"none of {len(strangers)} played {task.window} hands of one kind of game"
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


def _counts_by_player(
    names: Sequence[str], players: NDArray[np.int64], named: NDArray[np.int64]
) -> dict[str, list[int]]:
    """Return how many windows of each player are of which type, in the order of `TYPES`."""
    return {
        name: np.bincount(named[players == number], minlength=len(TYPES)).tolist()
        for number, name in enumerate(names)
    }


def _counts_table(counts: Mapping[str, Sequence[int]]) -> str:
    """Return a line for each player who has a window."""
    width = max([len("windows"), *map(len, counts)])
    lines = [f"{'windows':{width}}  " + "  ".join(f"{name:>12}" for name in TYPES)]
    for name, row in sorted(counts.items()):
        if any(row):
            lines.append(f"{name:{width}}  " + "  ".join(f"{count:12}" for count in row))
    return "\n".join(lines)


def _agreement(
    types: PlayerTypes, learned: Windows, named: NDArray[np.int64], others: Windows
) -> dict[str, Any] | None:
    """Return how often windows held out have the type that their players had most often."""
    most = max(learned.players.max(), others.players.max(initial=0))
    usual = np.zeros((int(most) + 1, len(TYPES)))
    np.add.at(usual, (learned.players, named), 1)
    seen = usual.sum(axis=1)[others.players] > 0
    if not seen.any():
        return None
    expected = usual.argmax(axis=1)[others.players[seen]]
    given = types.chances(others.points[seen], others.kinds[seen]).argmax(axis=1)
    shares = [np.bincount(each, minlength=len(TYPES)) / len(given) for each in (expected, given)]
    return {
        "windows": len(given),
        "same": float((expected == given).mean()),
        "chance": float(shares[0] @ shares[1]),
    }
