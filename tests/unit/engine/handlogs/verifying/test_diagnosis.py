"""One cause behind many faults: told where it explains all of them, and nowhere else."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.handlogs.source.log_games import game_from_argument
from protocol.gamedefs import builtin_path, load_builtin
from tests.helpers.random_logs import random_log

SEED = 40


def log_of(name, hands=40, seed=SEED, **options):
    """Lines of a match: header, hands 0 to 39 on lines 2 to 41, SCORE."""
    game = load_builtin(name)
    file = builtin_path(name).name
    return random_log(game, seed, hands, np.random.default_rng(3), game_name=file, **options)


def diagnosis(tmp_path, lines, **options):
    """Verify lines; return the faults counted and the diagnosis of the first match."""
    path = tmp_path / "m.log"
    path.write_text("\n".join(lines) + "\n")
    report = verify_log(path, VerifySettings(max_faults=1, **options))
    return report.fault_count, report.parts[0].diagnosis


def with_values(line, change):
    """Return a hand's line with its values changed as a list, given its number too."""
    fields = line.split(":")
    if fields[0] != "STATE":
        return line
    fields[4] = "|".join(change(fields[4].split("|"), int(fields[1])))
    return ":".join(fields)


RIGHT = [log_of(name) for name in ("hulhe", "limit3", "leduc")]


def times(factor):
    """Return a change of all values by a factor."""
    return lambda values, _: [f"{float(value) * factor:g}" for value in values]


@pytest.mark.parametrize("name", ["hunl", "hulhe", "limit3", "nolimit6", "leduc", "kuhn3"])
def test_a_right_log_has_no_diagnosis(tmp_path, name):
    """Nor has one with a single odd line."""
    lines = log_of(name)
    assert diagnosis(tmp_path, lines) == (0, [])
    lines[5] = with_values(lines[5], lambda values, _: [*values[:-1], "7.5"])
    count, texts = diagnosis(tmp_path, lines)
    assert (count > 0, texts) == (True, [])


@pytest.mark.parametrize(("name", "step"), [("hunl", 1), ("limit3", -7), ("nolimit6", 100)])
def test_another_seed_is_found(tmp_path, name, step):
    """Near the one in the header."""
    lines = log_of(name)
    lines[0] = f"{lines[0].rpartition(' ')[0]} {SEED + step}"
    _, [text] = diagnosis(tmp_path, lines)
    assert text == (
        f"wrong seed? every hand has the cards that seed {SEED} deals, not {SEED + step}"
    )


def test_no_seed_is_found_for_other_cards(tmp_path):
    """Nothing is claimed of them but that they are not dealt from this seed."""
    lines = log_of("hunl")
    lines[0] = f"{lines[0].rpartition(' ')[0]} 4000000"
    _, [text] = diagnosis(tmp_path, lines)
    assert re.search(r"\bseed 4000000\b", text)


def test_hands_that_were_numbered_anew_are_found(tmp_path):
    """The deals are those of other numbers."""
    lines = log_of("limit3", hands=60)
    shorter = [re.sub(r"(?<=^STATE:)\d+", str(n), line) for n, line in enumerate(lines[13:61])]
    _, texts = diagnosis(tmp_path, [lines[0], *shorter])
    assert len(texts) == 1
    assert "+12" in texts[0]


def test_another_match_that_goes_on_in_a_log_is_found(tmp_path):
    """Without a header between them."""
    other = log_of("hulhe", seed=9_000_000, names=("Cleo", "Dan"))
    _, texts = diagnosis(tmp_path, [*log_of("hulhe")[:21], *other[21:]])
    assert texts == [
        "no deal agrees from line 22 on: do other hands begin there?",
        "every hand from line 22 on is one of other players: do the hands of another match "
        "begin there?",
    ]


def test_a_renamed_player_is_found(tmp_path):
    """From which line on, and under which name."""
    lines = log_of("limit3")
    lines[11:] = [line.replace("Bob", "Zed") for line in lines[11:]]
    _, texts = diagnosis(tmp_path, lines)
    assert len(texts) == 1
    assert re.search(r"^Bob .*\bZed\b.* line 12\b", texts[0])


@pytest.mark.parametrize("rows", [range(1, 2), range(11, 41)])
@pytest.mark.parametrize("field", [-1, -2])
@pytest.mark.parametrize("change", [lambda text: text + "|1", lambda text: text.rpartition("|")[0]])
def test_names_and_payoffs_too_many_or_few_are_faults_without_a_name(tmp_path, rows, field, change):
    """In the first hand, which says who plays, or from a line on."""
    lines = log_of("limit3")
    for row in rows:
        fields = lines[row].split(":")
        fields[field] = change(fields[field])
        lines[row] = ":".join(fields)
    faults, texts = diagnosis(tmp_path, lines)
    assert (faults >= len(rows), texts) == (True, [])


def test_players_who_changed_seats_are_found(tmp_path):
    """The same names elsewhere."""
    lines = log_of("limit3")
    swap = {"Ann": "Bob", "Bob": "Ann"}
    lines[11:41] = [re.sub("Ann|Bob", lambda name: swap[name[0]], line) for line in lines[11:41]]
    _, texts = diagnosis(tmp_path, lines)
    assert len(texts) == 1
    assert re.search(r"seats .* line 12\b", texts[0])


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("limit3", times(-1), "the payoffs have their signs exchanged in "),
        ("hunl", times(-1), "the payoffs have their signs or seats exchanged in "),
        ("limit3", times(0.01), "the payoffs are 0.01 times those of the betting in "),
        (
            "limit3",
            lambda values, number: [values[(p - number) % 3] for p in range(3)],
            "the payoffs stand by seat instead of by position in ",
        ),
        (
            "limit3",
            lambda values, _: [*values[1:], values[0]],
            "the payoffs stand at other positions than the cards in ",
        ),
    ],
)
def test_one_rule_behind_all_payoffs_is_found(tmp_path, name, change, what):
    """Signs, units, seats, positions."""
    _, [text] = diagnosis(tmp_path, [with_values(line, change) for line in log_of(name)[:-1]])
    assert text.startswith(what)


def test_a_wrong_game_is_found(tmp_path):
    """Another built-in one, or other blinds."""
    lines = log_of("nolimit3")
    _, texts = diagnosis(tmp_path, lines, game=game_from_argument("limit3"))
    assert len(texts) == 1
    assert texts[0].endswith(" --game nolimit3")
    _, texts = diagnosis(tmp_path, lines, game=game_from_argument("hunl"))
    assert len(texts) == 1
    assert texts[0].endswith(" --game nolimit3")
    other = tmp_path / "other.game"
    game = builtin_path("hunl").read_text()
    other.write_text(
        re.sub(r"(?m)^(blind|stack) = .*", lambda line: line[0].replace("0", "00"), game)
    )
    assert "500" in other.read_text() or "1000" in other.read_text()
    _, [text] = diagnosis(tmp_path, log_of("hunl", hands=150), game=game_from_argument(str(other)))
    assert re.fullmatch(r"wrong game\? .* --game hunl", text)


def test_lines_out_of_order_are_found(tmp_path):
    """The hands are right in themselves."""
    lines = log_of("hulhe")
    lines[2:41] = lines[40:1:-1]
    _, [text] = diagnosis(tmp_path, lines[:-1])
    assert re.search(r"\b39\b.* numbers", text)


@given(data=st.data())
def test_single_damages_of_any_kind_get_no_diagnosis(tmp_path, data):
    """Two bytes changed anywhere in a right log are no pattern."""
    lines = list(data.draw(st.sampled_from(RIGHT)))
    for _ in range(2):
        row = data.draw(st.integers(2, len(lines) - 1))  # hand 0 says who plays
        at = data.draw(st.integers(0, len(lines[row]) - 1))
        byte = data.draw(st.sampled_from("0123456789:|/crf-.AKQcdhs"))
        lines[row] = lines[row][:at] + byte + lines[row][at + 1 :]
    _, texts = diagnosis(tmp_path, lines)
    assert texts == []


def test_a_number_read_as_0_tells_nothing_of_seats(tmp_path):
    """It seems to begin a match, in whose seats all later hands are wrong."""
    for row in (4, 5, 17):
        lines = list(RIGHT[0])
        lines[row] = re.sub(r"^STATE:\d+:", "STATE:0:", lines[row])
        assert diagnosis(tmp_path, lines)[1] == []


def all_ins(stack, count):
    """Return hands in which everybody calls an all-in of so many chips."""
    cards = "AcAd|KcKd/3s8h9d/Th/4s"
    return [
        f"STATE:{at}:r{stack}c///:{cards}:{stack}|-{stack}:B|A" for at in range(0, 2 * count, 2)
    ]


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("stack", [10_000, 4_321, 30_000])
def test_other_stacks_are_found(tmp_path, stack, count):
    """By the all-ins alone, however few they are."""
    folds = [f"STATE:{at}:f:AcAd|KcKd:50|-50:A|B" for at in range(1, 200, 2)]
    lines = [*all_ins(stack, count), *folds]
    wrong, texts = diagnosis(tmp_path, lines, game=game_from_argument("hunl"))
    assert wrong >= count
    assert f"stacks of {stack:,}" in texts[0]
    assert "20,000" in texts[0]
