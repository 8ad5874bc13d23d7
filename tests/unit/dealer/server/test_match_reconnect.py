"""Seats that go and come back in mid-match."""

import math

import pytest

from dealer.server.endings import Ending, MatchEnd, error_ending
from dealer.server.match import MatchPhase
from dealer.server.time_limits import TimeLimits
from tests.helpers.fake_match import fake_match
from tests.helpers.said import says


async def test_a_newcomer_takes_over_the_seat_and_is_shown_the_state():
    """The old connection is dropped, the wait for it is over; others are refused, play goes on."""
    async with fake_match(reconnect_s=30) as m:
        m.act(b"c")
        old = m.agents[0]
        old.vanish()
        assert m.ear.of("seat_lost") == [(0, 0)]
        assert m.clock.pending == [m.clock.now + 30]
        new, taken = m.come_back(0)
        assert taken
        assert old.transport.aborted
        assert m.clock.pending == []
        assert m.ear.of("seat_reconnected") == [(0, 0)]
        m.send_away(0, error_ending(Ending.MALFORMED, "no version: hello", 0))
        assert m.ear.of("newcomer_refused") == [(0, "no version: hello")]
        assert new.lines == [b"MATCHSTATE:0:0:c:7d3d|"]
        m.act(b"c")
        assert m.table.state.betting == "cc/"


async def test_an_old_connection_is_not_listened_to_any_more():
    """Neither what it says nor that it ends matters."""
    async with fake_match(reconnect_s=30) as m:
        old = m.agents[1]
        _, taken = m.come_back(1)
        assert taken
        old.answer(b"f")
        old.vanish()
        assert (m.table.state.betting, m.ear.of("seat_lost")) == ("", [])


@pytest.mark.parametrize("how", ["vanish", "end of stream"])
async def test_a_seat_that_stays_away_is_given_up(how):
    """When its time is over, and not before; it counts from the first that was noticed."""
    async with fake_match(reconnect_s=30) as m:
        if how == "vanish":
            m.actor.vanish()
        else:
            m.actor.seat.eof_received()
        m.clock.advance(29.9)
        assert m.playing
        m.clock.advance(0.1)
        end = await m.ending()
        assert (end.ending, end.seat) == (Ending.DISCONNECT, 1)
        says(end.detail, "seat 2", "back")
        assert m.ear.of("seat_lost") == [(1, 0)]


async def test_a_state_that_cannot_be_sent_starts_the_wait():
    """The hand continues without the seat as long as it is not to act."""
    async with fake_match(reconnect_s=30) as m:
        m.agents[0].connection.broken = True
        m.act(b"f")
        assert m.ear.of("seat_lost") == [(0, 0)]
        assert m.table.hand_id == 1
        assert m.playing


async def test_the_response_limit_goes_on_for_a_lost_seat():
    """Coming back takes the seat's own time."""
    async with fake_match(reconnect_s=30, limits=TimeLimits(2.0, 2.0, 2.0)) as m:
        m.actor.vanish()
        m.clock.advance(2.0)
        end = await m.ending()
        assert end == MatchEnd(Ending.TIMEOUT, "seat 2 ran out of time", 1)


async def test_nobody_takes_over_when_the_match_is_over():
    """The newcomer is sent away by whoever let it in."""
    async with fake_match(reconnect_s=30, hands=1) as m:
        m.act(b"f")
        _, taken = m.come_back(0)
        assert not taken
        assert m.ear.of("seat_reconnected") == []


async def test_nobody_pays_for_a_slow_reader_that_is_taken_over():
    """The held state is gone with its connection; the other, who had answered, paid nothing."""
    async with fake_match(reconnect_s=30, limits=TimeLimits(4.0, 1.5, math.inf)) as m:
        m.agents[1].stop_reading()
        m.act(b"c", b"c")
        assert m.match.phase is MatchPhase.ASKED_HELD
        m.clock.advance(2.0)
        new, _ = m.come_back(1)
        assert new.lines[0] == b"MATCHSTATE:1:0:c:|2hAc"
        assert (m.match.phase, m.table.state.betting) == (MatchPhase.ASKED, "cc/")
        assert m.accounts.hand == [0.0, 0.0]


async def test_a_seat_that_is_to_act_pays_until_it_is_taken_over():
    """Whether it did not answer or did not read: its question is as old as it was."""
    for slow in (False, True):
        async with fake_match(reconnect_s=30) as m:
            if slow:
                m.agents[0].stop_reading()
            m.act(b"c")
            m.clock.advance(2.0)
            m.come_back(0)
            m.clock.advance(1.0)
            m.act(b"c")
            assert m.accounts.hand == [3.0, 0.0]


async def test_slowness_that_was_taken_over_is_forgotten():
    """A later hold is counted anew: whoever is to act then pays nothing for another's."""
    async with fake_match(reconnect_s=30) as m:
        m.agents[0].stop_reading()
        m.act(b"c")
        assert m.match.phase is MatchPhase.ASKED_HELD
        m.come_back(0)
        m.agents[1].stop_reading()
        m.act(b"c", b"c")  # the flop begins with seat 1
        m.clock.advance(2.0)
        m.agents[1].read_again()
        assert m.accounts.hand == [0.0, 0.0]
