"""Decisions as arrays, split by hands and kept in files."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.learning.dataset import (
    DTYPE_OF_COLUMN,
    load_decisions,
    save_decisions,
    split_decisions,
)
from engine.errors import ArtifactMismatch
from tests.helpers.decisions import contexts_of, decisions_of, ruled_actions

SOURCE = {"logs": [["a.log", "00"]], "game": None}


@pytest.fixture
def decisions():
    """Two hundred decisions, four to a hand."""
    contexts = contexts_of(np.random.default_rng(1), 200)
    return decisions_of(contexts, ruled_actions(contexts), per_hand=4)


def test_whole_hands_are_held_out(decisions):
    """A fifth of the hands, never a part of one, the same for the same seed."""
    parts = [split_decisions(decisions, 0.2, np.random.default_rng(3)) for _ in range(2)]
    learned, held_out = parts[0]
    assert (learned.hand_count, held_out.hand_count) == (40, 10)
    assert len(learned) + len(held_out) == 200
    assert not set(learned.hands.tolist()) & set(held_out.hands.tolist())
    assert (parts[1][1].hands == held_out.hands).all()
    other = split_decisions(decisions, 0.2, np.random.default_rng(4))[1]
    assert set(other.hands.tolist()) != set(held_out.hands.tolist())


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 0.001, 0.999, float("nan")])
def test_a_side_without_hands_is_refused(decisions, share):
    """Both sides get at least one hand."""
    with pytest.raises(ValueError, match=r"held out|hold out"):
        split_decisions(decisions, share, np.random.default_rng(1))


def test_files_give_back_what_was_saved(decisions, tmp_path):
    """Every array to the bit; None when other logs are wanted."""
    path = tmp_path / "decisions.data"
    save_decisions(path, decisions, SOURCE)
    found = load_decisions(path, SOURCE)
    assert found.names == decisions.names
    for name in DTYPE_OF_COLUMN:
        np.testing.assert_array_equal(getattr(found, name), getattr(decisions, name))
    assert load_decisions(path, {**SOURCE, "game": "another"}) is None


def test_damaged_files_say_so(decisions, tmp_path):
    """A flipped byte, half a file, no file: one line that tells what to do."""
    path = tmp_path / "decisions.data"
    save_decisions(path, decisions, SOURCE)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    for damaged in (bytes(data), bytes(data[: len(data) // 2]), b""):
        path.write_bytes(damaged)
        with pytest.raises(ArtifactMismatch, match="remove"):
            load_decisions(path, SOURCE)
    path.unlink()
    with pytest.raises(ArtifactMismatch, match="No such file"):
        load_decisions(path, SOURCE)


def test_arrays_that_do_not_fit_are_refused(decisions):
    """Shapes, dtypes and values."""
    for changes in (
        {"contexts": np.zeros((200, 3), np.float32)},
        {"actions": np.full(200, 3, np.int8)},
        {"cells": np.full(200, 12, np.int8)},
        {"players": np.full(200, 4, np.int32)},
        {"strengths": np.zeros(200)},
        {"hands": np.zeros(199, np.int32)},
    ):
        with pytest.raises(ValueError):
            replace(decisions, **changes)
