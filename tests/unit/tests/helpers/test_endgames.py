"""Subgames by name and from published files."""

import numpy as np
import pytest

from engine.hands.cards import COMBOS, parse_combo
from tests.helpers.endgames import SUBGAMES, read_subgame


def text(**changed):
    """A published file in which both hold all hands, the first one 2s2h twice as often."""
    reach = ["2", *["1"] * (2 * COMBOS - 1)]
    fields = {"round": "4", "board": "4s8hTc9h2s", "pot": "500", "reach": " ".join(reach)}
    return "".join(f"-{key} {value}\n" for key, value in (fields | changed).items() if value)


def test_a_published_file_is_read(tmp_path):
    """Combos come in another order than ours."""
    path = tmp_path / "subgame.txt"
    path.write_text(text())
    found = read_subgame(path)
    assert (len(found.board), found.pot, found.stack) == (5, 500, 19_750)
    assert found.ranges[0, parse_combo("2s2h")] == 2
    assert found.ranges.sum() == 2 * COMBOS + 1
    assert len(found.tree().decisions) == 32


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reach": None}, "no line -reach"),
        ({"board": "4s8hTc9h"}, "round 3 with four cards"),
        ({"board": "xx"}, "no subgame: "),
        ({"round": "x"}, "no subgame: "),
        ({"pot": "501"}, "a pot of 501"),
        ({"reach": "1 2"}, "want 2 x 1326 weights"),
        ({"reach": " ".join(["nan"] * 2652)}, "want 2 x 1326 weights"),
        ({"reach": " ".join(["-1"] * 2652)}, "want 2 x 1326 weights"),
        ({"reach": "1 " * 10**6}, "too long"),
    ],
)
def test_what_is_no_subgame_is_refused(changed, said, tmp_path):
    """With what is wrong."""
    path = tmp_path / "subgame.txt"
    path.write_text(text(**changed))
    with pytest.raises(ValueError, match=said):
        read_subgame(path)


@pytest.mark.parametrize("name", SUBGAMES)
def test_spots_of_our_own_are_rivers_and_turns(name):
    """Both ranges hold something, stacks are left."""
    found = SUBGAMES[name]()
    assert len(found.board) == {"river": 5, "turn": 4}[name.partition("-")[0]]
    assert np.count_nonzero(found.ranges, axis=1).min() > 100
    assert len(found.tree().decisions) > 10
