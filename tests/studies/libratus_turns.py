"""How far searches of the turn are from solved, by algorithm and number of iterations.

Solves three turns on arrival, with the ranges of the blueprint; the exploitability of the average
strategies is in parts of the pot.  The figures do not depend on the machine's speed.  Takes six
minutes of a core.
"""

import numpy as np

from agents.blueprint_model.policy import policy_for
from agents.libratus.options import ADAPTIVE
from agents.libratus.policy import CHOICE, RANGE_FLOOR
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.console.progress import LivingLine
from engine.hands.ranges import floored
from engine.rules.view import state_of_betting
from engine.search.profile_values import profile_solver
from engine.search.subgame_search import Budget, SearchRoot, SearchSettings, search
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

TURNS = {
    "r300c/cc/": "KsJs7d2c",
    "r300r900c/r1800c/": "9s8s4d2c",
    "cc/cr200c/": "AhTd5c5s",
}
NAMES = ("lcfr", "dcfr", "dcfr3", "dcfr+", "cfr+", "pcfr+", "pdcfr+", "sapcfr+", "cfr")
CASES = [(name, 1) for name in NAMES] + [("lcfr", portions) for portions in (2, 3, 4)]
CASES += [(name, 3) for name in ("dcfr", "dcfr+", "cfr+", ADAPTIVE)]
"""Algorithms, and portions of the river cards."""
ITERATIONS = (20, 40, 80, 160)
NODES = 160
FEW = (6, 8, 10, 15, 20, 40, 160)
FEW_NODES = 60
"""Only the smallest of the menus leads to no more."""


def run(options):
    """Return the exploitability by algorithm, turn and iterations; in the smallest tree, too."""
    policy = policy_for(load_builtin("hunl"))
    turns = dict([*TURNS.items()][: 1 if options.small else None])
    roots = [root_of(policy, *turn) for turn in turns.items()]
    iterations, few, cases = ITERATIONS, FEW, CASES
    if options.small:
        iterations, few, cases = (2, 4), (2,), CASES[:1]
    of_pot = {}
    with LivingLine() as line:
        for name, portions in cases:
            line.show(f"{name}, {portions} portions")
            settings = settings_of(name, portions)
            rows = [course(root, settings, iterations) for root in roots]
            of_pot[name if portions == 1 else f"{name}, {portions} portions"] = rows
        settings = SearchSettings(VARIANTS["lcfr"], most_nodes=FEW_NODES)
        smallest = [course(root, settings, few) for root in roots]
    return {
        "command": "make study libratus-turns",
        "iterations": iterations,
        "turns": [f"{betting} on {board}" for betting, board in turns.items()],
        "of_pot": of_pot,
        "few": few,
        "smallest": smallest,
        "blueprint": [own_exploitability(policy, root) for root in roots],
    }


def settings_of(name, portions):
    """Return how libratus searches by an algorithm."""
    choice = CHOICE if name == ADAPTIVE else None
    variant = VARIANTS.get(name, VARIANTS["lcfr"])
    return SearchSettings(variant, most_nodes=NODES, portions=portions, choice=choice)


def root_of(policy, betting, board):
    """Return where a turn is searched on arrival."""
    state = state_of_betting(policy.game, betting)
    cards = parse_cards(board)
    ranges = np.stack([policy.reach(state, cards, player) for player in (0, 1)])
    ranges[1 - state.actor] = floored(ranges[1 - state.actor], cards, RANGE_FLOOR)
    return SearchRoot(state, cards, state.actor, ranges)


def course(root, settings, iterations):
    """Return the exploitability after so many iterations."""
    solver = search(root, root.state, settings, Budget(1)).solver
    row = []
    run = settings.run_of(solver, root.state.game.big_blind)
    for stop in iterations:
        while solver.iterations < settings.portions * stop:
            run.iterate()
        row.append(round(solver.exploitability_of_pot(StrategyKind.AVERAGE), 4))
    return row


def own_exploitability(policy, root):
    """Return that of the blueprint in its own tree."""
    node = policy.node_of(root.state, root.board)
    nodes = policy.model.tree.nodes_below(node).tolist()
    profile = profile_solver(
        policy.model.tree.below(node),
        root.board,
        root.ranges,
        lambda number, cards: policy.at(nodes[number], cards),
    )
    return round(profile.exploitability_of_pot(StrategyKind.AVERAGE), 4)
