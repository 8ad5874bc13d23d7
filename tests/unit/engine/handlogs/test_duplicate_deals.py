"""Duplicate sets found in hands, against the slow obvious way."""

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.handlogs.duplicate_deals import find_sets, set_rates


def row(hand, cards, seated, chips):
    """One hand."""
    return [hand, cards, *seated, *(round(1e6 * won) for won in chips)]


def slow_sets(rows, players):
    """Return {players: {player: [mean of each set, deal by deal]}}."""
    deals = defaultdict(lambda: defaultdict(list))
    for hand, cards, *rest in rows:
        seated, chips = tuple(rest[:players]), rest[players:]
        deals[tuple(sorted(seated)), hand, cards][seated].append(chips)
    found = defaultdict(lambda: defaultdict(list))
    for (group, _, _), plays in sorted(deals.items()):
        held = defaultdict(int)
        for seated in plays:
            for place in enumerate(seated):
                held[place] += 1
        wanted = {(position, player) for position in range(players) for player in group}
        if len(set(group)) < players or set(held) != wanted or len(set(held.values())) > 1:
            continue
        for player in group:
            means = [
                sum(chips[seated.index(player)] for chips in times) / len(times) / 1e6
                for seated, times in plays.items()
            ]
            found[group][player].append(sum(means) / len(means))
    return found


@settings(max_examples=200, deadline=None)
@given(data=st.data(), players=st.integers(2, 3))
def test_sets_are_those_of_the_slow_way(data, players):
    """Any hands of a few players: seatings missing, played twice, other cards, mixed groups."""
    seatings = [
        seated for group in ((0, 1, 2), (0, 1, 3)) for seated in permutations(group[:players])
    ] + [(0,) * players]
    rows = data.draw(
        st.lists(
            st.builds(
                row,
                st.integers(0, 3),
                st.integers(7, 8),
                st.sampled_from(seatings),
                st.lists(st.integers(-9, 9), min_size=players, max_size=players),
            ),
            min_size=1,
            max_size=40,
        )
    )
    expected = slow_sets(rows, players)
    found = {
        tuple(sets.samples): {player: list(own) for player, own in sets.samples.items()}
        for sets in find_sets(np.array(rows, np.int64))
        if any(len(own) for own in sets.samples.values())
    }
    assert set(found) == set(expected)
    for group, samples in found.items():
        for player, own in samples.items():
            assert own == pytest.approx(expected[group][player])


def test_a_deal_played_twice_in_the_same_seats_is_one_sample():
    """Its plays are averaged, and told."""
    rows = [row(0, 1, (0, 1), (4, -4)), row(0, 1, (1, 0), (2, -2)), row(0, 1, (0, 1), (8, -8))]
    [sets] = find_sets(np.array(rows, np.int64))
    assert list(sets.samples[0]) == [(6 - 2) / 2]
    assert (sets.hands, sets.repeated) == (3, 1)
    rates = set_rates([(sets, 2)])
    assert (rates[0].mbb_per_hand, rates[0].samples, rates[0].hands) == (1000, 1, 3)
