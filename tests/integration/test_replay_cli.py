"""`arena replay` and `arena stats` as their users meet them: processes, pipes, terminals."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

import dealer
from protocol.gamedefs import load_builtin
from tests.helpers.arena import arena_here, run_arena
from tests.helpers.random_logs import random_log
from tests.helpers.said import says, says_in_a_line

ROOT = Path(dealer.__file__).parent.parent
GAME = "holdem.nolimit.2p.reverse_blinds.game"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A heads-up match of 200 hands."""
    path = tmp_path_factory.mktemp("logs") / "match.log"
    lines = random_log(load_builtin("hunl"), 5, 200, np.random.default_rng(5), game_name=GAME)
    path.write_text("\n".join(lines) + "\n")
    return path


def environment(**more):
    """The environment of a process that imports this project."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def arena(*words):
    """Run `arena` here to its end."""
    return arena_here(Path(), *words)


def test_the_exit_code_says_whether_all_is_well(log, tmp_path):
    """As a process, of one log and of several; hands that are shown as they stand count too."""
    wrong, empty = tmp_path / "wrong.log", tmp_path / "empty.log"
    wrong.write_text(re.sub(r"(?m)^(STATE:\d+:)r(\d)", r"\1rr\2", log.read_text()))
    empty.write_text("")
    done = run_arena(tmp_path, "replay", "--verify", log)
    assert (done.code, done.err) == (0, "")
    says_in_a_line(done.out, f"{log}: ok", "200 hands", "seed 5", "SCORE right")
    done = run_arena(tmp_path, "replay", "--verify", log, wrong, "--max-faults", "2")
    assert done.code == 1
    lines = done.out.splitlines()
    assert re.fullmatch(rf"{wrong}:\d+: illegal action .*", lines[1])
    says(lines[-1], "2 faults", "1 log not")
    done = arena("replay", "--verify", log, wrong, "--json", "--max-faults=0")
    parsed = json.loads(done.out)
    assert (done.code, [found["ok"] for found in parsed["logs"]]) == (1, [True, False])
    assert len(parsed["logs"][1]["faults"]) == parsed["faults"]
    done = arena("replay", "--game", "kuhn", "--all", log)
    assert (done.code, done.out.count("\nhand ")) == (1, 200)
    assert "  ! illegal action" in done.out
    done = arena("replay", "--allin-ev", empty)
    assert (done.code, done.out) == (1, "")
    says_in_a_line(done.err, f"arena replay: {empty}: no hand")


def test_a_log_that_cannot_be_checked_does_not_keep_the_others_from_it(log, tmp_path):
    """One line for it on stderr, the summary, exit code 2; the same in JSON."""
    bare = tmp_path / "bare.log"
    bare.write_text("\n".join(log.read_text().splitlines()[1:]) + "\n")
    empty = tmp_path / "empty.log"
    empty.write_text("")
    folder = tmp_path / "folder"
    folder.mkdir()
    words = ["replay", "--verify", tmp_path / "none.log", bare, folder, log, empty]
    done = arena(*words)
    assert done.code == 2
    assert [line.split(": ", 2)[1] for line in done.err.splitlines()] == [
        str(path) for path in (tmp_path / "none.log", bare, folder)
    ]
    says(done.out, f"{log}: ok, 200 hands", f"{empty}: no hand")
    says(done.out.splitlines()[-1], "1 fault", "3 logs not checked")
    done = arena(*words, "--json")
    parsed = json.loads(done.out)
    assert (done.code, parsed["ok"], parsed["errors"]) == (2, False, 3)
    assert [found["ok"] for found in parsed["logs"]] == [False, False, False, True, False]
    says(parsed["logs"][0]["error"], "No such file")
    assert arena("replay", "--verify", log, empty).code == 1


PRINTING = [
    "",
    "--help",
    "--version",
    "games kuhn",
    "agent rule --help",
    "agent --list",
    "stats --no-allin-ev LOG",
    "replay --all LOG",
    "replay --verify LOG",
    "replay --as-client 1 LOG",
    "replay --allin-ev LOG",
]


def printing(words, log, redirection):
    """Run `arena` with a stdout that the shell makes, and Python's buffer."""
    shell = ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "dealer.arena"]
    return subprocess.run(
        [*shell, *words.replace("LOG", str(log)).split()],
        env=environment(PYTHONUNBUFFERED=""),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", PRINTING)
def test_a_full_stdout_is_one_line(log, words):
    """Exit code 1."""
    done = printing(words, log, ">/dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith("arena")
    says_in_a_line(done.stderr, "stdout", "No space")


@pytest.mark.parametrize("words", [words for words in PRINTING if "LOG" not in words])
def test_a_closed_stdout_is_one_line(log, words):
    """Exit code 1."""
    done = printing(words, log, ">&-")
    assert done.returncode == 1
    assert done.stderr.startswith("arena")
    says_in_a_line(done.stderr, "stdout", "closed")


@pytest.mark.parametrize("words", ["", "games", "games --help", "agent --list", "dealer --help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_is_gone_ends_short_output_quietly(words, unbuffered):
    """Whoever writes first, the command or the end of the interpreter; 2 where none is named."""
    own, theirs = os.pipe()
    os.close(own)
    done = subprocess.run(
        [sys.executable, "-m", "dealer.arena", *words.split()],
        env=environment(PYTHONUNBUFFERED=unbuffered),
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0 if words else 2, b"")


def test_a_log_without_header_says_what_to_pass(log, tmp_path):
    """Then it verifies."""
    bare = tmp_path / "bare.log"
    bare.write_text("\n".join(log.read_text().splitlines()[1:]) + "\n")
    done = arena("replay", "--verify", bare)
    assert done.code == 2
    says_in_a_line(done.err, bare, "no header", "--game", "kuhn")
    assert arena("replay", "--verify", bare, "--game", "hunl").code == 0
    done = arena("replay", "--verify", bare, "--game", "hunl", "--seed", "5")
    assert "deals checked (seed 5, given)" in done.out
    assert arena("replay", "--verify", bare, "--game", "hunl", "--seed", "6").code == 1


def test_hands_are_printed_where_there_is_no_terminal(log):
    """All of them, or the one asked for; colours only when forced."""
    every = arena("replay", log)
    assert every.code == 0
    assert every.out == arena("replay", "--all", log).out
    assert every.out.count("\nhand ") == 200
    assert "\x1b" not in every.out
    one = arena("replay", "--hand", "17", log)
    assert one.out.startswith("\nhand 17   ")
    assert one.out in every.out
    assert "\x1b[" in arena("replay", "--hand", "17", "--color", "always", log).out
    none = arena("replay", "--hand", "900", log)
    assert (none.code, none.out) == (1, "")
    says_in_a_line(none.err, f"arena replay: {log}: no hand as asked")


@pytest.mark.parametrize(
    "words", [["--all"], ["--as-client", "1"], ["--allin-ev"], ["--verify", "--max-faults=0"]]
)
def test_a_closed_pipe_is_no_accident(log, tmp_path, words):
    """`arena replay ... | head -1` ends quietly."""
    long = tmp_path / "long.log"
    hands = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    plain = [line for line in hands if not line.split(":")[2].endswith("/")]  # no run-outs
    long.write_text("\n".join([log.read_text().splitlines()[0], *plain * 40]) + "\n")
    with subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", "replay", str(long), *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


class Terminal:
    """A process on a pseudo-terminal."""

    def __init__(self, *words, **variables):
        self._own, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dealer.arena", *map(str, words)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**variables),
            start_new_session=True,
        )
        os.close(theirs)
        self.text = ""

    def read_until(self, pattern, seconds=60):
        """Collect output until it matches; return the match and forget what came before its end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end() :]
                return found
            if select.select([self._own], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self._own, 65536).decode()
                except OSError:
                    break
        pytest.fail(f"no {pattern!r} in {self.text!r}")

    def write(self, text):
        """Type."""
        os.write(self._own, text.encode())

    def interrupt(self):
        """Send SIGINT until it is heard: one just before a read begins waits for the read."""
        for _ in range(30):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
                break

    def close(self):
        """Return the exit code."""
        code = self.process.wait(30)
        os.close(self._own)
        return code


def test_stepping_on_a_terminal(log):
    """Enter, next, go to, quit; in colour, as the terminal can."""
    terminal = Terminal("replay", log, TERM="xterm", NO_COLOR="")
    terminal.read_until(r"Enter: next step")
    terminal.read_until(r"\x1b\[1mhand 0")
    terminal.read_until(r"\[1/200, \d+ more\]")
    terminal.write("\n")
    terminal.read_until("preflop")
    terminal.write("n\n")
    terminal.read_until("hand 1")
    terminal.write("g 150\n")
    terminal.read_until("hand 150")
    terminal.read_until(r"\[151/200")
    terminal.write("q\n")
    assert terminal.close() == 0


def test_leaving_by_ctrl_d_or_ctrl_c(log):
    """Both end quietly."""
    for key, code in (("\x04", 0), ("\x03", 130)):
        terminal = Terminal("replay", log, TERM="dumb")
        terminal.read_until(r"\[1/200, \d+ more\] ")
        if key == "\x03":
            terminal.interrupt()
        else:
            terminal.write(key)
        assert terminal.close() == code


def test_no_colour_where_it_is_not_wanted(log):
    """NO_COLOR holds on terminals too."""
    terminal = Terminal("replay", "--verify", log, TERM="xterm", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*m", terminal.read_until(r".*SCORE right")[0])
    assert terminal.close() == 0
    terminal = Terminal("replay", "--verify", log, TERM="xterm", NO_COLOR="")
    terminal.read_until(r"\x1b\[32m\x1b\[1mok")
    assert terminal.close() == 0


@pytest.mark.parametrize(
    "code",
    [
        "from dealer.logs.replay import main; main(['--verify', LOG])",
        "from dealer.logs.replay import main; main(['--hand', '3', LOG])",
        "from dealer.logs.replay import main; main(['--as-client', '1', LOG])",
        "import dealer.logs.stats",
    ],
)
def test_short_work_loads_no_compiler(log, code):
    """Help, small logs and single hands answer at once."""
    script = f"import sys; LOG = {str(log)!r}; {code}; assert 'numba' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def long_log(log, path, size):
    """Write the match again and again until the file has `size` bytes."""
    text = log.read_bytes()
    with path.open("wb") as file:
        while file.tell() < size:
            file.write(text)
    return path


@pytest.mark.slow
def test_memory_does_not_grow_with_the_log(log, tmp_path):
    """100 MB need no more than 10 MB do, beyond a few blocks."""
    peaks = []
    for size in (10_000_000, 110_000_000):
        path = long_log(log, tmp_path / "long.log", size)
        process = psutil.Popen(
            [sys.executable, "-m", "dealer.arena", "replay", "--verify", str(path)],
            env=environment(),
            stdout=subprocess.DEVNULL,
        )
        peak = 0
        while process.poll() is None:
            try:
                peak = max(peak, process.memory_info().rss)
            except psutil.NoSuchProcess:
                break
            time.sleep(0.005)
        assert process.wait() == 0
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 30_000_000
