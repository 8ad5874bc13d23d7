"""Match logs of the pool: what `arena replay --verify` and `arena stats` accept, and repeat."""

import re
from dataclasses import replace

import pytest

from agents.opponents.pool_logs import GAME_FILE, LogInTheWay, write_logs
from agents.roster.contestants import find_contestants
from agents.training.kinds import data as main
from dealer.logs.replay import main as replay
from engine.errors import InvalidGame
from protocol.gamedefs import load_builtin
from protocol.handlog import Header, Score, parse_log_line

HUNL = load_builtin("hunl")
NAMES = ("O1", "O6", "trapper", "plane-50-30-90")
HANDS = 30


def write(folder, names=NAMES, game=HUNL, hands=HANDS, seed=3):
    """Write logs; return {file name: text} of all there is, and which were there before."""
    written = list(write_logs(folder, find_contestants(names), game, hands, seed))
    kept = [one.path.name for one in written if one.was_there]
    return {path.name: path.read_text() for path in folder.iterdir()}, kept


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A folder of logs of four bots."""
    folder = tmp_path_factory.mktemp("logs")
    write(folder)
    return folder


def test_every_pair_has_a_whole_log(logs):
    """Header, a line a hand, both names in each, and totals that add up."""
    assert len(list(logs.iterdir())) == 6
    lines = (logs / "O6.trapper.log").read_text().splitlines()
    header, *hands, score = map(parse_log_line, lines)
    assert isinstance(header, Header)
    assert (header.name, header.hands) == ("O6.trapper", HANDS)
    assert [hand.hand_id for hand in hands] == list(range(HANDS))
    assert hands[0].names == ("O6", "trapper")
    assert hands[1].names == ("trapper", "O6")
    assert isinstance(score, Score)
    won = sum(float(hand.values[hand.names.index("O6")]) for hand in hands)
    assert float(score.values[0]) == won == -float(score.values[1])


@pytest.mark.parametrize("game", ["hunl", "hulhe"])
def test_logs_pass_verification(tmp_path, game, capsys):
    """Down to the cards dealt from the seed."""
    write(tmp_path, game=load_builtin(game))
    assert replay(["--verify", *map(str, sorted(tmp_path.glob("*.log")))]) == 0
    told = capsys.readouterr().out
    assert told.count("deals checked") == told.count("SCORE right") == 6


def test_a_pair_gets_the_same_log_whoever_else_takes_part(logs, tmp_path):
    """To the byte; another seed gives another one."""
    two, _ = write(tmp_path / "two", NAMES[:2])
    assert two == {"O1.O6.log": (logs / "O1.O6.log").read_text()}
    other, _ = write(tmp_path / "other", NAMES[:2], seed=4)
    assert other["O1.O6.log"] != two["O1.O6.log"]


def test_logs_that_are_there_are_kept(logs, tmp_path):
    """The same command writes the missing ones only; another match of that name is refused."""
    written, kept = write(tmp_path)
    assert kept == []
    (tmp_path / "O1.O6.log").unlink()
    again, kept = write(tmp_path)
    assert again == written
    assert len(kept) == 5
    assert "O1.O6.log" not in kept
    with pytest.raises(LogInTheWay, match="not of this match"):
        write(tmp_path, hands=HANDS + 1)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == written


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (0, "is empty"),
        (10, "ends within its header"),
        (700, r"ends after \d+ of 30 hands"),
        (-1, "ends after 30 of 30 hands"),
        (-20, "ends after 30 of 30 hands"),
    ],
)
def test_a_log_that_ends_too_early_is_written_anew(logs, tmp_path, size, told):
    """And named; the others are kept."""
    whole, _ = write(tmp_path)
    cut = tmp_path / "O1.O6.log"
    cut.write_text(cut.read_text()[:size])
    said = []
    again = list(write_logs(tmp_path, find_contestants(NAMES), HUNL, HANDS, 3, said.append))
    assert [one.path.name for one in again if not one.was_there] == ["O1.O6.log"]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == whole
    (line,) = said
    assert re.match(rf"{re.escape(str(cut))} {told}: ", line)


@pytest.mark.parametrize(
    ("place", "text"),
    [(2, "my own notes\n"), (5, "my own notes\n"), (32, "one more line\n"), (32, "my notes")],
)
def test_what_somebody_else_wrote_is_left_alone(logs, tmp_path, place, text):
    """Named, with its line."""
    write(tmp_path)
    path = tmp_path / "O1.O6.log"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:place], text, *lines[place:]]))
    before = path.read_text()
    with pytest.raises(LogInTheWay, match=rf"O1\.O6\.log .*line {place + 1} "):
        write(tmp_path)
    assert path.read_text() == before


def test_what_is_interrupted_leaves_no_piece(tmp_path, monkeypatch):
    """Ctrl-C in the middle of a log."""

    def stop(*args):
        yield "STATE:"
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.opponents.pool_logs.state_lines", stop)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_not_built_in_goes_along(tmp_path, capsys):
    """As a file beside the logs, which the header names."""
    small = replace(HUNL, stacks=(1000, 1000))
    write(tmp_path, NAMES[:2], small)
    write(tmp_path, NAMES[:2], small)
    assert replay(["--verify", str(tmp_path / "O1.O6.log")]) == 0
    (tmp_path / "O1.O6.log").unlink()
    with pytest.raises(LogInTheWay, match="another game"):
        write(tmp_path, NAMES[:2], replace(HUNL, stacks=(2000, 2000)))
    assert GAME_FILE in capsys.readouterr().out or (tmp_path / GAME_FILE).exists()


def test_wrong_arguments_are_refused(tmp_path):
    """Games for more than two, no hands."""
    with pytest.raises(InvalidGame):
        write(tmp_path, game=load_builtin("leduc"))
    with pytest.raises(ValueError, match="0 hands"):
        write(tmp_path, hands=0)
    assert list(tmp_path.iterdir()) == []


def data(words):
    """Run `arena data pool`; return the exit code."""
    return main(["pool", *words])


def test_the_command_writes_and_resumes(tmp_path, capsys, monkeypatch):
    """A line on stdout says what was done; Ctrl-C keeps the whole logs."""
    words = ["O1", "O2", "O6", "--out", str(tmp_path / "a" / "b"), "--hands", "5"]

    def one(*args, **options):
        yield next(write_logs(*args, **options))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("agents.opponents.pool_logs.write_logs", one)
        assert data(words) == 130
    shown = capsys.readouterr()
    assert "1 of 3 logs written" in shown.out
    assert "missing" in shown.err
    assert data(words) == 0
    assert "2 of 3 logs written" in capsys.readouterr().out
    (tmp_path / "a" / "b" / "O1.O2.log").write_text("")
    assert data(words) == 0
    shown = capsys.readouterr()
    assert "1 of 3 logs written" in shown.out
    assert "O1.O2.log is empty" in shown.err
    assert data([*words, "--seed", "9"]) == 2
    assert "not of this match" in capsys.readouterr().err
    assert data(["O1", "O2", "--out", str(tmp_path / "a" / "b" / "O1.O2.log" / "x")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
