"""One blueprint against another, board by board."""

import numpy as np
import pytest

from agents.blueprint.config import parse_config
from agents.blueprint.interpretation import Interpreter
from agents.blueprint.model import load_model
from agents.blueprint.versus import Contender, Versus, sample_board, values_on_boards
from agents.errors import GameNotPlayed
from engine.errors import ArtifactMismatch
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


@pytest.mark.parametrize("number", [0, 1])
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


def test_options_of_the_players_count(files):
    """A purified strategy is another one."""
    one = load_model(files[0])
    assert (
        abs(Versus(Interpreter(one), Interpreter(one, purify=True)).value(sample_board(3, 0))) > 1
    )


def test_boards_repeat():
    """Five different cards that follow from seed and number."""
    boards = [sample_board(1, number) for number in range(50)]
    assert all(len(set(board.tolist())) == 5 for board in boards)
    assert all(set(board.tolist()) <= set(range(52)) for board in boards)
    assert np.array_equal(boards[7], sample_board(1, 7))
    assert len({tuple(board.tolist()) for board in [*boards, sample_board(2, 7)]}) == 51


def test_the_number_of_processes_does_not_matter(files):
    """The same values in the same order."""
    one, other = (Contender("", file, threshold=0.0, purify=False) for file in files)
    alone = list(values_on_boards(one, other, 5, 1))
    assert list(values_on_boards(one, other, 5, 1, workers=2)) == alone
    assert len(set(alone)) == 5


def test_what_cannot_be_compared(files, tmp_path):
    """Other bets, other games, files that are none."""
    few = Interpreter(load_model(files[0]))
    with pytest.raises(GameNotPlayed, match="few and tiny-hunl have other bets"):
        Versus(few, Interpreter(random_model(tiny_config())))
    leduc = Interpreter(random_model(tiny_config("leduc")))
    with pytest.raises(GameNotPlayed, match="hold'em"):
        Versus(leduc, leduc)
    player = Contender("", files[0], threshold=0.0, purify=False)
    with pytest.raises(ArtifactMismatch):
        values_on_boards(player, player._replace(path=tmp_path / "none"), 5, 1)
