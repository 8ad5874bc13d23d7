"""Payoffs that contradict the betting: counted, diagnosed, told by both commands that count."""

import json

import numpy as np
import pytest

from dealer.logs import stats
from dealer.ratings import rate_command as rate
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, format_log_line, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says

GAME = "holdem.nolimit.2p.reverse_blinds.game"


def write(path, change, game=GAME, names=("Ann", "Bob")):
    """Write a log of 30 hands, changed values in each of which `change` says so."""
    random = np.random.default_rng(7)
    lines = random_log(load_builtin("hunl"), 3, 30, random, names=names, game_name=game)
    records = [parse_log_line(line) for line in lines]
    hands = [one for one in records if isinstance(one, HandRecord)]
    for at, one in enumerate(hands):
        values = change(at, [int(value) for value in one.values])
        where = records.index(one)
        lines[where] = format_log_line(
            HandRecord(one.hand_id, one.betting, one.cards, tuple(map(str, values)), one.names)
        )
    path.write_text("\n".join(line for line in lines if not line.startswith("SCORE")) + "\n")


CASES = {
    "as dealt": (lambda at, values: values, None),
    "another sum": (
        lambda at, values: [values[0] + 1, values[1]] if at in (4, 9) else values,
        ["2 of 30 hands", "2 with a sum"],
    ),
    "more than a stack": (
        lambda at, values: [900_000, -900_000] if at == 4 else values,
        ["1 of 30 hands", "1 more than a stack"],
    ),
    "the other's": (
        lambda at, values: values[::-1] if at % 2 and values[0] else values,
        ["of 30 hands", "diagnosis"],
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("main", [stats.main, rate.main])
def test_what_cannot_be_right_is_told(tmp_path, capsys, case, main):
    """It is counted as printed; with --strict that is exit code 1."""
    change, told = CASES[case]
    log = tmp_path / "m.log"
    write(log, change)
    assert main([str(log)]) == 0
    said = capsys.readouterr().err
    assert main([str(log), "--strict"]) == (told is not None)
    assert capsys.readouterr().err == said
    if told is None:
        assert said == ""
    else:
        says(said, "m.log", *told)
    lines = log.read_text().replace("|Bob", "|Bob B.").replace(":Bob|", ":Bob B.|")
    log.write_text(lines)  # read one by one
    assert main([str(log), "--strict"]) == (told is not None)
    assert capsys.readouterr().err.splitlines()[:1] == said.splitlines()[:1]


def test_programs_are_told_how_many(tmp_path, capsys):
    """Of all logs together."""
    write(tmp_path / "a.log", CASES["another sum"][0])
    write(tmp_path / "b.log", CASES["more than a stack"][0])
    assert rate.main([str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands_with_contradicted_payoffs"] == 3


@pytest.mark.parametrize("main", [stats.main, rate.main])
def test_other_stacks_are_told_where_hands_are_left_out(tmp_path, capsys, main):
    """Those with an all-in."""
    cards = "AcAd|KcKd/3s8h9d/Th/4s"
    hands = [f"STATE:{at}:r10000c///:{cards}:10000|-10000:Ann|Bob" for at in range(0, 6, 2)]
    hands += [f"STATE:{at}:f:AcAd|KcKd:50|-50:Bob|Ann" for at in range(1, 6, 2)]
    (tmp_path / "m.log").write_text("\n".join(hands) + "\n")
    assert main([str(tmp_path / "m.log"), "--game", "hunl"]) == 1
    says(capsys.readouterr().err, "left out", "diagnosis", "stacks of 10,000")
