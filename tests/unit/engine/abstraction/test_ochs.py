import numpy as np
import pytest

from engine.abstraction.ochs import (
    cluster_of_combos,
    cluster_tables,
    ochs_scratch,
    random_points,
    river_vectors,
)
from engine.abstraction.ochs_kernels import fill_ochs, ochs_of_combo, sort_strengths
from engine.hands.cards import combo_of, parse_combo
from engine.hands.starting_hands import COMBO_STARTING_HAND
from protocol.cards import parse_cards
from tests.oracles import features as oracle

BOARD = parse_cards("Tc9c4d4h2s")


def test_published_clusters():
    """Entries read off the printed table: suited hands above the diagonal, pairs on it."""
    clusters = cluster_of_combos()
    for text, number in (
        ("2c2d", 4), ("AsAh", 8), ("8s8h", 8), ("7s7h", 7), ("3s2s", 1), ("3s2h", 1),
        ("As2s", 6), ("As2h", 6), ("QsTs", 7), ("QsTh", 5), ("6c5c", 3), ("6c5d", 1),
        ("KsJs", 7), ("Js4s", 4), ("Js4h", 4), ("9s8s", 3), ("Ts3s", 3), ("Ts3h", 2),
    ):  # fmt: skip
        assert clusters[parse_combo(text)] == number - 1, text


def test_clusters_do_not_split_starting_hands():
    """All combos of one of the 169 hands belong together."""
    clusters = cluster_of_combos()
    for hand in range(169):
        assert len(set(clusters[hand == COMBO_STARTING_HAND].tolist())) == 1


def test_vectors_are_those_of_the_oracle():
    """Equity per cluster is what playing against each of its combos gives."""
    vectors = river_vectors(BOARD)
    clusters = cluster_of_combos()
    for hole in ("AsAh", "Th9h", "4s4c", "3d2d", "7h5h"):
        cards = parse_cards(hole)
        won, met = oracle.won_and_met(cards, BOARD, clusters, 8)
        want = np.array(won) / (2 * np.array(met))
        assert vectors[combo_of(*cards)] == pytest.approx(want, abs=1e-12)
    assert np.isnan(vectors[parse_combo("TcAs")]).all()


def test_one_combo_at_a_time_comes_to_the_same():
    """Both kernels count the same wins and opponents for every combo, to the last one."""
    board = np.array(parse_cards("AsKsQs7d2s"), np.uint8)
    tables, scratch, single = cluster_tables(), ochs_scratch(), ochs_scratch()
    won, met = np.zeros((2, 1326, 8), np.int16)
    live = fill_ochs(board, tables, scratch, won, met)
    assert live == 1081
    single.board.strengths[:] = scratch.board.strengths
    sort_strengths(single.board.strengths, tables.by_cluster, single.sorted)
    for combo in scratch.board.order[:live]:
        ochs_of_combo(int(combo), board, tables, single)
        assert (single.won == won[combo]).all()
        assert (single.met == met[combo]).all()
    assert (met[scratch.board.order[:live]].sum(axis=1) == 990).all()


def test_random_points_are_scaled_vectors():
    """Points drawn for k-means are whole numbers, equities times SCALE, strong and weak hands."""
    reports = []
    points = random_points(3, 40, np.random.default_rng(2), reports.append)
    assert points.shape == (120, 8)
    assert (points == np.rint(points)).all()
    assert 0 <= points.min() < 200
    assert 800 < points.max() <= 1024
    assert reports == [1 / 3, 2 / 3, 1.0]


def test_refuses_other_clusters_and_boards():
    """Clusters are 0..7 for all combos, boards are complete."""
    with pytest.raises(ValueError, match=r"0\.\.7"):
        cluster_tables(np.full(1326, 8))
    with pytest.raises(ValueError, match="1326"):
        cluster_tables(np.zeros(5, np.int64))
    with pytest.raises(ValueError, match="5"):
        river_vectors([1, 2, 3])
