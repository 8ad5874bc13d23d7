"""Hands before the flop: counts of all matchups, and their file."""

import base64
import hashlib
import os
import zlib
from itertools import combinations

import numpy as np
import pytest

from engine.equity import preflop
from engine.equity.preflop import (
    KEYS,
    MATCHUPS,
    SHIPPED,
    combo_equities,
    equities_against_random,
    matchup_deals,
    matchup_hands,
    matchup_keys,
    pair_counts,
    preflop_counts,
    preflop_equity,
    read_counts,
)
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBO_CARDS, COMBO_MASKS, COMBOS, parse_combo
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS, STRONGEST_FIRST
from engine.showdown.strength_kernels import strengths
from tests.studies.preflop_counts import REBUILD, main, write_counts


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
        named_pair("AsAh", "KsKh"), named_pair("2c2d", "AhKh"), named_pair("AsKh", "AhKd"),
        named_pair("AhKd", "AsKh"), named_pair("7c7d", "7h7s"), *random_pairs(4, 11),
    ],
)  # fmt: skip
def test_counts_are_those_of_all_boards(boards, pair):
    """Every board played out, with an evaluator that knows nothing of the table."""
    assert preflop_counts(*pair) == play_out(*pair, boards)


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


def test_equities_of_combos_agree_with_single_pairs(equities):
    """To the precision of float32."""
    for first, second in random_pairs(300, 15):
        assert equities[first, second] == np.float32(preflop_equity(first, second))
    assert equities.dtype == np.float32
    assert equities.shape == (COMBOS, COMBOS)


def test_random_hand_is_any_hand_that_is_left(equities, possible):
    """The mean over 1225 combos; all combos of a starting hand have the same."""
    against_random = equities_against_random()
    mean = equities.astype(np.float64).sum(axis=1) / possible.sum(axis=1)
    assert (possible.sum(axis=1) == 1225).all()
    assert np.abs(mean - against_random[COMBO_STARTING_HAND]).max() < 1e-6
    weighted = against_random @ STARTING_HAND_COMBOS / COMBOS
    assert weighted == pytest.approx(0.5, abs=1e-12)


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


@pytest.fixture(scope="module")
def pairs():
    """Every ordered pair of combos that share no card."""
    return np.nonzero((COMBO_MASKS[:, None] & COMBO_MASKS) == 0)


@pytest.fixture(scope="module")
def keyed(pairs):
    """Their keys, and whether they are swapped."""
    return matchup_keys(*pairs)


def test_number_of_matchups(keyed):
    """The published number of ways in which two hands can meet, suits aside."""
    assert len(np.unique(keyed[0])) == MATCHUPS == 47_008
    assert keyed[0].dtype == np.int32
    assert 0 <= keyed[0].min() <= keyed[0].max() < KEYS


def test_keys_are_those_of_the_canonical_index(pairs, keyed):
    """A key stands for a class of (first, second) and for the class of (second, first)."""
    index = CanonicalIndex((2, 2))
    cards = COMBO_CARDS[np.stack(pairs, axis=1)]
    ordered = index.index(cards.reshape(-1, 4))
    reversed_order = index.index(cards[:, ::-1].reshape(-1, 4))
    keys, swapped = keyed
    either = np.minimum(ordered, reversed_order)
    assert len(np.unique(keys.astype(np.int64) * index.size + either)) == MATCHUPS
    assert len(np.unique(either)) == MATCHUPS
    as_keyed = np.where(swapped, reversed_order, ordered)
    assert len(np.unique(keys.astype(np.int64) * index.size + as_keyed)) == MATCHUPS


def test_the_hands_of_a_matchup(pairs, keyed):
    """The lower number first, and second first where swapped."""
    first, second = COMBO_STARTING_HAND[np.stack(pairs)]
    keys, swapped = keyed
    hand, other_hand = matchup_hands(keys)
    assert (hand <= other_hand).all()
    assert (hand == np.where(swapped, second, first)).all()
    assert (other_hand == np.where(swapped, first, second)).all()


def test_number_of_deals(keyed):
    """Both orders of two different hands are in the list of pairs, one of them in the number."""
    keys, times = np.unique(keyed[0], return_counts=True)
    hand, other_hand = matchup_hands(keys)
    deals = matchup_deals(keys)
    assert (times == np.where(hand == other_hand, deals, 2 * deals)).all()


@pytest.fixture(scope="module")
def counts():
    """The shipped counts."""
    return read_counts()


@pytest.fixture
def path(tmp_path, counts):
    """A file to spoil."""
    path = tmp_path / "counts.txt"
    write_counts(path, counts, {"what": "a copy: of the shipped one"})
    return path


def refusal(path):
    """Return what `read_counts` has against a file."""
    with pytest.raises(ArtifactMismatch) as refused:
        read_counts(path)
    message = str(refused.value)
    assert str(path) in message
    assert "reinstall" in message
    assert "\n" not in message
    return message


def test_reads_what_was_written(path, counts):
    """All numbers come back, and nothing is left lying around."""
    assert (read_counts(path) == counts).all()
    assert read_counts(path).dtype == np.int32
    assert os.listdir(path.parent) == [path.name]


def test_the_shipped_file_says_where_it_is_from():
    """Command, duration and machine stand in plain text at its top."""
    head = SHIPPED.read_text(encoding="utf-8").partition("\n\n")[0]
    about = dict(line.split(": ", 1) for line in head.splitlines())
    assert about.keys() == {"what", "made by", "made on", "schema", "sha256"}
    assert REBUILD in about["made by"]


def test_missing_file(tmp_path):
    """The message says how to get it back."""
    assert "No such file" in refusal(tmp_path / "gone.txt")


def test_other_schema(path):
    """Files of other versions are not guessed at."""
    path.write_text(path.read_text().replace("schema: 1\n", "schema: 2\n"))
    assert "has schema 2, want 1" in refusal(path)


def test_every_kind_of_damage(path):
    """Cut off, without checksum, no text, no base64, no zlib, and numbers that do not check."""
    good = path.read_text()
    head, body = good.split("\n\n")
    other_sum = head.replace("sha256: ", "sha256: 0")
    for damaged in (
        b"",
        b"\xff" + good.encode(),
        good[: len(good) // 2].encode(),
        f"schema: 1\n\n{body}".encode(),
        f"{head}\nno colon\n\n{body}".encode(),
        f"{head}\n\n%%%{body[3:]}".encode(),
        f"{head}\n\n{body[4:]}".encode(),
        f"{head}\n\n".encode(),
        f"{other_sum}\n\n{body}".encode(),
    ):
        path.write_bytes(damaged)
        assert "is damaged" in refusal(path)


def test_any_changed_letter_is_noticed(path):
    """The checksum covers every number."""
    good = bytearray(path.read_bytes())
    start = good.index(b"\n\n") + 2
    for place in np.random.default_rng(2).integers(start, len(good) - 1, 25).tolist():
        bad = good.copy()
        bad[place] = ord("A") if bad[place] != ord("A") else ord("B")
        path.write_bytes(bad)
        refusal(path)


def test_a_checksum_is_no_substitute_for_the_right_shape(path):
    """A valid stream of the wrong length is damage as well."""
    stream = bytes(40)
    text = base64.b64encode(zlib.compress(stream)).decode()
    path.write_text(f"schema: 1\nsha256: {hashlib.sha256(stream).hexdigest()}\n\n{text}\n")
    assert "is damaged" in refusal(path)


@pytest.mark.slow
def test_shipped_counts_can_be_made_anew(tmp_path, capsys):
    """All 47 008 matchups, bit by bit."""
    path = tmp_path / "counts.txt"
    assert main([str(path)]) == 0
    assert (read_counts(path) == read_counts()).all()
    assert "100% of the boards" in capsys.readouterr().err
