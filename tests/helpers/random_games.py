"""Random small games of imperfect information, described history by history."""

import numpy as np

from engine.small_games.game_tree import Chance, Decision, Terminal


def random_game(seed, *, depth=4, cards=3):
    """Return the `describe` function of a game drawn from `seed`.

    Both players get a private card, from a random joint distribution; then there are `depth`
    moves.  Who moves, among how many actions, whether the other player sees the action and whether
    action 0 ends the game is drawn for each move.  Nobody forgets anything.
    """
    rng = np.random.default_rng(seed)
    deals = [(first, second) for first in range(cards) for second in range(cards)]
    shares = rng.dirichlet(np.ones(len(deals)))
    movers = rng.integers(2, size=depth).tolist()
    widths = rng.integers(1, 4, size=depth).tolist()
    seen = (rng.random(depth) < 0.7).tolist()
    ends = (rng.random(depth) < 0.4).tolist()
    luck = rng.random(depth) < 0.2
    luck[0] = False  # so that somebody decides
    draws = [rng.dirichlet(np.ones(2)).tolist() for _ in range(depth)]
    salt = int(rng.integers(1 << 30))

    def describe(history):
        if not history:
            return Chance(deals, shares.tolist())
        deal, moves = history[0], history[1:]
        turn = len(moves)
        over = turn > 0 and ends[turn - 1] and seen[turn - 1] and moves[-1] == 0
        if over or turn == depth:
            key = abs(hash((salt, deal, moves)))
            return Terminal(float(np.random.default_rng(key).normal(scale=3)))
        if luck[turn]:
            return Chance((0, 1), draws[turn])
        player = movers[turn]
        known = tuple(
            move if seen[at] or movers[at] == player or luck[at] else None
            for at, move in enumerate(moves)
        )
        return Decision(player, (player, deal[player], known), tuple(range(widths[turn])))

    return describe
