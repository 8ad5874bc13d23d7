"""Legs side by side, and stopping them."""

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.series.leg_queue import LegQueue, run_queue, shared_cores
from dealer.series.leg_settings import LegSettings
from dealer.series.series import Series
from dealer.server.endings import Ending

FAKE_DEALER = str(Path(__file__).parents[3] / "helpers" / "fake_dealer.py")


@pytest.fixture
def run(make_manifest, tmp_path, monkeypatch):
    """Return a function that plays a match with fake dealers."""
    monkeypatch.setattr("dealer.series.leg._BOT_END_SECONDS", 0.0)
    monkeypatch.setattr("dealer.series.leg._LOSER_END_SECONDS", 0.0)
    bots = tuple(
        Participant(label, BotKind.COMMAND, ("/bin/sh", "-c", "exec sleep 600")) for label in "AB"
    )
    manifest = make_manifest(bots=bots, runs=2)

    def play(what, *, legs=None, jobs=1, **options):
        settings = LegSettings(
            manifest, tmp_path, print, dealer=(sys.executable, "-S", "-E", FAKE_DEALER, what)
        )
        chosen = manifest.legs() if legs is None else legs

        async def main():
            async with asyncio.timeout(20):
                played = manifest if legs is None else replace(manifest, runs=len(legs))
                series = Series(played, tmp_path, -1, lambda *_: settings)
                queue = LegQueue(series) if legs is None or legs else LegQueue()
                await run_queue(queue, jobs=jobs, watch_seconds=0.05, **options)
                return [series.ended(leg) for leg in chosen]

        return asyncio.run(main())

    play.legs = manifest.legs()
    return play


@pytest.mark.parametrize("jobs", [1, 9])
def test_all_legs_are_played_and_reported_in_order(run, tmp_path, jobs):
    """However many go side by side."""
    calls = []
    outcomes = run("finish", jobs=jobs, watch=lambda: calls.append(1))
    assert [outcome.leg.name for outcome in outcomes] == [
        *("A.B.0.0", "A.B.0.1", "A.B.1.0", "A.B.1.1")
    ]
    assert {outcome.ending for outcome in outcomes} == {Ending.FINISHED}
    assert calls
    headers = [(tmp_path / f"{o.leg.name}.log").read_text().split("\n")[0] for o in outcomes]
    assert [header.split()[-1] for header in headers] == ["7", "7", "8", "8"]


def test_failed_leg_does_not_stop_the_others(run):
    """A crash is a result, never a hole."""
    outcomes = run("illegal:2", jobs=2)
    assert [outcome.ending for outcome in outcomes] == [Ending.ILLEGAL] * 4
    assert [outcome.bot for outcome in outcomes] == ["B", "A", "B", "A"]


def test_signal_stops_what_runs_and_begins_nothing_new(run, tmp_path):
    """What ran is interrupted, the rest is left for a resume; handlers are put back."""

    def watch():
        # Both dealers are there once both have bots, which open their output files.
        if len(list(tmp_path.glob("*.player1.std"))) == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    outcomes = run("wait", jobs=2, watch=watch)
    assert signal.getsignal(signal.SIGTERM) is before
    assert [(outcome.ending, outcome.detail) for outcome in outcomes] == [
        (Ending.INTERRUPTED, "it was interrupted"),
        (Ending.INTERRUPTED, "it was interrupted"),
        (Ending.INTERRUPTED, "not begun"),
        (Ending.INTERRUPTED, "not begun"),
    ]
    assert json.loads((tmp_path / "A.B.0.0.end.json").read_text())["ending"] == "interrupted"


def test_nothing_to_play_is_no_error(run):
    """A finished match may be resumed to see its table again."""
    assert run("finish", legs=()) == []


def test_error_while_watching_ends_all_processes(run, tmp_path):
    """A bug of ours stops the match, in good order, and is not hidden."""

    def watch():
        raise RuntimeError("boom")

    with pytest.raises(ExceptionGroup) as caught:
        run("wait", watch=watch)
    assert str(caught.value.exceptions[0]) == "boom"


def test_a_leg_whose_turn_did_not_come_tells_what_it_has(run, tmp_path):
    """A leg with hands was begun, in an earlier call."""
    (tmp_path / "A.B.1.1.log").write_text("STATE:0:\nSTATE:1:\n")

    def watch():
        if len(list(tmp_path.glob("*.player1.std"))) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    outcomes = run("wait", watch=watch)
    assert [outcome.detail for outcome in outcomes] == [
        "it was interrupted",
        "not begun",
        "not begun",
        "not resumed after 2 hands",
    ]


def test_a_signal_that_is_ignored_stays_so(run):
    """Under nohup a terminal that goes away is no reason to stop."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        outcomes = run("finish", watch=lambda: os.kill(os.getpid(), signal.SIGHUP))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert {outcome.ending for outcome in outcomes} == {Ending.FINISHED}


@pytest.mark.parametrize(
    ("kinds", "at_once", "wanted", "kept"),
    [
        ("shipped shipped", 2, None, True),
        ("shipped shipped", 4, None, True),
        ("shipped shipped", 1, None, False),
        ("shipped command", 2, None, False),
        ("shipped shipped", 2, False, False),
        ("listen command", 1, True, True),
    ],
)
def test_shipped_bots_that_take_all_cores_are_kept_in_place(
    monkeypatch, kinds, at_once, wanted, kept
):
    """Not beside another match on cores that are free, nor programs that may have many threads."""
    monkeypatch.setattr("dealer.series.leg_queue.CAN_PIN", True)
    monkeypatch.setattr("dealer.series.leg_queue.core_count", lambda: 2)
    monkeypatch.setattr("dealer.series.leg_queue.usable_cores", lambda: [3, 5])
    bots = [Participant(str(i), BotKind(kind)) for i, kind in enumerate(kinds.split())]
    assert shared_cores(bots, at_once=at_once, wanted=wanted) == ((3, 5) if kept else ())
