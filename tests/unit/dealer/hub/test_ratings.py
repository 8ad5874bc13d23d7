"""Tests for dealer.hub.ratings."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.hub.ratings import RatedMatch, RatedVersion, game_boards

HOUSE = {number: RatedVersion(number, f"house{number}", None) for number in range(100, 104)}
GUESTS = {number: RatedVersion(number, f"bot{number}", number) for number in range(1, 9)}
VERSIONS = [*HOUSE.values(), *GUESTS.values()]
NOW = 10_000.0


def match(first, second, won, error=10.0, **other):
    """Some rated matches of two versions."""
    fields = {"game": "kuhn", "samples": 1000, "hands": 2000, "ended": NOW - 60, **other}
    return RatedMatch(versions=(first, second), mbb_per_hand=won, error=error, **fields)


def board(matches, versions=VERSIONS, **other):
    """The board of the one game."""
    return game_boards(matches, versions, NOW, **other)["kuhn"]


def rows(matches, versions=VERSIONS, **other):
    """Its rows by version."""
    return {row.version: row for row in board(matches, versions, **other).rows}


def by_strength(strengths, error=10.0):
    """Matches of all pairs, each won by the difference of two strengths."""
    return [match(a, b, strengths[a] - strengths[b], error) for a, b in combinations(strengths, 2)]


FOUR = {1: 300.0, 2: 100.0, 100: 0.0, 101: -200.0}


def test_transitive_bots_are_ranked_alike_by_all_numbers():
    """Strength is against the best, fitted against the average, winnings against the others."""
    found = rows(by_strength(FOUR))
    assert [row.version for row in board(by_strength(FOUR)).rows] == [1, 2, 100, 101]
    for place, (version, strength) in enumerate(FOUR.items(), 1):
        row = found[version]
        assert row.ranked
        assert [number.place for number in (row.strength, row.winnings, row.fitted)] == [place] * 3
        assert row.fitted.places == (place, place)
        assert row.fitted.mbb_per_hand == pytest.approx(strength - 50)
        assert row.winnings.mbb_per_hand == pytest.approx((strength * 4 - 200) / 3)
        assert row.strength.mbb_per_hand == pytest.approx(strength - 300, abs=0.1)
        assert row.strength.low <= row.strength.mbb_per_hand <= row.strength.high
    assert found[1].share == pytest.approx(1)


def test_intervals_of_winnings_are_those_of_a_mean():
    """Three independent errors of 10 mbb/h."""
    number = rows(by_strength(FOUR))[1].winnings
    assert number.high - number.mbb_per_hand == pytest.approx(1.96 * 10 / math.sqrt(3), rel=1e-3)


def test_near_equals_have_ranges_of_places():
    """What is within the noise is not told apart."""
    found = rows(by_strength({1: 5.0, 2: 0.0, 100: -5.0, 101: -900.0}, error=30.0))
    for version in (1, 2, 100):
        assert found[version].fitted.places == (1, 3)
        assert found[version].winnings.places == (1, 3)
        assert found[version].strength.places == (1, 3)
    assert found[101].fitted.places == (4, 4)


def test_who_is_strongest_is_not_who_wins_most():
    """A bot that takes most from a weak one loses to the best."""
    matches = [
        match(1, 2, 50.0),
        match(1, 100, 60.0),
        match(1, 101, 100.0),
        match(2, 100, 10.0),
        match(2, 101, 900.0),
        match(100, 101, 100.0),
    ]
    found = rows(matches)
    assert found[1].strength.place == 1
    assert found[2].winnings.place == 1


def test_a_cycle_is_listed_and_its_bots_share_the_mixture():
    """Of significant wins, the surest first."""
    matches = [
        match(1, 2, 100.0),
        match(2, 3, 100.0),
        match(3, 1, 100.0),
        *(match(guest, 100, 500.0) for guest in (1, 2, 3)),
    ]
    found = board(matches)
    assert found.cycles == ((1, 2, 3),)
    assert {row.version: round(row.share, 2) for row in found.rows} == {
        1: 0.33, 2: 0.33, 3: 0.33, 100: 0.0,
    }  # fmt: skip
    assert all(row.strength.place == 1 for row in found.rows[:3])
    assert found.spread > 50
    assert not board([each._replace(error=60.0) for each in matches]).cycles


def test_matches_of_one_owner_are_left_out():
    """They count as hands, and nothing else."""
    versions = [*VERSIONS, RatedVersion(20, "second", 1)]
    feeder = match(1, 20, 5000.0, ended=NOW - 5)
    found = rows([*by_strength(FOUR), feeder], versions)
    assert found[1].winnings == rows(by_strength(FOUR))[1].winnings
    assert (found[1].hands, found[1].age) == (8000, 5.0)
    assert (found[20].ranked, found[20].opponents, found[20].fitted) == (False, 0, None)


def test_accounts_that_only_lose_to_a_friend_give_nothing():
    """They met too few others, so they count for nobody, nor do theirs who met only such."""
    feeders = [match(1, guest, 5000.0) for guest in (5, 6, 7)]
    chain = [match(5, 6, 1.0), match(6, 7, 1.0)]
    found = rows([*by_strength(FOUR), *feeders, *chain])
    assert found[1].winnings == rows(by_strength(FOUR))[1].winnings
    assert found[1].opponents == 6
    assert not any(found[guest].ranked for guest in (5, 6, 7))


def test_bots_of_one_owner_are_one_opponent():
    """Many versions of a weak bot count once, in the number of opponents and in winnings."""
    copies = [RatedVersion(30 + at, f"copy{at}", 3) for at in range(5)]
    matches = by_strength({1: 0.0, 100: -30.0, 101: -60.0})
    matches += [match(copy.version, 1, -90.0 - copy.version) for copy in copies]
    for copy in copies:
        matches += [match(copy.version, house, -90.0) for house in (100, 101)]
    found = rows(matches, [*VERSIONS, *copies])
    assert found[1].opponents == 3
    assert found[1].winnings.mbb_per_hand == pytest.approx((30 + 60 + 90 + 32) / 3)


def test_nobody_is_ranked_on_few_opponents():
    """The number that is wanted is the caller's."""
    matches = [match(1, house, 100.0) for house in (100, 101)]
    assert not any(row.ranked for row in board(matches).rows)
    found = rows(matches, fewest=2)
    assert found[1].ranked
    assert not found[100].ranked
    assert (found[1].winnings.place, found[100].winnings.place) == (1, None)


def test_an_empty_cell_is_filled_by_least_squares():
    """Who has not met the best is rated by what both won from others."""
    matches = [each for each in by_strength(FOUR) if each.versions != (1, 2)]
    matches += [match(guest, 102, FOUR[guest] + 100) for guest in (1, 2)]
    strength = rows(matches)[2].strength
    assert strength.mbb_per_hand == pytest.approx(-200, abs=1)
    assert strength.low < -205 < -195 < strength.high
    assert not any(verdict.versions == (1, 2) for verdict in board(matches).pairs)


def test_bots_that_are_not_linked_cannot_be_compared():
    """The larger group has places."""
    other = {5: 0.0, 6: 1.0, 7: 2.0, 8: 3.0, 103: 4.0}
    found = rows([*by_strength(FOUR), *by_strength(other)])
    assert [found[version].ranked for version in (*FOUR, *other)] == [False] * 4 + [True] * 5
    assert found[1].winnings is None


def test_matches_of_a_pair_are_pooled_by_hands():
    """From either side."""
    matches = [
        match(1, 100, 30.0, 6.0, hands=3000, samples=1500),
        match(100, 1, 10.0, 8.0, hands=1000, samples=500),
    ]
    (verdict,) = board([*matches], fewest=1).pairs
    assert verdict.versions == (1, 100)
    assert verdict.mbb_per_hand == pytest.approx(20)
    assert verdict.ci95 == pytest.approx(1.96 * math.hypot(18, 8) / 4, rel=2e-3)
    assert verdict.hands == 4000
    assert verdict.decided


def test_few_samples_decide_nothing():
    """Nor do those without a standard error say anything."""
    (verdict,) = board([match(1, 100, 900.0, samples=99)], fewest=1).pairs
    assert (verdict.p_value, verdict.decided) == (None, False)
    found = board([match(1, 100, 900.0, math.inf)], fewest=1)
    assert found.pairs == ()
    assert [(row.hands, row.ranked) for row in found.rows] == [(2000, False)] * 2


def test_verdicts_are_adjusted_for_their_number():
    """One of twenty is not significant by chance."""
    matches = [match(1, 100, 25.0)]
    assert board(matches, fewest=1).pairs[0].decided
    others = [match(2, house, 0.0) for house in HOUSE]
    others += [match(3, house, 0.0) for house in HOUSE]
    (verdict,) = [v for v in board([*matches, *others], fewest=1).pairs if v.versions == (1, 100)]
    assert not verdict.decided


def test_games_have_boards_of_their_own():
    """In the order of their names."""
    boards = game_boards(
        [match(1, 100, 1.0), match(1, 101, 1.0, game="holdem")], VERSIONS, NOW, fewest=1
    )
    assert [*boards] == ["holdem", "kuhn"]
    assert [row.version for row in boards["holdem"].rows] == [1, 101]
    assert game_boards([], VERSIONS, NOW) == {}


@settings(max_examples=8)
@given(st.integers(0, 999), st.integers(1, 3))
def test_a_board_does_not_depend_on_the_order(seed, fewest):
    """Of matches and versions; places are 1, then as many as are better."""
    rng = np.random.default_rng(seed)
    numbers = [version.version for version in VERSIONS]
    matches = [
        match(*(int(v) for v in rng.choice(numbers, 2, replace=False)), float(rng.normal(0, 200)))
        for _ in range(int(rng.integers(1, 25)))
    ]
    found = board(matches, fewest=fewest)
    shuffled = [matches[at] for at in rng.permutation(len(matches))]
    assert board(shuffled, VERSIONS[::-1], fewest=fewest) == found
    assert {row.version for row in found.rows} == {v for each in matches for v in each.versions}
    for name in ("winnings", "fitted"):
        placed = [getattr(row, name) for row in found.rows if row.ranked]
        for number in placed:
            better = sum(other.mbb_per_hand > number.mbb_per_hand + 1e-6 for other in placed)
            assert number.place == 1 + better
            assert number.places[0] <= number.places[1] <= len(placed)
            assert number.low <= number.mbb_per_hand <= number.high
    assert all(row.opponents >= fewest for row in found.rows if row.ranked)
