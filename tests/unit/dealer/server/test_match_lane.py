"""What a match does with the lane: a scripted one, which plays no better than it is told."""

from collections.abc import Callable, Sequence

import pytest

from dealer.server.endings import Ending, MatchEnd, error_ending
from dealer.server.fast_lane import VisitEnd
from dealer.server.match import MatchPhase
from dealer.server.seat import Seat
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from protocol.actions import CALL, FOLD, Action
from tests.helpers.fake_match import FakeMatch

ASKED, STATE = b"MATCHSTATE:0:0:c:7d3d|", b"MATCHSTATE:1:0:c:|2hAc"
"""What both seats are sent after a call; the first is to act."""


class ScriptedLane:
    """Takes the first hand, plays some actions of it, and ends as it is told."""

    def __init__(self, actions: Sequence[Action], end: VisitEnd) -> None:
        self.table: Table
        self.left: Callable[[], None]
        self.playing = False
        self.visits = 0
        self.error: Exception | None = None
        self._actions = actions
        self._end = end

    def takes(self, seats: Sequence[Seat]) -> bool:
        return self.visits == 0

    def enter(
        self, seats: Sequence[Seat], accounts: TimeAccounts, left: Callable[[], None]
    ) -> None:
        self.left = left
        self.playing = True
        self.visits += 1

    def bring_back(self, seats: Sequence[Seat], accounts: TimeAccounts) -> VisitEnd:
        self.playing = False
        for action in self._actions:
            self.table.apply(action)
        if self.error is not None:
            raise self.error
        if self._end.sent > 0 and self.table.acting_seat < 0:
            self.table.result()
            self.table.settle()
        return self._end


async def begun(actions: Sequence[Action], end: VisitEnd, **settings: object) -> FakeMatch:
    """Return a match whose first hand is in the lane."""
    m = FakeMatch(**settings)
    m.lane = ScriptedLane(actions, end)
    m.lane.table = m.table
    await m.start()
    assert m.match.phase is MatchPhase.IN_LANE
    assert m.ear.heard == []
    assert [agent.lines for agent in m.agents] == [[], []]
    return m


async def test_a_seat_that_was_asked_is_waited_for():
    """From when it was asked on; nobody is sent the state once more."""
    m = await begun([CALL], VisitEnd(2, 0, asked_at=-3.0, asked_at_wall=100.0))
    m.lane.left()
    assert m.match.phase is MatchPhase.ASKED
    assert (m.match.turn.sent_at, m.table.acting_seat) == (-3.0, 0)
    assert [agent.lines for agent in m.agents] == [[], []]
    now = m.clock.monotonic()
    m.actor.say(ASKED + b":r300\r\n")
    assert m.accounts.match == [now + 3.0, 0.0]
    ((applied,),) = m.ear.of("action_applied")
    assert (applied.sent, applied.received) == (100.0, 100.0 + now + 3.0)
    await m.stop()


async def test_a_message_that_was_cut_is_sent_to_its_end():
    """The seats before have it already."""
    m = await begun([CALL], VisitEnd(1, 10))
    m.lane.left()
    assert m.match.phase is MatchPhase.ASKED
    assert [agent.connection.sent for agent in m.agents] == [b"", STATE[10:] + b"\r\n"]
    await m.stop()


async def test_an_action_that_nobody_was_shown_is_shown():
    """And a hand that it has ended is settled and told."""
    m = await begun([FOLD], VisitEnd(-1), hands=1)
    m.lane.left()
    assert await m.ending() == MatchEnd(Ending.FINISHED)
    assert [agent.lines[0][13:] for agent in m.agents] == [b"0:f:7d3d|", b"0:f:|2hAc"]
    assert m.table.totals == [50.0, -50.0]
    ((hand,),) = m.ear.of("hand_played")
    assert (hand.betting, hand.values, hand.names) == ("f", ("50", "-50"), ("Alice", "Bob"))


async def test_after_a_whole_hand_the_next_one_begins():
    """In the readable path, where the lane does not take it."""
    m = await begun([FOLD], VisitEnd(2, 0, 5.0, 5.0), hands=2)
    m.lane.left()
    assert m.match.phase is MatchPhase.ASKED
    assert (m.table.hand_id, m.table.finished_hands) == (1, 1)
    assert [event for event, *_ in m.ear.heard] == [
        "hand_closed",
        "hand_started",
        *["state_sent"] * 2,
    ]
    await m.stop()


async def test_a_newcomer_finds_the_match_off_the_lane():
    """It is shown where the hand stands; what the lane calls later does no harm."""
    m = await begun([CALL], VisitEnd(2, 0, 0.0, 0.0), reconnect_s=30)
    agent, taken = m.come_back(1)
    assert taken
    assert not m.lane.playing
    assert agent.lines == [STATE]
    m.lane.left()
    assert m.match.phase is MatchPhase.ASKED
    m.actor.say(ASKED + b":c\r\n")
    assert m.table.state.betting == "cc/"
    await m.stop()


async def test_whoever_ends_the_match_has_the_lane_left_first():
    """What it played is on the table."""
    m = await begun([CALL], VisitEnd(2, 0, 0.0, 0.0))
    m.match.interrupt("enough")
    assert await m.ending() == MatchEnd(Ending.INTERRUPTED, "enough")
    assert not m.lane.playing
    assert m.table.state.betting == "c"


@pytest.mark.parametrize("interrupted", [False, True])
async def test_a_lane_that_fails_ends_the_match(interrupted):
    """With its own words, also where somebody else was about to end it."""
    m = await begun([], VisitEnd(-1))
    m.lane.error = error_ending(Ending.ERROR, "full")
    if interrupted:
        m.match.interrupt("enough")
    else:
        m.lane.left()
    assert await m.ending() == MatchEnd(Ending.ERROR, "full")


async def test_an_observer_that_is_told_of_hands_may_stop_the_match():
    """Nothing is sent after that."""
    m = await begun([CALL], VisitEnd(-1))
    bring_back = m.lane.bring_back

    def interrupting(*arguments: object) -> VisitEnd:
        end = bring_back(*arguments)
        m.match.interrupt("enough")
        return end

    m.lane.bring_back = interrupting
    m.lane.left()
    assert await m.ending() == MatchEnd(Ending.INTERRUPTED, "enough")
    assert [agent.lines for agent in m.agents] == [[], []]
