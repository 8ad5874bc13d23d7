"""How much two opponents differ on a street, in plain Python, from dictionaries of counts."""

import math

UNKNOWN = (1 / 3, 0.5)
"""Share of hands shown down and equity shown of somebody unknown."""
TRUST = 10
MOVES = 9


def features_along(nodes, root, moves, acting):
    """Return the eleven numbers at each node of the path where the opponent acts.

    nodes: (root, moves so far) -> Counts; acting: by place on the path, whether the opponent acts.
    """
    shown, strength = UNKNOWN
    shares = [1 / MOVES] * MOVES
    found = []
    lost = False
    for length, acts in enumerate(acting):
        node = None if lost else nodes.get((root, tuple(moves[:length])))
        lost = node is None
        if node is not None:
            shown = (node.showdowns + TRUST * shown) / (node.visits + TRUST)
            strength = (node.strength + TRUST * strength) / (node.showdowns + TRUST)
            if acts:
                seen = sum(node.actions.values())
                shares = [(node.actions[move] + 1) / (seen + MOVES) for move in range(MOVES)]
        if acts:
            found.append([shown, strength, *shares])
    return found


def distance(one, other, root, moves, acting):
    """Return the mean Euclidean distance over nodes where the opponent acts, and their number."""
    pairs = list(
        zip(
            features_along(one, root, moves, acting),
            features_along(other, root, moves, acting),
            strict=True,
        )
    )
    return sum(math.dist(*pair) for pair in pairs) / max(len(pairs), 1), len(pairs)
