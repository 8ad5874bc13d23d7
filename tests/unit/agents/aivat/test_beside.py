"""Estimates beside logs: made once, gone on with, and made anew where the log has other hands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agents.aivat.beside import GrowingEstimates, estimate_beside, hands_left
from agents.aivat.estimating import EstimateConfig, estimated_hands
from agents.aivat.rows import head_text, row_text
from agents.errors import AgentError, TrainingError
from engine.errors import LogError

LOG = Path(__file__).parents[3] / "golden" / "aivat" / "blueprint.twin.log"
NOBODY = EstimateConfig({}, None, {}, 1)
HEAD = head_text("checked-down", {})
HANDS = 14


@pytest.fixture
def log(tmp_path):
    """A copy of the log that may be written to."""
    return Path(shutil.copy(LOG, tmp_path / "match.log"))


def estimate(log, head=HEAD):
    """Estimate what there is; return how many hands were estimated, and what lies beside."""
    count = sum(estimate_beside(lambda: [log], None, NOBODY, lambda _: head, 1))
    return count, log.with_suffix(".aivat").read_text()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What lies beside the whole log."""
    return estimate(Path(shutil.copy(LOG, tmp_path_factory.mktemp("m") / "match.log")))[1]


def test_a_log_that_grows_is_gone_on_with(log, whole):
    """Hand by hand, as one file of all logs has them; a line that is being written has to wait."""
    rows = [
        row_text(hand).removeprefix(f"{log.parent}/")
        for hand in estimated_hands([log], None, NOBODY, 1)
    ]
    assert (HEAD + "".join(rows), len(rows)) == (whole, HANDS)
    text = log.read_text()
    cut = text.index("STATE:5:")
    log.write_text(text[: cut + 40])
    assert estimate(log)[0] == 5
    log.write_text(text)
    assert estimate(log) == (HANDS - 5, whole)
    assert estimate(log) == (0, whole)


def test_the_first_hands_of_a_log_may_be_enough(log, whole):
    """More of them are estimated later; what is left can be counted."""
    for most, more in ((5, 5), (5, 0), (4, 0), (7, 2), (99, HANDS - 7)):
        assert hands_left(log, HEAD, most) == more
        found = estimate_beside(lambda: [log], None, NOBODY, lambda _: HEAD, 1, most=most)
        assert sum(found) == more
    assert log.with_suffix(".aivat").read_text() == whole
    assert hands_left(log, HEAD) == 0
    assert hands_left(log, HEAD.replace("checked", "else")) == HANDS


def replaced(text, column, value):
    """The text with another value in the third row from the end."""
    lines = text.splitlines()
    cells = lines[-3].split(",")
    cells[column] = value
    lines[-3] = ",".join(cells)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-30],
        lambda text: text.replace(",-300.000000,", ",-301.000000,", 1),
        lambda text: text.replace("match.log:7,", "match.log:9,"),
        lambda text: text.rsplit("\n", 2)[0] + "\n",
        lambda text: text.replace("checked-down", "others"),
        lambda text: "",
        lambda text: replaced(text, -5, "inf"),
        lambda text: replaced(text, -1, "nan"),
        lambda text: replaced(text, -5, "5000.0"),
        lambda text: replaced(text, -2, "x"),
    ],
)
def test_what_is_not_of_these_hands_is_made_anew(log, whole, damage):
    """However the file came to be so."""
    damaged = damage(whole)
    assert damaged != whole
    log.with_suffix(".aivat").write_text(damaged)
    count, text = estimate(log)
    assert text == whole
    assert count > 0


def test_a_log_whose_end_was_taken_back_is_read_again(log, whole):
    """As when a match goes on after a hand that was lost."""
    text = log.read_text()
    growing = GrowingEstimates(log, None, HEAD)
    assert len(list(growing.new_hands())) == HANDS
    log.write_text(text[: text.index("STATE:9:")])
    assert [number for number, _, _ in growing.new_hands()] == list(range(9))
    log.write_text(text)
    assert [number for number, _, _ in growing.new_hands()] == list(range(9, HANDS))


def test_logs_are_followed_until_they_are_said_to_end(log, whole):
    """New hands and new logs are found; the last look is left out at once."""
    text = log.read_text()
    log.write_text(text[: text.index("STATE:3:")])
    other = log.with_name("other.log")
    logs, counted = [log], 0
    looks = estimate_beside(
        lambda: logs, None, NOBODY, lambda _: HEAD, 1, lambda: counted == HANDS + 9
    )
    for more in looks:
        counted += more
        if counted == 3:
            log.write_text(text)
        if counted == HANDS and other not in logs:
            other.write_text(text[: text.index("STATE:9:")])
            logs.append(other)
    assert log.with_suffix(".aivat").read_text() == whole
    assert other.with_suffix(".aivat").read_text().count("\n") == HEAD.count("\n") + 9


def test_bad_files_are_one_clear_error(log):
    """A damaged line, a log without its game, a folder in the way."""
    text = log.read_text()
    log.write_text(text.replace("STATE:4:", "STATE:4"))
    with pytest.raises(TrainingError, match=r"match\.log:9: "):
        estimate(log)
    log.write_text(text[text.index("STATE:0:") :])
    with pytest.raises(LogError, match="no header names the game"):
        estimate(log)
    log.with_suffix(".aivat").unlink()
    log.with_suffix(".aivat").mkdir()
    with pytest.raises(AgentError, match=r"match\.aivat"):
        estimate(log)


def test_nobody_writes_where_another_does(log, whole):
    """As a program that outlived the one that started it; the rows of the first one stay."""
    one, other = (GrowingEstimates(log, None, HEAD) for _ in range(2))
    assert len(list(one.new_hands())) == len(list(other.new_hands())) == HANDS
    hands = list(estimated_hands([log], None, NOBODY, 1))
    one.add(hands[:2])
    before = log.with_suffix(".aivat").read_bytes()
    with pytest.raises(AgentError, match="another program"):
        other.add(hands[:3])
    one.add(hands[2:])
    after = log.with_suffix(".aivat").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == whole.count("\n")
