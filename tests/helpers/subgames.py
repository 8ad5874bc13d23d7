"""Small subgames for the vector solver: short stacks, few hands; and one as a game tree."""

from dataclasses import replace

import numpy as np

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import FOLDED, SHOWDOWN, build_betting_tree, subgame_root
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.range_text import parse_range
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.showdown.evaluator import strength
from engine.small_games.game_tree import Chance, Decision, Terminal, build_tree
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

FIRST = "QQ+,AKs,T9s:0.5,8d7d,8h7h,6c5c:0.3,Ah2c"
SECOND = "JJ+:0.7,AQs,KTs,9s8s,55,4h3h,As2c"


def ranges_of(first=FIRST, second=SECOND):
    """Two ranges from their text."""
    return np.stack([parse_range(first), parse_range(second)])


def scattered_ranges(seed, classes=6):
    """Two ranges of a few starting hands in all their suits, with odd weights.

    Plain weights make ties, where regrets are exactly 0 or rounding errors: nothing to compare.
    """
    rng = np.random.default_rng(seed)
    ranges = np.zeros((2, COMBOS))
    for side in ranges:
        for hand in rng.choice(169, classes, replace=False):
            side[hand == COMBO_STARTING_HAND] = rng.uniform(0.1, 1.0)
    return ranges


def tree_of(board, menu=None, *, pot=200, stacks=(900, 900)):
    """The betting on a board, from the flop on."""
    street = len(parse_cards(board)) - 2
    root = subgame_root(load_builtin("hunl"), street, pot, stacks)
    return build_betting_tree(root, menu_of((0.5, 1.5), (1.0,)) if menu is None else menu)


def short_holdem(streets):
    """No-limit hold'em that is over after some streets: 2 for flop hold'em, 3 for turn hold'em."""
    game = load_builtin("hunl")
    cut = {
        name: getattr(game, name)[:streets]
        for name in ("board_cards", "first_positions", "max_raises")
    }
    return replace(game, streets=streets, **cut)


def solver_of(board, ranges=None, menu=None, *, pot=200, stacks=(900, 900), **settings):
    """A solver of a small subgame."""
    tree = tree_of(board, menu, pot=pot, stacks=stacks)
    ranges = ranges_of() if ranges is None else ranges
    return RangeSolver(tree, parse_cards(board), ranges, RangeSettings(**settings))


def written_out(betting, board, ranges):
    """A river subgame as a game tree: chance deals both hands, then the betting."""
    hands = [np.flatnonzero(side) for side in ranges]
    pairs = [
        (int(a), int(b))
        for a in hands[0]
        for b in hands[1]
        if not set(COMBO_CARDS[a]) & set(COMBO_CARDS[b])
    ]
    weights = np.array([ranges[0, a] * ranges[1, b] for a, b in pairs])

    def describe(history):
        if not history:
            return Chance(pairs, (weights / weights.sum()).tolist())
        held, *actions = history
        node = 0
        for action in actions:
            node = int(betting.first_child[node]) + action
        kind = int(betting.kind[node])
        if kind == FOLDED:
            folder = int(betting.kind[betting.parent[node]])
            lost = float(betting.spent[node, folder])
            return Terminal(lost if folder else -lost)
        if kind == SHOWDOWN:
            first, second = (strength((*map(int, COMBO_CARDS[h]), *board)) for h in held)
            return Terminal(float(np.sign(first - second) * betting.spent[node].min()))
        return Decision(kind, (node, held[kind]), range(int(betting.child_count[node])))

    return build_tree(describe)
