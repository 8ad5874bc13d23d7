"""Documents of others: damaged ones are refused with one kind of error, whatever is in them."""

import msgpack
import pytest

from engine.errors import DamagedDocument
from engine.storage.documents import guarded_document, json_document, toml_document

DEEP = 200_000


def unpacked(data):
    """What packed bytes hold."""
    return guarded_document("msgpack", lambda: msgpack.unpackb(data))


JSON = [
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
]
TOML = [
    "a = " + "[" * DEEP,
    "a = " + "{b = " * DEEP,
    ".".join("a" * DEEP) + " = 1",
    "x = {" + " . ".join(["'a'"] * DEEP) + " = 1}",
    "a" * 20_000 + " = 1",
    f"a = {'9' * 4_000}",
    f"a = {'9' * 9_000}",
    "a = ",
]
MSGPACK = [b"\x91" * DEEP, b"", b"\xc1", b"\xdf\xff\xff\xff\xff", msgpack.packb(1) + b"\x01"]


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read, text)
        for read, texts in ((json_document, JSON), (toml_document, TOML), (unpacked, MSGPACK))
        for text in texts
    ],
)
def test_documents_are_read_or_damaged(read, text):
    """Nesting, names and numbers of any size, lengths of more than is there, bytes behind."""
    with pytest.raises(DamagedDocument) as caught:
        read(text)
    assert len(str(caught.value)) < 200


def test_what_files_of_ours_hold_is_read():
    """Texts, seeds of 64 bits and states of 128, some levels of lists."""
    state = 2**128 - 1
    assert json_document(f'{{"a": [[[[{state}]]], "b", null, 1.5]}}') == {
        "a": [[[[state]]], "b", None, 1.5]
    }
    assert json_document(f'"{"x" * 1_000_000}"') == "x" * 1_000_000
    assert toml_document("[a.b]\nc = [1.5]\n", str) == {"a": {"b": {"c": ["1.5"]}}}
    assert unpacked(msgpack.packb({"a": [1, b"x"]})) == {"a": [1, b"x"]}
