"""Sitting in for a player of a log, as users do it: real dealers, real bots, published logs."""

import json
import sys
from pathlib import Path

import pytest

import agents
from agents.roster.leg_player import answer as leg_player
from dealer.commands.match import main as play
from dealer.deals.deals_command import main as write_deals
from dealer.deals.logged_seat import logged_seat
from dealer.logs.replay import main as verify
from engine.handlogs.source.log_games import game_from_argument
from protocol.gamedefs import builtin_path
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.said import says

TEMPLATE = Path(agents.__file__).parent / "templates" / "bot.py"


def records(log):
    """Return the hands of a log."""
    found = map(parse_log_line, log.read_text().splitlines())
    return [record for record in found if isinstance(record, HandRecord)]


def result_in(folder):
    """Return the result of a match."""
    return json.loads(Path(folder, "result.json").read_text())


def test_the_same_bots_play_the_same_hands_again(tmp_path, monkeypatch, capsys):
    """Of three players, in the seat of the last: nothing differs, and the log proves the deals."""
    monkeypatch.chdir(tmp_path)
    common = ["--game", "nolimit3", "--quiet"]
    names = [
        f"{name}={sys.executable} -S -E {TEMPLATE} -g {{game}} -s {seed}"
        for seed, name in enumerate("abc")
    ]
    words = [*common, "--hands", "30", "--no-duplicate", "--out", "first"]
    assert play([*names, *words]) == 0
    words = [names[2], names[0], names[1], *common, "--sit-in", "first", "c", "--out", "again"]
    capsys.readouterr()
    assert play(words) == 0
    told = capsys.readouterr().out
    [line] = [one for one in told.splitlines() if one.startswith("sit-in: ")]
    says(line, "c", "0.0 ± ? mbb/h", 30)
    [first], [again] = (list(Path(folder).glob("[abc]*.log")) for folder in ("first", "again"))
    assert records(first) == records(again)
    assert verify(["--verify", "again"]) == 0
    assert result_in("again")["sit_in"]["hands"] == 30


@pytest.mark.slow
def test_a_match_is_made_longer_and_can_do_without_dealers(tmp_path, monkeypatch):
    """In one process with the same log to the byte, also after a dealer's half."""
    monkeypatch.chdir(tmp_path)
    common = ["--seed", "3", "--quiet", "--t_hand", "-1"]
    assert play(["O5", "O1", "--hands", "12", "--no-duplicate", "--in-process", *common]) == 0
    [log] = Path("matches").rglob("*.log")
    words = ["O1", "O5", "--sit-in", str(log), "O1", *common]
    assert play([*words, "--hands", "4", "--out", "dealt"]) == 0
    assert play([*words, "--hands", "4", "--out", "alone", "--in-process"]) == 0
    longer = ["--quiet", "--in-process", "--hands", "11"]
    assert play(["--resume", "dealt", *longer]) == play(["--resume", "alone", *longer]) == 0
    name = "O1.O5.0.1.log"
    assert Path("dealt", name).read_bytes() == Path("alone", name).read_bytes()
    assert verify(["--verify", "alone"]) == 0
    one, other = (result_in(folder)["sit_in"] for folder in ("dealt", "alone"))
    assert one == other
    assert one["hands"] == 11
    assert len(records(log)) == 12


@pytest.mark.parametrize("bots", [("O1", "O5"), ("always-call", "O5")], ids="-".join)
def test_given_deals_are_played_without_a_dealer(tmp_path, bots):
    """Those of a seed are that seed's hands, whatever the seed then is; spots need a dealer."""
    deals = tmp_path / "deals"
    assert write_deals(["--seed", "5", "--hands", "12", "--out", str(deals)]) == 0

    def leg(hands, seed, deals=None, first=0):
        log = tmp_path / "leg.log"
        log.unlink(missing_ok=True)
        (tmp_path / "leg.turn").write_bytes(bytes(1))
        asked = {name: str(tmp_path / f"leg.{name}") for name in ("errors", "turn")}
        asked["bots"] = [{"bot": bot, "seed": 1} for bot in bots]
        asked["plan"] = {
            "game": str(builtin_path("hunl")), "hands": hands, "seed": seed,
            "seats": [{"name": name} for name in "ab"], "records": {"log": str(log)},
            "deals": deals and str(deals), "first_deal": first,
        }  # fmt: skip
        return leg_player(asked), log.read_text()

    played = {"ending": "played"}
    assert leg(9, 5) == leg(9, 6, deals) == (played, leg(9, 5)[1])
    told, lines = leg(3, 6, deals, 9)
    assert told == played
    last = deals.read_text().splitlines()[-1].split("/")[0]
    assert f":{last}" in lines.splitlines()[2]
    deals.write_text("?|?\ncr300c/:?|?\n")
    told, _ = leg(2, 6, deals)
    assert told["ending"] == "refused"
    says(told["why"], "cr300c/", "dealers")


@pytest.mark.parametrize(
    ("log", "game", "hands"),
    [("2p.nolimit", "hunl", 1000), ("3p.limit", "limit3", 1000)],
)
def test_logs_of_the_original_dealer(shared_data, log, game, hands):
    """Every seat gets all hands in the order of the log."""
    path = shared_data / "dealer_logs" / f"{log}.h1000.r0.log"
    seat = logged_seat([path], None, game_from_argument(game).game, "p2")
    assert (seat.hands, seat.waiting, seat.damaged, seat.seat) == (hands, 0, (), 1)


def test_logs_of_six_players(shared_data):
    """Sessions that begin anywhere: nearly all hands find their turn."""
    folder = shared_data / "pluribus"
    found = game_from_argument(str(folder / "holdem.nolimit.6p.10000.game"))
    logs = sorted(folder.glob("sample_game_10*.log"))
    seat = logged_seat(logs, found, found.game, "Pluribus")
    assert seat.damaged == ()
    assert seat.waiting < seat.hands / 20


@pytest.mark.slow
def test_all_hands_of_a_published_match(shared_data):
    """DeepStack's against professionals, from many tables at once."""
    log = shared_data / "deepstack" / "hands.log"
    found = game_from_argument("hunl")
    seat = logged_seat([log], found, found.game, "DeepStack")
    assert (seat.hands, seat.waiting, seat.damaged) == (36559, 21, ())
