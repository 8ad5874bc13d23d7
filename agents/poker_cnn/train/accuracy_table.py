"""Accuracies as a table for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agents.poker_cnn.train.accuracy import ACTION_NAMES, STREET_NAMES
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from agents.poker_cnn.train.accuracy import Accuracy, Proportion


def accuracy_table(accuracies: Mapping[str, Accuracy], folds: Sequence[Accuracy] = ()) -> str:
    """Return the table: percent of decisions predicted, with 95 % intervals over matches."""
    head = ["", "accuracy", "log-loss", *STREET_NAMES, *ACTION_NAMES, "decisions"]
    every = {f"fold {number}": accuracy for number, accuracy in enumerate(folds, 1)} | dict(
        accuracies
    )
    rows = [
        [
            name,
            percent_with_interval(accuracy.accuracy),
            interval_text(accuracy.log_loss.value, accuracy.log_loss.ci95, 4),
            *map(percent_with_interval, accuracy.by_street),
            *map(percent_with_interval, accuracy.by_action),
            f"{accuracy.accuracy.decisions:,}",
        ]
        for name, accuracy in every.items()
    ]
    return "\n".join(aligned([head, *rows])) + "\n"


def percent_with_interval(share: Proportion) -> str:
    """Return a share in percent with its interval."""
    if not share.decisions:
        return "-"
    return interval_text(100 * share.value, 100 * share.ci95)


def interval_text(mean: float, half_width: float, digits: int = 1) -> str:
    """Return a mean with half its interval, "?" where that is not known."""
    spread = f"{half_width:.{digits}f}" if math.isfinite(half_width) else "?"
    return f"{mean:.{digits}f} ± {spread}"
