"""Who is told what, and what becomes of an observer that fails."""

import pytest

from dealer.server.endings import Ending, error_ending
from dealer.server.observers import MatchObserver, Observers
from tests.helpers.fake_match import EVENTS, Ear, FakeMatch, fake_match


def test_an_observer_hears_what_it_overrides_and_nothing_else():
    """Of the other events the match does not even know that it is there."""
    folds = type("Folds", (MatchObserver,), {"action_applied": lambda *_: None})
    observers = Observers([folds()])
    assert [event for event in EVENTS if len(getattr(observers, event))] == ["action_applied"]


def test_every_event_reaches_who_listens():
    """One list of listeners per event, none forgotten, in the order in which they were given."""
    told = []
    ears = [
        type(name, (MatchObserver,), {event: lambda self, e=event: told.append((type(self), e))
                                      for event in EVENTS})
        for name in ("One", "Other")
    ]  # fmt: skip
    observers = Observers([ear() for ear in ears])
    for event in EVENTS:
        for tell in getattr(observers, event):
            tell()
    assert told == [(ear, event) for event in EVENTS for ear in ears]


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


@pytest.mark.parametrize("error", [ValueError("oops"), error_ending(Ending.ERROR, "mine is over")])
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
