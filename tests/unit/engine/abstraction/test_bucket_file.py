import json

import numpy as np
import pytest

from engine.abstraction.bucket_file import KIND, load_abstraction, save_abstraction
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import load_artifact, save_artifact
from protocol.cards import parse_cards

BOARDS = [parse_cards(text) for text in ("", "Tc9c4d", "Tc9c4dKs", "Tc9c4dKs2s")]


@pytest.fixture(scope="module")
def path(smoke, tmp_path_factory):
    """A file without the turn's table, which would make it ten times as large."""
    path = tmp_path_factory.mktemp("buckets") / "smoke.buckets"
    save_abstraction(smoke, path)
    return path


@pytest.fixture
def damaged(path, tmp_path):
    """Write a changed copy of the file; return where it is."""

    def change(edit):
        data = bytearray(path.read_bytes())
        edit(data)
        copy = tmp_path / "damaged.buckets"
        copy.write_bytes(data)
        return copy

    return change


def test_what_is_written_is_read(smoke, path):
    """Buckets, counts and provenance survive."""
    loaded = load_abstraction(path)
    assert loaded.counts == smoke.counts
    assert loaded.provenance == json.loads(json.dumps(smoke.provenance))
    for board in BOARDS:
        assert (loaded.buckets(board) == smoke.buckets(board)).all()


def test_tables_are_kept_if_wanted(with_turns, tmp_path):
    """By default everything is written, and parts are equal to the last entry."""
    save_abstraction(with_turns, tmp_path / "whole.buckets")
    parts = load_abstraction(tmp_path / "whole.buckets").parts
    assert sorted(parts) == sorted(with_turns.parts)
    assert all((parts[name] == part).all() for name, part in with_turns.parts.items())
    save_abstraction(with_turns, tmp_path / "small.buckets", turn_table=False)
    assert "turn_table" not in load_abstraction(tmp_path / "small.buckets").parts


def test_same_abstraction_same_bytes(smoke, path, tmp_path):
    """Nothing of the moment gets into a file."""
    save_abstraction(smoke, tmp_path / "again.buckets")
    assert (tmp_path / "again.buckets").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("facts", "arrays", "message"),
    [
        ({"counts": [169, 3, 4, 5]}, {}, "buckets"),
        ({}, {"flop_table": None}, "flop_table"),
        ({}, {"flop_table": np.zeros(7, np.uint16)}, "flop_table"),
        ({}, {"preflop_table": np.zeros(169, np.uint16)}, "preflop_table"),
    ],
)
def test_parts_that_make_no_abstraction_are_refused(path, tmp_path, facts, arrays, message):
    """Other counts than were noted, a part that is missing, of another size or unknown."""
    found = load_artifact(path, KIND)
    changed = {**found.arrays, **arrays}
    kept = {name: array for name, array in changed.items() if array is not None}
    save_artifact(tmp_path / "other.buckets", KIND, {**found.facts, **facts}, kept)
    with pytest.raises(ArtifactMismatch, match=f"damaged: .*{message}"):
        load_abstraction(tmp_path / "other.buckets")


def test_a_table_that_names_no_bucket_is_refused(with_turns, tmp_path):
    """A bucket beyond the centres would make a kernel write outside its tables."""
    path = tmp_path / "wrong.buckets"
    save_abstraction(with_turns, path)
    facts, arrays = load_artifact(path, KIND)
    arrays["turn_table"][-1] = 12
    save_artifact(path, KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match=r"damaged: .*bucket 12 of 12"):
        load_abstraction(path)
    assert (
        load_abstraction(path, verify=False).parts["turn_table"][-1] == 12
    )  # it was not looked at


def test_loaded_arrays_compile_nothing_new(path):
    """Mapped arrays have the types that kernels were compiled for."""
    parts = load_abstraction(path).parts.values()
    assert {type(part) for part in parts} == {np.ndarray}
    assert all(part.flags.writeable and part.flags.c_contiguous for part in parts)
