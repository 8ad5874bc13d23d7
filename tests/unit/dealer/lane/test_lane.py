"""A match that the lane is given and gives back; nothing is played here, which takes a compiler."""

from ctypes import addressof, c_char, c_int64

import pytest

from dealer.lane import layout as at
from dealer.lane.arrays import LaneArrays
from dealer.lane.handover import LaneEntry, LaneSeat, LaneTerms
from dealer.lane.lane import Lane
from engine.rules.dealing import Outputs
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMITS = [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)]
SEATS = (LaneSeat(5, b"VERSION", False), LaneSeat(6, b"", True))
ENTRY = LaneEntry(3, 3, (50.0, -50.0), (0.5, 0.25), SEATS, turns=20)


@pytest.fixture
def lane() -> Lane:
    """A lane whose code only deals the next hand."""

    def deal_next(_directory: int) -> int:
        for entry in (at.HAND_ID, at.OUTPUT_ROW):
            lane.arrays["state"][entry] += 1
        return at.HAND_DONE

    lane = Lane(deal_next, LaneTerms(HUNL, 7, ("Ann", "Jürgen"), False, 9, LIMITS, -1, 4))
    return lane


def test_a_match_that_was_not_played_comes_out_as_it_went_in(lane):
    """Hands, chips, times and bytes; so it does where the lane is not even entered."""
    lane.enter(ENTRY)
    assert lane.leave(at.ACTED) == ENTRY.unchanged()._replace(shown=[0, 0])


def test_the_arrays_have_what_does_not_change(lane):
    """Limits, files and names, each name up to where the next begins."""
    state = lane.arrays["state"]
    assert (state[at.HANDS_WANTED], state[at.DECK_SIZE]) == (9, 52)
    assert (state[at.LOG_DESCRIPTOR], state[at.TRANSACTIONS_DESCRIPTOR]) == (-1, 4)
    assert lane.arrays["limits"].tolist() == [*LIMITS[0], *LIMITS[1]]
    assert lane.arrays["names"].tobytes() == "AnnJürgen".encode()
    assert lane.arrays["seats"][at.NAME_END :: at.SEAT_WIDTH].tolist() == [3, 10]


def test_the_code_gets_the_addresses_of_the_arrays_in_their_order():
    """Each where its bytes are, even one that is empty."""
    directories: list[int] = []
    terms = LaneTerms(HUNL, 7, ("", ""), False, 9, LIMITS, -1, 4)
    lane = Lane(lambda directory: directories.append(directory) or at.HAND_DONE, terms)
    lane.play(0)
    addresses = (c_int64 * len(LaneArrays._fields)).from_address(*directories)
    for name, address in zip(LaneArrays._fields, addresses, strict=True):
        array = lane.arrays[name]
        assert not array or address == addressof(c_char.from_buffer(array))


@pytest.mark.parametrize("first", [0, at.DEALS - 2, 700])
def test_each_hand_has_the_numbers_that_the_dealer_deals_it_from(lane, first):
    """Wherever the match is entered, and from one block of deals to the next."""
    numbers, draws = Outputs(HUNL, 7), HUNL.cards_per_hand
    numbers.skip(first)
    lane.enter(ENTRY._replace(hand_id=first))
    state, outputs = lane.arrays["state"], lane.arrays["outputs"]
    for _ in range(at.DEALS + 3):
        row = draws * state[at.OUTPUT_ROW]
        assert outputs[row : row + draws].tobytes() == bytes(numbers.take(1))
        state[at.STAGE] = at.DEAL_NEXT
        lane.play(5)
        assert state[at.LOOKS] == 5


@pytest.mark.parametrize(
    ("why", "changed", "goes_on"),
    [
        (at.HAND_DONE, {}, True),
        (at.ASKED, {}, False),
        (at.HAND_DONE, {at.HANDS_FINISHED: 9}, False),
        (at.HAND_DONE, {at.TURNS_LEFT: 0}, False),
        (at.HAND_DONE, {at.STOP: 1}, False),
        (at.HAND_DONE, {at.HANDS_ARE_TOLD: 1}, False),
    ],
)
def test_another_hand_is_played_unless_something_else_is_wanted(lane, why, changed, goes_on):
    """The end of the match, of the visit, whoever stops it, and whoever hears of hands."""
    lane.stop()
    lane.enter(ENTRY)
    for entry, value in changed.items():
        lane.arrays["state"][entry] = value
    assert lane.may_continue(why) is goes_on
