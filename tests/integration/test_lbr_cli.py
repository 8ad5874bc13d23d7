"""`arena lbr` as its users meet it."""

import json
from dataclasses import replace
from functools import partial

import pytest

from agents.measuring import lbr_work
from engine.evaluation.attacks import Bench
from tests.helpers.arena import arena_here
from tests.helpers.blueprints import random_model, tiny_config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with models."""
    folder = tmp_path_factory.mktemp("lbr")
    for name in ("hunl", "hulhe", "leduc"):
        random_model(tiny_config(name), seed=4).save(folder / f"{name}.blueprint")
    return folder


@pytest.fixture
def run(folder):
    """Run the command here in the folder."""
    return partial(arena_here, folder, "lbr")


@pytest.fixture
def jobs(monkeypatch):
    """How many processes were asked for by each run, which then works in this one."""
    asked = []

    def bench(policy, game, seed, jobs, say, **options):
        asked.append(jobs)
        return Bench(policy, game, seed, 1, say, **options)

    monkeypatch.setattr(lbr_work, "Bench", bench)
    return asked


def test_a_measurement_is_a_table_and_a_file(folder, run, jobs):
    """By as many processes as were asked for, whose number changes nothing."""
    words = ("blueprint", "--set", "model=hunl.blueprint", "--settings", "FC,FC,FC,FC")
    words = (*words, "--pairs", "2", "--seed", "3", "--workers", "7")
    code, out, _ = run(*words, "--json", "one.json")
    assert (code, jobs) == (0, [7])
    title = out.splitlines()[0]
    assert all(word in title for word in ("blueprint", "no-limit", " 200 ", "mbb/h (95 %)"))
    assert "2 pairs" in out
    (only,) = json.loads((folder / "one.json").read_text())
    assert only["rate"]["samples"] == 2
    full, shown, err = run(*words, "--json", "/dev/full")
    assert (full, shown) == (1, out)
    assert err.splitlines()[-1].startswith("arena lbr: /dev/full: ")


def test_all_hands_of_lbr_are_measured_at_once(folder, run, jobs):
    """Along drawn lines; a pair stands for all hands from both positions."""
    words = ("blueprint", "--set", "model=hunl.blueprint", "--settings", "FC,FC,4,8")
    code, out, _ = run(*words, "--pairs", "1", "--holes", "all", "--json", "all.json")
    assert code == 0
    assert "1 pair, luck taken out" in out
    (only,) = json.loads((folder / "all.json").read_text())
    assert (only["settings"], only["rate"]["hands"]) == ("FC,FC,4,8", 2 * 1326)


def test_the_worst_of_many_is_measured_again(folder, run, jobs):
    """The settings and scripts that are named, by as many processes as were asked for."""
    words = ("blueprint --model hunl.blueprint", "--worst", "--pairs", "2", "--boards", "1")
    words = (*words, "--settings", "FC", "--jobs", "7")
    for text in ("a", "300f", "C,C,C,a", "F"):
        words = (*words, "--script", text)
    code, out, _ = run(*words, "--json", "worst.json")
    assert (code, jobs) == (0, [7])
    title = out.splitlines()[0]
    assert all(word in title for word in ("blueprint --model hunl.blueprint", " 200 ", "mbb/h"))
    assert "4 scripts with 1 board " in out
    facts = json.loads((folder / "worst.json").read_text())
    assert facts["agent"] == "blueprint --model hunl.blueprint"
    assert facts["game"].endswith("stacks 20000")
    assert [len(facts[name]) for name in ("measured_again", "tried")] == [4, 4]
    won = [one["mbb_per_hand"] for one in facts["measured_again"]]
    assert won == sorted(won, reverse=True)
    assert [one["pairs"] for one in facts["measured_again"] if "settings" in one] == [2]


@pytest.mark.slow
def test_limit_games_have_worst_cases_of_their_own(run):
    """No setting or script of the list has a size."""
    words = ("blueprint --model hulhe.blueprint", "--game", "hulhe", "--worst", "--pairs", "1")
    code, out, _ = run(*words, "--boards", "1", "--jobs", "1", "--json")
    assert code == 0
    tried = json.loads(out)["tried"]
    assert {one["script"] for one in tried if "script" in one} >= {"C", "F", "m", "C,C,mw"}
    assert {one["river"] for one in tried if "river" in one} >= {"C", "m"}
    names = [one.get("settings") or one.get("script") or one["river"] for one in tried]
    assert not any(set(name) & set("0123456789a") for name in names)


def test_a_model_is_measured_at_the_game_it_was_trained_for(folder, run):
    """Unless another one is named."""
    shallow = replace(tiny_config(), stack=50)
    random_model(shallow, seed=5).save(folder / "fifty.blueprint")
    words = ("blueprint --model fifty.blueprint", "--script", "F", "--boards", "1", "--jobs", "1")
    for game, blinds in (((), " 50 "), (("--game", "hunl"), " 200 ")):
        code, out, _ = run(*words, *game)
        assert code == 0
        assert blinds in out.splitlines()[0]


def test_a_river_by_one_line(run):
    """It says so, in the table and in JSON."""
    words = ("blueprint --model hunl.blueprint", "--boards", "2", "--jobs", "1", "--one-line")
    code, out, _ = run(*words, "--river", "C")
    assert code == 0
    assert "river:C, one line" in out
    assert "2 boards, all hands\n" in out


def test_a_river_alone(run):
    """The best response there after a script; no less than the script itself wins."""
    words = ("blueprint --model hunl.blueprint", "--boards", "1", "--jobs", "1", "--json")
    code, out, _ = run(*words, "--river", "C", "--script", "C")
    assert code == 0
    script, river = json.loads(out)
    assert (script["script"], river["river"]) == ("C", "C")
    assert river["rate"]["mbb_per_hand"] >= script["rate"]["mbb_per_hand"]


def test_a_strategy_by_the_clock_is_told_as_one(run):
    """In the table and in JSON; one by a number of iterations, set in either way, is not."""
    words = ("--script", "F", "--boards", "1", "--jobs", "1")
    model = "libratus --model hunl.blueprint"
    code, out, _ = run(f"{model} --seconds 0.5", *words)
    note = out.splitlines()[-1]
    assert (code, "by the clock" in note, "--iterations" in note) == (0, True, True)
    assert json.loads(run(model, *words, "--worst", "--json")[1])["note"] == note
    for agent in (f"{model} --iterations 2", "blueprint --model hunl.blueprint"):
        assert "clock" not in run(agent, *words)[1]
    (facts,) = json.loads(run(model, "--set", "iterations=2", *words, "--json")[1])
    assert "note" not in facts


def test_a_script_alone(run):
    """Without local best response, where only scripts are named; a row for each."""
    words = ("blueprint --model hunl.blueprint", "--script", "a", "--script", "script:F")
    code, out, err = run(*words, "--boards", "1", "--jobs", "1")
    assert (code, err) == (0, "")
    title, first, second, _ = out.splitlines()
    assert "blueprint --model hunl.blueprint" in title
    assert first.split()[0] == "script:a"
    assert second.split()[0] == "script:F"
    assert "1 board," in first


@pytest.mark.parametrize(("said", "title"), [(1, "tried "), (6, "worst ")])
def test_ctrl_c_shows_what_there_is(run, monkeypatch, said, title):
    """Exit code 130; of the first pass, or of the second."""

    class Stopping:
        """Says nothing, and then is Ctrl-C."""

        left = said

        def __call__(self, text):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    monkeypatch.setattr(lbr_work, "RateLimiter", Stopping)
    words = ("--worst", "--boards", "50", "--jobs", "1", *("--script", "F") * 4)
    code, out, err = run("blueprint --model hunl.blueprint", *words)
    assert (code, err) == (130, "")
    assert out.startswith(title)
    assert "  script:F " in out
