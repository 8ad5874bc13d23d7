"""One leg, with a dealer that plays no poker but ends in every possible way."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.bots.processes import ProcessLauncher
from dealer.plan.command_line import command_words
from dealer.series.leg import play_leg
from dealer.series.leg_settings import LegSettings, leg_plan
from dealer.server.endings import Ending
from dealer.server.waits import Wait
from tests.helpers.said import says, says_in_a_line

FAKE_DEALER = str(Path(__file__).parents[3] / "helpers" / "fake_dealer.py")


def shell(label, script):
    """A bot that runs a shell script; "exit" ones do so at once."""
    return Participant(label, BotKind.COMMAND, ("/bin/sh", "-c", script, "sh"))


WAITS = "exec sleep 600"
DEALER_IS_OVER = "until [ -e A.B.0.0.end.json ]; do sleep 0.01; done"


def play(manifest, folder, what, *, stop_after=None, stop_when=None, seating=0, **options):
    """Play one leg, or some of it; return the outcome and what the user was told."""
    said = []
    (folder / manifest.game_name).write_text(manifest.game_text)
    settings = LegSettings(
        manifest,
        folder,
        said.append,
        dealer=(sys.executable, "-S", "-E", FAKE_DEALER, what),
        **options,
    )

    async def main():
        stop = asyncio.Event()
        if stop_after is not None:
            asyncio.get_running_loop().call_later(stop_after, stop.set)
        if stop_when is not None:
            stop_once(stop_when, stop)
        async with asyncio.timeout(20), ProcessLauncher() as launcher:
            return await play_leg(settings, manifest.legs()[seating], launcher, stop)

    return asyncio.run(main()), said


def stop_once(happened, stop):
    """Set an event once a function says so."""
    if happened():
        stop.set()
    else:
        asyncio.get_running_loop().call_later(0.02, stop_once, happened, stop)


@pytest.fixture
def waiting(make_manifest):
    """A match of two bots that do nothing."""
    return make_manifest(bots=(shell("A", WAITS), shell("B", WAITS)))


@pytest.fixture
def hasty(monkeypatch):
    """Patience of tests."""
    monkeypatch.setattr("dealer.series.leg._DEALER_NOTICE_SECONDS", 0.1)
    monkeypatch.setattr("dealer.series.leg._BOT_END_SECONDS", 0.3)
    monkeypatch.setattr("dealer.series.leg._LOSER_END_SECONDS", 0.0)
    monkeypatch.setattr("dealer.series.leg._DEALER_STOP_SECONDS", 0.3)
    monkeypatch.setattr("dealer.series.leg.DEALER_START_SECONDS", 10.0)
    monkeypatch.setattr("dealer.bots.processes._SIGTERM_WAIT_SECONDS", 0.3)


@pytest.fixture
def patient(hasty, monkeypatch):
    """Time for dealer and bot to end in either order, however busy the machine is."""
    monkeypatch.setattr("dealer.series.leg._DEALER_NOTICE_SECONDS", 10.0)
    monkeypatch.setattr("dealer.series.leg._BOT_END_SECONDS", 60.0)


pytestmark = pytest.mark.usefixtures("hasty")


def test_finished_leg(waiting, tmp_path):
    """A log with a score is a finished leg; bots that stay are ended; empty files go."""
    outcome, said = play(waiting, tmp_path, "finish", seating=1)
    assert outcome.ending is Ending.FINISHED
    assert outcome.detail == ""
    assert outcome.warnings == (("B", (("ignored: stale", 2),)),)
    assert said == []
    assert {path.name for path in tmp_path.iterdir()} == {
        "A.B.0.1.log",
        "A.B.0.1.end.json",
        waiting.game_name,
    }


@pytest.mark.parametrize(
    ("ending", "seat", "bot"), [("timeout", 1, "B"), ("illegal", 1, "B"), ("timeout", 9, None)]
)
def test_dealers_verdict_is_told_by_the_bots_name(waiting, tmp_path, ending, seat, bot):
    """The seat is the dealer's word, the label the user's; a seat that there is not has none."""
    outcome, _ = play(waiting, tmp_path, f"{ending}:{seat}", seating=1)
    assert outcome.ending.value == ending
    assert (outcome.bot, outcome.detail) == (bot, f"it was {ending}")


def test_disconnect_of_a_bot_that_died_is_a_crash(make_manifest, tmp_path, patient):
    """Its exit status and the end of its error output are in the result."""
    script = f"echo first; {DEALER_IS_OVER}; echo last words >&2; exit 4"
    manifest = make_manifest(bots=(shell("A", WAITS), shell("B", script)))
    (tmp_path / "A.B.0.0.player1.err").write_text("from an earlier leg\n")
    outcome, _ = play(manifest, tmp_path, "disconnect:2")
    assert (outcome.ending, outcome.bot) == (Ending.CRASH, "B")
    says(outcome.detail, "B ended", "status 4", "disconnect")
    assert outcome.stderr == ("last words",)
    assert (tmp_path / "A.B.0.0.player1.std").read_text() == "first\n"


def test_disconnect_by_a_bot_that_ended_well_stays_a_disconnect(make_manifest, tmp_path, patient):
    """Exit status 0 is no crash."""
    manifest = make_manifest(bots=(shell("A", WAITS), shell("B", DEALER_IS_OVER)))
    outcome, _ = play(manifest, tmp_path, "disconnect:2")
    assert (outcome.ending, outcome.bot) == (Ending.DISCONNECT, "B")


@pytest.mark.parametrize(
    ("script", "ending", "fact"),
    [
        ("echo no model >&2; exit 2", Ending.CRASH, "status 2"),
        ("kill -9 $$", Ending.CRASH, "SIGKILL"),
        ("echo no model >&2", Ending.DISCONNECT, "status 0"),
    ],
)
def test_bot_that_ends_before_it_connects_fails_fast(make_manifest, tmp_path, script, ending, fact):
    """The dealer would wait for it; we know that nobody will come."""
    manifest = make_manifest(bots=(shell("A", script), shell("B", WAITS)))
    outcome, _ = play(manifest, tmp_path, "wait")
    assert (outcome.ending, outcome.bot) == (ending, "A")
    assert not outcome.refused
    says(outcome.detail, fact)
    assert outcome.stderr == (("no model",) if "echo" in script else ())


def test_bot_in_the_background_is_left_to_the_dealers_patience(make_manifest, tmp_path):
    """A start script may end while the bot it started goes on."""
    manifest = make_manifest(bots=(shell("A", "sleep 600 &"), shell("B", WAITS)))
    outcome, _ = play(manifest, tmp_path, "timeout:1")
    assert outcome.ending is Ending.TIMEOUT


def test_missing_program_is_a_crash_with_its_reason(make_manifest, tmp_path):
    """It may have been removed since the arguments were checked."""
    manifest = make_manifest(
        bots=(Participant("A", BotKind.COMMAND, ("./gone",)), shell("B", WAITS))
    )
    outcome, _ = play(manifest, tmp_path, "wait")
    assert outcome.ending is Ending.CRASH
    assert "gone" in outcome.stderr[-1]


def test_recover_starts_a_bot_again_until_it_is_hopeless(make_manifest, tmp_path):
    """Without any progress the third restart is the last."""
    manifest = make_manifest(bots=(shell("A", "echo again >> tries; exit 1"), shell("B", WAITS)))
    outcome, said = play(manifest, tmp_path, "wait", recover=True)
    assert (outcome.ending, outcome.restarts) == (Ending.CRASH, 3)
    assert (tmp_path / "tries").read_text() == "again\n" * 4
    assert len(said) == 3
    for line in said:
        says(line, "A.B.0.0: A", "status 1", "again")


def test_stop_lets_the_dealer_finish_its_files(make_manifest, tmp_path, monkeypatch):
    """It gets SIGINT and writes how it ended."""
    monkeypatch.setattr("dealer.series.leg._DEALER_STOP_SECONDS", 10.0)
    manifest = make_manifest(bots=(shell("A", f"touch here; {WAITS}"), shell("B", WAITS)))
    outcome, _ = play(manifest, tmp_path, "wait", stop_when=(tmp_path / "here").exists)
    assert (outcome.ending, outcome.detail) == (Ending.INTERRUPTED, "it was interrupted")
    assert outcome.bot is None


@pytest.mark.parametrize("what", ["stubborn", "silent"])
def test_stop_does_not_wait_for_a_stuck_dealer(waiting, tmp_path, what):
    """Neither for one that ignores the signal nor for one that has not begun."""
    outcome, _ = play(waiting, tmp_path, what, stop_after=0.3)
    assert outcome.ending is Ending.INTERRUPTED


def test_dealer_that_never_says_its_ports_is_an_error(waiting, tmp_path, monkeypatch):
    """Bounded, like every wait."""
    monkeypatch.setattr("dealer.series.leg.DEALER_START_SECONDS", 0.3)
    outcome, _ = play(waiting, tmp_path, "silent")
    assert (outcome.ending, outcome.bot) == (Ending.ERROR, None)


@pytest.mark.parametrize(
    ("what", "why"), [("fail", "status 1"), ("vanish", "SIGKILL"), ("odd:2", "status 1")]
)
def test_dealer_that_fails_is_an_error_and_shows_why(waiting, tmp_path, what, why):
    """One line, and its error output; a summary of an earlier run or a damaged one is none."""
    (tmp_path / "A.B.0.0.end.json").write_text('{"ending": "finished", "seat": null}')
    outcome, _ = play(waiting, tmp_path, what)
    assert outcome.ending is Ending.ERROR
    says_in_a_line(f"{outcome.detail}\n", "dealer", why)
    assert what != "fail" or outcome.stderr == ("ERROR: could not open log file",)


def test_folder_that_cannot_be_written_is_an_error(waiting, tmp_path):
    """A result, not a traceback."""
    (tmp_path / "A.B.0.0.err").mkdir()
    outcome, _ = play(waiting, tmp_path, "finish")
    assert outcome.ending is Ending.ERROR
    assert "cannot start" in outcome.detail


def test_listening_bots_are_announced_and_not_started(make_manifest, tmp_path):
    """With the address the dealer was told to listen on."""
    manifest = make_manifest(
        bots=(Participant("me", BotKind.LISTEN, (), 4000), shell("B", WAITS)),
        dealer_options=(("listen", "0.0.0.0"),),
    )
    outcome, said = play(manifest, tmp_path, "finish")
    assert outcome.ending is Ending.FINISHED
    assert said == ["me: connect to 0.0.0.0 port 1 (leg me.B.0.0, seat 1)"]


class Waits(dict):
    """By leg, says whom it waits for."""

    last = None

    def seen(self):
        """Return whether somebody waits; keep what was last waited for."""
        found = [(leg, wait) for leg, view in self.items() if (wait := view()) is not None]
        self.last = found[-1] if found else self.last
        return bool(found)


def test_leg_tells_whom_its_dealer_waits_for(waiting, tmp_path):
    """While it waits, and, when the user has enough, in the result."""
    waits = Waits()
    outcome, _ = play(waiting, tmp_path, "tell", waits=waits, stop_when=waits.seen)
    since = waits.last[1].since
    wait = Wait("B (seat 2, port 2)", "to act in hand 3", since, None, "--t_hand", True)
    assert waits.last == ("A.B.0.0", wait)
    assert waits == {}
    assert outcome.ending is Ending.INTERRUPTED
    says(outcome.detail, "interrupted", wait.who, wait.what, "no time limit")
    assert re.search(r" for [0-9]+ s\b", outcome.detail)


def test_leg_tells_that_its_dealer_is_slow_to_start(waiting, tmp_path, monkeypatch):
    """With the limit of that, which is longer where much must be played again."""
    monkeypatch.setattr("dealer.series.leg._UNTOLD_START_SECONDS", 0.0)
    monkeypatch.setattr("dealer.series.leg._REPLAYED_BYTES_PER_SECOND", 10)
    (tmp_path / "A.B.0.0.tlog").write_bytes(b"x" * 1000)
    waits = Waits()
    outcome, _ = play(waiting, tmp_path, "silent", waits=waits, stop_when=waits.seen)
    wait = waits.last[1]
    assert (wait.who, wait.what) == ("the dealer", "to start")
    assert wait.until - wait.since == pytest.approx(110.0)
    assert outcome.ending is Ending.INTERRUPTED
    says(outcome.detail, "interrupted", wait.who, wait.what)


GOES_AWAY = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open("new", "w") as file:
            print(os.getpid(), file=file)
        os.rename("new", "pid")
        time.sleep(600)
    os._exit(0)
while not os.path.exists("pid"):
    time.sleep(0.01)
"""
"""A bot that leaves a helper behind in a session of its own, and ends."""


def lives(pid):
    """Whether a process is there, and not only waited for."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_helpers_in_other_sessions_end_with_the_leg(make_manifest, tmp_path):
    """However they have gone away; those of another leg stay."""
    bots = (
        Participant("A", BotKind.COMMAND, (sys.executable, "-S", "-E", "-c", GOES_AWAY)),
        shell("B", WAITS),
    )
    other = subprocess.Popen(["sleep", "600"], env={**os.environ, "ARENA_LEG": "of.another"})
    outcome, _ = play(make_manifest(bots=bots), tmp_path, "wait")
    assert outcome.bot == "A"
    pid = int((tmp_path / "pid").read_text())
    assert not lives(pid)
    assert other.poll() is None
    other.kill()
    other.wait()


def test_bot_that_talks_without_end_fills_no_disk(make_manifest, tmp_path, monkeypatch):
    """Its files are cut while it talks; its last words are kept."""
    monkeypatch.setattr("dealer.series.leg._BOT_END_SECONDS", 240.0)
    much = "yes much | head -c"
    cut = (
        f"until [ $(stat -Lc %s /proc/self/fd/2) -lt 7000000 ]; do {much} 500000; sleep 0.05; done"
    )
    talks = f"{{ {much} 20000000; {cut}; echo last words; }} >&2; exit 4"
    manifest = make_manifest(bots=(shell("A", WAITS), shell("B", talks)))
    outcome, _ = play(manifest, tmp_path, "disconnect:2")
    assert outcome.stderr[-1] == "last words"
    text = (tmp_path / "A.B.0.0.player1.err").read_bytes()
    assert len(text) < 7 << 20
    assert text.startswith(b"much\n")
    assert re.search(rb"\n\[arena match left out [0-9,]+ bytes here\]\nmuch\n", text)


def test_shipped_bot_that_does_not_accept_its_options_is_told_apart(make_manifest, tmp_path):
    """It is not started again: no leg can be played with it."""
    manifest = make_manifest(
        bots=(Participant("A", BotKind.SHIPPED, ("rule", "--foo")), shell("B", WAITS))
    )
    outcome, said = play(manifest, tmp_path, "wait", recover=True)
    assert outcome.refused
    assert (outcome.bot, outcome.restarts, said) == ("A", 0, [])
    assert "unrecognized arguments: --foo" in outcome.stderr[-1]


COMPILES = """
import os, socket, sys, time
line = socket.socket(fileno=int(sys.argv[2]))
line.send(b"compiling\\n")
open("compiling", "w").close()
while not os.path.exists("compiled"):
    time.sleep(0.01)
line.send(b"ready\\n")
open("hearing", "wb").write(line.recv(100))
os.rename("hearing", "told")
time.sleep(600)
"""


@pytest.fixture
def compiling(make_manifest, monkeypatch, tmp_path):
    """A match of a shipped bot, for which a small program stands, and one that does nothing."""
    (tmp_path / "agent.py").write_text(COMPILES)
    program = (sys.executable, "-S", "-E", str(tmp_path / "agent.py"))
    monkeypatch.setattr(
        "dealer.bots.programs.launch_command",
        lambda bot, host, port, **_: (
            [*program, host, str(port)] if bot.kind is BotKind.SHIPPED else ["/bin/sh", "-c", WAITS]
        ),
    )
    return make_manifest(bots=(Participant("A", BotKind.SHIPPED, ("rule",)), shell("B", WAITS)))


def test_a_shipped_bot_is_compiled_before_the_dealer_starts(compiling, tmp_path):
    """The user is told, once; then the bot hears where to sit down."""

    def compiled():
        if (tmp_path / "compiling").exists() and not (tmp_path / "compiled").exists():
            assert not (tmp_path / "A.B.0.0.err").exists()  # there is no dealer
            (tmp_path / "compiled").touch()
        return (tmp_path / "told").exists()

    outcome, said = play(compiling, tmp_path, "wait", stop_when=compiled)
    assert outcome.ending is Ending.INTERRUPTED
    assert (tmp_path / "told").read_text() == "127.0.0.1 1\n"
    says_in_a_line(f"{said.pop()}\n", "A", "compiling")
    assert not said


def test_stopped_while_a_bot_is_compiled(compiling, tmp_path):
    """It is told what was waited for; the compiler is ended, and no dealer was started."""
    waits = {}
    outcome, _ = play(
        compiling,
        tmp_path,
        "fail",
        stop_when=lambda: (tmp_path / "compiling").exists(),
        waits=waits,
    )
    assert outcome.ending is Ending.INTERRUPTED
    says(outcome.detail, "A", "compiling", "first start, 1 of 1")
    assert not waits


def test_bots_start_in_the_folder_of_the_user(make_manifest, tmp_path):
    """Not in the match folder; they get host and port last."""
    (tmp_path / "user").mkdir()
    manifest = make_manifest(
        bots=(shell("A", 'echo "$@" > told'), shell("B", WAITS)),
        working_directory=str(tmp_path / "user"),
        dealer_options=(("listen", "0.0.0.0"),),
    )
    play(manifest, tmp_path, "wait")
    assert (tmp_path / "user" / "told").read_text() == "127.0.0.1 1\n"


def test_dealer_gets_all_that_the_match_needs(make_manifest, tmp_path):
    """In the words of the original dealer, with our additions."""
    manifest = make_manifest(
        bots=(Participant("me", BotKind.LISTEN, (), 4000), shell("B", WAITS)),
        dealer_options=(("t_hand", -1), ("invalid", "fold")),
    )
    settings = LegSettings(manifest, tmp_path, print, events=True)
    game = manifest.game_name
    assert command_words(leg_plan(settings, manifest.legs()[1])) == [
        *("me.B.0.1", game, "4", "env:ARENA_DEAL_SEED", "B", "me"),
        *("-T", "-a", "-p", "0,4000", "-q", "--t_hand", "-1", "--start_timeout", "600000"),
        *("--invalid", "fold", "--events", "me.B.0.1.events.jsonl"),
        *("--summary", "me.B.0.1.end.json", "--ending-codes"),
    ]


def test_own_programs_have_less_time_to_connect_than_guests(make_manifest, tmp_path):
    """A person needs minutes, a program compiles at worst; the user's word goes first."""
    leg = make_manifest().legs()[0]
    plan = leg_plan(LegSettings(make_manifest(), tmp_path, print), leg)
    assert (plan.match.limits.start_timeout, plan.ports) == (120000, ())
    manifest = make_manifest(dealer_options=(("start_timeout", 5),))
    plan = leg_plan(LegSettings(manifest, tmp_path, print), leg)
    assert plan.match.limits.start_timeout == 5
