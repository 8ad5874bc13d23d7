"""Folders as `arena match` and `arena tournament` leave them, with hands of random play."""

import json
from itertools import combinations

import numpy as np

from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log

GAME = "holdem.nolimit.2p.reverse_blinds.game"


def write_match(folder, one, other, hands=40):
    """Write a match of two in duplicate: a log for each seating, of the same deals."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(len(one + other))
    legs = []
    for leg, seats in enumerate([(one, other), (other, one)]):
        legs.append({"name": f"match.0.{leg}", "seed": 3, "seats": seats})
        lines = random_log(load_builtin("hunl"), 3, hands, random, names=seats, game_name=GAME)
        (folder / f"{legs[-1]['name']}.log").write_text("\n".join(lines) + "\n")
    (folder / "manifest.json").write_text(json.dumps({"legs": legs}))
    return folder


def write_tournament(folder, players):
    """Write a round robin."""
    for pairing, (one, other) in enumerate(combinations(players, 2)):
        write_match(folder / "pairings" / f"{pairing}", one, other)
    return folder
