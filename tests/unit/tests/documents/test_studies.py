"""Tables of the studies, from made-up numbers."""

import pytest

from tests.documents import studies


@pytest.fixture
def given(monkeypatch):
    """Puts numbers in the place of a file of docs/data."""

    def give(**files):
        monkeypatch.setattr(studies, "data", files.__getitem__)

    return give


def row(category, share, won, rate, half):
    """A category of a street."""
    return {
        "category": category,
        "share": share,
        "won": won,
        "mbb_per_hand": rate,
        "ci95": half,
    }


def test_categories_have_three_columns_a_street(given):
    """A category that no hand had on a street leaves them empty."""
    streets = {
        "before the flop": [row("pair", 0.06, 0.7, 1.0, 1.0)],
        "flop": [row("pair", 0.42, 0.55, 1234.4, 56.7)],
        "turn": [row("pair", 0.5, 0.5, 0.0, 1.0), row("flush", 0.01, 1.0, 70000.0, None)],
        "river": [],
    }
    given(categories={"streets": streets})
    head, _, pair, flush = studies.categories()
    assert head.startswith("| hand | flop: share | won | mbb/h | turn: share |")
    assert pair == "| pair | 42.0 % | 0.550 | 1234 ± 57 | 50.0 % | 0.500 | 0 ± 1 |  |  |  |"
    assert flush == "| flush |  |  |  | 1.0 % | 1.000 | 70 000 |  |  |  |"


def test_bets_have_a_column_a_type(given):
    """Sizes that nobody bet are empty."""
    one = {"won": 0.25, "won_ci95": [0.2, 0.3], "hands": 9, "strength": 0.4}
    types = {"regular": {"whole hand": [one, None]}, "trapper": {"whole hand": [None, one]}}
    given(bets={"no_limit": True, "sizes": ["none", "to 1/4"], "types": types})
    assert studies.bets() == [
        "| raise, pots | regular | trapper |",
        "| --- | --- | --- |",
        "| none | 0.250 (0.200 to 0.300) |  |",
        "| to 1/4 |  | 0.250 (0.200 to 0.300) |",
    ]


def test_sequences_have_a_row_a_street(given):
    """Bits with their intervals."""
    told = {
        "single actions": {"bits": 0.1234, "ci95": 0.01},
        "sequence": {"bits": 0.2, "ci95": None},
    }
    given(sequences={"bits": {"flop": told}})
    assert studies.sequences()[0] == "| bits | single actions | sequence |"
    assert studies.sequences()[2:] == ["| flop | 0.123 ± 0.010 | 0.200 |"]
