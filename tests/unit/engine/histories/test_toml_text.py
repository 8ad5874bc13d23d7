"""The TOML of hand histories: the fast way reads what `tomllib` reads, or leaves it to it."""

import tomllib
from datetime import time
from decimal import Decimal

import pytest

from engine.errors import UnusableHistory
from engine.histories import toml_text
from engine.histories.toml_text import format_toml, read_any_toml, read_entries, toml_hands

PLAIN = """\
# a comment
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [0.5, 1]
starting_stacks = [inf, 200.00]
actions = ["d dh p1 AcAs", "p2 f # \\"why\\""]
names=["a", "b"]
hand = -7
time = 12:30:01.5
flag = true
note = "tab\\tand \\\\"
"""


def test_plain_hands_are_read_without_tomllib(monkeypatch):
    """As what they are: words, whole numbers, decimals, times."""
    whole = read_any_toml(PLAIN)
    monkeypatch.setattr(tomllib, "loads", None)
    text = PLAIN.replace("[inf, 200.00]", "[1000, 200.00]")
    found = read_entries(text)
    assert found == whole | {"starting_stacks": [1000, Decimal("200.00")]}
    assert found["time"] == time(12, 30, 1, 500000)
    assert str(found["starting_stacks"][1]) == "200.00"


@pytest.mark.parametrize(
    "line",
    [
        *("a = [1, 2,]", "a = 1_000", "a = 0x1f", "a = +1", "a = 1e3", "a = nan"),
        *('a = """x"""', "a.b = 1", '"a b" = 1', "a = {b = 1, c = ['x']}"),
        *("a = [[1], ['x']]", 'a = "\\u00e9"', "a = 1979-05-27", "a = [ # why\n 1,\n]"),
        *("a = 'x' # why", "  a = 1", "a = ['it''s']", "a = 01", "a = [01]", "a = null"),
        *("a = [null]", 'a = ["x" "y"]', 'a = "\\/"', 'a = ["\\/"]', "a = 1\na = 2"),
        *("a = [1 2]", "a = [{'b': 1}]", 'a = [{"b": 1}]', "a = NaN", "a = [NaN]"),
        *("a = -Infinity", "a = 24:00:00", "a = 'x\x7f'", 'a = ["x\x7f"]', "a = 1."),
        *("a = [1., 2]", "a = True", "# \x01\na = 1", "[1]", "a = 'x\ty'", "a =\t1", "a", ""),
    ],
)
def test_all_else_is_read_as_tomllib_reads_it(line):
    """Or refused as there."""
    try:
        right = read_any_toml(line)
    except UnusableHistory:
        with pytest.raises(UnusableHistory):
            read_entries(line)
        return
    found = read_entries(line)
    assert repr(found) == repr(right)


def test_hostile_numbers_are_refused():
    """A thousand million digits are not written out."""
    for line in ("a = 1e999999999", "a = [1e999999999]", f"a = {'9' * 5000}"):
        with pytest.raises(UnusableHistory, match="no TOML"):
            read_entries(line)
    with pytest.raises(UnusableHistory, match="UTF-8"):
        read_entries("a = '\udcff'")


def test_hands_are_told_apart_by_their_numbers():
    """Whatever stands around the brackets; a file without them is one hand, an empty one none."""
    text = "# file\n\n[1]\na = 1\n\n [ 'x y' ] # second\r\nb = [\n [2],\n]\n[\"3\"]\n"
    found = list(toml_hands(text.splitlines(keepends=True)))
    assert [(line, name) for line, name, _ in found] == [(4, "1"), (7, "x y"), (11, "3")]
    assert [read_entries(one) for _, _, one in found] == [{"a": 1}, {"b": [[2]]}, {}]
    assert list(toml_hands(["# nothing\n", "\n"])) == []
    assert list(toml_hands(["a = 1\n"])) == [(1, None, "a = 1\n")]


def test_what_is_written_is_read_again():
    """Also names with whatever in them."""
    entries = {
        "a": ['q"', "\\", "\t", "\n", "\x7f", "\x01", "é", "😀", "'", "[1]"],
        "b c": {"x": [Decimal("1.50"), True, 3], "y": time(1, 2, 3, 4)},
        "d": Decimal("inf"),
        "e": Decimal(10),
    }
    text = format_toml(entries)
    assert read_any_toml(text) == entries
    assert read_entries(text) == entries
    with pytest.raises(UnusableHistory):
        format_toml({"a": None})


def test_the_fast_way_is_the_one_that_is_tried():
    """Without it the tests above would compare a thing with itself."""
    assert toml_text._read_plain("a = 1\n") == {"a": 1}
    assert toml_text._read_plain("a = 1e3\n") is None


@pytest.mark.parametrize(
    "entry",
    [
        "x = " + "[" * 100_000,
        "x = [" + '["a", ' * 100_000,
        ".".join("a" * 100_000) + " = 1",
        "min_bet = 1e999999999999999999999",
        f"min_bet = {'9' * 9_000}",
    ],
)
def test_nesting_and_monsters_leave_a_hand_out(entry):
    """By its line, and the hand behind it is read."""
    with pytest.raises(UnusableHistory):
        read_entries(f"variant = 'NT'\n{entry}\n")
