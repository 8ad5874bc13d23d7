"""Every estimator of everybody, against plain loops over the hands."""

from collections import defaultdict

import numpy as np
import pytest

from engine.estimates.hand_estimates import rate_hands
from engine.estimates.hand_results import hand_results, lineups
from engine.estimates.winrate import win_rate
from engine.handlogs.counting.tally import Tally
from engine.rules.dealing import DealStream
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand, parse_log_line
from tests.helpers.random_logs import random_record
from tests.oracles.hand_stats import count_hands

HUNL = load_builtin("hunl")
LIMIT3 = load_builtin("limit3")


def leg(game, seed, names, hands, play_seed):
    """Return STATE lines of a match; the same seed deals the same cards."""
    deals, random = DealStream(game, seed), np.random.default_rng(play_seed)
    lines = []
    for hand in range(hands):
        seated = [names[(position + hand) % len(names)] for position in range(len(names))]
        lines.append(format_hand(random_record(game, hand, next(deals), seated, random)[0]))
    return lines


def rated(game, legs, **options):
    """Read legs as one session each; return what they say, and the tally."""
    tally = Tally(game, keep=True, threads=1)
    for lines in legs:
        tally.begin_session()
        data = np.frombuffer("\n".join([*lines, ""]).encode(), np.uint8)
        assert tally.scan(data, 0)[0] == len(data)
    results = tally.results()
    values = {"raw": results.chips, "allin": results.expected}
    return rate_hands(results, tally.players, game.big_blind, values, **options), results, tally


def slow_values(game, lines):
    """Return {(player, others): [(deal, seating, raw, all-in expectation)]} line by line."""
    found = defaultdict(list)
    for line in lines:
        record = parse_log_line(line)
        counts = count_hands(game, [record])
        holes = record.cards.split("/")[0]
        for position, name in enumerate(record.names):
            others = frozenset(record.names) - {name}
            own = counts[name, position]
            found[name, others].append(
                ((record.hand_id, holes), record.names, own["raw"], own["expected"])
            )
    return found


def slow_rates(hands, seatings):
    """Return the four plain win rates of a player in one group; big blinds in, mbb/h out."""
    rates = {}
    for name, at in (("raw", 2), ("allin", 3)):
        rates[name] = win_rate(np.array([hand[at] for hand in hands]), 1)
        deals = defaultdict(dict)
        for hand in hands:
            deals[hand[0]][hand[1]] = hand[at]
        means = [sum(own.values()) / seatings for own in deals.values() if len(own) == seatings]
        sets = "sets" if name == "raw" else "allin_sets"
        rates[sets] = win_rate(np.array(means), 1, hands_per_sample=seatings)
    return rates


def check(rating, expected):
    """Compare every field of every estimator."""
    for name, rate in expected.items():
        found = rating.estimate(name).rate
        assert (found.samples, found.hands) == (rate.samples, rate.hands), name
        for field in ("mbb_per_hand", "sd", "ci95"):
            assert getattr(found, field) == pytest.approx(getattr(rate, field), abs=1e-6), name


def test_a_duplicate_match_and_a_plain_one():
    """Both seatings of a match, one leg cut short, among hands against somebody else."""
    legs = [
        leg(HUNL, 1, ("Ann", "Bob"), 60, 1),
        leg(HUNL, 9, ("Ann", "Cleo"), 30, 3),
        leg(HUNL, 1, ("Bob", "Ann"), 40, 2),
    ]
    found, results, _ = rated(HUNL, legs)
    assert (found.hands, found.sets, found.sessions) == (130, 40, 3)
    values = slow_values(HUNL, [line for lines in legs for line in lines])
    ann_bob = next(one for one in found.groups if one.against == ("Bob",))
    assert (ann_bob.player, ann_bob.hands) == ("Ann", 100)
    check(ann_bob, slow_rates(values["Ann", frozenset({"Bob"})], 2))
    ann_cleo = next(one for one in found.groups if one.against == ("Cleo",))
    assert [one.name for one in ann_cleo.estimates] == ["raw", "allin"]
    total = {one.player: one for one in found.totals}
    assert [one.hands for one in found.totals] == [130, 100, 30]
    every = [one for own in values.values() for one in own]
    assert len(every) == 2 * len(results)
    mine = [*values["Ann", frozenset({"Bob"})], *values["Ann", frozenset({"Cleo"})]]
    check(total["Ann"], {k: v for k, v in slow_rates(mine, 2).items() if k in ("raw", "allin")})
    assert total["Ann"].estimate("sets").rate.samples == 40
    assert [(one.player, one.against) for one in found.comparisons] == [
        ("Ann", "Bob"),
        ("Ann", "Cleo"),
        ("Ann", ""),
    ]


def test_three_players_in_all_seatings():
    """A set needs every player in every seat; each player has a rating in his group."""
    orders = [("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B")]
    legs = [leg(LIMIT3, 4, names, 20, play) for play, names in enumerate(orders)]
    found, *_ = rated(LIMIT3, legs)
    values = slow_values(LIMIT3, [line for lines in legs for line in lines])
    assert {one.player for one in found.groups} == {"A", "B", "C"}
    for one in found.groups:
        check(one, slow_rates(values[one.player, frozenset(one.against)], 3))
    assert found.sets == 20
    missing, *_ = rated(LIMIT3, legs[:2])
    assert missing.sets == 0
    assert missing.totals[0].estimate("sets") is None


def test_sessions_that_share_deals_are_one_sample():
    """Two duplicate matches of two legs are two sessions, whatever the order of their legs."""
    legs = [
        leg(HUNL, seed, names, 30, play)
        for names in (("Ann", "Bob"), ("Bob", "Ann"))
        for play, seed in enumerate((1, 2))
    ]
    found, *_ = rated(HUNL, legs, by_session=True)
    raw = found.totals[0].estimate("raw")
    assert (raw.unit, raw.rate.samples, raw.rate.hands) == ("session", 2, 120)
    assert found.totals[0].estimate("sets") is None


def test_a_player_against_himself_is_left_out():
    """He wins what he loses."""
    found, *_ = rated(HUNL, [leg(HUNL, 1, ("Ann", "Ann"), 10, 1), leg(HUNL, 2, ("Ann", "B"), 5, 1)])
    assert (found.hands, found.alone) == (15, 10)
    assert [(one.player, one.hands) for one in found.totals] == [("Ann", 5), ("B", 5)]


def test_other_estimators_take_their_place_in_the_table():
    """Values computed elsewhere, unknown for some hands, get interval, sets and comparisons."""
    legs = [leg(HUNL, 1, ("Ann", "Bob"), 60, 1), leg(HUNL, 1, ("Bob", "Ann"), 60, 2)]
    _, results, tally = rated(HUNL, legs)
    aivat = 0.5 * results.chips
    aivat[:20] = np.nan
    values = {"raw": results.chips, "aivat": aivat}
    found = rate_hands(results, tally.players, 100, values)
    [rating] = found.groups
    assert [one.name for one in rating.estimates] == ["raw", "sets", "aivat", "aivat_sets"]
    assert rating.estimate("aivat").rate.hands == 100
    assert rating.estimate("aivat").hands_saved == pytest.approx(4)
    assert rating.estimate("aivat_sets").rate.samples == 40
    [compared] = found.comparisons
    assert (compared.estimator, compared.reference, compared.hands) == ("raw", "aivat", 100)


def test_no_hands_make_no_ratings():
    """An empty table is one."""
    results = hand_results(2, [], np.zeros((0, 2)))
    assert rate_hands(results, [], 100, {"raw": results.chips}).totals == ()
    assert lineups(results.players).groups.shape == (0, 2)
