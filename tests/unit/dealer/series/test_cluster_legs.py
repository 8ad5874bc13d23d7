"""Legs that workers play: taken, checked, and stopped."""

import asyncio
from concurrent.futures import Future
from dataclasses import replace

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.errors import MatchError
from dealer.series import cluster_legs
from dealer.series.cluster_legs import ClusterLegs
from dealer.series.leg_parcel import PlayedLeg, outcome_document
from dealer.series.leg_queue import LegQueue, run_queue
from dealer.series.leg_settings import LegSettings
from dealer.series.outcome import LegOutcome
from dealer.series.series import Series
from dealer.server.endings import Ending
from tests.helpers.workers import thread_workers

ROSTER = tuple(Participant(label, BotKind.SHIPPED, ("rule",)) for label in "AB")
PROGRAMS = tuple(Participant(label, BotKind.COMMAND, ("./bot",)) for label in "AB")


def log_of(leg, manifest):
    """Return a whole log of a leg that nobody wins."""
    hands = [f"STATE:{hand}:cc:Ks|Qs:0|0:A|B\n" for hand in range(manifest.hands)]
    return "".join(["#\n", *hands, "SCORE:0|0:A|B\n"]).encode()


@pytest.fixture
def play(make_manifest, tmp_path, monkeypatch):
    """Return a function that lets threads play a match, with given ways to play a leg."""

    def play(bots=ROSTER, *, there=log_of, here=log_of, watch=None, forge=lambda played: played):
        manifest = make_manifest(bots=bots, runs=2)
        settings = LegSettings(manifest, tmp_path, print)
        series = Series(manifest, tmp_path, -1, lambda *_: settings)

        def result(parcel, log):
            leg = next(leg for leg in manifest.legs() if leg.name == parcel.leg)
            outcome = outcome_document(LegOutcome(leg, Ending.FINISHED))
            return PlayedLeg(outcome, {f"{leg.name}.log": log(leg, manifest)})

        async def played(parcel, launcher, stop):
            await asyncio.sleep(0.05)  # other legs of the worker come while one is checked
            return result(parcel, here)

        monkeypatch.setattr(
            cluster_legs, "play_parcel", lambda parcel: forge(result(parcel, there))
        )
        monkeypatch.setattr(cluster_legs, "played", played)
        with thread_workers() as (cluster, _):
            play.cluster = cluster
            legs = ClusterLegs(cluster)
            asyncio.run(
                run_queue(
                    LegQueue(series),
                    jobs=0,
                    recruiting=legs.recruiting,
                    watch=watch,
                    watch_seconds=0.01,
                )
            )
        return [series.ended(leg).ending for leg in manifest.legs()]

    return play


def test_legs_of_workers_are_those_of_the_match(play, tmp_path):
    """Each is in the folder when it is over; the first of a worker was played here too."""
    assert play() == [Ending.FINISHED] * 4
    assert len([*tmp_path.glob("A.B.*.log")]) == 4
    assert play.cluster.tally.tasks.total() == 4
    assert len(play.cluster.tally.replayed) >= 1


def test_a_lie_stops_the_match(play, tmp_path):
    """The line has the leg and the place; nothing of its worker's is in the folder."""

    def lie(leg, manifest):
        return log_of(leg, manifest).replace(b"STATE:1:cc:Ks", b"STATE:1:cc:As")

    with pytest.raises(MatchError, match=r"sent another leg A\.B\.\S+ .* line 3 of its log on"):
        play(there=lie)
    assert not [*tmp_path.glob("*.log")]


@pytest.mark.parametrize("bots", [ROSTER, PROGRAMS])
@pytest.mark.parametrize(
    "forge",
    [
        lambda _: None,
        lambda played: replace(played, outcome={}),
        lambda played: replace(played, outcome={**played.outcome, "ending": "none"}),
        lambda played: replace(played, files=dict.fromkeys(played.files)),
    ],
)
def test_what_is_no_leg_stops_the_match(play, tmp_path, bots, forge):
    """In a line, also where nothing is played again."""
    with pytest.raises(MatchError, match=r"worker \S+ sent another leg A\.B\.\S+ "):
        play(bots, forge=forge)
    assert not [*tmp_path.glob("*.log")]


def test_a_lie_about_who_ended_a_leg_stops_the_match(play):
    """Though its log is true."""
    with pytest.raises(MatchError, match=r"sent another leg A\.B\.\S+ .*, by how it ended"):
        play(forge=lambda played: replace(played, outcome={**played.outcome, "bot": "A"}))


def test_legs_of_the_users_own_programs_are_not_played_again(play):
    """They may draw as they like."""
    assert play(PROGRAMS, here=lambda *_: b"") == [Ending.FINISHED] * 4
    assert not play.cluster.tally.replayed


def test_a_worker_that_cannot_is_told_in_a_line(play):
    """Its own traceback is in its own log."""

    def fail(leg, manifest):
        raise ValueError("no such thing\nat all")

    with pytest.raises(
        MatchError, match=r"^leg A\.B\.\S+: worker \S+ failed: ValueError: no such thing$"
    ):
        play(there=fail)


def test_a_leg_that_is_stopped_is_left_as_it_was(make_manifest, tmp_path):
    """What its worker still does is not waited for."""
    manifest = make_manifest(bots=ROSTER)

    class Busy:
        def __init__(self):
            self.future = Future()
            self.asked = asyncio.Event()

        def submit(self, *task):
            self.asked.set()
            return self.future

    async def main():
        busy, stop = Busy(), asyncio.Event()
        settings = LegSettings(manifest, tmp_path, print)
        playing = asyncio.create_task(ClusterLegs(busy).play(settings, manifest.legs()[0], stop))
        await busy.asked.wait()
        stop.set()
        return await playing, busy.future.cancelled()

    outcome, cancelled = asyncio.run(main())
    assert outcome.ending is Ending.INTERRUPTED
    assert cancelled
    assert not [*tmp_path.iterdir()]
