"""Tables as text."""

import pytest

from engine.console.text_table import aligned


def test_names_are_flush_left_and_numbers_flush_right():
    """Two spaces between columns, none at the end of a line."""
    rows = [["", "share", "EV"], ["AA", "1.5 %", "-1,200.0"], ["72o", "12 %", ""]]
    assert aligned(rows) == [
        "     share        EV",
        "AA   1.5 %  -1,200.0",
        "72o   12 %",
    ]


def test_no_rows_no_lines():
    """Nothing to show is nothing, not an error."""
    assert aligned([]) == []


def test_rows_of_different_lengths_are_a_mistake():
    """A cell without a column would be lost."""
    with pytest.raises(ValueError):
        aligned([["a", "b"], ["c"]])


def test_more_columns_may_be_texts():
    """They are flush left, too."""
    rows = [["bot", "plays", "won"], ["O1", "tight", "+1"], ["O_random", "x", "-200"]]
    assert aligned(rows, texts=2) == [
        "bot       plays   won",
        "O1        tight    +1",
        "O_random  x      -200",
    ]
