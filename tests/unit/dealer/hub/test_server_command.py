"""`arena server` beside a server: accounts, their quotas and their tokens."""

import time
from contextlib import closing

import pytest

from dealer.hub.server_command import main
from dealer.hub.store import Store
from tests.helpers.said import says


@pytest.fixture
def user(tmp_path, capsys):
    """A function that runs `arena server user`, and returns what it prints."""
    Store(tmp_path).close()

    def run(*words):
        assert main(["user", *words, "--folder", str(tmp_path)]) == 0
        return capsys.readouterr().out

    return run


def test_quotas_and_expiry_are_set_and_taken_away_again(tmp_path, user):
    """Each by itself; what is not named stays."""
    user("add", "ann", "--days", "2", "--hands-a-day", "500", "--matches-at-once", "3")
    assert "open until" in user("list")
    user("set", "ann", "--hands-a-day", "none", "--hands-a-match", "none")
    with closing(Store(tmp_path)) as store:
        account = store.account("ann")
        assert (account.hands_a_day, account.matches_at_once) == (None, 3)
        assert 0 < account.expires - time.time() <= 2 * 86400
    user("set", "ann", "--days", "none", "--matches-at-once", "none")
    assert user("list") == "ann  open\n"


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "None", "1" * 13, "٣"])
@pytest.mark.parametrize("option", ["--days", "--hands-a-day"])
def test_a_quota_is_a_number_or_none(tmp_path, capsys, option, text):
    """What else is typed is refused in one line."""
    with pytest.raises(SystemExit) as end:
        main(["user", "set", "ann", f"{option}={text}", "--folder", str(tmp_path)])
    assert end.value.code == 2
    says(capsys.readouterr().err, "arena server user", option, "from 1 to", "or none")
