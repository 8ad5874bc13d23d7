"""PokerKit as a second opinion: it reads what is written here, and what it writes is read.

It plays by casino rules where a game definition does not: an all-in below the smallest raise does
not reopen the betting.  A hand in which somebody raises all the same is none to it.
"""

import warnings

import numpy as np
import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem
from pokerkit.notation import HandHistory

from engine.histories.phh_read import read_phh
from protocol.gamedef import UNLIMITED_STACK
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, written
from tests.helpers.random_logs import random_log

GAMES = ("hunl", "hulhe", "limit3", "nolimit3", "nolimit6")
SPLIT = 10
"""More chips are never odd in a pot: PokerKit gives them to one of those who share it."""
AUTOMATIONS = tuple(
    one
    for one in Automation
    if one not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
)


def random_hands(name, hands=24):
    """Random hands of a built-in game."""
    game = load_builtin(name)
    lines = random_log(game, 7, hands, np.random.default_rng(5))[1:-1]  # it cannot write "\\n"
    return hands_in("".join(f"{line}\n" for line in lines), "log", game)


def payoffs_of(history):
    """What PokerKit says that the players won."""
    *_, state = history
    assert not state.status
    return [float(value) for value in state.payoffs]


@pytest.mark.parametrize("name", GAMES)
def test_pokerkit_reads_what_is_written(name):
    """And reaches the same payoffs; what it then writes is the same hand here."""
    hands = random_hands(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        others = list(HandHistory.loads_all(written(hands, "phhs")))
    assert len(others) == len(hands)
    for hand, other in zip(hands, others, strict=True):
        right = [float(value) for value in hand.record.values]
        assert payoffs_of(other) == pytest.approx(right, abs=SPLIT)
    again = hands_in(HandHistory.dumps_all(others), "phhs")
    assert [one.record for one in again] == [hand.record for hand in hands]
    assert [one.game for one in again] == [hand.game for hand in hands]


def played_there(game, stacks, random):
    """The state of a hand that PokerKit dealt and played at random."""
    state = game(stacks, len(stacks))
    deck = random.permutation(52)
    cards = iter([f"{'23456789TJQKA'[one // 4]}{'cdhs'[one % 4]}" for one in deck])
    while state.status:
        if state.can_deal_hole():
            state.deal_hole(next(cards) + next(cards))
        elif state.can_burn_card("??"):
            state.burn_card("??")
        elif state.can_deal_board():
            wanted = state.board_dealing_count
            state.deal_board("".join(next(cards) for _ in range(wanted)))
        elif random.random() < 0.25 and state.can_complete_bet_or_raise_to():
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(int(low + (high - low) * random.random() ** 4))
        elif random.random() < 0.2 and state.checking_or_calling_amount and state.can_fold():
            state.fold()
        else:
            state.check_or_call()
    return state


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("limit", [False, True])
def test_what_pokerkit_plays_and_writes_is_read(players, limit):
    """With the payoffs that it paid."""
    random = np.random.default_rng(players)
    blinds = (1, 2)
    if limit:
        game = FixedLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, 2, 4)
    else:
        game = NoLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, 2)
    for number in range(25):
        stacks = [int(one) for one in random.integers(40, 300, players)]
        state = played_there(game, stacks, random)
        text = HandHistory.from_game_state(game, state, hand=number).dumps()
        hand = only_hand(text)
        assert [float(one) for one in hand.record.values] == pytest.approx(state.payoffs, abs=SPLIT)
        assert list(hand.game.stacks) == stacks
        assert hand.record.hand_id == number


def test_stacks_without_an_end_are_read_there():
    """As `inf`, with what was collected instead of what was left."""
    hands = random_hands("hulhe", 5)
    assert hands[0].game.stacks == (UNLIMITED_STACK, UNLIMITED_STACK)
    (text,) = {line for line in written(hands, "phhs").splitlines() if "starting" in line}
    assert text == "starting_stacks = [inf, inf]"


def test_pokerkit_reads_our_logs():
    """Its own parser of the protocol turns the hands of a log into PHH that is read here."""
    hands = random_hands("hunl", 20)
    lines = "".join(f"{format_hand(hand.record)}\n" for hand in hands)
    game = NoLimitTexasHoldem(AUTOMATIONS, True, 0, (50, 100), 100)
    others = HandHistory.from_acpc_protocol(game, 20000, lines, error_status=True)
    again = list(read_phh(HandHistory.dumps_all(list(others)).splitlines(True), None))
    assert [one.record.betting for one in again] == [hand.record.betting for hand in hands]
    assert [one.record.cards for one in again] == [hand.record.cards for hand in hands]
