"""The deals file of a match: its copy, its digest, and how long it lasts."""

import hashlib
import json
from pathlib import Path

import pytest

from dealer.errors import FolderInUse, MatchError, MatchUsageError
from dealer.series.folder import discard_folder, prepare_folder, settle_folder
from dealer.series.given_deals import DEALS_COPY_NAME, MatchDeals, copy_deals
from dealer.series.leg_settings import LegSettings, leg_plan
from dealer.series.manifest import MANIFEST_NAME, differences, from_json, read_manifest, to_json
from protocol.gamedefs import builtin_path
from tests.helpers.requests import match_request
from tests.helpers.said import refused

TEXT = "?|?\n" * 5 + "AsKs|?\n"
GAME = builtin_path("hunl")


@pytest.fixture(autouse=True)
def six(roster):
    """A file of six deals."""
    Path("six.deals").write_text(TEXT)


def deals_of(text=TEXT):
    """Return what a manifest has of a deals file."""
    return MatchDeals("six.deals", hashlib.sha256(text.encode()).hexdigest(), text.count("\n"))


def request_of(text):
    """Return what a command line of plain words asks for."""
    return match_request(f"rule call --deals six.deals {text}")


@pytest.mark.parametrize(
    ("options", "hands", "runs"),
    [
        ("", 6, 1),
        ("--runs 2", 3, 2),
        ("--hands 4", 4, 1),
        ("--hands 2 --runs 3", 2, 3),
        ("--sprt mbb1=10", 6, 1),
        ("--sprt mbb1=10 --hands 2", 2, 1),
    ],
)
def test_hands_follow_from_the_file_unless_they_are_given(options, hands, runs):
    """All deals are played, run after run."""
    manifest = request_of(options).manifest
    assert (manifest.hands, manifest.runs, manifest.deals) == (hands, runs, deals_of())


def test_a_sequential_test_ends_where_the_deals_end():
    """Whatever more runs were asked for."""
    assert request_of("--sprt mbb1=10 --hands 2").most_runs == 3
    assert request_of("--sprt mbb1=10 --hands 2 --runs 2").most_runs == 2


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ("--hands 7", ["six.deals", "6 deals", "7 hands"]),
        ("--hands 4 --runs 2", ["six.deals", "6 deals", "2 runs of 4 hands"]),
        ("--runs 4", ["six.deals", "6 deals", "4 runs"]),
        ("--deals empty", ["--deals empty", "no deal"]),
        ("--game leduc", ["--deals six.deals: line 6: 'AsKs'", "1 hole cards"]),
        ("--game match.deals", ["match.deals", "--deals"]),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(options, facts, monkeypatch):
    """Before any folder is made."""
    monkeypatch.setattr("dealer.commands.requests.check_games", lambda *_: None)

    Path("empty").write_text("# nothing\n")
    Path(DEALS_COPY_NAME).write_bytes(GAME.read_bytes())
    with refused(MatchUsageError, *facts):
        request_of(options)
    assert not Path("matches").exists()


def test_the_manifest_keeps_what_identifies_the_file(make_manifest):
    """And a manifest without one reads as before."""
    manifest = make_manifest(deals=deals_of())
    assert from_json(to_json(manifest)) == manifest
    assert json.loads(to_json(manifest))["deals"] == {
        "file": "six.deals",
        "sha256": deals_of().sha256,
        "deals": 6,
    }
    assert "deals" not in json.loads(to_json(make_manifest()))


def test_other_deals_are_another_match(make_manifest):
    """Whatever the file is called; and a file is not the seed."""
    one, other = make_manifest(deals=deals_of()), make_manifest(deals=deals_of("?|?\n"))
    assert [text.partition(":")[0] for text in differences(one, other)] == ["deals"]
    assert [text.partition(":")[0] for text in differences(one, make_manifest())] == ["deals"]
    renamed = make_manifest(deals=MatchDeals("other name", deals_of().sha256, 6))
    assert differences(one, renamed) == []


def test_legs_of_several_runs_cannot_be_made_longer(make_manifest):
    """Each run begins where the one before ended; more runs are fine, and so is a longer one."""
    for before, after, fine in (
        ({"hands": 2, "runs": 1}, {"hands": 3, "runs": 2}, True),
        ({"hands": 2, "runs": 2}, {"hands": 2, "runs": 3}, True),
        ({"hands": 2, "runs": 2}, {"hands": 3, "runs": 2}, False),
    ):
        one, other = (
            make_manifest(**before, deals=deals_of()),
            make_manifest(**after, deals=deals_of()),
        )
        assert (differences(one, other) == []) is fine


def test_each_run_plays_its_own_part(make_manifest, tmp_path):
    """The dealers are told where it begins."""
    manifest = make_manifest(hands=2, runs=3, deals=deals_of())
    settings = LegSettings(manifest, tmp_path, print)
    first = []
    for leg in manifest.legs():
        plan = leg_plan(settings, leg).match
        assert plan.deals == DEALS_COPY_NAME
        first.append(plan.first_deal)
    assert first == [0, 0, 2, 2, 4, 4]


def test_the_folder_gets_a_copy(make_manifest, tmp_path):
    """So the match can be resumed and verified with nothing else."""
    manifest = make_manifest(deals=deals_of())
    match = tmp_path / "m"
    prepare_folder(match, manifest, force=False, deals=Path("six.deals"))
    Path("six.deals").unlink()
    assert (match / DEALS_COPY_NAME).read_text() == TEXT
    settle_folder(match, manifest, manifest)
    discard_folder(match, manifest)
    assert not match.exists()


@pytest.mark.parametrize("link", [False, True])
def test_a_copy_that_was_changed_is_refused(make_manifest, tmp_path, link):
    """And so is one that is gone."""
    manifest = make_manifest(deals=deals_of())
    match = tmp_path / "m"
    prepare_folder(match, manifest, force=False, deals=Path("six.deals"), link=link)
    (match / DEALS_COPY_NAME).write_text(TEXT + "?|?\n")
    with refused(MatchError, match / DEALS_COPY_NAME, "not the deals"):
        settle_folder(match, manifest, manifest)
    (match / DEALS_COPY_NAME).unlink()
    with refused(MatchError, match / DEALS_COPY_NAME, "No such file"):
        settle_folder(match, manifest, manifest)


def test_a_file_that_changes_before_it_is_copied_is_refused(make_manifest, tmp_path):
    """Nothing is left of the copy."""
    Path("six.deals").write_text("?|?\n")
    with refused(MatchError, "six.deals", "not the deals"):
        copy_deals(Path("six.deals"), tmp_path, deals_of())
    assert not (tmp_path / DEALS_COPY_NAME).exists()


def test_somebodys_file_of_that_name_is_never_touched(make_manifest, tmp_path):
    """Neither replaced now nor deleted by --force later."""
    Path(DEALS_COPY_NAME).write_text(TEXT)
    for source in (DEALS_COPY_NAME, "six.deals"):
        with refused(FolderInUse, DEALS_COPY_NAME, "exists", "no match"):
            prepare_folder(
                tmp_path, make_manifest(deals=deals_of()), force=True, deals=Path(source)
            )
    assert Path(DEALS_COPY_NAME).read_text() == TEXT
    assert not Path(MANIFEST_NAME).exists()


def test_a_match_is_replaced_with_its_own_deals(make_manifest, tmp_path):
    """--force with the copy in the folder plays it again; without a file the copy goes."""
    match = tmp_path / "m"
    prepare_folder(match, make_manifest(deals=deals_of()), force=False, deals=Path("six.deals"))
    again = make_manifest(seed=9, deals=deals_of())
    prepare_folder(match, again, force=True, deals=match / DEALS_COPY_NAME)
    assert (match / DEALS_COPY_NAME).read_text() == TEXT
    assert read_manifest(match) == again
    prepare_folder(match, make_manifest(), force=True)
    assert not (match / DEALS_COPY_NAME).exists()
