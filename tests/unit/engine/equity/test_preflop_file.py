import base64
import hashlib
import os
import zlib

import numpy as np
import pytest

from engine.equity.preflop import MATCHUPS, SHIPPED, read_counts
from engine.errors import ArtifactMismatch
from tests.studies.preflop_counts import REBUILD, write_counts


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


def test_numbers_of_any_size_come_back(path):
    """The packing has no opinion about counts."""
    generator = np.random.default_rng(1)
    counts = generator.integers(-(2**30), 2**30, (3, MATCHUPS), dtype=np.int32)
    write_counts(path, counts, {})
    assert (read_counts(path) == counts).all()


def test_the_shipped_file_says_where_it_is_from():
    """Command, duration and machine stand in plain text at its top."""
    head = SHIPPED.read_text(encoding="utf-8").partition("\n\n")[0]
    about = dict(line.split(": ", 1) for line in head.splitlines())
    assert about.keys() == {"what", "made by", "made on", "schema", "sha256"}
    assert REBUILD in about["made by"]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (np.zeros((3, MATCHUPS), np.int64), "int32"),
        (np.zeros((2, MATCHUPS), np.int32), "counts"),
    ],
)
def test_refuses_to_write_other_shapes(path, numbers, message):
    """A file that could not be read is not written, and the old one stays."""
    before = path.read_bytes()
    with pytest.raises(ValueError, match=message):
        write_counts(path, numbers, {})
    assert path.read_bytes() == before


def test_failed_writing_leaves_the_old_file(path, counts, monkeypatch):
    """What was there before is still there, and alone."""
    before = path.read_bytes()

    def fail(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="space"):
        write_counts(path, counts, {"what": "another copy"})
    assert os.listdir(path.parent) == [path.name]
    assert path.read_bytes() == before


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
