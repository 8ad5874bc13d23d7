"""Match logs -> decisions."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.learning.log_decisions import cached_decisions, collect_decisions, read_logs
from agents.statistical.predicting.contexts import FEATURES
from agents.training.logs import find_logs, one_game, read_hand
from engine.errors import ArtifactMismatch
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log

HUNL = load_builtin("hunl")
LINES = (
    "STATE:0:r300c/cr600f:ThAs|Ac6c/Qd2h7c:-300|300:Ann|Bob",
    "STATE:1:cr300c/cc/cc/cc:Jd2c|ThAs/AhKd3c/9s/9h:-300|300:Bob|Ann",
)


def decisions_in(lines):
    """The decisions of hands of hunl."""
    return collect_decisions(read_hand(HUNL, parse_log_line(line)) for line in lines)


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
    """Other hole cards change strengths and nothing else."""
    other = decisions_in(line.replace("ThAs", "8s8d") for line in LINES)
    same = decisions_in(LINES)
    np.testing.assert_array_equal(other.contexts, same.contexts)
    assert (other.strengths != same.strengths).any()


def test_hidden_cards_have_no_strength():
    """A log of one player's view is read as well."""
    found = decisions_in(["STATE:0:r300f:|Ac6c:-100|100:Ann|Bob"])
    assert np.isnan(found.strengths).tolist() == [False, True]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("STATE:0:r300:ThAs|Ac6c:-300|300:Ann|Bob", "not over"),
        ("STATE:0:r150f:ThAs|Ac6c:-100|100:Ann|Bob", "r150"),
        ("STATE:0:fc:ThAs|Ac6c:-100|100:Ann|Bob", "the hand is over"),
        ("STATE:0:r300f:ThAs|Ac:-100|100:Ann|Bob", "cards"),
        ("STATE:0:r300f:ThAs|8sKd:-100|100:Ann|Bob\nSTATE:0:r3", ":2: "),
        ("STATE:0:r300f:ThAs:-100:Ann", "positions"),
        ("nonsense", ":1: "),
        ("", "no hands in"),
    ],
)
def test_bad_logs_are_refused_with_their_place(tmp_path, line, complaint):
    """One line that says where and what."""
    path = tmp_path / "bad.log"
    path.write_text(f"{line}\n")
    with pytest.raises(TrainingError, match=complaint):
        read_logs([path], HUNL)
    with pytest.raises(TrainingError, match=complaint):
        one_game([path], HUNL)


@pytest.mark.parametrize(
    "data",
    [gzip.compress(LINES[0].encode(), mtime=0), LINES[0].encode("utf-16")],
    ids=["gzip", "UTF-16"],
)
def test_what_is_not_text_is_told_in_text(tmp_path, data):
    """Nothing of it is quoted."""
    path = tmp_path / "match.log"
    path.write_bytes(data)
    with pytest.raises(TrainingError, match=r"match\.log:1: not text, so no match log$"):
        read_logs([path], HUNL)


@pytest.mark.parametrize("read_all", [read_logs, one_game])
def test_raises_of_limit_games_have_the_size_of_the_game(tmp_path, read_all):
    """Which may be written, though it need not be."""
    path, limit = tmp_path / "match.log", load_builtin("hulhe")
    path.write_text("STATE:0:rf:ThAs|Ac6c:-10|20:Ann|Bob\nSTATE:1:r20f:ThAs|Ac6c:-10|20:Ann|Bob\n")
    read_all([path], limit)
    path.write_text("STATE:0:rf:ThAs|Ac6c:-10|20:Ann|Bob\nSTATE:1:r500f:ThAs|Ac6c:-10|20:Ann|Bob\n")
    with pytest.raises(TrainingError, match=r"match\.log:2: r500: a raise .* is to 20 chips"):
        read_all([path], limit)


@pytest.mark.parametrize("read_all", [read_logs, one_game])
def test_the_caller_does_not_contradict_a_header(tmp_path, read_all):
    """A game of that kind, or any where the name says nothing."""
    path = tmp_path / "match.log"
    header = "# name/game/hands/seed m /x/holdem.nolimit.2p.reverse_blinds.game 2 1\n"
    path.write_text(header + "\n".join(LINES) + "\n")
    read_all([path], HUNL)
    with pytest.raises(TrainingError, match=r":1: the header names holdem\.nolimit.*--game anoth"):
        read_all([path], load_builtin("hulhe"))
    read_all([path], replace(HUNL, stacks=(30_000, 30_000)))
    path.write_text(header.replace("holdem", "own") + "\n".join(LINES) + "\n")
    read_all([path], HUNL)


def test_hands_of_one_game_know_their_places(tmp_path):
    """What is wrong with a hand is told with them, too."""
    path, other = tmp_path / "a.log", tmp_path / "b.log"
    path.write_text("\n" + LINES[0] + "\n")
    other.write_text(LINES[1] + "\n")
    found = one_game([path, other], HUNL, all_shown=True)
    assert [hand.hand_id for hand in found.hands] == [0, 1]
    assert found.places == [f"{path}:2", f"{other}:1"]
    for bad, complaint in (("|As6c/", "dealt twice"), ("|/", "hides cards")):
        other.write_text(LINES[0].replace("|Ac6c/", bad))
        with pytest.raises(TrainingError, match=rf"b\.log:1: .*{complaint}"):
            one_game([path, other], HUNL, all_shown=True)
    one_game([path, other], HUNL)
    other.write_text(
        "# name/game/hands/seed m leduc.limit.2p.game 1 1\nSTATE:0:cc/cc:Ks|Qs/Jh:1|-1:a|b\n"
    )
    for read_all, complaint in ((read_logs, "hold'em can"), (one_game, "hold'em for two can")):
        with pytest.raises(TrainingError, match=f"only {complaint} be learned from.*1 hole cards"):
            read_all([other])


def test_folders_of_logs_are_found(tmp_path):
    """In the order of their names; what is missing is told."""
    for name in ("b.log", "a.log", "c.txt"):
        (tmp_path / name).write_text("")
    assert [log.name for log in find_logs([tmp_path, tmp_path / "c.txt"])] == [
        *("a.log", "b.log", "c.txt")
    ]
    with pytest.raises(TrainingError, match=r"d\.log: No such file"):
        find_logs([tmp_path / "d.log"])


def test_games_come_from_headers_or_the_caller(tmp_path):
    """A header names a built-in game; without one the caller must."""
    lines = random_log(
        load_builtin("hulhe"),
        3,
        5,
        np.random.default_rng(1),
        game_name="/somewhere/holdem.limit.2p.reverse_blinds.game",
    )
    path = tmp_path / "limit.log"
    path.write_text("\n".join(lines) + "\n")
    found = read_logs([path])
    assert found.hand_count == 5
    assert (found.contexts[:, FEATURES.index("no-limit")] == 0).all()
    path.write_text("\n".join(line for line in lines if line.startswith("STATE")) + "\n")
    with pytest.raises(TrainingError, match="no header names the game; pass --game"):
        read_logs([path])
    with pytest.raises(TrainingError, match="No such file"):
        read_logs([tmp_path / "none.log"], HUNL)
    path.write_text("# name/game/hands/seed m chess.game 1 1\n")
    with pytest.raises(TrainingError, match="chess"):
        read_logs([path])
    path.write_text("# name/game/hands/seed m kuhn.limit.2p.game 1 1\nSTATE:0:cc:Ks|Qs:1|-1:a|b\n")
    with pytest.raises(TrainingError, match="hold'em"):
        read_logs([path])


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
