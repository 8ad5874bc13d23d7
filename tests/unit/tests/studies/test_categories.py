"""Categories of hands against winning."""

import math
import statistics

import pytest

from engine.estimates.winrate import half_interval
from engine.showdown.evaluator import strength
from tests.helpers.studied import random_hands, studied_hands, taken
from tests.studies.categories import CATEGORIES, CategoryStudy

STREETS = ("before the flop", "flop", "turn", "river")
LOGGED = random_hands("hunl", 150)


def rows_by_hand(logged):
    """Each hand of each player on each street: street, category, deal, share, shown, mbb."""
    rows = []
    for deal, found in enumerate(studied_hands(logged)):
        state, (holes, board) = found.hand.state, (found.hand.cards.holes, found.hand.cards.board)
        for street, seen in enumerate((0, 3, 4, 5)):
            if len(board) >= seen:
                for place in (0, 1):
                    kind = strength((*holes[place], *board[:seen])) >> 20
                    won = found.shares[place], state.showdown, found.mbb[place]
                    rows.append((street, kind, deal, *won))
    return rows


@pytest.fixture(scope="module")
def study():
    """That of some random hands."""
    return taken(CategoryStudy(), LOGGED)


def test_counts_are_those_of_a_slow_recount(study):
    """Hands, wins and showdowns of each category and street."""
    rows = rows_by_hand(LOGGED)
    plain = study.plain()["streets"]
    for street, name in enumerate(STREETS):
        here = [row for row in rows if row[0] == street]
        assert [one["category"] for one in plain[name]] == [
            CATEGORIES[kind] for kind in sorted({row[1] for row in here})
        ]
        for one in plain[name]:
            those = [row for row in here if CATEGORIES[row[1]] == one["category"]]
            shown = [row[3] for row in those if row[4]]
            assert (one["hands"], one["showdowns"]) == (len(those), len(shown))
            assert one["share"] == pytest.approx(len(those) / len(here))
            assert one["won"] == pytest.approx(statistics.mean(row[3] for row in those))
            assert one["won_ci95"][0] <= one["won"] <= one["won_ci95"][1]
            assert one["mbb_per_hand"] == pytest.approx(statistics.mean(row[5] for row in those))
            assert one["won_shown"] == (pytest.approx(statistics.mean(shown)) if shown else None)


def test_deals_are_the_samples_of_the_interval(study):
    """The residuals of both hands of a deal are added before they are squared."""
    rows = [row for row in rows_by_hand(LOGGED) if row[:2] == (3, 1)]
    mean, half = study.win_rate(3, 1)
    by_deal = {}
    for row in rows:
        by_deal[row[2]] = by_deal.get(row[2], 0.0) + row[5] - mean
    sd = math.sqrt(sum(one * one for one in by_deal.values()) / (len(rows) - 1))
    assert half == pytest.approx(half_interval(sd, len(rows)))
    assert study.win_rate(0, 8)[1] == math.inf
