"""What the page that solves spots is told: ranges, solutions and decisions as plain values.

Numbers of decisions are those of `arena solve --json`, from the same code.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.betting.betting_tree import DEAL
from engine.commands.solve.decisions import decision_at, find_route
from engine.commands.solve.report import node_json, solution_json
from engine.commands.solve.request import ReportSection, cards_of
from engine.hands.cards import COMBOS, card_bits, live_combos
from engine.hands.range_text import format_range, parse_range
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.range_solver.strategy import RangeStrategy

RANGES: Final = ("oop", "ip")
FIELDS: Final = (
    *("board", "pot", "stacks", *RANGES, "bets", "raises"),
    *("max-raises", "big-blind", "accuracy"),
)
"""Options of `arena solve` that a page may give; without a text they are left out."""
_TEXT: Final = re.compile(r"[0-9A-Za-z%*+:,./\s-]{0,30000}")
"""All that these options need; "@", which reads a range from a file, is not among it."""
_BLANKS: Final = re.compile(" ?, ?")
_DIGITS: Final = 4
"""Of weights in a range that was normalised."""


def spot_words(spot: Mapping[str, str]) -> list[str]:
    """Return the options of `arena solve` that describe a spot.

    Raises:
        ValueError: a text has characters that none of them needs.
    """
    for name, text in spot.items():
        if _TEXT.fullmatch(text) is None:
            raise ValueError(f"--{name}: has characters that mean nothing here, or too many")
    short = {name: _BLANKS.sub(",", " ".join(text.split())) for name, text in spot.items()}
    return [f"--{name}={text}" for name, text in short.items() if text]


def spot_document(spot: Mapping[str, str]) -> dict[str, Any]:
    """Return the command that solves a spot, and both ranges, for `json.dumps`.

    Raises:
        ValueError: as from `spot_words`.
    """
    command = shlex.join(("arena", "solve", *spot_words(spot)))
    return {"command": command} | {side: range_document(spot[side]) for side in RANGES}


def range_document(text: str) -> dict[str, Any]:
    """Return a range for `json.dumps`, or why there is none.

    "text" is the shortest, "hands" the mean weight of each of the 169 starting hands in the order
    of the chart, "combos" the sum of all weights.
    """
    try:
        weights = parse_range(text)
    except ValueError as error:
        return {"error": str(error)}
    return {
        "text": format_range(weights),
        "hands": _by_starting_hand(weights).round(_DIGITS).tolist(),
        "combos": float(weights.sum()),
    }


def solution_document(strategy: RangeStrategy) -> dict[str, Any]:
    """Return what is known of a solution for `json.dumps`, with the spot as far as it is kept."""
    facts = solution_json(strategy)
    sides = [_range_text(side, strategy.board) for side in strategy.ranges]
    spot = {name: str(facts[key]) for name, key in _KEPT.items()} | dict(
        zip(RANGES, sides, strict=True)
    )
    spot |= {name: text for name, text in strategy.asked.items() if name in FIELDS}
    return facts | {"spot": spot}


_KEPT: Final = {"board": "board", "pot": "pot", "stacks": "stack"}


def walk_document(strategy: RangeStrategy, node: str, dealt: str) -> dict[str, Any]:
    """Return a decision for `json.dumps`: that of `arena solve --json`, with more.

    Args:
        strategy: the solution.
        node: as --node wants it.
        dealt: as --dealt wants it.

    Raises:
        ValueError: there is no such decision.
    """
    look = ReportSection(node, cards_of("--dealt", dealt), None, combos=False)
    route = find_route(strategy.tree, strategy.board, strategy.ranges, look)
    decision = decision_at(strategy, route)
    document = node_json(decision, look)
    kinds = [int(strategy.tree.kind[child]) for child in decision.actions]
    for action, kind in zip(document["actions"], kinds, strict=True):
        action["next"] = "decision" if kind < DEAL else "card" if kind == DEAL else "end"
    spent = strategy.tree.spent[decision.node]
    return document | {
        "pot": int(spent.sum()),
        "to_call": int(spent.max() - spent[decision.player]),
        "combos": node_json(decision, replace(look, combos=True))["hands"],
    }


def _range_text(belief: NDArray[np.float64], board: tuple[int, ...]) -> str:
    """Return a range as text.  Combos that the board rules out go with the others of their kind."""
    live = live_combos(card_bits(board))
    weights = (belief / belief.max()).astype(np.float32)
    others = np.maximum(_by_starting_hand(live.astype(np.float32)), 1e-9)
    whole = (_by_starting_hand(weights) / others)[COMBO_STARTING_HAND]
    return format_range(np.where(live, weights, whole).round(_DIGITS))


def _by_starting_hand(weights: NDArray[np.float32]) -> NDArray[np.float64]:
    assert weights.shape == (COMBOS,)
    return np.bincount(COMBO_STARTING_HAND, weights) / STARTING_HAND_COMBOS
