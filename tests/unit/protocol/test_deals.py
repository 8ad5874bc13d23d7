"""Lines of deals files."""

import hashlib
import hmac
from dataclasses import replace

import pytest

from protocol.cards import parse_cards
from protocol.deals import (
    DealGrammar,
    DealsCommitment,
    DealsNote,
    DealsProof,
    DealsReader,
    GivenDeal,
    SeedProof,
    format_deals_note,
    format_game_line,
    format_proof,
    parse_deals_note,
    parse_proof,
    read_deals,
)
from protocol.errors import MalformedDeal
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

HUNL = DealGrammar(load_builtin("hunl"))
BOARD_FIRST = DealGrammar(replace(load_builtin("leduc"), board_cards=(1, 1)))
QUEEN = DealGrammar(load_builtin("fixed-queen"))
OPEN = (None, None)


def cards(*texts):
    """Return cards in groups; None stays."""
    return tuple(None if text is None else parse_cards(text) for text in texts)


# (text, deal): both directions are checked from one table.
EXAMPLES = [
    (HUNL, "?|?", GivenDeal(OPEN, ((), None, None, None))),
    (HUNL, "As8s|?", GivenDeal(cards("As8s", None), ((), None, None, None))),
    (HUNL, "?|?/AhKhQh", GivenDeal(OPEN, cards("", "AhKhQh", None, None))),
    (HUNL, "?|?/?/?/2c", GivenDeal(OPEN, cards("", None, None, "2c"))),
    (
        HUNL,
        "As8s|4c4d/Ah3s9d/Ad/2h",
        GivenDeal(cards("As8s", "4c4d"), cards("", "Ah3s9d", "Ad", "2h")),
    ),
    (HUNL, "cr300c/:?|?", GivenDeal(OPEN, ((), None, None, None), "cr300c/")),
    (BOARD_FIRST, "Ks|QsKh/Qh", GivenDeal(cards("Ks", "Qs"), cards("Kh", "Qh"))),
    (BOARD_FIRST, "Ks|?Kh", GivenDeal(cards("Ks", None), cards("Kh", None))),
    (BOARD_FIRST, "?|Qs", GivenDeal(cards(None, "Qs"), cards(None, None))),
]
SAME = [("?|?/?/?/?", "?|?"), ("As8s|4c4d/?", "As8s|4c4d")]
"""Other ways to write a deal, and the usual one."""


@pytest.mark.parametrize(("grammar", "text", "deal"), EXAMPLES)
def test_parses_and_formats(grammar, text, deal):
    """Text and value are two views of the same deal."""
    assert grammar.parse(text) == deal
    assert grammar.format(deal) == text


@pytest.mark.parametrize(("text", "usual"), SAME)
def test_what_is_left_to_the_seed_may_be_written_or_not(text, usual):
    """At the end of the board."""
    assert HUNL.format(HUNL.parse(text)) == usual


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", ["1 position", 2]),
        ("AsKs", ["1 position", 2]),
        ("AsKs|QsJs|9s8s", ["3 positions", 2]),
        ("AsKs|Qs", ["'Qs'", "2 hole cards", "?"]),
        ("AsKs|", ["''", "2 hole cards", "?"]),
        ("AsK|QsJs", ["'AsK'", "not cards"]),
        ("AsKs|XxJs", ["'XxJs'", "not cards"]),
        ("asks|?", ["'asks'", "not cards"]),
        ("AsKs|QsJs/AhKh", ["'AhKh'", "3 board cards", "?"]),
        ("?|?/", ["''", "3 board cards", "?"]),
        ("?|?/?/?/?/?", ["board cards", "5 streets", 4]),
        ("AsKs|As2c", ["As", "twice"]),
        ("AsKs|2c2d/As3c4c", ["As", "twice"]),
        ("x:?|?", ["'x'", "betting"]),
        ("r300:c:?|?", ["'r300:c'", "betting"]),
        ("AsKs |QsJs", ["'AsKs '", "not cards"]),
        ("?" * 100000, ["1 position", 2]),
        ("A" * 100000 + "|?", [f"'{'A' * 40}'", "not cards"]),
    ],
)
def test_what_is_no_deal_is_told_in_one_line(text, facts):
    """With the piece that is wrong, cut short."""
    with refused(MalformedDeal, *facts) as caught:
        HUNL.parse(text)
    assert len(str(caught.value)) < 100


def test_cards_must_be_in_the_deck_of_the_game():
    """Leduc poker has six cards."""
    with refused(MalformedDeal, "2c", "deck"):
        DealGrammar(load_builtin("leduc")).parse("2c|Ks")


def test_a_game_may_deal_some_cards_to_some_positions_only():
    """The first player has the queen, and somebody must be able to hold what is left."""
    assert QUEEN.parse("Qs|Ks").holes == cards("Qs", "Ks")
    with refused(MalformedDeal, "position 0", "Ks"):
        QUEEN.parse("Ks|?")
    grammar = DealGrammar(replace(load_builtin("leduc"), dealt_cards=cards("QsQh", "Ks")))
    with refused(MalformedDeal, "too few", "position 1"):
        grammar.parse("Qs|?/Ks")


def test_a_file_has_comments_blank_lines_and_one_game():
    """Line ends of both kinds, blanks around, a comment behind a deal."""
    lines = ["# decks", "", "  game  hunl \r\n", "?|?  # all drawn\n", " \t\r\n", "AsKs|?\r\n"]
    reader = DealsReader(load_builtin("hunl"))
    found = [reader.read(line) for line in lines]
    assert [deal is not None for deal in found] == [False, False, False, True, False, True]
    assert (reader.deals, reader.line_number, reader.game_name) == (2, 6, "hunl")
    assert list(read_deals(lines, load_builtin("hunl"))) == [found[3], found[5]]
    assert format_game_line("hunl") == "game hunl"


def test_passing_over_counts_as_reading_does():
    """Only the cards are not looked at."""
    lines = ["# x", "game hunl", "", "junk", "AsKs|AsKs", "c:?|?", "r300c/:?|?"]
    reader = DealsReader(load_builtin("hunl"))
    for line in lines:
        reader.pass_over(line)
    assert (reader.deals, reader.line_number, reader.game_name) == (4, 7, "hunl")


@pytest.mark.parametrize(
    ("lines", "facts"),
    [
        (["?|?", "# x", "AsAs|?"], ["line 3", "As", "twice"]),
        (["game a", "game b"], ["line 2", "game", "once"]),
        (["?|?", "game b"], ["line 2", "game", "once"]),
        (["game"], ["line 1", "1 position", 2]),
    ],
)
def test_errors_name_the_line(lines, facts):
    """Comments and blank lines are counted."""
    with refused(MalformedDeal, *facts):
        list(read_deals(lines, load_builtin("hunl")))


def test_a_log_says_which_deals_were_played():
    """In a comment that other readers of logs pass over."""
    note = DealsNote(1000, "0" * 64, "some folder/my.deals")
    assert parse_deals_note(format_deals_note(note)) == note
    for text in ("# deals", "#--t_hand 7", "# deals first x sha256 00 f", ""):
        assert parse_deals_note(text) is None


def test_a_seed_follows_from_secret_and_words():
    """The number is that of the page; a comment keeps both, whatever the words are."""
    proof = SeedProof(bytes(range(32)), "wörter and words")
    digest = hashlib.sha256(bytes(range(32)) + "wörter and words".encode()).digest()
    assert proof.seed == int.from_bytes(digest[:4], "big")
    assert proof.commitment == hashlib.sha256(bytes(range(32))).hexdigest()
    assert parse_proof(format_proof(proof)) == proof
    later = DealsProof(proof.secret, proof.phrase)
    assert later.commitment == proof.commitment
    assert later.number == int(later.commitment[:8], 16)
    assert parse_proof(format_proof(later)) == later != proof
    note = DealsCommitment(later.commitment)
    assert parse_deals_note(format_deals_note(note)) == note
    assert parse_proof(format_deals_note(note)) is None
    assert parse_proof("# seed of secret abc and words x") is None


@pytest.mark.parametrize("phrase", ["", "words", "spectators"])
def test_deals_do_not_follow_from_what_is_published(phrase):
    """Whoever knows the commitment and the words knows nothing of the key."""
    proof = DealsProof(bytes(range(32)), phrase)
    text = b"deals " + phrase.encode()
    assert proof.key == hmac.new(proof.secret, text, hashlib.sha256).digest()
    assert proof.key.hex() != proof.commitment
    assert proof.key != hmac.digest(proof.secret, b"spectators", "sha256")
