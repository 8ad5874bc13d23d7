"""kill -9 of the dealer at random moments: nothing that was played is lost, nothing is added."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dealer.matches.launcher import environment
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
                *(sys.executable, "-m", "dealer.server.command", "m", path, str(HANDS), str(SEED)),
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
        assert len(ports) == game.players, self.process.communicate()[1]
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


@pytest.mark.parametrize("alias", ["hunl", "kuhn3"])
def test_killed_dealer_loses_no_finished_hand_and_resumes(tmp_path, alias):
    """Five kills; the log is the same as without them, line by line."""
    kill_and_resume(tmp_path, alias, 5)


@pytest.mark.slow
@pytest.mark.parametrize("alias", ["hunl", "hulhe", "nolimit3", "leduc"])
def test_two_hundred_kills_lose_nothing(tmp_path, alias):
    """The same, fifty times in each of four games, until every kind of moment has been hit."""
    kill_and_resume(tmp_path, alias, 50)
