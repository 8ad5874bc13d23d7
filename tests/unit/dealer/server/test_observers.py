"""Who is told what, and what becomes of an observer that fails."""

import asyncio
from itertools import islice

import pytest

from dealer.server.endings import Ending, MatchEnd, MatchStopped, stopped
from dealer.server.observers import AppliedAction, HandStart, MatchObserver, Observers
from engine.rules.view import visible_board
from tests.helpers.fake_match import EVENTS, Ear, FakeMatch, fake_match, in_loop


def test_an_observer_hears_what_it_overrides_and_nothing_else():
    """Of the other events the match does not even know that it is there."""

    class Folds(MatchObserver):
        def action_applied(self, applied):
            pass

    observers = Observers([Folds()])
    listeners = {event: len(getattr(observers, event)) for event in EVENTS}
    assert {event for event, count in listeners.items() if count} == {"action_applied"}


def test_every_event_reaches_who_listens():
    """One list of listeners per event, none forgotten."""
    ear = Ear()
    observers = Observers([ear])
    for event in EVENTS:
        for tell in getattr(observers, event):
            tell()
    assert ear.heard == [(event,) for event in EVENTS]


@in_loop
async def test_all_observers_hear_the_same_time_of_an_event():
    """The clock is read once for it, however long the first of them takes."""

    class Slow(Ear):
        def state_sent(self, seat, when, message):
            super().state_sent(seat, when, message)
            m.clock.pass_unnoticed(0.001)

        def line_received(self, seat, when, raw):
            super().line_received(seat, when, raw)
            m.clock.pass_unnoticed(0.001)

        def hands_finished(self, when):
            super().hands_finished(when)
            m.clock.pass_unnoticed(0.001)

    slow = Slow()
    m = FakeMatch(slow, hands=1, reconnect_s=30)
    await m.start()
    m.actor.say(b"# a comment\r\n")
    m.come_back(0)
    m.act(b"f")
    assert (await m.ending()).ending is Ending.FINISHED
    timed = ("state_sent", "line_received", "hands_finished")
    assert len(slow.of(*timed)) == 8
    assert slow.of(*timed) == m.ear.of(*timed)
    await m.stop()


@pytest.mark.parametrize("error", [ValueError("oops"), stopped(Ending.ERROR, "mine is over")])
@in_loop
async def test_a_spectators_failure_is_its_own(error):
    """It is told nothing more, the others learn of it once, and the match goes on."""

    class Fragile(MatchObserver):
        calls = 0

        def action_applied(self, applied):
            self.calls += 1
            raise error

        hand_closed = action_applied

    fragile = Fragile()
    async with fake_match(fragile) as m:
        m.act(b"f", b"f")
        assert (await m.ending()).ending is Ending.FINISHED
        assert fragile.calls == 1
        assert m.ear.of("observer_failed") == [(fragile, error)]


def test_observers_that_fail_at_the_failure_of_another():
    """Each fails once; nothing comes out of it."""
    reported = []

    class Touchy(MatchObserver):
        def still_waiting(self, what):
            raise ValueError

        def observer_failed(self, observer, error):
            reported.append(self)
            raise ValueError

    observers = Observers([Touchy(), Touchy()])
    for tell in observers.still_waiting:
        tell("nothing")
    assert len(reported) == 1


def test_a_failure_does_not_silence_an_observer_that_compares_equal():
    """Only the one that raised is left out."""
    heard = []

    class Same(MatchObserver):
        def __init__(self, sound):
            self.sound = sound

        def __eq__(self, other):
            return True

        def still_waiting(self, what):
            if not self.sound:
                raise ValueError
            heard.append(what)

    observers = Observers([Same(sound=False), Same(sound=True)])
    for what in ("seat 1", "seat 2"):
        for tell in observers.still_waiting:
            tell(what)
    assert heard == ["seat 1", "seat 2"]


def test_a_required_observer_is_not_protected():
    """What it raises goes through to the match."""

    class Log(MatchObserver):
        required = True

        def match_over(self, end):
            raise stopped(Ending.ERROR, "full")

    (tell,) = Observers([Log()]).match_over
    with pytest.raises(MatchStopped):
        tell(MatchEnd(Ending.FINISHED))


class Spectator(MatchObserver):
    """Shows a match to somebody who may be slow: a bounded queue, and a count of what it lost."""

    def __init__(self, room: int) -> None:
        self.queue: asyncio.Queue[str] = asyncio.Queue(room)
        self.dropped = 0
        self._hand: HandStart | None = None

    def hand_started(self, hand: HandStart) -> None:
        self._hand = hand
        self._show(f"hand {hand.hand_id}")

    def action_applied(self, applied: AppliedAction) -> None:
        board = visible_board(applied.state, self._hand.deal)
        self._show(f"seat {applied.seat + 1} {applied.action.text}, {len(board)} board cards")

    def _show(self, text: str) -> None:
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.dropped += 1

    def seen(self) -> list[str]:
        return [self.queue.get_nowait() for _ in range(self.queue.qsize())]


@in_loop
async def test_a_spectator_with_a_bounded_queue_watches_a_match():
    """It needs nothing but the seam: no line of the match knows it."""
    spectator = Spectator(room=100)
    async with fake_match(spectator, hands=1) as m:
        m.act(b"c", b"c", b"r200", b"f")
        await m.ending()
    assert spectator.seen() == [
        "hand 0",
        "seat 2 c, 0 board cards",
        "seat 1 c, 3 board cards",
        "seat 1 r200, 3 board cards",
        "seat 2 f, 3 board cards",
    ]


@in_loop
async def test_a_spectator_that_does_not_look_loses_sights_not_the_match():
    """What finds no room is dropped and counted; the players notice nothing."""
    spectator = Spectator(room=3)
    async with fake_match(spectator, hands=10) as m:
        for _ in islice(iter(lambda: m.playing, False), 10):
            m.act(b"f")
        assert (await m.ending()).ending is Ending.FINISHED
    assert (spectator.seen(), spectator.dropped) == (
        ["hand 0", "seat 2 f, 0 board cards", "hand 1"],
        17,
    )
