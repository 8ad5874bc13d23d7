"""Random hands for studies, as they take them."""

import numpy as np

from agents.training.logs import LoggedHands, hand_of_line
from engine.equity.strength import StrengthReader
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.random_logs import random_log
from tests.studies.logged_hands import studied


def random_hands(game, hands, seed=5):
    """The hands of a log of random play."""
    game = load_builtin(game)
    lines = random_log(game, seed, hands, np.random.default_rng(seed))
    records = [record for line in lines if isinstance(record := parse_log_line(line), HandRecord)]
    return LoggedHands(game, records, [f"m:{number}" for number in range(2, hands + 2)])


def studied_hands(logged):
    """Return those hands with how they ended."""
    return [studied(hand_of_line(logged.game, record), "m") for record in logged.hands]


def taken(study, logged, strengths=None):
    """Return a study that has taken hands one by one, in this process."""
    strengths = strengths or StrengthReader()
    for hand in studied_hands(logged):
        study.take(hand, strengths)
    return study
