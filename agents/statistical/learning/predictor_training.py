"""What `arena train statistical` does with decisions: train one kind of model, and measure it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.statistical.learning.dataset import split_decisions
from agents.statistical.learning.evaluation import (
    comparison,
    evaluate,
    frequency_chances,
    reliability_table,
    strength_losses,
)
from agents.statistical.learning.tree_growing import TreeConfig, grow_tree
from agents.statistical.learning.type_clustering import (
    WINDOW_HANDS,
    find_types,
    windows_of,
)
from agents.statistical.predicting.ann import NetworkConfig
from agents.statistical.predicting.player_types import CLUSTERED, TYPES
from agents.statistical.predicting.strength_bins import STRENGTH_BINS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable
    from agents.statistical.learning.type_clustering import Windows
    from agents.statistical.predicting.ann import Epoch
    from agents.statistical.predicting.model_files import Predictor
    from agents.statistical.predicting.player_types import PlayerTypes
    from agents.statistical.predicting.trained import TrainedModel

_EARLY_STOPPING_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What to learn from, and how."""

    learned: DecisionTable
    held_out: DecisionTable
    seed: int
    settings: Mapping[str, Any]
    """Options of the kind that are not its defaults: hidden, epochs; leaf, gain; or window."""
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


def train_predictor(kind: str, task: TrainingTask) -> Trained:
    """Train a model of a kind that learns from decisions: "ann", "tree" or "types".

    Raises:
        ValueError: a setting is out of range, or there are too few hands for the kind.
    """
    return {"ann": _network, "tree": _tree, "types": _types}[kind](task)


def check_share(hands: int, held_out: float) -> None:
    """Raise TrainingError where holding out a share of some hands leaves one side without any."""
    aside = round(held_out * hands)
    if not aside:
        raise TrainingError(f"{hands:,} hands are too few to hold out a share of {held_out:g}")
    if aside == hands:
        raise TrainingError(
            f"{hands:,} hands are too few to hold out {held_out:g} and learn from some"
        )


def _network(task: TrainingTask) -> Trained:
    from agents.statistical.learning.ann_training import train_network

    config = NetworkConfig(**task.settings)

    def note_epoch(epoch: Epoch) -> None:
        task.progress("network", epoch.number / config.epochs)

    parts = split_decisions(task.learned, _EARLY_STOPPING_SHARE, np.random.default_rng(task.seed))
    network = train_network(*parts, task.seed, config, note_epoch)
    return _measured("ann", network, task)


def _tree(task: TrainingTask) -> Trained:
    tree = grow_tree(task.learned, TreeConfig(**task.settings), partial(task.progress, "tree"))
    trained = _measured("tree", tree, task)
    losses = strength_losses(tree, task.learned, task.held_out)
    nodes = f"{len(tree.feature)} nodes, {len(tree.feature) // 2 + 1} of them leaves"
    if losses is None:
        return replace(trained, report=f"{trained.report}\n\n{nodes}; no hand is known")
    report = (
        f"{trained.report}\n\n{nodes}\nstrength of the hand in {STRENGTH_BINS} bins, once the "
        f"action is known, log-loss in nats: {losses['tree']:.4f}; by street, raises and action "
        f"alone {losses['by_cell']:.4f}; uniform {losses['uniform']:.4f}"
    )
    return replace(trained, report=report, facts={**trained.facts, "strength_log_loss": losses})


def _measured(name: str, model: Predictor, task: TrainingTask) -> Trained:
    """Return a predictor with how it does on the hands held out, beside a table of frequencies."""
    baseline = frequency_chances(task.learned, task.held_out)
    chances = {"frequencies": baseline, name: model.probabilities(task.held_out.contexts)}
    evaluations = {
        rival: evaluate(each, baseline, task.held_out, np.random.default_rng(task.seed))
        for rival, each in chances.items()
    }
    measured = evaluations[name]
    report = (
        f"{measured.decisions:,} decisions in {measured.hands:,} hands held out, "
        f"95 % intervals over hands\n\n{comparison(evaluations)}\n\n{reliability_table(measured)}"
    )
    return Trained(model, report, {rival: each.facts() for rival, each in evaluations.items()})


def _types(task: TrainingTask) -> Trained:
    window = task.settings.get("window", WINDOW_HANDS)
    learned = windows_of(task.learned, window)
    if len(learned.points) < len(TYPES):
        raise ValueError(
            f"{len(learned.points)} times {window} hands of a player in the "
            f"{task.learned.hand_count:,} that are learned from: too few for {len(TYPES)} "
            "clusters; want more hands, or a smaller --held-out or --window"
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
        "centres": dict(zip(types.names, types.plain_centres().tolist(), strict=True)),
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
        table = _strangers_told(strangers, window)
        report += f"\n\nplayers who were not learned from: {table}"
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
    is_learned = players.sum(axis=1)[held_out.players] > 0
    if not is_learned.any():
        return None
    expected = players.argmax(axis=1)[held_out.players[is_learned]]
    given = types.likeliest(held_out.points[is_learned], held_out.kinds[is_learned])
    shares = [np.bincount(each, minlength=len(TYPES)) / len(given) for each in (expected, given)]
    return {
        "windows": len(given),
        "same": float((expected == given).mean()),
        "chance": float(shares[0] @ shares[1]),
    }


def _strangers_told(strangers: Mapping[str, Sequence[int]], window: int) -> str:
    if not strangers:
        return "none, every player of --others was learned from as well"
    if not any(map(any, strangers.values())):
        return f"none of {len(strangers)} played {window} hands of one kind of game"
    return f"\n{_counts_table(strangers)}"


def _types_report(types: PlayerTypes) -> str:
    lines = [f"{'type':12}  " + "  ".join(f"{name:>13}" for name in CLUSTERED)]
    for name, centre in sorted(zip(types.names, types.plain_centres().tolist(), strict=True)):
        lines.append(f"{name:12}  " + "  ".join(f"{max(0.0, number):13.3f}" for number in centre))
    return "\n".join(lines)


def _counts_table(counts: Mapping[str, Sequence[int]]) -> str:
    width = max([len("windows"), *map(len, counts)])
    lines = [f"{'windows':{width}}  " + "  ".join(f"{name:>12}" for name in TYPES)]
    for name, row in sorted(counts.items()):
        if any(row):
            lines.append(f"{name:{width}}  " + "  ".join(f"{count:12}" for count in row))
    return "\n".join(lines)
