"""What the page that solves spots is told of ranges, solutions and decisions."""

import json

import pytest

from dealer.web.solve_documents import (
    FIELDS,
    range_document,
    solution_document,
    spot_document,
    spot_words,
    walk_document,
)
from engine.commands.solve.solve_command import main
from engine.hands.starting_hands import starting_hand
from engine.range_solver.strategy import RangeStrategy

TURN = {"board": "KsJs7d2c", "pot": "500", "stacks": "700", "oop": "AA,76s:0.5", "ip": "QQ,AKs"}
EMPTY = dict.fromkeys(FIELDS, "")


@pytest.fixture(scope="module")
def turn(tmp_path_factory):
    """The file of a solution, made by `arena solve` with the words for a spot."""
    path = tmp_path_factory.mktemp("solve") / "t.solution"
    assert main([*spot_words(EMPTY | TURN), "--iterations=20", f"--out={path}"]) == 0
    return path


@pytest.mark.parametrize(
    ("node", "dealt"), [("", ""), ("c", ""), ("cc/", "2h"), ("r500c/r950", "As")]
)
def test_a_decision_has_the_numbers_of_the_command(turn, capsys, node, dealt):
    """Those of starting hands and those of combos, to the last digit."""
    found = walk_document(RangeStrategy.load(turn), node, dealt)
    for key, words in (("hands", []), ("combos", ["--combos"])):
        capsys.readouterr()
        assert main([str(turn), f"--node={node}", f"--dealt={dealt}", "--json", *words]) == 0
        told = json.loads(capsys.readouterr().out)
        assert found[key] == told["hands"]
        assert (found["all"], found["cards"]) == (told["all"], told["cards"])
        assert "ev" in found["all"]


def test_an_action_says_what_comes_next(turn):
    """Another decision, a card, or the end of the betting."""
    strategy = RangeStrategy.load(turn)
    facing = walk_document(strategy, "cr500", "")
    assert [one["next"] for one in facing["actions"]] == ["end", "card", "decision"]
    assert (facing["pot"], facing["to_call"]) == (750, 250)
    all_in = walk_document(strategy, "r950", "")
    assert [one["next"] for one in all_in["actions"]] == ["end", "end"]


def test_a_solution_tells_its_spot(turn):
    """So that a page that opens it describes the same."""
    spot = solution_document(RangeStrategy.load(turn))["spot"]
    assert (spot["board"], spot["pot"], spot["stacks"]) == ("KsJs7d2c", "500", "700")
    assert (spot["oop"], spot["ip"]) == ("AA,76s:0.5", "QQ,AKs")
    assert (spot["bets"], spot["raises"], spot["big-blind"]) == ("50,100,a", "100,a", "100")
    assert "max-raises" not in spot


def test_a_solution_whose_bets_nobody_wrote_down_tells_none(turn, tmp_path):
    """As of files that were saved before they were; what else is written there is left alone."""
    strategy = RangeStrategy.load(turn)
    for asked in ({}, {"out": "x"}):
        strategy.asked = asked
        strategy.save(tmp_path / "old.solution")
        spot = solution_document(RangeStrategy.load(tmp_path / "old.solution"))["spot"]
        assert set(spot) == {"board", "pot", "stacks", "oop", "ip"}


@pytest.mark.parametrize("node", ["x", "cc", "r500f", "cc/"])
def test_a_decision_that_is_not_there_is_refused(turn, node):
    """As by the command."""
    with pytest.raises(ValueError, match=r"--node|--dealt"):
        walk_document(RangeStrategy.load(turn), node, "")


def test_a_range_is_told_by_starting_hands():
    """What is painted later counts more; the text is the shortest one."""
    found = range_document("QQ,KK,AA, AKs:0.25, AhKh, QQ:0")
    assert found["text"] == "KK+,AhKh,AsKs:0.25,AdKd:0.25,AcKc:0.25"
    assert found["hands"][starting_hand("AKs")] == pytest.approx(0.4375)
    assert found["combos"] == pytest.approx(13.75)
    assert "AKx" in range_document("AKx")["error"]


def test_a_spot_is_a_command_line():
    """Options without a text are left out, and no shell reads the others in another way."""
    spot = EMPTY | TURN | {"oop": "AA, KK :0.5\n, *", "raises": " "}
    assert spot_words(spot)[3] == "--oop=AA,KK :0.5,*"
    command = spot_document(spot)["command"]
    assert command.startswith("arena solve --board=KsJs7d2c --pot=500 ")
    assert "'--oop=AA,KK :0.5,*'" in command
    assert "--raises" not in command


@pytest.mark.parametrize("text", ["@/etc/passwd", "AA;ls", "\0", "♥", "A" * 30001])
def test_what_means_nothing_in_a_spot_is_refused(text):
    """Above all what `arena solve` would take for a file."""
    with pytest.raises(ValueError, match="--oop"):
        spot_words(EMPTY | {"oop": text})
