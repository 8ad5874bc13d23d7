"""What a strategy would do at each decision of a hand: with the cards held, and with its range.

A player's range is what the strategy would hold there, seen by somebody who sees no hole cards: all
combos that the board leaves, each with the product of the probabilities of what the player did.  A
raise that the strategy does not make counts as one of its raises, by the threshold of
`engine.betting.translation`; anything else that it never does leaves the range as it was.  Where
the board leaves nothing of a range, it is all combos again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from engine.betting.policy import Strategy
from engine.betting.translation import translate_raise
from engine.errors import EngineError
from engine.hands.cards import COMBOS, card_bits, combo_of, live_combos
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from agents.training.logs import PlayedHand
    from engine.betting.policy import Policy
    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.matchstate import CardsShown

_DIGITS: Final = 4
_KINDS: Final = "fcr"


def hand_strategies(policy: Policy, hand: PlayedHand) -> list[dict[str, Any]]:
    """Return each decision of a hand for `json.dumps`, in their order; also where it stands.

    "action" is its number, from 0 on, "position" whose it is, "actions" what the strategy may do
    (A texts), "taken" what was done, null where it was not yet, and "as" what that counts as, null
    where the strategy never does it.  "held" has the (A) probabilities with the cards that the
    player holds, null where they are not seen; "all" those of its range together.  "range" has the
    (169) weights of the starting hands, means of their combos, the largest 1; "shares" the
    (169, A) probabilities of each, 0 where it is not held.  Numbers have 4 digits.

    Args:
        policy: of a game for two.
        hand: which need not be over; hole cards may be missing.

    Raises:
        EngineError: it has fewer board cards than its betting shows.
    """
    return [_document(decision) for decision in decisions(policy, hand)]


class HandDecision(NamedTuple):
    """A decision of a hand, as a strategy sees it."""

    number: int
    """From 0 on."""
    state: HandState
    board: tuple[int, ...]
    hole: tuple[int, ...]
    """() where it is not seen."""
    strategy: Strategy
    """With its actions in the order fold, call, raises by size."""
    belief: NDArray[np.float64]
    """(1326,) weights of what its player holds."""
    theirs: NDArray[np.float64]
    """(1326,) weights of what the other player holds."""
    taken: Action | None
    """None where nothing was done yet."""
    counted: int | None
    """Which of the strategy's actions that counts as, None where it is none of them."""


def decisions(policy: Policy, hand: PlayedHand) -> Iterator[HandDecision]:
    """Yield the decisions of a hand; see `hand_strategies`.

    Raises:
        EngineError: as from there.
    """
    _, end, cards = hand
    if len(cards.board) < end.game.board_seen(end.street):
        raise EngineError("board cards are missing")
    ranges = np.ones((2, COMBOS))
    number = -1
    for number, (state, action, _) in enumerate(end.steps()):
        yield _decision(policy, number, state, cards, ranges, action)
    if not end.over:
        yield _decision(policy, number + 1, end, cards, ranges, None)


def _decision(
    policy: Policy,
    number: int,
    state: HandState,
    cards: CardsShown,
    ranges: NDArray[np.float64],
    taken: Action | None,
) -> HandDecision:
    """Return a decision, and narrow the range of its player by what was done."""
    board = tuple(cards.board[: state.game.board_seen(state.street)])
    strategy = _in_order(policy.strategy(state, board))
    live = live_combos(card_bits(board))
    belief, theirs = (_held(ranges[player], live) for player in (state.actor, 1 - state.actor))
    counted = None if taken is None else counted_as(strategy.actions, state, taken)
    if counted is not None:
        narrowed = belief * strategy.probabilities[:, counted]
        if narrowed.any():
            ranges[state.actor] = narrowed / narrowed.max()
        else:
            counted = None
    hole = tuple(cards.holes[state.actor])
    return HandDecision(number, state, board, hole, strategy, belief, theirs, taken, counted)


def _held(weights: NDArray[np.float64], live: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return what a board leaves of a range, all combos where that is nothing."""
    live_weights = np.where(live, weights, 0.0)
    return live_weights if live_weights.any() else live.astype(np.float64)


def _document(decision: HandDecision) -> dict[str, Any]:
    actions, hole, taken = decision.strategy.actions, decision.hole, decision.taken
    live = live_combos(card_bits(decision.board))
    chances = np.where(live[:, None], decision.strategy.probabilities, 0.0).astype(np.float64)
    return {
        "action": decision.number,
        "position": decision.state.actor,
        "actions": [action.text for action in actions],
        "taken": None if taken is None else taken.text,
        "as": None if decision.counted is None else actions[decision.counted].text,
        "held": _rounded(chances[combo_of(*hole)]) if hole else None,
        "all": _rounded(decision.belief @ chances / decision.belief.sum()),
    } | _chart(decision.belief, chances, live)


def _in_order(strategy: Strategy) -> Strategy:
    """Return a strategy with its actions as "actions" has them: fold, call, raises by size."""
    order = sorted(
        range(len(strategy.actions)),
        key=lambda at: (_KINDS.index(strategy.actions[at].kind), strategy.actions[at].raise_to),
    )
    actions = tuple(strategy.actions[at] for at in order)
    return Strategy(actions, strategy.probabilities[:, order])


def counted_as(actions: Sequence[Action], state: HandState, taken: Action) -> int | None:
    """Return which of a strategy's actions an action counts as, None where it is none."""
    if taken in actions:
        return actions.index(taken)
    raises = [action for action in actions if action.raise_to]
    if not (taken.raise_to and raises):
        return None
    sizes = [action.raise_to for action in raises]
    nearest = translate_raise(state, taken.raise_to, sizes, None)
    return actions.index(raises[max(nearest.choice, 0)])


def _chart(
    weights: NDArray[np.float64], chances: NDArray[np.float64], live: NDArray[np.bool_]
) -> dict[str, Any]:
    weight_by_hand, live_by_hand = _by_starting_hand(weights), _by_starting_hand(live)
    mean = weight_by_hand / np.where(live_by_hand > 0, live_by_hand, 1.0)
    taking = [_by_starting_hand(weights * column) for column in chances.T]
    shares = np.stack(taking, axis=1) / np.where(weight_by_hand > 0, weight_by_hand, 1.0)[:, None]
    return {"range": _rounded(mean / mean.max()), "shares": _rounded(shares)}


def _by_starting_hand(weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return the means over the combos of each starting hand."""
    return np.bincount(COMBO_STARTING_HAND, weights) / STARTING_HAND_COMBOS


def _rounded(numbers: NDArray[np.float64]) -> Sequence[Any]:
    listed: list[Any] = numbers.round(_DIGITS).tolist()
    return listed
