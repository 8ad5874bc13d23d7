"""What attacks on a strategy have won, as a table and as facts for JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from engine.console.quantities import interval
from engine.estimates.winrate import WinRate
from engine.evaluation.attacks import (
    AGAIN,
    NAMES_OF_KINDS,
    ONE_LINE,
    AttackResult,
    WorstCases,
    worst_first,
)

_BOUND: Final = "A lower bound of how much can be won; below 0 it proves nothing."


def plain_table(agent: str, found: WorstCases) -> str:
    """Return what was won, a line for each way, in the order in which they were named."""
    of_lbr = all(won.lbr is not None for won in found.again)
    title = "local best response against" if of_lbr else "won from"
    lines = [f"{title} {agent}, mbb/h (95 %)", *_rows(found.again), _BOUND]
    return "\n".join(lines) + "\n"


def worst_table(agent: str, found: WorstCases) -> str:
    """Return what was won, the most first: what was measured again, else what was only tried."""
    if not found.again:
        lines = [
            f"tried against {agent}, mbb/h (95 %)",
            *_rows(worst_first(found.tried)),
            "Not measured again: the highest of many figures are too high by chance.",
        ]
        return "\n".join(lines) + "\n"
    lines = [f"worst cases of {agent}, mbb/h (95 %)", *_rows(worst_first(found.again))]
    if found.tried:
        lines += [
            f"Tried before: {_tried(found.tried)}.",
            f"The worst {AGAIN} of a kind were then measured on other deals and boards, as above.",
        ]
    return "\n".join([*lines, _BOUND]) + "\n"


def plain_facts(won: AttackResult) -> dict[str, Any]:
    """Return what one way won: all that is known of it."""
    if won.lbr is None:
        return {**_named(won), "rate": _rate(won.rate)}
    facts = asdict(won.lbr)
    return {**facts, "rate": _rate(won.lbr.rate), "plain": _rate(won.lbr.plain)}


def worst_facts(found: WorstCases) -> dict[str, Any]:
    """Return what was won in both passes, the most first."""
    return {
        "measured_again": list(map(_facts, worst_first(found.again))),
        "tried": list(map(_facts, worst_first(found.tried))),
    }


def _facts(won: AttackResult) -> dict[str, Any]:
    rate = _rate(won.rate)
    return {
        **_named(won),
        "mbb_per_hand": rate["mbb_per_hand"],
        "ci95": rate["ci95"],
        "boards" if won.lbr is None else "pairs": rate["samples"],
    }


def _named(won: AttackResult) -> dict[str, str]:
    """Return {"settings": TEXT}, {"script": TEXT} or {"river": TEXT}."""
    if won.lbr is not None:
        return {"settings": won.name}
    kind, _, text = won.name.partition(":")
    return {kind: text}


def _rate(rate: WinRate) -> dict[str, float | None]:
    """Return a win rate; None where too few samples tell nothing."""
    known = {"mbb_per_hand": rate.mbb_per_hand, "ci95": rate.ci95, "sd": rate.sd}
    counts = {"samples": rate.samples, "hands": rate.hands}
    return {name: one if math.isfinite(one) else None for name, one in known.items()} | counts


def _tried(found: Sequence[AttackResult]) -> str:
    """Return how many ways were tried, and with how much of each kind."""
    kinds = [("LBR settings", [won for won in found if won.lbr is not None])]
    for start, name in NAMES_OF_KINDS.items():
        kinds.append((name, [won for won in found if won.name.startswith(start)]))
    told = [f"{len(ways)} {kind} with {ways[0].samples} each" for kind, ways in kinds if ways]
    return ", ".join(told[:-1]) + " and " * (len(told) > 1) + told[-1]


def _rows(found: Sequence[AttackResult]) -> list[str]:
    width = max(len(won.name) for won in found)
    return [
        f"  {won.name:{width}}  {interval(won.rate.mbb_per_hand, won.rate.ci95, 0):>16}  "
        f"{won.samples}, {_exact(won)}"
        for won in found
    ]


def _exact(won: AttackResult) -> str:
    """Return what of chance does not count, in words."""
    if won.lbr is not None:
        return "luck taken out"
    return "all hands" if won.name.endswith(ONE_LINE) else "all hands and actions"
