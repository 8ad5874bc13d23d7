"""What each decision of a hand was worth, and what a mistake cost, by a blueprint.

The other player holds what the strategy would hold there by what it did, as `hand_strategies` has
it; its true cards, where they are seen, do not count.  From the decision on both play the blueprint
of the strategy, see `agents.blueprint_model.action_values`; what was done later does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agents.analysis.hand_strategies import counted_as, decisions
from agents.blueprint_model.action_values import ActionValuer
from agents.blueprint_model.policy import blueprint_of
from agents.errors import GameNotPlayed
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from agents.analysis.hand_strategies import HandDecision
    from agents.blueprint_model.action_values import ActionValues
    from agents.training.logs import PlayedHand
    from engine.betting.policy import Policy

_CHIP_DIGITS: Final = 2


def hand_values_told(policy: Policy, hand: PlayedHand) -> list[dict[str, Any]]:
    """Return the decisions of those whose hole cards are seen, for `json.dumps`.

    "action" is the number of the decision in the hand, from 0 on.  "values" has chips for each of
    the "actions" of `hand_strategies`, null for what is not in the blueprint's tree; "errors" their
    standard errors, null where values are exact.  "best" is the action worth most, a text,
    "cost" by how much what was done is worth less, and "cost_error" its standard error; both are
    null where nothing was done, or nothing that has a value.  "own_cost" is what the strategy's own
    play of the hand costs, the mean over its actions that have a value; null where it does none of
    them.  Chips have 2 digits.

    Args:
        policy: of a game for two.
        hand: which need not be over; hole cards may be missing.

    Raises:
        EngineError: it has fewer board cards than its betting shows.
        GameNotPlayed: the strategy has no blueprint.
    """
    blueprint = blueprint_of(policy)
    if blueprint is None:
        raise GameNotPlayed("only blueprint and libratus say what actions are worth")
    valuer, documents = ActionValuer(blueprint), []
    for decision in decisions(policy, hand):
        if decision.hole:
            values = valuer.values(decision.state, decision.board, decision.hole, decision.theirs)
            if values is not None:
                documents.append({"action": decision.number} | _document(decision, values))
    return documents


def _document(decision: HandDecision, values: ActionValues) -> dict[str, Any]:
    best, taken = int(values.chips.argmax()), decision.taken
    done = None if taken is None else counted_as(values.actions, decision.state, taken)
    cost = error = None
    if done is not None:
        cost, error = values.chips[best] - values.chips[done], values.error(best, done)
    places = [
        values.actions.index(action) if action in values.actions else None
        for action in decision.strategy.actions
    ]
    errors = [None if at is None else values.error(at) for at in places]
    chances = decision.strategy.probabilities[combo_of(*decision.hole)]
    valued = [(share, at) for share, at in zip(chances, places, strict=True) if at is not None]
    certain = float(sum(share for share, _ in valued))
    mean_cost = float(sum(share * (values.chips[best] - values.chips[at]) for share, at in valued))
    return {
        "values": [None if at is None else _rounded(values.chips[at]) for at in places],
        "errors": None if values.spread is None else list(map(_rounded, errors)),
        "best": values.actions[best].text,
        "cost": _rounded(cost),
        "cost_error": _rounded(error),
        "own_cost": _rounded(mean_cost / certain) if certain else None,
    }


def _rounded(chips: float | None) -> float | None:
    return None if chips is None else round(float(chips), _CHIP_DIGITS)
