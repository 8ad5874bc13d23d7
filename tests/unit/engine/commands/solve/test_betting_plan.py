"""How much of a spot is solved where memory is short."""

import re

import pytest

from engine.commands.solve import betting_plan
from engine.commands.solve.solve_command import main
from tests.helpers.solving import RIVER, TURN, complaint, json_of, lines_of, words

RICH = TURN | {"bets": "50,100,a", "raises": "50,100,a", "stacks": "9000", "iterations": "2"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the command runs and saves."""
    monkeypatch.chdir(tmp_path)


def gib(size):
    """Bytes as --memory wants them."""
    return f"{size / 2**30:.9f}"


def test_sixteen_bits_are_taken_where_memory_is_short(capsys):
    """Before raises are left out, and it is told; not where 32 bits are asked for or fit."""
    rich = json_of(words(RICH), capsys)
    assert (rich["storage"], rich["max_raises"]) == ("float32", betting_plan.UNBOUNDED_RAISES)
    tight = words(RICH, memory=gib(rich["memory"] * 0.9))
    facts = json_of(tight, capsys)
    assert (facts["storage"], facts["max_raises"]) == ("int16", betting_plan.UNBOUNDED_RAISES)
    assert facts["memory"] <= rich["memory"] * 0.9
    told = "tables of 16 bits: all takes "
    assert told in "\n".join(lines_of(tight, capsys))
    assert told not in "\n".join(lines_of(words(RICH, storage="int16"), capsys))
    assert told not in "\n".join(lines_of(words(RICH), capsys))


def test_raises_are_left_out_only_where_that_is_asked_for(capsys):
    """As few as it takes, and it is told before and after; else the spot is refused."""
    spot_words = words(RICH, storage="float32")
    rich = json_of(spot_words, capsys)
    tight = [*spot_words, f"--memory={gib(rich['memory'] * 0.9)}"]
    text = complaint(tight, capsys)
    assert text.startswith("arena solve: this needs ")
    wanted = (
        r"less: --storage int16 \([\d.]+ MiB\), --max-raises [123] \([\d.]+ MiB\), fewer --bets"
    )
    assert re.search(wanted, text)
    assert main([*tight, "--max-raises=auto"]) == 0
    out, err = capsys.readouterr()
    told = re.search(r"at most ([23]) bets and raises a street: all takes .*", err)
    assert told[0] in out
    text = complaint([*tight, "--max-raises=4"], capsys)
    assert "with --max-raises 4, --memory allows" in text
    assert "less: --storage int16 (" in text
    assert json_of([*tight, "--max-raises=4", "--storage=int16"], capsys)["max_raises"] == 4


def test_what_is_too_large_is_refused_with_what_would_help(monkeypatch, capsys):
    """Before anything is computed."""
    flop = words(RIVER, board="KsJs7d", memory="0.01", max_raises="auto")
    text = complaint(flop, capsys)
    assert text.startswith("arena solve: this needs ")
    assert " with --max-raises 1, --memory allows 10.2 MiB; less: fewer --bets" in text
    monkeypatch.setattr(betting_plan, "_MOST_NODES", 5_000)
    endless = ",".join(str(size) for size in range(1, 12))
    billions = words(RIVER, stacks="1000000000", big_blind="1", bets=endless, raises=endless)
    for bound in ([], ["--max-raises=9"]):
        text = complaint([*billions, *bound], capsys)
        assert "5,000 nodes" in text
    assert json_of([*billions, "--max-raises=auto"], capsys)["max_raises"] == 3


def test_no_more_is_taken_than_the_machine_has(monkeypatch, capsys):
    """Whatever --memory says."""
    monkeypatch.setattr(betting_plan, "machine_memory", lambda: 2**20)
    text = complaint(words(RIVER, oop="random", ip="random", memory="100"), capsys)
    assert "this machine has 1.0 MiB" in text
