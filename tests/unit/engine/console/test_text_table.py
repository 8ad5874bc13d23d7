"""Tables as text."""

import pytest

from engine.console.text_table import aligned


def test_names_are_flush_left_and_numbers_flush_right():
    """Two spaces between columns, none at the end of a line; more columns may be texts."""
    rows = [
        ["", "plays", "share", "EV"],
        ["AA", "tight", "1.5 %", "-1,200.0"],
        ["72o", "x", "2 %", ""],
    ]
    assert aligned(rows) == [
        "     plays  share        EV",
        "AA   tight  1.5 %  -1,200.0",
        "72o      x    2 %",
    ]
    assert aligned(rows, texts=2)[2] == "72o  x        2 %"
    assert aligned([]) == []


def test_rows_of_different_lengths_are_a_mistake():
    """A cell without a column would be lost."""
    with pytest.raises(ValueError):
        aligned([["a", "b"], ["c"]])
