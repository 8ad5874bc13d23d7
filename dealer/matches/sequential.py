"""A match that goes on until a sequential test decides it: `--sprt mbb0=0 mbb1=10`.

The test is of the first bot's duplicate sets, in the order in which they become complete.  Runs are
added one by one, so there is no number of hands to be fixed beforehand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from dealer.matches.errors import MatchUsageError
from engine.estimates.sprt import SequentialDecision, SequentialState, SequentialTest
from engine.estimates.winrate import WinRate

_NUMBERS: Final = ("mbb0", "mbb1", "alpha", "beta")


def parse_test(words: Sequence[str]) -> SequentialTest:
    """Return the test that words such as mbb0=0 mbb1=10 alpha=0.05 beta=0.05 ask for.

    Raises:
        MatchUsageError: they ask for none.
    """
    told: dict[str, float] = {"mbb0": 0.0}
    for word in words:
        name, sign, text = word.partition("=")
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if name not in _NUMBERS or not sign or math.isnan(number):
            raise MatchUsageError(
                f"--sprt {word}: want numbers as mbb0=0 mbb1=10 alpha=0.05 beta=0.05"
            )
        told[name] = number
    if "mbb1" not in told:
        raise MatchUsageError("--sprt wants at least mbb1=, the win rate in mbb/h to be shown")
    try:
        return SequentialTest(**told)
    except ValueError as exc:
        raise MatchUsageError(f"--sprt: {exc}") from exc


def state_of(test: SequentialTest, sets: WinRate) -> SequentialState:
    """Return where a test stands after some duplicate sets."""
    count = sets.samples
    variance = sets.sd**2 * (count - 1) / count if count > 1 else 0.0
    return test.state(count, sets.mbb_per_hand, variance)


def standing_text(test: SequentialTest, state: SequentialState) -> str:
    """Return where a test stands, for a line of progress."""
    lower, upper = test.bounds
    text = f"LLR {state.llr:+.2f} of {lower:.2f} to {upper:.2f}"
    if state.more_samples is not None:
        text += f", about {2 * state.more_samples:,} hands left"
    return text


def decision_text(test: SequentialTest, state: SequentialState, label: str) -> str:
    """Return what a test says, a paragraph."""
    lower, upper = test.bounds
    said = {
        SequentialDecision.OPEN: "not decided",
        SequentialDecision.H0: f"decided: {label} does not win {test.mbb1:g} mbb/h",
        SequentialDecision.H1: f"decided: {label} wins more than {test.mbb0:g} mbb/h",
    }[state.decision]
    return (
        f"sequential test of {label}: {test.mbb0:g} against {test.mbb1:g} mbb/h, alpha "
        f"{test.alpha:g}, beta {test.beta:g}\n"
        f"{said}, by {state.samples:,} duplicate sets: LLR {state.llr:+.2f}, bounds "
        f"{lower:.2f} and {upper:.2f}\n"
        "(intervals and p-values here are for a number of hands fixed beforehand; after a "
        "sequential test they flatter)\n"
    )


def decision_document(test: SequentialTest, state: SequentialState) -> dict[str, Any]:
    """Return what a test says as plain values; an infinite ratio is None."""
    lower, upper = test.bounds
    return {
        **asdict(test),
        "llr": state.llr if math.isfinite(state.llr) else None,
        "llr_lower": lower,
        "llr_upper": upper,
        "sets": state.samples,
        "decision": state.decision.value,
    }


def decided_before(result: Path, test: SequentialTest | None) -> SequentialState | None:
    """Return what a test said that ended the match, as its result tells; None if it did not end it.

    Args:
        result: file of the match's result; it may not be there yet.
        test: the match's, None for none.
    """
    try:
        told = json.loads(result.read_text(encoding="utf-8"))["sequential_test"]
        decision = SequentialDecision(told["decision"])
        llr = math.inf if told["llr"] is None else float(told["llr"])
        state = SequentialState(llr, decision, int(told["sets"]), None)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return None if test is None or decision is SequentialDecision.OPEN else state
