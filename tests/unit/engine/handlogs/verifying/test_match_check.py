"""One match read hand by hand: ids, names, deals, SCORE."""

import re

import numpy as np
import pytest

from engine.deals.deal_window import DealWindow
from engine.handlogs.verifying.match_check import MatchCheck
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, Score, parse_log_line
from tests.helpers.random_logs import random_log

GAME = load_builtin("limit3")
SEED = 7
LINES = random_log(GAME, SEED, 12, np.random.default_rng(1))
HANDS = [line for line in LINES if line.startswith("STATE")]
SCORE = parse_log_line(LINES[-1])


def new_check(*, strict=True, seed=SEED):
    """A check of the match above."""
    deals = DealWindow(GAME, seed) if seed is not None else None
    return MatchCheck(GAME, strict=strict, deals=deals)


def add(check, *lines):
    """Add lines one by one; return all faults."""
    found = []
    for line in lines:
        record = parse_log_line(line)
        assert isinstance(record, HandRecord)
        found += check.add_hand(record)
    return found


def test_a_right_match_has_no_faults_and_its_score():
    """Every hand is dealt again and the totals are those of the SCORE line."""
    check = new_check()
    assert add(check, *HANDS) == []
    assert check.add_score(SCORE) == ([], None)
    assert (check.hands, check.deals_checked, check.next_id, check.missing) == (12, 12, 12, 0)


@pytest.mark.parametrize("first", [1, 3, 5])
def test_a_log_may_start_late(first):
    """Deals are skipped; the SCORE of hands that are not there cannot be checked."""
    check = new_check()
    assert add(check, *HANDS[first:]) == []
    assert check.deals_checked == 12 - first
    assert check.missing == first
    faults, unchecked = check.add_score(SCORE)
    assert faults == []
    assert unchecked.endswith(f": {first}")


def test_a_missing_hand_is_a_fault():
    """With a header, ids rise by one; after a fault the count goes on from the hand met."""
    check = new_check()
    assert add(check, *HANDS[:4], *HANDS[6:]) == ["hand 6 follows hand 3: 2 missing"]


def test_a_repeated_hand_is_a_fault():
    """An id that was there already is reported."""
    assert add(new_check(), *HANDS[:4], HANDS[3]) == ["hand 3 follows hand 3"]


def test_a_resumed_match_may_leave_a_gap_once():
    """After a second header the hand that was cut off may be missing."""
    check = new_check()
    assert add(check, *HANDS[:4]) == []
    check.resume()
    assert add(check, *HANDS[5:8]) == []
    assert add(check, HANDS[9]) == ["hand 9 follows hand 7: 1 missing"]


def test_a_lost_line_explains_a_gap():
    """A hand line that cannot be parsed is not reported a second time as missing."""
    check = new_check()
    add(check, *HANDS[:4])
    check.add_lost_line()
    assert add(check, *HANDS[5:]) == []
    assert check.add_score(SCORE)[0] == []


def test_ids_may_begin_anew():
    """Id 0 starts a match again: totals begin at nothing and the deals at the first."""
    check = new_check()
    assert add(check, *HANDS[:5], *HANDS) == []
    assert check.restarts == 1
    assert check.add_score(SCORE) == ([], None)


def test_names_must_move_with_the_seats():
    """A swap of two names is reported with the names that the seats give."""
    record = parse_log_line(HANDS[1])
    a, b, c = record.names
    swapped = HANDS[1].replace(f"{a}|{b}|{c}", f"{b}|{a}|{c}")
    found = add(new_check(), HANDS[0], swapped)
    assert found == [f"names {b}|{a}|{c}: in hand 1 the seats give {a}|{b}|{c} or {c}|{a}|{b}"]


def test_names_may_stay_where_they_are():
    """Seats may be fixed, but then stay fixed."""
    fixed = [
        x for x in random_log(GAME, 7, 5, np.random.default_rng(1), fixed=True) if x[:5] == "STATE"
    ]
    assert add(new_check(), *fixed) == []
    assert len(add(new_check(), *fixed[:2], HANDS[2])) == 1


def test_cards_must_be_those_of_the_seed():
    """Each hand that another seed dealt is reported with the cards of this one."""
    found = add(new_check(seed=8), HANDS[0])
    assert "position 0 holds" in found[0]
    assert "seed 8 deals" in found[0]


def test_a_far_away_id_does_not_stop_the_check():
    """An absurd id is a fault; its cards are not dealt for hours."""
    line = HANDS[1].replace("STATE:1:", "STATE:4000000000:")
    found = add(new_check(), HANDS[0], line)
    assert "hand 4000000000 follows hand 0: 3999999999 missing" in found
    assert any("4000000000" in fault for fault in found)


def test_ids_stay_below_the_number_of_hands():
    """A hand that the header does not allow is a fault."""
    check = new_check()
    check.limit = 11
    (fault,) = add(check, *HANDS)
    assert re.search(r"\bid 11\b.*\b11 hands", fault)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_wrong_score_is_told_with_the_right_one(compiled):
    """The totals of the hands stand beside those printed."""
    check = new_check()
    add(check, HANDS[0])
    if compiled:
        check.scan(np.frombuffer("\n".join([*HANDS[1:], ""]).encode(), np.uint8), 0)
    else:
        add(check, *HANDS[1:])
    wrong = Score(("1", *SCORE.values[1:]), SCORE.names)
    text = "|".join(SCORE.values)
    [fault] = check.add_score(wrong)[0]
    assert fault.endswith(f" {text}")
    other = Score(SCORE.values, tuple(reversed(SCORE.names)))
    [fault] = check.add_score(other)[0]
    assert fault.startswith("SCORE names Cleo|Bob|Ann, the seats are")


def test_several_tables_in_one_log():
    """Without header or seed, tables are told apart by their players; ids may jump and go back."""
    other = [line.replace("Ann", "Zoe") for line in HANDS]
    mixed = [line for pair in zip(HANDS, other, strict=True) for line in pair]
    check = new_check(strict=False, seed=None)
    assert add(check, *mixed, HANDS[4], HANDS[7], HANDS[5]) == []
    assert check.restarts == 2
    assert check.add_score(SCORE)[0] == []


def test_scan_walks_over_all_right_lines():
    """After the first hand nothing is left to the readable checks; a wrong line stops the walk."""
    check = new_check()
    add(check, HANDS[0])
    lines = HANDS[1:]
    data = np.frombuffer("\n".join([*lines, ""]).encode(), np.uint8)
    assert check.scan(data, 0) == (len(data), 11)
    assert (check.hands, check.deals_checked) == (12, 12)

    check = new_check()
    add(check, HANDS[0])
    lines[6] = lines[6].replace(":Bob", ":Rob")
    lines[6] = lines[6].replace("|Bob", "|Rob")
    text = "\n".join([*lines, ""])
    at, walked = check.scan(np.frombuffer(text.encode(), np.uint8), 0)
    assert walked == 6
    assert text[at:].startswith("STATE:7:")


@pytest.mark.parametrize("first_id", [5, 100_000])
def test_the_window_of_deals_follows_the_ids(first_id):
    """Whatever ids come first, the compiled walk goes on with the next one."""
    check = new_check()
    add(check, HANDS[0].replace("STATE:0:", f"STATE:{first_id}:"))
    data = np.frombuffer("\n".join([*HANDS[1:], ""]).encode(), np.uint8)
    assert check.scan(data, 0) == (0, 0)
