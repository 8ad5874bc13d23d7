"""open_spiel as an oracle: its games walked side by side with ours, its policies as our profiles.

Importing it warns about how its bindings were compiled, hence the narrow filter.
"""

import warnings

import numpy as np

from engine.small_games.game_tree import CHANCE, TERMINAL

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import pyspiel
    from open_spiel.python.algorithms import cfr, discounted_cfr

__all__ = ["cfr", "discounted_cfr", "load", "matched_info_states", "profile_of", "pyspiel"]


def load(name):
    """Return a game by its open_spiel name."""
    return pyspiel.load_game(name)


def matched_info_states(tree, game):
    """Return open_spiel's name of each of our information sets and its action numbers.

    Walks both games together, the n-th way on with the n-th; chance, payoffs and the partition into
    information sets must agree at every node.
    """
    names = [None] * tree.info_sets
    actions = [None] * tree.info_sets
    pending = [(0, game.new_initial_state())]
    while pending:
        node, state = pending.pop()
        ways = [] if state.is_terminal() else state.legal_actions()
        first = int(tree.first_child[node])
        assert len(ways) == tree.child_count[node]
        if state.is_terminal():
            assert tree.player[node] == TERMINAL
            assert tree.payoff[node] == state.returns()[0] == -state.returns()[1]
        elif state.is_chance_node():
            assert tree.player[node] == CHANCE
            expected = [probability for _, probability in state.chance_outcomes()]
            found = tree.chance[first : first + len(ways)]
            np.testing.assert_allclose(found, expected, rtol=1e-12)
        else:
            assert tree.player[node] == state.current_player()
            name = (state.current_player(), state.information_state_string())
            info_set = int(tree.info_set[node])
            assert names[info_set] in (None, name)
            names[info_set], actions[info_set] = name, ways
        pending += [(first + edge, state.child(way)) for edge, way in enumerate(ways)]
    assert len(set(names)) == tree.info_sets
    return [(name[1], ways) for name, ways in zip(names, actions, strict=True)]


def profile_of(policy, matched):
    """Return a policy of open_spiel as one of our profiles."""
    return np.concatenate([_probabilities(policy, name, ways) for name, ways in matched])


def _probabilities(policy, name, ways):
    if isinstance(policy, pyspiel.Policy):
        found = dict(policy.get_state_policy(name))
        return [found[way] for way in ways]
    return policy.policy_for_key(name)[ways]
