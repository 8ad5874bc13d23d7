"""How `arena solve` shows a solution and its decisions, to people and to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.betting.betting_tree import CALL, FOLD, RAISE, BettingTree
from engine.commands.solve.decisions import expected_net_chips
from engine.commands.solve.request import PLAYERS
from engine.console.quantities import percent
from engine.console.text_table import aligned
from engine.hands.cards import COMBOS, combo_text
from engine.hands.starting_hands import (
    COMBO_STARTING_HAND,
    STARTING_HAND_NAMES,
    STARTING_HANDS,
)
from protocol.cards import format_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.commands.solve.decisions import NodeDecision
    from engine.commands.solve.request import ReportSection
    from engine.range_solver.strategy import RangeStrategy

_UNREACHED: Final = "never reached in this solution: what is shown was hardly trained, if at all"
_EVERYTHING: Final = np.arange(COMBOS)


def solution_lines(strategy: RangeStrategy) -> list[str]:
    """Return the spot of a solution and its exploitability as lines."""
    facts = solution_json(strategy)
    hands = " against ".join(f"{int((weights > 0).sum())}" for weights in strategy.ranges)
    chips, share = facts["exploitability"], facts["exploitability_of_pot"]
    expected = [f"{ev:.2f} {name}" for ev, name in zip(facts["ev"], PLAYERS, strict=True)]
    mbb = 1000 * chips / max(strategy.tree.game.blinds)
    return [
        f"{facts['board']}, pot {facts['pot']}, {facts['stack']} behind; {hands} hands, "
        f"{len(strategy.tree.decisions)} decisions",
        f"exploitability {chips:.3f} chips = {100 * share:.3f} % of the pot = {mbb:.2f} mbb a hand",
        f"EV {', '.join(expected)}",
    ]


def solution_json(strategy: RangeStrategy) -> dict[str, Any]:
    """Return the same facts for `json.dumps`."""
    game, pot = strategy.tree.game, strategy.game.pot
    exploitability = max(0.0, strategy.exploitability)  # rounding may take it below
    return {
        "board": format_cards(strategy.board),
        "pot": pot,
        "stack": game.stacks[0] - pot // 2,
        "exploitability": exploitability,
        "exploitability_of_pot": exploitability / pot,
        "ev": list(expected_net_chips(strategy)),
    }


def decision_lines(decision: NodeDecision, look: ReportSection) -> list[str]:
    """Return the table of a decision: everything in one row, then a row for each kind of hand."""
    tree = decision.tree
    rows = [
        ["hand", "share", "EV", *(action_name(tree, child) for child in decision.actions)],
        ["% of pot", "", "", *(_percent(tree, child) for child in decision.actions)],
        ["--node", "", "", *(tree.action_text(child) for child in decision.actions)],
        _row("all", decision, _EVERYTHING),
        *(_row(name, decision, group) for name, group in _groups(decision, look)),
    ]
    if decision.expected is None:
        rows = [[*row[:2], *row[3:]] for row in rows]
    lines = [_headline(decision), *([] if decision.reached else [_UNREACHED]), *aligned(rows)]
    if look.hands is not None and not any(_groups(decision, look)):
        lines.append("none of the --hands comes here")
    return lines


def node_json(decision: NodeDecision, look: ReportSection) -> dict[str, Any]:
    """Return the same facts for `json.dumps`: shares and probabilities from 0 to 1, chips."""
    tree = decision.tree
    return {
        "cards": format_cards(decision.board),
        "node": tree.betting(decision.node),
        "player": PLAYERS[decision.player],
        "reached": decision.reached,
        "actions": [
            {
                "word": tree.action_text(child),
                "name": action_name(tree, child),
                "of_pot": _of_pot(tree, child),
            }
            for child in decision.actions
        ],
        "all": _facts(decision, _EVERYTHING),
        "hands": {name: _facts(decision, group) for name, group in _groups(decision, look)},
    }


def action_name(tree: BettingTree, child: int) -> str:
    """Return the action that led to a node in words; raises are told in chips of the street."""
    above = int(tree.parent[child])
    player = int(tree.kind[above])
    spent = tree.spent[above]
    to_call = int(spent.max() - spent[player])
    if tree.action[child] == FOLD:
        return "fold"
    if tree.action[child] == CALL:
        return f"call {to_call}" if to_call else "check"
    if tree.raise_to[child] >= min(tree.game.stacks):  # of either; the other may call less
        return "all-in"
    base = int(tree.spent[_street_begins(tree, above)].min())
    return f"{'raise to' if to_call else 'bet'} {int(tree.raise_to[child]) - base}"


def _of_pot(tree: BettingTree, child: int) -> float | None:
    """Return a raise as a fraction of the pot after the call; None for other actions."""
    if tree.action[child] != RAISE:
        return None
    matched = int(tree.spent[tree.parent[child]].max())
    return (int(tree.raise_to[child]) - matched) / (2 * matched)


def _percent(tree: BettingTree, child: int) -> str:
    part = _of_pot(tree, child)
    return "" if part is None else f"{100 * part:.0f}"


def _headline(decision: NodeDecision) -> str:
    tree, node = decision.tree, decision.node
    betting = tree.betting(node)
    spent = tree.spent[node]
    to_call = int(spent.max() - spent[decision.player])
    return (
        f"{format_cards(decision.board)}"
        + (f" after {betting}" if betting else "")
        + f": {PLAYERS[decision.player]} acts, {int(spent.sum())} in the pot"
        + (f", {to_call} to call" if to_call else "")
    )


def _groups(decision: NodeDecision, look: ReportSection) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yield name and combos of every row with hands that come here, highest cards first."""
    shown = decision.weights > 0
    if look.hands is not None:
        shown &= look.hands
    if look.combos:
        for combo in np.flatnonzero(shown)[::-1]:
            yield combo_text(int(combo)), np.array([combo])
        return
    for hand in range(STARTING_HANDS):
        group = np.flatnonzero(shown & (hand == COMBO_STARTING_HAND))
        if len(group):
            yield STARTING_HAND_NAMES[hand], group


def _facts(decision: NodeDecision, group: NDArray[np.int64]) -> dict[str, Any]:
    """Return share, probabilities and chips of some combos together."""
    weights = decision.weights[group]
    total = float(weights.sum())
    played = weights @ decision.strategy[group].astype(np.float64) / total
    facts: dict[str, Any] = {"share": total, "probabilities": played.tolist()}
    if decision.expected is not None:
        facts["ev"] = float(weights @ np.nan_to_num(decision.expected[group]) / total)
    return facts


def _row(name: str, decision: NodeDecision, group: NDArray[np.int64]) -> list[str]:
    facts = _facts(decision, group)
    return [
        name,
        percent(facts["share"], 2),
        f"{facts['ev']:.1f}" if "ev" in facts else "",
        *map(percent, facts["probabilities"]),
    ]


def _street_begins(tree: BettingTree, node: int) -> int:
    """Return the first decision of the street of a decision."""
    while node and tree.street[tree.parent[node]] == tree.street[node]:
        node = int(tree.parent[node])
    return node
