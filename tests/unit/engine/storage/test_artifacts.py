"""Artifact files: what goes in comes out, and anything else is told."""

import hashlib
import json
import os
import struct

import numpy as np
import pytest

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import MAGIC, Kind, load_artifact, save_artifact

KIND = Kind("test thing", 3, "ask for another one")
FACTS = {"made by": "a test", "counts": [1, 2, 3]}


def arrays():
    """Some arrays of different dtypes, shapes and memory orders."""
    return {
        "table": np.arange(24, dtype=np.uint16).reshape(2, 3, 4),
        "turned": np.arange(12, dtype=np.float32).reshape(3, 4).T,
        "big": np.arange(5, dtype=">i4"),
        "empty": np.zeros((0, 7)),
        "number": np.array(2.5),
    }


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "thing.bin"
    save_artifact(file, KIND, FACTS, arrays())
    return file


def test_what_was_saved_is_loaded(path):
    """Facts and arrays, with their shapes and numbers."""
    found = load_artifact(path, KIND)
    assert found.facts == FACTS
    assert list(found.arrays) == list(arrays())
    for name, array in arrays().items():
        assert found.arrays[name].dtype == array.dtype.newbyteorder("<")
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].flags.c_contiguous


def test_earlier_schemas_are_read_where_the_kind_says_so(path):
    """Those it names, and no others."""
    assert load_artifact(path, Kind(KIND.name, 5, "ask", readable=(4, 3))).facts == FACTS
    with pytest.raises(ArtifactMismatch, match="of version 3, this program reads version 5; ask"):
        load_artifact(path, Kind(KIND.name, 5, "ask", readable=(4,)))


def test_changing_what_was_loaded_leaves_the_file(path):
    """The maps are private, so a solver may go on in them."""
    before = path.read_bytes()
    load_artifact(path, KIND).arrays["table"][:] = 7
    assert path.read_bytes() == before


def test_every_damaged_byte_is_noticed(path):
    """One flipped bit anywhere but in the padding is an error that says what to do."""
    good = path.read_bytes()
    plain = load_artifact(path, KIND)
    noticed = []
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        try:
            found = load_artifact(path, KIND)
        except ArtifactMismatch as error:
            noticed.append(str(error))
        else:  # a byte between two arrays
            for name, array in plain.arrays.items():
                np.testing.assert_array_equal(found.arrays[name], array)
    assert len(noticed) > len(good) / 2
    assert all("ask for another one" in text and str(path) in text for text in noticed)


@pytest.mark.parametrize("change", [*(slice(n) for n in (0, 1, 43, 44, 100, -1)), b"x"])
def test_a_file_cut_short_or_with_something_behind_it_is_noticed(path, change):
    """Wherever the end is missing, though checksums are not looked at."""
    data = path.read_bytes()
    path.write_bytes(data + change if isinstance(change, bytes) else data[change])
    with pytest.raises(ArtifactMismatch, match="ask for another one"):
        load_artifact(path, KIND, verify=False)


def test_unverified_arrays_are_not_read(path):
    """Who trusts the disk skips the checksums, never the header."""
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    assert load_artifact(path, KIND, verify=False).facts == FACTS
    with pytest.raises(ArtifactMismatch, match="checksum of number"):
        load_artifact(path, KIND)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (KIND._replace(name="other thing"), "holds 'test thing', wanted is 'other thing'"),
        (KIND._replace(schema=4), "version 3, this program reads version 4"),
    ],
)
def test_a_file_of_another_kind_or_version_is_refused(path, kind, reason):
    """The message says what it is and what was wanted."""
    with pytest.raises(ArtifactMismatch, match=reason):
        load_artifact(path, kind)


def sign(path, text):
    """Write a file of a header only, with its right checksum."""
    head = struct.pack("<8sI32s", MAGIC, len(text), hashlib.sha256(text).digest())
    path.write_bytes(head + text)


@pytest.mark.parametrize(
    "entries",
    [
        None, 7, [7], [{"name": "table"}], [{"dtype": "no"}],
        [{"dtype": "i4,(", "name": "a", "shape": []}],
        [{"dtype": "<i4", "name": "a", "shape": [10**30], "sha256": ""}],
        [{"dtype": "<i4", "name": 5, "shape": [0], "sha256": ""}],
        [{"dtype": "<i4", "name": None, "shape": [0], "sha256": ""}],
    ],
)  # fmt: skip
def test_a_header_that_tells_no_arrays_is_damage(path, entries):
    """Signed and of the right kind, but not as files are written."""
    header = {"kind": KIND.name, "schema": KIND.schema, "facts": FACTS, "arrays": entries}
    sign(path, json.dumps(header).encode())
    with pytest.raises(ArtifactMismatch, match=r"damaged: .*ask for another one"):
        load_artifact(path, KIND)


@pytest.mark.parametrize(
    "text",
    [
        b"[1]", b"null", b"\xff{", b"{", b"[" * 100_000,
        json.dumps({"kind": KIND.name, "schema": KIND.schema, "facts": [1], "arrays": []}).encode(),
    ],
)  # fmt: skip
def test_a_header_that_is_no_header_is_damage(path, text):
    """Signed, but a list, no JSON or no text at all."""
    sign(path, text)
    with pytest.raises(ArtifactMismatch, match=r"damaged: .*ask for another one"):
        load_artifact(path, KIND)


def test_long_headers_are_not_quoted_whole(path):
    """Whatever they hold."""
    for wrong in ({"kind": "A" * 9999}, {"kind": KIND.name, "schema": "A" * 9999}):
        sign(path, json.dumps(wrong).encode())
        with pytest.raises(ArtifactMismatch) as told:
            load_artifact(path, KIND)
        assert len(str(told.value)) < 500


def test_nobody_waits_for_a_pipe(tmp_path):
    """To which perhaps nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ArtifactMismatch, match=r"pipe.*ask for another one"):
        load_artifact(tmp_path / "pipe", KIND)


def test_a_missing_file_is_an_artifact_mismatch_too(tmp_path):
    """It says which file, and how to get it."""
    with pytest.raises(ArtifactMismatch, match=r"none\.bin: No such file.*; ask for another one"):
        load_artifact(tmp_path / "none.bin", KIND)


def test_facts_have_to_fit_a_header(tmp_path):
    """A megabyte of facts belongs into an array."""
    with pytest.raises(ValueError, match="too long"):
        save_artifact(tmp_path / "x", KIND, {"story": "x" * (1 << 20)}, {})
    assert not list(tmp_path.iterdir())
