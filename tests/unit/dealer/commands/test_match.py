"""The command as a whole, with dealers that play no poker."""

import json
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from dealer.commands import match_report as playing
from dealer.commands.match import main
from dealer.series.leg_settings import LegSettings
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import schedule
from dealer.server.endings import Ending
from tests.helpers.said import says, says_in_a_line

FAKE_DEALER = str(Path(__file__).parents[3] / "helpers" / "fake_dealer.py")
BOTS = ["A=/bin/sh -c 'exec sleep 600'", "B=/bin/sh -c 'exec sleep 600'"]


@pytest.fixture
def arena(monkeypatch, tmp_path):
    """Return a function that runs `arena match` with dealers that do as they are told."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dealer.series.leg._BOT_END_SECONDS", 0.0)
    monkeypatch.setattr("dealer.series.leg._LOSER_END_SECONDS", 0.0)

    def run(what, *words):
        def settings(*args, **kwargs):
            dealer = (sys.executable, "-S", "-E", FAKE_DEALER, what)
            return LegSettings(*args, **kwargs, dealer=dealer)

        monkeypatch.setattr("dealer.commands.command_run.LegSettings", settings)
        return main(list(words))

    return run


def test_match_ends_with_a_table_and_its_summary(arena, tmp_path, capsys):
    """On stdout the result, on stderr the way there, in the folder all of it as JSON."""
    assert arena("finish", *BOTS, "--hands", "4", "--seed", "7") == 0
    out, err = capsys.readouterr()
    assert "\nA            +0.0 ± 8.9        +0.0 ± ?" in out
    assert "duplicate sets" in out
    assert out.endswith(
        "\n\nlogs: matches/A.B-7\n2 of 2 legs finished\n"
        "A.B.0.0: replies of A: 2 ignored: stale\n"
        "A.B.0.1: replies of B: 2 ignored: stale\n"
    )
    assert err == ("A vs B, holdem.nolimit.2p.reverse_blinds.game, seed 7: 2 legs of 4 hands\n")
    result = json.loads((tmp_path / "matches" / "A.B-7" / "result.json").read_text())
    assert result["hands_played"] == 8
    assert result["bots"][0]["win_rates"]["sets"]["mbb_per_hand"] == 0


def test_json_to_standard_output_is_nothing_but_json(arena, capsys):
    """The table goes to stderr then."""
    assert arena("finish", *BOTS, "--hands", "2", "--quiet", "--json", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["exit_code"] == 0
    assert err.startswith("mbb/h")


def test_json_to_a_link_or_a_pipe_leaves_it_what_it_is(arena, tmp_path):
    """The link's file is written; the pipe is written to."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    arena("finish", *BOTS, "--hands", "2", "--out", "m", "--json", "link.json")
    document = (tmp_path / "m" / "result.json").read_text()
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == document
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    arena("finish", *BOTS, "--hands", "2", "--resume", "m", "--json", "pipe")
    reader.join(10)
    assert (tmp_path / "pipe").is_fifo()
    assert json.loads(read[0])["hands_played"] == 4


def last_line(capsys):
    """The last line of what a command told on stderr."""
    return capsys.readouterr().err.splitlines()[-1]


def test_failed_match_says_how_to_go_on_and_does(arena, capsys):
    """What is finished is kept, what failed is played again."""
    assert arena("timeout:2", *BOTS, "--hands", "2", "--out", "m") == 3
    out, _ = capsys.readouterr()
    says(out, "no hand", "A.B.0.0: timeout by B", "arena match --resume m")
    assert arena("finish", "--resume", "m") == 0
    says(last_line(capsys), "2 legs of 2 hands", "0 of them", "0 hands")
    assert arena("fail", "--resume", "m") == 0
    says(last_line(capsys), "2 of them", "4 hands")


def test_errors_before_the_play_are_one_line(arena, tmp_path, capsys):
    """2 for a wrong command line, 1 for a folder that cannot be used."""
    assert arena("finish", "A=/bin/true") == 2
    says_in_a_line(capsys.readouterr().err, "arena match", "2 players", "1 bot")
    arena("finish", *BOTS, "--hands", "2", "--out", "m")
    capsys.readouterr()
    assert arena("finish", *BOTS, "--hands", "2", "--out", "m") == 1
    says_in_a_line(capsys.readouterr().err, "arena match: m", "--resume", "--force")
    assert arena("finish", *BOTS, "--hands", "2", "--out", "m", "--force") == 0
    (tmp_path / "m" / "A.B.0.0.log").write_text("rubbish\n")
    capsys.readouterr()
    assert arena("finish", "--resume", "m") == 1
    says(last_line(capsys), "arena match", "rubbish")


def test_wrong_options_of_a_shipped_bot_end_the_match_at_once(arena, tmp_path, capsys):
    """With its own words and exit code 2; of its folder only the match's own files go."""
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "notes").write_text("mine")
    words = ["A=rule --foo", BOTS[1], "--runs", "5", "--quiet", "--out", "m", "--jobs", "2"]
    assert arena("wait", *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    says_in_a_line(err, "arena match: A", "arena agent", "--foo")
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["notes"]


def test_ctrl_c_in_the_long_end_leaves_out_only_that(arena, monkeypatch, capsys):
    """All-in expectation may take minutes after a million hands."""

    def impatient(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("dealer.results.match_result.expected_chips", impatient)
    assert arena("finish", *BOTS, "--hands", "2") == 0
    out, err = capsys.readouterr()
    assert "duplicate sets" in out
    assert "all-in" not in out
    (folder,) = Path("matches").iterdir()
    (line,) = err.splitlines()[1:]
    says(line, "all-in expectation", f"arena match --resume {folder}")


def test_a_polite_kill_at_the_end_is_like_ctrl_c(arena, monkeypatch, capsys):
    """The result is shown and written; nothing unfinished is left in the folder."""

    def killed(*_):
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("dealer.results.match_result.expected_chips", killed)
    assert arena("finish", *BOTS, "--hands", "2", "--out", "m") == 0
    assert "duplicate sets" in capsys.readouterr().out
    monkeypatch.setattr(playing, "write_whole", killed)
    assert arena("finish", "--resume", "m") == 130
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert not list(Path("m").glob(".*"))


def test_ctrl_c_before_the_play_is_no_traceback(arena, monkeypatch):
    """The exit code is the usual one."""

    def impatient(*_, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "series_request", impatient)
    assert arena("finish") == 130


def test_summary_that_cannot_be_written_is_reported(arena, tmp_path, capsys):
    """After the table, which nobody must lose."""
    name = "j" * 250  # the unfinished file's is longer yet
    assert arena("finish", *BOTS, "--hands", "2", "--json", name) == 1
    out, err = capsys.readouterr()
    assert "2 of 2 legs finished" in out
    says(err, "arena match", name)


@pytest.mark.parametrize(
    ("endings", "code"),
    [
        ([Ending.FINISHED, Ending.FINISHED], 0),
        ([Ending.FINISHED, Ending.CRASH, Ending.TIMEOUT], 7),
        ([Ending.CRASH, Ending.INTERRUPTED], 130),
        ([], 0),
    ],
)
def test_exit_code_is_the_users_stop_or_the_first_failure(endings, code):
    """So that scripts can tell."""
    legs = schedule(["a", "b"], seed=1, runs=3)
    outcomes = [LegOutcome(leg, ending) for leg, ending in zip(legs, endings, strict=False)]
    assert playing.exit_code(outcomes) == code
