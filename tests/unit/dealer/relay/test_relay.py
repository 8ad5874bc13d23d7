"""What is told of a match, whatever the server says of it."""

import pytest

from dealer.relay.relay import MatchWish, match_line

WISH = MatchWish("Ann", "1", "kuhn", 10, None, pairs=True, rated=True, words="")
FINISHED = {
    "state": "finished",
    "first": {"bot": "bob"},
    "second": {"bot": "ann"},
    "hands_played": 20,
    "best": {"estimator": "all-in", "mbb_per_hand": 12.5, "ci95_mbb_per_hand": 3.25},
}


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "against bob: -12.5 ± 3.2 mbb per hand over 20 hands (all-in)"),
        (
            {"first": {"bot": "ANN"}, "second": {"bot": "eve"}},
            "against eve: +12.5 ± 3.2 mbb per hand over 20 hands (all-in)",
        ),
        ({"best": None}, "against bob: finished after 20 hands; no estimate"),
        ({"best": {"mbb_per_hand": "x"}}, "against bob: finished after 20 hands; no estimate"),
        (
            {"state": "forfeited", "forfeited_by": "bob", "detail": "it left"},
            "against bob: forfeited by bob: it left",
        ),
        ({"state": "void", "detail": "late"}, "against bob: not counted: late"),
        ({"state": None, "first": 3}, "against ?: not counted: no reason"),
    ],
)
def test_the_end_of_a_match_is_one_line(change, line):
    """From the bot's view."""
    assert match_line({**FINISHED, **change}, WISH) == line
