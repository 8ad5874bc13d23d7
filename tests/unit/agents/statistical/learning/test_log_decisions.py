"""Match logs -> decisions."""

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.learning.log_decisions import cached_decisions, collect_decisions, read_logs
from agents.statistical.predicting.contexts import FEATURES
from agents.training.logs import hand_of_line
from engine.errors import ArtifactMismatch
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line

HUNL = load_builtin("hunl")
LINES = (
    "STATE:0:r300c/cr600f:ThAs|Ac6c/Qd2h7c:-300|300:Ann|Bob",
    "STATE:1:cr300c/cc/cc/cc:Jd2c|ThAs/AhKd3c/9s/9h:-300|300:Bob|Ann",
)


def decisions_in(lines):
    """The decisions of hands of hunl."""
    return collect_decisions(hand_of_line(HUNL, parse_log_line(line)) for line in lines)


@pytest.fixture(scope="module")
def read():
    """The decisions of two hands."""
    return decisions_in(LINES)


def test_actions_cells_and_players(read):
    """One row for each action, as the log has it."""
    assert read.names == ("Bob", "Ann")
    names = [read.names[player] for player in read.players]
    assert names[:5] == ["Bob", "Ann", "Ann", "Bob", "Ann"]
    assert names[5:8] == ["Ann", "Bob", "Ann"]
    assert read.actions[:8].tolist() == [RAISE, CALL, CALL, RAISE, FOLD, CALL, RAISE, CALL]
    assert read.cells.tolist() == [0, 1, 3, 3, 4, 0, 0, 1, 3, 3, 6, 6, 9, 9]
    assert read.hands.tolist() == [0] * 5 + [1] * 9


def test_sizes_of_raises_and_stacks(read):
    """300 - 100 into 200 after the call; 600 - 300 into 600; 300 - 100 into 200."""
    raised = read.raises[read.actions == RAISE]
    assert raised == pytest.approx([200 / 200, 300 / 600, 200 / 200])
    assert (read.raises[read.actions != RAISE] == 0).all()
    assert read.stacks[:3] == pytest.approx([0.9975, 0.995, 0.985])


def test_strengths_are_those_of_the_actors_hands(read):
    """Known from the log; but only the second hand was shown."""
    assert not np.isnan(read.strengths).any()
    assert read.shown.tolist() == [False] * 5 + [True] * 9
    assert 0.75 < read.strengths[0] < 0.95  # Ac6c before the flop: the share of weaker hands
    weak, strong = read.strengths[-2], read.strengths[-1]  # Jd2c and ThAs on AhKd3c9s9h
    assert weak < 0.4
    assert strong > 0.85


def test_counters_hold_earlier_actions_only(read):
    """Nobody's action is in the context that it is predicted from."""
    known = FEATURES.index("known here")
    raises = FEATURES.index("raises")
    first = [read.players.tolist().index(player) for player in (0, 1)]
    assert read.contexts[first, known].tolist() == [0, 0]
    assert read.contexts[first, raises] == pytest.approx([0.3, 0.3])
    assert read.contexts[6, known] == pytest.approx(1 / 7)  # Bob raised here once


def test_contexts_hold_no_private_cards():
    """Other hole cards change strengths and nothing else; hidden ones have none."""
    other = decisions_in(line.replace("ThAs", "8s8d") for line in LINES)
    same = decisions_in(LINES)
    np.testing.assert_array_equal(other.contexts, same.contexts)
    assert (other.strengths != same.strengths).any()
    hidden = decisions_in(["STATE:0:r300f:|Ac6c:-100|100:Ann|Bob"])
    assert np.isnan(hidden.strengths).tolist() == [False, True]


def test_decisions_are_kept_until_the_logs_change(tmp_path):
    """The second call reads the file; other logs are read anew; damage is told."""
    path, cache = tmp_path / "some.log", tmp_path / "decisions.data"
    path.write_text(LINES[0] + "\n")
    stages = []
    first = cached_decisions(cache, [path], HUNL, lambda stage, done: stages.append(stage))
    assert {"logs", "hand strengths"} <= set(stages)
    stages.clear()
    again = cached_decisions(cache, [path], HUNL, lambda stage, done: stages.append(stage))
    assert stages == []
    np.testing.assert_array_equal(first.contexts, again.contexts)
    path.write_text("\n".join(LINES) + "\n")
    assert cached_decisions(cache, [path], HUNL).hand_count == 2
    cache.write_bytes(b"damaged")
    with pytest.raises(ArtifactMismatch):
        cached_decisions(cache, [path], HUNL)


def test_the_real_logs_can_be_read(shared_data, tmp_path):
    """A thousand hands of the published ones, and those of the original dealer's limit game."""
    lines = (shared_data / "deepstack" / "hands.log").read_bytes().splitlines(keepends=True)
    path = tmp_path / "deepstack.log"
    path.write_bytes(b"".join(lines[:300]))
    found = read_logs([path], HUNL)
    assert found.hand_count == 300
    assert "DeepStack" in found.names
    strong = found.strengths[found.actions == RAISE].mean()
    assert strong > found.strengths[found.actions == FOLD].mean() + 0.1
