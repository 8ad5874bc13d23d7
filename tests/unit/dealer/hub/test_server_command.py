"""`arena server` beside a server: accounts, their quotas and their tokens."""

import csv
import json
import socket
import time
from contextlib import closing
from dataclasses import replace

import pytest

from dealer.hub.match_results import digest_of
from dealer.hub.server_command import _say_where, main
from dealer.hub.server_config import ServerConfig, TlsFiles
from dealer.hub.serving import ListeningSockets
from dealer.hub.store import DATABASE_NAME, LegRecord, Store
from dealer.hub.tokens import new_token
from protocol.deals import DealsProof, format_proof
from tests.helpers.certificates import make_certificate
from tests.helpers.fake_server import MATCH
from tests.helpers.said import says

RESULT = {
    "hands": 50,
    "estimates": {
        "raw": {
            "mbb_per_hand": 5.0,
            "ci95_mbb_per_hand": 2.5,
            "sample_unit": "hand",
            "samples": 50,
            "hands": 50,
        }
    },
}


@pytest.mark.parametrize("address", ["nosuch.invalid", "a..b", "256.0.0.1"])
def test_an_address_that_is_none_is_named(tmp_path, capsys, address):
    """In one line, whatever the resolver thinks of it."""
    assert main(["--listen", address, "--port", "0", "--folder", str(tmp_path / "new")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"arena server: cannot listen on {address}:0: ")
    assert "Unknown error" not in line


def test_a_certificate_is_made_in_a_new_folder(tmp_path, capsys):
    """And a folder that cannot be made is named."""
    assert main(["cert", "localhost", "--to", str(tmp_path / "new")]) == 0
    assert f'key = "{tmp_path / "new" / "localhost.key"}"' in capsys.readouterr().out
    (tmp_path / "file").write_text("")
    assert main(["cert", "localhost", "--to", str(tmp_path / "file" / "new")]) == 2
    says(capsys.readouterr().err, "arena server cert", "file/new", "Not a directory")


def test_files_of_tls_are_looked_at_before_a_folder_is_made(tmp_path, capsys):
    """A certificate that is not there leaves nothing behind."""
    config = tmp_path / "server.toml"
    config.write_text('port = 0\n[tls]\ncert = "no.pem"\nkey = "no.key"\n')
    assert main([str(config), "--folder", str(tmp_path / "new")]) == 2
    says(capsys.readouterr().err, "arena server", "no.pem", "No such file")
    assert not (tmp_path / "new").exists()


def test_who_connects_to_a_certificate_of_our_own_is_told_so(tmp_path, capsys):
    """The line to be typed elsewhere names the file; with one that others signed it need not."""
    own = make_certificate(tmp_path)
    (tmp_path / "owner.token").write_text("token")
    sockets = ListeningSockets(socket.create_server(("127.0.0.1", 0)))
    config = ServerConfig(tls=TlsFiles(str(own.file), str(own.key)))
    with sockets.web:
        _say_where(config, sockets, tmp_path / "owner.token")
        assert f"--bot my-bot --ca {own.file} -- ./my_bot" in capsys.readouterr().out
        _say_where(ServerConfig(), sockets, tmp_path / "owner.token")
        assert "--ca" not in capsys.readouterr().out


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


def test_one_account_is_listed_by_its_name(tmp_path, user, capsys):
    """And a name that there is not is refused."""
    for name in ("ann", "bob"):
        user("add", name)
    assert user("list", "bob") == "bob  open\n"
    assert user("list") == "ann  open\nbob  open\n"
    assert main(["user", "list", "eve", "--folder", str(tmp_path)]) == 2
    says(capsys.readouterr().err, "no account called eve")


def test_a_status_says_why_no_matches_are_begun(tmp_path, capsys, monkeypatch):
    """In a line, and for programs."""
    Store(tmp_path).close()
    for fault in ("No space left on device", ""):
        monkeypatch.setattr("dealer.hub.room_to_write.writing_fault", lambda _, fault=fault: fault)
        assert main(["status", "--folder", str(tmp_path)]) == 0
        assert ("nothing can be written" in capsys.readouterr().out) == bool(fault)
        assert main(["status", "--json", "--folder", str(tmp_path)]) == 0
        assert json.loads(capsys.readouterr().out)["paused"] == (fault or None)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("result", "{"),
        ("result", "{}"),
        ("result", '{"hands": 50, "estimates": {"raw": {}}}'),
        ("result", '{"hands": 50, "estimates": {}, "betting": {"ahead": 1}}'),
        ("hands", "x"),
        ("first", 77),
    ],
)
def test_a_damaged_database_is_told_in_one_line(tmp_path, capsys, column, value):
    """Whatever it is asked for: no traceback, and no file of what cannot be relied on."""
    with closing(Store(tmp_path)) as store:
        versions = [store.version(None, name, "", "a", 1.0).id for name in ("rule", "solid")]
        match = store.begin_match(replace(MATCH, first=versions[0], second=versions[1]), ())
        store.end_match(match.id, "finished", 2.0, hands=200, result=RESULT)
        store._database.execute("PRAGMA foreign_keys = OFF")
        store._database.execute(f"UPDATE matches SET {column} = ?", (value,))
    for words in (["check"], ["export", str(tmp_path / "out")]):
        assert main([*words, "--folder", str(tmp_path)]) == 1
        first, *more = capsys.readouterr().err.splitlines()
        assert "damaged" in first or "is not there" in first
        assert not more or words == ["check"]


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "None", "1" * 13, "٣"])
@pytest.mark.parametrize("option", ["--days", "--hands-a-day"])
def test_a_quota_is_a_number_or_none(tmp_path, capsys, option, text):
    """What else is typed is refused in one line."""
    with pytest.raises(SystemExit) as end:
        main(["user", "set", "ann", f"{option}={text}", "--folder", str(tmp_path)])
    assert end.value.code == 2
    says(capsys.readouterr().err, "arena server user", option, "from 1 to", "or none")


@pytest.fixture
def played(tmp_path):
    """The folder of a server with a counted match, one never counted and a forfeited one."""
    with closing(Store(tmp_path)) as store:
        ann = store.add_account("ann", new_token("ann")[1], 1.0)
        mine = store.version(ann.id, "mine", "v7", "aa", 1.0)
        rule = store.version(None, "rule", "0.1", "bb", 1.0)
        for state in ("finished", "finished", "forfeited"):
            match = store.begin_match(
                replace(MATCH, first=mine.id, second=rule.id, pairs=False, keyed=True), ()
            )
            log = tmp_path / "matches" / f"{match.id:08}" / "leg0.log"
            log.parent.mkdir(parents=True)
            log.write_text(f"# match {match.id}\n")
            if state == "finished":
                store.add_leg(LegRecord(match.id, 0, state, "", 100, digest_of(log)))
            result = RESULT if match.id == 1 else None
            store.end_match(match.id, state, 9.0, detail="why", hands=50, result=result)
        store._database.execute("UPDATE matches SET culprit = first WHERE id = 3")
    return tmp_path


def test_a_check_names_matches_that_were_never_counted(played, capsys):
    """And logs that are not what they were; it ends with 1 then."""
    assert main(["check", "--folder", str(played)]) == 1
    captured = capsys.readouterr()
    assert captured.err == "match 2: never counted, which the next start does: why\n"
    assert captured.out == "3 matches, 150 hands: 1 faults\n"
    (played / "matches" / "00000001" / "leg0.log").write_text("# another\n")
    assert main(["check", "--folder", str(played)]) == 1
    assert "not what it was when the match ended" in capsys.readouterr().err


def test_an_export_has_names_beside_numbers(played, tmp_path_factory):
    """In matches.csv as in results.csv; estimates.csv has every estimator of each match."""
    to = tmp_path_factory.mktemp("exported") / "term"
    assert main(["export", str(to), "--folder", str(played)]) == 0
    with (to / "matches.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = ["first_bot", "first_version", "second_bot", "second_version", "forfeited_by"]
    assert [rows[0][name] for name in names] == ["mine", "v7", "rule", "0.1", ""]
    assert [rows[2][name] for name in ("id", "first", "forfeited_by")] == ["3", "1", "mine"]
    assert (to / "estimates.csv").read_text() == (
        "match,estimator,mbb_per_hand,ci95_mbb_per_hand,sample_unit,samples,hands\n"
        "1,raw,5.0,2.5,hand,50,50\n"
    )
    assert (to / "results.csv").read_text().count("\n") == 4
    proof = format_proof(DealsProof(MATCH.secret, MATCH.words))
    assert (to / "00000002.leg0.log").read_text() == f"# match 2\n{proof}\n"


def test_an_export_tells_nothing_of_deals_to_come(tmp_path, tmp_path_factory):
    """What the deals of a running match follow from is left out, as on the board."""
    with closing(Store(tmp_path)) as store:
        version = store.version(None, "rule", "0.1", "bb", 1.0).id
        store.begin_match(replace(MATCH, first=version, second=version, seed=7, keyed=True), ())
    to = tmp_path_factory.mktemp("exported") / "term"
    assert main(["export", str(to), "--folder", str(tmp_path)]) == 0
    with (to / "matches.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert [row[name] for name in ("state", "secret", "seed")] == ["running", "", ""]


def test_a_server_with_a_damaged_database_does_not_start(played, capsys):
    """One line says what is damaged and what helps; the file stays as it is."""
    path = played / DATABASE_NAME
    with closing(Store(played)) as store:
        for number in range(400):
            store.notify(1, float(number), "x" * 100)
    content = bytearray(path.read_bytes())
    content[-8192:-4096] = b"\xff" * 4096
    path.write_bytes(content)
    config = played / "server.toml"
    config.write_text("port = 0\n[[house]]\nbot = 'always-call'\n")
    assert main([str(config), "--folder", str(played)]) == 1
    says(capsys.readouterr().err, "arena server", DATABASE_NAME, "damaged", "arena server backup")
    assert path.read_bytes() == content
