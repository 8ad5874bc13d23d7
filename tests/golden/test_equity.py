"""Published equities and potentials, and those that other programs find."""

import numpy as np
import pokerkit
import pytest

from engine.equity.equity import exact_hand_equity, exact_range_equity, matchups
from engine.equity.potential import hand_potential, hand_potentials, hand_strengths
from engine.hands.cards import COMBOS, combo_of, parse_combo
from engine.hands.range_text import parse_range
from protocol.cards import parse_card, parse_cards
from tests.oracles import equity as oracle

ANY = np.ones(COMBOS)
EVAL7_IS_OLD = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# Papp (see `engine.equity.potential`; PPot 11.5 %, 91 981 boards); the rest enumerated by two
# independent programs.
POTENTIALS = [
    # hole, board, cards ahead, HS, PPot, NPot, EHS, EHS'
    ("AdQc", "3h4cJh", 1, 0.5851, 0.1083, 0.1454, 0.5450, 0.6300),
    ("AdQc", "3h4cJh", 2, 0.5851, 0.2083, 0.2737, 0.5114, 0.6715),
    ("8d7d", "9d6c2d", 1, 0.1152, 0.4077, 0.0750, 0.4673, 0.4760),
    ("8d7d", "9d6c2d", 2, 0.1152, 0.6215, 0.1166, 0.6517, 0.6651),
]

# Boards won, tied, lost, counted with phevaluator.
DUELS = [
    ("AsAh", "KdKc", 1388072, 6538, 317694),
    ("AhKh", "QsQd", 787966, 6732, 917606),
    ("7h2d", "AsKs", 521448, 8354, 1182502),
    ("JcTc", "2s2h", 912248, 24087, 775969),
]

NOTATIONS = ["QQ+", "AKs", "AKo", "AK", "77-55", "T9s+", "A5s+", "A5+", "K9o+", "AhKh", "T8s+"]


@pytest.mark.parametrize(
    ("hole", "board", "ahead", "hs", "ppot", "npot", "ehs", "ehs_optimistic"), POTENTIALS
)
def test_potentials(hole, board, ahead, hs, ppot, npot, ehs, ehs_optimistic):
    """To the last digit that is printed, for the hand alone and among all."""
    found = hand_potential(parse_cards(hole), parse_cards(board), ANY, ahead)
    values = [found.hs, found.ppot, found.npot, found.ehs, found.ehs_optimistic]
    assert [round(value, 4) for value in values] == [hs, ppot, npot, ehs, ehs_optimistic]
    every = hand_potentials(parse_cards(board), ANY, ahead)
    assert every.ehs[parse_combo(hole)] == found.ehs
    assert hand_strengths(parse_cards(board), ANY)[parse_combo(hole)] == found.hs


@pytest.mark.parametrize(
    ("hole", "board", "counts"),
    [("AdQc", "3h4cJh", [628, 9, 444]), ("8d7d", "9d6c2d", [120, 9, 952])],
)
def test_hands_ahead_tied_and_behind(hole, board, counts):
    """Of 1081 that an opponent may hold, each with 45 turn cards."""
    matrix = hand_potential(parse_cards(hole), parse_cards(board), ANY, 1).matrix
    assert (matrix.sum(axis=1) / 45).tolist() == counts


def test_all_nine_counts():
    """Two cards ahead, with the totals of the rows."""
    matrix = hand_potential(parse_cards("AdQc"), parse_cards("3h4cJh"), ANY, 2).matrix
    assert matrix.tolist() == [
        [449005, 3211, 169504],
        [0, 8370, 540],
        [91981, 1036, 346543],
    ]
    assert matrix.sum(axis=1).tolist() == [621720, 8910, 439560]


@pytest.mark.parametrize(("first", "second", "won", "tied", "lost"), DUELS)
def test_duels_before_the_flop(first, second, won, tied, lost):
    """By all ways to count: known hands, the table, and one hand against every combo."""
    one, _ = exact_hand_equity([parse_cards(first), parse_cards(second)])
    assert [round(1712304 * share) for share in (one.win, one.tie, one.lose)] == [won, tied, lost]
    ranges = exact_range_equity(parse_range(first), parse_range(second))
    assert ranges[0].equity == pytest.approx(one.equity, abs=1e-15)
    counts = matchups(parse_cards(first))
    other = parse_combo(second)
    assert [counts.win[other], counts.tie[other], counts.lose[other]] == [won, tied, lost]


def test_aces_against_a_random_hand():
    """The widely published 85.20 %, looked up and counted: 1 781 508 418 deals are won."""
    deals = 1225 * 1712304
    for by_table in (True, False):
        aces, _ = exact_range_equity(parse_range("AsAh"), ANY, by_table=by_table)
        assert round(aces.win * deals) == 1781508418
        assert round(aces.tie * deals) == 11402312


@pytest.mark.slow
def test_every_combo_against_aces_counted_anew():
    """The counting before the flop finds what the shipped table says, for all 1225 others."""
    for text in ("AsAh", "AsKs", "7h2d"):
        looked_up, counted = (
            matchups(parse_cards(text), by_table=by_table) for by_table in (True, False)
        )
        np.testing.assert_array_equal(looked_up.win, counted.win)
        np.testing.assert_array_equal(looked_up.tie, counted.tie)
        np.testing.assert_array_equal(looked_up.lose, counted.lose)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("AhKh", "QQ+,AKs", "Ts9s2d"),
        ("AsQs,7h6h,QJo:0.5", "22,AQo,98s", "8h7s2s"),
        ("JJ", "AKs,T9s:0.25", "JsTs9s"),
    ],
)
def test_ranges_on_the_flop(first, second, board):
    """Against a loop over all hands and boards with phevaluator."""
    hands = [
        [(divided(combo), weight) for combo, weight in enumerate(parse_range(text)) if weight]
        for text in (first, second)
    ]
    win, tie, lose = oracle.range_against_range(*hands, parse_cards(board))
    one, _ = exact_range_equity(parse_range(first), parse_range(second), parse_cards(board))
    deals = win + tie + lose
    assert one.win == pytest.approx(win / deals, abs=1e-12)
    assert one.tie == pytest.approx(tie / deals, abs=1e-12)


def divided(combo):
    """The cards of a combo, by search."""
    return next((hi, lo) for hi in range(52) for lo in range(hi) if combo_of(hi, lo) == combo)


@EVAL7_IS_OLD
@pytest.mark.parametrize(
    ("hole", "text", "board"),
    [
        ("AhKh", "QQ+, AKs", "Ts9s2d3c4h"),
        ("AdQc", "22+, A2s+, KTo+", "3h4cJhAc9d"),
        ("8d7d", "TT-99, AJo+, QJs", "9d6c2dTs5s"),
    ],
)
def test_eval7_finds_the_same_on_the_river(hole, text, board):
    """Its answer has float32 precision."""
    import eval7

    cards = [[eval7.Card(s[i : i + 2]) for i in range(0, len(s), 2)] for s in (hole, board)]
    theirs = eval7.py_hand_vs_range_exact(cards[0], eval7.HandRange(text), cards[1])
    ours, _ = exact_range_equity(parse_range(hole), parse_range(text), parse_cards(board))
    assert ours.equity == pytest.approx(theirs, abs=1e-6)


@EVAL7_IS_OLD
@pytest.mark.parametrize("text", [*NOTATIONS, "A5s-A2s", "QQ+, AKs"])
def test_eval7_reads_the_same_ranges(text):
    """Every notation that it knows."""
    import eval7

    weights = np.zeros(COMBOS)
    for (first, second), weight in eval7.HandRange(text).hands:
        weights[combo_of(parse_card(str(first)), parse_card(str(second)))] = weight
    np.testing.assert_array_equal(parse_range(text), weights)


@pytest.mark.parametrize("text", [*NOTATIONS, "JTs-76s", "J9o-53o"])
def test_pokerkit_reads_the_same_ranges(text):
    """Every notation that it knows."""
    weights = np.zeros(COMBOS)
    for hand in pokerkit.parse_range(text):
        weights[combo_of(*(parse_card(repr(card)) for card in hand))] = 1
    np.testing.assert_array_equal(parse_range(text), weights)
