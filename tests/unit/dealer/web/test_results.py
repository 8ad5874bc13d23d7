"""Results of an archive: the numbers of the commands, and nothing that may not be seen."""

import asyncio
import gzip
import json
import os
import re
import threading

import pytest

from dealer.logs.replay import main as replay
from dealer.logs.stats import main as stats
from dealer.ratings.rate_command import main as rate
from dealer.web.archive import Archive
from dealer.web.delay import Delay
from dealer.web.results import ArchiveResults, CountingStopped
from dealer.web.spectating import SeenCards
from tests.helpers.fake_match import in_loop
from tests.helpers.match_folders import write_match, write_tournament


def results_of(folder, cards=SeenCards.ALL, delay=None):
    """Results that are counted when they are asked for."""
    return ArchiveResults(Archive([str(folder)]), cards, delay)


async def asked(results):
    """The document."""
    return json.loads(await results.text())


def told(capsys, command, *words):
    """What a command writes as JSON."""
    command([*map(str, words), "--json"])
    return json.loads(capsys.readouterr().out)


@in_loop
async def test_numbers_are_those_of_the_commands(tmp_path, capsys):
    """Win rates those of `arena rate`, play that of `arena stats`, of each pair and position."""
    folder = write_tournament(tmp_path / "t", ("Ann", "Bob", "Cleo"))
    document = await asked(results_of(folder))
    assert (document["logs"], document["over"], document["lines_left_out"]) == (6, True, 0)
    (game,) = document["games"]
    (rated,) = told(capsys, rate, folder)["games"]
    assert game.pop("game") == "holdem.nolimit.2p.reverse_blinds"
    assert [group.pop("logs") for group in game["groups"]] == [[0, 1], [2, 3], [4, 5]]
    assert {key: game[key] for key in rated if key != "game"} == {
        key: rated[key] for key in rated if key != "game"
    }
    assert {"raw", "sets", "allin", "allin_sets"} == game["players"][0]["estimators"].keys()
    played = told(capsys, stats, folder, "--by", "position", "--by", "depth")
    assert played == game["stats"]
    assert played[0]["sets"]["samples"] == 40


@in_loop
async def test_a_curve_ends_at_the_win_rate(tmp_path):
    """Of each two that met, by each estimator that is of single hands."""
    folder = write_tournament(tmp_path / "t", ("Ann", "Bob", "Cleo"))
    (game,) = (await asked(results_of(folder)))["games"]
    assert len(game["curves"]) == 3
    for group, curve in zip(game["groups"], game["curves"], strict=True):
        assert (curve["player"], curve["against"]) == (group["player"], group["against"])
        assert curve["hands"][-1] == 80
        for name in ("raw", "allin"):
            end = group["estimators"][name]
            for key in ("mbb_per_hand", "ci95_mbb_per_hand"):
                assert curve[name][key][-1] == pytest.approx(end[key], abs=1e-3)
            total = end["mbb_per_hand"] * 80 * game["big_blind_chips"] / 1000
            assert curve[name]["chips"][-1] == pytest.approx(total, abs=0.01)
    assert [log["hands"] for log in game["logs"]] == [40] * 6
    for player in game["players"]:
        won = sum(log["won"].get(player["player"], 0) for log in game["logs"])
        mbb = player["estimators"]["raw"]["mbb_per_hand"]
        assert won == pytest.approx(mbb * 160 * game["big_blind_chips"] / 1000)


AIVAT_HEAD = (
    "# values abc\n# Ann is blueprint\n"
    "place,hand,position0,position1,big_blind,won,allin,aivat,end,deal,board,actions\n"
)


def write_estimates(folder, hands=40, shift=0):
    """Write what AIVAT says of the first hands of each log: half of what they were worth."""
    for log in sorted(folder.glob("*.log")):
        rows = []
        for line in log.read_text().splitlines():
            if not line.startswith("STATE"):
                continue
            _, hand, _, _, values, names = line.split(":")
            won = float(values.split("|")[0])
            one, other = names.split("|")
            rows.append(f"x:1,{int(hand) + shift},{one},{other},50,{won / 2},0,{won / 4},0,0,0,0\n")
        log.with_suffix(".aivat").write_text(AIVAT_HEAD + "".join(rows[:hands]))


@in_loop
async def test_aivat_beside_the_logs_is_an_estimator(tmp_path):
    """The one to quote, with a curve; its chips are those of the hands, whatever the big blind."""
    folder = write_match(tmp_path / "m", "Ann", "Bob", hands=120)
    write_estimates(folder, 120)
    (game,) = (await asked(results_of(folder)))["games"]
    assert game["aivat"] == {"hands": 240, "values": ["abc"], "known": {"Ann": "blueprint"}}
    (curve,) = game["curves"]
    for player, sign in zip(game["players"], (1, -1), strict=True):
        found = player["estimators"]
        assert player["quoted_estimator"] == "aivat_sets"
        for name, raw in (("aivat", "raw"), ("aivat_sets", "sets")):
            for key in ("mbb_per_hand", "ci95_mbb_per_hand"):
                assert found[name][key] == pytest.approx(found[raw][key] / 2)
        end = found["aivat"]["mbb_per_hand"]
        assert sign * curve["aivat"]["mbb_per_hand"][-1] == pytest.approx(end, abs=1e-3)
    assert "AIVAT" in game["verdict"]["text"]


@in_loop
async def test_aivat_of_some_hands_is_not_quoted(tmp_path):
    """It says of how many; what is of other hands, or no estimates at all, is as if not there."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    results = results_of(folder)
    (plain,) = (await asked(results))["games"]
    assert plain["aivat"] is None
    write_estimates(folder, 30)
    half = folder / "match.0.1.aivat"
    half.write_text(half.read_text()[:-9])
    results._next = 0.0
    (game,) = (await asked(results))["games"]
    assert game["aivat"]["hands"] == 59
    assert game["verdict"] == plain["verdict"]
    for player, before in zip(game["players"], plain["players"], strict=True):
        assert player["estimators"].pop("aivat")["hands"] == 59
        assert player["estimators"].pop("aivat_sets")["samples"] == 29
        assert player == before
    assert "aivat" not in game["curves"][0]
    write_estimates(folder, shift=1)
    assert (await asked(results_of(folder)))["games"][0]["aivat"] is None
    (folder / "match.0.1.aivat").write_bytes(b"\xff\n,,\n")
    (folder / "match.0.0.aivat").unlink()
    os.mkfifo(folder / "match.0.0.aivat")
    assert (await asked(results_of(folder)))["games"][0]["aivat"] is None


@in_loop
async def test_aivat_needs_all_cards(tmp_path):
    """Who may see what was shown gets none, since it knows what the others held."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    before = await asked(results_of(folder, SeenCards.SHOWN))
    write_estimates(folder)
    assert await asked(results_of(folder, SeenCards.SHOWN)) == before


@in_loop
async def test_times_come_from_the_transaction_files(tmp_path):
    """Of the logs that have one; the longest answer leads to its hand."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    (game,) = (await asked(results_of(folder)))["games"]
    assert game["latency"] == []
    lines = []
    for line in (folder / "match.0.1.log").read_text().splitlines():
        if line.startswith("STATE"):
            _, hand, betting, *_ = line.split(":")
            for action in re.findall("[fc]|r[0-9]+", betting):
                took = 2.5 if hand == "7" else 0.5
                lines.append(f"{action} {hand} 100.25 {100.25 + took}\n")
    (folder / "match.0.1.tlog").write_text("".join(lines))
    (game,) = (await asked(results_of(folder)))["games"]
    rows = [row for row in game["latency"] if row["street"] is None]
    assert sum(row["answers"] for row in rows) == len(lines)
    assert {row["longest"]["seconds"] for row in rows} == {2.5}
    assert {(row["longest"]["log"], row["longest"]["hand"]) for row in rows} == {(1, 7)}
    assert {row["quantiles_seconds"]["0.5"] for row in rows} == {0.5}
    assert sum(row["answers"] for row in game["latency"]) == 2 * len(lines)


@in_loop
async def test_streets_add_up_to_the_win_rate(tmp_path):
    """The rows of each player, in the order of the streets."""
    (game,) = (await asked(results_of(write_match(tmp_path / "m", "Ann", "Bob"))))["games"]
    for player in game["players"]:
        rows = [row for row in game["streets"] if row["player"] == player["player"]]
        assert [row["street"] for row in rows] == [0, 1, 2, 3]
        total = sum(row["won"]["mbb_per_hand"] for row in rows)
        assert total == pytest.approx(player["estimators"]["raw"]["mbb_per_hand"])
        assert rows[0]["reached"] == player["hands"] == rows[0]["hands"]


@in_loop
async def test_files_that_are_no_logs_are_told(tmp_path):
    """One by one, with the reason, which who may not know paths does not get."""
    folder = tmp_path / "m"
    folder.mkdir()
    text = (write_match(tmp_path / "w", "Ann", "Bob") / "match.0.0.log").read_bytes()
    files = {
        "a.log": text,
        "copy.log": text,
        "cut.log": gzip.compress(text + text)[:-300],
        "empty.log": b"",
        "noise.log": bytes(range(256)) * 40,
        "only-head.log": text[: text.index(b"\n") + 1],
        "other-game.log": b"# name/game/hands/seed m nothing.game 2 1\n" + text.split(b"\n", 1)[1],
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    document = await asked(results_of(folder))
    assert document["games"][0]["hands"] >= 40
    told = {list(files)[one["log"]]: one["why"] for one in document["logs_left_out"]}
    assert told.keys() == {"copy.log", "cut.log", "noise.log", "other-game.log"}
    assert told["noise.log"] == "no log: it has neither header nor hand"
    assert told["copy.log"] == "the same as another log, counted once"
    assert not any(str(tmp_path) in why for why in told.values())
    hidden = await asked(results_of(folder, SeenCards.SHOWN))
    told = {list(files)[one["log"]]: one["why"] for one in hidden["logs_left_out"]}
    assert told["other-game.log"] == told["cut.log"] == "cannot be read"


@in_loop
@pytest.mark.parametrize("cards", list(SeenCards))
async def test_a_large_file_that_is_no_log_is_not_read_to_its_end(tmp_path, cards):
    """And does not keep a match from being over."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    (folder / "manifest.json").unlink()
    late = b"x" * 99 + b"\n"
    noise = late * 160_000 + (folder / "match.0.0.log").read_bytes()
    (folder / "noise.log").write_bytes(noise)
    document = await asked(results_of(folder, cards))
    assert [one["why"] for one in document["logs_left_out"]] == [
        "no log: it has neither header nor hand"
    ]
    assert (document["games"][0]["hands"], document["logs"], document["over"]) == (80, 2, True)


@in_loop
async def test_a_pipe_in_the_place_of_a_log_is_not_waited_for(tmp_path):
    """What other logs say is told meanwhile."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    results = results_of(folder)
    (folder / "match.0.0.log").unlink()
    os.mkfifo(folder / "match.0.0.log")
    document = await asked(results)
    assert [one["log"] for one in document["logs_left_out"]] == [0]
    assert document["games"][0]["hands"] == 40


@in_loop
async def test_what_the_numbers_rest_on_is_told(tmp_path):
    """Hands that stand there twice, and payoffs that cannot be."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    log = folder / "match.0.0.log"
    line = "STATE:90:f:2c3c|9hQd:70|-70:Bob|Ann\n"
    log.write_text(log.read_text() + line + line)
    assert (await asked(results_of(folder)))["notes"] == [
        "1 hands stand in the logs more than once, all are counted",
        "2 hands have payoffs that contradict betting and cards; they are counted as printed",
    ]


@in_loop
async def test_biggest_pots_are_those_of_replay(tmp_path, capsys):
    """A row for each size with how many there are and the first of them."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    first = folder / "match.0.0.log"
    first.write_text(first.read_text() * 2)
    (game,) = (await asked(results_of(folder)))["games"]
    pots = game["pots"]
    sizes = [pot["pot_chips"] for pot in pots]
    assert sizes == sorted({*sizes}, reverse=True)
    least = pots[-1]["pot_chips"] / game["big_blind_chips"]
    replay(["--json", "--pot", str(least), str(first), str(folder / "match.0.1.log")])
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(shown) == sum(pot["hands"] for pot in pots)
    assert {one["hand"] for one in pots} <= {one["hand"] for one in shown}
    assert {one["nth"] for one in pots} == {1}


HIDDEN = [("9c9d|2c7d", "3s5s|2h7h"), ("4c4d|Kc7d", "Qs5s|2h8h")]


@in_loop
async def test_hidden_cards_are_in_no_number(tmp_path):
    """Cards of hands that nobody showed change nothing, even where deals came twice."""
    found = {}
    for cards in SeenCards:
        for case, (first, other) in enumerate(HIDDEN):
            folder = tmp_path / f"{cards.value}{case}"
            folder.mkdir()
            for log, second in enumerate((first, other if case else first)):
                names = ("A|B", "B|A")[log]
                (folder / f"{log}.log").write_text(
                    f"# name/game/hands/seed m hunl 9 {case}\n"
                    f"STATE:0:r300f:{first}:-100|100:{names}\n"
                    f"STATE:1:f:{second}:50|-50:{names}\n"
                )
            found[cards, case] = await asked(results_of(folder, cards))
    assert found[SeenCards.SHOWN, 0] == found[SeenCards.SHOWN, 1]
    assert found[SeenCards.ALL, 0] != found[SeenCards.ALL, 1]
    (game,) = found[SeenCards.SHOWN, 0]["games"]
    assert {*game["players"][0]["estimators"]} == {"raw"}
    assert "allin" not in game["curves"][0]


@in_loop
async def test_a_match_that_is_played_has_no_verdict(tmp_path):
    """Until each log that the manifest names has its end; a half line is not counted."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    log = folder / "match.0.1.log"
    lines = log.read_bytes().splitlines(keepends=True)
    results = results_of(folder)
    for text, hands in ((lines[:5], 44), ([*lines[:6], lines[6][:-4]], 45)):
        log.write_bytes(b"".join(text))
        document = await asked(results)
        (game,) = document["games"]
        assert (document["over"], document["lines_left_out"]) == (False, 0)
        assert (game["hands"], game["verdict"]) == (hands, None)
        results._next = 0.0
    log.unlink()
    assert not (await asked(results_of(folder)))["over"]
    log.write_bytes(b"".join(lines))
    (game,) = (await asked(results_of(folder)))["games"]
    assert game["verdict"]["text"]


@in_loop
async def test_results_are_counted_once(tmp_path, monkeypatch):
    """Again only when a log has grown, and not before some time has gone by."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    results = results_of(folder)
    texts = await asyncio.gather(results.text(), results.text())
    assert texts[0] is texts[1]
    results._next = 0.0
    assert await results.text() is texts[0]
    with (folder / "match.0.0.log").open("a") as file:
        file.write("STATE:90:f:2c3c|9hQd:50|-50:Bob|Ann\n")
    results._next = float("inf")
    assert await results.text() is texts[0]
    results._next = 0.0
    assert json.loads(await results.text())["games"][0]["hands"] == 81


@in_loop
async def test_a_delay_holds_for_results(tmp_path):
    """What was written just now is not counted."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    os.utime(folder / "match.0.0.log", (1.0, 1.0))
    document = await asked(results_of(folder, delay=Delay(60.0)))
    assert (document["games"][0]["hands"], document["over"]) == (40, False)


def test_counting_ends_where_nobody_waits(tmp_path):
    """As when the server ends."""
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(CountingStopped):
        results_of(write_match(tmp_path / "m", "Ann", "Bob"))._refreshed(stopped)
