from dataclasses import replace

import numpy as np
import pytest

from engine.abstraction.bucket_kernels import nearest_column
from engine.abstraction.buckets import FLOP, RIVER, TURN, CardAbstraction, board_cards_on
from engine.abstraction.building import build_card_abstraction, equity_shares
from engine.abstraction.clustering import assign, histogram_points, make_centres, vector_points
from engine.abstraction.ochs import river_vectors
from engine.hands.cards import combo_of, live_combos, parse_combo
from engine.hands.starting_hands import COMBO_STARTING_HAND
from protocol.cards import parse_cards
from tests.helpers.combo_equities import equities, histograms
from tests.helpers.smoke_abstraction import SMOKE

BOARDS = [
    parse_cards(text) for text in ("Tc9c4d", "Tc9c4dKs", "Tc9c4dKs2s", "AsKsQs", "7h7d7c7s2c")
]


@pytest.fixture(scope="module")
def by_equity(with_turns, rivers):
    """The same but for the river, by shares of equity."""
    parts = dict(with_turns.parts)
    del parts["river_centres"]
    return CardAbstraction(**parts, river_shares=equity_shares(rivers, 20))


@pytest.fixture(scope="module")
def deals():
    """Random deals for two players."""
    rng = np.random.default_rng(4)
    return np.array([rng.choice(52, 9, replace=False) for _ in range(200)], np.uint8)


def test_preflop_buckets_are_the_starting_hands(smoke):
    """All 169, whatever was built."""
    assert (smoke.buckets(()) == COMBO_STARTING_HAND).all()
    assert smoke.counts[0] == 169


@pytest.mark.parametrize("board", BOARDS)
def test_suits_and_order_do_not_matter(smoke, board):
    """Renaming suits on the board and in the hand, or shuffling the board, changes no bucket."""
    names = (2, 0, 3, 1)
    renamed = [card & ~3 | names[card & 3] for card in reversed(board)]
    before, after = smoke.buckets(board), smoke.buckets(renamed)
    for text in ("AhKh", "2c2d", "8s7s", "Jd3h"):
        hole = parse_cards(text)
        if not set(hole) & set(board):
            twin = combo_of(*(card & ~3 | names[card & 3] for card in hole))
            assert before[combo_of(*hole)] == after[twin]


def test_turn_is_the_nearest_histogram(smoke):
    """A turn bucket is the nearest centre by earth mover's distance."""
    centres = make_centres(smoke.parts["turn_centres"], squared=False)
    for board in (BOARDS[1], parse_cards("AsAhAdAc"), parse_cards("2s5s6s7s")):
        live = live_combos(sum(1 << card for card in board))
        want, _ = assign(histogram_points(histograms(board)[live]), centres)
        assert (smoke.buckets(board)[live] == want).all()


def test_river_is_the_nearest_vector(smoke):
    """A river bucket is the nearest centre of OCHS vectors."""
    centres = make_centres(smoke.parts["river_centres"], squared=True)
    board = BOARDS[2]
    live = live_combos(sum(1 << card for card in board))
    want, _ = assign(vector_points(river_vectors(board)[live]), centres)
    assert (smoke.buckets(board)[live] == want).mean() > 0.99  # exact halves round either way


def test_shares_ascend_and_are_about_equal(rivers, by_equity):
    """Stronger hands are in higher buckets, and each bucket has its share of all hands."""
    board = BOARDS[2]
    buckets, equity = by_equity.buckets(board), equities(board)
    live = buckets >= 0
    order = np.argsort(equity[live], kind="stable")
    assert (np.diff(buckets[live][order]) >= 0).all()
    shares = equity_shares(rivers, 20)
    assert shares[0] == 0
    assert by_equity.counts[3] == shares[-1] + 1 <= 20
    some = rivers.halves[::50]
    held = np.bincount(shares[some[some <= 1980]])
    assert held / held.sum() == pytest.approx(1 / 20, abs=0.02)


def test_deals_have_the_buckets_of_their_hands(with_turns, by_equity, deals):
    """One call for many deals gives what asking hand by hand gives, on every street."""
    for abstraction in (with_turns, by_equity):
        found = abstraction.buckets_of_deals(deals)
        assert found.shape == (200, 2, 4)
        for deal, row in zip(deals[:12].tolist(), found, strict=False):
            for player in (0, 1):
                hole = deal[2 * player : 2 * player + 2]
                want = [abstraction.bucket(hole, deal[4 : 4 + n]) for n in (0, 3, 4, 5)]
                assert row[player].tolist() == want


def test_one_hand_has_the_bucket_it_has_among_all(smoke, with_turns, by_equity, deals):
    """Looked up or computed, alone or with all other combos of the board."""
    for abstraction in (smoke, with_turns, by_equity):
        for deal in deals[:12].tolist():
            hole = deal[:2]
            for cards in (0, 3, 4, 5):
                board = deal[4 : 4 + cards]
                want = abstraction.buckets(board)[combo_of(*hole)]
                assert abstraction.bucket(hole, board) == want


def test_any_number_of_players(with_turns, deals):
    """Hands of one and of two players have the same buckets."""
    both = with_turns.buckets_of_deals(deals)
    alone = with_turns.buckets_of_deals(np.ascontiguousarray(deals[:, 2:]), players=1)
    assert (alone[:, 0] == both[:, 1]).all()


def test_river_table_is_asked_before_computing(with_turns, deals):
    """With a table for the river every look-up goes there."""
    table = np.full(123_156_254, 5, np.uint16)
    abstraction = CardAbstraction(**with_turns.parts, river_table=table)
    assert (abstraction.buckets_of_deals(deals)[:, :, 3] == 5).all()
    live = live_combos(sum(1 << card for card in BOARDS[2]))
    assert (abstraction.buckets(BOARDS[2])[live] == 5).all()


@pytest.mark.slow
def test_turn_table_holds_what_is_computed(built, rivers):
    """Tabulating the turn gives what the builder's table has, and what computing a board gives."""
    again = build_card_abstraction(replace(SMOKE, turn_table=True), rivers=rivers)
    made = CardAbstraction(**built.parts, runouts=rivers).tabulate(TURN)
    assert (made.parts["turn_table"] == again.parts["turn_table"]).all()
    assert (made.parts["flop_table"] == again.parts["flop_table"]).all()
    for board in random_boards(4):
        assert (made.buckets(board) == built.buckets(board)).all()


@pytest.mark.slow
def test_river_table_holds_what_is_computed(built, by_equity):
    """Tabulating the river changes no bucket, whichever way it is computed."""
    for abstraction in (built, by_equity):
        made = abstraction.tabulate(RIVER)
        assert len(made.parts["river_table"]) == 123_156_254
        for board in random_boards(5):
            assert (made.buckets(board) == abstraction.buckets(board)).all()


def random_boards(cards):
    """Fifty boards."""
    rng = np.random.default_rng(8)
    return [rng.choice(52, cards, replace=False) for _ in range(50)]


def test_nearest_column_is_the_nearest_of_all():
    """Measuring only some of the centres finds what measuring all of them finds."""
    rng = np.random.default_rng(6)
    for count in (1, 5, 32, 33, 400):
        points = np.rint(rng.random((count, 1)) * 700 + rng.random((count, 8)) * 300)
        centres = make_centres(points.astype(np.float32), squared=True)
        columns = np.ascontiguousarray(centres.points.T)
        distances = np.empty(count, np.int32)
        for point in np.rint(rng.random((50, 8)) * 1024).astype(np.float32):
            apart = ((centres.points - point) ** 2).sum(axis=1)
            found = nearest_column(point, columns, centres.keys, distances)
            assert found == apart.argmin()


def test_board_cards_on_each_street():
    """0, 3, 4, 5."""
    assert [board_cards_on(street) for street in (0, FLOP, TURN, RIVER)] == [0, 3, 4, 5]


def test_refuses_bad_hands_and_deals(smoke, with_turns, deals):
    """Wrong shapes, cards named twice and a missing table raise ValueError that says so."""
    for board in ([1], [1, 2, 3, 4, 5, 6], [1, 1, 2], [1, 2, 52]):
        with pytest.raises(ValueError):
            smoke.buckets(board)
    with pytest.raises(ValueError, match="hole cards"):
        smoke.bucket([1, 2], [2, 3, 4])
    with pytest.raises(ValueError, match="hole cards"):
        smoke.bucket([1], [2, 3, 4])
    with pytest.raises(ValueError, match="hole cards"):
        smoke.bucket([0, 1], [2, 3])
    with pytest.raises(ValueError, match="not within"):
        smoke.bucket([0, 52], [1, 2, 3])
    with pytest.raises(ValueError, match="uint8"):
        smoke.buckets_of_deals(deals.astype(np.int64))
    with pytest.raises(ValueError, match=r"\(N, 11\)"):
        smoke.buckets_of_deals(deals, players=3)
    with pytest.raises(ValueError, match="tabulate"):
        smoke.buckets_of_deals(deals)
    with pytest.raises(ValueError, match="street 1"):
        smoke.tabulate(FLOP)
    for bad in (52, deals[3, 0]):
        wrong = deals.copy()
        wrong[3, 8] = bad
        with pytest.raises(ValueError, match="row 3"):
            with_turns.buckets_of_deals(wrong)


def test_refuses_parts_that_do_not_fit(smoke):
    """Each part's shape is checked, and the river is defined exactly once."""
    parts = dict(smoke.parts)
    for name, part in (
        ("flop_table", parts["flop_table"][:-1]),
        ("turn_table", parts["flop_table"]),
        ("river_table", np.zeros(5, np.uint16)),
        ("river_centres", np.zeros((3, 7), np.float32)),
        ("turn_centres", parts["turn_centres"].astype(float)),
        ("river_shares", np.zeros(1981, np.uint16)),
    ):
        with pytest.raises(ValueError):
            CardAbstraction(**{**parts, name: part})
    with pytest.raises(ValueError, match="ascend"):
        CardAbstraction(**{**parts, "turn_centres": parts["turn_centres"][::-1].copy()})
    for name in ("turn_centres", "river_centres"):
        for wrong in (0.5, -1, np.nan, 1 << 20):
            centres = parts[name].copy()
            centres[-1, 0] = wrong
            with pytest.raises(ValueError, match=f"{name}: want whole numbers"):
                CardAbstraction(**{**parts, name: centres})
    del parts["river_centres"]
    with pytest.raises(ValueError, match="river"):
        CardAbstraction(**parts)
    with pytest.raises(ValueError, match=r"river_shares: .*ascend"):
        CardAbstraction(**parts, river_shares=np.arange(1981, dtype=np.uint16)[::-1].copy())
    assert smoke.bucket(parse_cards("AsAh"), ()) == COMBO_STARTING_HAND[parse_combo("AsAh")]


def test_refuses_tables_that_name_no_bucket(smoke, by_equity):
    """Kernels trust buckets, so every table is compared with the counts: of both streets."""
    shares = {**by_equity.parts, "river_shares": np.zeros(1981, np.uint16)}
    for parts, street, size in ((smoke.parts, "turn", 13_960_050), (shares, "river", 123_156_254)):
        table = np.zeros(size, np.uint16)
        table[-1] = 12
        bad = {**parts, f"{street}_table": table}
        with pytest.raises(ValueError, match="bucket 12 of"):
            CardAbstraction(**bad)
        assert CardAbstraction(**bad, verify=False).parts[f"{street}_table"][-1] == 12
