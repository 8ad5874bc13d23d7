"""The ledger: whole after any death of its writer, refused where it was changed."""

import json

import pytest

from dealer.errors import MatchError
from dealer.series.ledger import LegEntry, TournamentLedger, digest_of_log
from dealer.server.endings import Ending
from tests.helpers.said import refused


def entry(leg="A.B.0.0", **changes):
    facts = {
        "pairing": "A.B",
        "leg": leg,
        "hands": 10,
        "ending": Ending.FINISHED,
        "bot": None,
        "chips": {"A": 5.0, "B": -5.0},
        "sha256": "0" * 64,
    }
    return LegEntry(**{**facts, **changes})


@pytest.fixture
def path(tmp_path):
    """A ledger of two legs."""
    path = tmp_path / "ledger.jsonl"
    ledger = TournamentLedger(path, "digest")
    ledger.add(entry())
    ledger.add(entry("A.B.0.1", ending=Ending.CRASH, bot="B", hands=3))
    return path


def test_what_was_added_is_read_again(path):
    """In order; a later line of a leg counts."""
    ledger = TournamentLedger(path, "digest")
    assert list(ledger.entries) == ["A.B.0.0", "A.B.0.1"]
    assert ledger.entries["A.B.0.1"].forfeited
    ledger.add(entry("A.B.0.1"))
    again = TournamentLedger(path, "digest")
    assert again.entries == ledger.entries
    assert not again.entries["A.B.0.1"].forfeited


def test_a_leg_that_is_played_again_is_open(path):
    """Whatever happens next; only a leg that was over can be."""
    ledger = TournamentLedger(path, "digest")
    ledger.play_again("A.B.0.1")
    assert list(ledger.entries) == list(TournamentLedger(path, "digest").entries) == ["A.B.0.0"]
    with path.open("a", encoding="utf-8") as file:
        file.write('{"again": "A.B.0.1"}\n')
    with pytest.raises(MatchError, match="line 5: damaged"):
        TournamentLedger(path, "digest")


def test_a_ledger_cut_off_anywhere_has_its_whole_lines(path):
    """At every byte after the first line; what is written then follows."""
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    for size in range(len(lines[0]), len(content)):
        path.write_bytes(content[:size])
        found = TournamentLedger(path, "digest")
        assert len(found.entries) == content[:size].count(b"\n") - 1
        found.add(entry("A.B.9.9"))
        assert "A.B.9.9" in TournamentLedger(path, "digest").entries


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[1:], "no ledger"),
        (lambda lines: [], "no ledger"),
        (lambda lines: ["{}", *lines[1:]], "no ledger"),
        (lambda lines: ['{"tournament": "other"}', *lines[1:]], "another tournament"),
        (lambda lines: [lines[0], lines[1][:-9], lines[2]], "line 2: damaged"),
        (lambda lines: [lines[0], lines[1].replace("10", "-1"), lines[2]], "line 2: damaged"),
        (lambda lines: [*lines[:2], lines[2].replace('"B", ', "null, ", 1)], "line 3: damaged"),
        (lambda lines: [*lines[:2], lines[2].replace("crash", "cras")], "line 3: damaged"),
        (lambda lines: [lines[0], lines[1].replace("10", "Infinity"), lines[2]], "line 2: damaged"),
        (lambda lines: [lines[0], lines[1].replace("-5.0", "NaN"), lines[2]], "line 2: damaged"),
        (lambda lines: [*lines[:2], lines[2].replace("5.0", "1" * 400)], "line 3: damaged"),
        (lambda lines: [lines[0], lines[1].replace("null", '"A"'), lines[2]], "line 2: damaged"),
        (lambda lines: [*lines, "\udcff"], "line 4: damaged"),
        (lambda lines: [*lines, "[" * 100_000], "line 4: damaged"),
    ],
)
def test_a_damaged_ledger_is_refused_and_left_alone(path, change, told):
    """With the number of the line."""
    lines = change(path.read_text(encoding="utf-8").splitlines())
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    path.write_bytes(content)
    with refused(MatchError, path, told):
        TournamentLedger(path, "digest")
    assert path.read_bytes() == content


def test_lines_say_nothing_of_when_and_where(path):
    """So that the ledger of an interrupted tournament equals that of another."""
    told = json.loads(path.read_text(encoding="utf-8").splitlines()[1])
    assert set(told) == {"pairing", "leg", "hands", "ending", "bot", "chips", "sha256"}


def test_files_that_are_not_there(tmp_path):
    """A log has the digest of an empty one; no ledger can be written in no folder."""
    (tmp_path / "a").write_bytes(b"")
    assert digest_of_log(tmp_path / "a") == digest_of_log(tmp_path / "b")
    with pytest.raises(MatchError, match="No such file"):
        TournamentLedger(tmp_path / "no" / "ledger.jsonl", "digest")


def test_rounds_that_decide_places_are_read_again(path):
    """Later lines count; numbers of rounds that nobody can play are damage."""
    ledger = TournamentLedger(path, "digest")
    ledger.make_longer({"A.B": 3, "A.C": 2})
    ledger.make_longer({"A.B": 5})
    assert ledger.rounds == TournamentLedger(path, "digest").rounds == {"A.B": 5, "A.C": 2}
    whole = path.read_bytes()
    for rounds in ('{"A.B": 0}', '{"A.B": "x"}', '["A.B"]', '{"A.B": 1e9}'):
        path.write_bytes(whole + f'{{"longer": {rounds}}}\n'.encode())
        with pytest.raises(MatchError, match="line 6: damaged"):
            TournamentLedger(path, "digest")
