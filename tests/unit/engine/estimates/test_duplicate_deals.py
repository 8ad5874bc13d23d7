"""Duplicate sets found in hands, against the slow obvious way."""

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.estimates.duplicate_deals import find_sets, set_rates
from engine.estimates.hand_results import hand_results, lineups


def row(deal, board, seated, chips):
    """One hand; the board's cards are digits, the first one first."""
    packed = sum((int(card) + 1) << 6 * place for place, card in enumerate(board))
    return [deal, packed, 0, 0, 0, *seated, *(round(1e6 * won) for won in chips)]


def sets_of(rows, players):
    """Return hands as columns, who played them, and their sets."""
    results = hand_results(players, [[np.array(rows, np.int64)]], None)
    played = lineups(results.players)
    return results, played, find_sets(results, played)


def slow_sets(hands):
    """Return {players: {player: [mean of each set]}}."""
    deals = defaultdict(lambda: defaultdict(list))
    boards = defaultdict(set)
    for deal, board, seated, chips in hands:
        deals[tuple(sorted(seated)), deal][seated].append(chips)
        boards[tuple(sorted(seated)), deal].add(board)
    found = defaultdict(lambda: defaultdict(list))
    for (group, deal), plays in sorted(deals.items()):
        held = defaultdict(int)
        for seated in plays:
            for place in enumerate(seated):
                held[place] += 1
        wanted = {(position, player) for position in range(len(group)) for player in group}
        if len(set(group)) < len(group) or set(held) != wanted or len(set(held.values())) > 1:
            continue
        longest = max(boards[group, deal], key=len)
        if not all(longest.startswith(board) for board in boards[group, deal]):
            continue
        for player in group:
            means = [
                sum(chips[seated.index(player)] for chips in times) / len(times)
                for seated, times in plays.items()
            ]
            found[group][player].append(sum(means) / len(means))
    return found


@given(data=st.data(), players=st.integers(2, 3))
def test_sets_are_those_of_the_slow_way(data, players):
    """Any hands of a few players: seatings missing, played twice, other cards, mixed groups."""
    seatings = [
        seated for group in ((0, 1, 2), (0, 1, 3)) for seated in permutations(group[:players])
    ] + [(0,) * players]
    hands = data.draw(
        st.lists(
            st.tuples(
                st.integers(3, 7),
                st.sampled_from(["", "012", "0123", "0123", "0123", "0124", "9"]),
                st.sampled_from(seatings),
                st.lists(st.integers(-9, 9), min_size=players, max_size=players),
            ),
            min_size=1,
            max_size=40,
        )
    )
    results, played, sets = sets_of([row(*hand) for hand in hands], players)
    chips = played.by_player(results.chips)
    found = defaultdict(lambda: defaultdict(list))
    for number in range(sets.count):
        hand = int(np.flatnonzero(sets.set == number)[0])
        group = tuple(played.groups[played.group[hand]].tolist())
        for rank, player in enumerate(group):
            found[group][player].append(sets.means(chips[:, rank])[number])
    expected = slow_sets(hands)
    assert set(found) == set(expected)
    for group, samples in found.items():
        for player, own in samples.items():
            assert sorted(own) == pytest.approx(sorted(expected[group][player]))


def test_a_deal_played_twice_in_the_same_seats_is_one_sample():
    """Its plays are averaged, and told."""
    rows = [row(0, "", (0, 1), (4, -4)), row(0, "", (1, 0), (2, -2)), row(0, "", (0, 1), (8, -8))]
    results, played, sets = sets_of(rows, 2)
    assert list(sets.means(played.by_player(results.chips)[:, 0])) == [(6 - 2) / 2]
    assert (sets.count, sets.repeated) == (1, 1)
    rates = set_rates([(results, played, sets, 2)])
    assert (rates[0].mbb_per_hand, rates[0].samples, rates[0].hands) == (1000, 1, 3)


def test_sets_against_several_players_on_one_deal_are_one_sample():
    """Their cards are the same, so they are not independent."""
    rows = [
        row(number, "", order, (chips, -chips))
        for number, chips in ((0, 4), (1, -6))
        for order in ((0, 1), (1, 0), (0, 2), (2, 0))
    ]
    results, played, sets = sets_of(rows, 2)
    assert sets.count == 4
    rates = set_rates([(results, played, sets, 2)])
    assert [rates[player].samples for player in range(3)] == [2, 2, 2]
    assert rates[0].hands == 8


def test_nothing_makes_no_set():
    """Logs may be empty."""
    results, played, sets = sets_of(np.zeros((0, 9)), 2)
    assert (len(results), sets.count, sets.repeated) == (0, 0, 0)
    assert set_rates([(results, played, sets, 2)]) == {}
