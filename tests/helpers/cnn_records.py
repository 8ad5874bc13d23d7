"""Records of random logs, and the states that the rules give for their decisions."""

import numpy as np

from agents.poker_cnn.reading import collect_records
from engine.rules.state import HandState
from protocol.betting import parse_betting
from protocol.handlog import HandRecord, parse_log_line
from protocol.matchstate import parse_card_text
from tests.helpers.random_logs import random_log


def log_of(folder, game, hands=60, seed=3, name="one.log", **options):
    """Write a log of random play; return its path."""
    path = folder / name
    lines = random_log(game, seed, hands, np.random.default_rng(seed), **options)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def records_of(folder, game, hands=60, seed=3, expert="everyone"):
    """Return records of a log of random play."""
    records, _ = collect_records([log_of(folder, game, hands, seed)], expert, game)
    return records


def decisions_of(path, game):
    """Yield (hand, state, hole, board, action) of all decisions of a log, by the rules."""
    number = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        found = parse_log_line(line)
        if not isinstance(found, HandRecord):
            continue
        cards = parse_card_text(found.cards, game)
        state = HandState.start(game)
        for street in parse_betting(found.betting):
            for action in street:
                seen = cards.board[: game.board_seen(state.street)]
                yield number, state, cards.holes[state.actor], seen, action
                state = state.apply(action)
        number += 1
