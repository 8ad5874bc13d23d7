"""What each of many matches is told, what is refused, and what of one match concerns no other."""

import resource
import signal

import pytest

from dealer.plan.command_line import plan_from
from dealer.plan.match_plan import LaneMode, Records
from dealer.plan.options import UsageError
from dealer.server import hosting
from dealer.server.dealer_command import main
from dealer.server.endings import Ending, error_ending
from dealer.server.hosting import HostedMatch, hosted_matches
from dealer.server.match_run import MatchRun
from tests.helpers.said import refused

WORDS = ("m", "hunl", "3", "42", "A", "B")


def hosted(*argv: str, seed: str = "42") -> list[HostedMatch]:
    words = [*WORDS[:3], seed, *WORDS[4:], *argv]
    return hosted_matches(plan_from(words, {}, lambda game: 2))


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Return how to have matches end in a certain way each; gives exit code, and what was seen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    lanes: list[LaneMode] = []

    def run(endings, *options: str) -> int:
        async def end(run: MatchRun) -> None:
            lanes.append(run._plan.lane)
            if error := endings[int(run.name[2:])]:
                raise error

        monkeypatch.setattr(MatchRun, "play", end)
        return main([*WORDS, "-q", "--serve", str(len(endings)), *options])

    run.lanes = lanes
    return run


def test_each_match_has_its_own_name_seed_and_files():
    """Counted from 0; files that are named get the number before their suffix."""
    matches = hosted("--serve", "2", "--summary", "end.json", "--events", "logs.d/e", "-q", "-T")
    one, two = (match.plan for match in matches)
    assert (one.name, one.seed, two.name, two.seed) == ("m.0", 42, "m.1", 43)
    files = {"events": "logs.d/e.1", "summary": "end.1.json", "transcript": False}
    assert two.records == Records("m.1.log", "m.1.tlog", **files)
    assert (one.hands, one.seats, one.limits) == (two.hands, two.seats, two.limits)


def test_ports_are_for_all_seats_of_all_matches():
    """In their order, beyond the ten of one match; where there are fewer the rest are any."""
    ports = ",".join(str(4000 + number) for number in range(15))
    matches = hosted("-p", ports, "--serve", "8")
    assert [one.source._wanted for one in matches[:2]] == [[4000, 4001], [4002, 4003]]
    assert [one.source._wanted for one in matches[6:]] == [[4012, 4013], [4014, 0]]


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (["--serve", "0"], ["--serve", "1 to 9999", "not 0"]),
        (["--serve", "-1"], ["--serve", "1 to 9999", "not -1"]),
        (["--serve", "two"], ["--serve", "1 to 9999", "not two"]),
        (["--serve", "2", "--deals", "d"], ["--deals", "one match", "--serve"]),
        (["--serve", "2", "--waits", "2"], ["--waits", "one match", "--serve"]),
        (["--serve", "6", "-p", "1,2,3,4,5,6,7,8,9,10,x"], ["bad port string"]),
    ],
)
def test_what_cannot_be_is_refused(options, facts):
    """In one line, before anything is opened."""
    with refused(UsageError, "ERROR:", *facts):
        hosted(*options)


def test_more_matches_than_the_system_has_files_for_are_refused(monkeypatch):
    """Not found out when the last agents connect; the last match has to have a seed, too."""
    with pytest.raises(UsageError, match="--serve 3 with the seed 4294967294 goes beyond"):
        hosted("--serve", "3", seed="4294967294")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
    assert len(hosted("--serve", "32")) == 32
    with pytest.raises(UsageError, match="may take 263 open files, ulimit -n allows 256"):
        hosted("--serve", "33")


def test_a_bug_in_one_match_ends_that_match(play, capfd):
    """Its traceback is labelled as its own; the others go on, and the exit code tells."""
    assert play([None, RuntimeError("a bug"), None]) == 1
    err = capfd.readouterr().err.splitlines()
    assert "m.1 RuntimeError: a bug" in err
    assert not [line for line in err if "Traceback" in line and not line.startswith("m.1 ")]


@pytest.mark.parametrize(
    ("endings", "code", "named"),
    [
        ([None, None], 0, 0),
        ([None, Ending.TIMEOUT, Ending.DISCONNECT], 1, 3),
        ([Ending.DISCONNECT, Ending.INTERRUPTED, None], 130, 130),
    ],
)
def test_the_exit_code_is_that_of_the_first_match_that_did_not_end_well(play, endings, code, named):
    """Without names all failures are 1; for a user who stops the dealer it is 130 in any case."""
    stops = [None if ending is None else error_ending(ending, "so") for ending in endings]
    assert play(stops) == code
    assert play(stops, "--ending-codes") == named


@pytest.mark.parametrize("compiled", [True, False])
def test_a_lane_that_is_asked_for_is_compiled_before_anybody_plays(play, monkeypatch, compiled):
    """Once; without being asked each match takes it when it is there."""
    loaded = []

    def load(_loader, *, compiling):
        loaded.append(compiling)
        return object() if compiled else None

    monkeypatch.setattr(hosting.LaneLoader, "load", load)
    play([None] * 2, "--lane", "auto")
    play([None] * 2, "--lane", "on")
    play([None], "--lane", "off")
    on = LaneMode.ON if compiled else LaneMode.OFF
    assert loaded == [True]
    assert play.lanes == [LaneMode.AUTO] * 2 + [on] * 2 + [LaneMode.OFF]
