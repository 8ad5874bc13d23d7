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


def test_saving_leaves_no_other_file(smoke, tmp_path):
    """A file appears whole, replaces what was there, and nothing else stays behind."""
    target = tmp_path / "buckets"
    target.write_text("old")
    save_abstraction(smoke, target)
    assert [entry.name for entry in tmp_path.iterdir()] == ["buckets"]
    assert load_abstraction(target).counts == smoke.counts


def test_failed_saving_leaves_the_old_file(smoke, tmp_path, monkeypatch):
    """If the disk is full, what was there before is still there, and alone."""
    target = tmp_path / "buckets"
    target.write_text("old")

    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="space"):
        save_abstraction(smoke, target)
    assert [entry.name for entry in tmp_path.iterdir()] == ["buckets"]
    assert target.read_text() == "old"


def test_missing_file_says_how_to_get_it(tmp_path):
    """The path, the reason and the way out are in one line."""
    with pytest.raises(ArtifactMismatch, match=r"none\.buckets: No such file"):
        load_abstraction(tmp_path / "none.buckets")


@pytest.mark.parametrize("content", [b"", b"x", b"PK\x03\x04" + bytes(100), bytes(3000)])
def test_foreign_files_are_named_as_such(tmp_path, content):
    """Anything that does not start as our files do is none of them."""
    foreign = tmp_path / "foreign"
    foreign.write_bytes(content)
    with pytest.raises(ArtifactMismatch, match="not an artifact file"):
        load_abstraction(foreign)


@pytest.mark.parametrize("where", [49, 3000, 1_000_000, -1])
def test_every_flipped_bit_is_noticed(damaged, where):
    """In the header and in every array."""

    def flip(data):
        data[where] ^= 4

    with pytest.raises(ArtifactMismatch, match="damaged"):
        load_abstraction(damaged(flip))


@pytest.mark.parametrize("keep", [20, 60, 2000, 1_000_000, -1])
def test_cut_files_are_refused_even_unverified(damaged, keep):
    """A copy that broke off is never opened."""

    def cut(data):
        del data[keep:]

    with pytest.raises(ArtifactMismatch):
        load_abstraction(damaged(cut), verify=False)


def test_trailing_bytes_are_refused(damaged):
    """A file ends where its last array ends."""
    with pytest.raises(ArtifactMismatch, match="bytes"):
        load_abstraction(damaged(lambda data: data.extend(b"\0")), verify=False)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (KIND._replace(schema=2), "of version 2"),
        (KIND._replace(name="strategy"), "holds 'strategy'"),
    ],
)
def test_other_versions_and_kinds_are_refused(path, tmp_path, kind, message):
    """What the file says of itself decides whether this program can read it."""
    other = tmp_path / "other.buckets"
    save_artifact(other, kind, *load_artifact(path, KIND))
    with pytest.raises(ArtifactMismatch, match=message):
        load_abstraction(other)


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


def test_writing_to_loaded_arrays_leaves_the_file_alone(path):
    """Arrays are private views of the file."""
    before = path.read_bytes()
    loaded = load_abstraction(path)
    loaded.parts["flop_table"][:100] = 0
    del loaded
    assert path.read_bytes() == before


def test_loaded_arrays_compile_nothing_new(path):
    """Mapped arrays have the types that kernels were compiled for."""
    parts = load_abstraction(path).parts.values()
    assert {type(part) for part in parts} == {np.ndarray}
    assert all(part.flags.writeable and part.flags.c_contiguous for part in parts)
