"""Deals files: text and deals undo each other, and what is drawn goes around what is given."""

from hypothesis import example, given
from hypothesis import strategies as st

from engine.rules.dealing import DealStream
from protocol.deals import DealGrammar, DealsReader, GivenDeal
from protocol.errors import MalformedDeal
from protocol.gamedefs import builtin_aliases, load_builtin

GAMES = [load_builtin(alias) for alias in builtin_aliases()]
BETTINGS = st.lists(st.sampled_from(["f", "c", "r", "r300", "/"]), max_size=6).map("".join)


@st.composite
def deals(draw):
    """A game and a deal of it, of which some cards are left open."""
    game = draw(st.sampled_from(GAMES))
    deal = next(DealStream(game, draw(st.integers(0, 2**32 - 1))))
    holes = tuple(hole if draw(st.booleans()) else None for hole in deal.holes)
    board, at = [], 0
    for new in game.board_cards:
        shown = deal.board[at : at + new]
        board.append(shown if not new or draw(st.booleans()) else None)
        at += new
    return game, GivenDeal(holes, tuple(board), draw(BETTINGS))


@given(deals())
def test_text_and_deal_undo_each_other(pair):
    """In every built-in game."""
    game, deal = pair
    grammar = DealGrammar(game)
    assert grammar.parse(grammar.format(deal)) == deal


@given(deals(), st.integers(0, 2**32 - 1))
def test_drawn_cards_go_around_the_given_ones(pair, seed):
    """Every card is there once, the given ones are in their places, the next hand is untouched."""
    game, given_deal = pair
    stream, plain = DealStream(game, seed), DealStream(game, seed)
    deal = stream.deal_around(given_deal)
    every = [card for hole in deal.holes for card in hole] + list(deal.board)
    assert len(set(every)) == len(every) == game.cards_per_hand
    assert set(every) <= set(game.deck)
    assert deal.betting == given_deal.betting
    for hole, wanted in zip(deal.holes, given_deal.holes, strict=True):
        assert wanted in (None, hole)
    for own, hole in zip(game.dealt_cards, deal.holes, strict=False):
        assert set(hole) <= set(own)
    at = 0
    for new, wanted in zip(game.board_cards, given_deal.board, strict=True):
        assert wanted in (None, deal.board[at : at + new])
        at += new
    plain.skip(1)
    assert next(stream) == next(plain)


@given(st.sampled_from(GAMES), st.integers(0, 2**32 - 1))
def test_a_deal_of_which_nothing_is_given_is_the_seeds_own(game, seed):
    """So a file of question marks plays what no file plays."""
    nothing = GivenDeal((None,) * game.players, tuple(None if n else () for n in game.board_cards))
    assert DealStream(game, seed).deal_around(nothing) == next(DealStream(game, seed))


def refusal(reader, line):
    """Return why a line is refused, None where it is not."""
    try:
        reader.read(line)
    except MalformedDeal as error:
        return error
    return None


@given(st.sampled_from(GAMES), st.lists(st.text("AKQs2hcdr?|/:# \tgame0\r\n\x00é", max_size=30)))
@example(GAMES[0], ["::|"])
def test_garbage_is_refused_in_one_way(game, lines):
    """No line of any file raises anything but MalformedDeal, with its number."""
    reader = DealsReader(game)
    for number, line in enumerate(lines, 1):
        error = refusal(reader, line)
        assert error is None or error.line_number == number
        assert "\n" not in str(error)
