"""The verdict of a match in words and for programs."""

import math

import pytest

from dealer.results.results import BotResult, MatchResult
from dealer.results.verdict import (
    quoted_estimator,
    verdict_document,
    verdict_paragraph,
    verdict_text,
)
from engine.estimates.winrate import WinRate, half_interval
from tests.helpers.estimated import estimated
from tests.helpers.said import says

NONE = WinRate(0.0, math.inf, math.inf, 0, 0)


def rate(mean, sd, samples, hands_per_sample=1):
    return WinRate(mean, half_interval(sd, samples), sd, samples, samples * hands_per_sample)


def match(*means, estimators=("raw", "sets", "allin", "allin_sets"), sd=1000.0, sets=1000):
    """Return the result of a match in which the bots a, b, ... won so much in sets."""
    players = len(means)
    bots = []
    for label, mean in zip("abcdef", means, strict=False):
        rates = {
            "raw": rate(0.0, 2 * sd, 1000 * players),
            "sets": rate(mean, sd, sets, players),
            "allin": rate(mean, 2 * sd, 1000 * players),
            "allin_sets": rate(mean, sd, sets, players),
        }
        bots.append(BotResult(label, 0.0, estimated((name, rates[name]) for name in estimators)))
    return MatchResult(tuple(bots), 1000 * players, 1000 * players, sets, 0, 100)


@pytest.mark.parametrize(
    ("estimators", "sets", "quoted"),
    [
        (("raw", "sets", "allin", "allin_sets"), 1000, "allin_sets"),
        (("raw", "sets", "allin", "allin_sets"), 500, "allin_sets"),
        (("raw", "sets", "allin", "allin_sets"), 499, "allin"),
        (("raw", "sets"), 1000, "sets"),
        (("raw", "sets"), 3, "raw"),
        (("raw", "allin"), 0, "allin"),
        (("raw",), 0, "raw"),
    ],
)
def test_what_to_quote_depends_on_what_was_played(estimators, sets, quoted):
    """The lowest-variance estimator, in sets where most hands are in one; never the result."""
    for mean in (0.0, 500.0):
        assert quoted_estimator(match(mean, -mean, estimators=estimators, sets=sets)) == quoted


@pytest.mark.parametrize(
    ("mean", "facts"),
    [
        (200.0, ["a is better", "p < 0.001"]),
        (-100.0, ["b is better", "p < 0.01"]),
        (65.0, ["a is better", "p < 0.05"]),
        (-20.0, ["not decided", "p = 0.52", "38,000 more hands", "80%"]),
        (0.0, ["not decided", "p = 1.00"]),
    ],
)
def test_between_two(mean, facts):
    """Who is better and how surely, or how much longer it would take; and by which estimator."""
    told = verdict_text(match(mean, -mean))
    says(told, *facts, "all-in expectation", "duplicate sets")
    assert ("more hands" in told) == (mean == -20.0)


@pytest.mark.parametrize(
    ("means", "parts"),
    [
        ((10, 150, -160), ["b wins, p < 0.001; c loses, p < 0.001; not decided: a"]),
        ((100, -45, -55), ["a wins, p < 0.01; not decided: b, c"]),
        ((2, -1, -1), ["not decided", "a leads", "p = 1.00"]),
        ((40, -20, -20), ["not decided", "a leads", "p = 0.61"]),
    ],
)
def test_among_more(means, parts):
    """Each against nothing won, in the order of their win rates."""
    says(verdict_text(match(*map(float, means))), *parts, "all-in expectation", "duplicate sets")


def test_few_samples_are_told():
    """In the unit of the estimator."""
    result = match(50.0, -50.0, estimators=("raw", "sets"), sets=40)
    says(verdict_text(result), "not decided", "p = 1.00", "raw", "hand by hand")
    few = [
        BotResult(
            label, 0.0, estimated((("raw", rate(5.0, 1.0, 60)), ("sets", rate(5.0, 1.0, 30, 2))))
        )
        for label in "ab"
    ]
    told = verdict_text(MatchResult(tuple(few), 60, 60, 30, 0, 100))
    says(told, "none", "30 duplicate sets", "100")


def test_the_text_says_which_column_and_why():
    """Two lines below the table; none where nothing was played."""
    first, second = verdict_paragraph(match(200.0, -200.0)).splitlines()
    says(first, "to quote: all-in exp. in sets;")
    says(second, "a is better")
    nothing = MatchResult((BotResult("a", 0.0, estimated([("raw", NONE)])),) * 2, 0, 8, 0, 0, 100)
    assert verdict_paragraph(nothing) == ""
    assert verdict_document(nothing) is None


def test_programs_get_the_numbers():
    """With units; what is not known is null."""
    document = verdict_document(match(-20.0, 20.0))
    assert document["estimator"] == "allin_sets"
    assert (document["samples"], document["sample_unit"]) == (1000, "duplicate sets")
    assert document["more_hands_to_decide"] == pytest.approx(37_244, abs=2)
    assert document["chance_to_decide_with_them"] == 0.8
    assert document["bots"][0]["p_value_two_sided"] == pytest.approx(0.5272, abs=1e-3)
    assert [bot["standing"] for bot in document["bots"]] == ["open", "open"]
    assert not document["decided"]
    document = verdict_document(match(-200.0, 200.0))
    assert [bot["standing"] for bot in document["bots"]] == ["behind", "ahead"]
    assert document["decided"]
    assert document["more_hands_to_decide"] is None
    assert document["chance_to_decide_with_them"] is None
