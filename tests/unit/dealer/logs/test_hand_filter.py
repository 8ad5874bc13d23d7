"""Choosing hands: every option against what a plain reading of the hand says."""

import argparse
import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.logs import replay, stats
from dealer.logs.hand_filter import FILTERS, HandFilter, hand_numbers
from dealer.ratings import rate_command as rate
from engine.showdown.hand_check import check_hand
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says, says_in_a_line

GAME = load_builtin("nolimit3")
LINES = random_log(
    GAME, 7, 300, np.random.default_rng(7), game_name="holdem.nolimit.3p.game", fixed=False
)
HANDS = [record for record in map(parse_log_line, LINES) if isinstance(record, HandRecord)]
PLACES = ("SB", "BB", "BTN")


def chosen(*words):
    """Return the filter of a command line."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    FILTERS.add_to(parser)
    return HandFilter(parser.parse_args(words))


def seats(hand, player=None, place=None):
    """Positions that are meant."""
    return [
        seat
        for seat, name in enumerate(hand.names)
        if player in (None, name) and place in (None, PLACES[seat])
    ]


def big_blinds(hand, meant):
    """What the players in some positions won."""
    return [float(hand.values[seat]) / 100 for seat in meant]


def end_of(hand):
    """The finished betting."""
    return check_hand(GAME, hand).state


def called_in(hand):
    """The pot: of what each put in, as much as another one did."""
    spent = end_of(hand).spent
    return sum(min(chips, sorted(spent)[-2]) for chips in spent)


def off_menu(hand, menu):
    """Whether anybody bet off a menu of shares of the pot."""
    for before, action, after in end_of(hand).steps():
        if action.kind == "r":
            to = after.spent[before.actor]
            sizes = [before.to_match + part * (before.pot + before.to_call) for part in menu]
            if to not in before.raise_range() and min(abs(to - size) for size in sizes) >= 1:
                return True
    return False


CASES = [
    ([], lambda hand: True),
    (["--hands", "3,17,40-60"], lambda hand: hand.hand_id in (3, 17, *range(40, 61))),
    (["--player", "Bob"], lambda hand: "Bob" in hand.names),
    (["--player", "Nobody"], lambda hand: False),
    (["--player", "Bob", "--position", "btn"], lambda hand: hand.names[2] == "Bob"),
    (["--won", "20"], lambda hand: max(big_blinds(hand, range(3))) >= 20),
    (
        ["--lost", "5", "--player", "Ann"],
        lambda hand: -big_blinds(hand, seats(hand, "Ann"))[0] >= 5,
    ),
    (["--won", "1", "--position", "BB"], lambda hand: big_blinds(hand, [1])[0] >= 1),
    (["--street", "turn"], lambda hand: end_of(hand).street >= 2),
    (["--street", "4"], lambda hand: end_of(hand).street == 3),
    (["--showdown"], lambda hand: end_of(hand).showdown),
    (["--no-showdown"], lambda hand: not end_of(hand).showdown),
    (["--pot", "30"], lambda hand: called_in(hand) >= 3000),
    (["--off-menu", "0.5,1"], lambda hand: off_menu(hand, (0.5, 1))),
    (
        ["--showdown", "--pot", "10", "--player", "Ann", "--won", "0"],
        lambda hand: (
            end_of(hand).showdown
            and called_in(hand) >= 1000
            and big_blinds(hand, seats(hand, "Ann"))[0] >= 0
        ),
    ),
]


@pytest.mark.parametrize(("words", "wanted"), CASES, ids=[" ".join(words) for words, _ in CASES])
def test_each_option_takes_the_hands_it_says(words, wanted):
    """And counts the others."""
    filtered = chosen(*words)
    taken = [hand.hand_id for hand in HANDS if filtered.passes(GAME, hand)]
    assert taken == [hand.hand_id for hand in HANDS if wanted(hand)]
    assert (filtered.hands, filtered.left_out) == (len(HANDS), len(HANDS) - len(taken))
    assert bool(filtered) == bool(words)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1, max_size=5))
def test_lists_of_hand_numbers(spans):
    """Numbers and ranges, both ends included."""
    text = ",".join(f"{a}-{a + more}" if more else str(a) for a, more in spans)
    found = {number for part in hand_numbers(text) for number in part}
    assert found == {number for a, more in spans for number in range(a, a + more + 1)}


@pytest.mark.parametrize(
    "words",
    [
        ["--hands", text]
        for text in (
            "",
            "5-",
            "-5",
            "a",
            "30-20",
            "1,,2",
            "1;2",
            "99999999999",
            ",".join("1" * 2000),
        )
    ]
    + [["--street", "5"], ["--pot", "-1"], ["--won", "nan"], ["--off-menu", "0,x"]]
    + [["--off-menu", "-1"], ["--lost", "1e99"]],
)
def test_what_cannot_be_meant_is_refused(words):
    """With the word itself."""
    with refused(argparse.ArgumentError, words[0]):
        chosen(words[0] + "=" + words[1])


@pytest.fixture
def log(tmp_path):
    """The log of all hands."""
    path = tmp_path / "m.log"
    path.write_text("\n".join(LINES) + "\n")
    return path


@pytest.mark.parametrize(
    ("words", "bias"),
    [
        (["--showdown", "--pot", "30"], "hands are chosen by what happened in them"),
        (["--player", "Bob", "--position", "SB"], "hands are chosen by the player's position"),
        (["--hands", "10-200"], None),
        (["--player", "Bob"], None),
    ],
)
def test_commands_take_the_same_hands(log, tmp_path, capsys, words, bias):
    """`stats` counts what a log of these hands alone has; `replay` shows them; `rate` tells."""
    wanted = [hand for hand in HANDS if chosen(*words).passes(GAME, hand)]
    alone = tmp_path / "alone.log"
    ids = {hand.hand_id for hand in wanted}
    alone.write_text(
        "\n".join([LINES[0], *(LINES[i] for i in range(len(LINES)) if is_of(LINES[i], ids))])
    )
    assert stats.main([str(alone), "--json"]) == 0
    everybody = json.loads(capsys.readouterr().out)
    expected = [row for row in everybody if row["player"] == "Bob" or "Bob" not in words]
    assert stats.main([str(log), "--json", *words]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == expected
    told = f"{300 - len(wanted)} of 300 hands left out"
    assert (told in err, " 0 of" in err) == (len(wanted) < 300, False)
    assert replay.main([str(log), "--json", *words]) == 0
    out, err = capsys.readouterr()
    shown = [json.loads(line) for line in out.splitlines()]
    assert [one["hand"] for one in shown] == [hand.hand_id for hand in wanted]
    assert (told in err) == ("--hands" not in words and len(wanted) < 300)
    assert rate.main([str(log), "--json", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands_chosen"]["bias"] == bias
    assert (told["games"][0]["verdict"] is None) == (bias is not None)
    assert rate.main([str(log), *words]) == 0
    assert ("none from hands chosen" in capsys.readouterr().out) == (bias is not None)


def is_of(line, ids):
    """Whether a line is a hand with one of some numbers."""
    return line.startswith("STATE:") and int(line.split(":")[1]) in ids


def test_hands_as_json_say_what_happened(log, tmp_path, capsys):
    """Each with players, actions and result; what is wrong is told, and the exit code is 0."""
    target = tmp_path / "hands.json"
    assert replay.main([str(log), f"--json={target}"]) == 0
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(rows) == 300
    for row, hand in zip(rows, HANDS, strict=True):
        end = end_of(hand)
        assert [one["won"] for one in row["players"]] == [float(value) for value in hand.values]
        assert [one["position"] for one in row["players"]] == list(PLACES)
        assert (row["showdown"], row["street"]) == (end.showdown, end.street)
        assert row["pot"] == called_in(hand)
        assert [one["action"][0] for one in row["actions"]] == list(
            filter("fcr".__contains__, end.betting)
        )
    log.write_text("STATE:0:f:7d3d|2hAc|2c2d:0|-50|50:A|B|C\nSTATE:1:ff:xx|2h:1|-1:A|B\n")
    assert replay.main([str(log), "--json", "--game", "nolimit3"]) == 1
    out, err = capsys.readouterr()
    assert "stops" in json.loads(out)["faults"][0]
    says_in_a_line(err, f"{log}:2", "left out")


def test_a_table_for_spreadsheets_has_the_numbers_of_json(log, capsys):
    """A row for each player and position."""
    assert stats.main([str(log), "--json", "--by-position"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert stats.main([str(log), "--csv", "-", "--by-position"]) == 0
    cells = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(cells) == len(rows) == 12
    for cell, row in zip(cells, rows, strict=True):
        assert (cell["player"], cell["position"]) == (row["player"], row["position"])
        assert float(cell["raw_mbb_per_hand"]) == row["raw"]["mbb_per_hand"]
        assert float(cell["expected_ci95"]) == row["expected"]["ci95"]
        assert float(cell["vpip"]) == row["vpip"]
        assert cell["sets_sd"] == ""
    with pytest.raises(SystemExit, match="2"):
        stats.main([str(log), "--csv", "-", "--json"])
    says_in_a_line(capsys.readouterr().err, "--json", "--csv")


def test_hands_that_stand_in_logs_more_than_once_are_told(log, tmp_path, capsys):
    """Line for line; in games of few cards only within a match, since chance repeats them."""
    twice = tmp_path / "twice.log"
    twice.write_text("\n".join([*LINES, *LINES[:11]]) + "\r\n")
    for main in (stats.main, rate.main):
        assert main([str(twice)]) == 0
        says(capsys.readouterr().err, "10 hands stand in the logs more than once")
    assert stats.main([str(log)]) == 0
    assert capsys.readouterr().err == ""
    kuhn = random_log(load_builtin("kuhn"), 1, 20, np.random.default_rng(1), game_name="kuhn")
    other = [kuhn[0].replace(" 20 1", " 20 2"), *kuhn[1:]]
    twice.write_text("\n".join([*kuhn, *other]) + "\n")
    assert stats.main([str(twice)]) == 0
    assert "more than once" not in capsys.readouterr().err


def test_aivat_is_of_all_hands(log, capsys):
    """Estimates are of whole logs."""
    assert rate.main([str(log), "--estimates", str(log), "--showdown"]) == 2
    says_in_a_line(capsys.readouterr().err, "AIVAT", "all hands")
