"""The database: what is written is there, once, whoever else writes and whatever is wrong."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from dealer.hub.board_ratings import rate_board, rating_documents
from dealer.hub.errors import DamagedStore, ServerError, StoreFault
from dealer.hub.store import DATABASE_NAME, LegRecord, MatchRequest, Store
from dealer.hub.tokens import new_token
from tests.helpers.fake_server import MATCH


@pytest.fixture
def store(tmp_path):
    """A database with an account and two bots."""
    with closing(Store(tmp_path)) as store:
        account = store.add_account("ann", new_token("ann")[1], 1.0, hands_a_day=500)
        store.version(account.id, "mine", "1", "aa", 2.0)
        store.version(None, "rule", "0.1", "bb", 2.0)
        yield store


def request(version=1, **fields):
    """A request of a version."""
    usual = MatchRequest(0, version, "rule", "hunl", 100, True, True, "", 3.0, "waiting", "", None)
    return replace(usual, **fields)


def test_accounts_come_back(store):
    """An account has what it was given, whatever the letters of its name."""
    account = store.account("ANN")
    assert (account.name, account.hands_a_day, account.matches_at_once) == ("ann", 500, None)
    assert account.is_open(1e12)
    assert not store.change_account("ann", expires=10.0).is_open(10.0)
    assert not store.change_account("ann", expires=None, revoked=5.0).is_open(6.0)
    with pytest.raises(ServerError, match="there is an account called Ann"):
        store.add_account("Ann", new_token("Ann")[1], 1.0)
    with pytest.raises(ServerError, match="there is no account called bob"):
        store.account("bob")


def test_versions_are_told_apart_by_label_and_digest(store):
    """The same label and digest are one version; a bot's name belongs to one account."""
    assert store.version(1, "mine", "1", "aa", 9.0).id == 1
    assert store.version(1, "mine", "1", "ab", 9.0).id != 1
    assert store.version(1, "Mine", "2", "aa", 9.0).bot == 1
    other = store.add_account("bob", new_token("bob")[1], 1.0)
    for name in ("mine", "rule"):
        with pytest.raises(ServerError, match="is somebody else's bot"):
            store.version(other.id, name, "1", "", 9.0)


def test_a_match_begins_with_its_requests_or_not_at_all(store):
    """Requests become a match together; where one waits no more nothing has happened."""
    first, second = store.add_request(request()), store.add_request(request())
    assert store.end_request(second.id, "withdrawn", "")
    assert not store.end_request(second.id, "withdrawn", "")
    assert store.begin_match(MATCH, (first.id, second.id)) is None
    assert store.matches() == []
    assert store.waiting_requests() == [first]
    match = store.begin_match(MATCH, (first.id,))
    assert match == replace(MATCH, id=match.id)
    assert store.request(first.id).match == match.id
    assert store.waiting_requests() == []


def test_the_last_match_of_an_owner_is_that_of_earlier_requests(store):
    """A match counts for the requests that its owner made after the one that became it."""
    early, middle, late = (store.add_request(request()) for _ in range(3))
    match = store.begin_match(MATCH, (middle.id,))
    numbers = {waiting.id: waiting.last_match for waiting in store.waiting_requests()}
    assert numbers == {early.id: 0, late.id: match.id}
    assert store.add_request(request()).last_match == match.id


def test_a_match_ends_once(store):
    """The first end of a match and of a leg counts, and stands after it is opened again."""
    match = store.begin_match(MATCH, (store.add_request(request()).id,))
    leg = LegRecord(match.id, 0, "finished", "", 100, "cc")
    store.add_leg(leg)
    store.add_leg(replace(leg, sha256="dd"))
    assert store.hands_since(1, 0.0) == 200
    assert store.end_match(match.id, "finished", 60.0, hands=200, result={"hands": 200})
    assert not store.end_match(match.id, "void", 61.0)
    store.close()
    with closing(Store(store.path.parent)) as again:
        assert again.legs(match.id) == [leg]
        assert again.match(match.id).state == "finished"
        assert again.match_counts() == {"finished": 1}
        assert (again.hands_played(), again.hands_since(1, 51.0)) == (200, 0)
        assert again.matches_of([2]) == again.matches("finished", most=1) == again.matches()


def play(store, number, state="finished", result=None):
    """Have a match with a number, begun and ended."""
    match = store.begin_match(MATCH, (store.add_request(request()).id,))
    assert match.id == number
    store.end_match(number, state, 60.0, hands=200, result=result)


def test_matches_come_one_by_one_in_their_order(store, monkeypatch):
    """All of a state, however many are read at once."""
    for number in range(1, 8):
        play(store, number, "void" if number in (1, 4, 5) else "finished")
    for rows in (1, 2, 3, 100):
        monkeypatch.setattr("dealer.hub.store._ROWS_AT_ONCE", rows)
        assert [match.id for match in store.each_match()] == [1, 2, 3, 4, 5, 6, 7]
        assert [match.id for match in store.each_match("finished")] == [2, 3, 6, 7]
        assert list(store.each_match("running")) == []


def test_a_board_is_rated_from_the_database(store):
    """As from matches and versions at hand."""
    estimate = {"mbb_per_hand": 50.0, "ci95_mbb_per_hand": 10.0, "samples": 100, "hands": 200}
    estimate["sample_unit"] = "hand"
    for number in (1, 2):
        play(store, number, result={"hands": 200, "estimates": {"raw": estimate}})
    rated = rate_board(store.path.parent)
    (rows,) = (board["bots"] for board in rated.values())
    assert {row["bot"]: row["hands"] for row in rows} == {"mine": 400, "rule": 400}
    for row in rows:
        row.pop("age_seconds")
    again = rating_documents(store.matches("finished"), store.versions())
    for row in again["hunl"]["bots"]:
        row.pop("age_seconds")
    assert rated == again


def test_others_may_write_meanwhile(store):
    """A second connection sees what the first one wrote, and the first what it adds."""
    with closing(Store(store.path.parent)) as other:
        other.add_account("bob", new_token("bob")[1], 1.0)
        other.notify(1, 7.0, "word")
    assert [account.name for account in store.accounts()] == ["ann", "bob"]
    assert store.notices(1) == [(7.0, "word")]


def test_a_backup_is_a_whole_database(store, tmp_path):
    """A copy has all rows, and the check finds nothing wrong with it."""
    folder = tmp_path / "copy"
    folder.mkdir()
    store.back_up(folder / DATABASE_NAME)
    with closing(Store(folder)) as copy:
        assert copy.accounts() == store.accounts()
        assert copy.check() == []
    with pytest.raises(ServerError, match="unable to open"):
        store.back_up(tmp_path / "no" / "folder")


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_file_is_refused_in_a_line(tmp_path, content):
    """What is no database is neither read nor written over."""
    (tmp_path / DATABASE_NAME).write_bytes(content)
    with pytest.raises(ServerError, match=DATABASE_NAME):
        Store(tmp_path)
    assert (tmp_path / DATABASE_NAME).read_bytes() == content


def test_a_damaged_page_is_noticed_at_a_start(store):
    """Also one that is not read when the database is opened."""
    for number in range(400):
        store.notify(1, float(number), "x" * 100)
    store.look_for_damage()
    store.close()
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(size - 8192)
        file.write(b"\xff" * 4096)
    with (
        closing(Store(store.path.parent)) as damaged,
        pytest.raises(DamagedStore, match=r"sqlite: damaged \(.*arena server backup") as caught,
    ):
        damaged.look_for_damage()
    assert caught.value.exit_code == 1
    assert "\n" not in str(caught.value)


def test_a_text_that_is_none_is_refused_in_a_line(store):
    """In a row, and in the schema, of which SQLite's own message has bytes."""
    store._database.execute("UPDATE accounts SET name = CAST(x'ff' AS TEXT)")
    with pytest.raises(StoreFault, match=DATABASE_NAME) as caught:
        store.accounts()
    assert "\n" not in str(caught.value)
    store._database.execute("PRAGMA writable_schema = ON")
    store._database.execute(
        "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT), sql = 'CREATE TABLE' "
        "WHERE name = 'accounts'"
    )
    store.close()
    with pytest.raises(DamagedStore, match="its schema is no text"):
        Store(store.path.parent)


def test_a_newer_schema_is_refused(store):
    """A database that a newer program wrote is left alone."""
    with closing(sqlite3.connect(store.path)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(ServerError, match="its schema is version 99"):
        Store(store.path.parent)


def test_an_older_database_is_brought_up_to_date(store):
    """Matches in it were dealt from seeds, and are so to the end."""
    match = store.begin_match(replace(MATCH, keyed=True), ())
    store.close()
    with closing(sqlite3.connect(store.path)) as database:
        for table in ("matches", "requests"):
            database.execute(f"ALTER TABLE {table} DROP COLUMN keyed")
        database.execute("ALTER TABLE requests DROP COLUMN words_sha256")
        database.execute("ALTER TABLE matches DROP COLUMN dealt")
        database.execute("DROP INDEX matches_by_third")
        database.execute("ALTER TABLE matches DROP COLUMN third")
        database.execute("PRAGMA user_version = 3")
    with closing(Store(store.path.parent)) as newer:
        assert newer.match(match.id) == replace(match, keyed=False)


def test_a_full_disk_changes_nothing(store):
    """What cannot be written is told, and is not there."""
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ServerError, match="full"):
        store.notify(1, 1.0, "x" * 1_000_000)
    assert store.notices(1) == []
    store._database.execute("PRAGMA max_page_count = 1000000")
    store.notify(1, 1.0, "more")
    assert store.notices(1) == [(1.0, "more")]
    assert store.check() == []
