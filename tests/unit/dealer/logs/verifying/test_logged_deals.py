"""Verifying logs of given deals: against the file that gave them, not against the seed."""

import hashlib
from itertools import islice

import pytest

from dealer.logs.showing.as_client import client_lines
from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.deals.deals_file import GivenDealStream
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_hands import hands_of
from engine.rules.view import state_of_betting
from engine.showdown.hand_values import hand_values
from protocol.deals import DealsNote, format_deals_note
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, Header, format_chips, format_hand, format_header
from protocol.matchstate import format_card_text
from tests.helpers.said import refused, says

HUNL = load_builtin("hunl")
FILE = "holdem.nolimit.2p.reverse_blinds.game"
DEALS = "?|?\nAs8s|4c4d\ncr300c/cr600:As8s|4c4d/Ah3s9d\n?|?/AhKhQh\n"
BETTINGS = ["cc/cc/cc/cc", "r300c/cc/r600f", "cr300c/cr600c/cc/cc", "f"]


def logged(path, first=0, bettings=BETTINGS, note=True):
    """Return the lines of a match of the deals in a file."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    lines = [format_header(Header("m", FILE, len(bettings), 7))]
    lines += [format_deals_note(DealsNote(first, digest, path.name))] if note else []
    deals = islice(GivenDealStream(path, HUNL, 7, first=first), len(bettings))
    for number, (betting, deal) in enumerate(zip(bettings, deals, strict=True)):
        state = state_of_betting(HUNL, betting)
        values = tuple(map(format_chips, hand_values(state, deal.holes, deal.board)))
        cards = format_card_text(deal.holes, deal.board, HUNL, state.street)
        names = ("A", "B") if number % 2 == 0 else ("B", "A")
        lines.append(format_hand(HandRecord(number, betting, cards, values, names)))
    return lines


@pytest.fixture
def deals(tmp_path):
    """A deals file beside the log."""
    path = tmp_path / "x.deals"
    path.write_text(DEALS)
    return path


def verified(tmp_path, lines, **settings):
    """Write a log and verify it."""
    log = tmp_path / "m.log"
    log.write_text("".join(f"{line}\n" for line in lines))
    return verify_log(log, VerifySettings(**settings))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("first", [0, 1])
def test_given_deals_are_checked_against_their_file(tmp_path, deals, first, compiled):
    """From wherever in it the match began; cards left open come from the seed."""
    lines = logged(deals, first, BETTINGS if first == 0 else ["cc/cc/cc/cc", "cr300c/cr600f", "f"])
    report = verified(tmp_path, lines, compiled=compiled)
    assert report.all_is_well, report.faults
    assert report.deals_checked == len(lines) - 2
    assert report.parts[0].deals_file == "x.deals"


def test_without_the_note_the_seed_would_be_wrong(tmp_path, deals):
    """So the note is what keeps right logs from false faults."""
    assert not verified(tmp_path, logged(deals, note=False)).all_is_well


@pytest.mark.parametrize("compiled", [False, True])
def test_other_cards_than_given_are_a_fault(tmp_path, deals, compiled):
    """With the file's name, at their line; no other seed is guessed."""
    lines = logged(deals)
    lines[3] = lines[3].replace("4c4d", "5c4d")
    report = verified(tmp_path, lines, compiled=compiled)
    assert [(fault.line, fault.text) for fault in report.faults] == [
        (4, "position 1 holds 5c4d, x.deals deals 4c4d")
    ]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("betting", ["cr300c/cr500c/cc/cc", "cr300c/cr6000c/cc/cc"])
def test_a_hand_must_begin_as_it_was_given(tmp_path, deals, betting, compiled):
    """With every action of the spot, and r6000 is not r600."""
    lines = logged(deals, bettings=[*BETTINGS[:2], betting, BETTINGS[3]])
    report = verified(tmp_path, lines, compiled=compiled)
    (fault,) = report.faults
    assert fault.line == 5
    says(fault.text, "given", "cr300c/cr600")


def test_a_file_that_is_gone_leaves_the_deals_unchecked(tmp_path, deals):
    """All else is checked, and the report says so."""
    lines = logged(deals)
    deals.unlink()
    report = verified(tmp_path, lines)
    assert report.all_is_well
    assert report.deals_checked == 0
    says(report.parts[0].seed_origin, "x.deals", "not there")


def test_a_file_that_has_changed_is_a_fault(tmp_path, deals):
    """The log cannot be proven with it; no cards are compared with others' deals."""
    lines = logged(deals)
    deals.write_text(DEALS.replace("4c4d", "5c5d"))
    report = verified(tmp_path, lines)
    (fault,) = report.faults
    says(fault.text, deals, "not the deals")
    assert report.deals_checked == 0


def test_a_second_match_in_the_log_has_its_own_deals(tmp_path, deals):
    """A header without a note deals from its seed again."""
    lines = logged(deals)
    other = tmp_path / "all.deals"
    other.write_text("?|?\n" * 4)
    plain = [line.replace("seed m ", "seed n ") for line in logged(other, note=False)]
    report = verified(tmp_path, [*lines, *plain])
    assert report.all_is_well, report.faults
    assert [part.deals_file for part in report.parts] == ["x.deals", ""]


def test_a_seat_was_sent_no_state_before_the_one_that_was_given(tmp_path, deals):
    """What it received is made again with the deals file, and not without it."""
    log = tmp_path / "m.log"
    log.write_text("".join(f"{line}\n" for line in logged(deals)))
    lines = list(client_lines(hands_of(log, None, Complaints(pytest.fail)), "1", None))
    spots = [line for line in lines if line.startswith(b"MATCHSTATE:0:2:")]
    assert spots[0] == b"MATCHSTATE:0:2:cr300c/cr600:As8s|/Ah3s9d\r\n"
    assert len(spots) == 6
    deals.unlink()
    with refused(LogError, "x.deals", "not there"):
        list(client_lines(hands_of(log, None, Complaints(pytest.fail)), "1", None))
