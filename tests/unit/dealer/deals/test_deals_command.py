"""`arena deals`: what it writes and what it refuses."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from dealer.deals.deals_command import main
from engine.rules.dealing import DealStream
from engine.rules.view import replay_betting
from protocol.cards import format_cards
from protocol.deals import DealsReader, read_deals
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.said import says, says_in_a_line

HUNL = load_builtin("hunl")
FILE = "holdem.nolimit.2p.reverse_blinds.game"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """A folder of its own for each test, with a log of seed 7."""
    monkeypatch.chdir(tmp_path)
    write_log("match.log")
    return tmp_path


def write_log(name, seed=7, hands=20, game=HUNL, file=FILE):
    """Write a log of random play."""
    lines = random_log(game, seed, hands, np.random.default_rng(seed), game_name=file)
    Path(name).write_text("".join(f"{line}\n" for line in lines))


def deals(*words, game=HUNL):
    """Return the deals that the command writes, as whole cards where all are given."""
    assert main([*words, "--out", "x"]) == 0
    return list(read_deals(Path("x").read_text().splitlines(), game))


def plain(seed, hands, game=HUNL):
    """Return hole cards and board of the deals of a seed."""
    return [(one.holes, one.board) for one in islice(DealStream(game, seed), hands)]


def whole(given):
    """Return hole cards and board of given deals."""
    return [(one.holes, tuple(card for new in one.board for card in new)) for one in given]


def test_the_deals_of_a_seed_are_those_the_dealer_deals(capsysbinary):
    """For any game, as many as are wanted, a thousand otherwise; the file says for which game."""
    assert main(["--seed", "7"]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert whole(read_deals(lines, HUNL)) == plain(7, 1000)
    assert whole(deals("--seed", "7", "--hands", "30")) == plain(7, 30)
    kuhn = load_builtin("kuhn")
    found = deals("--seed", "3", "--hands", "9", "--game", "kuhn", game=kuhn)
    assert whole(found) == plain(3, 9, kuhn)
    assert Path("x").read_text().splitlines()[:2] == [
        "# the first 9 deals of seed 3",
        "game kuhn.limit.2p.game",
    ]


def test_the_deals_of_a_log_are_whole_where_its_seed_deals_them():
    """Also the board cards of hands that ended before they came."""
    assert whole(deals("match.log")) == plain(7, 20)
    assert whole(deals("match.log", "--hands", "3")) == plain(7, 3)


def test_cards_that_nobody_knows_are_left_open():
    """The log is of another seed than its header says, or says none."""
    text = Path("match.log").read_text()
    for changed in (text.replace(" 20 7\n", " 20 8\n"), text.partition("\n")[2]):
        Path("other.log").write_text(changed)
        found = deals("other.log", "--game", "hunl")
        shown = [line.split(":")[3] for line in text.splitlines() if line.startswith("STATE")]
        for one, (holes, board), cards in zip(found, plain(7, 20), shown, strict=True):
            assert one.holes == holes
            seen = [card for new in one.board if new for card in new]
            assert seen == list(board[: len(seen)])
            assert len(seen) == sum(len(part) // 2 for part in cards.split("/")[1:])


def test_spots_begin_where_the_street_began():
    """With the betting up to there, for hands that had a decision on it."""
    found = deals("match.log", "--from-street", "turn")
    lines = [line for line in Path("match.log").read_text().splitlines() if line[:5] == "STATE"]
    bettings = [line.split(":")[2].split("/") for line in lines]
    wanted = ["/".join(one[:2]) + "/" for one in bettings if len(one) > 2 and one[2]]
    assert [one.betting for one in found] == wanted
    assert all(replay_betting(HUNL, one.betting).street == 2 for one in found)


@pytest.mark.parametrize("betting", ["r20000c///", "cc/r20000c//"])
def test_hands_that_were_all_in_before_the_street_are_no_spots(capsys, betting):
    """There is nothing to decide in them, and nothing is wrong with them."""
    log = Path("match.log").read_text()
    hand = f"STATE:20:{betting}:5hAd|QhQs/4d7h3c/Ah/8d:20000|-20000:A|B\n"
    Path("all-in.log").write_text(log + hand)
    wanted = deals("match.log", "--from-street", "turn")
    assert deals("all-in.log", "--from-street", "turn") == wanted
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("part", "holes", "board"), [("boards", 0, 5), ("holes", 2, 0)])
def test_some_cards_may_be_left_open(part, holes, board):
    """Boards for any hands, or hands for any board."""
    for one in deals("--hands", "5", "--only", part):
        assert sum(hole is not None for hole in one.holes) == holes
        assert sum(len(new) for new in one.board if new) == board


def test_flops_are_spread_evenly():
    """One in fifty of all: rainbow, two-tone and monotone ones as often as they should be."""
    found = deals("--stratify", "flop", "--hands", "442", "--seed", "5")
    suits = [len({card % 4 for card in one.board[1]}) for one in found]
    for number, flops in ((3, 8788), (2, 12168), (1, 1144)):
        assert abs(suits.count(number) - flops / 50) <= 8
    again = deals("--stratify", "flop", "--hands", "442", "--seed", "5")
    assert found == again
    assert all(None not in one.holes and None not in one.board for one in found)


def test_hands_of_one_player_are_chosen():
    """Of logs with others in them."""
    write_log("three.log", game=load_builtin("nolimit3"), file="holdem.nolimit.3p.game")
    assert len(deals("three.log", "--player", "Cleo", game=load_builtin("nolimit3"))) == 20
    assert main(["match.log", "--player", "Cleo"]) == 1


@pytest.mark.parametrize(
    ("words", "code", "facts"),
    [
        ("empty.log", 1, ["empty.log", "no hand"]),
        ("match.log three.log", 2, ["three.log:2", "game", "match.log"]),
        ("kuhn.log --from-street turn", 2, ["--from-street turn", "game"]),
        ("folds.log --from-street flop", 2, ["no deal"]),
    ],
)
def test_what_cannot_be_written_is_one_line(words, code, facts, capfd):
    """And no file is begun."""
    write_log("three.log", game=load_builtin("nolimit3"), file="holdem.nolimit.3p.game")
    write_log("kuhn.log", game=load_builtin("kuhn"), file="kuhn.limit.2p.game")
    Path("folds.log").write_text(
        f"# name/game/hands/seed m {FILE} 1 7\nSTATE:0:f:8dJd|Td4d:50|-50:A|B\n"
    )
    Path("empty.log").write_text("")
    assert main([*words.split(), "--out", "y"]) == code
    err = capfd.readouterr().err
    assert err.startswith("arena deals: ")
    says_in_a_line(err, *facts)
    assert not Path("y").exists()


def test_hands_that_are_none_are_left_out_and_told(capfd):
    """With their lines; the others are written, and the exit code is 1."""
    lines = Path("match.log").read_text().splitlines()
    fields = lines[3].split(":")
    lines[3] = ":".join([*fields[:3], fields[3][:2] * 2 + fields[3][4:], *fields[4:]])
    lines[5] = "STATE:4:garbage"
    Path("match.log").write_text("\n".join(lines))
    assert main(["match.log", "--out", "x"]) == 1
    first, second = capfd.readouterr().err.splitlines()
    says(first, "match.log:4: left out", "twice")
    says(second, "match.log:6: left out", "STATE")
    reader = DealsReader(HUNL)
    for line in Path("x").read_text().splitlines():
        reader.read(line)
    assert reader.deals == 18


def test_published_logs_become_deals(shared_data, capfd):
    """Six players, whose seed is known, and a log without header."""
    log = shared_data / "pluribus" / "sample_game_103.log"
    six = load_builtin("nolimit6")
    assert whole(deals(str(log), "--game", "nolimit6", "--hands", "20", game=six)) == plain(
        103, 20, six
    )
    log = shared_data / "deepstack" / "hands.log"
    assert main([str(log), "--game", "hunl", "--hands", "500", "--out", "d"]) == 0
    found = list(read_deals(Path("d").read_text().splitlines(), HUNL))
    assert len(found) == 500
    assert format_cards(found[0].holes[0]) == "AcJs"
    assert capfd.readouterr().err == ""
