"""Blueprints whose flop hands are in buckets, and what they lose once flops are solved again.

For each flop, each way to see it and each player, the player's strategy there is solved again by
each technique, and the opponent's best response to it is added up.  Before the flop both keep to
the blueprint, so a technique's exploitability is exact for what it found.

    arrival     a way to see one flop: with what reach both come, and what each hand of either wins
                there at best, and by the blueprint, in chips per unit of the other one's reach
    technique   what keeps the new strategy safe; a row of tables 1 to 3 of the article
    gift        what a hand gave away before the flop: it could have folded and lost less

A gift G is a sum over the searcher's hands and all flops, as values before the flop are.  Each
flop's alternative rises by G over the searcher's reach of the ways that follow, so that on the mean
over flops G is given; not split, each rises by as many times that as there are classes of flops.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import KMeans, assign, k_means, vector_points
from engine.abstraction.ochs import cluster_of_combos
from engine.abstraction.ochs_kernels import CLUSTERS
from engine.betting.betting_tree import FOLD
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.ranges import compatible_reach, normalised, without_blocked
from engine.parallel.threads import run_blocks
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.search.gadgets import MarginGadget, ResolveGadget, normal_alternatives
from engine.search.profile_values import profile_below
from tests.studies.flop_holdem.kernels import (
    BEST,
    EXPECT,
    FlopHands,
    value_folds,
    value_showdowns,
)
from tests.studies.flop_holdem.solver import (
    flop_sums,
    preflop_reach,
    values_before_flop,
    walk_flop,
)

VARIANT = "dcfr+"
"""Of eight, nearest to the end after 400 iterations of the large tree, half as far as CFR+."""
_FLOPS_AT_ONCE = 64
_SAMPLE = 8
"""Points to a bucket that take part in the clustering, of which some are alike."""
_LEAST_SAMPLE = 60_000
_NOBODY = 1e-9
"""Reach that no hand is left of."""


def flop_features(tables, threads=None):
    """Return (F, 1176, 8) what each hand wins from each cluster of starting hands, 0 to 1.

    The features are those of `engine.abstraction.ochs`, with five cards shown down, a tie counting
    half.  A hand that meets nobody of a cluster has 0.5 there.
    """
    clusters = cluster_of_combos()
    features = np.empty((*tables.combo.shape, CLUSTERS), np.float32)
    stakes = np.ones(CLUSTERS)

    def work(first, end):
        won, met = np.empty((2, tables.live, CLUSTERS))
        for flop in range(first, end):
            combo = tables.combo[flop]
            hands = FlopHands(COMBO_CARDS[combo], tables.group_end[flop])
            reach = (clusters[combo][:, None] == np.arange(CLUSTERS)).astype(np.float64)
            value_showdowns(hands, reach, stakes, won)
            value_folds(hands.cards, reach, stakes, met)
            share = np.divide(won, met, out=np.zeros(won.shape), where=met > 0)
            features[flop] = 0.5 + share / 2

    run_blocks(work, len(tables.ways), _FLOPS_AT_ONCE, threads=threads)
    return features


def flop_buckets(tables, features, count, seed, threads=None):
    """Return (F, 1176) uint16 the bucket of each hand: k-means of the features of all flops.

    Many buckets are clustered from a part of the hands, drawn by the ways to see them.
    """
    points = vector_points(features.reshape(-1, CLUSTERS))
    weights = np.repeat(tables.ways, tables.live).astype(np.float64)
    rng = np.random.default_rng(seed)
    size = min(max(_SAMPLE * count, _LEAST_SAMPLE), len(points))
    drawn = rng.choice(len(points), size, replace=False, p=weights / weights.sum())
    settings = KMeans(threads=threads)
    clustering = k_means(points[drawn], count, squared=True, rng=rng, settings=settings)
    buckets, _ = assign(points, clustering.centres, threads=threads)
    return buckets.astype(np.uint16).reshape(tables.combo.shape)


class Technique(NamedTuple):
    """See the module's text."""

    name: str
    margin: bool = False
    """Max-margin; else the opponent enters or takes its alternative."""
    safe: bool = True
    """False: both ranges are taken as known, and there is no alternative."""
    estimate: bool = False
    """Whether alternatives are the values of the blueprint's average strategies, not the best ones.
    The article takes the opponent's last iterate against the average; averages are a choice."""
    spread: bool = False
    """Whether they are normally distributed, as wide as both differ, in eight equal parts."""
    gifts: bool = False
    """Whether alternatives are raised by what was given away before."""
    split: bool = True
    """Whether a gift is divided among the flops."""


_DISTRIBUTIONAL = Technique("reach-estimate + distributional", False, True, True, True, True)
TECHNIQUES = (
    Technique("unsafe", safe=False),
    Technique("resolve"),
    Technique("max-margin", margin=True),
    Technique("reach-max-margin", margin=True, gifts=True),
    Technique("reach-max-margin, not split", margin=True, gifts=True, split=False),
    Technique("estimate", estimate=True),
    _DISTRIBUTIONAL._replace(name="estimate + distributional", gifts=False),
    _DISTRIBUTIONAL,
    _DISTRIBUTIONAL._replace(name="reach-estimate + distributional, not split", split=False),
)
"""Rows of the article's tables after the blueprint's."""


def without_needless_gifts(technique, gifts):
    """Return one nameless technique for all that are the same with these gifts."""
    if gifts.any():
        return technique._replace(name="")
    return technique._replace(name="", gifts=False, split=True)


class Arrival(NamedTuple):
    """One way to one flop; arrays are (2, 1326) by player."""

    node: int
    """Of the game's tree: the first decision there."""
    board: tuple[int, ...]
    reach: NDArray[np.float64]
    best: NDArray[np.float64]
    value: NDArray[np.float64]
    gifts: NDArray[np.float64]
    """Per unit of the other player's reach, split."""


def solved_again(game, arrival, technique, searcher, iterations):
    """Return (1326,) what the opponent's hands win at best from one player's new strategy.

    In chips per unit of the searcher's reach; 0 for hands that cannot be held or meet nobody.
    """
    opponent = 1 - searcher
    ranges = arrival.reach.copy()
    if technique.safe or not without_blocked(ranges[opponent], arrival.board).any():
        ranges[opponent] = 1.0
    root = _gadget(arrival, technique, opponent, ranges, len(game.flops.ways))
    tree, settings = game.tree.below(arrival.node), RangeSettings(threads=1)
    solver = RangeSolver(tree, arrival.board, ranges, settings, root=root)
    solve(solver, VARIANTS[VARIANT], iterations)
    everyone = ranges.copy()
    everyone[opponent] = 1.0
    profile = profile_below(solver, 0, arrival.board, everyone)
    return np.nan_to_num(profile.best_response_values(StrategyKind.AVERAGE)[opponent])


def _gadget(arrival, technique, opponent, ranges, flops):
    if not technique.safe:
        return None
    best, value = arrival.best[opponent], arrival.value[opponent]
    offered = value if technique.estimate else best
    if technique.gifts:
        times = 1 if technique.split else flops
        offered = offered + times * arrival.gifts[opponent]
    if technique.spread:
        return ResolveGadget(opponent, normal_alternatives(offered, np.abs(best - value)))
    return gadget_of(opponent, offered, ranges, arrival.board, technique.margin)


def gadget_of(opponent, offered, ranges, board, margin):
    """Return a gadget with one alternative for each hand.

    Args:
        offered: (1326,) chips per unit of the searcher's reach.
        ranges: (2, 1326) weights.
        margin: max-margin; else the opponent enters or takes its alternative.
    """
    if not margin:
        return ResolveGadget(opponent, offered)
    beliefs = np.stack([normalised(without_blocked(side, board)) for side in ranges])
    weights = beliefs[opponent] * compatible_reach(beliefs[1 - opponent])
    return MarginGadget(opponent, offered, np.maximum(weights, 0) / weights.sum())


def gifts_of(game, reach, values):
    """Return (2, R, 1326) each player's gifts on the ways to the flop, split.

    Args:
        reach: (nodes, 2, 1326) of `preflop_reach`.
        values: (nodes, 2, 1326) what best responses win there, of `values_before_flop`.
    """
    tree = game.tree
    gifts = np.zeros((2, len(game.ways), COMBOS))
    for node in np.flatnonzero(game.preflop_rows >= 0).tolist():
        player = int(tree.kind[node])
        children = tree.children(node)
        folds = [child for child in children if tree.action[child] == FOLD]
        for child in children if folds else ():
            below = set(tree.nodes_below(child).tolist())
            ways = [number for number, way in enumerate(game.ways) if way in below]
            if child in folds or not ways:
                continue
            given = np.maximum(values[folds[0], player] - values[child, player], 0.0)
            met = sum(compatible_reach(reach[game.ways[way], 1 - player]) for way in ways)
            gifts[player, ways] += np.divide(given, met, out=np.zeros(COMBOS), where=met > 1e-12)
    return gifts


class FlopBlueprint:
    """The average strategies of a `FlopBucketSolver`, and what best responses win from them."""

    def __init__(self, solver):
        """Walk all flops once."""
        self.game = solver.game
        self.profile = solver.profile(StrategyKind.AVERAGE)
        self._reach = preflop_reach(self.game, self.profile.preflop)
        self._roots = flop_sums(self.game, self.profile.shares, self._reach, (BEST, BEST), 1)
        self._gifts = gifts_of(self.game, self._reach, self._worth(self._roots))

    def _worth(self, roots):
        return values_before_flop(self.game, self.profile.preflop, self._reach, roots, (BEST, BEST))

    def exploitability(self, sums):
        """Return the mean of both best responses, chips per hand.

        Args:
            sums: (2, W, 169) of `solved_flop` added up, by opponent; None: the blueprint's own.
        """
        roots = self._roots
        if sums is not None:
            roots = roots.copy()
            per_hand = self.game.flops.combos * self.game.flops.ways_for_two
            roots[:, self.game.solved_ways] = sums / per_hand
        won = self._worth(roots)[0]
        return (self.game.mean(won[0]) + self.game.mean(won[1])) / 2

    def solved_flop(self, flop, iterations):
        """Return (techniques, 2, W, 169) what opponents win at best, by opponent and way.

        Sums over the flop's ways and the hands of each starting hand.
        """
        tables = self.game.flops
        shape = (len(TECHNIQUES), 2, len(self.game.solved_ways), len(tables.combos))
        sums = np.zeros(shape)
        for way, arrival in enumerate(self.arrivals(flop)):
            live = without_blocked(np.ones(COMBOS), arrival.board)
            for opponent in (0, 1):
                met = compatible_reach(without_blocked(arrival.reach[1 - opponent], arrival.board))
                solutions = {}
                for number, technique in enumerate(TECHNIQUES):
                    alike = without_needless_gifts(technique, arrival.gifts[opponent])
                    if alike not in solutions:
                        solutions[alike] = solved_again(
                            self.game, arrival, technique, 1 - opponent, iterations
                        )
                    won = float(tables.ways[flop]) * solutions[alike] * met * live
                    np.add.at(sums[number, opponent, way], tables.hand, won)
        return sums

    def arrivals(self, flop):
        """Yield the ways to one flop that are solved again."""
        game, tables = self.game, self.game.flops
        shape = (len(game.nodes.kind), 2, tables.live)
        reach, best, value = np.empty(shape), np.empty(shape), np.empty(shape)
        shares = self.profile.shares(flop)
        came = self._reach[list(game.ways)]
        for how, into in ((BEST, best), (EXPECT, value)):
            walk_flop(game, flop, shares, came, (how, how), reach, into)
        board = tuple(tables.boards[flop].tolist())
        for way in game.solved_ways:
            node, won = game.roots[way], np.zeros((2, 2, COMBOS))
            for player in (0, 1):
                met = compatible_reach(without_blocked(came[way, 1 - player], board))
                for kind, values in enumerate((best, value)):
                    full = np.zeros(COMBOS)
                    full[tables.combo[flop]] = values[node, player]
                    np.divide(full, met, out=won[kind, player], where=met > _NOBODY)
            yield Arrival(int(game.kept[node]), board, came[way], *won, self._gifts[:, way])
