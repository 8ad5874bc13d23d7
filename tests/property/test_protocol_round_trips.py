"""Every format function and its parser undo each other."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.betting import format_betting, parse_betting
from protocol.cards import format_cards, parse_cards
from protocol.gamedef import UNLIMITED_STACK, GameDef, format_gamedef, parse_gamedef
from protocol.handlog import (
    Blank,
    Diagnostic,
    Finished,
    HandRecord,
    Header,
    Received,
    Score,
    Sent,
    Started,
    TimeLimit,
    TimeSpent,
    Transaction,
    Waited,
    format_chips,
    format_log_line,
    parse_log_line,
)
from protocol.handshake import Version, format_version, parse_version
from protocol.matchstate import (
    CardsShown,
    MatchState,
    format_card_text,
    format_match_state,
    parse_card_text,
    parse_match_state,
)

actions = st.one_of(
    st.sampled_from([FOLD, CALL, RAISE]), st.integers(1, UNLIMITED_STACK).map(raise_to)
)
streets = st.lists(st.lists(actions, max_size=12).map(tuple), min_size=1, max_size=4).map(tuple)
bettings = streets.map(format_betting)
card_lists = st.lists(st.integers(0, 51), max_size=10).map(tuple)
times = st.from_regex(r"[0-9]{1,12}(\.[0-9]{1,9})?", fullmatch=True)
words = st.text(st.characters(exclude_characters="\n\r |"), max_size=12)
plain_words = st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True)
values = st.floats(-1e9, 1e9).map(format_chips)
seats = st.integers(0, 9)


@st.composite
def games(draw):
    """Any game a definition can describe."""
    players = draw(st.integers(2, 10))
    count = draw(st.integers(1, 4))
    hole_cards = draw(st.integers(1, 3))
    no_limit = draw(st.booleans())
    stacks = draw(
        st.one_of(
            st.just((UNLIMITED_STACK,) * players),
            st.tuples(*[st.integers(0, UNLIMITED_STACK)] * players),
        )
    )
    board_cards = []
    for _ in range(count):
        board_cards.append(draw(st.integers(0, 7 - sum(board_cards))))
    return GameDef(
        no_limit=no_limit,
        players=players,
        streets=count,
        stacks=stacks,
        blinds=tuple(draw(st.integers(0, stack)) for stack in stacks),
        raise_sizes=() if no_limit else draw(st.tuples(*[st.integers(0, UNLIMITED_STACK)] * count)),
        first_positions=draw(st.tuples(*[st.integers(0, players - 1)] * count)),
        max_raises=draw(st.tuples(*[st.integers(0, 255)] * count)),
        suits=4,
        ranks=draw(st.integers(-(-(players * hole_cards + sum(board_cards)) // 4), 13)),
        hole_cards=hole_cards,
        board_cards=tuple(board_cards),
    )


@st.composite
def hands(draw):
    """A hand as it may stand in a log."""
    positions = draw(st.integers(2, 10))
    holes = "|".join(format_cards(draw(card_lists)) for _ in range(positions))
    board = "".join("/" + format_cards(draw(card_lists)) for _ in range(draw(st.integers(0, 3))))
    return HandRecord(
        draw(st.integers(0, 2**32 - 1)),
        draw(bettings),
        holes + board,
        tuple(draw(values) for _ in range(positions)),
        tuple(draw(words) for _ in range(positions)),
        draw(st.none() | times),
    )


@st.composite
def scores(draw):
    """The end of a match."""
    count = draw(st.integers(2, 10))
    return Score(
        tuple(draw(values) for _ in range(count)), tuple(draw(words) for _ in range(count))
    )


log_lines = st.one_of(
    hands(),
    scores(),
    st.just(Blank()),
    st.builds(
        Header,
        plain_words,
        st.one_of(plain_words, plain_words.map(lambda path: f"/home/a {path}/b c.game")),
        st.integers(1, 2**32 - 1),
        st.integers(0, 2**32 - 1),
    ),
    st.builds(
        TimeLimit,
        st.sampled_from(["t_response", "t_hand", "t_per_hand"]),
        st.integers(0, 2**64 - 1),
    ),
    st.builds(Sent, seats, times, words.map("MATCHSTATE:".__add__)),
    st.builds(Received, seats, times, words),
    st.builds(Started, times),
    st.builds(Finished, times),
    st.builds(TimeSpent, seats, st.integers(0, 10**9)),
    st.builds(Waited, times, times),
    st.builds(Diagnostic, st.sampled_from(["WARNING", "ERROR"]), words),
    st.builds(Transaction, actions, st.integers(0, 2**32 - 1), times, times),
)


@given(card_lists)
def test_cards(cards):
    """Any cards, in any order, repeated or not."""
    assert parse_cards(format_cards(cards)) == cards


@given(streets)
def test_betting(value):
    """Any actions, legal or not."""
    assert parse_betting(format_betting(value)) == value


@given(st.builds(Version, *[st.integers(0, 2**32 - 1)] * 3), st.binary(max_size=5))
def test_version(version, rest):
    """Text behind the numbers changes nothing, unless it begins with a digit."""
    line = format_version(version)
    assert parse_version(line) == version
    assert parse_version(line + b" " + rest) == version


@given(games())
def test_game_definition(game):
    """Canonical text and game say the same."""
    text = format_gamedef(game)
    assert parse_gamedef(text) == game
    assert format_gamedef(parse_gamedef(text)) == text


@given(st.integers(0, 9), st.integers(0, 2**32 - 1), bettings, card_lists.map(format_cards))
def test_match_state(viewer, hand_id, betting, cards):
    """Any match state is one line."""
    state = MatchState(viewer, hand_id, betting, cards + "|")
    line = format_match_state(state)
    assert b"\n" not in line
    assert parse_match_state(line) == state


@given(games(), st.data())
def test_card_text(game, data):
    """With any cards hidden, and board cards on any street, the first included."""
    deal = data.draw(st.permutations(game.deck))[: game.cards_per_hand]
    street = data.draw(st.integers(0, game.streets - 1))
    board = tuple(deal[: game.board_total])
    holes = tuple(
        tuple(deal[game.board_total + at : game.board_total + at + game.hole_cards])
        if data.draw(st.booleans())
        else ()
        for at in range(0, game.players * game.hole_cards, game.hole_cards)
    )
    text = format_card_text(holes, board, game, street)
    assert parse_card_text(text, game) == CardsShown(holes, board[: game.board_seen(street)])


@given(log_lines)
def test_log_lines(record):
    """Every record of every dialect."""
    line = format_log_line(record)
    assert parse_log_line(line) == record
    assert parse_log_line(line + "\r\n") == record


@given(st.integers(-(10**15), 10**15))
def test_chips(millionths):
    """Reading the text gives the number back, rounded to six decimals."""
    value = millionths / 1e6
    text = format_chips(value)
    assert abs(float(text) - value) <= 5e-7
    assert format_chips(float(text)) == text
