"""Decisions as everybody at the table sees them."""

import math

import numpy as np
import pytest

from agents.statistical.counting.habits import RAISE, Habits
from agents.statistical.predicting.contexts import FEATURES, HandReader, texture
from engine.errors import IllegalAction
from protocol.actions import CALL, FOLD, raise_to
from protocol.actions import RAISE as LIMIT_RAISE
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
BOARD = parse_cards("AhKh7h")


def seen(reader, board=(), habits=None):
    """The context of the next decision, by name."""
    return dict(zip(FEATURES, reader.context(board, habits or Habits()).tolist(), strict=True))


def check(context, **expected):
    """Compare some features; names with blanks are written with underscores."""
    found = {name: context[name.replace("_", " ")] for name in expected}
    assert found == pytest.approx(expected)


def test_a_no_limit_hand_worked_by_hand():
    """Blinds 100 and 50: the button raises to 300, is called, bets 600 - 300 after a check."""
    reader = HandReader(HUNL)
    check(
        seen(reader),
        flop=0,
        no_raise=1,
        pot_odds=50 / 200,
        bet=0.25,
        stack=(19900 / 150) / (1 + 19900 / 150),
        pot=math.log2(1.5) / 10,
        own_share=50 / 150,
        bets=0.5,
        checked_to=0,
        last_to_act=1,
        players=0.2,
        to_act=0.1,
        may_fold=1,
        may_raise=1,
        ace=0,
    )
    reader.take(raise_to(300))
    check(
        seen(reader),
        no_raise=0,
        one_raise=1,
        pot_odds=200 / 600,
        bet=0.5,
        bets=1,
        committed=0,
        faced_bet=0,
        last_to_act=0,
        to_act=0,
    )
    reader.take(CALL)
    check(
        seen(reader, BOARD),
        flop=1,
        no_raise=1,
        pot_odds=0,
        bet=0,
        own_share=0.5,
        bets=0.5,
        faced_bet=1,
        raised_last=0,
        led_street_before=0,
        other_led_street_before=1,
        may_fold=0,
        to_act=0.1,
    )
    reader.take(CALL)
    check(
        seen(reader, BOARD),
        checked_to=1,
        raised_last=1,
        faced_bet=1,
        led_street_before=1,
        other_led_street_before=0,
        to_act=0,
    )
    reader.take(raise_to(600))
    check(
        seen(reader, BOARD),
        one_raise=1,
        pot_odds=300 / 1200,
        bet=0.25,
        bets=2 / 3,
        committed=0,
        checked_to=0,
        may_fold=1,
    )
    assert reader.cell == 4
    reader.take(FOLD)
    with pytest.raises(ValueError, match="the hand is over"):
        reader.context(BOARD, Habits())


def test_limit_hands_and_their_cap():
    """After the last raise that is allowed nobody may raise; stacks without end are 1."""
    reader = HandReader(load_builtin("hulhe"))
    assert seen(reader)["no-limit"] == 0
    check(seen(reader), stack=1, may_raise=1, pot_odds=5 / 20)
    for _ in range(3):
        reader.take(LIMIT_RAISE)
    check(seen(reader), more_raises=1, may_raise=0, committed=1, raised_last=1)


def test_the_shares_of_the_player_go_in():
    """The last six features are those of the counters, in the cell of the decision."""
    habits = Habits()
    for _ in range(6):
        habits.add(0, RAISE)
    context = seen(HandReader(HUNL), (), habits)
    names = FEATURES[-6:]
    assert [context[name] for name in names] == pytest.approx(habits.shares(0))


def test_all_numbers_lie_within_0_and_1_for_any_number_of_players():
    """Whoever acts, however often is raised."""
    random = np.random.default_rng(5)
    for name in ("hunl", "hulhe", "nolimit6", "limit3"):
        for _ in range(20):
            reader = HandReader(load_builtin(name))
            while not reader.state.over:
                context = reader.context(parse_cards("2c3d4hKsKc"), Habits())
                assert context.dtype == np.float32
                assert ((context >= 0) & (context <= 1)).all()
                legal = reader.state.raise_range()
                if legal is not None and random.random() < 0.4:
                    size = int(random.integers(legal[0], legal[1] + 1))
                    raised = raise_to(size) if reader.state.game.no_limit else LIMIT_RAISE
                    reader.take(raised)
                else:
                    reader.take(CALL)


def test_a_reader_may_start_in_the_middle():
    """Following a state's betting gives what following the hand gave."""
    reader = HandReader(HUNL)
    for action in (raise_to(300), CALL, CALL, raise_to(900)):
        reader.take(action)
    again = HandReader.at(reader.state)
    assert seen(again, BOARD) == seen(reader, BOARD)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("", (0, 0, 0, 0, 0, 0, 0)),
        ("AhKh7h", (1, 0, 0, 0, 1, 1, 2 / 3)),
        ("2c2d9c", (0, 1, 1, 0, 0, 0, 0)),
        ("Ac3d5h", (0, 0, 0, 1, 1, 0, 1 / 3)),
        ("9cTdKh2s", (0, 0, 0, 1, 0, 1, 1 / 4)),
        ("9cTd2h3s", (0, 0, 0, 0, 0, 0, 0)),
        ("4c4d9h9sQs", (0, 0, 1, 0, 0, 0, 1 / 5)),
    ],
)
def test_textures_of_boards(cards, expected):
    """Flush possible, two of a suit, paired, straight possible, ace, king, share of high cards."""
    assert texture(parse_cards(cards)) == pytest.approx(expected)


def test_what_cannot_be_described_is_refused():
    """Other games than hold'em, a board that is too short, an action against the rules."""
    with pytest.raises(ValueError, match="hold'em"):
        HandReader(load_builtin("leduc"))
    reader = HandReader(HUNL)
    with pytest.raises(IllegalAction):
        reader.take(raise_to(150))
    reader.take(CALL)
    reader.take(CALL)
    with pytest.raises(ValueError, match="2 board cards on street 1"):
        reader.context(BOARD[:2], Habits())
