"""Match logs, read hand by hand."""

import gzip
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.training.logs import find_logs, one_game, read_hands, source_of
from engine.errors import LogError
from protocol.gamedef import format_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log

HUNL = load_builtin("hunl")
LINES = (
    "STATE:0:r300c/cr600f:ThAs|Ac6c/Qd2h7c:-300|300:Ann|Bob",
    "STATE:1:cr300c/cc/cc/cc:Jd2c|ThAs/AhKd3c/9s/9h:-300|300:Bob|Ann",
)


def read_all_hands(logs, game=None):
    """Every hand of some logs."""
    return list(read_hands(logs, game))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("STATE:0:r300:ThAs|Ac6c:-300|300:Ann|Bob", "not over"),
        ("STATE:0:r150f:ThAs|Ac6c:-100|100:Ann|Bob", "r150"),
        ("STATE:0:fc:ThAs|Ac6c:-100|100:Ann|Bob", "the hand is over"),
        ("STATE:0:r300f:ThAs|Ac:-100|100:Ann|Bob", "cards"),
        ("STATE:0:r300f:ThAs|8sKd:-100|100:Ann|Bob\nSTATE:0:r3", ":2: "),
        ("STATE:0:r300f:ThAs:-100:Ann", "positions"),
        ("nonsense", ":1: "),
        ("", "no hands in"),
    ],
)
def test_bad_logs_are_refused_with_their_place(tmp_path, line, complaint):
    """One line that says where and what."""
    path = tmp_path / "bad.log"
    path.write_text(f"{line}\n")
    with pytest.raises(TrainingError, match=complaint):
        read_all_hands([path], HUNL)
    with pytest.raises(TrainingError, match=complaint):
        one_game([path], HUNL)


def test_logs_are_opened_as_everywhere(tmp_path):
    """Packed ones are read, with what a program wrote behind the last name left out."""
    path, text = tmp_path / "match.log", "".join(f"{line}\n" for line in LINES)
    path.write_text(text)
    plain = [hand.record for _, hand in read_all_hands([path], HUNL)]
    path.write_bytes(gzip.compress("".join(f"{line};won\n" for line in LINES).encode()))
    assert [hand.record for _, hand in read_all_hands([path], HUNL)] == plain
    path.write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(LogError, match=r"match\.log: damaged gzip"):
        read_all_hands([path], HUNL)


def test_what_is_not_text_is_told_in_text(tmp_path):
    """Nothing of it is quoted."""
    path = tmp_path / "match.log"
    path.write_bytes(b"\x00\x01" + LINES[0].encode())
    with pytest.raises(TrainingError, match=r"match\.log:1: not text"):
        read_all_hands([path], HUNL)


@pytest.mark.parametrize("read_all", [read_all_hands, one_game])
def test_raises_of_limit_games_have_the_size_of_the_game(tmp_path, read_all):
    """Which may be written, though it need not be."""
    path, limit = tmp_path / "match.log", load_builtin("hulhe")
    path.write_text("STATE:0:rf:ThAs|Ac6c:-10|20:Ann|Bob\nSTATE:1:r20f:ThAs|Ac6c:-10|20:Ann|Bob\n")
    read_all([path], limit)
    path.write_text("STATE:0:rf:ThAs|Ac6c:-10|20:Ann|Bob\nSTATE:1:r500f:ThAs|Ac6c:-10|20:Ann|Bob\n")
    with pytest.raises(TrainingError, match=r"match\.log:2: r500: .*\b20\b"):
        read_all([path], limit)


@pytest.mark.parametrize("read_all", [read_all_hands, one_game])
def test_the_caller_does_not_contradict_a_header(tmp_path, read_all):
    """A game of that kind, or any where the name says nothing."""
    path = tmp_path / "match.log"
    header = "# name/game/hands/seed m /x/holdem.nolimit.2p.reverse_blinds.game 2 1\n"
    path.write_text(header + "\n".join(LINES) + "\n")
    read_all([path], HUNL)
    with pytest.raises(TrainingError, match=r":1: the header names holdem\.nolimit.*--game anoth"):
        read_all([path], load_builtin("hulhe"))
    read_all([path], replace(HUNL, stacks=(30_000, 30_000)))
    path.write_text(header.replace("holdem", "own") + "\n".join(LINES) + "\n")
    read_all([path], HUNL)


def test_hands_of_one_game_know_their_places(tmp_path):
    """What is wrong with a hand is told with them, too."""
    path, other = tmp_path / "a.log", tmp_path / "b.log"
    path.write_text("\n" + LINES[0] + "\n")
    other.write_text(LINES[1] + "\n")
    found = one_game([path, other], HUNL, all_shown=True)
    assert [hand.hand_id for hand in found.hands] == [0, 1]
    assert found.places == [f"{path}:2", f"{other}:1"]
    for bad, complaint in (("|As6c/", "dealt twice"), ("|/", "hides cards")):
        other.write_text(LINES[0].replace("|Ac6c/", bad))
        with pytest.raises(TrainingError, match=rf"b\.log:1: .*{complaint}"):
            one_game([path, other], HUNL, all_shown=True)
    one_game([path, other], HUNL)
    other.write_text(
        "# name/game/hands/seed m leduc.limit.2p.game 1 1\nSTATE:0:cc/cc:Ks|Qs/Jh:1|-1:a|b\n"
    )
    for read_all, complaint in ((read_all_hands, "hold'em can"), (one_game, "hold'em for two can")):
        with pytest.raises(TrainingError, match=f"only {complaint} be learned from.*1 hole cards"):
            read_all([other])


def test_folders_of_logs_are_found(tmp_path):
    """In the order of their names; what is missing is told."""
    for name in ("b.log", "a.log", "c.txt"):
        (tmp_path / name).write_text("")
    assert [log.name for log in find_logs([tmp_path, tmp_path / "c.txt"])] == [
        *("a.log", "b.log", "c.txt")
    ]
    with pytest.raises(LogError, match=r"d\.log: No such file"):
        find_logs([tmp_path / "d.log"])


def test_devices_and_endless_lines_are_refused(tmp_path):
    """A pipe is read, but not where a log is read twice."""
    with pytest.raises(LogError, match=r"/dev/zero: "):
        find_logs([Path("/dev/zero")])
    pipe, long = tmp_path / "pipe", tmp_path / "long.log"
    os.mkfifo(pipe)
    assert find_logs([pipe]) == [pipe]
    with pytest.raises(TrainingError, match=r"pipe: .* file"):
        source_of([pipe], HUNL)
    for letter, complaint in (("a", "too long a line"), ("\0", "not text")):
        long.write_text(LINES[0] + "\n" + letter * (1 << 21))
        with pytest.raises(TrainingError, match=rf"long\.log:2: {complaint}"):
            read_all_hands([long], HUNL)


def test_games_come_from_headers_or_the_caller(tmp_path):
    """A header names a built-in game; without one the caller must."""
    lines = random_log(
        load_builtin("hulhe"),
        3,
        5,
        np.random.default_rng(1),
        game_name="/somewhere/holdem.limit.2p.reverse_blinds.game",
    )
    path = tmp_path / "limit.log"
    path.write_text("\n".join(lines) + "\n")
    found = read_all_hands([path])
    assert len(found) == 5
    assert not any(hand.state.game.no_limit for _, hand in found)
    path.write_text("\n".join(line for line in lines if line.startswith("STATE")) + "\n")
    with pytest.raises(LogError, match=r"header.*--game"):
        read_all_hands([path])
    with pytest.raises(LogError, match="No such file"):
        read_all_hands([tmp_path / "none.log"], HUNL)
    path.write_text("# name/game/hands/seed m chess.game 1 1\n")
    with pytest.raises(LogError, match="chess"):
        read_all_hands([path])
    path.write_text("# name/game/hands/seed m kuhn.limit.2p.game 1 1\nSTATE:0:cc:Ks|Qs:1|-1:a|b\n")
    with pytest.raises(TrainingError, match="hold'em"):
        read_all_hands([path])


def test_many_logs_have_one_digest(tmp_path):
    """Which changes with any of them."""
    logs = [tmp_path / f"{number:02}.log" for number in range(17)]
    for log in logs:
        log.write_text(log.name)
    ((named, digest),) = source_of(logs, None)["logs"]
    assert named == "17 logs"
    logs[5].write_text("x")
    assert source_of(logs, None)["logs"] != [[named, digest]]
    assert len(source_of(logs[:16], None)["logs"]) == 16


def test_the_game_may_lie_beside_the_log(tmp_path):
    """As in match folders, or under the name of a log without header."""
    short = replace(HUNL, stacks=(1500, 1500))
    path = tmp_path / "match.log"
    path.write_text("# name/game/hands/seed m short.game 2 1\n" + "\n".join(LINES) + "\n")
    with pytest.raises(LogError, match=r"short\.game.*--game"):
        read_all_hands([path])
    (tmp_path / "short.game").write_text(format_gamedef(short))
    assert [hand.state.game for _, hand in read_all_hands([path])] == [short, short]
    path.write_text("\n".join(LINES) + "\n")
    path.with_suffix(".game").write_text(format_gamedef(short))
    assert [hand.state.game for _, hand in read_all_hands([path])] == [short, short]
