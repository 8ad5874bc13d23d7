"""Seeds of logs that do not say theirs."""

import numpy as np
import pytest

from dealer.logs.verifying import seeds
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says

GAME = load_builtin("nolimit3")
LINES = random_log(GAME, 77, 40, np.random.default_rng(1))
HANDS = [parse_log_line(line) for line in LINES[1:-1]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("game_77.log", [77]),
        ("game_77b.log", [77]),
        ("77.log", [77]),
        ("match.log", []),
        ("game_99999999999.log", []),
    ],
)
def test_a_number_at_the_end_of_the_name_is_a_candidate(tmp_path, name, expected):
    """With or without a letter behind it."""
    assert [seed.number for seed in seeds.candidate_seeds(tmp_path / name, ())] == expected


def test_a_continued_logs_header_is_a_candidate(tmp_path):
    """NNb goes on where NN ended: beside it, or named in the same call."""
    (tmp_path / "s_5.log").write_text("\n".join(LINES[:4]))
    [first, second] = seeds.candidate_seeds(tmp_path / "s_5b.log", ())
    assert (first.number, second.number) == (77, 5)
    says(first.origin, "s_5.log", "continues")
    other = tmp_path / "other" / "s_5b.log"
    found = seeds.candidate_seeds(other, [tmp_path / "s_5.log", tmp_path / "s_6.log"])
    assert [seed.number for seed in found] == [77, 5]


@pytest.mark.parametrize("first", [0, 13])
def test_the_cards_prove_a_candidate(first):
    """Only the seed that dealt the hands is believed; a few wrong lines do not matter."""
    wrong = seeds.Seed(5, "wrong")
    right = seeds.Seed(77, "right")
    assert seeds.proven(GAME, [wrong, right], HANDS[first:]) == right
    assert seeds.proven(GAME, [wrong], HANDS[first:]) is None
    assert seeds.proven(GAME, [right], []) is None
    foreign = random_log(GAME, 5, 12, np.random.default_rng(2))
    mixed = [*HANDS[:8], *(parse_log_line(line) for line in foreign[9:-1])]
    assert seeds.proven(GAME, [right], mixed) == right


def test_a_small_deck_needs_more_hands():
    """One hand of Kuhn poker may fit by chance, so it proves nothing."""
    kuhn = load_builtin("kuhn")
    lines = random_log(kuhn, 3, 30, np.random.default_rng(1))
    hands = [parse_log_line(line) for line in lines[1:-1]]
    right = seeds.Seed(3, "right")
    assert seeds.proven(kuhn, [right], hands[:1]) is None
    assert seeds.proven(kuhn, [right], hands) == right


def test_first_records_are_bounded_and_skip_other_lines(tmp_path):
    """Headers, comments and damaged lines are passed over."""
    log = tmp_path / "m.log"
    log.write_text("\n".join([*LINES[:3], "STATE:broken", "# x", *LINES[3:]]))
    assert seeds.first_records(log) == HANDS[: seeds.PROOF_HANDS]
