import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, COMBOS, combo_text
from engine.hands.starting_hands import (
    CHEN_POINTS,
    COMBO_STARTING_HAND,
    SKLANSKY_GROUPS,
    STARTING_HAND_COMBOS,
    STARTING_HAND_NAMES,
    STARTING_HANDS,
    chen_points,
    combos_of_starting_hand,
    starting_hand,
)

CHEN_CHART = """
    20  12  11  10   8   7   7   7   7   7   7   7   7
    10  16  10   9   8   6   5   5   5   5   5   5   5
     9   8  14   9   8   7   5   4   4   4   4   4   4
     8   7   7  12   9   8   6   4   3   3   3   3   3
     6   6   6   7  10   8   7   5   3   2   2   2   2
     5   4   5   6   6   9   8   7   5   3   2   2   2
     5   3   3   4   5   6   8   7   6   4   2   1   1
     5   3   2   2   3   5   5   7   7   6   4   2   1
     5   3   2   1   1   3   4   5   6   6   5   3   1
     5   3   2   1   0   1   2   4   4   5   6   5   3
     5   3   2   1   0   0   0   2   3   4   5   5   4
     5   3   2   1   0   0  -1   0   1   3   3   5   5
     5   3   2   1   0   0  -1  -1  -1   1   2   3   5
"""
"""By the rule, worked out apart from this project; above the diagonal suited, A to 2."""


def test_names_read_the_chart_row_by_row():
    """Pairs on the diagonal, suited above it, offsuit below, aces first."""
    assert STARTING_HAND_NAMES[:4] == ("AA", "AKs", "AQs", "AJs")
    assert STARTING_HAND_NAMES[13:15] == ("AKo", "KK")
    assert STARTING_HAND_NAMES[-2:] == ("32o", "22")
    assert len(set(STARTING_HAND_NAMES)) == STARTING_HANDS == 169


def test_every_combo_has_the_name_of_its_cards():
    """The name follows from ranks and suits of the two cards, looked at one by one."""
    for combo in range(COMBOS):
        text = combo_text(combo)
        kind = "" if text[0] == text[2] else "s" if text[1] == text[3] else "o"
        assert STARTING_HAND_NAMES[COMBO_STARTING_HAND[combo]] == text[0] + text[2] + kind


def test_combos_of_a_starting_hand():
    """Pairs have six combos, suited hands four, offsuit hands twelve, 1326 in all."""
    for hand, name in enumerate(STARTING_HAND_NAMES):
        combos = combos_of_starting_hand(hand)
        assert combos.dtype == np.int32
        assert len(combos) == STARTING_HAND_COMBOS[hand] == {"s": 4, "o": 12}.get(name[2:], 6)
        assert (COMBO_STARTING_HAND[combos] == hand).all()
    assert STARTING_HAND_COMBOS.sum() == COMBOS == len(COMBO_CARDS)


def test_names_and_numbers_are_inverse():
    """A name's number has that name."""
    assert [starting_hand(name) for name in STARTING_HAND_NAMES] == list(range(STARTING_HANDS))


@pytest.mark.parametrize("name", ["", "AAs", "KAs", "AK", "aks", "1To", "AKsx", "TTo"])
def test_other_names_are_refused(name):
    """Ranks in the wrong order, or pairs that claim to be suited, name nothing."""
    with pytest.raises(ValueError, match="no starting hand"):
        starting_hand(name)


@pytest.mark.parametrize("hand", [-1, 169])
def test_other_numbers_are_refused(hand):
    """There are 169 starting hands."""
    with pytest.raises(ValueError, match="starting hand"):
        combos_of_starting_hand(hand)


def test_tables_cannot_be_written():
    """Nobody changes a table for everybody else."""
    for table in (COMBO_STARTING_HAND, STARTING_HAND_COMBOS, SKLANSKY_GROUPS, CHEN_POINTS):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


def test_sizes_of_the_sklansky_groups():
    """Classes, combos and shares of each group as published."""
    hands = np.bincount(SKLANSKY_GROUPS, minlength=10)[1:]
    combos = np.bincount(SKLANSKY_GROUPS, STARTING_HAND_COMBOS, minlength=10)[1:]
    assert hands.tolist() == [5, 5, 6, 8, 18, 10, 18, 16, 83]
    assert combos.tolist() == [28, 30, 34, 50, 98, 68, 102, 144, 772]
    shares = [2.11, 2.26, 2.56, 3.77, 7.39, 5.13, 7.69, 10.86, 58.22]
    assert (100 * combos / COMBOS).round(2).tolist() == shares
    cumulative = [2.11, 4.37, 6.94, 10.71, 18.10, 23.23, 30.92, 41.78, 100]
    assert (100 * combos.cumsum() / COMBOS).round(2).tolist() == cumulative


@pytest.mark.parametrize(
    ("group", "names"),
    [
        (1, "AA KK QQ JJ AKs"),
        (2, "TT AQs AJs KQs AKo"),
        (3, "99 JTs QJs KJs ATs AQo"),
        (4, "T9s KQo 88 QTs 98s J9s AJo KTs"),
    ],
)
def test_members_of_the_best_sklansky_groups(group, names):
    """The groups everybody knows by heart."""
    members = {STARTING_HAND_NAMES[hand] for hand in np.flatnonzero(group == SKLANSKY_GROUPS)}
    assert members == set(names.split())


def test_chen_points_of_all_hands():
    """The rule gives the chart that was worked out elsewhere, to the last point."""
    assert CHEN_POINTS.tolist() == [int(points) for points in CHEN_CHART.split()]


@pytest.mark.parametrize(
    ("name", "points"),
    [
        *[("AA", 20), ("KK", 16), ("TT", 10), ("55", 5), ("22", 5), ("AKs", 12), ("AKo", 10)],
        *[("JTs", 9), ("75s", 5.5), ("T8s", 7), ("QJs", 9), ("A2s", 7), ("72o", -1.5)],
    ],
)
def test_chen_points_of_two_cards(name, points):
    """Worked examples: high card, pair, suit, gap, low connectors; halves are not rounded."""
    high, low = ("23456789TJQKA".index(rank) for rank in name[:2])
    assert chen_points(high, low, name.endswith("s")) == points
