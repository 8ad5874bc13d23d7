"""Which logs a folder stands for."""

import pytest

from engine.errors import LogError
from engine.handlogs.source.folders import logs_in
from tests.helpers.said import refused


@pytest.mark.parametrize(
    ("manifest", "fact"),
    [
        ("{", "not a readable"),
        ('{"legs": [{}]}', "not a readable"),
        ('{"legs": [{"name": "../x"}]}', "'../x'"),
        ('{"legs": [{"name": "gone"}]}', "no log"),
        ("[]", "no log"),
        (None, "no log"),
    ],
)
def test_folders_without_logs_are_one_line(tmp_path, manifest, fact):
    """Whatever the manifest looks like."""
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with refused(LogError, tmp_path, fact):
        logs_in([str(tmp_path)])


def test_a_tournament_has_the_logs_of_its_matches(tmp_path):
    """Those of pairings that nobody has played yet are not missed; none at all is an error."""
    pairings = tmp_path / "pairings"
    for name in ("b", "a", "nothing-yet"):
        (pairings / name).mkdir(parents=True)
    with refused(LogError, tmp_path, "no log"):
        logs_in([tmp_path])
    for name in ("b", "a"):
        (pairings / name / "x.0.0.log").write_text("")
    assert logs_in([str(tmp_path)]) == [pairings / name / "x.0.0.log" for name in ("a", "b")]


def test_links_that_lead_back_are_followed_once(tmp_path):
    """Though each doubles the paths that lead to the same logs."""
    (tmp_path / "tournament.json").write_text("{}")
    match = tmp_path / "pairings" / "a"
    match.mkdir(parents=True)
    (match / "manifest.json").write_text('{"legs": [{"name": "x"}, {"name": "x"}]}')
    (match / "x.log").write_text("")
    for name in ("b", "c"):
        (match.parent / name).symlink_to("..")
        (match.parent / f"{name}{name}").symlink_to("a")
    assert logs_in([tmp_path]) == [match / "x.log"]
