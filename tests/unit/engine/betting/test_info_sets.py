from itertools import pairwise

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu, menu_of
from engine.betting.betting_tree import DEAL, FOLDED, build_betting_tree
from engine.betting.info_sets import (
    ACTION_BITS,
    CHILD_SHIFT,
    CHIPS_SHIFT,
    OFFSET_SHIFT,
    PLACE_BITS,
    PLAYER_SHIFT,
    STREET_SHIFT,
    build_info_sets,
)
from engine.errors import InvalidGame, OutOfMemory
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.helpers.small_mccfr import shallow_holdem

BUCKETS = (5, 4, 3, 2)


@pytest.fixture(scope="module")
def info_sets():
    """A hand of few chips."""
    return build_info_sets(shallow_holdem(menu_of((0.5, 1.0, ALL_IN), max_raises=2)), BUCKETS)


def rows(info_sets):
    """Return (node, bucket, first cell, cells) of every row."""
    tree = info_sets.tree
    return [
        (node, bucket, info_sets.cell(node, bucket), 2 * int(tree.child_count[node]))
        for node in map(int, np.flatnonzero(info_sets.offset >= 0))
        for bucket in range(BUCKETS[tree.street[node]])
    ]


def test_rows_do_not_overlap(info_sets):
    """Every cell belongs to one information set at most, and all lie in the table."""
    places = sorted((cell, cell + size) for _, _, cell, size in rows(info_sets))
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert places[0][0] == 0
    assert places[-1][1] <= info_sets.cells
    assert info_sets.rows == len(places)


def test_a_bucket_starts_a_cache_line(info_sets):
    """All that a player may touch with one bucket on a street lies in lines of its own."""
    assert not (info_sets.start % 16).any()
    assert not (info_sets.width % 16).any()
    by_bucket = {}
    for node, bucket, cell, size in rows(info_sets):
        key = int(info_sets.tree.kind[node]), int(info_sets.tree.street[node]), bucket
        lines = by_bucket.setdefault(key, set())
        lines |= {cell // 16, (cell + size - 1) // 16}
    seen = [line for lines in by_bucket.values() for line in lines]
    assert len(seen) == len(set(seen))


def test_every_decision_with_a_choice_has_rows(info_sets):
    """And no other node has."""
    tree = info_sets.tree
    choice = (tree.kind < DEAL) & (tree.child_count > 1)
    assert ((info_sets.offset >= 0) == choice).all()


def test_walk_tells_the_tree(info_sets):
    """Followed from its start, it has the tree's decisions, actions, ends and chips."""
    tree, walk = info_sets.tree, info_sets.walk.tolist()
    seen = []

    def follow(place, node):
        while tree.child_count[node] == 1:
            node = int(tree.first_child[node])
        seen.append(place)
        step, count = walk[place], int(tree.child_count[node])
        assert step & ACTION_BITS == count
        if count:
            assert step >> STREET_SHIFT & 3 == tree.street[node]
            assert step >> PLAYER_SHIFT & 1 == tree.kind[node]
            assert step >> OFFSET_SHIFT & PLACE_BITS == info_sets.offset[node]
            for action in range(count):
                child = (step >> CHILD_SHIFT & PLACE_BITS) + action
                follow(child, int(tree.first_child[node]) + action)
            return
        chips = min(tree.spent[node])
        folded = tree.kind[node] == FOLDED
        assert step >> STREET_SHIFT & 1 == (not folded)
        lost = folded and tree.kind[tree.parent[node]] == 0
        assert step >> CHIPS_SHIFT == (-chips if lost else chips)

    follow(0, 0)
    assert sorted(seen) == list(range(len(walk)))


def test_benchmark_tree_has_the_size_known_for_it():
    """200 big blinds, half and whole pots, two bets a street: 20 120 decisions."""
    tree = build_betting_tree(
        HandState.start(load_builtin("hunl")), menu_of((0.5, 1.0), max_raises=2)
    )
    info_sets = build_info_sets(tree, (169, 5000, 1000, 1000))
    assert (info_sets.offset >= 0).sum() == 20_120
    assert info_sets.rows == 20_836_366
    assert 4 * 54_224_591 * 2 <= info_sets.table_bytes < 4 * 54_300_000 * 2
    last = info_sets.memory_report().splitlines()[-1].split()
    assert last == ["all", "20120", "20836366", f"{info_sets.table_bytes / 2**20:.1f}"]


def test_memory_is_refused_before_it_is_taken(info_sets):
    """The message says what would be needed."""
    info_sets.check_memory(2, 2 * info_sets.table_bytes)
    with pytest.raises(OutOfMemory, match=rf"\b2\b.*\b{info_sets.rows}\b"):
        info_sets.check_memory(2, 2 * info_sets.table_bytes - 1)


def test_what_does_not_exist_is_refused(info_sets):
    """Nodes without a choice, buckets and tables of another size."""
    node = int(np.flatnonzero(info_sets.offset >= 0)[0])
    with pytest.raises(ValueError, match=r"bucket 5: street 0 .*0\.\.4"):
        info_sets.cell(node, 5)
    with pytest.raises(ValueError, match="nothing to choose"):
        info_sets.cell(info_sets.tree.nodes - 1, 0)
    with pytest.raises(ValueError, match="nothing to choose"):
        info_sets.cell(-1, 0)
    with pytest.raises(ValueError, match="table: want"):
        info_sets.rows_of(np.zeros(3, np.float32), node)


def test_games_that_do_not_fit_are_refused():
    """Missing or empty streets, more actions than a row has, nothing to decide."""
    tree = shallow_holdem(menu_of((1.0,), max_raises=1))
    for buckets in ((1, 1, 1), (1, 1, 0, 1)):
        with pytest.raises(InvalidGame, match=r"positive .*\b4\b"):
            build_info_sets(tree, buckets)
    sizes = tuple(0.25 * step for step in range(1, 9))
    menu = BetMenu((StreetMenu((sizes, ())), StreetMenu(((),))))
    with pytest.raises(InvalidGame, match="want at most 8"):
        build_info_sets(shallow_holdem(menu, 20000), BUCKETS)
