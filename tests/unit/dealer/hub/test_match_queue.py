"""Tests for dealer.hub.match_queue."""

from dataclasses import replace

import pytest

from dealer.hub.match_queue import (
    MOST_CANDIDATES,
    Capacity,
    DelayReason,
    HouseBot,
    OpenOpponent,
    PairKnowledge,
    QueueHistory,
    Quota,
    RunningMatch,
    WaitingRequest,
    next_matches,
    tables_of,
)

RULE = HouseBot("rule", 900, seats=2)
STRONG = HouseBot("strong", 901, seats=3, units=3)
WIDE = HouseBot("wide", 902, seats=100)
HOST = Capacity(
    matches=10,
    units=20,
    houses=(RULE, STRONG, WIDE),
    patience=60.0,
    match_seconds=100.0,
    hand_seconds=0.0,
)
NOTHING = QueueHistory()
NOW = 1000.0


def request(number, owner=1, opponent="wide", **other):
    """A request of an owner's only bot, in its only version."""
    fields = {"bot": f"bot{owner}", "version": owner, "queued": NOW, **other}
    return WaitingRequest(
        number, owner, fields.pop("bot"), fields.pop("version"), opponent, "kuhn", 100, **{
            "pairs": False, "rated": True, **fields,
        }
    )  # fmt: skip


def match(number, house="wide", ends=NOW + 50, units=1, seats=1, owner=99):
    """A match that is being played against a house bot."""
    return RunningMatch(number, (owner,), (owner, 902), "kuhn", house, seats, units, ends)


def decide(waiting, capacity=HOST, history=NOTHING, running=()):
    """What is begun now: numbers of requests and versions; and the reasons of the rest."""
    decision = next_matches(waiting, running, capacity, history, NOW)
    starts = [(start.requests, start.versions) for start in decision.starts]
    return starts, {delay.request: delay for delay in decision.delays}


def order(waiting, **other):
    """Return the requests that are begun, in order."""
    return [number for numbers, _ in decide(waiting, **other)[0] for number in numbers]


def reason(waiting, number, **other):
    """Return why a request is not begun."""
    return decide(waiting, **other)[1][number].reason


def room(matches, **other):
    """A host with room for so many matches."""
    return replace(HOST, matches=matches, **other)


def knowing(**pairs):
    """A history with the intervals of version 1 against versions named v900 and so on."""
    known = {
        (*sorted((1, int(name[1:]))), "kuhn"): PairKnowledge(abs(width), width < 0)
        for name, width in pairs.items()
    }
    return QueueHistory(known)


def test_who_has_waited_longest_is_first():
    """By the last match of the owner, then by the number of the request."""
    waiting = [request(5, 1, last_match=7), request(6, 2, last_match=3), request(4, 3)]
    assert order(waiting) == [4, 6, 5]
    assert order(waiting, capacity=room(1)) == [4]
    assert order([request(9, 1), request(8, 2)]) == [8, 9]


def test_owners_take_turns():
    """Whoever was given a match waits until all others had theirs."""
    flood = [request(number, 1) for number in range(1, 30)]
    assert order([*flood, request(40, 2), request(41, 3)]) == [1, 40, 41, *range(2, 9)]


def test_an_owner_who_is_full_holds_nobody_up():
    """Neither does one who has played enough for a day."""
    flood = [request(number, 1) for number in range(1, 6)]
    busy = room(10, quotas={1: Quota(matches=2)})
    running = [match(1, owner=1)]
    assert order([*flood, request(9, 2)], capacity=busy, running=running) == [1, 9]
    assert reason(flood, 3, capacity=busy, running=running) is DelayReason.ACCOUNT_FULL
    tired = room(10, quotas={1: Quota(hands_a_day=250)})
    history = QueueHistory(hands_today={1: 60})
    assert order([*flood, request(9, 2)], capacity=tired, history=history) == [1, 9]
    assert reason(flood, 2, capacity=tired, history=history) is DelayReason.DAY_OVER


def test_the_second_leg_counts_as_hands():
    """A pair of legs is as many hands again."""
    capacity = room(10, quota=Quota(hands_a_match=150))
    waiting = [request(1), request(2, pairs=True)]
    starts, delays = decide(waiting, capacity)
    assert [numbers for numbers, _ in starts] == [(1,)]
    assert delays[2].text == "the account may play 150 hands a match"


def test_a_large_request_blocks_no_smaller_one():
    """It is passed over, until it has waited long enough."""
    waiting = [request(1, 1, "strong", seats=2), request(2, 2, "strong")]
    running = [match(1, "strong", seats=2, units=8)]
    assert order(waiting, running=running) == [2]
    assert reason(waiting, 1, running=running) is DelayReason.NO_ROOM


def test_room_is_reserved_for_who_has_waited_long():
    """Others get what it leaves, or what they give back by the time at which it is free."""
    large = request(1, 1, "strong", seats=3, queued=NOW - 60)
    small = request(2, 2, "strong")
    running = [match(1, "strong", seats=2, units=8)]
    assert order([large, small], running=running) == []
    delay = decide([large, small], running=running)[1][2]
    assert delay.text == "strong is reserved for a larger request that has waited longer"
    assert order([large, small], running=[match(1, "strong", NOW + 99, 8, 2)]) == []
    assert order([large, small], running=[match(1, "strong", NOW + 100, 8, 2)]) == [2]
    assert order([large, small, request(3, 3)], running=running) == [3]
    assert order([large, small]) == [1]


def test_only_what_is_lacking_is_reserved():
    """What the large request leaves when it begins is free for others."""
    host = room(10, houses=(HouseBot("strong", 901, seats=5),))
    large = request(1, 1, "strong", seats=4, queued=NOW - 60)
    running = [match(1, "strong", seats=2), match(2, "strong", NOW + 90, seats=2)]
    few = [request(2, 2, "strong"), request(3, 3, "strong")]
    assert order([large, *few], capacity=host, running=running) == [2]


def test_what_never_fits_is_told_and_reserves_nothing():
    """A request for more tables than a bot has."""
    waiting = [request(1, 1, "strong", seats=4, queued=0.0), request(2, 2, "strong")]
    assert order(waiting) == [2]
    assert reason(waiting, 1) is DelayReason.TOO_LARGE


def test_a_full_server_begins_nothing():
    """By matches and by units."""
    waiting = [request(1)]
    running = [match(1)]
    assert reason(waiting, 1, capacity=room(1), running=running) is DelayReason.SERVER_FULL
    full = room(2, units=1)
    assert reason(waiting, 1, capacity=full, running=running) is DelayReason.SERVER_FULL


def test_two_guests_want_each_other():
    """By name, or as some waiting bot of somebody else."""
    waiting = [request(1, 1, "bot2"), request(2, 2, "bot1"), request(3, 3, "bot2")]
    assert decide(waiting)[0] == [((1, 2), (1, 2))]
    waiting = [request(1, 1, "bot2"), request(2, 2, OpenOpponent.GUEST)]
    assert decide(waiting)[0] == [((1, 2), (1, 2))]
    assert reason([request(1, 1, "bot2"), request(2, 2)], 1) is DelayReason.NO_OPPONENT


def test_guests_agree_on_the_match():
    """On game, hands, pairs, rating and seats."""
    first = request(1, 1, OpenOpponent.GUEST)
    other = request(2, 2, OpenOpponent.GUEST)
    assert order([first, other]) == [1, 2]
    for change in ({"game": "leduc"}, {"hands": 99}, {"pairs": True}, {"rated": False}):
        assert order([first, replace(other, **change)]) == []
    assert order([first, replace(other, seats=2)]) == []


def test_who_names_the_bot_comes_first_then_who_has_waited_longest():
    """A guest who would play anybody can play somebody else."""
    guests = [
        request(number, number, OpenOpponent.GUEST, last_match=9 - number) for number in (2, 3)
    ]
    mine = request(1, 1, OpenOpponent.GUEST)
    assert decide([mine, *guests])[0][0] == ((1, 3), (1, 3))
    named = request(4, 4, "bot1", last_match=20)
    assert decide([mine, *guests, named])[0][0] == ((1, 4), (1, 4))


def test_an_opponent_who_may_not_play_is_passed_over():
    """His account is full, or his bot is on probation."""
    waiting = [request(number, number, OpenOpponent.GUEST) for number in (1, 2, 3)]
    capacity = room(10, quotas={2: Quota(matches=0)})
    assert order(waiting, capacity=capacity) == [1, 3]
    history = QueueHistory(probation={"bot2": "it timed out"})
    starts, delays = decide(waiting, history=history)
    assert starts == [((1, 3), (1, 3))]
    assert delays[2].text == "the bot is on probation: it timed out"


def test_bots_of_one_owner_play_unrated():
    """And only if each names the other."""
    siblings = [request(1, 1, "b", bot="a"), request(2, 1, "a", bot="b", version=11)]
    assert reason(siblings, 1) is DelayReason.SIBLINGS
    assert order([replace(each, rated=False) for each in siblings]) == [1, 2]
    anybody = [replace(each, rated=False, opponent=OpenOpponent.GUEST) for each in siblings]
    assert order(anybody) == []


def test_a_decided_pair_is_left():
    """Rated matches are; unrated ones show something else."""
    history = knowing(v902=-5, v2=-5)
    assert reason([request(1)], 1, history=history) is DelayReason.DECIDED
    assert order([request(1, rated=False)], history=history) == [1]
    guests = [request(1, 1, OpenOpponent.GUEST), request(2, 2, OpenOpponent.GUEST)]
    assert order(guests, history=history) == []
    assert decide([*guests, request(3, 3, OpenOpponent.GUEST)], history=history)[0] == [
        ((1, 3), (1, 3))
    ]


def test_the_most_helpful_opponent_is_the_least_sure_one():
    """Who has not been met, then the widest interval; of equals who has played fewest hands."""
    helpful = [request(1, 1, OpenOpponent.HELPFUL)]
    assert decide(helpful, history=knowing(v900=5, v902=5))[0] == [((1,), (1, 901))]
    assert decide(helpful, history=knowing(v900=5, v901=6, v902=5))[0] == [((1,), (1, 901))]
    assert decide(helpful, history=knowing(v900=5, v901=-6, v902=4))[0] == [((1,), (1, 900))]
    hands = QueueHistory(hands={(900, "kuhn"): 5, (901, "kuhn"): 4, (902, "kuhn"): 6})
    assert decide(helpful, history=hands)[0] == [((1,), (1, 901))]
    everyone = [*helpful, request(2, 2, OpenOpponent.GUEST)]
    assert decide(everyone, history=hands)[0] == [((1, 2), (1, 2))]
    decided = knowing(v900=-5, v901=-5, v902=-5)
    assert reason(helpful, 1, history=decided) is DelayReason.NO_OPPONENT


def test_helpful_matches_of_one_bot_spread_over_opponents():
    """A pair that is being played counts as better known than all others."""
    helpful = [request(number, 1, OpenOpponent.HELPFUL) for number in (1, 2, 3)]
    versions = [versions for _, versions in decide(helpful)[0]]
    assert versions == [(1, 900), (1, 901), (1, 902)]


def test_a_helpful_opponent_who_is_busy_is_passed_over():
    """The next best plays."""
    running = [match(1, "rule", seats=2), match(2, "strong", seats=3, units=12)]
    helpful = [request(1, 1, OpenOpponent.HELPFUL)]
    assert decide(helpful, running=running)[0] == [((1,), (1, 902))]


def test_the_most_helpful_guest_is_among_those_of_the_earliest_turns():
    """So a look stays cheap, however many wait."""
    guests = [
        request(number, number, OpenOpponent.GUEST) for number in range(2, 3 + MOST_CANDIDATES)
    ]
    waiting = [request(1, 1, OpenOpponent.HELPFUL), *guests]
    last = {(1, guest.version, "kuhn"): PairKnowledge(5.0, False) for guest in guests[:-1]}
    host = room(1, houses=())
    assert decide(waiting, host, QueueHistory(last))[0] == [((1, 2), (1, 2))]
    del waiting[1]
    assert decide(waiting, host, QueueHistory(last))[0] == [((1, 34), (1, 34))]


def test_a_house_bot_plays_its_games_unless_it_is_out_of_order():
    """The owner of a request is told."""
    host = room(5, houses=(HouseBot("strong", 901, 1, games=frozenset(["leduc"])), WIDE))
    starts, delays = decide([request(1, 1, "strong"), request(2, 2)], host)
    assert starts == [((2,), (2, 902))]
    assert delays[1].text == "strong does not play this game"
    broken = QueueHistory(probation={"wide": "it crashed"})
    assert decide([request(2, 2)], host, broken)[1][2].text == "wide is out of order"


def test_a_match_of_two_guests_takes_no_house_bot():
    """A table takes a unit, and what the house bot at it takes."""
    waiting = [request(1, 1, OpenOpponent.GUEST, seats=2), request(2, 2, "bot1", seats=2)]
    (start,) = next_matches(waiting, (), HOST, NOTHING, NOW).starts
    assert start.running(7) == RunningMatch(7, (1, 2), (1, 2), "kuhn", None, 2, 2, NOW + 100)
    waiting = [request(1, 1, "strong", seats=2)]
    (start,) = next_matches(waiting, (), HOST, NOTHING, NOW).starts
    assert start.running(8) == RunningMatch(8, (1,), (1, 901), "kuhn", "strong", 2, 8, NOW + 100)


def test_numbers_of_requests_are_unique():
    """Two of one number would be played twice, or lost."""
    with pytest.raises(ValueError, match="two requests have the number 3"):
        next_matches([request(3), request(3, 2)], (), HOST, NOTHING, NOW)


def settled(number, owner=1, needs=(), **other):
    """A request whose seats are settled."""
    return request(number, owner, None, seating=(owner, 902), needs=needs, **other)


def test_settled_seats_need_no_opponent():
    """The versions are those that were asked for, and nobody else is matched with them."""
    starts, _ = decide([settled(1), request(2, 2, OpenOpponent.GUEST), settled(3, 3)])
    assert starts == [((1,), (1, 902)), ((3,), (3, 902))]


def test_settled_seats_take_what_they_need():
    """Tables of house bots and what a door has: of running matches, too; others overtake."""
    jobs = (("jobs", 1),)
    host = replace(HOST, more={"jobs": 1})
    one = [settled(1, needs=jobs), settled(2, 2, needs=jobs), settled(3, 3)]
    assert order(one, capacity=host) == [1, 3]
    assert reason(one, 2, capacity=host) is DelayReason.NO_ROOM
    running = [replace(match(9, house=None), needs=jobs)]
    assert order(one, capacity=host, running=running) == [3]
    tables = ((tables_of("rule"), 2),)
    two = [settled(1, needs=tables), request(2, 2, "rule")]
    assert order(two) == [1]
    (start,) = next_matches(two, (), HOST, NOTHING, NOW).starts
    assert (start.house, start.needs, start.running(5).needs) == (None, tables, tables)
    assert reason([settled(1, needs=(("none", 1),))], 1) is DelayReason.TOO_LARGE


def test_settled_seats_are_in_their_owners_turn():
    """Quotas hold, and a flood of them delays others by one match."""
    flood = [settled(number) for number in range(1, 6)]
    assert order([*flood, settled(9, 2)], capacity=room(2)) == [1, 9]
    quotas = {1: Quota(matches=2)}
    assert order(flood, capacity=replace(HOST, quotas=quotas)) == [1, 2]
