import numpy as np
import pytest

from engine.abstraction.histograms import (
    PUBLISHED_BINS,
    bins_of_halves,
    hand_index,
    visit_histograms,
)
from engine.hands.cards import COMBO_CARDS, combo_of, live_combos, parse_combo
from engine.hands.isomorphism import CanonicalIndex
from protocol.cards import parse_cards
from tests.helpers.combo_equities import equities, histograms
from tests.oracles import features as oracle

ROYAL = parse_cards("AsKsQsJsTs")
FLOP = parse_cards("9h8h2c")
TURN = parse_cards("9h8h2c2d")


def test_nuts_win_and_a_royal_board_ties():
    """What beats everything has equity 1, what everybody has 1/2."""
    on_royal = equities(ROYAL)
    live = ~np.isnan(on_royal)
    assert live.sum() == 1081
    assert (on_royal[live] == 0.5).all()
    quads = equities(parse_cards("AsAhKcKd2c"))
    assert quads[parse_combo("AdAc")] == 1.0
    assert np.isnan(quads[parse_combo("AsQd")])


def test_equities_average_to_one_half():
    """What one wins another one loses."""
    found = equities(parse_cards("Tc9c4d4h2s"))
    assert np.nanmean(found) == pytest.approx(0.5, abs=1e-12)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board_cards", "runouts", "size"), [(3, 1081, 1_286_792), (4, 46, 13_960_050)]
)
def test_all_histograms(rivers, board_cards, runouts, size):
    """Every flop and every turn hand has a histogram, and all of them average to equity 1/2."""
    index = hand_index(board_cards)
    assert index.size == size
    deals = index.deals(np.arange(index.size))
    times = np.zeros(index.size, np.uint8)
    parts = []

    def visit(classes, rows):
        times[classes] += 1
        assert (rows.sum(axis=1) == runouts).all()
        parts.append(deals[classes].astype(float) @ rows)

    visit_histograms(rivers, board_cards, np.ones(index.size, np.uint8), visit)
    assert (times == 1).all()
    total = sum(parts)
    assert total.sum() == int(deals.sum()) * runouts
    bins = bins_of_halves(PUBLISHED_BINS)[:-1]
    counts = np.zeros(PUBLISHED_BINS)
    boards = CanonicalIndex((5,))
    weight = boards.deals(np.arange(boards.size))
    for stands_for in np.unique(weight):
        rows = rivers.halves[weight == stands_for].ravel()
        found = np.bincount(rows, minlength=1982)[:1981]
        counts += int(stands_for) * np.bincount(bins, weights=found, minlength=PUBLISHED_BINS)
    assert total / total.sum() == pytest.approx(counts / counts.sum(), rel=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bins_of_halves(0),
        lambda: bins_of_halves(70_000),
        lambda: hand_index(2),
    ],
)
def test_refuses_what_is_no_board(call):
    """Other numbers of cards and of bins raise ValueError."""
    with pytest.raises(ValueError):
        call()


def test_refuses_a_mask_of_another_size(rivers):
    """`wanted` has one entry per class."""
    with pytest.raises(ValueError, match="1286792"):
        visit_histograms(rivers, 3, np.ones(5, np.uint8), lambda classes, rows: None)


def test_blocked_combos_are_those_with_a_card_of_the_board():
    """nan exactly where the board has one of the cards."""
    blocked = np.isin(COMBO_CARDS, ROYAL).any(axis=1)
    assert (np.isnan(equities(ROYAL)) == blocked).all()
