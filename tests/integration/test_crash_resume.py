"""kill -9 of the dealer at random moments: nothing that was played is lost, nothing is added."""

import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine.parallel.own_programs import environment
from protocol.gamedefs import builtin_path, load_builtin
from tests.helpers.state_bot import SeatedStateBot

HANDS = 150
SEED = 20


class Dealer:
    """One run of the dealer with its seats; each run appends to the files of the one before."""

    def __init__(self, folder: Path, alias: str) -> None:
        game = load_builtin(alias)
        names = [f"P{seat}" for seat in range(game.players)]
        self.log = folder / "m.log"
        path = str(builtin_path(alias))
        self.process = subprocess.Popen(
            [
                *(
                    sys.executable,
                    "-m",
                    "dealer.server.dealer_command",
                    "m",
                    path,
                    str(HANDS),
                    str(SEED),
                ),
                *(*names, "-q", "-a", "-T", "--start_timeout", "30000"),
            ],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        ports = self.process.stdout.readline().split()
        self.refusal = "" if ports else self.process.communicate()[1]
        self.seats = [SeatedStateBot(game, int(port)) for port in ports]

    def finish(self) -> None:
        """Let the match come to its end."""
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        for seat in self.seats:
            seat.join()

    def kill_after(self, seconds: float) -> bool:
        """kill -9 after so long; return False where the match was over before."""
        time.sleep(seconds)
        if self.process.poll() is not None:
            self.finish()
            return False
        self.process.kill()
        self.process.communicate()
        for seat in self.seats:
            seat.join()
        return True

    def lines(self) -> list[str]:
        """The hands and the score in the log, headers left out."""
        text = self.log.read_text()
        assert text.endswith("\n") or not text
        return [line for line in text.splitlines() if not line.startswith("#")]


def play_whole(folder: Path, alias: str) -> tuple[list[str], float]:
    """Return the lines of an uninterrupted match and the seconds it took."""
    folder.mkdir()
    start = time.monotonic()
    dealer = Dealer(folder, alias)
    dealer.finish()
    assert len(dealer.lines()) == HANDS + 1
    return dealer.lines(), time.monotonic() - start


def kill_and_resume(folder: Path, alias: str, kills: int) -> None:
    """Kill dealers `kills` times; every match must come to the end of an uninterrupted one."""
    whole, seconds = play_whole(folder / "whole", alias)
    generator = np.random.default_rng(SEED)
    killed = matches = 0
    while killed < kills:
        part = folder / str(matches)
        part.mkdir()
        matches += 1
        over = False
        while not over:
            dealer = Dealer(part, alias)
            if killed == kills:
                dealer.finish()
            else:
                killed += dealer.kill_after(generator.uniform(0, seconds / 2))
            lines = dealer.lines()
            assert lines == whole[: len(lines)]
            shown = max(seat.finished_hands for seat in dealer.seats)
            assert len(lines) >= shown
            over = lines == whole


def damage(path: Path, rng: np.random.Generator) -> None:
    """Delete a file, empty it, cut it at any byte, or leave zeros behind its last line."""
    if not path.exists():
        return
    whole = path.read_bytes()
    match int(rng.integers(4)):
        case 0:
            path.unlink()
        case 1:
            path.write_bytes(b"")
        case 2:
            path.write_bytes(whole[: int(rng.integers(len(whole) + 1))])
        case 3:
            path.write_bytes(whole + bytes(int(rng.integers(1, 100_000))))


def garble(log: Path, rng: np.random.Generator) -> bool:
    """Write zeros over some of a log's hands, as a disk does that lost a block; False: no hands."""
    whole = log.read_bytes() if log.exists() else b""
    start, end = whole.find(b"STATE:"), whole.rfind(b"\n")
    if start < 0:
        return False
    at = int(rng.integers(start, end))
    after = min(at + int(rng.integers(1, 600)), end)
    log.write_bytes(whole[:at] + bytes(after - at) + whole[after:])
    return True


def lose_lines(log: Path, rng: np.random.Generator) -> None:
    """Delete some of a log's hands, wherever they are."""
    lines = log.read_text().splitlines(keepends=True) if log.exists() else []
    kept = [one for one in lines if not one.startswith("STATE:") or rng.random() < 0.9]
    log.write_text("".join(kept))


def contents(files: tuple[Path, ...]) -> dict[Path, bytes | None]:
    """Return what is in files, None for those that are not there."""
    return {path: path.read_bytes() if path.exists() else None for path in files}


def damage_and_resume(folder: Path, alias: str, steps: int) -> tuple[int, int]:
    """Damage files and resume again and again; return how often that was refused, and not.

    The log of a run that was not refused has the hands of an uninterrupted match, in their order; a
    run that was refused has changed nothing, and its files are put back as they were.  Only a log
    whose hands cannot be read any more is refused.
    """
    whole, seconds = play_whole(folder / "whole", alias)
    rng = np.random.default_rng(SEED)
    part = folder / "part"
    part.mkdir()
    files = part / "m.log", part / "m.tlog"
    good = dict.fromkeys(files, b"")
    refused = resumed = 0
    for _ in range(steps):
        garbled = rng.random() < 0.2 and garble(files[0], rng)
        if not garbled and rng.random() < 0.2:
            lose_lines(files[0], rng)
        elif not garbled:
            for path in files:
                if rng.random() < 0.4:
                    damage(path, rng)
        before = contents(files)
        dealer = Dealer(part, alias)
        assert bool(dealer.refusal) == garbled, dealer.refusal
        if garbled:
            refused += 1
            assert re.match(r"ERROR: cannot resume: .*\bline [0-9]+ ", dealer.refusal)
            assert contents(files) == before
            for path in files:
                path.write_bytes(good[path])
            continue
        resumed += 1
        if rng.random() < 0.8:
            dealer.kill_after(rng.uniform(0, seconds / 2))
        else:
            dealer.finish()
        hands = [line for line in dealer.lines() if line.startswith("STATE:")]
        assert hands == whole[: len(hands)]
        good = {path: path.read_bytes() for path in files}
    Dealer(part, alias).finish()
    hands = [line for line in files[0].read_text().splitlines() if line.startswith("STATE:")]
    assert hands == whole[:-1]
    return refused, resumed


@pytest.mark.parametrize("alias", ["hunl", "kuhn3"])
def test_damaged_files_are_mended_or_refused(tmp_path, alias):
    """Each hand is in the log once, or no file was changed."""
    refused, resumed = damage_and_resume(tmp_path, alias, 15)
    assert resumed > 0  # that some are refused is seen in two hundred: in fifteen it is luck
    assert refused + resumed == 15


@pytest.mark.slow
@pytest.mark.parametrize("alias", ["hunl", "hulhe", "nolimit3", "leduc"])
def test_much_damage_is_mended_or_refused(tmp_path, alias):
    """The same, two hundred times in each of four games."""
    refused, resumed = damage_and_resume(tmp_path, alias, 200)
    assert min(refused, resumed) > 20


@pytest.mark.parametrize("alias", ["hunl", "kuhn3"])
def test_killed_dealer_loses_no_finished_hand_and_resumes(tmp_path, alias):
    """Five kills; the log is the same as without them, line by line."""
    kill_and_resume(tmp_path, alias, 5)


@pytest.mark.slow
@pytest.mark.parametrize("alias", ["hunl", "hulhe", "nolimit3", "leduc"])
def test_two_hundred_kills_lose_nothing(tmp_path, alias):
    """The same, fifty times in each of four games, until every kind of moment has been hit."""
    kill_and_resume(tmp_path, alias, 50)
