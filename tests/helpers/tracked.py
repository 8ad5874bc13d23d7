"""A wide tally held against the readable counts of `tests.oracles.tracker`."""

from collections import Counter

import numpy as np

from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.tally import Tally
from protocol.handlog import format_hand
from tests.oracles.tracker import SIZES, count_tracked

BEFORE = {
    "three_bet": c.PAIR_THREE_BET,
    "fold_to_three_bet": c.PAIR_FOLD_TO_THREE_BET,
    "four_bet": c.PAIR_FOUR_BET,
    "fold_to_four_bet": c.PAIR_FOLD_TO_FOUR_BET,
    "squeeze": c.PAIR_SQUEEZE,
    "showdown_played": c.PAIR_SHOWDOWN_PLAYED,
    "second_street_won": c.PAIR_SECOND_STREET_WON,
}
LATER = {
    "cbet": c.PAIR_CBET,
    "fold_to_cbet": c.PAIR_FOLD_TO_CBET,
    "donk_bet": c.PAIR_DONK_BET,
    "check_raise": c.PAIR_CHECK_RAISE,
    "float": c.PAIR_FLOAT,
}


def columns():
    """Return the column of everything that is counted, by its key in the readable counts."""
    found = {}
    for what, at in BEFORE.items():
        found |= {(what, None): at, (f"{what} of", None): at + 1}
    for street in range(4):
        for what, at in LATER.items():
            place = at + 2 * street
            found |= {(what, street): place, (f"{what} of", street): place + 1}
        for at, kind in enumerate(("fold", "check", "call", "raise")):
            found[kind, street] = c.COUNT_ACTIONS + 4 * street + at
        for at, size in enumerate(SIZES):
            found[size, street] = c.COUNT_SIZES + c.SIZES * street + at
    return found


COLUMNS = columns()


def assert_tracked(game, records):
    """Compare every count of every player and position; return the sums of all."""
    text = "\n".join(format_hand(record) for record in records) + "\n"
    data = np.frombuffer(text.encode(), np.uint8)
    tally = Tally(game, expectation=False, detail=Detail.TRACKER)
    assert tally.scan(data, 0)[0] == len(data)
    expected = count_tracked(game, records)
    lines = {(line.player, line.position): line for line in tally.lines()}
    assert lines.keys() == expected.keys()
    met = Counter()
    for key, line in lines.items():
        for what, column in COLUMNS.items():
            assert line.counts[column] == expected[key][what], (key, what)
            met[what] += int(line.counts[column])
    assert sorted(COLUMNS.values()) == list(range(c.BASIC, c.COUNTS))
    return met
