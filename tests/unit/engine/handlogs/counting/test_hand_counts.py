"""What trackers count, compiled, against the slow readable way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.tally import Tally
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.rules_strategies import games
from tests.helpers.tracked import assert_tracked


def lines_of(game, seed, hands):
    """Lines of random hands."""
    lines = random_log(game, seed, hands, np.random.default_rng(seed))
    return [line for line in lines if line.startswith("STATE")]


@pytest.mark.parametrize(
    ("name", "hands"),
    [("hunl", 300), ("nolimit3", 400), ("nolimit6", 500), ("hulhe", 200), ("limit3", 300)],
)
def test_counts_of_random_holdem(name, hands):
    """Every count of every position; each definition has been met and has been declined."""
    game = load_builtin(name)
    lines = lines_of(game, 7, hands)
    met = assert_tracked(game, [parse_log_line(line) for line in lines])
    three = game.players > 2
    for what in ("three_bet", "four_bet", *["squeeze"] * three):
        assert 0 < met[what, None] < met[f"{what} of", None]
    for what in ("cbet", "fold_to_cbet", "donk_bet", "check_raise"):
        assert 0 < met[what, 1] < met[f"{what} of", 1]
    assert met["float of", 2] > 0


@pytest.mark.parametrize("name", ["leduc", "kuhn", "kuhn3"])
def test_counts_of_small_games(name):
    """Where antes are all that is forced, the first raise is a bet: no 3-bet in two raises."""
    game = load_builtin(name)
    lines = lines_of(game, 2, 200)
    met = assert_tracked(game, [parse_log_line(line) for line in lines])
    assert met["three_bet of", None] == 0


@given(game=games(), seed=st.integers(0, 1000))
def test_counts_of_any_game(game, seed):
    """Blinds and antes anywhere, short stacks, any order of play, two to ten players."""
    assert_tracked(game, [parse_log_line(line) for line in lines_of(game, seed, 8)])


def test_a_pair_has_the_hands_in_which_both_sat():
    """For two players the rows by opponent are the players' own, all-in expectation too."""
    game = load_builtin("hunl")
    tally = Tally(game, detail=Detail.OPPONENTS)
    for seed in range(40):  # more pairs than there is room at first
        names = ("Ann", f"Bob{seed}")
        lines = random_log(game, seed, 6, np.random.default_rng(seed), names=names)
        text = "\n".join(line for line in lines if line.startswith("STATE")) + "\n"
        data = np.frombuffer(text.encode(), np.uint8)
        assert tally.scan(data, 0)[0] == len(data)
    pairs = {(line.player, line.opponent): line for line in tally.pair_lines()}
    assert len(pairs) == 80
    for seed in range(40):
        counts = sum(line.counts for line in tally.lines() if line.player == f"Bob{seed}")
        sums = sum(line.sums for line in tally.lines() if line.player == f"Bob{seed}")
        found = pairs[f"Bob{seed}", "Ann"]
        assert found.counts.tolist() == counts.tolist()
        assert found.sums == pytest.approx(sums)
    of_ann = sum(line.counts for line in pairs.values() if line.player == "Ann")
    assert of_ann.tolist() == sum(line.counts for line in tally.lines()[:2]).tolist()


def test_an_opponent_with_two_seats_is_met_once():
    """And somebody on all seats meets himself."""
    game = load_builtin("nolimit3")
    tally = Tally(game, detail=Detail.OPPONENTS)
    lines = random_log(game, 1, 9, np.random.default_rng(1), names=("Ann", "Bob", "Bob"))
    text = "\n".join(line for line in lines if line.startswith("STATE")) + "\n"
    tally.scan(np.frombuffer(text.encode(), np.uint8), 0)
    hands = {
        (line.player, line.opponent): line.counts[c.COUNT_HANDS] for line in tally.pair_lines()
    }
    assert hands == {("Ann", "Bob"): 9, ("Bob", "Ann"): 18, ("Bob", "Bob"): 18}
