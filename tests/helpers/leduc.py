"""Leduc with bets of the pot, as DeepStack's authors published it, and its whole exploitability.

Ante 100, stacks of 1200, bets of the pot and all-in.  Source: lifrordi/DeepStack-Leduc.
"""

from functools import cache

import numpy as np

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import DEAL, build_betting_tree
from engine.cfr.solver import StrategyKind
from engine.hands.private_hands import private_hands
from engine.rules.state import HandState
from engine.search.continual import ContinualResolving, NextStreet
from engine.search.menus import StreetMenus
from engine.search.profile_values import profile_solver
from engine.search.subgame_search import Budget, SearchSettings
from protocol.gamedef import parse_gamedef
from tests.oracles.leduc_round import order_on, round_of, solve_rounds

GAME = parse_gamedef("""GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 1200 1200
blind = 100 100
firstPlayer = 1 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
""")
STACK, ANTE, RANKS = 1200, 100, 3
MENU = menu_of((1.0, ALL_IN))
MENUS = StreetMenus(((MENU,), (MENU,)), ((MENU,), (MENU,)))
HANDS = private_hands(GAME)
MIRRORED = np.arange(HANDS.count) ^ 1
"""The hand of the other suit."""
ORDERS = {
    card: np.array([HANDS.deck.index(hand) for hand in order_on(card, HANDS.deck)])
    for card in HANDS.deck
}
"""The hands that each board leaves, in its order; see `tests.oracles.leduc_round`."""


def whole_tree():
    """The betting of the whole game."""
    return build_betting_tree(HandState.start(GAME), MENU)


def states_of(tree):
    """The state at each node of a tree from the hand's beginning on."""
    states = {0: HandState.start(GAME)}
    for node in range(1, tree.nodes):
        above = int(tree.parent[node])
        dealt = tree.kind[above] == DEAL
        states[node] = states[above] if dealt else states[above].apply(tree.taken(node))
    return states


def exploitability(policy):
    """Mean of what both best responses win from a policy in the whole game, chips.

    It is asked about boards of one suit; on those of the other it plays the same, exchanged.
    """
    tree = whole_tree()
    states = states_of(tree)

    def chosen(node, board):
        if board and board[0] & 1:
            return chosen(node, (board[0] ^ 1,))[MIRRORED]
        strategy = policy.strategy(states[node], board)
        order = [strategy.actions.index(tree.taken(child)) for child in tree.children(node)]
        return strategy.probabilities[:, order]

    solver = profile_solver(tree, (), np.ones((2, HANDS.count)), chosen)
    return solver.exploitability(StrategyKind.AVERAGE)


def resolving(variant, iterations, values_in=None):
    """Continual re-solving with so many iterations at each decision.

    `values_in` says what hands win behind the first round; None: it is solved to the hand's end.
    """
    settings = SearchSettings(variant, menus=MENUS, portions=1)
    endings = () if values_in is None else (NextStreet(values_in),)
    return ContinualResolving(GAME, settings, Budget(iterations), endings)


class SolvedRounds:
    """What hands win where the second round begins, solved anew for all ranges that arrive."""

    def __init__(self, tree, iterations=200):
        """Solve by so many iterations."""
        self.tree, self.iterations = tree, iterations

    def values(self, request):
        """Return (L, 2, H); see `engine.range_solver.leaves`."""
        bets = self.tree.spent[[leaf.node for leaf in request.leaves], 0]
        orders = np.array([ORDERS[leaf.board[-1]] for leaf in request.leaves])[:, None]
        orders = orders.repeat(2, axis=1)
        reach = np.take_along_axis(request.reach.astype(float), orders, axis=2)
        met = (reach.sum(axis=2, keepdims=True) - reach)[:, ::-1]
        won = solved(bets, reach, self.iterations) * met
        answers = np.zeros(request.reach.shape, np.float32)
        np.put_along_axis(answers, orders, won.astype(np.float32), axis=2)
        return answers


def solved(bets, ranges, iterations):
    """(N, 2, 5) chips that hands win in N second rounds per unit of what they meet.

    Ranges are (N, 2, 5) in the order of the board.  Equal ones, to float32, are solved once.
    """
    won = np.zeros(ranges.shape)
    for bet in np.unique(bets):
        rows = np.flatnonzero(bets == bet)
        _, firsts, alike = np.unique(
            ranges[rows].astype(np.float32), axis=0, return_index=True, return_inverse=True
        )
        won[rows] = solve_rounds(_round_of(int(bet)), ranges[rows[firsts]], iterations)[alike]
    return won


@cache
def _round_of(bet):
    return round_of(GAME, MENU, bet)
