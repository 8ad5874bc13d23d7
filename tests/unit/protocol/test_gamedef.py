"""Game definitions: what is read, what is refused, and with which words."""

import pickle  # noqa: TID251 - a value sent to worker processes must survive it
from dataclasses import replace

import pytest

from protocol.errors import GameDefError
from protocol.gamedef import UNLIMITED_STACK, format_gamedef, parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.said import says
from tests.helpers.subgames import short_holdem

LIMIT = {
    "": "limit",
    "numPlayers": "2",
    "numRounds": "2",
    "blind": "1 1",
    "raiseSize": "2 4",
    "numSuits": "2",
    "numRanks": "3",
    "numHoleCards": "1",
    "numBoardCards": "0 1",
}
NO_LIMIT = {
    "": "nolimit",
    "numPlayers": "2",
    "numRounds": "4",
    "stack": "20000 20000",
    "blind": "100 50",
    "firstPlayer": "2 1 1 1",
    "numSuits": "4",
    "numRanks": "13",
    "numHoleCards": "2",
    "numBoardCards": "0 3 1 1",
}


def written(keys, **changes):
    """A definition with some keys changed, added, or (None) left out; one key a line."""
    lines = {**keys, **changes}
    return "".join(
        f"{key} = {value}\n" if key else f"{value}\n"
        for key, value in lines.items()
        if value is not None
    )


def refusal(keys, **changes):
    """The error that a changed definition gives."""
    with pytest.raises(GameDefError) as caught:
        parse_gamedef(written(keys, **changes))
    return caught.value


def test_reads_every_field():
    """Positions and streets count from 0, chips are as written."""
    game = parse_gamedef(written(NO_LIMIT, maxRaises="3 4"))
    assert game.no_limit
    assert (game.players, game.streets) == (2, 4)
    assert (game.stacks, game.blinds) == ((20000, 20000), (100, 50))
    assert game.first_positions == (1, 0, 0, 0)
    assert game.max_raises == (3, 4, 255, 255)
    assert game.raise_sizes == ()
    assert (game.suits, game.ranks, game.hole_cards) == (4, 13, 2)
    assert game.board_cards == (0, 3, 1, 1)


def test_derives_what_everybody_needs():
    """Big blind, board and deck follow from the definition."""
    game = parse_gamedef(written(NO_LIMIT))
    assert (game.big_blind, game.board_total, game.cards_per_hand) == (100, 5, 9)
    assert [game.board_seen(street) for street in range(4)] == [0, 3, 4, 5]
    assert parse_gamedef(written(NO_LIMIT, blind="0 0")).big_blind == 1


def test_the_fresh_deck_goes_suit_by_suit_through_the_highest_cards():
    """Kuhn: Qs Ks As; Leduc: Qh Kh Ah Qs Ks As (PROTOCOL of the original, recorded deals)."""
    assert load_builtin("kuhn").deck == (43, 47, 51)
    assert load_builtin("leduc").deck == (42, 46, 50, 43, 47, 51)
    assert sorted(load_builtin("hunl").deck) == list(range(52))
    assert load_builtin("hunl").deck[:3] == (0, 4, 8)


def test_games_are_values():
    """Equal definitions are one dictionary key, also after a trip to another process."""
    one, two = parse_gamedef(written(LIMIT)), parse_gamedef(written(LIMIT))
    assert one == two
    assert len({one, two, pickle.loads(pickle.dumps(one))}) == 1
    assert one != parse_gamedef(written(LIMIT, numRanks="4"))


@pytest.mark.parametrize("players", [2, 5, 10])
def test_every_position_has_a_default_stack(players):
    """The original forgets positions 5 to 10."""
    blinds = " ".join(["1"] * players)
    game = parse_gamedef(written(LIMIT, numPlayers=str(players), blind=blinds, numRanks="13"))
    assert game.stacks == (UNLIMITED_STACK,) * players


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NUMPLAYERS 3", 3), ("numPlayersIgnored 3", 2), ("numPlayers=3,4", 3),
        ("numPlayers = = 3 # three", 3), ("numPlayers\t=\t+3\r", 3),
        ("numPlayers " + "0" * 100 + "3", 3), (" numPlayers = 3", 2), ("numPlayers three", 2),
        ("numPlayers = 0x3", None), ("#numPlayers = 3", 2), ("numPlayers = 3\0", 3),
        ("\0numPlayers = 3", 2),
    ],
)  # fmt: skip
def test_lines_are_read_like_the_original_reads_them(text, value):
    """Prefix keys in any case, blanks and "=" before numbers, no number ends the list."""
    definition = written(LIMIT, blind="1 1 0", numRanks="4") + text
    if value is None:
        with pytest.raises(GameDefError, match="invalid number of players: 0"):
            parse_gamedef(definition)
    else:
        assert parse_gamedef(definition).players == value


def test_long_lines_are_cut_into_pieces():
    """A key at the start of a later piece counts, as the original's line reader has it."""
    comment = "#" + "x" * 4094
    assert parse_gamedef(comment + "nolimit\n" + written(LIMIT, **{"": None})).no_limit
    assert not parse_gamedef("#" + comment + "nolimit\n" + written(LIMIT, **{"": None})).no_limit


def test_nothing_is_read_after_the_end_line():
    """Exactly one blank makes it the end line."""
    rest = "numPlayers = 9\n"
    assert parse_gamedef(written(LIMIT) + "End GameDef!\n" + rest).players == 2
    with pytest.raises(GameDefError):
        parse_gamedef(written(LIMIT) + "end  gamedef\n" + rest)


def test_a_repeated_key_overwrites():
    """The last line counts; a short one does not hide behind an earlier one."""
    assert parse_gamedef(written(LIMIT) + "blind = 2 3\n").blinds == (2, 3)
    assert parse_gamedef("nolimit\n" + written(LIMIT)).no_limit is False
    with pytest.raises(GameDefError, match="only read 1 blinds, need 2"):
        parse_gamedef(written(LIMIT) + "blind = 2\n")


@pytest.mark.parametrize(
    ("changes", "message", "line_number"),
    [
        ({"numRounds": "0"}, "invalid number of rounds: 0", 3),
        ({"numRounds": None}, "invalid number of rounds: 0", None),
        ({"numPlayers": "11"}, "invalid number of players: 11", 2),
        ({"stack": "5"}, "only read 1 stack sizes, need 2", 10),
        ({"blind": None}, "only read 0 blinds, need 2", None),
        ({"blind": "1"}, "only read 1 blinds, need 2", 4),
        ({"stack": "5 5", "blind": "1 6"}, "blind for player 2 is greater than stack size", 4),
        ({"raiseSize": "2"}, "only read 1 raise sizes, need 2", 5),
        ({"firstPlayer": "1 3"}, "invalid first player 3 on round 2", 10),
        ({"numSuits": "5"}, "invalid number of suits: 5", 6),
        ({"numRanks": "14"}, "invalid number of ranks: 14", 7),
        ({"numHoleCards": "4"}, "invalid number of hole cards: 4", 8),
        ({"numBoardCards": "0"}, "only read 1 board card numbers, need 2", 9),
        ({"numBoardCards": "0 5"}, "too many hole and board cards for specified deck", None),
    ],
)
def test_refuses_in_the_originals_words(changes, message, line_number):
    """The dealer prints the message as it is; the line number is for people."""
    error = refusal(LIMIT, **changes)
    assert (error.message, error.line_number) == (message, line_number)


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"numPlayers": "258"}, ["players", 258]),
        ({"numPlayers": "-254"}, ["players", -254]),
        ({"numRounds": "4294967298"}, ["rounds", 4294967298]),
        ({"numPlayers": "9" * 3000}, ["players", 10**18]),
        ({"stack": "20000 -1"}, ["stack", "player 2", -1]),
        ({"stack": "2147483648 20000"}, ["stack", "player 1", 2147483648]),
        ({"blind": "100 -50"}, ["blind", "player 2", -50]),
        ({"firstPlayer": "257"}, ["first player", 257, "round 1"]),
        ({"maxRaises": "1 300"}, ["raises", 300, "round 2"]),
        ({"maxRaises": "-1"}, ["raises", -1, "round 1"]),
        ({"raiseSize": "-5"}, ["raise size", "round 1", -5]),
        ({"numBoardCards": "0 259 1 1"}, ["board cards", 259, "round 2"]),
        ({"numBoardCards": "0 -1 1 1"}, ["board cards", -1, "round 2"]),
        ({"numBoardCards": "0 3 3 2"}, ["board cards", 8, 7]),
        ({"raiseSize": "2 4 6 8 10"}, ["raise sizes"]),
    ],
)
def test_numbers_that_do_not_fit_are_refused(changes, facts):
    """Where the original wraps them into another game, or overwrites other fields."""
    says(refusal(NO_LIMIT, **changes).message, *facts)


def test_zero_blinds_and_zero_raise_sizes_are_games():
    """They are odd, but played as written."""
    game = parse_gamedef(written(LIMIT, blind="0 0", raiseSize="0 0"))
    assert (game.blinds, game.raise_sizes) == ((0, 0), (0, 0))


def test_holdem_is_told_from_other_games():
    """Two of 52 cards each, a board of 3, 1 and 1; betting and number of players do not matter."""
    names = ("hunl", "hulhe", "limit3", "nolimit3", "kuhn", "leduc")
    assert [load_builtin(name).is_holdem for name in names] == [True] * 4 + [False] * 2
    hunl = load_builtin("hunl")
    for change in ({"ranks": 12}, {"suits": 3}, {"hole_cards": 3}, {"board_cards": (0, 4, 1, 0)}):
        assert not replace(hunl, **change).is_holdem
    assert not replace(hunl, dealt_cards=((47, 51), (43, 39))).is_holdem  # not any two of 52
    assert hunl.begins_as_holdem
    assert not load_builtin("leduc").begins_as_holdem
    for streets in (2, 3):
        game = short_holdem(streets)
        assert (game.is_holdem, game.begins_as_holdem) == (False, True)


def test_the_canonical_text_leaves_defaults_out():
    """One game has one text."""
    text = (
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 2 4\n"
        "numSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF\n"
    )
    spelled_out = written(
        LIMIT, stack="2147483647 2147483647", firstPlayer="1 1", maxRaises="255 255"
    )
    assert format_gamedef(parse_gamedef(spelled_out)) == text


def test_a_no_limit_game_keeps_its_raise_sizes():
    """They mean nothing there, but reading the text again gives the equal game."""
    game = parse_gamedef(written(NO_LIMIT, raiseSize="10 10"))
    assert parse_gamedef(format_gamedef(game)) == game


DEALT = {**LIMIT, "numSuits": "1", "numRanks": "4", "numBoardCards": "0 1"}


def test_a_position_may_have_cards_of_its_own():
    """Whatever order they are written in; the line is printed again, and others stay without."""
    game = parse_gamedef(written(DEALT, dealtCards="KsJs Qs"))
    assert game.dealt_cards == ((39, 47), (43,))
    assert (
        game == parse_gamedef(written(DEALT, dealtCards="JsKs Qs")) != parse_gamedef(written(DEALT))
    )
    assert "dealtCards = JsKs Qs\nEND" in format_gamedef(game)
    assert parse_gamedef(format_gamedef(game)) == game
    assert parse_gamedef(written(DEALT)).dealt_cards == ()
    assert "dealtCards" not in format_gamedef(parse_gamedef(written(DEALT)))


@pytest.mark.parametrize(
    ("cards", "facts"),
    [
        ("JsKs", ["1 players", 2]),
        ("Js Qs Ks", ["3 players", 2]),
        ("", ["0 players", 2]),
        ("JsK Qs", ["player 1", "no cards", "JsK"]),
        ("js Qs", ["player 1", "no cards", "js"]),
        ("Js 2s", ["player 2", "deck", "2s"]),
        ("Js " + "2s" * 1000, ["player 2", "deck"]),
        ("JsJs Qs", ["player 1", "deck", "JsJs"]),
        ("JsKs KsQs", ["two players"]),
        ("Js \xe9\xe9", ["player 2", "no cards"]),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused(cards, facts):
    """With the line."""
    error = refusal(DEALT, dealtCards=cards)
    says(error.message, *facts)
    assert len(error.message) < 100
    assert error.line_number == 10


def test_every_position_needs_enough_cards_of_its_own():
    """Two hole cards cannot come out of one card."""
    error = refusal(
        DEALT, numHoleCards="2", numBoardCards="0 0", numSuits="2", dealtCards="JsKs Qs"
    )
    says(error.message, "1 cards", "player 2", "need 2")
