"""An opponent for local best response that plays every combo its own way, without any sense."""

import numpy as np

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.policy import Strategy
from engine.hands.cards import COMBOS
from protocol.actions import CALL, FOLD, raise_to


class RandomPolicy:
    """Random probabilities for any betting, board and combo, always the same: 64ths, some 0."""

    def __init__(self, seed, sizes=(0.5, ALL_IN)):
        """Choose among fold, call and raises of these pot fractions."""
        self.seed = seed
        self.menu = menu_of(sizes)

    def strategy(self, state, board):
        """Return random rows."""
        actions = [FOLD] if state.can_fold else []
        actions += [CALL, *map(raise_to, self.menu.raise_tos(state))]
        rng = np.random.default_rng((self.seed, *board, *state.betting.encode()))
        rows = rng.dirichlet(np.full(len(actions), 0.5), COMBOS)
        return Strategy(tuple(actions), (rng.multinomial(64, rows) / 64).astype(np.float32))

    def of_combo(self, state, board, combo):
        """Return {action: probability} of one combo, for tests.oracles.lbr."""
        actions, rows = self.strategy(state, board)
        return {a: float(p) for a, p in zip(actions, rows[combo], strict=True) if p > 0}
