"""How far searches of the turn are from solved, by algorithm and number of iterations.

Solves three turns on arrival, with the ranges of the blueprint; the exploitability of the average
strategies is in parts of the pot.  The figures do not depend on the machine's speed.  Takes six
minutes of a core.

    make study NAME="libratus-turns --drawn"     fewer algorithms on drawn turns and rivers

These come from hands that blueprints of four depths play with themselves: of each depth a small, a
middle and a large pot, on the turn and on the river.  Takes six minutes of a core.
"""

from dataclasses import replace

import numpy as np

from agents.blueprint_model.policy import policy_for
from agents.libratus.options import ADAPTIVE
from agents.libratus.policy import CHOICE, RANGE_FLOOR
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.console.progress import LivingLine
from engine.hands.cards import combo_of
from engine.hands.ranges import floored
from engine.rules.state import HandState
from engine.rules.view import state_of_betting
from engine.search.profile_values import profile_solver
from engine.search.session import LAST_STREET_NODES
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
DEPTHS = (200, 100, 50, 20)
"""Big blinds of the drawn turns and rivers."""
PICKED = (2, 6, 10)
"""Of twelve hands sorted by their pots."""
DRAWN_HANDS = 12
DRAWN_NAMES = ("lcfr", "dcfr", "dcfr+")
DRAWN_KINDS = {
    "turn": (2, NODES, ITERATIONS),
    "smallest turn": (2, FEW_NODES, (6, 13, 40, 160)),
    "river": (3, LAST_STREET_NODES * NODES, (25, 100, 400, 1000)),
}
"""Street, most nodes and iterations; play has 161 and 1000, with a tenth of a second 13."""


def add_options(parser):
    """Add the drawn turns."""
    parser.add_argument("--drawn", action="store_true", help="on drawn turns and rivers")
    parser.add_argument("--seed", type=int, default=1, help="of these (%(default)s)")


def result_name(options):
    """Return the file of the result."""
    return f"libratus-turns{'-drawn' if options.drawn else ''}.json"


def run(options):
    """Return the exploitability by algorithm, turn and iterations; in the smallest tree, too."""
    return drawn(options) if options.drawn else named(options)


def drawn(options):
    """Return the exploitability by kind, algorithm, spot and iterations."""
    depths = DEPTHS[-1:] if options.small else DEPTHS
    kinds = {}
    with LivingLine() as line:
        for kind, (street, nodes, iterations) in DRAWN_KINDS.items():
            stops = iterations[:1] if options.small else iterations
            spots = drawn_roots(street, depths, options.seed)[: 1 if options.small else None]
            of_pot = {name: [] for name in DRAWN_NAMES}
            for number, root in enumerate(spots):
                line.show(f"{kind} {number + 1} of {len(spots)}")
                for name, rows in of_pot.items():
                    settings = SearchSettings(VARIANTS[name], most_nodes=nodes)
                    rows.append(course(root, settings, stops, digits=6))
            facts = [
                {
                    "blinds": root.state.game.stacks[0] // root.state.game.big_blind,
                    "betting": root.state.betting,
                    "board": list(root.board),
                }
                for root in spots
            ]
            kinds[kind] = {"iterations": stops, "spots": facts, "of_pot": of_pot}
    return {
        "command": f'make study NAME="libratus-turns --drawn --seed {options.seed}"',
        "kinds": kinds,
    }


def drawn_roots(street, depths, seed):
    """Return spots of a street on arrival, three pots of each depth."""
    game, roots = load_builtin("hunl"), []
    for blinds in depths:
        deep = replace(game, stacks=(blinds * game.big_blind,) * game.players)
        policy, rng = policy_for(deep), np.random.default_rng((seed, street, blinds))
        arrivals = []
        while len(arrivals) < DRAWN_HANDS:
            arrival = played_to(policy, street, rng)
            if arrival is not None:
                arrivals.append(arrival)
        arrivals.sort(key=lambda arrival: sum(arrival[0].spent))
        roots += [root_at(policy, *arrivals[number]) for number in PICKED]
    return roots


def played_to(policy, street, rng):
    """Return a state and the board where a hand comes to a street, None where it ends before."""
    cards = tuple(rng.permutation(52)[:9].tolist())
    holes, deck = (cards[5:7], cards[7:]), cards[:5]
    state = HandState.start(policy.game)
    while not state.over and state.street < street:
        board = deck[: state.game.board_seen(state.street)]
        strategy = policy.strategy(state, board)
        shares = np.asarray(strategy.probabilities[combo_of(*holes[state.actor])], float)
        state = state.apply(strategy.actions[rng.choice(len(shares), p=shares / shares.sum())])
    if state.over or state.raise_range() is None:
        return None
    return state, deck[: state.game.board_seen(street)]


def named(options):
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
    return root_at(policy, state_of_betting(policy.game, betting), parse_cards(board))


def root_at(policy, state, cards):
    """Return the same of a state and its board."""
    ranges = np.stack([policy.reach(state, cards, player) for player in (0, 1)])
    ranges[1 - state.actor] = floored(ranges[1 - state.actor], cards, RANGE_FLOOR)
    return SearchRoot(state, cards, state.actor, ranges)


def course(root, settings, iterations, digits=4):
    """Return the exploitability after so many iterations."""
    solver = search(root, root.state, settings, Budget(1)).solver
    row = []
    run = settings.run_of(solver, root.state.game.big_blind)
    for stop in iterations:
        while solver.iterations < solver.settings.portions * stop:
            run.iterate()
        row.append(round(solver.exploitability_of_pot(StrategyKind.AVERAGE), digits))
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
