"""Decks, boards and spots at the dealer's table."""

from dataclasses import replace

import pytest

from dealer.plan.match_plan import MatchPlan, Records, SeatPlan
from dealer.plan.options import UsageError
from dealer.server.deal_source import deals_note, dealt_hands
from dealer.server.endings import Ending, MatchStopped
from dealer.server.recovery import compare_records
from dealer.server.table import Table
from engine.rules.dealing import Deal, DealStream
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.deals import DealsCommitment, DealsNote, format_deals_note
from protocol.gamedefs import load_builtin
from tests.helpers.fake_match import fake_match
from tests.helpers.said import refused, says, says_in_a_line

HUNL = load_builtin("hunl")
DECK = Deal((parse_cards("AsKs"), parse_cards("7h2c")), parse_cards("Ts9s2d3h4h"))
SPOT = replace(DECK, betting="cr300c/c")


def deals_of(*deals):
    """Yield some deals, then those of a seed, as a stream of given deals does."""
    yield from deals
    yield from DealStream(HUNL, 1)


async def test_a_hand_given_with_betting_is_first_shown_where_that_leads():
    """Each seat gets one state and who is next is asked; the actions are told, and took no time."""
    async with fake_match(deals=deals_of(SPOT)) as m:
        assert [agent.lines for agent in m.agents] == [
            [b"MATCHSTATE:0:0:cr300c/c:AsKs|/Ts9s2d"],
            [b"MATCHSTATE:1:0:cr300c/c:|7h2c/Ts9s2d"],
        ]
        assert m.table.acting_seat == 1
        told = [(one.seat, one.action) for (one,) in m.ear.of("action_applied")]
        assert told == [(1, CALL), (0, raise_to(300)), (1, CALL), (0, CALL)]
        assert all(one.sent == one.received for (one,) in m.ear.of("action_applied"))
        m.act(b"r600", b"f")
        assert m.accounts.match == [0.0, 0.0]
        assert m.ear.of("hand_over")[0][0].line == (
            "STATE:0:cr300c/cr600f:AsKs|7h2c/Ts9s2d:-300|300:Alice|Bob"
        )
        assert m.agents[0].lines[-1].startswith(b"MATCHSTATE:1:1::|")


@pytest.mark.parametrize("done", range(5))
def test_what_is_left_of_a_given_beginning_depends_on_what_was_played(done):
    """A dealer that was killed in the middle of it resumes there."""
    table = Table(HUNL, 1, ["A", "B"], deals=deals_of(SPOT))
    beginning = table.opening()
    assert beginning == (CALL, raise_to(300), CALL, CALL)
    for action in beginning[:done]:
        table.apply(action)
    assert table.opening() == beginning[done:]
    for action in (*beginning[done:], CALL):
        table.apply(action)
    assert table.opening() == Table(HUNL, 1, ["A", "B"], deals=deals_of(DECK)).opening() == ()


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """Plan of a match with three deals."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").write_text("?|?\nAsKs|7h2c\ncc/:?|?\n")
    return MatchPlan("m", "hunl", 2, 7, (SeatPlan("A"), SeatPlan("B")), Records("m.log"), deals="d")


def test_the_log_notes_the_file(plan):
    """Its digest, and where in it the match begins."""
    note = deals_note(replace(plan, first_deal=1), HUNL)
    assert (note.first, note.file, len(note.sha256)) == (1, "d", 64)
    assert deals_note(replace(plan, deals=None), HUNL) is None
    assert dealt_hands(replace(plan, deals=None), HUNL) is None


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"hands": 4}, ["d", "3 deals", "4 hands"]),
        ({"first_deal": 2}, ["d", "1 deals", "first 2", "2 hands"]),
        ({"first_deal": 9}, ["d", "0 deals", "first 9", "2 hands"]),
        ({"deals": "none"}, ["none", "No such file"]),
        ({"deals": None, "first_deal": 1}, ["--first-deal", "--deals"]),
    ],
)
def test_what_cannot_be_dealt_is_refused_before_anybody_connects(plan, changes, facts):
    """In one line, as other wrong arguments."""
    with pytest.raises(UsageError) as caught:
        deals_note(replace(plan, **changes), HUNL)
    (line,) = caught.value.lines
    says_in_a_line(f"{line}\n", "ERROR", *facts)


def test_a_file_that_changes_while_it_is_played_ends_the_match(plan, tmp_path):
    """As an error of the dealer's, not of a seat's."""
    (tmp_path / "d").write_text("?|?\nAsAs|7h2c\n")
    deals = dealt_hands(plan, HUNL)
    next(deals)
    with pytest.raises(MatchStopped) as caught:
        next(deals)
    assert caught.value.end.ending is Ending.ERROR
    says(caught.value.end.detail, "d", "line 2", "As", "twice")


NOTE = DealsNote(0, "a" * 64, "d")
SECRET = DealsCommitment("a" * 64)
HEADER = "# name/game/hands/seed m g 3 42\n"
HAND = "STATE:0:f:7d3d|2hAc:50|-50:A|B\n"


@pytest.mark.parametrize(
    ("logged", "played", "before"),
    [
        (None, NOTE, "the seed"),
        (NOTE, None, "d"),
        (NOTE, replace(NOTE, sha256="b" * 64), "d"),
        (NOTE, replace(NOTE, first=1), "d"),
        (NOTE, SECRET, "d"),
        (None, SECRET, "the seed"),
        (SECRET, None, "a secret"),
        (SECRET, DealsCommitment("b" * 64), "a secret"),
    ],
)
def test_a_match_is_resumed_with_its_own_deals_only(tmp_path, logged, played, before):
    """A changed file, another place in it, or none at all is refused before anything is written."""
    log = tmp_path / "m.log"
    lines = HEADER + ("" if logged is None else format_deals_note(logged) + "\n") + HAND
    log.write_text(lines)
    table = Table(HUNL, 42, ["A", "B"])
    with refused(MatchStopped, log, f"dealt from {before}"):
        compare_records(log, tmp_path / "m.tlog", 42, 3, table, played)
    assert log.read_text() == lines


def test_the_same_file_may_have_moved(tmp_path):
    """It is known by its digest; a header without a hand says nothing."""
    log = tmp_path / "m.log"
    log.write_text(f"{HEADER}{format_deals_note(NOTE)}\n{HAND}{HEADER}")
    table = Table(HUNL, 42, ["A", "B"])
    compare_records(log, tmp_path / "m.tlog", 42, 3, table, replace(NOTE, file="elsewhere/d"))
    assert table.finished_hands == 1
