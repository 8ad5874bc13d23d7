"""Bots of pokerbots competitions: what they are sent, and whatever they may do wrong."""

import json
import sys
from dataclasses import replace

import pytest

from agents.bridges import line_program, pokerbots_bot, pokerbots_program
from agents.bridges.pokerbots_bot import PokerbotsBot
from agents.errors import ProgramFailed, UnknownAgent
from agents.roster.bots import find_agent
from engine.play.budget import TimeBudget
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.said import says
from tests.helpers.views import view_of

GAME = load_builtin("pokerbots")
PLAYER = """\
import socket, sys, time
answers = iter({answers!r})
lines = socket.create_connection(("localhost", int(sys.argv[1]))).makefile("rw")
for line in lines:
    open("lines", "a").write(line.partition(" ")[2] or line)
    if line == "Q\\n":
        break
    answer = next(answers, "K")
    {special}
    lines.write(answer + "\\n")
    lines.flush()
"""
SLEEPS = "time.sleep(60) if answer == 'sleep' else None"
ENDS = "sys.exit(3) if answer == 'end' else None"


def state(betting, *, hole="AhKd", board="", viewer=1, hand=0):
    """Return what a player sees of a hand; position 1 has the button."""
    return view_of(betting, hole, board, game=GAME, viewer=viewer, hand=hand)


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Start bots that give some answers, and K then; end them afterwards."""
    monkeypatch.setattr(line_program, "_END_PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(pokerbots_program, "_LOOK_INTERVAL_SECONDS", 0.02)
    started = []

    def bot_of(*answers, special="pass", build=(), **options):
        player = PLAYER.format(answers=answers, special=special)
        (tmp_path / "player.py").write_text(player)
        commands = {"build": list(build), "run": [sys.executable, "-S", "player.py"]}
        (tmp_path / "commands.json").write_text(json.dumps(commands))
        bot = PokerbotsBot(str(tmp_path), **options)
        started.append(bot)
        bot.start_match(GAME, 5)
        return bot

    yield bot_of
    for bot in started:
        if bot._end is not None:
            bot._end()


def lines_of(folder):
    """Return what a bot was sent, without clocks."""
    return (folder / "lines").read_text().splitlines()


def test_a_hand_is_sent_clause_by_clause(start, tmp_path):
    """Raises count the street's chips; D comes with what the opponent did, and shows."""
    bot = start("R6", "K", "R10", "C", "K")
    assert bot.act(state("")) == raise_to(6)
    assert bot.act(state("r6c/c", board="2c3c4c")) == CALL
    assert bot.act(state("r6c/cc/r10", board="2c3c4c5d")) != FOLD
    bot.end_hand(state("r6c/cc/r10r16f", board="2c3c4c5d"))
    bot._end()
    assert lines_of(tmp_path) == [
        "P0 HAh,Kd",
        "R6 C B2c,3c,4c K",
        "K B2c,3c,4c,5d R4",
        "R10 F D10",
        "Q",
    ]


def test_all_in_bots_are_asked_on_each_street(start, tmp_path):
    """Index 1 first; the answer is nothing but a check."""
    over = state("r400c///", board="2c3c4c8d9h", viewer=0)
    shown = replace(over, shown=(over.hole, parse_cards("QsQd")))
    bot = start("C", "K", "F")
    assert bot.act(state("r400", viewer=0)) == CALL
    bot.end_hand(shown)
    bot._end()
    assert lines_of(tmp_path) == [
        "P1 HAh,Kd R400",
        "C B2c,3c,4c",
        "K K B2c,3c,4c,8d",
        "K K B2c,3c,4c,8d,9h",
        "K K OQs,Qd D-400",
        "Q",
    ]
    assert bot._seat.replies.counts == {pokerbots_bot.NO_CHECK: 1}


@pytest.mark.parametrize(
    ("answer", "betting", "action"),
    [
        ("K", "", FOLD),
        ("", "", FOLD),
        ("R3", "", FOLD),
        ("R401", "", FOLD),
        ("bet", "", FOLD),
        ("C", "c", CALL),
        ("F", "c", CALL),
        ("R3", "c", CALL),
        ("R400", "r400", FOLD),
    ],
)
def test_a_wrong_answer_is_a_check_or_a_fold(start, capfd, tmp_path, answer, betting, action):
    """It is told, counted in the file, and the hand goes on."""
    bot = start(answer, "C", replies=str(tmp_path / "replies.json"))
    viewer = 0 if betting else 1
    assert bot.act(state(betting, viewer=viewer)) == action
    assert bot.notes() == {"wrong_answers": 1}
    assert bot.act(state("r10", viewer=0, hand=1)) == CALL
    bot._end()
    says(capfd.readouterr().err, "hand 0", "wrong answers: 1", "check or fold instead: 1")
    counts = json.loads((tmp_path / "replies.json").read_text())["counts"]
    assert counts == {"corrected: check or fold": 1}


@pytest.mark.parametrize(
    ("special", "options", "fact"),
    [
        (SLEEPS, {"clock": 0.2}, "out of time"),
        (ENDS, {}, "exit status 3"),
    ],
)
def test_a_bot_that_is_out_of_time_or_gone_checks_and_folds(start, capfd, special, options, fact):
    """For the rest of the game, without waiting for it again."""
    bot = start("C", "end" if special == ENDS else "sleep", special=special, **options)
    assert bot.act(state("")) == CALL
    assert bot.act(state("cr10")) == FOLD
    bot.end_hand(state("cr10f"))
    assert bot.act(state("c", viewer=0, hand=1)) == CALL
    bot._end()
    says(capfd.readouterr().err, fact, "check or fold instead: 2")


def test_the_dealers_time_counts_too(start, capfd):
    """A little before it is over the bot has checked or folded."""
    bot = start("sleep", special=SLEEPS)
    assert bot.act(state(""), TimeBudget(0.2)) == FOLD
    assert "out of time" in capfd.readouterr().err


def test_a_long_match_is_several_games(start, tmp_path):
    """The bot is told that one is over, and gets a full clock with the next."""
    bot = start("C", "K", "C", rounds=1, clock=50)
    for hand in range(2):
        assert bot.act(state("", hand=hand)) == CALL
        bot.end_hand(state("cr4f", hand=hand))
    bot._end()
    assert lines_of(tmp_path) == ["P0 HAh,Kd", "C R4 F D-2", "Q"] * 2


@pytest.mark.parametrize(("answer", "special"), [("x", "pass"), ("end", ENDS)])
def test_who_is_strict_ends_at_the_first_fault(start, capfd, answer, special):
    """The error is the last word."""
    bot = start(answer, special=special, strict=1.0)
    with pytest.raises(ProgramFailed):
        bot.act(state(""))
    bot._end()
    assert capfd.readouterr().err == ""


def test_the_reference_dealers_bound_makes_a_raise_a_call(start):
    """After so many raises on a street; it is counted."""
    betting = "".join(f"r{chips}" for chips in range(4, 4 + 2 * 63, 2))
    bot = start("R200")
    assert bot.act(state(betting, viewer=0)) == CALL
    assert bot._seat.replies.counts == {pokerbots_bot.RAISE_CALLED: 1}


def test_the_build_runs_in_the_folder(start, tmp_path):
    """Before the bot."""
    start(build=("sh", "-c", "echo > built"))
    assert (tmp_path / "built").exists()


def test_a_build_that_fails_is_no_end(start, capfd):
    """What was built before may play."""
    bot = start("C", build=("sh", "-c", "echo why; exit 4"))
    assert bot.act(state("")) == CALL
    says(capfd.readouterr().err, "why", "its build failed", "exit status 4")


def test_a_build_may_not_take_for_ever(start, monkeypatch):
    """It is ended."""
    monkeypatch.setattr(pokerbots_program, "BUILD_SECONDS", 0.1)
    with pytest.raises(ProgramFailed, match="build takes longer"):
        start(build=("sleep", "60"))


@pytest.mark.parametrize(
    ("run", "fact"),
    [
        (["./none"], "cannot start ./none: No such file"),
        (["sh", "-c", "exit 3"], "exit status 3 before it connected"),
        (["sh", "-c", "sleep 60"], "has not connected within"),
    ],
)
def test_a_bot_that_does_not_connect_is_refused(tmp_path, monkeypatch, run, fact):
    """In a line, and nothing of it stays."""
    monkeypatch.setattr(pokerbots_program, "CONNECT_SECONDS", 0.1)
    monkeypatch.setattr(pokerbots_program, "_LOOK_INTERVAL_SECONDS", 0.05)
    (tmp_path / "commands.json").write_text(json.dumps({"build": [], "run": run}))
    with pytest.raises(ProgramFailed, match=fact):
        PokerbotsBot(str(tmp_path)).start_match(GAME, 1)


@pytest.mark.parametrize(
    ("text", "fact"), [(None, "commands.json: No such file"), ("[]", "commands.json: want an obj")]
)
def test_a_folder_without_commands_is_refused(tmp_path, text, fact):
    """With its path."""
    if text is not None:
        (tmp_path / "commands.json").write_text(text)
    with pytest.raises(UnknownAgent, match=fact):
        PokerbotsBot(str(tmp_path)).start_match(GAME, 1)
    with pytest.raises(UnknownAgent, match="no folder"):
        PokerbotsBot(str(tmp_path / "none")).start_match(GAME, 1)


def test_the_roster_knows_folders_and_the_game():
    """And says which game it is where another one is asked for."""
    spec = find_agent("pokerbots:my_bot")
    assert spec.fixed == {"folder": "my_bot"}
    assert spec.plays(GAME, {})
    hunl = load_builtin("hunl")
    assert not spec.plays(hunl, {})
    says(spec.refusal(hunl), "--game pokerbots", "stacks 400", "stacks 20000")
    with pytest.raises(ValueError, match="want plain"):
        spec.with_options({"dialect": "2024"})
