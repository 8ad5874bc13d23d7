"""One blueprint against another, board by board."""

from dataclasses import replace

import pytest

from agents.blueprint.versus import Versus, versus_of
from agents.blueprint_model.config import parse_config
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import load_model
from agents.blueprint_model.policy import open_policy
from agents.errors import GameNotPlayed
from engine.evaluation.board_matches import sample_board
from engine.evaluation.exact_match import ExactMatch
from tests.helpers.blueprints import random_model, tiny_config
from tests.oracles.versus import value_of_pairs

FEW = parse_config(
    "few",
    """
game = "hunl"
[cards]
[bets]
preflop = ["100", "a"]
flop = ["a"]
turn = ["a"]
river = ["100"]
""",
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of two models of the same game."""
    folder = tmp_path_factory.mktemp("versus")
    for seed in (1, 2):
        random_model(FEW, seed=seed).save(folder / f"{seed}.blueprint")
    return [folder / "1.blueprint", folder / "2.blueprint"]


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_equals_pair_by_pair(files, number):
    """The oracle plays every pair of hands through the whole betting."""
    models = [load_model(file) for file in files]
    board = sample_board(7, number)
    found = Versus(*map(Interpreter, models)).value(board)
    assert found == pytest.approx(value_of_pairs(*models, board), abs=2e-3)
    assert abs(found) > 1


def test_nobody_wins_from_itself_and_winnings_are_losses(files):
    """Both seatings are played."""
    one, other = (Interpreter(load_model(file)) for file in files)
    board = sample_board(3, 0)
    assert Versus(one, one).value(board) == pytest.approx(0, abs=1e-3)
    assert Versus(one, other).value(board) == pytest.approx(-Versus(other, one).value(board))


@pytest.mark.parametrize("options", [{}, {"threshold": 0.1}, {"purify": True}])
def test_it_is_what_any_two_policies_win(files, options):
    """The way for all policies finds the same, to the rounding of their probabilities."""
    one, other = open_policy(files[0], **options), open_policy(files[1])
    board = sample_board(7, 3).tolist()
    fast = versus_of(one, other)
    assert fast is not None
    slow = ExactMatch(one.game, one, other)
    assert fast.value(board) == pytest.approx(slow.value(board), abs=2e-3)


def test_other_bets_have_no_fast_way(files, tmp_path):
    """Nor has another game, nor other stacks: the tree is that of those it was made for."""
    random_model(tiny_config()).save(tmp_path / "bets")
    random_model(tiny_config("hulhe")).save(tmp_path / "limit")
    few, bets, limit = map(open_policy, (files[0], tmp_path / "bets", tmp_path / "limit"))
    shallow = open_policy(files[0], replace(few.game, stacks=(10000, 10000)))
    for one, other in ((few, bets), (bets, limit), (shallow, shallow)):
        assert versus_of(one, other) is None
    assert versus_of(few, few) is not None


def test_what_cannot_be_compared(files):
    """Other bets, and hands that are no combos."""
    few = Interpreter(load_model(files[0]))
    with pytest.raises(GameNotPlayed, match="few and tiny-hunl"):
        Versus(few, Interpreter(random_model(tiny_config())))
    leduc = Interpreter(random_model(tiny_config("leduc")))
    with pytest.raises(GameNotPlayed, match="hold'em"):
        Versus(leduc, leduc)
