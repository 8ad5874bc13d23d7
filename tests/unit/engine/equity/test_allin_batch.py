"""All-in expectation of many hands at once, against one after the other."""

import numpy as np
import pytest
from hypothesis import given

from engine.equity.allin import allin_expectation
from engine.equity.allin_batch import allin_expectations
from protocol.gamedefs import load_builtin
from tests.property.test_showdown_allin import all_ins

KNOWN = (0, 3, 4, 5)


def deals(game, hands, seed, known=KNOWN, contenders=2):
    """Return random all-in hands as the arguments of `allin_expectations` behind the game."""
    rng = np.random.default_rng(seed)
    players = game.players
    cards = np.array([rng.permutation(52)[: 2 * players + 5] for _ in range(hands)], np.uint8)
    spent = rng.integers(50, 20_000, (hands, players))
    folded = np.zeros((hands, players), bool)
    for out in folded:
        out[rng.permutation(players)[contenders:]] = True
    most = np.where(folded, 0, spent).max(axis=1, keepdims=True)
    spent = np.where(folded, np.minimum(spent, most), spent)
    holes = cards[:, : 2 * players].reshape(hands, players, 2)
    return spent, folded, holes, cards[:, 2 * players :], rng.choice(known, hands).astype(np.int64)


def one_by_one(game, spent, folded, holes, boards, known):
    """Return the same, hand by hand."""
    return [
        allin_expectation(
            game,
            spent[hand].tolist(),
            folded[hand].tolist(),
            holes[hand].tolist(),
            boards[hand, : known[hand]].tolist(),
        )
        for hand in range(len(spent))
    ]


@pytest.mark.parametrize(
    ("name", "hands", "known", "contenders"),
    [
        ("hunl", 60, KNOWN, 2),
        ("nolimit3", 4, (0,), 2),
        ("nolimit6", 60, KNOWN[1:], 2),
        ("nolimit3", 12, KNOWN[1:], 3),
    ],
)
def test_many_hands_are_worth_what_each_is(name, hands, known, contenders):
    """To the last bit: two hands before and after the flop, with cards folded, and more."""
    game = load_builtin(name)
    cases = deals(game, hands, 1, known, contenders)
    heard = []
    found = allin_expectations(game, *cases, threads=2, progress=heard.append)
    assert np.array_equal(found, one_by_one(game, *cases))
    assert sum(heard) == hands


@given(all_ins())
def test_any_game_will_do(case):
    """Small decks, side pots, up to five players."""
    game, spent, folded, holes, board = case
    known = np.array([len(board)])
    boards = np.zeros((1, game.board_total), np.uint8)
    boards[0, : len(board)] = board
    found = allin_expectations(
        game,
        np.array([spent], np.int64),
        np.array([folded]),
        np.array([holes], np.uint8),
        boards,
        known,
    )
    assert tuple(found[0]) == allin_expectation(game, spent, folded, holes, board)


def test_chips_beyond_all_measure_go_the_slow_way():
    """Stacks so deep that whole numbers would not fit are settled in Python's."""
    game = load_builtin("hunl")
    spent, *rest = deals(game, 3, 2)
    spent[:] = 2**40
    assert np.array_equal(allin_expectations(game, spent, *rest), one_by_one(game, spent, *rest))


def test_impossible_cards_are_refused():
    """A card held twice, or none at all."""
    game = load_builtin("hunl")
    spent, folded, holes, boards, _ = deals(game, 2, 3)
    known = np.full(2, 3)
    for wrong in (holes[1, 0, 0], 52):
        holes = holes.copy()
        holes[1, 1, 1] = wrong
        with pytest.raises(ValueError, match="card"):
            allin_expectations(game, spent, folded, holes, boards, known)


def test_no_hands_are_no_work():
    """An empty batch comes back empty."""
    cases = [array[:0] for array in deals(load_builtin("hunl"), 1, 4)]
    assert allin_expectations(load_builtin("hunl"), *cases).shape == (0, 2)
