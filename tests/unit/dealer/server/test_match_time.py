"""Time in a match: limits to the exact moment, late answers, readers that do not read."""

import math

import pytest

from dealer.server.endings import Ending, MatchEnd
from dealer.server.match import MatchPhase
from dealer.server.observers import FaultOutcome
from dealer.server.time_limits import TimeLimits
from tests.helpers.fake_match import fake_match

INF = math.inf
LIMITS = {
    "response": TimeLimits(2.0, INF, INF),
    "hand": TimeLimits(INF, 2.0, INF),
    "match": TimeLimits(INF, INF, 2.0),
}
OUT_OF_TIME = MatchEnd(Ending.TIMEOUT, "seat 2 ran out of time", 1)


@pytest.mark.parametrize("limit", LIMITS)
async def test_an_answer_has_exactly_its_limit(limit):
    """A later one is not applied; the observers hear of it, and the match ends."""
    async with fake_match(limits=LIMITS[limit]) as m:
        m.clock.pass_unnoticed(2.0)
        m.act(b"c")
        assert m.table.state.betting == "c"
    async with fake_match(limits=LIMITS[limit]) as m:
        m.clock.pass_unnoticed(2.0 + 1e-6)
        m.act(b"c")
        assert await m.ending() == OUT_OF_TIME
        assert m.table.state.betting == ""
        ((fault,),) = m.ear.of("reply_faulted")
        assert fault.outcome is FaultOutcome.LATE
        assert fault.line.seconds == pytest.approx(2.0 + 1e-6)


async def test_a_late_line_about_another_state_is_late_too():
    """It is not ignored any more."""
    async with fake_match(limits=LIMITS["hand"]) as m:
        m.clock.pass_unnoticed(2.5)
        m.actor.say(b"nonsense\r\n")
        assert await m.ending() == OUT_OF_TIME
        ((fault,),) = m.ear.of("reply_faulted")
        assert fault.outcome is FaultOutcome.LATE


async def test_each_seat_is_waited_for_as_long_as_it_may_take():
    """Seat 2, first to act, has 2 s for an answer, seat 1 has 5."""
    slow, quick = TimeLimits(5.0, INF, INF), TimeLimits(2.0, INF, INF)
    async with fake_match(limits=(slow, quick)) as m:
        m.clock.advance(1.9)
        m.act(b"c")
        m.clock.advance(4.9)
        m.act(b"r300")
        m.clock.advance(1.0)
        m.actor.say(b"nonsense\r\n")
        m.clock.advance(1.999)
        assert m.playing
        m.clock.advance(0.001)
        assert await m.ending() == OUT_OF_TIME


async def test_time_adds_up_over_a_hand_and_starts_afresh_with_the_next():
    """Both of a seat's answers count, the other's do not."""
    async with fake_match(limits=LIMITS["hand"], hands=3) as m:
        for action in (b"c", b"c", b"c"):  # seats 2, 1, 1: 1 s each
            m.clock.advance(1.0)
            m.act(action)
        assert m.accounts.hand == [2.0, 1.0]
        m.clock.advance(1.0)
        m.act(b"r20000")
        m.act(b"f")
        assert (m.table.hand_id, m.accounts.hand) == (1, [0.0, 0.0])
        assert m.accounts.match == [2.0, 2.0]


async def test_lines_that_are_no_answer_renew_the_wait_but_not_the_budget():
    """Comments keep a seat alive as long as it has time left in the hand."""
    async with fake_match(limits=TimeLimits(2.0, 5.0, INF)) as m:
        for _ in range(2):
            m.clock.advance(1.9)
            m.actor.say(b"# thinking\r\n")
        assert m.playing
        m.clock.advance(1.19)
        assert m.playing
        m.clock.advance(0.01)
        assert await m.ending() == OUT_OF_TIME


async def test_an_answer_in_advance_costs_nothing():
    """It is charged from its question on, however long ago it was sent."""
    async with fake_match(limits=LIMITS["hand"]) as m:
        m.agents[0].say(b"MATCHSTATE:0:0:c:7d3d|:c\r\n")
        m.clock.advance(1.0)
        m.act(b"c")
        assert m.accounts.hand == [0.0, 1.0]


async def test_a_slow_reader_holds_the_match_and_nobody_else_is_charged():
    """The other's answer lies unread meanwhile; its time begins when the hold is over."""
    async with fake_match(limits=TimeLimits(INF, 2.0, INF)) as m:
        m.agents[1].stop_reading()
        m.act(b"c")
        assert m.match.phase is MatchPhase.ASKED_HELD
        m.clock.advance(30.0)
        m.act(b"c")
        assert m.table.state.betting == "c"
        m.agents[1].read_again()
        assert m.table.state.betting == "cc/"
        assert m.match.phase is MatchPhase.ASKED
        assert m.accounts.hand == [0.0, 0.0]


async def test_a_slow_reader_that_is_to_act_is_charged():
    """It has itself to thank for the time."""
    async with fake_match(limits=TimeLimits(INF, 2.0, INF)) as m:
        m.agents[0].stop_reading()
        m.act(b"c")
        assert m.match.phase is MatchPhase.ASKED_HELD
        m.agents[0].say(b"MATCHSTATE:0:0:c:7d3d|:c\r\n")
        m.clock.advance(1.5)
        assert m.accounts.hand == [0.0, 0.0]
        m.agents[0].read_again()
        assert m.accounts.hand == [1.5, 0.0]


async def test_a_slow_reader_holds_the_next_hand_back():
    """Its end must be read before another one is dealt."""
    async with fake_match() as m:
        m.agents[0].stop_reading()
        m.act(b"f")
        assert m.match.phase is MatchPhase.HAND_OVER_HELD
        assert m.table.hand_id == 0
        m.agents[0].read_again()
        assert (m.match.phase, m.table.hand_id) == (MatchPhase.ASKED, 1)


async def test_a_slow_reader_is_waited_for_as_long_as_it_may_take_itself():
    """However short the time of who is to act."""
    quick, slow = TimeLimits(1.0, INF, INF), TimeLimits(3.0, INF, INF)
    async with fake_match(limits=(quick, slow)) as m:
        m.agents[1].stop_reading()
        m.act(b"c")
        m.clock.advance(2.9)
        assert m.match.phase is MatchPhase.ASKED_HELD
        m.agents[1].read_again()
        m.clock.advance(0.9)
        m.act(b"c")
        assert m.table.state.betting == "cc/"


async def test_a_seat_that_never_reads_ends_its_match():
    """When the time for the next response is up."""
    async with fake_match(limits=LIMITS["response"]) as m:
        m.agents[0].stop_reading()
        m.act(b"c")
        m.clock.advance(2.0)
        end = await m.ending()
        assert end == MatchEnd(Ending.TIMEOUT, "could not send state to seat 1", 0)


async def test_a_seat_that_stops_reading_and_vanishes_is_noticed_at_once():
    """No limit has to run out first."""
    async with fake_match() as m:
        m.agents[1].stop_reading()
        m.act(b"c")
        m.agents[1].vanish()
        end = await m.ending()
        assert end == MatchEnd(Ending.DISCONNECT, "could not send state to seat 2", 1)
