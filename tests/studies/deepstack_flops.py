"""What decisions on the flop lose, by who made them, where turn and river are solved exactly.

Flops that the blueprint's play comes to with one and a half to three and a half pots behind are
solved to the end of the hand, in the betting of the blueprint's own tree.  Then one player's flop
is held to what was chosen there, all else is solved again, and what is lost by that is told: of a
player by its own decisions, in per cent of the pot, the mean of both.

    blueprint    its decisions
    equity       a search through the turn behind which nobody bets
    rollouts     a search of the flop alone, behind which the blueprint plays on, over drawn cards
    street       the same by the shipped network of ends of the flop, as `deepstack` searches
    network      a search through the turn by the shipped network of its ends
    solved       the solution itself, held: what the measure has of errors of its own

Searches have the same ranges, sizes and number of iterations as the solution.  These flops have
cards of one or two suits or a pair: they have fewer boards, so take less time.  Seven to ten
minutes of a core for a flop; the work folder has the flops that are done.
"""

from dataclasses import replace

import numpy as np

from agents.blueprint_model.policy import policy_for
from engine.betting.betting_tree import DEAL
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.equity.allin_matrix import allin_matrix
from engine.parallel.processes import in_order
from engine.range_solver.leaves import DepthLimit, street_ends
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.view import state_of_betting
from engine.search.continuations import MatrixLeaves, draw_runouts, sampled_payoffs
from engine.search.network_leaves import StreetEnds, street_end_network
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.studies.frame import resumed

SPOTS = (
    (33, "r250r750c", "AhTh5h"),
    (200, "r1300r3900c", "9s8s8d"),
    (33, "r200r600c", "KdQd4d"),
    (200, "r1300r3900c", "7c7d2c"),
    (33, "cr250r750c", "Jc6c3c"),
    (200, "cr1300r3900c", "QsQd5s"),
)
"""Big blinds of the stacks, betting before the flop, flop."""
ITERATIONS = 60
PORTIONS = 3
FLOP, TURN = 1, 2
RUNOUTS = 49
"""Each card of the turn once, with a drawn river."""
WAYS = ("blueprint", "equity", "rollouts", "street", "network", "solved")
VARIANT = VARIANTS["lcfr"]
"""Its strategies are the positive regrets as shares: so a flop can be held, where both players
learn at once."""
SMALL = {"spots": 1, "iterations": 1, "jobs": 1}


def add_options(parser):
    """Add how much is measured."""
    parser.add_argument("--spots", type=int, default=len(SPOTS), help="(%(default)s)")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="(%(default)s)")
    jobs_option().add_to(parser)


def run(options):
    """Return what is lost by spot and way, and the means."""
    spots = SPOTS[: options.spots]
    networks = [street_end_network(street).facts["data"] for street in (FLOP, TURN)]
    keys = [f"{spot} {options.iterations} {networks}" for spot in spots]

    def play(numbers):
        some = [spots[number] for number in numbers]
        return in_order(_measuring, (options.iterations,), some, options.jobs)

    rows = []
    with LivingLine() as line:
        for (blinds, betting, flop), lost in zip(
            spots, resumed(options.work, keys, play), strict=True
        ):
            by_way = dict(zip(WAYS, lost.round(3).tolist(), strict=True))
            rows.append({"blinds": blinds, "betting": betting, "flop": flop, "lost": by_way})
            line.show(f"{len(rows)} of {len(spots)} flops")
    means = {way: round(float(np.mean([row["lost"][way] for row in rows])), 3) for way in WAYS}
    return {
        "command": "make study NAME=deepstack-flops",
        "iterations": options.iterations,
        "portions": PORTIONS,
        "spots": rows,
        "means": means,
    }


def _measuring(iterations):
    return lambda spot: lost_by_way(*spot, iterations)


def lost_by_way(blinds, betting, flop, iterations):
    """Return (W,) per cent of the pot that flop decisions lose, mean of both players, by way."""
    game = load_builtin("hunl")
    policy = policy_for(replace(game, stacks=(blinds * game.big_blind,) * 2))
    state, board = state_of_betting(policy.game, betting), parse_cards(flop)
    ranges = np.stack([policy.reach(state, board, player) for player in (0, 1)])
    root = policy.node_of(state, board)
    nodes = policy.model.tree.nodes_below(root).tolist()
    tree = policy.model.tree.below(root)
    exact = solved(tree, board, ranges, iterations)
    value = exact.game_value(StrategyKind.AVERAGE)
    flops = flop_decisions(tree)
    strategies = {
        "blueprint": {node: policy.at(nodes[node], board) for node in flops},
        "solved": averages(exact, flops),
    }
    limits = {
        "equity": StreetEnds(None, TURN).limit(tree),
        "rollouts": played_on(tree, board, lambda node, cards: policy.at(nodes[node], cards)),
        "street": StreetEnds(street_end_network(FLOP), FLOP).limit(tree),
        "network": StreetEnds(street_end_network(TURN), TURN).limit(tree),
    }
    for way, limit in limits.items():
        searched = solved(tree, board, ranges, iterations, limit=limit)
        strategies[way] = averages(searched, flops)
    return np.array(
        [
            np.mean(
                [
                    held_loss(tree, board, ranges, iterations, strategies[way], player, value)
                    for player in (0, 1)
                ]
            )
            for way in WAYS
        ]
    )


def played_on(tree, flop, chosen):
    """Return a limit at the flop's end, behind which both play as chosen; all-ins are counted."""
    runouts = draw_runouts(flop, RUNOUTS, np.random.default_rng(list(flop)))
    showdowns = allin_matrix(flop)
    matrices = {}
    for end in street_ends(tree, FLOP):
        if tree.kind[end] == DEAL:
            below = tree.nodes_below(int(tree.first_child[end])).tolist()
            matrices[end] = sampled_payoffs(
                tree.below(below[0]),
                flop,
                0,
                lambda node, cards, below=below: chosen(below[node], cards),
                runouts,
            )[0]
        else:
            matrices[end] = showdowns * np.float32(tree.spent[end].min())
    return DepthLimit(tuple(matrices), MatrixLeaves(matrices))


def flop_decisions(tree):
    """Return the decisions before the first card is dealt."""
    return np.flatnonzero((tree.kind < DEAL) & (tree.street == 1)).tolist()


def averages(solver, nodes):
    """Return the average strategies (1326, A) at decisions."""
    return {node: solver.strategy(StrategyKind.AVERAGE, node) for node in nodes}


def solved(tree, board, ranges, iterations, *, limit=None, held=None, player=None):
    """Return a solver after some iterations, with a player's flop held to strategies or not."""
    settings = RangeSettings(portions=PORTIONS, memory_limit=8 << 30, alternating=False)
    solver = RangeSolver(tree, board, ranges, settings, limit=limit)
    hold(solver, held, player)
    for number in range(1, iterations * PORTIONS + 1):
        solver.iterate(VARIANT.step(number, solver.spread))
        hold(solver, held, player)
    return solver


def hold(solver, strategies, player):
    """Write strategies into the regrets of a player's decisions on the flop."""
    if strategies is None:
        return
    hands = solver.game.boards[0].hands[player]
    regrets = solver.learnt.tables[0][player].regret[0]
    combos = hands.combo[0, : hands.held[0]]
    for node, shares in strategies.items():
        place = solver.game.places[node]
        if place.player == player:
            rows = slice(place.first, place.first + place.actions)
            regrets[rows, : len(combos)] = shares[combos].T


def held_loss(tree, board, ranges, iterations, strategies, player, value):
    """Return what a player loses who is held to strategies on the flop, per cent of the pot.

    Args:
        value: chips that player 0 wins where nobody is held.
    """
    solver = solved(tree, board, ranges, iterations, held=strategies, player=player)
    won = solver.game_value(StrategyKind.AVERAGE)
    lost = value - won if player == 0 else won - value
    return 100 * lost / solver.game.pot
