"""Shards merged are what one run makes, to the byte."""

import json
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from dealer.commands.tournament import read_arguments
from dealer.series import leg_queue
from dealer.series.outcome import LegOutcome
from dealer.server.endings import Ending
from engine.parallel.shards import Shard, shard_asked
from protocol.gamedefs import load_builtin
from tests.helpers.arena import arena_here
from tests.helpers.random_logs import random_log
from tests.helpers.said import says_in_a_line

SHARDS = ("1/3", "2/3", "3/3")


@pytest.fixture
def random_legs(monkeypatch):
    """Have legs played at random, by their seeds alone, in a moment."""

    async def play_leg(settings, leg, *_):
        manifest = settings.manifest
        names = [manifest.labels[bot] for bot in leg.seats]
        random = np.random.default_rng([leg.seed, *leg.name.encode()])
        lines = random_log(
            load_builtin("hunl"), leg.seed, manifest.hands, random, names=names, name=leg.name,
            game_name=manifest.game_name,
        )  # fmt: skip
        (settings.folder / f"{leg.name}.log").write_text("".join(f"{line}\n" for line in lines))
        return LegOutcome(leg, Ending.FINISHED)

    monkeypatch.setattr(leg_queue, "play_leg", play_leg)


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def whole_of(folder: Path, *words: str) -> tuple[str, dict[str, bytes]]:
    """What one run with --out whole prints and writes."""
    ended = arena_here(folder, *words, "--out", "whole")
    assert ended.code == 0, ended.err
    (folder / "whole").rename(folder / "one run")
    return ended.out, files_in(folder / "one run")


def play_shards(folder: Path, *words: str) -> None:
    for shard in SHARDS:
        ended = arena_here(folder, *words, "--out", "parts", "--shard", shard)
        assert ended.code == 0, ended.err


BOTS = ["always-call", "always-fold"]
GUESTS = ("a=listen", "b=listen", "c=listen")
SHORT = ("--hands", "4", "--seed", "7", "--jobs", "1", "--quiet")
TOURNAMENT = ["tournament", *GUESTS, *SHORT]


@pytest.mark.usefixtures("random_legs")
def test_a_tournament(tmp_path):
    """Logs, ledger, standings in all forms, and what is printed; one shard was killed."""
    wanted = whole_of(tmp_path, *TOURNAMENT)
    play_shards(tmp_path, *TOURNAMENT)
    cut = tmp_path / "parts" / "shard-2-of-3"
    *rest, _ = (cut / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "ledger.jsonl").write_bytes(b"".join(rest))
    shutil.rmtree(cut / "pairings" / "b.c")
    words = ("merge", "parts", "--out", "whole")
    ended = arena_here(tmp_path, *words)
    assert ended.code == 2
    says_in_a_line(ended.err, "arena merge", "2/3", "b.c.0.0")
    assert not (tmp_path / "whole").exists()
    again = arena_here(tmp_path, *TOURNAMENT, "--out=parts", "--shard", "2/3")
    assert again.code == 0, again.err
    log = cut / "pairings" / "b.c" / "b.c.0.0.log"
    text = log.read_bytes()
    log.write_bytes(text[:-1])
    ended = arena_here(tmp_path, *words)
    assert ended.code == 2
    says_in_a_line(ended.err, "arena merge", str(log.relative_to(tmp_path)), "ledger.jsonl")
    assert not (tmp_path / "whole").exists()
    log.write_bytes(text)
    ended = arena_here(tmp_path, *words)
    assert (ended.code, ended.out) == (0, wanted[0]), ended.err
    assert files_in(tmp_path / "whole") == wanted[1]
    refused = arena_here(tmp_path, *words)
    assert refused.code == 1
    says_in_a_line(refused.err, "whole", "already holds a tournament")


MATCH = ["match", *GUESTS[:2], *SHORT, "--runs", "2"]


def check_merged(folder: Path, words: list[str]) -> None:
    wanted = whole_of(folder, *words)
    play_shards(folder, *words)
    ended = arena_here(folder, "merge", "parts", "--out", "whole")
    assert (ended.code, ended.out) == (0, wanted[0]), ended.err
    assert files_in(folder / "whole") == wanted[1]


@pytest.mark.usefixtures("random_legs")
def test_a_match(tmp_path):
    """Logs, result and the table."""
    check_merged(tmp_path, MATCH)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["tournament", *BOTS, "O1"], ["match", *BOTS, "--runs", "2"]])
def test_shipped_bots(tmp_path, words):
    """Played by themselves, in one process."""
    check_merged(tmp_path, [*words, *SHORT, "--in-process"])


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["tournament", *BOTS, "--seed", "1", "--style", "knockout"], ["1/3", "knockout"]),
        (["tournament", *BOTS, "O1", "--seed", "1", "--decide", "1"], ["1/3", "--decide"]),
        (["tournament", *BOTS], ["1/3", "--seed"]),
        (["tournament", *BOTS, "--seed", "1", "--json"], ["1/3", "--json"]),
        (["tournament", "--resume", "gone"], ["gone/shard-1-of-3", "no tournament"]),
        (["match", *BOTS, "--seed", "1", "--sprt", "mbb1=9"], ["1/3", "--sprt"]),
        (["match", *BOTS, "--sit-in", "log", "name"], ["1/3", "--sit-in"]),
        (["match", *BOTS], ["1/3", "--seed"]),
        (["play", *BOTS], ["--shard"]),
    ],
)
def test_what_cannot_be_cut_is_refused(tmp_path, words, facts):
    """In a line, before anything is written."""
    ended = arena_here(tmp_path, *words, "--shard", "1/3")
    assert ended.code == 2
    says_in_a_line(ended.err, f"arena {words[0]}", *facts)
    assert not any(tmp_path.iterdir())


def test_a_merge_without_shards_is_refused(tmp_path):
    """In a line, as is a folder that is not there."""
    ended = arena_here(tmp_path, "merge", ".", "--out", "x")
    assert ended.code == 2
    says_in_a_line(ended.err, "arena merge", "no shards")
    ended = arena_here(tmp_path, "merge", "gone", "--out", "x")
    assert ended.code == 1
    says_in_a_line(ended.err, "arena merge", "gone")


POOL = ["data", "pool", "O1", "O6", "trapper", "--hands", "10", "--seed", "3"]


def test_logs_of_the_pool(tmp_path):
    """One shard is in a folder of its own, and its log is lost for a while."""
    wanted = whole_of(tmp_path, *POOL)
    play_shards(tmp_path, *POOL)
    away = tmp_path / "away"
    away.mkdir()
    for name in ("shard-2-of-3.json", "O1.trapper.log"):
        (tmp_path / "parts" / name).rename(away / name)
    log = (away / "O1.trapper.log").read_bytes()
    (away / "O1.trapper.log").write_bytes(log[:-9])
    words = ("merge", "away", "parts", "--out", "whole")
    ended = arena_here(tmp_path, *words)
    assert ended.code == 2
    says_in_a_line(ended.err, "2/3", "away/O1.trapper.log")
    assert not (tmp_path / "whole").exists()
    (away / "O1.trapper.log").write_bytes(log)
    ended = arena_here(tmp_path, *words)
    assert (ended.code, ended.out) == (0, wanted[0]), ended.err
    assert files_in(tmp_path / "whole") == wanted[1]


@pytest.mark.parametrize("change", [["--seed", "4"], ["--hands", "11"], ["--game", "hulhe"]])
def test_shards_of_other_options_are_refused(tmp_path, change):
    """The difference is named, in the same folder and in two."""
    name = change[0].removeprefix("--")
    assert arena_here(tmp_path, *POOL, "--out", "a", "--shard", "1/2").code == 0
    other = [*POOL, *change, "--shard"]
    again = arena_here(tmp_path, *other, "1/2", "--out", "a")
    assert again.code == 2
    says_in_a_line(again.err, "arena data pool", "shard-1-of-2.json", name)
    assert arena_here(tmp_path, *other, "2/2", "--out", "b").code == 0
    ended = arena_here(tmp_path, "merge", "a", "b", "--out", "whole")
    assert ended.code == 2
    says_in_a_line(ended.err, "arena merge", "1/2", "2/2", name)


def test_a_scheduler_says_which_shard(tmp_path, monkeypatch):
    """Which is told; without --out nothing of it can be merged."""
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "1")
    monkeypatch.setenv("SLURM_ARRAY_TASK_COUNT", "3")
    ended = arena_here(tmp_path, *POOL, "--out", "parts")
    assert (ended.code, ended.out) == (0, "1 of 1 logs written to parts\n")
    assert "shard 2/3, by SLURM_ARRAY_TASK_ID 1" in ended.err
    ended = arena_here(tmp_path, "merge", "parts", "--out", "whole")
    assert ended.code == 2
    says_in_a_line(ended.err, "missing", "1/3, 3/3")


LBR = [
    *("lbr", "always-call", "--settings", "FC,FC,FC,FC", "--script", "m", "--jobs", "1"),
    *("--pairs", "34", "--boards", "4"),
]


def test_lower_bounds(tmp_path):
    """The table and all numbers; one shard was killed while it wrote."""
    one_run = arena_here(tmp_path, *LBR, "--json", "one.json")
    play_shards(tmp_path, *LBR)
    units = tmp_path / "parts" / "shard-1-of-3.jsonl"
    lines = units.read_bytes()
    units.write_bytes(lines[:-7])
    words = ("merge", "parts", "--json", "merged.json")
    ended = arena_here(tmp_path, *words)
    assert ended.code == 2
    says_in_a_line(ended.err.splitlines(keepends=True)[-1], "arena lbr", "1/3", "script:m")
    assert not (tmp_path / "merged.json").exists()
    again = arena_here(tmp_path, *LBR, "--out", "parts", "--shard", "1/3")
    assert (again.code, units.read_bytes()) == (0, lines)
    ended = arena_here(tmp_path, *words)
    assert (ended.code, ended.out) == (0, one_run.out), ended.err
    assert (tmp_path / "merged.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    ended = arena_here(tmp_path, "merge", "parts", "--out", "x")
    assert ended.code == 2
    says_in_a_line(ended.err, "arena lbr", "--out")
    for damaged in (b"{}\n" + lines, lines.replace(b"0.0", b"0.5", 1)):
        units.write_bytes(damaged)
        ended = arena_here(tmp_path, *words)
        assert ended.code == 2
        says_in_a_line(ended.err, str(units.relative_to(tmp_path)), "line 1", "damaged")
    units.write_bytes(lines)
    units.with_suffix(".json").unlink()
    ended = arena_here(tmp_path, *LBR, "--seed", "5", "--out", "parts", "--shard", "1/3")
    assert ended.code == 2
    says_in_a_line(ended.err, str(units.relative_to(tmp_path)), "of another run")


def test_lower_bounds_of_an_executor_are_merged_without_it(tmp_path):
    """As its workers may be gone by then."""
    words = [*LBR[:-4], "--pairs", "1", "--boards", "1"]
    assert arena_here(tmp_path, *words, "--out", "parts", "--shard", "1/1").code == 0
    record = tmp_path / "parts" / "shard-1-of-1.json"
    document = json.loads(record.read_text())
    document["arguments"] += ["--executor", "mpi"]
    record.write_text(json.dumps(document))
    ended = arena_here(tmp_path, "merge", "parts")
    assert ended.code == 0, ended.err


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["--shard", "1/3"], ["1/3", "--out"]),
        (["--shard", "1/3", "--out", "x", "--worst"], ["1/3", "--worst"]),
        (["--shard", "1/3", "--out", "x", "--json"], ["1/3", "--json"]),
        (["--out", "x"], ["--out", "--shard"]),
    ],
)
def test_lower_bounds_that_cannot_be_cut_are_refused(tmp_path, words, facts):
    """In a line, before anything is written."""
    ended = arena_here(tmp_path, "lbr", "always-call", *words)
    assert ended.code == 2
    says_in_a_line(ended.err.splitlines(keepends=True)[-1], "arena lbr", *facts)
    assert not any(tmp_path.iterdir())


def write_logs(folder: Path) -> None:
    """Five logs of random hands, one of them without any, one with a broken line."""
    folder.mkdir()
    for number in range(5):
        names = ("Ann", "Bob") if number % 2 else ("Cleo", "Ann")
        random = np.random.default_rng(number)
        hands = 0 if number == 3 else 6
        game = "holdem.nolimit.2p.reverse_blinds.game"
        lines = random_log(load_builtin("hunl"), number, hands, random, names=names, game_name=game)
        lines[2:2] = ["STATE:9:xx"] if number == 1 else []
        (folder / f"{number}.log").write_text("".join(f"{line}\n" for line in lines))


CNN = ["data", "cnn", "logs", "--expert", "Ann"]


def test_records_of_logs(tmp_path):
    """Log by log, with what was left out of them; a shard of no log is refused."""
    write_logs(tmp_path / "logs")
    one_run = arena_here(tmp_path, *CNN, "--out", "one.records")
    assert one_run.code == 0, one_run.err
    cut = [*CNN, "--out", "x.records", "--shard"]
    for shard in ("1/3", "2/3"):
        assert arena_here(tmp_path, *cut, shard).code == 0
    ended = arena_here(tmp_path, "merge", "x.records.shards", "--out", "x.records")
    assert ended.code == 2
    says_in_a_line(ended.err, "missing", "3/3")
    assert arena_here(tmp_path, *cut, "3/3").code == 0
    ended = arena_here(tmp_path, "merge", "x.records.shards", "--out", "x.records")
    assert (ended.code, ended.out) == (0, one_run.out), ended.err
    for suffix in ("", ".json"):
        merged, wanted = (tmp_path / f"{name}.records{suffix}" for name in ("x", "one"))
        assert merged.read_bytes() == wanted.read_bytes()
    ended = arena_here(tmp_path, *CNN, "--out", "y.records", "--shard", "6/6")
    assert ended.code == 2
    says_in_a_line(ended.err, "6/6", "5 logs")
    part = tmp_path / "x.records.shards" / "shard-2-of-3.records"
    part.write_bytes(part.read_bytes()[:-9])
    ended = arena_here(tmp_path, "merge", "x.records.shards", "--out", "x.records")
    assert ended.code == 2
    says_in_a_line(ended.err, str(part.relative_to(tmp_path)), "damaged")


def test_examples_of_the_documentation():
    """The job has as many pods as its command has shards, and the array as its script says."""
    text = (Path(__file__).parents[2] / "docs" / "clusters.md").read_text()
    job = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0])["spec"]
    (container,) = job["template"]["spec"]["containers"]
    command, *words = container["args"]
    given, _ = read_arguments(words)
    assert (command, job["completionMode"]) == ("tournament", "Indexed")
    last = {"JOB_COMPLETION_INDEX": str(job["completions"] - 1)}
    assert shard_asked(given.shard, last).shard == Shard(job["completions"], job["completions"])
    script = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)[0]
    first, end = map(int, re.search(r"--array=(\d+)-(\d+)", script).groups())
    _, command, *words = shlex.split(script.splitlines()[-1])
    given, _ = read_arguments(words)
    array = {"MIN": first, "ID": end, "COUNT": end - first + 1}
    variables = {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in array.items()}
    assert command == "tournament"
    assert shard_asked(given.shard, variables).shard == Shard(end, end)
