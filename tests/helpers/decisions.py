"""Made-up decisions, for tests of what learns from them."""

import numpy as np

from agents.statistical.counting.situations import DecisionPoint, SeenAction, actions_of
from agents.statistical.learning.dataset import DecisionTable
from agents.statistical.predicting.contexts import (
    FEATURE_COUNT,
    FEATURES,
    MAY_FOLD,
    MAY_RAISE,
)
from protocol.handlog import parse_log_line

POT_ODDS = FEATURES.index("pot odds")
NO_RAISE = FEATURES.index("no raise")
STACK = FEATURES.index("stack")


def contexts_of(random, count):
    """Return (N, F) contexts of random numbers in which everything is legal."""
    contexts = random.random((count, FEATURE_COUNT), np.float32)
    street = random.integers(4, size=count)
    raises = random.integers(3, size=count)
    for offset in range(3):
        contexts[:, offset] = street == offset + 1
        contexts[:, NO_RAISE + offset] = raises == offset
    contexts[:, (MAY_FOLD, MAY_RAISE)] = 1
    return contexts


def ruled_actions(contexts):
    """Return (N,) what a simple rule does: raise for good pot odds, fold for bad ones."""
    odds = contexts[:, POT_ODDS]
    return np.where(odds < 0.3, 2, np.where(odds > 0.7, 0, 1)).astype(np.int8)


def decisions_of(contexts, actions, *, per_hand=2, players=4, strengths=None):
    """Return decisions, so many to a hand, of players in turn."""
    count = len(actions)
    hands = (np.arange(count) // per_hand).astype(np.int32)
    if strengths is None:
        strengths = np.full(count, np.nan, np.float32)
    return DecisionTable(
        contexts=contexts,
        actions=np.asarray(actions, np.int8),
        cells=_cells_of(contexts).astype(np.int8),
        strengths=strengths,
        shown=~np.isnan(strengths),
        raises=np.where(np.asarray(actions) == 2, 0.75, 0).astype(np.float32),
        stacks=np.ones(count, np.float32),
        hands=hands,
        players=(hands % players).astype(np.int32),
        names=tuple(f"player {number}" for number in range(players)),
    )


def situated(button, cell, legal=(True, True, True), size=0):
    """Return a situation of some cell, of which counters do not ask for more."""
    return DecisionPoint(None, (), button, cell, legal, size)


def acted(button, cell, kind, size=0):
    """Return one action in such a situation."""
    return [SeenAction(situated(button, cell, size=size), kind, 0.0)]


def follow(held, view, chances, since=0):
    """Let a range follow what the opponent did up to a view; return its actions."""
    actions = [
        action
        for action in actions_of(view.state, view.board, since)
        if action.actor != view.position
    ]
    held.follow(actions, [chances.shares(one.situation) for one in actions], view.board)
    return actions


def _cells_of(contexts):
    """Return the cells of the counters that contexts belong to."""
    street = contexts[:, :3] @ np.arange(1, 4, dtype=np.float32)
    faced = contexts[:, NO_RAISE : NO_RAISE + 3].argmax(axis=1)
    return 3 * street.astype(np.int64) + faced


def hand_record(text, number=0):
    """Return the record of betting and cards, as a log line has them, in which nobody wins."""
    return parse_log_line(f"STATE:{number}:{text}:0|0:one|two")
