"""What it takes to solve flops to the end of the hand where little is left to be bet.

How often the blueprint's play comes to a flop on which no more than some pots are behind, all hands
counted.  Then the likeliest of these lines is taken on two flops: seconds and memory of a search of
the whole rest, with an all-in or half a pot on the flop and an all-in later, and how far from
solved it is, beside the blueprint in its own tree.  Seconds are those of a core of the machine.
A minute.
"""

import time

import numpy as np

from agents.blueprint_model.policy import policy_for
from agents.libratus.policy import RANGE_FLOOR
from engine.betting.bet_menu import ALL_IN, BetMenu, street_menu
from engine.betting.betting_tree import DEAL, build_betting_tree
from engine.cfr.adaptive import PoolSolve, RoundRobin
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.console.progress import LivingLine
from engine.hands.cards import COMBOS
from engine.hands.ranges import floored, joint_reach
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.view import state_of_betting
from engine.search.subgame_search import SearchRoot
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.studies.libratus_turns import own_exploitability

MOST_POTS = (0.5, 1.0, 1.5)
FLOPS = ("Ks7d2c", "AhTh5h")
ITERATIONS = (8, 16)
PORTIONS = 3
_NONE = street_menu(())
_ALL_IN = street_menu((ALL_IN,), (), max_raises=1)
MENU = BetMenu((_NONE, street_menu((0.5, ALL_IN), (ALL_IN,), max_raises=2), _ALL_IN, _ALL_IN))


def run(options):
    """Return how often such flops come, and what it takes to solve some."""
    flops = FLOPS[1:] if options.small else FLOPS
    iterations = (1,) if options.small else ITERATIONS
    policy = policy_for(load_builtin("hunl"))
    lines = lines_of(policy)
    betting, behind, _ = max((row for row in lines if row[1] <= MOST_POTS[-1]), key=lambda r: r[2])
    solved = []
    with LivingLine() as line:
        for flop in flops:
            line.show(f"{betting} on {flop}")
            solved.append({"flop": flop, **course(policy, betting, flop, iterations)})
    return {
        "command": "make study libratus-flops",
        "most_pots": MOST_POTS,
        "come": [sum(row[2] for row in lines if row[1] <= most) for most in MOST_POTS],
        "iterations": iterations,
        "betting": betting,
        "pots_behind": round(behind, 2),
        "flops": solved,
    }


def lines_of(policy):
    """Return betting, pots behind and probability of each line to the flop."""
    tree, rows = policy.model.tree, []
    pairs = joint_reach(np.ones(COMBOS), np.ones(COMBOS))
    for node in np.flatnonzero((tree.kind == DEAL) & (tree.street == 0)).tolist():
        pot, behind = int(tree.spent[node].sum()), min(tree.game.stacks) - tree.spent[node].max()
        betting = tree.betting(node)
        state = state_of_betting(tree.game, betting)
        reach = np.ones((2, COMBOS))
        for past, action in state.history:
            strategy = policy.strategy(past, ())
            reach[past.actor] *= strategy.probabilities[:, strategy.actions.index(action)]
        rows.append((betting, float(behind / pot), joint_reach(*reach) / pairs))
    return rows


def course(policy, betting, flop, iterations):
    """Return what a search of the rest takes, and what is won from its strategies."""
    state, cards = state_of_betting(policy.game, betting), parse_cards(flop)
    ranges = np.stack([policy.reach(state, cards, player) for player in (0, 1)])
    ranges[1 - state.actor] = floored(ranges[1 - state.actor], cards, RANGE_FLOOR)
    tree = build_betting_tree(state, MENU)
    begun = time.process_time()
    solver = RangeSolver(tree, cards, ranges, RangeSettings(portions=PORTIONS))
    set_up = time.process_time() - begun
    run = PoolSolve(solver, (VARIANTS["lcfr"],), RoundRobin(1))
    of_pot, seconds = [], []
    for stop in iterations:
        while solver.iterations < PORTIONS * stop:
            begun = time.process_time()
            run.iterate()
            seconds.append(time.process_time() - begun)
        of_pot.append(round(solver.exploitability_of_pot(StrategyKind.AVERAGE), 4))
    return {
        "nodes": tree.nodes,
        "set_up_seconds": round(set_up, 2),
        "iteration_seconds": round(PORTIONS * float(np.median(seconds)), 3),
        "megabytes": round(solver.memory.total / 1e6),
        "of_pot": of_pot,
        "blueprint": own_exploitability(policy, SearchRoot(state, cards, state.actor, ranges)),
    }
