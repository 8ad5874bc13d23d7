from itertools import combinations

import numpy as np
import pytest

from engine.equity import preflop
from engine.equity.preflop import (
    BOARDS_FOR_TWO_HANDS,
    combo_equities,
    equities_against_random,
    pair_counts,
    preflop_counts,
    preflop_equity,
    read_counts,
    starting_hand_equities,
    starting_hand_pairs,
)
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBO_CARDS, COMBO_MASKS, COMBOS, parse_combo
from engine.hands.starting_hands import (
    COMBO_STARTING_HAND,
    STARTING_HAND_COMBOS,
    STARTING_HANDS,
    STRONGEST_FIRST,
    combos_of_starting_hand,
    starting_hand,
)
from engine.showdown.strength_kernels import strengths


@pytest.fixture(scope="module")
def boards():
    """All boards of five out of 48 cards, as places in the deck that is left."""
    return np.array(list(combinations(range(48), 5)), np.uint8)


@pytest.fixture(scope="module")
def equities():
    """Combo against combo."""
    return combo_equities()


@pytest.fixture(scope="module")
def possible():
    """Which combos share no card."""
    return (COMBO_MASKS[:, None] & COMBO_MASKS) == 0


def play_out(first, second, boards):
    """Return wins, ties and losses of two combos by looking at every board."""
    hands = COMBO_CARDS[[first, second]]
    left = np.setdiff1d(np.arange(52, dtype=np.uint8), hands)
    cards = np.empty((len(boards), 7), np.uint8)
    cards[:, 2:] = left[boards]
    cards[:, :2] = hands[0]
    own = strengths(cards)
    cards[:, :2] = hands[1]
    other = strengths(cards)
    return int((own > other).sum()), int((own == other).sum()), int((own < other).sum())


def random_pairs(count, seed):
    """Return pairs of combos that share no card, some with a rank or a suit in common."""
    generator = np.random.default_rng(seed)
    pairs = []
    while len(pairs) < count:
        first, second = generator.integers(0, COMBOS, 2).tolist()
        if not COMBO_MASKS[first] & COMBO_MASKS[second]:
            pairs.append((first, second))
    return pairs


def named_pair(first, second):
    """Return two combos given as text."""
    return parse_combo(first), parse_combo(second)


@pytest.mark.parametrize(
    "pair",
    [
        named_pair("AsAh", "KsKh"),
        named_pair("2c2d", "AhKh"),
        named_pair("AsKh", "AhKd"),
        named_pair("AhKd", "AsKh"),
        named_pair("7c7d", "7h7s"),
        *random_pairs(4, 11),
    ],
)
def test_counts_are_those_of_all_boards(boards, pair):
    """Every board played out, with an evaluator that knows nothing of the table."""
    assert preflop_counts(*pair) == play_out(*pair, boards)


@pytest.mark.slow
def test_counts_of_many_pairs_are_those_of_all_boards(boards):
    """The same for 200 more pairs."""
    for pair in random_pairs(200, 12):
        assert preflop_counts(*pair) == play_out(*pair, boards)


def test_counts_turn_round_with_the_hands():
    """What one wins the other loses; every board is counted."""
    for first, second in random_pairs(300, 13):
        counts = preflop_counts(first, second)
        assert counts == preflop_counts(second, first)[::-1]
        assert sum(counts) == BOARDS_FOR_TWO_HANDS == 1_712_304
        assert min(counts) > 0


def test_many_pairs_at_once_are_the_same_as_one_by_one():
    """In any order; combos that share a card have no boards."""
    pairs = [*random_pairs(50, 16), named_pair("AsKs", "AsQs"), (3, 3)]
    first, second = np.array(pairs).T
    won, tied = pair_counts(first, second)
    want = [preflop_counts(*pair)[:2] for pair in pairs[:50]]
    assert list(zip(won.tolist(), tied.tolist(), strict=True)) == [*want, (0, 0), (0, 0)]
    none = np.array([], np.int32)
    assert [len(counts) for counts in pair_counts(none, none)] == [0, 0]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (np.array([[1, 2]]), np.array([[3, 4]]), "twice"),
        (np.array([1, 2]), np.array([3]), "twice"),
        (np.array([1, -2]), np.array([3, 4]), r"combos -2\.\.1"),
        (np.array([1, 2]), np.array([3, 1326]), r"combos 3\.\.1326"),
    ],
)
def test_refuses_arrays(first, second, message):
    """As many first combos as second ones, all of them combos."""
    with pytest.raises(ValueError, match=message):
        pair_counts(first, second)


def test_equity_is_wins_and_half_the_ties():
    """Over all boards."""
    for first, second in random_pairs(50, 14):
        won, tied, _ = preflop_counts(first, second)
        assert preflop_equity(first, second) == (won + tied / 2) / BOARDS_FOR_TWO_HANDS


def test_equities_of_combos_agree_with_single_pairs(equities):
    """To the precision of float32."""
    for first, second in random_pairs(300, 15):
        assert equities[first, second] == np.float32(preflop_equity(first, second))
    assert equities.dtype == np.float32
    assert equities.shape == (COMBOS, COMBOS)


def test_equities_of_combos_are_symmetric(equities, possible):
    """Two hands share the pot; hands that cannot meet have nothing."""
    assert (equities[~possible] == 0).all()
    total = (equities + equities.T)[possible]
    assert np.abs(total - 1).max() < 1e-6
    assert equities[possible].min() > 0.03


def test_suits_do_not_matter(equities):
    """Renaming suits moves the entries of the table and changes none."""
    renamed = COMBO_CARDS >> 2 << 2 | np.array([2, 0, 3, 1], np.uint8)[COMBO_CARDS & 3]
    high, low = renamed.max(axis=1).astype(int), renamed.min(axis=1).astype(int)
    combos = high * (high - 1) // 2 + low
    assert (equities[np.ix_(combos, combos)] == equities).all()


def test_starting_hands_are_means_over_their_combos(equities, possible):
    """All pairs of combos that can meet count alike."""
    table, pairs = starting_hand_equities(), starting_hand_pairs()
    assert table.shape == pairs.shape == (STARTING_HANDS, STARTING_HANDS)
    by_hand = np.argsort(COMBO_STARTING_HAND, stable=True)
    starts = np.concatenate([[0], np.cumsum(STARTING_HAND_COMBOS)[:-1]])

    def sums(matrix):
        rows = np.add.reduceat(matrix[np.ix_(by_hand, by_hand)], starts, axis=0)
        return np.add.reduceat(rows, starts, axis=1)

    assert (sums(possible.astype(np.int64)) == pairs).all()
    assert np.abs(sums(equities.astype(np.float64)) / pairs - table).max() < 1e-7


def test_starting_hands_are_symmetric():
    """Against itself a starting hand has exactly half."""
    table = starting_hand_equities()
    assert np.abs(table + table.T - 1).max() < 1e-12
    assert (table.diagonal() == 0.5).all()


def test_random_hand_is_any_hand_that_is_left(equities, possible):
    """The mean over 1225 combos; all combos of a starting hand have the same."""
    against_random = equities_against_random()
    mean = equities.astype(np.float64).sum(axis=1) / possible.sum(axis=1)
    assert (possible.sum(axis=1) == 1225).all()
    assert np.abs(mean - against_random[COMBO_STARTING_HAND]).max() < 1e-6
    weighted = against_random @ STARTING_HAND_COMBOS / COMBOS
    assert weighted == pytest.approx(0.5, abs=1e-12)


def test_one_entry_worked_out():
    """Aces against kings, all 36 pairs of combos one by one."""
    aces, kings = starting_hand("AA"), starting_hand("KK")
    pairs = [
        (a, k)
        for a in combos_of_starting_hand(aces).tolist()
        for k in combos_of_starting_hand(kings).tolist()
    ]
    mean = sum(preflop_equity(*pair) for pair in pairs) / len(pairs)
    assert starting_hand_equities()[aces, kings] == pytest.approx(mean, abs=1e-14)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((-1, 5), "want 0..1325"),
        ((5, 1326), "want 0..1325"),
        ((7, 7), "share a card"),
        (named_pair("AsKs", "AsQs"), "share a card"),
    ],
)
def test_refuses_impossible_pairs(pair, message):
    """Not a combo, or two that cannot be dealt together."""
    for ask in (preflop_counts, preflop_equity):
        with pytest.raises(ValueError, match=message):
            ask(*pair)


def test_missing_counts_are_an_error_of_the_call(monkeypatch, tmp_path):
    """Importing needs no file, asking does, and the file may come back later."""
    preflop._matchups.cache_clear()
    monkeypatch.setattr(preflop, "read_counts", lambda: read_counts(tmp_path / "gone.txt"))
    with pytest.raises(ArtifactMismatch, match="reinstall"):
        preflop_equity(1325, 0)
    monkeypatch.undo()
    assert preflop_equity(1325, 0) > 0.8


def test_the_order_of_starting_hands_is_that_of_their_equities():
    """`STRONGEST_FIRST` names every starting hand once, the one that wins most first."""
    equities = equities_against_random()[list(STRONGEST_FIRST)]
    assert sorted(STRONGEST_FIRST) == list(range(169))
    assert (np.diff(equities) < 0).all()
