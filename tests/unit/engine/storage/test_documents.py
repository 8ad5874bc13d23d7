"""Documents of others: damaged ones are refused with one kind of error, whatever is in them."""

import msgpack
import pytest

from engine.errors import DamagedDocument
from engine.storage.documents import guarded_document, json_document, toml_document

DEEP = 200_000


def unpacked(data):
    """What packed bytes hold."""
    return guarded_document("msgpack", lambda: msgpack.unpackb(data))


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        "[" * DEEP + "]" * DEEP,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        "[" * 150 + "]" * 150,
        f'{{"{"a" * 20_000}": 1}}',
        f"[{'9' * 4_000}]",
        f"[{'9' * 9_000}]",
        "{",
        "",
        b"\xff",
    ],
)
def test_json_is_read_or_damaged(text):
    """Nesting, names and numbers of any size among them."""
    with pytest.raises(DamagedDocument) as caught:
        json_document(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * DEEP,
        "a = " + "{b = " * DEEP,
        ".".join("a" * DEEP) + " = 1",
        "x = {" + " . ".join(["'a'"] * DEEP) + " = 1}",
        "a" * 20_000 + " = 1",
        f"a = {'9' * 4_000}",
        f"a = {'9' * 9_000}",
        "a = ",
    ],
)
def test_toml_is_read_or_damaged(text):
    """Dotted names nest without brackets."""
    with pytest.raises(DamagedDocument) as caught:
        toml_document(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "data", [b"\x91" * DEEP, b"", b"\xc1", b"\xdf\xff\xff\xff\xff", msgpack.packb(1) + b"\x01"]
)
def test_msgpack_is_read_or_damaged(data):
    """Lengths of more than is there, and bytes behind the end."""
    with pytest.raises(DamagedDocument):
        unpacked(data)


def test_what_files_of_ours_hold_is_read():
    """Texts, seeds of 64 bits and states of 128, some levels of lists."""
    state = 2**128 - 1
    assert json_document(f'{{"a": [[[[{state}]]], "b", null, 1.5]}}') == {
        "a": [[[[state]]], "b", None, 1.5]
    }
    assert json_document(f'"{"x" * 1_000_000}"') == "x" * 1_000_000
    assert toml_document("[a.b]\nc = [1.5]\n", str) == {"a": {"b": {"c": ["1.5"]}}}
    assert unpacked(msgpack.packb({"a": [1, b"x"]})) == {"a": [1, b"x"]}
