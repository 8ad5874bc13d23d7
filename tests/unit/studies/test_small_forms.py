"""Studies in their smallest form: results have the fields of those in docs/data."""

import json

import pytest

from tests.documents.cells import data
from tests.studies import frame


def fields(facts):
    """Return what names a result has, and those of its parts, where they do not depend on sizes."""
    first = facts[0] if isinstance(facts, list) else facts
    return {
        name: set(part) if isinstance(part, dict) and not any(key.isdigit() for key in part) else ()
        for name, part in first.items()
    }


@pytest.mark.parametrize(
    ("study", "result"),
    [
        ("subgames", "subgames-small"),
        ("nested", "nested-one-bet"),
        ("bet-sizes", "sizes"),
        ("sequential-errors", "sprt/made-up"),
        ("minimisers", "minimisers-patent"),
    ],
)
def test_a_result_has_the_fields_of_docs(study, result, tmp_path):
    """So that its tables can be made."""
    out = tmp_path / "result.json"
    assert frame.main([study, "--small", "--out", str(out), "--work", str(tmp_path / "work")]) == 0
    measured = fields(json.loads(out.read_text()))
    if "test" in measured:
        measured["test"] -= {"estimator"}  # docs/data is older
    assert measured == fields(data(result))


def test_parts_are_kept(tmp_path, capsys):
    """The same command ends at once, with the same result; other settings are refused."""
    words = ["subgames", "--small", "--work", str(tmp_path / "work"), "--out", "-"]
    assert frame.main(words) == 0
    first = capsys.readouterr().out
    dates = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*")}
    assert frame.main(words) == 0
    assert capsys.readouterr().out == first
    assert dates == {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*")}
    assert frame.main([*words, "--flops", "2"]) == 2
    assert "of other settings" in capsys.readouterr().err
