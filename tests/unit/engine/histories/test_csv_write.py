"""Tables of comma-separated values: a row a hand, a row a decision."""

import csv
import io
from itertools import pairwise

import numpy as np
import pytest

from engine.equity.equity import exact_hand_equity
from engine.errors import UnusableHistory
from engine.histories.csv_write import DECISION_COLUMNS, DECISIONS, HAND_COLUMNS, CsvWriter
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in
from tests.helpers.random_logs import random_log

LOG = (
    "STATE:3:r250c/cr650f:AcAd|7h6h/Jc3d5c:-250|250:Ann,|Bob # 12.5\n"
    "STATE:4:r20000c///:7h6h|AcAd/Jc3d5c/2s/9s:-20000|20000:Bob|Ann,\n"
)


def rows_of(log, name, rows=None, **options):
    """The rows of a table as dicts."""
    writer = CsvWriter(*([] if rows is None else [rows]), **options)
    text = "".join(map(writer.add, hands_in(log, "log", load_builtin(name)))) + writer.end()
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_a_hand():
    """Positions stand side by side; the header comes once."""
    first, second = rows_of(LOG, "hunl")
    assert tuple(first) == HAND_COLUMNS
    assert first == {
        "hand": "3",
        "time": "12.5",
        "limit": "no-limit",
        "players": "2",
        "names": "Ann,|Bob",
        "stacks": "20000|20000",
        "blinds": "100|50",
        "betting": "r250c/cr650f",
        "streets": "2",
        "showdown": "0",
        "hole_cards": "AcAd|7h6h",
        "board": "Jc3d5c",
        "pot": "500",
        "values": "-250|250",
    }
    assert (second["time"], second["streets"], second["showdown"]) == ("", "4", "1")


def test_a_row_a_decision():
    """What was decided on, what was done, and what the hand brought."""
    rows = rows_of(LOG, "hunl", DECISIONS)
    assert tuple(rows[0]) == DECISION_COLUMNS
    assert len(rows) == 7
    assert rows[0] == {
        "hand": "3",
        "decision": "1",
        "street": "preflop",
        "position": "SB",
        "player": "Bob",
        "players": "2",
        "active": "2",
        "big_blind": "100",
        "pot": "150",
        "to_call": "50",
        "stack": "19950",
        "effective_stack": "19900",
        "raises": "0",
        "action": "raise",
        "chips": "200",
        "raise_to": "250",
        "size_in_pots": "0.7500",
        "all_in": "0",
        "hole_cards": "7h6h",
        "board": "",
        "value": "250",
    }
    assert [(row["action"], row["chips"], row["size_in_pots"]) for row in rows[1:4]] == [
        ("call", "150", ""),
        ("check", "0", ""),
        ("bet", "400", "0.8000"),
    ]
    assert (rows[3]["board"], rows[4]["action"], rows[4]["to_call"]) == ("Jc3d5c", "fold", "400")
    assert (rows[5]["all_in"], rows[5]["size_in_pots"]) == ("1", "99.5000")


@pytest.mark.parametrize("name", ["hunl", "hulhe", "nolimit6", "kuhn", "leduc"])
def test_chips_of_decisions_add_up_to_the_pot(name):
    """With the blinds, in any game, less what of the largest bet nobody called."""
    game = load_builtin(name)
    lines = random_log(game, 7, 20, np.random.default_rng(5), game_name=name)
    log = "".join(f"{line}\n" for line in lines)
    for hand in rows_of(log, name):
        rows = [row for row in rows_of(log, name, DECISIONS) if row["hand"] == hand["hand"]]
        spent = dict(zip(hand["names"].split("|"), game.blinds, strict=True))
        for row in rows:
            spent[row["player"]] += int(row["chips"])
        second = sorted(spent.values())[-2]
        assert sum(min(chips, second) for chips in spent.values()) == int(hand["pot"])
        for before, after in pairwise(rows):
            assert int(after["pot"]) == int(before["pot"]) + int(before["chips"])


def test_equity_is_that_of_known_hands():
    """Exact for two, and the same draws for more in every run."""
    rows = rows_of(LOG, "hunl", DECISIONS, equity=True)
    exact = exact_hand_equity([parse_cards("7h6h"), parse_cards("AcAd")])
    assert rows[0]["equity"] == f"{exact[0].equity:.4f}"
    flop = exact_hand_equity([parse_cards("7h6h"), parse_cards("AcAd")], parse_cards("Jc3d5c"))
    assert rows[3]["equity"] == f"{flop[0].equity:.4f}"
    three = "STATE:1:r300cf/cc/cc/cc:AcAd|KcKd|7h6h/Jc3d5c/2s/9s:400|-100|-300:a|b|c\n"
    first, *_ = rows_of(three, "nolimit3", DECISIONS, equity=True)
    counted = exact_hand_equity([parse_cards(one) for one in ("7h6h", "AcAd", "KcKd")])
    assert float(first["equity"]) == pytest.approx(counted[0].equity, abs=0.02)
    assert rows_of(three, "nolimit3", DECISIONS, equity=True)[0] == first


def test_equity_wants_hold_em_and_known_cards():
    """Unknown cards leave it empty; another game has none."""
    hidden = LOG.splitlines(keepends=True)[0].replace("AcAd", "")
    assert {row["equity"] for row in rows_of(hidden, "hunl", DECISIONS, equity=True)} == {""}
    with pytest.raises(UnusableHistory, match="equity is that of hold'em"):
        rows_of("STATE:0:cc:Qs|Ks:-1|1:a|b\n", "kuhn", DECISIONS, equity=True)
