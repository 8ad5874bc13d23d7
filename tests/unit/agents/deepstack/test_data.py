"""Files of solved situations: the same however they are made, whole, and checked when read."""

import json
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from agents.deepstack import solving
from agents.deepstack.configuration import FLOP, RIVER, TURN, Configuration
from agents.deepstack.data import KIND, SolvedData, file_of, is_held_out, merge_data, save_block
from agents.deepstack.describing import describe_data
from agents.deepstack.making import DataRun
from agents.deepstack.situations import PublicSituation, canonical
from agents.deepstack.solving import SolvedSituation, with_network_digest
from agents.deepstack.values_command import main
from agents.errors import TrainingError
from agents.training.kinds import data as data_main
from dealer.commands.merge import main as merge
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS, card_bits, live_combos
from engine.parallel.own_programs import environment, own_program
from engine.parallel.shards import Shard
from engine.search.network_leaves import shipped_network, street_end_network
from engine.storage.artifacts import load_artifact, save_artifact
from tests.helpers.said import says_in_a_line
from tests.helpers.workers import thread_workers

SMALL = ["--block", "2", "--policy", "script:C", "--target", "20", "--shares", "played=1,random=1"]


def made(folder, *blocks, **changes):
    """Write files of invented values."""
    configuration = Configuration.of(RIVER, **{"block": 3, **changes})
    folder.mkdir(exist_ok=True)
    for block in blocks:
        rng = np.random.default_rng(block)
        solved = []
        for number in range(3):
            board = canonical(rng.permutation(52)[:5].tolist())[0]
            ranges = np.where(live_combos(card_bits(board)), 0.5, 0) * np.ones((2, 1))
            situation = PublicSituation(number, board, 400, 900, ranges.astype(np.float16))
            values = rng.normal(size=(2, COMBOS)) * (ranges > 0)
            solved.append(SolvedSituation(situation, values, 0.002, 40 + number))
        save_block(folder, block, configuration, solved)
    return folder


def content(folder):
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.situations"))}


def test_a_folder_reads_as_it_was_written(tmp_path):
    """Rows by number across files, columns of all, values within half precision."""
    data = SolvedData(made(tmp_path, 0, 2), verify=True)
    assert len(data) == 6
    assert data.blocks == (0, 2)
    assert data.column("source").tolist() == [0, 1, 2] * 2
    rows = data.rows("values", np.array([5, 0]))
    rng = np.random.default_rng(0)
    board = canonical(rng.permutation(52)[:5].tolist())[0]
    values = rng.normal(size=(2, COMBOS)) * live_combos(card_bits(board))
    assert data.rows("board", np.array([0]))[0].tolist() == list(board)
    assert rows[1] == pytest.approx(values, rel=1e-3, abs=1e-6)
    assert data.column("held_out").tolist() == [is_held_out(bytes(b)) for b in data.column("board")]


def test_a_tenth_of_boards_is_held_out():
    """By the board alone."""
    rng = np.random.default_rng(1)
    boards = [canonical(rng.permutation(52)[:5].tolist())[0] for _ in range(1000)]
    assert np.mean([is_held_out(bytes(board)) for board in boards]) == pytest.approx(0.1, abs=0.03)


def test_damage_is_noticed(tmp_path):
    """In the data when checksums are compared; a file under another name always."""
    made(tmp_path, 0)
    path = file_of(tmp_path, 0)
    shutil.copy(path, file_of(tmp_path, 4))
    with pytest.raises(ArtifactMismatch, match="it holds block 0"):
        SolvedData(tmp_path)
    file_of(tmp_path, 4).unlink()
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + b"\x55\xaa" + whole[middle + 2 :])
    with pytest.raises(ArtifactMismatch, match="checksum of"):
        SolvedData(tmp_path, verify=True)
    with pytest.raises(ArtifactMismatch, match=r"no \.situations files"):
        SolvedData(tmp_path / "nowhere")


def test_folders_are_merged(tmp_path, capsys):
    """All files, as they are; through the command."""
    first, second = made(tmp_path / "a", 0, 2), made(tmp_path / "b", 1)
    assert data_main(["merge", str(first), str(second), "--out", str(tmp_path / "all")]) == 0
    assert "9 situations" in capsys.readouterr().err
    assert content(tmp_path / "all") == content(first) | content(second)


def test_what_does_not_belong_together_is_not_merged(tmp_path, capsys):
    """The same situations twice, or another configuration: nothing is written then."""
    first, second = made(tmp_path / "a", 0, 1), made(tmp_path / "b", 1)
    with pytest.raises(ArtifactMismatch, match="the same situations as"):
        merge_data([first, second], tmp_path / "all")
    other = made(tmp_path / "c", 2, target=0.001)
    with pytest.raises(ArtifactMismatch, match=r"target: 0\.003 and 0\.001"):
        merge_data([first, other], tmp_path / "all")
    assert not (tmp_path / "all").exists()
    with pytest.raises(ArtifactMismatch, match="the same situations as"):
        merge_data([second], first)
    assert data_main(["merge", str(other), "--out", str(first)]) == 1
    assert "another configuration" in capsys.readouterr().err


FLOP_ENDS = ["--jobs", "1", "--street", "flop-end", "--block", "1", "--target", "99"]
FLOP_ENDS += ["--policy", "script:C", "--shares", "random=1"]


def save_network(path, number):
    """Write a network of ends of turns; its content is by a number."""
    usual = street_end_network(2)
    replace(usual, facts={**usual.facts, "number": number}).save(path)


def test_a_network_of_other_content_is_another_configuration(tmp_path, capsys):
    """By the name of the first: its work is not resumed, and not joined with that of the first."""
    asked, folder = tmp_path / "x.network", tmp_path / "first"
    words = [*FLOP_ENDS, "--network", str(asked)]
    save_network(asked, 1)
    assert main([str(folder), "--count", "1", *words]) == 0
    made_by = SolvedData(folder).configuration
    assert made_by.network_sha256 == sha256(asked.read_bytes()).hexdigest()
    save_network(asked, 2)
    capsys.readouterr()
    assert main([str(folder), "--count", "2", *words]) == 1
    says_in_a_line(capsys.readouterr().err.splitlines(True)[-1], "network_sha256")
    elsewhere = replace(made_by, network_sha256="0" * 64)  # as where a worker has another file
    with pytest.raises(ArtifactMismatch, match=r"SHA-256 .* not 000"):
        next(DataRun(elsewhere, tmp_path / "none", 1, Shard()).make([0], 1))
    assert main([str(tmp_path / "second"), "--count", "1", *words]) == 0
    capsys.readouterr()
    parts = [str(folder), str(tmp_path / "second")]
    assert data_main(["merge", *parts, "--out", str(tmp_path / "all")]) == 1
    says_in_a_line(capsys.readouterr().err, "network_sha256")
    assert main([str(folder), "--count", "1", *words, "--network", str(tmp_path / "gone")]) == 1
    says_in_a_line(capsys.readouterr().err, "gone")


def test_what_another_network_asks_is_another_configuration(tmp_path, monkeypatch, capsys):
    """A folder that was begun with one shipped network is not resumed with the next one."""
    words = [*FLOP_ENDS[:-1], "asked=1"]
    folder = str(tmp_path / "asked")
    assert main([folder, "--count", "1", *words]) == 0
    other = tmp_path / "other.network"
    save_network(other, 1)
    files = {FLOP: other, TURN: shipped_network(TURN)}
    monkeypatch.setattr(solving, "shipped_network", files.__getitem__)
    assert main([folder, "--count", "2", *words]) == 1
    says_in_a_line(capsys.readouterr().err.splitlines(True)[-1], "asked_sha256")


def test_folders_of_before_networks_had_digests_are_read_and_resumed(tmp_path, capsys):
    """Beside files that have one; whose digests differ among themselves is noticed all the same."""
    changes = {"block": 1, "policy": "script:C", "shares": {"random": 1}, "target": 0.99}
    old, folder = Configuration.of(FLOP, over=True, **changes), tmp_path / "old"
    assert "network_sha256" not in old.facts()
    folder.mkdir()
    assert len([*DataRun(old, folder, 1, Shard()).make([0], 1)]) == 1
    assert SolvedData(folder).configuration == old
    assert main([str(folder), "--count", "2", *FLOP_ENDS]) == 0
    found = SolvedData(folder)
    assert (len(found), found.configuration) == (2, with_network_digest(old))
    arrays = load_artifact(file_of(folder, 1), KIND)
    facts = {"configuration": {**found.configuration.facts(), "network_sha256": "ab"}, "block": 2}
    save_artifact(file_of(folder, 2), KIND, facts, arrays.arrays)
    with pytest.raises(ArtifactMismatch, match="network_sha256"):
        SolvedData(folder)


def test_killed_runs_are_resumed_to_the_same_bits(tmp_path, capsys):
    """Two processes, killed at once; then one; as an uninterrupted run of one."""
    folder = tmp_path / "killed"
    words = ["values", str(folder), "--count", "40", "--jobs", "2", *SMALL]
    program = own_program("arena")
    killed = subprocess.Popen([*program, "data", *words], env=environment())
    while not content(folder) and killed.poll() is None:
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    there = content(folder)
    assert 0 < len(there) < 20
    (folder / ".000019.situations.1.1.part").write_bytes(b"half")
    assert main([str(folder), "--count", "8", "--jobs", "1", *SMALL]) == 0
    straight = tmp_path / "straight"
    assert main([str(straight), "--count", "8", "--jobs", "1", *SMALL]) == 0
    wanted = content(straight)
    assert {name: content(folder)[name] for name in wanted} == wanted
    assert content(folder) | there == content(folder)
    capsys.readouterr()
    assert main([str(folder), "--describe", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["situations"] >= 8


def test_shards_make_the_whole(tmp_path, capsys):
    """Into one folder or two; another configuration is not mixed in."""
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    words = [str(parts), "--count", "6", "--jobs", "1", *SMALL]
    for shard in ("2/2", "1/2"):
        assert main([*words, "--shard", shard]) == 0
    assert "all 4 situations" in capsys.readouterr().err
    assert sorted(content(parts)) == [f"00000{n}.situations" for n in range(3)]
    away = tmp_path / "away"
    away.mkdir()
    for name in ("shard-2-of-2.json", "000001.situations"):
        (parts / name).rename(away / name)
    assert merge([str(parts), str(away), "--out", str(whole)]) == 0
    assert "all 6 situations" in capsys.readouterr().err
    straight = tmp_path / "straight"
    assert main([str(straight), "--count", "6", "--jobs", "1", *SMALL]) == 0
    assert content(whole) == content(straight)
    assert {path.name for path in whole.iterdir()} == {*content(straight)}
    (away / "000001.situations").unlink()
    assert merge([str(parts), str(away), "--out", str(whole)]) == 2
    says_in_a_line(capsys.readouterr().err.splitlines(True)[-1], "2/2", "000001.situations")
    assert data_main(["values", *words, "--seed", "2"]) == 1
    assert "seed: 2 and 1" in capsys.readouterr().err


def test_two_runs_of_a_shard_are_refused(tmp_path, monkeypatch):
    """Other shards of the folder are not."""
    monkeypatch.setattr("agents.deepstack.making._LOCK_SECONDS", 0.1)
    configuration = Configuration.of(RIVER)
    with DataRun(configuration, tmp_path, 10, Shard(1, 2)).alone():
        again = DataRun(configuration, tmp_path, 10, Shard(1, 2)).alone()
        with pytest.raises(TrainingError, match="another process"), again:
            pass
        with DataRun(configuration, tmp_path, 10, Shard(2, 2)).alone():
            pass


def test_workers_make_the_same_files(tmp_path):
    """They send them, and they are written here."""
    words = ["--count", "6", "--jobs", "1", *SMALL]
    assert main([str(tmp_path / "here"), *words]) == 0
    configuration = SolvedData(tmp_path / "here").configuration
    run = DataRun(configuration, tmp_path / "there", 6, Shard())
    with thread_workers() as (cluster, _), run.alone():
        assert len([*run.make(run.missing(), 1, cluster=cluster)]) == 3
        assert cluster.tally.replayed
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_options_of_this_machine_do_not_go_with_workers(tmp_path, capsys):
    """Their work is not this machine's."""
    words = [str(tmp_path / "data"), *SMALL, "--executor", "processes", "--nice"]
    assert data_main(["values", *words]) == 2
    assert "--nice and --pause are about this machine" in capsys.readouterr().err


def test_work_rests_while_there_is_a_file(tmp_path, monkeypatch):
    """And goes on when it is gone."""
    pause = tmp_path / "pause"
    pause.touch()
    rests = []
    monkeypatch.setattr(
        "agents.deepstack.making.time.sleep", lambda s: (rests.append(s), pause.unlink())
    )
    words = [str(tmp_path / "data"), "--count", "2", "--jobs", "1", *SMALL]
    assert main([*words, "--pause", str(pause)]) == 0
    assert rests == [1.0]
    assert len(content(tmp_path / "data")) == 1


def test_that_work_rests_is_said_and_a_folder_is_no_file(tmp_path, monkeypatch, capsys):
    """By which file; a folder would make it rest for ever."""
    pause, words = tmp_path / "pause", [str(tmp_path / "data"), "--count", "2", "--jobs", "1"]
    pause.touch()
    monkeypatch.setattr("agents.deepstack.making.time.sleep", lambda s: pause.unlink())
    for said in (True, False):
        assert main([*words, *SMALL, "--pause", str(pause)]) == 0
        assert (f"rests while {pause} is there" in capsys.readouterr().err) == said
    assert main([*words, *SMALL, "--pause", str(tmp_path)]) == 2
    says_in_a_line(capsys.readouterr().err, str(tmp_path), "folder")


def test_a_description_counts_all(tmp_path):
    """And measures what simple predictors miss."""
    text, facts = describe_data(SolvedData(made(tmp_path, 0, 1)))
    assert facts["counts"]["source"]["played"] == 2
    assert sum(facts["counts"]["texture"].values()) == 6
    assert facts["counts"]["stack"]["1 to 3"] == 6
    assert facts["errors"]["all"]["zero"]["by_hand"] == pytest.approx(0.8, abs=0.1)
    assert "6 situations" in text
