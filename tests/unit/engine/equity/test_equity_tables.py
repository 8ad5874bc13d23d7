"""p is one number, whether it is computed, looked up or counted."""

import numpy as np
import pytest

from engine.equity import equity_tables as module
from engine.equity.equity_tables import (
    TOP_LEVEL,
    equity,
    equity_level,
    equity_tables,
    levels_of_starting_hands,
    read_equity_tables,
    write_equity_tables,
)
from engine.equity.percentiles import percentile
from engine.equity.preflop import equities_against_random
from engine.errors import ArtifactMismatch
from engine.hands.cards import combo_of
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import starting_hand
from protocol.cards import parse_cards
from tests.oracles.features import halves, runouts

_MOST = 1980


@pytest.fixture(scope="module")
def tables():
    """The tables, from the cache folder after the first time."""
    return equity_tables()


def deals(seed, board, count):
    """Return some hole cards with boards."""
    rng = np.random.default_rng(seed)
    cards = [rng.permutation(52)[: 2 + board].astype(np.uint8) for _ in range(count)]
    return [(row[:2].tolist(), row[2:].tolist(), row) for row in cards]


def oracle_level(hole, board):
    """Return the level, every opponent on every board one by one."""
    boards = runouts(hole, board)
    won = sum(halves(hole, complete) for complete in boards)
    return (2 * TOP_LEVEL * won + len(boards) * _MOST) // (2 * len(boards) * _MOST)


@pytest.mark.parametrize(("board", "count"), [(5, 20), (4, 3)])
def test_exact_equity_is_that_of_the_oracle(board, count):
    """River and turn hands against all hands one by one."""
    for hole, cards, _ in deals(board, board, count):
        assert equity_level(hole, cards) == oracle_level(hole, cards)


@pytest.mark.slow
def test_exact_equity_on_the_flop_is_that_of_the_oracle():
    """One flop hand on all 1081 boards against all 990 hands."""
    ((hole, cards, _),) = deals(1, 3, 1)
    assert equity_level(hole, cards) == oracle_level(hole, cards)


@pytest.mark.parametrize(("name", "board", "count"), [("flop", 3, 200), ("turn", 4, 2000)])
def test_tables_hold_the_exact_levels(tables, name, board, count):
    """A look-up is the same number as the computation, whatever suits and order."""
    index = CanonicalIndex((2, board))
    for hole, cards, row in deals(board, board, count):
        found = getattr(tables, name)[index.index(row[None])[0]]
        assert found == equity_level(hole, cards)


def test_starting_hands_have_their_known_equities(tables):
    """Aces win 85.20 % against a random hand, 32o 32.30 %; each level is the nearest one."""
    levels = levels_of_starting_hands()
    assert round(levels[starting_hand("AA")] / TOP_LEVEL, 4) == 0.8520
    assert round(levels[starting_hand("32o")] / TOP_LEVEL, 4) == 0.3230
    assert np.abs(levels - equities_against_random() * TOP_LEVEL).max() < 0.5
    aces = parse_cards("AsAh")
    assert equity(aces, ()) == tables.preflop[combo_of(*aces)] / TOP_LEVEL


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ((1,), (), "1 hole cards"),
        ((1, 2), (3, 4), "a board of 2"),
        ((1, 2), (3, 4, 5, 6, 7, 8), "a board of 6"),
        ((1, 2), (3, 4, 1), "card 1 is named twice"),
        ((1, 52), (), "52"),
        ((5, 5), (), "card 5"),
    ],
)
def test_bad_cards_are_refused(hole, board, message):
    """What is no hand of hold'em is named."""
    with pytest.raises(ValueError, match=message):
        equity(hole, board)


def test_files_are_kept_and_checked(tables, tmp_path, monkeypatch):
    """What was written is read; something else is refused, and made anew in the cache folder."""
    path = tmp_path / "equity" / "tables.artifact"
    path.parent.mkdir()
    short = tables._replace(flop=tables.flop[:5].copy(), turn=tables.turn[:5].copy())
    write_equity_tables(path, short)
    with pytest.raises(ArtifactMismatch, match="no levels of the flop"):
        read_equity_tables(path)
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "build_equity_tables", lambda progress: tables)
    again = module.equity_tables.__wrapped__()
    assert again is tables
    monkeypatch.setattr(module, "build_equity_tables", None)
    kept = module.equity_tables.__wrapped__()
    assert np.array_equal(kept.flop, tables.flop)
    assert np.array_equal(kept.turn, tables.turn)


def test_tables_are_made_where_nothing_can_be_kept(tables, tmp_path, monkeypatch):
    """A cache folder that cannot be written is no error."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(module, "build_equity_tables", lambda progress: tables)
    assert module.equity_tables.__wrapped__() is tables


@pytest.mark.slow
def test_building_gives_the_kept_tables(tables):
    """From nothing, on two threads, with progress up to the end."""
    told = {}
    built = module.build_equity_tables(threads=2, progress=told.__setitem__)
    assert told == {"river equities": 1.0, "flop equities": 1.0, "turn equities": 1.0}
    assert np.array_equal(built.flop, tables.flop)
    assert np.array_equal(built.turn, tables.turn)


def test_percentile_in_kernels_is_the_same(tables):
    """The compiled look-up and the plain one agree to the last bit."""
    from engine.equity.equity_tables_kernels import percentile_of

    for street in range(4):
        for level in (0, 1, 63, 64, 65, 20_000, 33_333, 65_534, 65_535):
            found = percentile_of(tables.percentiles, street, level)
            assert found == percentile(street, level / TOP_LEVEL)
