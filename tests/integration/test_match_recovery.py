"""`arena match --resume` where files of the match are lost or cut."""

import re

import pytest

from dealer.commands.match import main
from tests.helpers.said import says

HANDS = 40


def hands(log):
    """Return the lines of hands in a log, in the order of the hands."""
    lines = [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
    return sorted(lines, key=lambda line: int(line.split(":")[1]))


@pytest.fixture
def played(tmp_path):
    """A finished match of two legs: its folder, and the log and the transactions of one leg."""
    folder = tmp_path / "m"
    words = ["always-call", "always-fold", "--hands", str(HANDS), "--seed", "3", "--quiet"]
    assert main([*words, "--out", str(folder)]) == 0
    log = min(folder.glob("*.log"))
    return folder, log, log.with_suffix(".tlog")


@pytest.mark.parametrize("lose", [lambda log: log.unlink(), lambda log: log.write_text("")])
def test_a_lost_log_is_written_again(played, capsys, lose):
    """From the transaction file; the result counts all hands."""
    folder, log, _ = played
    before = hands(log)
    assert len(before) == HANDS
    lose(log)
    assert main(["--resume", str(folder)]) == 0
    assert hands(log) == before
    assert f"{HANDS} sets" in capsys.readouterr().out


def test_transactions_that_end_before_the_log_are_written_again(played):
    """From the log, as after a loss of power; no hand is played again."""
    folder, log, transactions = played
    whole = transactions.read_text()
    before = hands(log)
    log.write_text(log.read_text().rpartition("SCORE:")[0])
    transactions.write_text(whole[: len(whole) // 2])
    assert main(["--resume", str(folder)]) == 0
    assert hands(log) == before
    actions = [line.split()[:2] for line in transactions.read_text().splitlines()]
    assert actions == [line.split()[:2] for line in whole.splitlines()]


def test_a_log_that_contradicts_its_transactions_is_refused(played, capsys):
    """Nothing is played or written; with the file put back, the match is whole."""
    folder, log, transactions = played
    unscored = log.read_text().rpartition("SCORE:")[0]
    wrong = re.sub(r":-?[0-9]+\|-?[0-9]+:", ":1|-1:", unscored, count=1)
    log.write_text(wrong)
    whole = transactions.read_bytes()
    assert main(["--resume", str(folder)]) == 1
    says(capsys.readouterr().out, "cannot resume", "hand 0", log.name)
    assert (log.read_text(), transactions.read_bytes()) == (wrong, whole)
    log.write_text(unscored)
    assert main(["--resume", str(folder)]) == 0
    assert len(hands(log)) == HANDS
