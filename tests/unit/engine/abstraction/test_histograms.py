import numpy as np
import pytest

from engine.abstraction.histograms import (
    PUBLISHED_BINS,
    bins_of_halves,
    hand_index,
    visit_histograms,
)
from engine.hands.cards import combo_of, live_combos
from protocol.cards import parse_cards
from tests.helpers.combo_equities import histograms
from tests.oracles import features as oracle

FLOP = parse_cards("9h8h2c")
TURN = parse_cards("9h8h2c2d")


@pytest.mark.parametrize(("board", "runouts"), [(FLOP, 1081), (TURN, 46)])
def test_histograms_count_every_runout_once(board, runouts):
    """Rows sum to the run-outs; combos on the board have none."""
    counts = histograms(board)
    assert counts.shape == (1326, PUBLISHED_BINS)
    live = live_combos(sum(1 << card for card in board))
    assert (counts.sum(axis=1) == np.where(live, runouts, 0)).all()


def test_histograms_are_those_of_the_oracle():
    """A hand's histogram is what playing all run-outs against all hands gives."""
    for hole, board in (("AhKh", TURN), ("2s2h", TURN), ("7c3d", TURN), ("JhTh", FLOP)):
        cards = parse_cards(hole)
        counts = histograms(board, bins=25)[combo_of(*cards)]
        assert counts.tolist() == oracle.histogram(cards, board, 25)


def test_known_rows_give_the_same_histograms(rivers):
    """Rows kept for all boards, suits renamed, come to what computing each board gives."""
    rng = np.random.default_rng(5)
    for known in (3, 4, 4):
        board = rng.choice(52, known, replace=False)
        assert (histograms(board, rivers=rivers) == histograms(board)).all()


def test_bins_are_equal_parts_and_the_last_is_closed():
    """Equity 1.0 lies in the last bin; what is blocked, in one of its own."""
    bins = bins_of_halves(50)
    assert bins[[0, 39, 40, 1979, 1980, 1981]].tolist() == [0, 0, 1, 49, 49, 50]


def test_visits_every_class_that_is_wanted_once(rivers):
    """Each wanted hand comes once, with its own histogram, and progress ends at 1."""
    index = hand_index(4)
    rng = np.random.default_rng(2)
    wanted = np.zeros(index.size, np.uint8)
    chosen = rng.choice(index.size, 300, replace=False)
    wanted[chosen] = 1
    found, reports = {}, []

    def visit(classes, rows):
        found.update((int(c), row.copy()) for c, row in zip(classes, rows, strict=True))

    visit_histograms(rivers, 4, wanted, visit, progress=reports.append)
    assert sorted(found) == sorted(chosen.tolist())
    assert not wanted.any()
    assert reports[-1] == 1.0
    for one in chosen[:3]:
        hand = index.cards(np.array([one]))[0]
        row = histograms(hand[2:], rivers=rivers)[combo_of(int(hand[0]), int(hand[1]))]
        assert (found[int(one)] == row).all()


@pytest.mark.parametrize(
    "call", [lambda: bins_of_halves(0), lambda: bins_of_halves(70_000), lambda: hand_index(2)]
)
def test_refuses_what_is_no_board(call):
    """Other numbers of cards and of bins raise ValueError."""
    with pytest.raises(ValueError):
        call()


def test_refuses_a_mask_of_another_size(rivers):
    """`wanted` has one entry per class."""
    with pytest.raises(ValueError, match="1286792"):
        visit_histograms(rivers, 3, np.ones(5, np.uint8), lambda classes, rows: None)
