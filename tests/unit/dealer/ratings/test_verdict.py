"""The verdict of a match in words and for programs."""

import pytest

from dealer.ratings.verdict import (
    quoted_estimator,
    verdict_document,
    verdict_paragraph,
    verdict_text,
)
from engine.estimates.winrate import WinRate, half_interval
from tests.helpers.said import says

ALL = ("raw", "sets", "allin", "allin_sets")


def rate(mean, sd, samples, hands_per_sample=1, p=1.0):
    hands = samples * hands_per_sample
    return WinRate(mean, half_interval(sd, samples), sd, samples, hands, 2e5, p)


def match(*means, estimators=ALL, sd=1000.0, sets=1000, p=()):
    """Return the players a, b, ... of a match who won so much in sets, with their p-values."""
    players = []
    for at, (label, mean) in enumerate(zip("abcdef", means, strict=False)):
        own = p[at] if p else 1.0
        rates = {
            "raw": rate(0.0, 2 * sd, 1000 * len(means)),
            "sets": rate(mean, sd, sets, len(means), own),
            "allin": rate(mean, 2 * sd, 1000 * len(means)),
            "allin_sets": rate(mean, sd, sets, len(means), own),
            "aivat_sets": rate(mean, sd, sets, len(means), None),
            "aivat": rate(mean, sd, 1000 * len(means), 1, None),
        }
        players.append((label, {name: rates[name] for name in estimators}))
    return players


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
    ("mean", "p", "facts"),
    [
        (200.0, 1e-5, ["a is better", "p < 0.001", "betting test and t test agree"]),
        (-100.0, 0.005, ["b is better", "p < 0.01", "betting test and t test agree"]),
        (20.0, 0.049, ["a is better", "p < 0.05", "(betting test;"]),
        (200.0, 0.3, ["a leads", "p < 0.001", "t test", "too few duplicate sets"]),
        (-20.0, 1.0, ["not decided", "p = 0.52", "t test", "more hands", "80%"]),
        (0.0, 1.0, ["not decided", "p = 1.00"]),
    ],
)
def test_between_two(mean, p, facts):
    """Who is better and how surely, or how much longer it would take; and by which estimator."""
    told = verdict_text(match(mean, -mean, p=(p, p)))
    says(told, *facts, "all-in expectation", "duplicate sets")
    assert ("more hands" in told) == (p > 0.05 and mean != 0)


@pytest.mark.parametrize(
    ("means", "p", "told"),
    [
        (
            (10, 150, -160),
            (1.0, 1e-5, 1e-5),
            "b wins, p < 0.001; c loses, p < 0.001; not decided: a",
        ),
        ((100, -45, -55), (0.003, 1.0, 1.0), "a wins, p < 0.01; not decided: b, c"),
        ((2, -1, -1), (1.0,) * 3, "not decided, a leads, p = 1.00"),
        ((100, -45, -55), (1.0,) * 3, "a leads, p < 0.01"),
    ],
)
def test_among_more(means, p, told):
    """Each against nothing won, in the order of their win rates."""
    said = verdict_text(match(*map(float, means), p=p))
    says(said, told, "all-in expectation", "duplicate sets")


def test_where_the_length_was_not_fixed_the_betting_test_alone_holds():
    """Of a match that was made longer, stopped, or ended by what it said."""
    told = verdict_text(match(200.0, -200.0, p=(0.3, 0.3)), fixed=False)
    says(told, "not decided", "p = 0.30", "betting test", "fixed beforehand")
    assert "leads" not in told
    told = verdict_text(match(200.0, -200.0, p=(0.001, 0.001)), fixed=False)
    says(told, "a is better", "(betting test;")


def test_aivat_is_quoted_and_leads_but_does_not_decide():
    """What it takes for luck has no bound."""
    players = match(200.0, -200.0, estimators=(*ALL, "aivat", "aivat_sets"), p=(0.3, 0.3))
    assert quoted_estimator(players) == "aivat_sets"
    says(verdict_text(players), "a leads", "AIVAT in duplicate sets", "t test")
    players = match(200.0, -200.0, estimators=(*ALL, "aivat", "aivat_sets"), p=(0.03, 0.03))
    says(verdict_text(players), "a is better", "p < 0.05", "all-in expectation", "agree")
    document = verdict_document(players)
    assert (document["estimator"], document["quoted_estimator"]) == ("allin_sets", "aivat_sets")
    alone = match(200.0, -200.0, estimators=("aivat",))
    says(verdict_text(alone), "a leads", "AIVAT")
    assert verdict_document(alone)["bots"][0]["p_value_two_sided"] is None


def test_few_samples_are_told():
    """In the unit of the estimator."""
    result = match(50.0, -50.0, estimators=("raw", "sets"), sets=40)
    says(verdict_text(result), "not decided", "p = 1.00", "raw", "hand by hand")
    few = [(label, {"raw": rate(5.0, 1.0, 60), "sets": rate(5.0, 1.0, 30, 2)}) for label in "ab"]
    says(verdict_text(few), "none", "30 duplicate sets", "100")


def test_the_text_says_which_column_and_why():
    """Two lines below the table."""
    first, second = verdict_paragraph(match(200.0, -200.0, p=(0.01, 0.01))).splitlines()
    says(first, "to quote: all-in exp. in sets;")
    says(second, "a is better")


def test_programs_get_the_numbers():
    """With units; what is not known is null."""
    document = verdict_document(match(-20.0, 20.0), caveats=["mind"])
    assert document["estimator"] == "allin_sets"
    assert (document["samples"], document["sample_unit"]) == (1000, "duplicate sets")
    assert document["more_hands_to_decide"] > 37_244  # what the t test would take
    assert document["chance_to_decide_with_them"] == 0.8
    assert document["caveats"] == ["mind"]
    assert document["bots"][0]["t_test_p_value_two_sided"] == pytest.approx(0.5272, abs=1e-3)
    assert document["bots"][0]["p_value_two_sided"] == 1.0
    assert [bot["standing"] for bot in document["bots"]] == ["open", "open"]
    assert not document["decided"]
    document = verdict_document(match(-200.0, 200.0, p=(0.3, 0.3)))
    assert [bot["standing"] for bot in document["bots"]] == ["trails", "leads"]
    document = verdict_document(match(-200.0, 200.0, p=(0.001, 0.001)), fixed=False)
    assert [bot["standing"] for bot in document["bots"]] == ["behind", "ahead"]
    assert document["decided"]
    assert not document["hands_fixed_beforehand"]
    assert "fixed beforehand" in document["caveats"][0]
    assert document["more_hands_to_decide"] is None
    assert document["chance_to_decide_with_them"] is None
