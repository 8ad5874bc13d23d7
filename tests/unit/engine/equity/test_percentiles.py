"""The shipped percentiles are those of all hands, and what is no percentile is refused."""

import numpy as np
import pytest

from engine.equity.equity_tables import equity_tables
from engine.equity.percentiles import SHIPPED, percentile, percentiles, read_percentiles
from engine.errors import ArtifactMismatch
from tests.studies.equity_percentiles import count_percentiles, write_percentiles


@pytest.mark.slow
def test_shipped_numbers_are_those_of_all_hands(tmp_path):
    """Counted anew from the tables they are the same, digit by digit."""
    path = tmp_path / "again.txt"
    tables = equity_tables()
    write_percentiles(path, count_percentiles(tables.flop, tables.turn))
    assert path.read_bytes() == SHIPPED.read_bytes()


def test_between_knots_they_are_linear():
    """Half way between two knots it is the mean of both, to the next level of p."""
    found = percentile(3, 700.5 / 1024)
    assert found == pytest.approx(percentiles()[3, 700:702].mean(), abs=1e-5)
    assert percentile(0, 1.0) == 1.0


@pytest.mark.parametrize(("street", "p"), [(-1, 0.5), (4, 0.5), (0, -0.1), (0, 1.1), (0, np.nan)])
def test_what_is_no_equity_is_refused(street, p):
    """Streets and equities out of range."""
    with pytest.raises(ValueError, match=r"street|equity"):
        percentile(street, p)


@pytest.mark.parametrize("text", ["", "0 0 0 0\n", "a b c d\n" * 1025, "1 1 1 2\n" * 1025])
def test_damaged_files_are_refused(tmp_path, text):
    """Too short, no numbers, no shares; and no file at all."""
    path = tmp_path / "file.txt"
    path.write_text(text)
    with pytest.raises(ArtifactMismatch, match="damaged"):
        read_percentiles(path)
    with pytest.raises(ArtifactMismatch, match="No such file"):
        read_percentiles(tmp_path / "none.txt")
