"""A model nobody had to train, logs of raises that it lacks, and cards to learn with."""

from functools import cache

import numpy as np

from agents.blueprint_model.model import load_model
from engine.abstraction.bucket_file import save_abstraction
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from tests.helpers.blueprints import random_model, tiny_cards, tiny_config


@cache
def tabulated_cards():
    """Return the tiny cards with a made-up table of the turn: the true one takes a minute."""
    table = np.random.default_rng(2).integers(0, 3, hand_index(4).size, np.uint16)
    return CardAbstraction(**tiny_cards().parts, turn_table=table)


def write_model(path):
    """Write a model of no-limit hold'em with raises of half a pot and a pot; return it as read."""
    random_model(tiny_config()).save(path)
    return load_model(path)


def write_cards(path):
    """Write the cards where a run looks for them."""
    save_abstraction(tabulated_cards(), path)


def write_log(path, *hands, names=("one", "other")):
    """Write a log of hands, each (betting, how often); return its path."""
    bettings = [betting for betting, times in hands for _ in range(times)]
    lines = [
        f"STATE:{number}:{betting}:AsKs|QdJd/2c3c4h/5h/9d:0|0:{'|'.join(names)}\n"
        for number, betting in enumerate(bettings)
    ]
    path.write_text("".join(lines))
    return path
