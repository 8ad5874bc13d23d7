"""Deals files on the disk."""

import hashlib
import os
from itertools import islice

import pytest

from engine.deals.deals_file import DealsFacts, GivenDealStream, inspect_deals
from engine.errors import UnusableDeals
from engine.rules.dealing import DealStream
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
NAME = "holdem.nolimit.2p.reverse_blinds.game"
TEXT = "# three\ngame hunl\nAs8s|4c4d/Ah3s9d/Ad/2h\n?|?\n\ncr300c/:?|KsKd/2c3c4c\n"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a deals file."""

    def write(text=TEXT):
        path = tmp_path / "some.deals"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_facts_are_the_number_of_deals_and_the_digest(write):
    """Whichever of the deals are looked at."""
    facts = DealsFacts(3, hashlib.sha256(TEXT.encode()).hexdigest())
    for checked in (None, range(0), range(1, 2)):
        assert inspect_deals(write(), HUNL, NAME, checked=checked) == facts


def test_deals_come_in_order_completed_from_the_seed_hand_by_hand(write):
    """And those of the seed alone behind the end."""
    found = list(islice(GivenDealStream(write(), HUNL, 7), 5))
    plain = list(islice(DealStream(HUNL, 7), 5))
    assert found[0].holes == (parse_cards("As8s"), parse_cards("4c4d"))
    assert found[0].board == parse_cards("Ah3s9dAd2h")
    assert found[1] == plain[1]
    assert (found[2].holes[1], found[2].board[:3], found[2].betting) == (
        parse_cards("KsKd"),
        parse_cards("2c3c4c"),
        "cr300c/",
    )
    assert found[3:] == plain[3:]


def test_a_stream_may_begin_late_and_skip(write):
    """The seed counts hands of the match, not deals of the file."""
    path = write("".join(f"?|?/{flop}\n" for flop in ("2c3c4c", "5c6c7c", "8c9cTc", "2c3c4c")))
    every = list(islice(GivenDealStream(path, HUNL, 7), 4))
    skipped = GivenDealStream(path, HUNL, 7)
    skipped.skip(1)
    assert next(skipped) == every[1]
    skipped.skip(1)
    assert next(skipped) == every[3]
    assert next(GivenDealStream(path, HUNL, 7, first=3)) == every[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no deal in this file"),
        ("# nothing\n\n", "no deal in this file"),
        ("?|?\nAs|?\n", "line 2: 'As': want 2 hole cards, or ?"),
        ("game hulhe\n?|?\n", "its deals are for hulhe, not holdem.nolimit"),
        ("game other.game\n?|?\n", "its deals are for other.game, not holdem.nolimit"),
        ("c:?|?\nr100:?|?\n", "line 2: betting r100: r100: a raise must be to 200..20000"),
        ("f:?|?\n", "line 1: betting f: the hand is over"),
        ("cc:?|?\n", "line 1: betting cc: betting 'cc' should read 'cc/'"),
        ("x" * 70000 + "\n", "line 1: too long for a deal"),
        ("?|?\n" + "?" * (1 << 20), "line 2: too long for a deal"),
        (b"\xff\xfe?|?\n", "line 1: "),
        ("?|?\0\n", "line 1: "),
    ],
)
def test_what_cannot_be_played_is_one_line_with_file_and_place(write, text, words):
    """Empty, damaged, of another game, or a spot that no hand leads to."""
    path = write(text)
    with pytest.raises(UnusableDeals) as caught:
        inspect_deals(path, HUNL, NAME)
    message = str(caught.value)
    assert message.startswith(f"{path}: {words}")
    assert "\n" not in message
    assert len(message) < 250 + len(str(path))


@pytest.mark.parametrize("name", ["hunl", NAME, "./games/" + NAME, "my.game"])
def test_a_game_has_the_name_of_its_file_or_a_built_in_one(write, name):
    """The name says which rules; where the file lies does not matter."""
    played = "my.game" if name == "my.game" else f"somewhere/{NAME}"
    assert inspect_deals(write(f"game {name}\n?|?\n"), HUNL, played).deals == 1


def test_what_is_no_file_is_refused(tmp_path):
    """A folder, a pipe that nobody writes to, nothing, a NUL."""
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("", "not a file"), ("pipe", "not a file"), ("none", "No such file")):
        with pytest.raises(UnusableDeals, match=words):
            inspect_deals(tmp_path / name, HUNL, NAME)
    with pytest.raises(UnusableDeals, match="null"):
        inspect_deals(tmp_path / "a\0b", HUNL, NAME)


def test_a_file_that_is_damaged_meanwhile_is_refused_while_dealing(write):
    """With the line; the deals before it were dealt."""
    stream = GivenDealStream(write("?|?\nAsAs|?\n"), HUNL, 7)
    next(stream)
    with pytest.raises(UnusableDeals, match=r"line 2: .*\bAs\b"):
        next(stream)


def test_progress_is_told_now_and_then(write):
    """Bytes and deals so far."""
    told = []
    path = write("# x\n" * 40000 + "?|?\n")
    inspect_deals(path, HUNL, NAME, progress=lambda *so_far: told.append(so_far))
    assert told == [(4 * 16384, 0), (4 * 32768, 0)]
