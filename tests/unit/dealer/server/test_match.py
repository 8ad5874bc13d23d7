"""A match: who is asked, what is applied, when it ends.  Fake agents, nothing to wait for."""

import asyncio
from itertools import pairwise

import pytest

from dealer.server.endings import Ending, MatchEnd, error_ending
from dealer.server.match import MOST_STRAY_LINES, TRANSITIONS, MatchPhase
from dealer.server.observers import FaultOutcome, MatchObserver
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedef import parse_gamedef
from tests.helpers.fake_clock import turns
from tests.helpers.fake_match import FakeMatch, fake_match
from tests.helpers.said import says

FIRST = b"MATCHSTATE:0:0::7d3d|"
SECOND = b"MATCHSTATE:1:0::|2hAc"
ALL_IN_BY_BLINDS = parse_gamedef(
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nstack = 100 100\nblind = 100 100\n"
    "firstPlayer = 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\n"
    "END GAMEDEF\n"
)


async def test_a_match_is_played_to_its_end():
    """Each seat sees its own cards; two hands are folded: the button moves, chips go to and fro."""
    async with fake_match() as m:
        assert [agent.lines for agent in m.agents] == [[FIRST], [SECOND]]
        assert (m.match.phase, m.table.acting_seat) == (MatchPhase.ASKED, 1)
        m.act(b"f", b"f")
        assert (await m.ending()).ending is Ending.FINISHED
        assert (m.match.phase, m.doors) == (MatchPhase.OVER, {})  # no seat may come back
        assert (m.table.finished_hands, m.table.totals) == (2, [0.0, 0.0])
        assert m.clock.pending == []


async def test_a_match_that_was_played_already_ends_at_once():
    """As it is when a finished match is resumed; nobody is sent anything."""
    async with fake_match(hands=0) as m:
        assert (await m.ending()).ending is Ending.FINISHED
        assert (m.agents[0].lines, m.ear.of("hand_started")) == ([], [])


async def test_the_observers_hear_what_happens_in_order():
    """From the first hand to the last; a hand's end is told before it is shown, and after."""
    async with fake_match(hands=1) as m:
        m.act(b"f")
        await m.ending()
        heard = [said[0] for said in m.ear.heard]
        assert heard == [
            "hand_started",
            *["state_sent"] * 2,
            "line_received",
            "reply_accepted",
            "action_applied",
            "hand_over",
            "hand_played",
            *["state_sent"] * 2,
            "hand_closed",
            "hands_finished",
        ]
        ((started,),) = m.ear.of("hand_started")
        assert (started.hand_id, started.seats, started.deal) == (0, (0, 1), m.table.deal)
        ((over,),) = m.ear.of("hand_over")
        assert over.line == "STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob"
        assert over.values == (50.0, -50.0)
        ((closed,),) = m.ear.of("hand_closed")
        assert closed.totals == (50.0, -50.0)


async def test_a_stream_of_answers_plays_the_whole_match():
    """Both seats have said all they have to say when the first question is answered."""
    async with fake_match(hands=3) as m:
        m.agents[0].say(b"MATCHSTATE:1:1::|3d3h:f\r\n")
        answers = [b"MATCHSTATE:1:0::|2hAc:f\r\n", b"MATCHSTATE:1:2::|"]
        m.agents[1].say(b"".join(answers))
        assert m.table.finished_hands == 2
        m.agents[1].say(m.agents[1].lines[-1].removeprefix(answers[1]) + b":f\r\n")
        assert (await m.ending()).ending is Ending.FINISHED


async def test_a_line_about_another_state_is_ignored():
    """The seat is asked no second time; its right answer counts, in another spelling, too."""
    async with fake_match() as m:
        m.actor.say(b"MATCHSTATE:0:7::7d3d|:c\r\n")
        ((fault,),) = m.ear.of("reply_faulted")
        assert (fault.outcome, fault.reason) == (FaultOutcome.IGNORED, "another state")
        assert m.table.state.betting == ""
        m.actor.say(b"MATCHSTATE: 01:0::|2hac:r300\r\n")  # as the original reads it
        assert m.table.state.betting == "r300"


@pytest.mark.parametrize(
    ("invalid", "said", "action", "words"),
    [
        ("fix", b"r150", raise_to(200), ("raise of 150 increased to 200",)),
        ("fix", b"x", CALL, ("invalid action, changed to call",)),
        ("call", b"r150", CALL, ("invalid action, changed to call",)),
        ("fold", b"x", FOLD, ("invalid action, changed to fold",)),
    ],
)
async def test_an_invalid_action_becomes_a_legal_one(invalid, said, action, words):
    """By the choice of whoever set the match up, with the dealer's words for it."""
    async with fake_match(invalid=invalid) as m:
        m.act(said)
        ((fault,),) = m.ear.of("reply_faulted")
        assert (fault.outcome, fault.action) == (FaultOutcome.CORRECTED, action)
        assert fault.warnings == words
        assert m.table.hand_id == (1 if action == FOLD else 0)


@pytest.mark.parametrize(
    ("said", "ending", "why"),
    [(b"x", Ending.MALFORMED, "read"), (b"r150", Ending.ILLEGAL, "illegal")],
)
async def test_an_invalid_action_may_forfeit_the_match(said, ending, why):
    """The observers hear of it before the match ends."""
    async with fake_match(invalid="forfeit") as m:
        m.act(said)
        end = await m.ending()
        assert (end.ending, end.seat) == (ending, 1)
        says(end.detail, "seat 2", "action", why)
        ((fault,),) = m.ear.of("reply_faulted")
        assert fault.outcome is FaultOutcome.FORFEITED


async def test_hands_without_decisions_play_themselves():
    """The event loop gets a turn after each of them, and the first signal ends them."""
    async with fake_match(game=ALL_IN_BY_BLINDS, hands=10**6) as m:
        m.match.interrupt("interrupted")
        assert await m.ending() == MatchEnd(Ending.INTERRUPTED, "interrupted")
    async with fake_match(game=ALL_IN_BY_BLINDS, hands=50) as m:
        assert m.playing
        await turns(60)
        assert (await m.ending()).ending is Ending.FINISHED
        assert len(m.ear.of("hand_over")) == 50
        assert len(m.agents[0].lines) == 50


@pytest.mark.parametrize(
    ("event", "then"),
    [
        ("line_received", ["reply_accepted"]),
        ("reply_accepted", []),
        ("action_applied", []),
        ("hand_over", ["hand_played", *["state_sent"] * 2]),
        ("hand_played", ["state_sent"] * 2),
        ("state_sent", ["state_sent"]),
        ("hand_closed", []),
        ("hand_started", []),
        ("hands_finished", []),
        ("seat_reconnected", ["state_sent"]),
    ],
)
async def test_an_observer_may_interrupt_the_match_from_whatever_it_hears(event, then):
    """All hear that event, nothing is played on, and nothing else goes wrong."""
    stops = []

    def stop(*_arguments):
        stops.append(len(m.ear.heard))
        m.match.interrupt("enough")

    stopper = type("Stopper", (MatchObserver,), {event: stop})
    m = FakeMatch(stopper(), hands=1, reconnect_s=30)
    failures = []
    fail = m.match._fail
    m.match._fail = lambda error: (failures.append(error), fail(error))
    await m.start()
    if m.playing:
        m.come_back(0)
    if m.playing:
        m.act(b"f")
    assert await m.ending() == MatchEnd(Ending.INTERRUPTED, "enough")
    assert [said[0] for said in m.ear.heard[stops[0] :]] == [event, *then]
    assert {str(error) for error in failures} == {"enough"}
    await m.stop()


async def test_a_lost_connection_ends_the_match_when_the_seat_is_needed():
    """Not before: what it said in advance still counts."""
    async with fake_match() as m:
        m.agents[0].say(b"MATCHSTATE:0:0:r300:7d3d|:c\r\n")
        m.agents[0].seat.eof_received()
        assert m.playing
        m.act(b"r300")
        assert m.table.state.betting == "r300c/"
        end = await m.ending()
        assert end == MatchEnd(Ending.DISCONNECT, "could not get action from seat 1", 0)


async def test_a_state_that_cannot_be_sent_ends_the_match():
    """The seat is named."""
    async with fake_match() as m:
        m.agents[0].connection.broken = True
        m.act(b"c")
        end = await m.ending()
        assert end == MatchEnd(Ending.DISCONNECT, "could not send state to seat 1", 0)


def required(event, do):
    """Return an observer without which no match goes on, and what it does at one event."""
    return type("Required", (MatchObserver,), {"required": True, event: do})()


@pytest.mark.parametrize(
    "event",
    ["hand_started", "state_sent", "line_received", "reply_accepted", "action_applied",
     "hand_over", "hand_played", "hand_closed", "hands_finished"],
)  # fmt: skip
async def test_a_log_that_cannot_be_written_ends_the_match(event):
    """Whenever it happens, with the observer's own words, and it is tried only once."""
    calls, full = [], error_ending(Ending.ERROR, "could not write log file m.log: No space left")

    def refuse(*_):
        calls.append(event)
        raise full

    async with fake_match(required(event, refuse), hands=1) as m:
        if m.playing:
            m.act(b"f")
        assert await m.ending() == full.end
        assert calls == [event]


async def test_any_other_exception_is_a_bug_and_not_an_ending():
    """It comes out of `play` as it is."""
    async with fake_match(required("hand_over", lambda *_: 1 / 0)) as m:
        m.act(b"f")
        with pytest.raises(ZeroDivisionError):
            await m.ending()


async def test_closing_gives_the_last_messages_a_moment():
    """A seat that does not take them is dropped after it."""
    async with fake_match(hands=1) as m:
        m.act(b"f")
        await m.ending()
        m.agents[0].seat.connection_lost(None)
        closing = asyncio.create_task(m.match.close())
        await turns()
        assert m.agents[1].transport.closed
        assert not m.agents[1].transport.aborted
        m.clock.advance(2.0)
        await turns()
        assert m.agents[1].transport.aborted
        await closing


def test_every_phase_can_be_reached_and_stopped():
    """The table has no dead ends but the end."""
    reached = {MatchPhase.STARTING}
    for _ in MatchPhase:
        reached |= {after for phase in reached for after in TRANSITIONS[phase].values()}
    assert reached == set(MatchPhase)
    for phase in set(MatchPhase) - {MatchPhase.OVER}:
        assert TRANSITIONS[phase]["stop"] is MatchPhase.OVER
    assert TRANSITIONS[MatchPhase.OVER] == {}


@pytest.mark.parametrize("junk", [b"x\n", b"# thinking\n"])
async def test_a_flood_is_read_little_by_little(junk):
    """Other matches of the event loop have their turn in between; the answer behind it counts."""
    async with fake_match() as m:
        agent = m.actor
        agent.say(junk * 100 + agent.lines[-1] + b":f\r\n")
        read = []
        while not m.ear.of("action_applied"):
            read.append(len(m.ear.of("line_received")))
            agent.say(junk)  # what still arrives is no reason to read more at once
            await asyncio.sleep(0)
        steps = [later - before for before, later in pairwise([0, *read])]
        assert max(steps) <= 2 * MOST_STRAY_LINES
        assert len(steps) >= 100 // (2 * MOST_STRAY_LINES)
        assert m.ear.of("action_applied")[0][0].action == FOLD
