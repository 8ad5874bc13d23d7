"""What the files beside the logs say counts for hands that the logs have, and for no others."""

from __future__ import annotations

import numpy as np
import pytest

from dealer.errors import MatchError
from dealer.results.aivat import LegEstimates
from dealer.series.logs import LegLog

HEAD = (
    "# values abc\n# a is blueprint\n"
    "place,hand,position0,position1,big_blind,won,allin,aivat,end,deal,board,actions\n"
)
ROWS = (
    "m.log:1,0,b,a,100,100.000000,100,-20.500000,0,0,0,0\n",
    "m.log:2,1,a,b,100,-50.000000,-50,7.000000,0,0,0,0\n",
)
LOG = ("STATE:0:r200f:2c3c|4c5c:100|-100:b|a\n", "STATE:1:f:2c3c|4c5c:-50|50:a|b\n")


@pytest.fixture
def leg(tmp_path):
    """A leg of three hands that has none yet."""
    return LegLog(tmp_path / "m.log", ["a", "b"], 3)


def add(leg, text, suffix=".aivat"):
    with leg.path.with_suffix(suffix).open("a") as file:
        file.write(text)


def test_rows_count_for_the_bots_once_the_log_has_the_hand(leg):
    """Rows may come first, in pieces, and half of one."""
    estimates = LegEstimates(leg)
    estimates.read_new()  # nothing there
    add(leg, HEAD + ROWS[0] + ROWS[1][:20])
    estimates.read_new()
    assert np.isnan(estimates.chips).all()
    assert estimates.facts == {"values": "abc", "known": {"a": "blueprint"}}
    add(leg, LOG[0], ".log")
    leg.read_new()
    estimates.read_new()
    assert estimates.chips[0].tolist() == [20.5, -20.5]
    assert estimates.complete
    add(leg, LOG[1], ".log")
    leg.read_new()
    assert not estimates.complete
    add(leg, ROWS[1][20:])
    estimates.read_new()
    assert estimates.chips[1].tolist() == [7, -7]
    assert estimates.complete


def test_a_row_with_another_result_is_left_out(leg):
    """It is of a hand that was played again; the file is written anew, and read anew."""
    add(leg, "".join(LOG), ".log")
    leg.read_new()
    add(leg, HEAD + ROWS[0] + ROWS[1].replace("-50.0", "-100.0"))
    estimates = LegEstimates(leg)
    estimates.read_new()
    assert not estimates.complete
    leg.path.with_suffix(".aivat").write_text(HEAD + "".join(ROWS)[:-1])
    estimates.read_new()
    assert not estimates.complete
    add(leg, "\n")
    estimates.read_new()
    assert estimates.complete


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("# values", "# value") + ROWS[0],
        HEAD.replace(",aivat,", ",other,") + ROWS[0],
        HEAD + ROWS[0].replace(",b,a,", ",b,c,"),
        HEAD + ROWS[0].replace(",0,b", ",7,b"),
        HEAD + ROWS[0].replace("-20.5", "x"),
        HEAD + "\n\0\n",
    ],
    ids=["values", "columns", "names", "hand", "number", "nothing"],
)
def test_other_files_are_refused(leg, text):
    """In a line that names the file."""
    add(leg, "".join(LOG), ".log")
    leg.read_new()
    add(leg, text)
    with pytest.raises(MatchError, match=r"m\.aivat: no estimates"):
        LegEstimates(leg).read_new()
