"""Compiled regret matching of gadgets: an iteration of all combos at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated, predicted
from engine.cfr.variants import Step
from engine.compiled.jit import inlined_raw_kernel, raw_kernel


class ChoiceTables(NamedTuple):
    """What a choice has learnt; all of one shape."""

    regret: NDArray[np.float64]
    """Accumulated, in chips."""
    matched: NDArray[np.float64]
    """Regrets to match next."""
    sums: NDArray[np.float64]
    """Of the strategies so far, with their weights."""
    played: NDArray[np.float64]
    """The current strategy."""


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_raw_kernel
def _add_played(played: NDArray[np.float64], step: Step, sums: NDArray[np.float64]) -> None:
    for h in range(len(played)):
        sums[h] = sums[h] * step.keep + step.weight * played[h]


@raw_kernel
def learn_entries(
    values: NDArray[np.float64],
    alternatives: NDArray[np.float64],
    step: Step,
    tables: ChoiceTables,
) -> None:
    """Learn whether to enter, for `values` (H,), or take one of the alternatives (K, H).

    Tables are (2, K, H): entering and staying out.
    """
    for k in range(alternatives.shape[0]):  # loops of few arrays become vector instructions
        taken = alternatives[k]
        regret, other_regret = tables.regret[0, k], tables.regret[1, k]
        matched, other_matched = tables.matched[0, k], tables.matched[1, k]
        played, other_played = tables.played[0, k], tables.played[1, k]
        _add_played(played, step, tables.sums[0, k])
        _add_played(other_played, step, tables.sums[1, k])
        for h in range(len(values)):
            mean = played[h] * values[h] + other_played[h] * taken[h]
            gain, other_gain = values[h] - mean, taken[h] - mean
            regret[h] = accumulated(regret[h], gain, step.positive, step.negative, step.floor)
            other_regret[h] = accumulated(
                other_regret[h], other_gain, step.positive, step.negative, step.floor
            )
            if step.prediction > 0:
                matched[h] = predicted(regret[h], gain, step.carry, step.prediction)
                other_matched[h] = predicted(
                    other_regret[h], other_gain, step.carry, step.prediction
                )
        if not step.prediction > 0:
            for h in range(len(values)):
                matched[h] = regret[h]
                other_matched[h] = other_regret[h]
        for h in range(len(values)):
            enters, stays = max(matched[h], 0.0), max(other_matched[h], 0.0)
            total = enters + stays
            played[h] = enters / total if total > 0 else 0.5
            other_played[h] = stays / total if total > 0 else 0.5


@raw_kernel
def mean_entries(played: NDArray[np.float64], least: float, factors: NDArray[np.float32]) -> None:
    """Write (H,) how often each combo enters, of (K, H) chances, and never less than `least`."""
    for h in range(len(factors)):
        total = 0.0
        for k in range(len(played)):
            total += played[k, h]
        factors[h] = least + (1 - least) * (total / len(played))


@inlined_raw_kernel
def match_pick(matched: NDArray[np.float64], played: NDArray[np.float64]) -> None:
    """Write (N,) the positive parts of regrets as shares; even ones without any."""
    total = 0.0
    for n in range(len(matched)):
        total += max(matched[n], 0.0)
    for n in range(len(matched)):
        played[n] = max(matched[n], 0.0) / total if total > 0 else 1 / len(matched)


@raw_kernel
def learn_pick(
    values: NDArray[np.float64],
    alternatives: NDArray[np.float64],
    combos: NDArray[np.intp],
    step: Step,
    tables: ChoiceTables,
) -> None:
    """Learn which of the `combos` (N,) gains most over its alternative; values are (H,).

    Tables are (N,).
    """
    regret, matched, sums, played = tables
    mean = 0.0
    for n in range(len(combos)):
        mean += played[n] * (values[combos[n]] - alternatives[combos[n]])
    _add_played(played, step, sums)
    for n in range(len(combos)):
        gain = values[combos[n]] - alternatives[combos[n]] - mean
        regret[n] = accumulated(regret[n], gain, step.positive, step.negative, step.floor)
        matched[n] = regret[n]
        if step.prediction > 0:
            matched[n] = predicted(regret[n], gain, step.carry, step.prediction)
    match_pick(matched, played)
