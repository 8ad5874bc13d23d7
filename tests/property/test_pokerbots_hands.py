"""Hands as the bridge tells them to bots of pokerbots, against an engine of their rules."""

from hypothesis import example, given
from hypothesis import strategies as st

from agents.bridges.pokerbots_hand import action_of, hand_clauses, street_chips
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.showdown.evaluator import strength
from protocol.cards import CARD_TEXT
from protocol.errors import ProtocolError, WrongAnswer
from protocol.gamedefs import load_builtin
from protocol.pokerbots import BotReply, parse_commands, parse_reply
from tests.oracles.pokerbots import play_round

GAME = load_builtin("pokerbots")
REPLIES = st.tuples(
    st.sampled_from("FCCKKRRRR"), st.sampled_from((-1, 0, 0, 0, 1, 2)), st.floats(0, 1)
)
"""A letter; for a raise how far from its bounds, -1 and 2 outside, and where between them."""
DECKS = st.permutations(range(52)).map(lambda cards: cards[:9])
SMALL_RAISES = [("R", 0, 0.0)] * 80
ALL_IN = [("R", 1, 1.0), ("C", 0, 0.0)]


def amount_of(state, side, share):
    """Return the amount of a raise."""
    least, most = state.bounds()
    spread = (most - least) * share / 4  # large ones would end most hands before the flop
    return {-1: least - 1, 0: least + int(spread), 1: most, 2: most + 1}[side]


def ours(state, deal, index):
    """Return what a player may know."""
    return PlayerView.of(state, deal, 1 - index)


def cut(view):
    """Return the queries that a player gets of a finished hand, from its first forced check on."""
    hand = hand_clauses(view)
    ends = (*hand.checks, len(hand.clauses))
    return [hand.clauses[:end] for end in ends]


@given(DECKS, st.lists(REPLIES, max_size=40))
@example(list(range(9)), ALL_IN)
@example(list(range(9)), SMALL_RAISES)
def test_what_bots_are_sent_is_what_their_engine_sends(cards, replies):
    """Query by query, for both players; and what is illegal here is illegal there."""
    names = [CARD_TEXT[card] for card in cards]
    holes, board = (cards[0:2], cards[2:4]), cards[4:9]  # by index
    deal = Deal((tuple(holes[1]), tuple(holes[0])), tuple(board))
    strengths = [strength((*hole, *board)) for hole in holes]
    hand = HandState.start(GAME)
    sent = [[], []]
    script = iter(replies)

    def answer(state):
        nonlocal hand
        letter, side, share = next(script, ("K" if "K" in state.legal() else "C", 0, 0.0))
        if hand.over:  # all-in: they are still asked
            assert state.legal() == "K"
            return letter, 0
        view = ours(hand, deal, state.actor)
        assert view.my_turn
        sent[state.actor].append(hand_clauses(view).clauses)
        amount = amount_of(state, side, share) if letter == "R" else 0
        if hand.street_is_full and letter == "R":
            letter = "C"  # the reference dealer's bound, which they do not have
        if "R" in state.legal() and not hand.street_is_full:
            before = street_chips(hand)
            assert state.bounds() == (view.min_raise_to - before, view.max_raise_to - before)
        try:
            hand = hand.apply(action_of(BotReply(letter, amount), view))
        except WrongAnswer:
            hand = hand.apply(view.fold())
        return letter, amount

    queries = play_round((names[0:2], names[2:4]), names[4:9], strengths, answer)
    assert hand.over
    for index in range(2):
        total, expected = (), []
        for query in queries[index]:
            total += tuple(query)
            expected.append(total)
        assert [*sent[index], *cut(ours(hand, deal, index))] == expected


@given(st.binary(max_size=60))
def test_garbage_raises_only_protocol_errors(data):
    """Of bots and of their files."""
    for parse in (parse_reply, parse_commands):
        try:
            parse(data)
        except ProtocolError:
            continue
