"""What the log and the transaction file of a match lack of each other."""

import pytest

from dealer.server.endings import Ending, MatchStopped
from dealer.server.recovery import Missing, compare_records
from dealer.server.table import Table
from protocol.gamedefs import load_builtin

T = "1795000000.000000 1795000000.100000"
NEVER = "0.000000 0.000000"
HEADER = "# name/game/hands/seed m g 3 42"
FOLDS = f"f 0 {T}\nf 1 {T}\n"
HANDS = ("STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob\n", "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice\n")
"""What folding at once makes of the first deals."""
LONG = "STATE:0:r300c/cr600f:7d3d|2hAc/5sKs7s:-300|300:Alice|Bob\n"
"""A longer first hand."""
OTHERS = "# name/game/hands/seed m g 3 43\n"
"""Header of another match."""


def compared(tmp_path, log, transactions, hands=3):
    """Compare a log and a transaction file; None: there is no such file."""
    paths = tmp_path / "m.log", tmp_path / "m.tlog"
    for path, text in zip(paths, (log, transactions), strict=True):
        if text is not None:
            path.write_text(text)
    table = Table(load_builtin("hunl"), 42, ["Alice", "Bob"])
    return compare_records(*paths, 42, hands, table)


@pytest.mark.parametrize(
    ("log", "missing"),
    [
        (None, {0, 1}),
        ("", {0, 1}),
        (f"{HEADER}\n", {0, 1}),
        (f"{HEADER}\n{HANDS[0]}", {1}),
        (f"{HEADER}\n{HANDS[1]}", {0}),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1]}", set()),
        (f"{HEADER}\n{HANDS[0]}{HEADER}\n{HANDS[1]}", set()),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1]}SCORE:0|0:Alice|Bob\n{HEADER}\n", set()),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1][:-5]}", {1}),
        (f"{HEADER.replace(' m ', ' ./m ')}\n{HANDS[0]}", {1}),
        (f"{HEADER}\n{HANDS[0].replace('Bob', 'Bobby')}", {1}),
        (f"{HEADER.replace(' 3 ', ' 1 ')}\n{HANDS[0]}SCORE:50|-50:Alice|Bob\n{HEADER}\n", {1}),
        (f"{OTHERS}STATE:0:f::1|-1:A|B\n", {0, 1}),
        (f"{HEADER}\n{HANDS[0]}{OTHERS}STATE:0:f::1|-1:A|B\n", {1}),
    ],
)
def test_lost_hands_are_those_of_the_transactions_that_the_log_lacks(tmp_path, log, missing):
    """Whatever else there is: scores, other matches, half a line, other names."""
    assert compared(tmp_path, log, FOLDS) == Missing(frozenset(missing))


def test_transactions_beyond_the_match_are_not_logged(tmp_path):
    """As by the original."""
    assert compared(tmp_path, None, FOLDS, hands=2).hands == {0, 1}
    assert compared(tmp_path, None, FOLDS, hands=1).hands == set()


@pytest.mark.parametrize(
    ("transactions", "added"),
    [
        (None, f"r300 0 {NEVER}\nc 0 {NEVER}\nc 0 {NEVER}\nr600 0 {NEVER}\nf 0 {NEVER}\n"),
        ("", f"r300 0 {NEVER}\nc 0 {NEVER}\nc 0 {NEVER}\nr600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\n", f"r600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\nr600 0 179", f"r600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\nr600 0 {T}\n", f"f 0 {NEVER}\n"),
    ],
)
def test_transactions_that_are_missing_are_those_of_the_log(tmp_path, transactions, added):
    """From where the file ends, be it in mid-hand, to the last logged hand; nobody pays time."""
    log = f"{HEADER}\n{LONG}{HANDS[1]}"
    assert compared(tmp_path, log, transactions) == Missing(frozenset(), f"{added}f 1 {NEVER}\n")


@pytest.mark.parametrize(
    ("log", "transactions", "words"),
    [
        (HANDS[1], None, "hand 1 is in .*m.log, but not what comes before it"),
        (HANDS[0], f"x 0 {T}\n", ".*m.tlog has an unusable line before hand 0 of"),
        (HANDS[0], f"c 0 {T}\nf 0 {T}\n", ".*m.tlog has an unusable line before hand 0 of"),
        (HANDS[0] + HANDS[0], FOLDS, "hand 0 is in .*m.log twice"),
        (HANDS[0].replace("2hAc", "2hAd"), FOLDS, "hand 0 in .*m.log is not the one in"),
        (HANDS[0].replace("2hAc", "2hAd"), None, "hand 0 in .*m.log is not one of these cards"),
        (HANDS[0].replace(":f:", ":r1:"), None, "hand 0 in .*m.log cannot be played: "),
        (HANDS[0].replace(":f:", ":x:"), None, "hand 0 in .*m.log cannot be played: "),
        (HANDS[0].replace(":f:", ":ff:"), None, "hand 0 in .*m.log cannot be played: "),
        (HANDS[0].replace(":f:", ":c:"), None, "hand 0 in .*m.log is not one of these cards"),
        (HANDS[0].replace(":50|-50:", ":1|-1:"), None, "hand 0 in .*m.log is not one of these"),
        (HANDS[0], f"r300 0 {T}\n", "hand 0 in .*m.log cannot be played: it begins otherwise"),
        (HANDS[0], f"r300 0 {T}\nf 0 {T}\n", "hand 0 in .*m.log is not the one in"),
        ("STATE:x:f:7d3d|2hAc:50|-50:A|B\n", FOLDS, "line 2 of .*m.log cannot be read"),
        ("STA\0E:0:f:7d3d|2hAc:50|-50:A|B\n", FOLDS, "line 2 of .*m.log cannot be read"),
    ],
)
def test_files_that_contradict_each_other_are_refused(tmp_path, log, transactions, words):
    """Before anything is written to them."""
    with pytest.raises(MatchStopped, match=f"cannot resume: {words}") as caught:
        compared(tmp_path, f"{HEADER}\n{log}", transactions)
    assert caught.value.end.ending is Ending.ERROR
    assert (tmp_path / "m.log").read_text() == f"{HEADER}\n{log}"
