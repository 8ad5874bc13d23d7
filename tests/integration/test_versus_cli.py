"""`arena versus` as its users meet it."""

import json
import signal
import time
from functools import partial

import pytest

from agents.blueprint_model.config import parse_config
from engine.evaluation import board_matches
from engine.evaluation.board_matches import values_on_boards
from tests.helpers.arena import arena_here, start_arena
from tests.helpers.blueprints import random_model, tiny_config
from tests.helpers.said import says_in_a_line

SECONDS = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with models."""
    folder = tmp_path_factory.mktemp("versus")
    random_model(tiny_config(), seed=4).save(folder / "four.blueprint")
    random_model(tiny_config(), seed=5).save(folder / "five.blueprint")
    random_model(tiny_config("hulhe"), seed=5).save(folder / "limit.blueprint")
    (folder / "damaged.blueprint").write_bytes(b"no model")
    return folder


@pytest.fixture
def run(folder):
    """Run the command here in the folder."""
    return partial(arena_here, folder, "versus")


TWO = ("four.blueprint", "five.blueprint")


def test_a_comparison_is_a_line_and_a_file(folder, run, monkeypatch):
    """By as many processes as were asked for, whose number changes nothing."""
    asked = []

    def values_here(*arguments, workers):
        asked.append(workers)
        return values_on_boards(*arguments, workers=1)

    monkeypatch.setattr(board_matches, "values_on_boards", values_here)
    words = ("four.blueprint", "five.blueprint,purify", "--boards", "2", "--seed", "3")
    code, out, _ = run(*words, "--workers", "7", "--json", "one.json")
    assert (code, asked) == (0, [7])
    assert out.startswith("four.blueprint against five.blueprint,purify: ")
    one = json.loads((folder / "one.json").read_text())
    assert (one["boards"], one["seed"]) == (2, 3)
    assert f"{one['mbb_per_hand']:+,.1f} ± {one['ci95']:,.1f}" in out
    as_bot = ("four.blueprint", "blueprint --model five.blueprint --purify 1", *words[2:])
    code, told, _ = run(*as_bot, "--workers", "1")
    assert (code, told.partition(": ")[2]) == (0, out.partition(": ")[2])


def test_a_file_that_cannot_be_written_or_read_is_told(run):
    """Exit code 1; where it is the result's, the comparison is shown all the same."""
    words = ("script:a", "script:F", "--boards", "1", "--jobs", "1")
    code, out, err = run(*words, "--json", "/dev/full")
    assert code == 1
    assert "script:a against script:F: +750.0" in out
    assert err.splitlines()[-1].startswith("arena versus: /dev/full: ")
    code, out, err = run("damaged.blueprint", "five.blueprint")
    assert (code, out) == (1, "")
    says_in_a_line(err, "arena versus", "damaged.blueprint")


@pytest.mark.slow
def test_other_bets_and_scripts_are_compared_too(folder, run):
    """The same whatever the number of processes, and the other way round when they change seats."""
    for name, bets in {"few": '"100"', "fewer": '"50","a"'}.items():
        streets = "\n".join(f"{street} = [{bets}]" for street in ("preflop", "flop", "turn"))
        config = parse_config(name, f'game = "hunl"\n[cards]\n[bets]\n{streets}\n')
        random_model(config, seed=6).save(folder / f"{name}.blueprint")
    words = ("few.blueprint", "fewer.blueprint", "--boards", "2")
    with start_arena(folder, "versus", *words, "--jobs", "2") as process:
        code, out, _ = run(*words, "--jobs", "1", "--json", "there.json")
        told, _ = process.communicate(timeout=SECONDS)
    assert (code, process.returncode, told) == (0, 0, out)
    words = ("fewer.blueprint", "few.blueprint", *words[2:], "--json", "back.json")
    assert run(*words, "--jobs", "1")[0] == 0
    there, back = (json.loads((folder / f"{name}.json").read_text()) for name in ("there", "back"))
    assert there["mbb_per_hand"] == pytest.approx(-back["mbb_per_hand"], abs=1e-3)
    assert abs(there["mbb_per_hand"]) > 1
    for bot in ("four.blueprint", "limit.blueprint", "limit.blueprint,purify"):
        code, out, err = run("script:C,mf", bot, "--boards", "2", "--jobs", "1")
        assert (code, err) == (0, "")
        assert out.startswith(f"script:C,mf against {bot}: ")


def test_a_script_against_a_folder_of_hands_wins_the_blinds(run):
    """Whoever folds every hand loses half a blind in one seat and one in the other."""
    words = ("script:a", "script:F", "--boards", "1", "--jobs", "1")
    for game in ("hunl", "hulhe"):
        code, out, _ = run(*words, "--game", game)
        assert code == 0
        assert out.startswith("script:a against script:F: +750.0")


@pytest.mark.slow
def test_ctrl_c_shows_what_there_is(folder):
    """Exit code 130."""
    process = start_arena(
        folder, "versus", "four.blueprint", "five.blueprint", "--boards", "100000"
    )
    for line in process.stderr:  # the first progress says that there is something
        if "of 100,000 boards" in line:
            break
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "mbb/h (95 %)" in out
    assert "Traceback" not in err
