"""The queue of the server against its obvious twin, and what no queue of requests may break."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dealer.hub.match_queue import (
    Capacity,
    HouseBot,
    OpenOpponent,
    PairKnowledge,
    QueueHistory,
    Quota,
    RunningMatch,
    WaitingRequest,
    next_matches,
)
from tests.oracles.match_queue import next_matches_slowly

HOUSES = ("rule", "strong")
BOTS = {f"bot{owner}{letter}": owner for owner in range(4) for letter in "ab"}
VERSIONS = {
    **{(name, label): 10 * at + label for at, name in enumerate(BOTS) for label in (1, 2)},
    **{(name, 1): 100 + at for at, name in enumerate(HOUSES)},
}
GAMES = ("kuhn", "leduc")
NOW = 1000.0

limits = st.none() | st.integers(1, 4)


@st.composite
def requests(draw):
    """Some requests of four owners with two bots each."""
    made = []
    for number in draw(st.sets(st.integers(1, 40), max_size=16)):
        bot = draw(st.sampled_from(sorted(BOTS)))
        made.append(
            WaitingRequest(
                number,
                BOTS[bot],
                bot,
                VERSIONS[bot, draw(st.integers(1, 2))],
                draw(st.sampled_from([*HOUSES, *OpenOpponent, *OpenOpponent, *sorted(BOTS)])),
                draw(st.sampled_from(GAMES)),
                draw(st.integers(1, 2)),
                draw(st.booleans()),
                draw(st.booleans()),
                draw(st.sampled_from([0.0, NOW])),
                draw(st.integers(0, 4)),
                draw(st.sampled_from([1, 1, 2])),
            )
        )
    return draw(st.permutations(made))


@st.composite
def running_matches(draw):
    """Matches that are being played, more than there is room for at times."""
    matches = []
    for number in range(draw(st.integers(0, 5))):
        house = draw(st.none() | st.sampled_from(HOUSES))
        owners = st.lists(st.integers(0, 3), min_size=1 if house else 2, max_size=1 if house else 2)
        versions = st.sampled_from(sorted(VERSIONS.values()))
        matches.append(
            RunningMatch(
                number,
                tuple(draw(owners)),
                (draw(versions), draw(versions)),
                draw(st.sampled_from(GAMES)),
                house,
                draw(st.integers(1, 2)),
                draw(st.integers(1, 3)),
                draw(st.sampled_from([NOW - 1, NOW + 3, NOW + 9, NOW + 30])),
            )
        )
    return matches


@st.composite
def capacities(draw):
    """What a small host can do."""
    houses = tuple(
        HouseBot(
            name,
            VERSIONS[name, 1],
            draw(st.integers(1, 3)),
            draw(st.integers(0, 2)),
            draw(st.sampled_from([None, frozenset(["kuhn"])])),
        )
        for name in HOUSES
        if draw(st.booleans())
    )
    quotas = st.builds(Quota, limits, st.none() | st.integers(1, 9), limits)
    return Capacity(
        draw(st.integers(0, 8)),
        draw(st.integers(0, 12)),
        houses,
        draw(quotas),
        draw(st.dictionaries(st.integers(0, 3), quotas, max_size=2)),
        patience=60.0,
        match_seconds=2.0,
        hand_seconds=2.0,
    )


@st.composite
def histories(draw):
    """What has been played."""
    versions = st.sampled_from(sorted(VERSIONS.values()))
    pairs = {}
    for _ in range(draw(st.integers(0, 12))):
        pair = tuple(sorted((draw(versions), draw(versions))))
        widths = st.sampled_from([10.0, 20.0])
        pairs[(*pair, draw(st.sampled_from(GAMES)))] = PairKnowledge(
            draw(widths), draw(st.booleans())
        )
    hands = st.dictionaries(st.tuples(versions, st.sampled_from(GAMES)), st.integers(1, 3))
    return QueueHistory(
        pairs,
        draw(hands),
        draw(st.dictionaries(st.integers(0, 3), st.integers(0, 5))),
        draw(
            st.dictionaries(
                st.sampled_from([*HOUSES, *sorted(BOTS)]), st.just("it timed out"), max_size=2
            )
        ),
    )


situations = st.tuples(requests(), running_matches(), capacities(), histories())


def by_number(delays):
    """Delays by the numbers of their requests."""
    return {delay.request: delay for delay in delays}


@given(situations)
def test_the_queue_is_its_obvious_twin(situation):
    """Starts, their order, and the reason of each delay."""
    fast, slow = next_matches(*situation, NOW), next_matches_slowly(*situation, NOW)
    assert fast.starts == slow.starts
    assert by_number(fast.delays) == by_number(slow.delays)


@given(situations, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(situation, random):
    """Equal requests have equal answers, however they are listed."""
    waiting, running, capacity, history = situation
    answer = next_matches(waiting, running, capacity, history, NOW)
    shuffled = [random.sample(each, len(each)) for each in (waiting, running, capacity.houses)]
    capacity = replace(capacity, houses=tuple(shuffled[2]))
    assert next_matches(shuffled[0], shuffled[1], capacity, history, NOW) == answer


@given(situations)
def test_no_request_is_lost_or_played_twice(situation):
    """Each is in one start or in one delay, with a sentence that says why."""
    decision = next_matches(*situation, NOW)
    numbers = Counter(number for start in decision.starts for number in start.requests)
    numbers.update(delay.request for delay in decision.delays)
    assert numbers == {request.request: 1 for request in situation[0]}
    assert all("{" not in delay.text and len(delay.text) > 10 for delay in decision.delays)


@given(situations)
def test_starts_stay_within_what_is_free(situation):
    """Of matches, units, tables of house bots, and what accounts may do."""
    _, running, capacity, history = situation
    starts = next_matches(*situation, NOW).starts
    after = [*running, *(start.running(99) for start in starts)]
    if not starts:
        return
    assert len(after) <= capacity.matches
    assert sum(match.units for match in after) <= capacity.units
    tables = Counter()
    for match in after:
        tables[match.house] += match.seats
    used = {start.house for start in starts if start.house}
    assert all(tables[house.name] <= house.seats for house in capacity.houses if house.name in used)
    for owner in {owner for start in starts for owner in start.owners}:
        quota = capacity.quotas.get(owner, capacity.quota)
        begun = [start for start in starts if owner in start.owners]
        hands = [start.hands * (2 if start.pairs else 1) for start in begun]
        today = history.hands_today.get(owner, 0) + sum(hands)
        assert quota.hands_a_match is None or max(hands) <= quota.hands_a_match
        assert quota.hands_a_day is None or today <= quota.hands_a_day
        playing = sum(owner in match.owners for match in after)
        assert quota.matches is None or playing <= quota.matches


@given(situations)
def test_starts_are_what_was_asked_for(situation):
    """Opponent, game, hands, rating; undecided, not of one owner where rated, not on probation."""
    waiting, _, capacity, history = situation
    by_number = {request.request: request for request in waiting}
    houses = {house.version: house.name for house in capacity.houses}
    for start in next_matches(*situation, NOW).starts:
        guests = [by_number[number] for number in start.requests]
        names = [guest.bot for guest in guests] + ([start.house] if start.house else [])
        assert not history.probation.keys() & set(names)
        assert start.versions[0] == guests[0].version
        assert start.house == houses.get(start.versions[1])
        for guest, opponent in zip(guests, reversed(names), strict=False):
            assert guest.opponent in (opponent, *OpenOpponent)
            assert (guest.game, guest.hands, guest.pairs, guest.rated, guest.seats) == (
                (*start[3:7], start.seats)
            )
        siblings = len(set(start.owners)) < len(start.owners)
        assert not siblings or not start.rated
        pair = history.pairs.get((*sorted(start.versions), start.game))
        assert not (start.rated and pair is not None and pair.decided)
