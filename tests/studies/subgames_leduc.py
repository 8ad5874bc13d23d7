"""Where unsafe subgame solving explodes: the second rounds of Leduc below blueprints of all kinds.

Blueprints are averages of plain CFR that was stopped early or late, as they are and post-processed:
without actions that are less likely than a tenth.  Each second round is solved again, by both
players, unsafe and by two safe techniques, and what a best response to the whole wins is exact.
Takes a minute of a core.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017, table 2: in its large game unsafe solving makes the best blueprint ten times worse.
"""

import numpy as np

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import best_response
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from engine.small_games.tree_values import reaches
from tests.oracles.gadgets import max_margin, merged, resolve, unsafe
from tests.oracles.subgame import best_values, subgame_at

THRESHOLD = 0.1
VARIANT = "cfr+"
"""Of new solutions."""
SMALL = {"ranks": 2, "iterations": (3,), "solved": 2}


def _resolve(subgame, blueprint):
    return resolve(subgame, blueprint, best_values(subgame, blueprint))


def _max_margin(subgame, blueprint):
    return max_margin(subgame, blueprint, best_values(subgame, blueprint))


TECHNIQUES = {"unsafe": unsafe, "resolve": _resolve, "max-margin": _max_margin}


def add_options(parser):
    """Add what is solved."""
    add = parser.add_argument
    add("--ranks", type=int, default=3, help="in the deck, of two suits")
    add("--algorithm", choices=VARIANTS, default="cfr", help="of the blueprints (%(default)s)")
    add("--iterations", type=int, nargs="+", default=(10, 30, 100, 300, 1000, 3000))
    add("--solved", type=int, default=500, help="iterations of each new solution")


def run(options):
    """Return what a best response wins before and after, chips of one ante, by blueprint."""
    rounds = SecondRounds(options.ranks)
    solver, rows = TabularSolver(rounds.tree), []
    for iterations in sorted(options.iterations):
        solve(solver, VARIANTS[options.algorithm], iterations - solver.iterations)
        average = solver.average()
        for post_processed in (False, True):
            blueprint = rounds.without_unlikely(average) if post_processed else average
            lost = {"blueprint": rounds.exploitability(blueprint)} | {
                name: rounds.exploitability(rounds.solved_again(blueprint, gadget, options.solved))
                for name, gadget in TECHNIQUES.items()
            }
            rows.append(
                {
                    "iterations": iterations,
                    "post_processed": post_processed,
                    "exploitability": {name: round(value, 5) for name, value in lost.items()},
                }
            )
    return {
        "command": "make study subgames-leduc",
        "ranks": options.ranks,
        "solved": options.solved,
        "threshold": THRESHOLD,
        "blueprints": rows,
    }


class SecondRounds:
    """Leduc, and what follows each board card after each betting before it."""

    def __init__(self, ranks):
        """Write the game out."""
        self.tree = leduc(ranks, isomorphic=True)
        self._form = sequence_form(self.tree)
        rounds = {}
        for node, history in enumerate(self.tree.histories):
            if len(history) > 3 and isinstance(history[-1], int):
                rounds.setdefault(history[2:], []).append(node)
        self._subgames = [
            subgame_at(self.tree, player, tuple(roots))
            for player in (0, 1)
            for roots in rounds.values()
        ]

    def exploitability(self, profile):
        """Return the mean of what best responses win from both positions, chips."""
        return sum(best_response(self._form, profile, player).value for player in (0, 1)) / 2

    def solved_again(self, blueprint, gadget, iterations):
        """Return the blueprint with each second round solved again, where it comes to at all.

        Args:
            gadget: (subgame, blueprint) -> the game tree that is solved.
        """
        profile = blueprint
        for subgame in self._subgames:
            if not self._comes(subgame, blueprint):
                continue
            tree = gadget(subgame, blueprint)
            solver = TabularSolver(tree)
            solve(solver, VARIANTS[VARIANT], iterations)
            profile = merged(subgame, profile, tree, solver.average())
        return profile

    def without_unlikely(self, profile):
        """Return a profile without actions below `THRESHOLD`."""
        kept = np.where(profile < THRESHOLD, 0.0, profile)
        for name in self.tree.info_set_names:
            actions = self.tree.actions_of(self.tree.info_set_of(name))
            kept[actions] /= kept[actions].sum()
        return kept

    def _comes(self, subgame, blueprint):
        """Return whether both players come to a subgame with some cards."""
        reach = reaches(self.tree, blueprint).prod(axis=0)
        return bool(reach[list(subgame.roots)].any())
