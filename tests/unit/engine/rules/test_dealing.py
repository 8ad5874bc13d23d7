import subprocess
import sys

import pytest

from engine.rules.dealing import Deal, DealStream
from protocol.cards import format_cards, parse_cards
from protocol.gamedefs import load_builtin


def cards_of(deal):
    """All cards of a deal in the order they were drawn."""
    return [card for hole in deal.holes for card in hole] + list(deal.board)


def test_known_deals_of_a_known_seed():
    """Seed 0 starts heads-up hold'em with fives against nine-queen."""
    stream = DealStream(load_builtin("holdem.nolimit.2p.reverse_blinds"), 0)
    assert next(stream) == Deal(
        (parse_cards("5d5c"), parse_cards("9hQd")), parse_cards("8dAs8s4h6d")
    )
    assert next(stream) == Deal(
        (parse_cards("6sKs"), parse_cards("5dJd")), parse_cards("2sTh2hQh8h")
    )


def test_betting_rules_do_not_change_the_cards():
    """Limit and no-limit draw alike; a third player shifts the board."""
    two_limit = next(DealStream(load_builtin("holdem.limit.2p.reverse_blinds"), 42))
    two = next(DealStream(load_builtin("holdem.nolimit.2p.reverse_blinds"), 42))
    three = next(DealStream(load_builtin("holdem.limit.3p"), 42))
    assert two_limit == two
    assert format_cards(three.board) == "7s9s6h4hTs"
    assert cards_of(three)[: len(cards_of(two))] == cards_of(two)


@pytest.mark.parametrize("name", ["holdem.nolimit.6p", "leduc.limit.2p", "kuhn.limit.3p"])
def test_every_hand_is_dealt_from_one_full_deck(name):
    """No card twice, none from outside the deck; every card turns up sooner or later."""
    game = load_builtin(name)
    stream = DealStream(game, 7)
    seen = set()
    for _ in range(768):
        cards = cards_of(next(stream))
        assert len(cards) == len(set(cards)) == game.cards_per_hand
        seen.update(cards)
    assert seen == set(game.deck)


def test_skip_lands_on_the_right_hand():
    """As far as one likes: the outputs are taken in blocks of 65 536."""
    game = load_builtin("holdem.nolimit.2p.reverse_blinds")
    plain = DealStream(game, 9)
    hands = [next(plain) for _ in range(8000)]
    stream = DealStream(game, 9)
    stream.skip(0)
    assert next(stream) == hands[0]
    stream.skip(10)
    assert next(stream) == hands[11]
    stream.skip(7900)  # 71 100 outputs
    assert next(stream) == hands[7912]
    with pytest.raises(ValueError, match="back"):
        stream.skip(-1)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_must_be_32_bits(seed):
    """The generator starts from one unsigned 32-bit number."""
    with pytest.raises(ValueError, match="seed"):
        DealStream(load_builtin("leduc.limit.2p"), seed)


def test_streams_load_neither_numpy_nor_the_compiler():
    """A dealer deals and ranks hands without them; all-in expectation does without the latter."""
    code = (
        "import sys; from engine.rules import dealing, pots;"
        "from engine.showdown import evaluator; from protocol.gamedefs import load_builtin;"
        "deal = next(dealing.DealStream(load_builtin('leduc.limit.2p'), 1));"
        "evaluator.strength(deal.board); assert 'numpy' not in sys.modules;"
        "from engine.equity import allin; assert 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
