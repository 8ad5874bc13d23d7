"""A subgame as the vector solver sees it."""

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, COMBOS, combo_of, parse_combo
from engine.range_solver.game import RangeGame
from protocol.cards import parse_cards
from tests.helpers.subgames import ranges_of, scattered_ranges, tree_of

TURN = "Kd7d5d2d"


@pytest.fixture(scope="module")
def game():
    return RangeGame(tree_of(TURN), parse_cards(TURN), scattered_ranges(1))


def test_beliefs_and_rivals_are_those_of_the_board(game):
    """Each belief sums to 1; what is possible beside a combo leaves its cards out."""
    np.testing.assert_allclose(game.beliefs.sum(axis=1), 1)
    combo = int(np.flatnonzero(game.beliefs[0])[0])
    apart = ~(COMBO_CARDS[:, :, None] == COMBO_CARDS[combo]).any(axis=(1, 2))
    assert game.rivals[0, combo] == pytest.approx(game.beliefs[1, apart].sum())
    assert game.joint == pytest.approx(game.beliefs[0] @ game.rivals[0])


def with_one_ace(seed):
    """Two ranges that share a card throughout: the ace of spades with a king, with odd weights."""
    rng = np.random.default_rng(seed)
    ranges = np.zeros((2, COMBOS))
    ranges[0, parse_combo("AsKs")] = 1
    for card in parse_cards("QsJsTs9s8s7s6s5s4s3s"):
        ranges[1, combo_of(parse_cards("As")[0], card)] = rng.random()
    return ranges


def test_rounding_errors_are_no_hands():
    """Sums that leave out all weights but 1e-16 of them leave out all: whatever the weights."""
    for seed in range(20):
        ranges = with_one_ace(seed)
        with pytest.raises(ValueError, match="no two hands"):
            RangeGame(tree_of(TURN), parse_cards(TURN), ranges)
        ranges[0, parse_combo("QhQc")] = 0.5
        game = RangeGame(tree_of(TURN), parse_cards(TURN), ranges)
        assert game.rivals[0, parse_combo("AsKs")] == 0


def test_every_decision_has_a_place(game):
    """With as many actions as the tree offers there; places of a street do not overlap."""
    assert sorted(game.places) == game.tree.decisions.tolist()
    taken = set()
    for node, place in game.places.items():
        assert place.actions == game.tree.child_count[node]
        assert place.player == game.tree.kind[node]
        rows = {(place.level, place.player, place.first + a) for a in range(place.actions)}
        assert not rows & taken
        taken |= rows


def test_a_card_leads_to_the_board_that_stands_for_it(game):
    """Hands keep their meaning: what they make with the card, and their weight."""
    for text in ("3s", "3c", "Kh", "9d"):
        (card,) = parse_cards(text)
        number, combos = game.find_board((card,))
        stands = game.boards[1].boards[number]
        assert stands[:4] == game.board
        assert stands[4] // 4 == card // 4
        for player in (0, 1):
            held = game.boards[1].hands[player].combo[number]
            for combo in np.flatnonzero(game.beliefs[player]):
                there = combos[combo]
                assert game.beliefs[player, there] == game.beliefs[player, combo]
                assert (there in held) == (card not in COMBO_CARDS[combo])


def test_spread_and_pot_are_those_of_the_betting():
    """Both can win what the shorter stack has put in."""
    board = parse_cards("KsJs7d2s3h")
    game = RangeGame(tree_of("KsJs7d2s3h", pot=200, stacks=(300, 900)), board, ranges_of())
    assert game.pot == 200
    assert game.spread == 2 * (100 + 300)
    assert game.levels == 1
    assert game.find_board(())[1][parse_combo("AsAh")] == parse_combo("AsAh")


@pytest.mark.parametrize("ranges", [[np.ones(1325), np.ones(1326)], ["AA", "KK"], np.ones(1326)])
def test_what_is_no_pair_of_ranges_is_refused(ranges):
    """Said by what is wanted, not by how numpy fails."""
    with pytest.raises(ValueError, match=r"ranges: want \(2, 1326\) weights"):
        RangeGame(tree_of(TURN), parse_cards(TURN), ranges)
