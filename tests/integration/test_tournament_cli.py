"""`arena tournament` as its users meet it: real dealers, real bots, real trouble."""

import csv
import json
import os
import re
import shutil
import signal
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

import agents
from dealer.commands.tournament import main
from dealer.logs.replay import main as verify
from dealer.ratings.rate_command import main as rate
from dealer.series.manifest import read_manifest, write_manifest
from tests.helpers.arena import start_arena
from tests.helpers.browser import open_browser
from tests.helpers.said import says, says_in_a_line

SCRIPTED = Path(__file__).parents[1] / "helpers" / "scripted_bot.py"
CALLER = f"{sys.executable} -S -E {SCRIPTED}"


def caller(label, then="call", after=0):
    """Return the BOT argument of a caller that goes wrong after so many answers."""
    return f"{label}={CALLER} --after {after} --then {then}"


CRASHED = '"ending": "finished", "bot": null', '"ending": "crash", "bot": "always-fold"'
"""What makes a crash of a finished leg in a ledger."""


def ledger_of(folder):
    """Return the lines of a ledger without regard to the order in which legs ended."""
    head, *lines = (folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    return [head, *sorted(lines)]


def chips_by_hand(folder):
    """Return what each log says that each bot won, counted with a regular expression alone."""
    found = {}
    for log in sorted(folder.glob("pairings/*/*.log")):
        won = {}
        for values, names in re.findall(r"^STATE:.*:([-0-9.|]+):([^:\n]+)$", log.read_text(), re.M):
            for name, value in zip(names.split("|"), values.split("|"), strict=True):
                won[name] = won.get(name, 0.0) + float(value)
        found[log.stem] = won
    return found


BOTS = ("always-call", "always-fold", "c=uniform-random")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A round-robin of three bots that was not interrupted."""
    folder = tmp_path_factory.mktemp("t") / "whole"
    words = ["--hands", "30", "--rounds", "2", "--seed", "4", "--quiet", "--out", str(folder)]
    assert main([*BOTS, *words]) == 0
    return folder


@pytest.mark.slow
def test_deciding_goes_on_after_a_kill_as_it_would_have(tmp_path, capsys):
    """The ledger ends behind the first choice, and the logs are those of that moment."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    decide = ["--in-process", "--quiet", "--decide", "1", "--decide-hands", "480"]
    bots = ["O1", "O7"]
    assert main([*bots, "--hands", "40", "--seed", "3", *decide, "--out", str(whole)]) == 0
    says(capsys.readouterr().out, "the first place")
    lines = (whole / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    choices = [at for at, line in enumerate(lines) if "longer" in line]
    assert len(choices) > 1
    shutil.copytree(whole, killed)
    kept = lines[: choices[0] + 2]
    (killed / "ledger.jsonl").write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    for leg in (json.loads(line).get("leg") for line in lines[choices[0] + 2 :]):
        for file in killed.glob(f"pairings/*/{leg}.*"):
            file.unlink()
    pairing = killed / "pairings" / "O1.O7"
    write_manifest(pairing, replace(read_manifest(pairing), runs=5))
    assert main(["--resume", str(killed), *decide]) == 0
    assert ledger_of(killed) == ledger_of(whole)
    for name in ("standings.csv", "ranking.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert main(["--resume", str(killed), "--quiet"]) == 0
    assert ledger_of(killed) == ledger_of(whole)


def test_every_pairing_is_in_the_ledger_and_its_logs(played):
    """Three pairings of two rounds of two legs; chips as the logs say."""
    head, *lines = ledger_of(played)
    assert set(json.loads(head)) == {"tournament"}
    told = {one["leg"]: one["chips"] for one in map(json.loads, lines)}
    assert len(told) == 12
    assert told == chips_by_hand(played)
    logs = [str(log) for log in played.glob("pairings/*/*.log")]
    assert verify(["--verify", *logs]) == 0


def test_all_pairings_have_the_same_deals(played):
    """The cards of a hand are those of the same hand of the same round, whoever plays."""
    deals = {}
    for log in played.glob("pairings/*/*.log"):
        for line in log.read_text().splitlines():
            if line.startswith("STATE:"):
                _, number, _, cards, *_ = line.split(":")
                holes = cards.split("/")[0]
                deals.setdefault((log.stem.split(".")[-2], number), set()).add(holes)
    assert len(deals) == 60
    assert all(len(holes) == 1 for holes in deals.values())


def test_standings_are_those_of_a_count_of_its_own(played):
    """Win rates and total bankrolls from nothing but the STATE lines."""
    told = json.loads((played / "standings.json").read_text(encoding="utf-8"))
    won = chips_by_hand(played)
    labels = [bot["label"] for bot in told["bots"]]
    rates = {}
    for pairing in told["pairings"]:
        legs = [won[name] for name in won if name.startswith(pairing["name"] + ".")]
        raw = sum(leg[pairing["bot"]] for leg in legs) / 120 * 10
        assert pairing["win_rates"]["raw"]["mbb_per_hand"] == pytest.approx(raw)
        assert pairing["win_rates"]["sets"]["mbb_per_hand"] == pytest.approx(raw)
        assert pairing["win_rates"]["sets"]["samples"] == 60
        quoted = pairing["win_rates"]["allin_sets"]["mbb_per_hand"]
        rates[pairing["bot"], pairing["opponent"]] = quoted
        rates[pairing["opponent"], pairing["bot"]] = -quoted
    bankrolls = {
        one: np.mean([rates[one, other] for other in labels if other != one]) for one in labels
    }
    for bot in told["bots"]:
        assert bot["bankroll_mbb_per_hand"] == pytest.approx(bankrolls[bot["label"]])
        assert bot["forfeited_legs"] == 0
        assert sum(bot["rank_shares"]) == pytest.approx(1.0)
    ranked = sorted(told["bots"], key=lambda bot: bot["rank"])
    assert [bot["label"] for bot in ranked] == sorted(labels, key=lambda one: -bankrolls[one])
    assert (told["legs"], told["hands"]) == (12, 360)


def test_standings_are_written_for_people_and_programs(played):
    """Text, CSV, SVG and a page, all of the same numbers."""
    text = (played / "standings.txt").read_text(encoding="utf-8")
    assert "round-robin of 3 bots" in text
    assert "12 of 12 legs over, 360 hands" in text
    with (played / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = json.loads((played / "standings.json").read_text(encoding="utf-8"))
    for row, pairing in zip(rows, told["pairings"], strict=True):
        rate = pairing["win_rates"]["allin_sets"]
        assert float(row["mbb_per_hand"]) == pytest.approx(rate["mbb_per_hand"], abs=1e-3)
    with (played / "ranking.csv").open(encoding="utf-8", newline="") as file:
        ranking = list(csv.DictReader(file))
    best = [bot["label"] for bot in sorted(told["bots"], key=lambda bot: bot["rank"])]
    assert [row["bot"] for row in ranking] == best
    assert ranking[-1]["above_next"] == ""
    picture = ET.fromstring((played / "crosstable.svg").read_text(encoding="utf-8"))
    assert sum(one.get("d", "").count("M") for one in picture.iter()) == 9
    page = (played / "standings.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    carried = re.search(r'id="standings">(.*?)</script>', page, re.S)
    assert json.loads(carried[1]) == told


def test_a_win_rate_has_one_interval(played, capsys):
    """That of the standings is that of `arena rate`, and so of the page of results."""
    capsys.readouterr()
    assert rate(["--json", *map(str, sorted((played / "pairings").iterdir()))]) == 0
    (game,) = json.loads(capsys.readouterr().out)["games"]
    told = json.loads((played / "standings.json").read_text(encoding="utf-8"))
    found = {bot["label"]: bot for bot in told["bots"]}
    for player in game["players"]:
        rated, bot = player["estimators"]["allin_sets"], found[player["player"]]
        assert bot["bankroll_mbb_per_hand"] == pytest.approx(rated["mbb_per_hand"])
        assert bot["bankroll_ci95"] == pytest.approx(rated["ci95_mbb_per_hand"])


def test_the_page_of_standings_is_read_on_a_phone(played):
    """Tables scroll by themselves, names stay in sight, and links lead to files that are there."""
    address = (played / "standings.html").as_uri()
    with open_browser() as browser:
        for scheme in ("light", "dark"):
            size = {"width": 390, "height": 844}
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth") == 390
            ground, text = page.evaluate(
                "['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])"
            )
            assert (ground == "rgb(255, 255, 255)", text == "rgb(24, 32, 42)") == (
                (scheme == "light",) * 2
            )
        page.get_by_role("region", name="Ranking").evaluate("(one) => (one.scrollLeft = 200)")
        name = page.locator("td.bot").first.bounding_box()
        assert 0 <= name["x"] < 60
        links = page.locator("a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert len(links) == 3 + 5
    assert all((played / link).exists() for link in links)


def test_a_finished_tournament_is_only_counted_again(played, capsys):
    """No leg is played, the standings are the same."""
    before = {path: path.stat().st_mtime_ns for path in played.glob("pairings/*/*")}
    ledger = ledger_of(played)
    text = (played / "standings.txt").read_text(encoding="utf-8")
    assert main(["--resume", str(played)]) == 0
    assert text in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in played.glob("pairings/*/*")} == before
    assert ledger_of(played) == ledger


def kill_after_hands(process, folder, hands):
    """Kill the runner alone, with SIGKILL, once so many hands are in the logs."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        logs = folder.glob("pairings/*/*.log")
        if sum(log.read_text().count("STATE:") for log in logs) >= hands:
            break
        time.sleep(0.005)
    else:
        pytest.fail(f"no {hands} hands after 60 s")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("hands", [(1, 120), pytest.param((80, 250), marks=pytest.mark.slow)])
def test_killed_and_resumed_the_ledger_is_that_of_an_uninterrupted_tournament(
    played, tmp_path, hands
):
    """Twice, at the first hands and in the middle: every hand once, the same chips."""
    folder = tmp_path / "killed"
    words = ["--hands", "30", "--rounds", "2", "--seed", "4", "--quiet"]
    process = start_arena(tmp_path, "tournament", *BOTS, *words, "--out", str(folder))
    kill_after_hands(process, folder, hands[0])
    process = start_arena(tmp_path, "tournament", "--resume", str(folder), "--quiet")
    kill_after_hands(process, folder, hands[1])
    assert main(["--resume", str(folder), "--quiet"]) == 0
    assert ledger_of(folder) == ledger_of(played)
    told = map(json.loads, ledger_of(folder)[1:])
    assert {one["leg"]: one["chips"] for one in told} == chips_by_hand(folder)


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True])
def test_bots_that_learn_play_on_as_they_would_have(tmp_path, in_process):
    """Killed twice in the middle of legs, at dealers and without them, beside a template."""
    template = f"t={sys.executable} {Path(agents.__file__).parent / 'templates' / 'bot.py'}"
    bots = ("statistical", "exploiter", "astar", template)
    words = ["--hands", "60", "--seed", "4", "--quiet", *["--in-process"] * in_process]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main([*bots, *words, "--out", str(whole)]) == 0
    process = start_arena(tmp_path, "tournament", *bots, *words, "--out", str(killed))
    kill_after_hands(process, killed, 150)
    again = ["--resume", str(killed), "--quiet", *["--in-process"] * in_process]
    process = start_arena(tmp_path, "tournament", *again)
    kill_after_hands(process, killed, 350)
    assert main(again) == 0
    assert ledger_of(killed) == ledger_of(whole)


def test_ctrl_c_shows_the_standing_and_loses_nothing(tmp_path):
    """What was played counts; the next call plays the rest."""
    folder = tmp_path / "t"
    process = start_arena(
        tmp_path, "tournament", *BOTS, "--hands", "60", "--seed", "4", "--out", str(folder)
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not (folder / "ledger.jsonl").exists():
        time.sleep(0.01)
    while time.monotonic() < end and (folder / "ledger.jsonl").read_text().count("\n") < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    says(out, f"arena tournament --resume {folder}")
    assert re.search(r"[1-5] of 6 legs over", out)
    assert main(["--resume", str(folder), "--quiet"]) == 0
    assert len(ledger_of(folder)) == 7
    assert {len(log.read_text().split("\nSTATE:")) for log in folder.glob("pairings/*/*.log")} == {
        61
    }


@pytest.mark.slow
def test_forfeits_are_counted_apart(tmp_path, capsys):
    """Legs that a bot broke off: its finished hands count, and nothing is made up for the rest."""
    folder = tmp_path / "t"
    words = ["--hands", "20", "--seed", "4", "--quiet", "--out", str(folder)]
    bots = ["always-call", "always-fold", caller("bad", "exit:3", after=30)]
    assert main([*bots, *words]) == 1
    out = capsys.readouterr().out
    told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    assert [bot["forfeited_legs"] for bot in told["bots"]][:2] == [0, 0]
    forfeited = told["bots"][2]["forfeited_legs"]
    assert forfeited > 0
    causes = re.findall(r"(bad\S+|\S+\.bad\.\S+): forfeited by bad \(crash\) .*exit status 3", out)
    assert causes
    broken = [one["leg"] for one in map(json.loads, ledger_of(folder)[1:]) if one["bot"] == "bad"]
    assert len(broken) == forfeited
    assert all(leg in out for leg in broken[:3])
    assert told["legs"] == 6
    played = sum(log.read_text().count("\nSTATE:") for log in folder.glob("pairings/*/*.log"))
    assert told["hands"] == played < 120
    # Nothing is left to play; asked for, the forfeited legs are tried again.
    ledger = ledger_of(folder)
    assert main(["--resume", str(folder), "--quiet"]) == 1
    assert ledger_of(folder) == ledger
    assert main(["--resume", str(folder), "--quiet", "--retry"]) in (0, 1)
    assert len(ledger_of(folder)) == len(ledger) + 2 * forfeited
    # Nobody else is blamed, and what was broken off was not finished.
    path = folder / "ledger.jsonl"
    text = path.read_text(encoding="utf-8")
    for change in ("crash", "always-call"), ("crash", "nobody"), ("finished", None):
        told = '"ending": {}, "bot": {}'.format(*map(json.dumps, change))
        changed = text.replace('"ending": "crash", "bot": "bad"', told)
        path.write_text(changed, encoding="utf-8")
        capsys.readouterr()
        assert main(["--resume", str(folder), "--quiet"]) == 1
        assert "not happen" in capsys.readouterr().err
    path.write_text(text, encoding="utf-8")
    # Killed while one is played again, its log is another one, and it is still to be played.
    path = folder / "ledger.jsonl"
    leg = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["leg"]
    log = next(folder.glob(f"pairings/*/{leg}.log"))
    log.write_text(log.read_text().rpartition("STATE:")[0])  # a hand less
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"again": leg}) + "\n")
    capsys.readouterr()
    assert main(["--resume", str(folder), "--quiet"]) == 1
    assert "not the log" not in capsys.readouterr().err
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["leg"] == leg


def test_a_knockout_is_played_to_its_end_and_nobody_joins_it(tmp_path, capsys):
    """Three pairings of four bots; the winner has rank 1.  Who is out might not be."""
    folder = tmp_path / "t"
    words = ["--style", "knockout", "--hands", "20", "--seed", "4", "--quiet", "--in-process"]
    assert main([*BOTS, "d=always-call", *words, "--out", str(folder)]) == 0
    told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    assert [one["stage"] for one in told["pairings"]] == [0, 0, 1]
    champion = told["pairings"][2]["winner"]
    assert next(bot["label"] for bot in told["bots"] if bot["rank"] == 1) == champion
    assert sorted(bot["rank"] for bot in told["bots"]) == [1, 2, 3, 4]
    capsys.readouterr()
    assert main(["--resume", str(folder), "O1", "--quiet"]) == 2
    says_in_a_line(capsys.readouterr().err, "a knockout, which nobody can join: O1")


def test_a_bot_that_refuses_its_options_ends_the_tournament(tmp_path, capsys):
    """With its own words, and without a trace."""
    folder = tmp_path / "t"
    words = ["--hands", "20", "--quiet", "--out", str(folder)]
    assert main(["always-call", "always-fold --nonsense", *words]) == 2
    says_in_a_line(capsys.readouterr().err, "arena tournament: always-fold", "--nonsense")
    assert not folder.exists()


def test_what_was_changed_behind_its_back_is_refused(tmp_path, capsys):
    """A log, the ledger, the folder of a pairing: one line each, nothing is played or lost."""
    folder = tmp_path / "t"
    words = ["--hands", "20", "--seed", "4", "--quiet", "--out", str(folder)]
    assert main(["always-call", "always-fold", *words]) == 0
    log = folder / "pairings/always-call.always-fold/always-call.always-fold.0.0.log"
    ledger = folder / "ledger.jsonl"
    for path, change, told in (
        (log, lambda text: text.replace("STATE:0:", "STATE:77:"), "not the log"),
        (ledger, lambda text: text.replace("fold.0.0", "fold.7.0"), "no leg"),
        (ledger, lambda text: text.replace('"hands": 20', '"hands": 19', 1), "not happen"),
        (ledger, lambda text: text.replace(*CRASHED, 1), "not happen"),
        (ledger, lambda text: text[: text.index("\n") + 9] + "\n", "line 2"),
        (ledger, lambda text: text.replace(text[20:30], "0123456789", 1), "another tournament"),
    ):
        whole = path.read_text(encoding="utf-8")
        path.write_text(change(whole), encoding="utf-8")
        capsys.readouterr()
        assert main(["--resume", str(folder), "--quiet"]) == 1
        says_in_a_line(capsys.readouterr().err, "arena tournament", told)
        path.write_text(whole, encoding="utf-8")
    assert main(["--resume", str(folder), "--quiet"]) == 0


def test_a_pairing_whose_folder_is_damaged_stops_the_tournament_in_one_line(tmp_path, capsys):
    """While legs are being played; mended it goes on, and the first round stays as it was."""
    folder = tmp_path / "t"
    quick = ["--quiet", "--in-process"]
    words = ["--hands", "10", "--seed", "4", *quick, "--out", str(folder)]
    assert main(["always-call", "always-fold", "x=always-call", *words]) == 0
    before = ledger_of(folder)
    manifest = folder / "pairings/always-call.x/manifest.json"
    whole = manifest.read_text(encoding="utf-8")
    manifest.write_text("{}", encoding="utf-8")
    capsys.readouterr()
    assert main(["--resume", str(folder), "--rounds", "2", *quick]) == 1
    says_in_a_line(capsys.readouterr().err, "arena tournament", manifest.parent, "not a readable")
    manifest.write_text(whole, encoding="utf-8")
    assert main(["--resume", str(folder), *quick]) == 0
    assert len(ledger_of(folder)) == 13
    assert set(before) < set(ledger_of(folder))


def test_legs_without_a_line_are_counted_again_from_their_logs(tmp_path):
    """As after a kill between the end of a leg and its line."""
    folder = tmp_path / "t"
    words = ["--hands", "20", "--seed", "4", "--quiet", "--out", str(folder)]
    assert main(["always-call", "always-fold", *words]) == 0
    whole = ledger_of(folder)
    lines = (folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "ledger.jsonl").write_text("".join(lines[:1]) + lines[1][:30], encoding="utf-8")
    stamps = {path: path.stat().st_mtime_ns for path in folder.glob("pairings/*/*.log")}
    assert main(["--resume", str(folder), "--quiet"]) == 0
    assert ledger_of(folder) == whole
    assert {path: path.stat().st_mtime_ns for path in folder.glob("pairings/*/*.log")} == stamps


def test_bots_of_a_file_are_started_in_their_folders(tmp_path):
    """A program named by a relative path, found and started where the file says."""
    home = tmp_path / "bots"
    home.mkdir()
    script = home / "mine.sh"
    script.write_text(f'#!/bin/sh\npwd > where\nexec {CALLER} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    (tmp_path / "t.toml").write_text(
        'hands = 10\nseed = 4\n[[bot]]\ncommand = "./mine.sh"\ndirectory = "bots"\n'
        '[[bot]]\ncommand = "always-fold"\n',
        encoding="utf-8",
    )
    words = [str(tmp_path / "t.toml"), "--quiet", "--out", str(tmp_path / "t")]
    assert main(words) == 0
    assert (home / "where").read_text(encoding="utf-8").strip() == str(home)


def test_the_file_of_the_help_can_be_played(tmp_path, capsys):
    """As it stands there; what the command line says counts more."""
    with pytest.raises(SystemExit):
        main(["--help"])
    sample = capsys.readouterr().out.partition('  style = "')[2].partition("\nExamples")[0]
    (tmp_path / "t.toml").write_text(dedent(f'  style = "{sample}'), encoding="utf-8")
    short = ["--hands", "2", "--rounds", "1", "--quiet", "--out", str(tmp_path / "t")]
    assert main([str(tmp_path / "t.toml"), *short]) == 0
    told = json.loads((tmp_path / "t" / "standings.json").read_text(encoding="utf-8"))
    assert [bot["label"] for bot in told["bots"]] == ["rule", "wild", "always-call"]


def standings_of(folder):
    """Return the standings, without what tells when somebody joined."""
    told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    for bot in told["bots"]:
        del bot["joined_after_legs"]
    return {name: told[name] for name in ("digest", "legs", "hands", "bots", "pairings")}


@pytest.mark.slow
def test_a_bot_joins_a_tournament_that_is_over(tmp_path, capsys):
    """Only its pairings are played, and the standings are those of all from the start."""
    late, whole = tmp_path / "late", tmp_path / "whole"
    words = ["--hands", "40", "--seed", "3", "--quiet", "--in-process"]
    assert main(["rule", "always-call", "O1", *words, "--out", str(late)]) == 0
    before = ledger_of(late)
    logs = {log: log.read_bytes() for log in late.glob("pairings/*/*.log")}
    assert main(["--resume", str(late), "solid", "--quiet", "--in-process"]) == 0
    says(capsys.readouterr().out, "solid joined when 6 legs were over")
    assert all(log.read_bytes() == content for log, content in logs.items())
    joined = [line for line in ledger_of(late) if '"joined"' in line]
    assert [json.loads(line)["joined"] for line in joined] == [["solid"]]
    assert main(["rule", "always-call", "O1", "solid", *words, "--out", str(whole)]) == 0
    assert standings_of(late) == standings_of(whole)
    told = set(ledger_of(late)) - set(joined) - set(before[:1])
    assert told == set(ledger_of(whole)[1:])
    # Named again it is there already; under its name nobody else joins.
    assert main(["--resume", str(late), "solid", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["--resume", str(late), "solid=always-fold", "--quiet"]) == 2
    says_in_a_line(capsys.readouterr().err, "holds another tournament", "solid=always-fold")
    # Killed between the ledger and the manifest, nobody has joined.
    with (late / "ledger.jsonl").open("a") as file:
        file.write(json.dumps({"joined": ["O2"], "tournament": "0" * 64}) + "\n")
    assert main(["--resume", str(late), "--quiet"]) == 0
    assert "O2" not in capsys.readouterr().out


def test_newcomers_of_a_gauntlet_are_opponents_unless_there_are_more_challengers(tmp_path, capsys):
    """And a join that was killed before the manifest was written can be made again."""
    folder = tmp_path / "t"
    words = ["--hands", "20", "--seed", "3", "--quiet", "--in-process"]
    style = ["--style", "gauntlet", "--out", str(folder)]
    assert main(["rule", "always-call", *words, *style]) == 0
    manifest = (folder / "tournament.json").read_bytes()
    again = ["--resume", str(folder), "--quiet", "--in-process"]
    assert main([*again, "O1"]) == 0
    assert main([*again, "solid", "--challengers", "2"]) == 0
    met = {path.name for path in (folder / "pairings").iterdir()}
    assert met == {"rule.always-call", "rule.O1", "solid.always-call", "solid.O1"}
    says(capsys.readouterr().out, "rule - solid: ", "over 20 deals and 2 opponents")
    head, *lines = (folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if '"joined"' in line)
    (folder / "ledger.jsonl").write_text("\n".join([head, *lines[: at + 1], ""]), encoding="utf-8")
    (folder / "tournament.json").write_bytes(manifest)
    assert main([*again, "O1"]) == 0
    assert len(ledger_of(folder)) == 1 + 2 + 4


def test_three_at_a_table(tmp_path, capsys):
    """Standings are those of the logs, also of one that joined and sits at all tables."""
    folder = tmp_path / "t"
    words = ["always-call", "biased-random", "rule", "--game", "nolimit3"]
    words += ["--hands", "10", "--seed", "5", "--in-process", "--quiet", "--out", str(folder)]
    assert main(words) == 0
    assert main(["--resume", str(folder), "d=always-fold", "--quiet", "--in-process"]) == 0
    assert len(ledger_of(folder)) == 1 + 3 + 1 + 9
    assert verify(["--verify", *map(str, sorted(folder.glob("pairings/*/*.log")))]) == 0
    capsys.readouterr()
    assert_bankrolls_are_those_of_the_logs(folder, tables=3)
    told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    assert len(told["pairings"]) == 12
    assert told["pairings"][0]["opponents"] == ["biased-random", "rule"]
    assert "(P - 1) / P" in (folder / "standings.txt").read_text(encoding="utf-8")


def test_who_crashes_at_a_table_of_three_is_last(tmp_path, capsys):
    """In each seating."""
    broken = tmp_path / "broken.py"
    broken.write_text(
        "from agents.bot import Bot\n\n\n"
        "class Broken(Bot):\n    def act(self, view):\n        raise OSError('lost')\n"
    )
    words = [f"e={broken}:Broken", "always-call", "rule", "--game", "nolimit3", "--in-process"]
    folder = tmp_path / "t"
    assert main([*words, "--hands", "4", "--quiet", "--out", str(folder)]) == 1
    assert "forfeited by e (crash)" in capsys.readouterr().out
    told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    assert {bot["label"]: bot["rank"] for bot in told["bots"]}["e"] == 3
    assert {bot["label"]: bot["forfeited_legs"] for bot in told["bots"]}["e"] == 3


def assert_bankrolls_are_those_of_the_logs(folder, tables):
    """Compare with the mean over tables of what the logs say, as printed."""
    rates = {}
    for leg, won in chips_by_hand(folder).items():
        for name, chips in won.items():
            rates.setdefault(name, {}).setdefault(leg.rsplit(".", 2)[0], []).append(chips)
    with (folder / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    raw = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    for bot in raw["bots"]:
        own = rates[bot["label"]]
        assert len(own) == tables
        mine = [row for row in raw["pairings"] if row["bot"] == bot["label"]]
        printed = sorted(row["win_rates"]["raw"]["mbb_per_hand"] for row in mine)
        assert printed == pytest.approx(sorted(sum(each) / 30 * 10 for each in own.values()))
        quoted = [float(row["mbb_per_hand"]) for row in rows if row["bot"] == bot["label"]]
        assert bot["bankroll_mbb_per_hand"] == pytest.approx(np.mean(quoted), abs=0.01)
