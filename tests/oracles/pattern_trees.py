"""Pattern trees in plain Python: from whole hands, one dictionary, nothing grown on the way."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, raise_to

BOUNDS = (Fraction(1, 8), Fraction(3, 8), Fraction(3, 4), Fraction(5, 4), 2, 4)


@dataclass
class Counts:
    """Of a node."""

    visits: int = 0
    folds: int = 0
    showdowns: int = 0
    strength: float = 0.0
    squares: float = 0.0
    actions: dict = field(default_factory=lambda: defaultdict(int))


def move_of(state, action):
    """0 for a fold, 1 for a call, 2 and more for a raise by its share of the pot."""
    if action == FOLD:
        return 0
    if action == CALL:
        return 1
    share = Fraction(action.raise_to - state.to_match, state.pot + state.to_call)
    return 2 + sum(share > bound for bound in BOUNDS)


def trees_of(game, hands, watched):
    """Return Counts by (button, street, moves so far), of the player in seat `watched`.

    hands: (first position's seat, [(kind, raise_to), ...], shown equity or None) of each.
    """
    found = defaultdict(Counts)
    for hand in hands:
        count_hand(found, game, hand, watched)
    return found


def count_hand(found, game, hand, watched):
    """Add a hand to the Counts of some before it."""
    first, actions, shown = hand
    state = HandState.start(game)
    through, path, street = [], (), 0
    folded = False
    for kind, chips in actions:
        if state.street != street:
            path, street = (), state.street
        position = state.actor
        theirs = (first + position) % 2 == watched
        their_position = position if theirs else 1 - position
        button = int(game.blinds[their_position] < game.blinds[1 - their_position])
        action = {"f": FOLD, "c": CALL}.get(chr(kind)) or raise_to(chips)
        move = move_of(state, action)
        through.append(((button, street, path), move if theirs else None))
        folded = theirs and action == FOLD
        path += (move,)
        state = state.apply(action)
    for place, move in through:
        node = found[place]
        node.visits += 1
        node.folds += folded
        if shown is not None:
            node.showdowns += 1
            node.strength += shown
            node.squares += shown * shown
        if move is not None:
            node.actions[move] += 1
