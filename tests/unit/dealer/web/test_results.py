"""Results of an archive: the numbers of the commands, and nothing that may not be seen."""

import asyncio
import json
import os
import threading

import pytest

from dealer.logs.command import main as replay
from dealer.logs.stats import main as stats
from dealer.ratings.command import main as rate
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
    played = told(capsys, stats, folder, "--by-position")
    assert played == game["stats"]
    assert played[0]["sets"]["samples"] == 40


@in_loop
async def test_a_curve_ends_at_the_win_rate(tmp_path):
    """Of each player, by each estimator that is of single hands."""
    (game,) = (await asked(results_of(write_match(tmp_path / "m", "Ann", "Bob"))))["games"]
    for player, curve in zip(game["players"], game["curves"], strict=True):
        assert (curve["player"], curve["hands"][-1]) == (player["player"], 80)
        for name in ("raw", "allin"):
            end = player["estimators"][name]
            for key in ("mbb_per_hand", "ci95_mbb_per_hand"):
                assert curve[name][key][-1] == pytest.approx(end[key], abs=1e-3)
            total = end["mbb_per_hand"] * 80 * game["big_blind_chips"] / 1000
            assert curve[name]["chips"][-1] == pytest.approx(total, abs=0.01)


@in_loop
async def test_biggest_pots_are_those_of_replay(tmp_path, capsys):
    """With their logs and hands; the second hand of a number is the second."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    first = folder / "match.0.0.log"
    first.write_text(first.read_text() * 2)
    (game,) = (await asked(results_of(folder)))["games"]
    pots = game["pots"]
    assert [pot["pot_chips"] for pot in pots] == sorted(
        (pot["pot_chips"] for pot in pots), reverse=True
    )
    least = pots[-1]["pot_chips"] / game["big_blind_chips"]
    replay(["--json", "--pot", str(least), str(first), str(folder / "match.0.1.log")])
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(shown) >= len(pots)
    assert {one["hand"] for one in pots} <= {one["hand"] for one in shown}
    assert {one["nth"] for one in pots if one["log"] == 0} == {1, 2}
    assert {one["nth"] for one in pots if one["log"] == 1} <= {1}


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
