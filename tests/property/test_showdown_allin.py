import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.equity.allin import allin_expectation
from protocol.gamedef import GameDef
from tests.oracles import allin as oracle


@st.composite
def all_ins(draw):
    """Small decks, 2 to 5 players, folds, unequal contributions, up to two cards to come."""
    players = draw(st.integers(2, 5))
    hole_cards = draw(st.integers(1, 2))
    board_total = draw(st.integers(0, 4))
    suits = draw(st.integers(2, 4))
    fewest = -(-(players * hole_cards + board_total) // suits)
    ranks = draw(st.integers(fewest, max(fewest, 6)))
    game = GameDef(
        no_limit=True,
        players=players,
        streets=1,
        stacks=(60,) * players,
        blinds=(1,) * players,
        raise_sizes=(),
        first_positions=(0,),
        max_raises=(3,),
        suits=suits,
        ranks=ranks,
        hole_cards=hole_cards,
        board_cards=(board_total,),
    )
    cards = draw(st.permutations(game.deck))
    holes = [cards[p * hole_cards : (p + 1) * hole_cards] for p in range(players)]
    to_come = draw(st.integers(0, min(2, board_total)))
    first = players * hole_cards
    board = cards[first : first + board_total - to_come]
    spent = [draw(st.sampled_from((0, 10, 10, 30, 60))) for _ in range(players)]
    staying = draw(st.sets(st.integers(0, players - 1), min_size=2))
    most = max(spent[p] for p in staying)
    spent = [chips if p in staying else min(chips, most) for p, chips in enumerate(spent)]
    return game, spent, [p not in staying for p in range(players)], holes, board


@given(all_ins())
def test_mean_over_all_boards_is_exact(case):
    """Counting once and multiplying equals settling every board."""
    want = oracle.allin_expectation(*case)
    assert allin_expectation(*case) == pytest.approx([float(value) for value in want], rel=1e-12)
