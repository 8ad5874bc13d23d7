"""The compiled reading of one STATE line, against the readable checks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.equity.allin import closing_street
from engine.handlogs.reading import hand_layout as h
from engine.handlogs.reading.read_hand import read_hand
from engine.rules import fast_state as fast
from engine.rules.dealing import DealStream
from engine.rules.packed_game import pack_game
from engine.showdown.hand_check import check_hand
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.random_logs import NAMES, random_record
from tests.helpers.rules_strategies import games

HUNL = load_builtin("hunl")


def read(game, line):
    """Read one line; return verdict, hand, trace, cards and values."""
    data = np.frombuffer(line.encode() + b"\n", np.uint8)
    hand, trace, cards, values = h.new_scratch()
    verdict = read_hand(data, 0, pack_game(game), hand, trace, cards, values)
    return verdict, hand, trace, cards, values


@given(game=games(), seed=st.integers(0, 2**32 - 1))
def test_any_hand_of_any_game_is_read_as_the_engine_plays_it(game, seed):
    """Chips, folds, streets, cards and values are those of HandState and payoffs."""
    record, _ = random_record(
        game, seed, next(DealStream(game, seed)), NAMES[: game.players], np.random.default_rng(seed)
    )
    report = check_hand(game, record)
    assert report.faults == ()
    verdict, hand, trace, cards, values = read(game, format_hand(record))
    players = game.players
    state = report.state
    # Fractions of huge values and sums of thirds may be left to the authority.
    hard = any(value % 1 for value in report.values)
    assert verdict == h.ACCEPTED or (hard and verdict == h.OTHER_VALUES)
    assert hand[h.HAND_ID] == seed
    assert tuple(hand[fast.SPENT : fast.SPENT + players]) == state.spent
    assert tuple(map(bool, hand[fast.FOLDED : fast.FOLDED + players])) == state.folded
    assert hand[fast.STREET] == state.street
    assert hand[fast.STAYING] == state.folded.count(False)
    assert hand[fast.ACTED_ON] == closing_street(state) or not state.showdown
    shown = [card for hole in report.cards.holes for card in hole] + list(report.cards.board)
    assert list(cards[: hand[h.CARD_COUNT]]) == shown
    assert tuple(values[:players]) == report.values
    text = "".join("fccr"[(entry >> 4) & 15] for entry in trace[: hand[fast.TAKEN]])
    assert text == "".join(letter for letter in record.betting if letter in "fcr")


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ("-100|100", h.ACCEPTED),
        ("100|-100", h.OTHER_VALUES),
        ("-100.5|100.5", h.OTHER_VALUES),
        ("-100.000001|100", h.OTHER_VALUES),
        ("-100|100000000000", h.OTHER_VALUES),
        ("-100|100000000001", h.NOT_A_HAND),
        ("-100.0|100", h.NOT_A_HAND),
        ("-100.|100", h.NOT_A_HAND),
        ("-0100|100", h.NOT_A_HAND),
        ("-100|+100", h.NOT_A_HAND),
        ("-100.1234567|100", h.NOT_A_HAND),
        ("-0|0", h.NOT_A_HAND),
        ("-100", h.NOT_A_HAND),
        ("-100|100|0", h.NOT_A_HAND),
    ],
)
def test_values_count_as_printed(values, verdict):
    """Other numbers are told from texts that no dealer prints."""
    assert read(HUNL, f"STATE:3:r19996f:4s8s|6hJd:{values}:p2|p1")[0] == verdict


def test_hand_ids_have_up_to_ten_digits():
    """The largest id is read, one more is not."""
    line = "STATE:9999999999:f:5d5c|9hQd:50|-50:a|b"
    assert read(HUNL, line)[0] == h.ACCEPTED
    assert read(HUNL, line.replace("9999999999", "10000000000"))[0] == h.NOT_A_HAND
    assert read(HUNL, line.replace("9999999999", "007"))[0] == h.NOT_A_HAND


@pytest.mark.parametrize(
    "line",
    [
        "STATE:0:f:5d5c|9hQd:50|-50:a|b",
        "STATE:1:r200c/cr300c/cr400c/cr500c:Td9d|6dKc/2sQs3s/Tc/6h:500|-500:a|b",
    ],
)
def test_every_beginning_of_a_line_is_refused(line):
    """A line cut anywhere before its names is never accepted, and nothing is read beyond it."""
    names_at = line.rindex(":") + 1
    assert read(HUNL, line)[0] == h.ACCEPTED
    for size in range(names_at):
        assert read(HUNL, line[:size])[0] == h.NOT_A_HAND


def test_fractions_are_compared_as_printed():
    """A third of a chip counts with exactly the six decimals that a log prints."""
    game = parse_gamedef(
        b"nolimit\nnumPlayers = 4\nnumRounds = 1\nblind = 1 1 1 1\nstack = 9 9 9 9\n"
        b"numSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 0\n"
    )
    line = "STATE:0:cccc:Ac|Ad|Ah|2s:0.333333|0.333333|0.333333|-1:a|b|c|d"
    assert read(game, line)[0] == h.ACCEPTED
    assert read(game, line.replace("0.333333", "0.333334"))[0] == h.OTHER_VALUES
    assert read(game, line.replace("0.333333", "0.33333"))[0] == h.OTHER_VALUES
