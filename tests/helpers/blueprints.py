"""Blueprints that nobody had to train: tiny configs, made-up buckets, random strategies."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from agents.blueprint.training import TrainingRun
from agents.blueprint_model.config import parse_config
from agents.blueprint_model.model import BlueprintModel, tree_of
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from engine.abstraction.lossless import LosslessAbstraction
from protocol.actions import CALL, FOLD, RAISE, raise_to

CONFIGS = {
    "hunl": """
game = "hunl"
[cards]
[bets]
preflop = ["50,100", "100,a", "a"]
flop = ["50,100,a", "a"]
turn = ["100", "100,a"]
river = ["50,100,a", "a"]
""",
    "small bets": """
game = "hunl"
[cards]
[bets]
preflop = ["10,20,100", "a"]
flop = ["10,20,200", "30", "a"]
turn = ["30", "a"]
""",
    "hulhe": 'game = "hulhe"\n[cards]\n',
    "leduc": 'game = "leduc"\n[training]\nperiod = 2000\n',
}


def tiny_config(name="hunl"):
    """Return a config with few bets."""
    return parse_config(f"tiny-{name}", CONFIGS[name])


@cache
def tiny_cards():
    """Return 169 hands, three made-up buckets of the flop and turn, ten of the river by equity."""
    rng = np.random.default_rng(1)
    return CardAbstraction(
        flop_table=rng.integers(0, 3, hand_index(3).size, np.uint16),
        turn_centres=np.sort(rng.integers(0, 1 << 20, (3, 9)), axis=0).astype(np.float32),
        river_shares=(np.arange(1981) // 199).astype(np.uint16),
    )


def flat_turn(cards):
    """Return cards with a table of the turn in which all hands are alike.

    The real one takes a quarter of a minute.
    """
    table = np.zeros(hand_index(4).size, np.uint16)
    return CardAbstraction(**cards.parts, turn_table=table, verify=False)


def some_buckets(*counts):
    """Return an abstraction that only knows how many buckets there are."""
    return SimpleNamespace(counts=counts)


def interpretations_of(interpreter, state, player, hands):
    """Return the interpretations of a hand up to `state` that a player with some hands has."""
    found = interpreter.start(hands)
    for before, action, after in state.steps():
        found = interpreter.step(found, before, action, after, player, hands)
    return found


def random_model(config, cards=None, seed=0, alpha=0.7):
    """Return a model whose strategies are drawn at random; some actions are never taken."""
    if cards is None:
        return _usual_model(config, seed, alpha)
    tree, rng = tree_of(config), np.random.default_rng(seed)

    def average(node):
        actions = int(tree.child_count[node])
        rows = rng.dirichlet(np.full(actions, alpha), cards.counts[int(tree.street[node])])
        return rows.astype(np.float32)

    return BlueprintModel.of_averages(config, tree, cards, average, {"seed": seed})


@cache
def _usual_model(config, seed, alpha):
    cards = tiny_cards() if config.cards is not None else LosslessAbstraction(config.game)
    return random_model(config, cards, seed, alpha)


def always(*buckets):
    """Return the buckets of one hand by street, as `Reader` asks for them."""
    return lambda street: np.array([buckets[street]], np.int32)


def legal_sizes(state, rng):
    """Return some raise in the range of legal ones: smallest, largest, tiny, about the pot."""
    low, high = state.raise_range()
    if not state.game.no_limit:
        return RAISE
    pick = int(rng.integers(6))
    pot = state.pot + state.to_call
    chips = {
        0: low,
        1: high,
        2: low + int(rng.integers(4)),
        3: state.to_match + round(pot * float(rng.uniform(0.2, 1.5))),
        4: int(rng.integers(low, high + 1)),
        5: high - int(rng.integers(4)),
    }[pick]
    return raise_to(int(min(max(chips, low), high)))


def random_action(state, rng, raising=0.6):
    """Return any legal action, seldom a fold."""
    if state.can_fold and rng.random() < 0.03:
        return FOLD
    if state.can_raise and rng.random() < raising:
        return legal_sizes(state, rng)
    return CALL


def leduc_run(folder, *, workers=1):
    """Return a training run of Leduc hold'em that has just begun."""
    return TrainingRun.begin(folder, tiny_config("leduc"), workers=workers)
