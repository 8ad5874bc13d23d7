"""What pruning gains in training a blueprint: nodes of an iteration, and strength in equal time.

The same abstract game is trained without pruning for a number of iterations, then with it in
several ways for as many seconds of one core, dealing aside, from the same seed.  Each result plays
the one without pruning, by the board (`agents.blueprint.versus`), and local best response plays
against it, on the same deals.  The buckets are those of the shipped model.  Seven minutes of a
core.

Source: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018, which says that skipping actions of very negative regret made
training three times faster.
"""

import time
from dataclasses import replace

import numpy as np

from agents.blueprint.versus import Versus
from agents.blueprint_model.config import load_config
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.models import shipped_model
from agents.blueprint_model.policy import BlueprintPolicy
from engine.abstraction.buckets import TURN
from engine.betting.info_sets import build_info_sets
from engine.console.arguments import count
from engine.console.progress import LivingLine
from engine.estimates.winrate import win_rate
from engine.evaluation.attacks import Bench, Ways
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import Pruning
from tests.helpers.blueprints import flat_turn
from tests.studies.frame import finite

WAYS = {
    "never": None,
    "as configured": 1.0,
    "ten times sooner": 0.1,
    "a hundred times sooner": 0.01,
}
"""Share of the configured threshold."""
CHUNK = 100_000
SMALL = {"iterations": 2000, "after": 1000, "boards": 2, "pairs": 2}
SETTINGS = "C,C,FCPA,FCPA"


def add_options(parser):
    """Add the abstract game, and how much is trained and played."""
    add = parser.add_argument
    add("--config", default="hunl-33", help="(%(default)s)")
    add("--iterations", type=count, default=5_000_000, help="without pruning (%(default)s)")
    add("--after", type=count, default=500_000, help="iterations before pruning (%(default)s)")
    add("--boards", type=count, default=60, help="(%(default)s)")
    add("--pairs", type=count, default=300, help="of local best response (%(default)s)")


def run(options):
    """Return the speed and the strength of each way."""
    config = load_config(options.config)
    shipped = load_model(shipped_model(config.game))
    cards = (
        shipped.cards.tabulate(TURN, threads=1) if not options.small else flat_turn(shipped.cards)
    )
    info_sets = build_info_sets(shipped.tree, cards.counts)
    rows, models = [], {}
    with LivingLine() as line:
        for name, share in WAYS.items():
            line.show(f"training: {name}")
            settings = replace(config.training.settings(1), pruning=None)
            if share is not None:
                settings = replace(settings, pruning=pruning_of(config, share, options.after))
            source = TimedDeals(config.game, cards)
            generator = np.random.default_rng(config.seed)
            solver = Mccfr(info_sets, cards, generator, settings, source)
            most = options.iterations if share is None else None
            seconds = rows[0]["seconds"] if rows else None
            row = trained(solver, most, seconds, min(CHUNK, options.iterations), source)
            models[name] = BlueprintModel.of_averages(
                config, shipped.tree, cards, solver.average, {}
            )
            below = None if settings.pruning is None else settings.pruning.threshold
            rows.append({"name": name, "below": below, **row})
        for row in rows:
            line.show(f"measuring: {row['name']}")
            row |= measured(models[row["name"]], models["never"], options)
    command = " ".join(
        f"--{name} {getattr(options, name)}" for name in ("config", "iterations", "after")
    )
    return {
        "command": f'make study NAME="pruning {command}"',
        "config": options.config,
        "information_sets": info_sets.rows,
        "after": options.after,
        "boards": options.boards,
        "pairs": options.pairs,
        "rows": rows,
    }


class TimedDeals(DealSource):
    """Deals, and how long they took: most of it for rivers, which a table has in real training."""

    def __init__(self, game, cards):
        """Deal nothing yet."""
        super().__init__(game, cards)
        self.seconds = 0.0

    def deal(self, keys):
        """Deal, as always."""
        begun = time.process_time()
        deals = super().deal(keys)
        self.seconds += time.process_time() - begun
        return deals


def pruning_of(config, share, after):
    """Return the pruning of a config with a share of its threshold."""
    training = config.training
    return Pruning(
        share * training.prune_below,
        share * training.prune_softness,
        training.prune_least,
        after,
    )


def trained(solver, iterations, seconds, chunk, source):
    """Train for so many iterations or seconds of the processor; return what that came to."""
    spent, latest = 0.0, 0.0
    while not solver.iterations or (
        spent < seconds if iterations is None else solver.iterations < iterations
    ):
        nodes, begun, dealing = solver.nodes, time.process_time(), source.seconds
        solver.run(chunk)
        latest = (solver.nodes - nodes) / chunk
        spent += time.process_time() - begun - (source.seconds - dealing)
    return {
        "iterations": solver.iterations,
        "seconds": round(spent, 1),
        "nodes_per_iteration": round(solver.nodes / solver.iterations, 1),
        "nodes_at_the_end": round(latest, 1),
    }


def measured(model, rival, options):
    """Return what a model wins from a rival, and what local best response wins from it, mbb/h."""
    facts = {"won": None}
    big_blind = model.tree.game.big_blind
    if model is not rival:
        versus, rng = Versus(Interpreter(model), Interpreter(rival)), np.random.default_rng(1)
        chips = [versus.value(rng.permutation(52)[:5].tolist()) for _ in range(options.boards)]
        rate = win_rate(np.array(chips), big_blind)
        facts["won"] = [round(rate.mbb_per_hand, 2), finite(rate.ci95, 2)]
    results = []
    bench = Bench(BlueprintPolicy(model), model.tree.game, 1, 1, said=lambda text: None)
    ways = Ways((parse_lbr_settings(SETTINGS),), ())
    bench.measure(ways, range(options.pairs), range(options.boards), results)
    rate = results[0].rate
    return {**facts, "lbr": [round(rate.mbb_per_hand, 1), finite(rate.ci95, 1)]}
