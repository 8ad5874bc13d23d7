"""Leduc with bets of the pot, as DeepStack's authors published it, and its whole exploitability.

Ante 100, stacks of 1200, bets of the pot and all-in.  Source: lifrordi/DeepStack-Leduc.
"""

import numpy as np

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import DEAL, build_betting_tree
from engine.cfr.solver import StrategyKind
from engine.hands.private_hands import private_hands
from engine.hands.ranges import compatible_reach
from engine.range_solver.leaves import Leaf
from engine.rules.state import HandState
from engine.search.continual import ContinualResolving, NextStreet
from engine.search.menus import StreetMenus
from engine.search.profile_values import profile_solver
from engine.search.subgame_search import Budget, SearchSettings
from protocol.gamedef import parse_gamedef
from tests.oracles.leduc_round import round_of, solve_round

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
STACK, ANTE = 1200, 100
MENU = menu_of((1.0, ALL_IN))
MENUS = StreetMenus(((MENU,), (MENU,)), ((MENU,), (MENU,)))
HANDS = private_hands(GAME)
MIRRORED = np.arange(HANDS.count) ^ 1
"""The hand of the other suit."""


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
    ending = None if values_in is None else NextStreet(values_in)
    return ContinualResolving(GAME, settings, Budget(iterations), ending)


class SolvedRounds:
    """What hands win where the second round begins, solved anew for all ranges that arrive."""

    def __init__(self, tree, iterations=200):
        """Solve by so many iterations."""
        self.tree, self.iterations = tree, iterations
        self.rounds = {}

    def values(self, request):
        """Return (L, 2, H); see `engine.range_solver.leaves`."""
        answers = np.zeros(request.reach.shape, np.float32)
        numbers = {leaf: number for number, leaf in enumerate(request.leaves)}
        for answer, leaf, reach in zip(answers, request.leaves, request.reach, strict=True):
            twin = numbers[Leaf(leaf.node, (leaf.board[0] ^ 1,))]
            alike = np.allclose(request.reach[twin], reach[:, MIRRORED], rtol=1e-5)
            if alike and twin < numbers[leaf]:
                answer[:] = answers[twin][:, MIRRORED]
                continue
            if leaf not in self.rounds:
                bet = int(self.tree.spent[leaf.node, 0])
                self.rounds[leaf] = round_of(GAME, MENU, bet, leaf.board[-1])
            ranges = reach.astype(float)
            won = np.zeros_like(ranges)
            solve_round(self.rounds[leaf], ranges, self.iterations, won)
            answer[:] = won * [compatible_reach(side, HANDS) for side in ranges[::-1]]
        return answers
