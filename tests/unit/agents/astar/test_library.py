"""The library's file: what is kept, and what is refused."""

import hashlib
from contextlib import suppress

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.astar.ensemble.library import VERSION, Library, LibraryDamaged, used_nodes
from agents.errors import AgentError
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from tests.helpers.said import refused
from tests.unit.agents.astar.grown import memory_of


@pytest.fixture(scope="module")
def library():
    """Two opponents."""
    known = ("O2", "O6")
    return Library(
        known, tuple(used_nodes(nodes_of(memory_of(one))) for one in known), {"hands": 600}
    )


@pytest.fixture(scope="module")
def written(library, tmp_path_factory):
    """Its file."""
    path = tmp_path_factory.mktemp("library") / "known.library"
    library.save(path)
    return path


def test_a_file_gives_back_what_was_saved(library, written):
    """Names, facts, every count; strengths as float32 have them."""
    found = Library.load(written)
    assert (found.names, found.facts) == (library.names, library.facts)
    for one, other in zip(found.trees, library.trees, strict=True):
        columns = [at for at in range(trees.WIDTH) if at not in (trees.STRENGTH, trees.SQUARES)]
        np.testing.assert_array_equal(one[:, columns], other[:, columns])
        np.testing.assert_allclose(one[:, trees.STRENGTH], other[:, trees.STRENGTH], rtol=1e-6)
    assert written.stat().st_size < 100 * sum(map(len, library.trees))


def test_nodes_are_those_that_were_made(library):
    """The roots stay, whatever was made of them; stacked, those with fewer get empty ones."""
    stacked = library.stacked()
    few, many = sorted(map(len, library.trees))
    assert stacked.shape == (2, many, trees.WIDTH)
    assert not stacked[0, few:].any()
    np.testing.assert_array_equal(stacked[1], library.trees[1])
    nodes = np.zeros((50, trees.WIDTH))
    assert len(used_nodes(nodes)) == trees.ROOTS
    nodes[0, trees.CHILDREN + 3] = 20
    assert len(used_nodes(nodes)) == 21


def repacked(path, **changed):
    """Write the file with something changed."""
    held = msgpack.unpackb(path.read_bytes()) | changed
    other = path.with_name("changed.library")
    other.write_bytes(msgpack.packb(held))
    return other


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "other"}, "something else"),
        ({"version": VERSION + 1}, "version 2"),
        ({"sha256": b"no"}, "checksum"),
        ({"opponents": b"\x00"}, "checksum"),
        ({"facts": 3}, "no pattern trees"),
    ],
)
def test_what_is_no_library_is_refused(written, changed, message):
    """In a line that names the file; nor is a file that is missing, or a folder."""
    path = repacked(written, **changed)
    for one, said in (
        (path, message),
        (path.with_name("none"), "No such file"),
        (path.parent, "directory"),
    ):
        with refused(LibraryDamaged, one) as caught:
            Library.load(one)
        assert said in str(caught.value)


@pytest.mark.parametrize("wrong", ["short", "far", "names", "nan"])
def test_trees_that_are_none_are_refused(written, wrong):
    """Though the checksum is right: too few nodes, children or names or numbers missing."""
    [one, other] = msgpack.unpackb(msgpack.unpackb(written.read_bytes())["opponents"])
    if wrong == "short":
        one = {"name": "x", "counts": b"", "strength": b"", "children": b""}
    elif wrong == "far":
        one["children"] = b"\xff" * len(one["children"])
    elif wrong == "nan":
        one["strength"] = b"\xff" * len(one["strength"])
    else:
        del one["name"]
    packed = msgpack.packb([one, other])
    path = repacked(written, opponents=packed, sha256=hashlib.sha256(packed).digest())
    with pytest.raises(LibraryDamaged, match="no pattern trees"):
        Library.load(path)


@given(data=st.data())
def test_a_damaged_file_is_noticed(written, data):
    """Bytes changed or cut off anywhere; nothing but a damage to the facts goes unnoticed."""
    whole = written.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    damaged = whole[:at] if cut else whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
    path = written.with_name("damaged.library")
    path.write_bytes(damaged)
    with suppress(AgentError):
        assert Library.load(path).names == ("O2", "O6")
