"""The blueprint bot as one would tell it: draw how to understand each bet, and stay with that.

Keeps the state of the abstract hand as a `HandState` of its own, and finds out what is considered
there from the bet menu; slow, and without any arithmetic on all readings at once.
"""

from math import log

import numpy as np

from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, raise_to


class SamplingPlayer:
    """Plays one hand with fixed buckets by street."""

    def __init__(self, model, buckets, rng, starts):
        self.model, self.buckets, self.rng = model, buckets, rng
        self.starts = starts
        self.menu = model.config.menu
        self.abstract = HandState.start(model.tree.game)
        """None once somebody has folded there."""

    def in_step(self, state):
        """Whether the same player acts in both hands, on the same street."""
        mine = self.abstract
        return mine.actor == state.actor and mine.street == state.street

    def abstract_actions(self):
        """Return what the abstract game considers now, in the order of the betting tree."""
        actions = [FOLD] if self.abstract.can_fold else []
        return [*actions, CALL, *map(raise_to, self.menu.raise_tos(self.abstract))]

    def meant(self, action, state):
        """Return the legal action of the true hand that one of the abstract game stands for."""
        if action == FOLD:
            return FOLD if state.can_fold else CALL
        legal = state.raise_range()
        if action == CALL or legal is None:
            return CALL
        mine, total = self.abstract, action.raise_to
        if total < min(state.game.stacks):
            fraction = (total - mine.to_match) / (mine.pot + mine.to_call)
            total = state.to_match + round(fraction * (state.pot + state.to_call))
        return raise_to(max(legal[0], min(legal[1], total)))

    def act(self, state):
        """Draw an action by the model's row, go on there in the abstract hand."""
        if not self.in_step(state):
            return CALL
        actions = self.abstract_actions()
        node = self.model.tree.path(self.abstract.betting)[-1]
        row = self.model.strategy(node)[self.buckets[state.street]].astype(float)
        drawn = actions[int(self.rng.choice(len(actions), p=row / row.sum()))]
        done = self.meant(drawn, state)
        self.abstract = self.abstract.apply(CALL if done == CALL else drawn)
        return done

    def watch(self, action, state):
        """Take the other player's action for one of the abstract game's."""
        if not self.in_step(state):
            return
        taken = CALL
        if action.kind == "f":
            taken = FOLD if self.abstract.can_fold else CALL
        elif action.kind == "r":
            taken = self.taken_for(action, state)
        self.abstract = self.abstract.apply(taken)

    def taken_for(self, action, state):
        """Draw one of the two neighbours of a raise."""
        pot = state.pot + state.to_call
        raises = [one for one in self.abstract_actions() if one.kind == "r"]
        meant = {one: self.meant(one, state) for one in raises}
        same = [one for one in raises if meant[one] == action]
        if same:
            return same[int(self.rng.integers(len(same)))]
        sizes = {CALL: 0.0}
        for one in raises:
            size = (meant[one].raise_to - state.to_match) / pot if meant[one].kind == "r" else 0.0
            if size > max(sizes.values()):
                sizes[one] = size
        wanted = (action.raise_to - state.to_match) / pot
        below = max((one for one in sizes if sizes[one] <= wanted), key=sizes.get)
        higher = [one for one in sizes if sizes[one] > wanted]
        if not higher:
            return below
        above = min(higher, key=sizes.get)
        a, b = sizes[below], sizes[above]
        chance = (b - wanted) * (1 + a) / ((b - a) * (1 + wanted))
        return below if self.rng.random() < chance else above

    def next_street(self, before, after):
        """Begin the next street of the true hand, wherever the abstract one is."""
        if after.over or after.street == before.street:
            return
        mine = self.abstract
        if not mine.over and mine.street == after.street:
            return  # it has just been dealt there, too
        self.abstract = min(
            self.starts[after.street], key=lambda one: abs(log(one.pot) - log(after.pot))
        )


def street_starts(tree, street):
    """Return all states in which a street of the abstract game begins, in the tree's order."""
    states = []
    for node in range(tree.nodes):
        above = int(tree.parent[node])
        if above >= 0 and tree.action[node] == -1 and tree.street[node] == street:
            state = HandState.start(tree.game)
            for number in tree.path(tree.betting(node))[1:]:
                if tree.action[number] != -1:
                    state = state.apply(tree.taken(number))
            states.append(state)
    return states


def play_hand(player, position, other, rng):
    """Play one hand; return [(state, action)] of the player's decisions."""
    state = HandState.start(player.model.tree.game)
    told = []
    while not state.over:
        if state.actor == position:
            action = player.act(state)
            told.append((state, action))
        else:
            action = other(state, rng)
            player.watch(action, state)
        after = state.apply(action)
        player.next_street(state, after)
        state = after
    return told


def tally(model, buckets, position, other, hands, seed):
    """Return {betting: {action: times}} over many hands."""
    rng = np.random.default_rng(seed)
    starts = [street_starts(model.tree, street) for street in range(len(buckets))]
    found, states = {}, {}
    for _ in range(hands):
        player = SamplingPlayer(model, buckets, rng, starts)
        for state, action in play_hand(player, position, other, rng):
            counts = found.setdefault(state.betting, {})
            counts[action] = counts.get(action, 0) + 1
            states[state.betting] = state
    return found, states
