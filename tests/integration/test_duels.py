"""`arena match` plays every built-in game over TCP, and its logs prove themselves."""

import json
import shutil
import subprocess
from itertools import cycle, islice
from pathlib import Path

import pytest

import agents
from dealer.commands.match import main
from protocol.gamedefs import builtin_aliases, load_builtin
from tests.helpers.arena import run_arena

TEMPLATES = Path(agents.__file__).parent / "templates"
HANDS = 6


def verify(folder) -> None:
    """Let `arena replay` check every action, chip and card of a match's logs."""
    logs = sorted(folder.glob("*.log"))
    done = run_arena(folder, "replay", "--verify", *logs)
    assert done.code == 0, done.out + done.err


GAMES = sorted(builtin_aliases().keys() - {"pokerbots"})
"""Without hunl in other chips."""


def summary(folder):
    """Return the JSON summary in a match folder."""
    return json.loads((folder / "result.json").read_text())


@pytest.mark.parametrize("alias", GAMES)
def test_shipped_bots_duel_in_every_built_in_game(tmp_path, alias):
    """Two, three and six processes beside the dealer; what is won is lost by others."""
    players = load_builtin(alias).players
    bots = islice(cycle(["uniform-random", "always-call", "biased-random"]), players)
    # All six rotations of six processes would say nothing new.
    seatings = ["--no-duplicate"] if players > 3 else []
    arguments = [*bots, "--game", alias, "--hands", str(HANDS), "--seed", "3", "--jobs", "2"]
    assert main([*arguments, *seatings, "--quiet", "--out", str(tmp_path / "m")]) == 0
    result = summary(tmp_path / "m")
    legs = 1 if seatings else players
    assert result["hands_played"] == HANDS * legs
    assert [leg["ending"] for leg in result["legs"]] == ["finished"] * legs
    assert [leg["corrected_or_ignored_replies"] for leg in result["legs"]] == [{}] * legs
    assert abs(sum(bot["chips"] for bot in result["bots"])) < 1e-3
    verify(tmp_path / "m")


def test_templates_of_two_languages_duel(tmp_path):
    """A C program and a JavaScript program, each a single file, over one dealer."""
    compiler, node = shutil.which("cc"), shutil.which("node")
    if compiler is None or node is None:
        pytest.skip("no cc or no node to run the templates")
    binary = tmp_path / "bot"
    subprocess.run([compiler, "-O1", str(TEMPLATES / "bot.c"), "-o", str(binary)], check=True)
    bots = [f"c={binary}", f"js={node} {TEMPLATES / 'bot.js'}"]
    folder = tmp_path / "m"
    assert main([*bots, "--hands", "50", "--seed", "4", "--quiet", "--out", str(folder)]) == 0
    result = summary(folder)
    assert result["duplicate_sets"] == 50
    assert [leg["corrected_or_ignored_replies"] for leg in result["legs"]] == [{}, {}]
    verify(folder)


def test_seats_are_swapped_and_cards_are_not(tmp_path):
    """In the second leg each bot holds, deal by deal, what the other held in the first."""
    folder = tmp_path / "m"
    bots = ["always-call", "other=always-call"]
    assert main([*bots, "--hands", "6", "--seed", "9", "--quiet", "--out", str(folder)]) == 0
    first, second = (
        [
            line.split(":")[1:]
            for line in (folder / f"always-call.other.0.{leg}.log").read_text().splitlines()
            if line.startswith("STATE:")
        ]
        for leg in range(2)
    )
    assert len(first) == 6
    for one, two in zip(first, second, strict=True):
        assert one[:4] == two[:4]  # hand, betting, cards, values by position
        assert one[4].split("|") == two[4].split("|")[::-1]
    sets = summary(folder)["bots"][0]["win_rates"]["sets"]
    assert (sets["mbb_per_hand"], sets["ci95_mbb_per_hand"]) == (0, None)


def test_a_match_can_be_played_again(tmp_path):
    """Everything follows from the seed, the random choices of shipped bots included."""
    logs = []
    for folder in (tmp_path / "1", tmp_path / "2"):
        arguments = [
            "biased-random",
            "uniform-random",
            "--hands",
            "15",
            "--seed",
            "5",
            "--no-duplicate",
        ]
        assert main([*arguments, "--quiet", "--out", str(folder)]) == 0
        logs.append((folder / "biased-random.uniform-random.0.0.log").read_text())
    assert logs[0] == logs[1]
