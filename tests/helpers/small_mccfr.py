"""Small games for tests of MCCFR: their betting, buckets and deals."""

from dataclasses import replace

import numpy as np

from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.betting.info_sets import build_info_sets
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.records import DealBatch, MccfrTables, Rules
from engine.mccfr.settings import MccfrSettings
from engine.rules.state import HandState
from engine.small_games.abstract_profile import abstract_profile
from engine.small_games.best_response import exploitability
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tree_values import node_values, reaches
from protocol.gamedefs import load_builtin


class SmallGame:
    """Kuhn's or Leduc poker, to be learned on its betting tree and measured on its game tree."""

    def __init__(self, name, ranks=3):
        self.definition = replace(load_builtin(name), ranks=ranks)
        self.betting = build_betting_tree(HandState.start(self.definition), menu_of((1.0,)))
        self.cards = LosslessAbstraction(self.definition)
        self.info_sets = build_info_sets(self.betting, self.cards.counts)
        self.form = sequence_form(kuhn() if name == "kuhn" else leduc(ranks))

    def exploitability(self, strategy):
        """Return the exploitability of a strategy by decision, in chips."""
        profile = abstract_profile(self.form.tree, self.betting, self.cards, strategy)
        return self.exploitability_of(profile)

    def exploitability_of(self, profile):
        """Return the exploitability of a profile of the game tree, in chips."""
        return exploitability(self.form, profile)


def learner(game, seed=1, **settings):
    """Return a run that has not begun; it is discounted often."""
    given = {"period": 1000} | settings
    return Mccfr(game.info_sets, game.cards, np.random.default_rng(seed), MccfrSettings(**given))


def shallow_holdem(menu, chips=1200):
    """Return the betting tree of no-limit hold'em with short stacks."""
    game = replace(load_builtin("hunl"), stacks=(chips, chips))
    return build_betting_tree(HandState.start(game), menu)


def random_deals(generator, count, buckets):
    """Return deals whose buckets and results are made up."""
    shape = (count, 2, len(buckets))
    return DealBatch(
        generator.integers(0, np.array(buckets), shape).astype(np.int32),
        generator.integers(-1, 2, count).astype(np.int8),
        generator.integers(0, 1 << 64, count, np.uint64),
        np.zeros(count, np.float32),
    )


def make_tables(info_sets, cells, *, whole=False):
    """Return tables over some cells."""
    regret = cells.view(np.int32) if whole else cells
    return MccfrTables(info_sets.walk, info_sets.start, info_sets.width, regret, cells)


def make_rules(**changes):
    """Return rules of plain external sampling, some of them changed."""
    flags = {"prunes": False, "streets": 4}
    numbers = {
        "scale": 1.0,
        "floor": -np.inf,
        "ceiling": np.inf,
        "weight": 1.0,
        "explores": 0.0,
        "errs": 0.0,
        "threshold": -1.0,
        "softness": 1.0,
        "least": 1.0,
    }
    given = {name: np.float32(changes.pop(name, value)) for name, value in numbers.items()}
    return Rules(**given, **(flags | changes))


def exact_changes(game, strategy):
    """Return what an iteration adds on average when a strategy is played.

    That is (decision, own card of the game tree) -> regrets of CFR, then the strategy times its
    owner's reach and chance's.
    """
    tree = game.form.tree
    profile = abstract_profile(tree, game.betting, game.cards, strategy)
    value, reach = node_values(tree, profile), reaches(tree, profile)
    nodes = {game.betting.betting(int(node)): int(node) for node in game.betting.decisions}
    changes = {}
    for info_set, (card, betting) in enumerate(tree.info_set_names):
        owner, count = int(tree.owner[info_set]), int(tree.action_count[info_set])
        regret, share = np.zeros(count), np.zeros(count)
        for at in np.flatnonzero(tree.info_set == info_set):
            first = int(tree.first_child[at])
            gains = value[first : first + count] - value[at]
            chance = reach[2, at] * (1 if owner == 0 else -1)
            regret += reach[1 - owner, at] * chance * gains
            share += reach[owner, at] * reach[2, at] * profile[tree.actions_of(info_set)]
        changes[nodes[betting], card] = np.r_[regret, share]
    return changes
