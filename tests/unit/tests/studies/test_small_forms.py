"""Studies in their smallest form: results have the fields of those in docs/data."""

import json

import pytest

from tests.documents.cells import data
from tests.studies import frame


def fields(facts):
    """Return what names a result has, and those of its parts; of a list or of games the first."""
    first = facts[0] if isinstance(facts, list) else facts.get("kuhn", facts)
    return {name: set(part) if isinstance(part, dict) else set() for name, part in first.items()}


@pytest.mark.parametrize(
    ("study", "result"),
    [
        ("nested", "nested-one-bet"),
        ("bet-sizes", "sizes"),
        ("river-sizes", "river-sizes"),
        ("sequential-errors", "sprt/made-up"),
        ("minimisers", "minimisers-patent"),
        ("libratus-estimates", "libratus-estimates"),
        ("subgames-leduc", "subgames-leduc"),
        # libratus and two blueprints, a few searches
        ("libratus-partner", "libratus-partner"),
        ("libratus-turns", "libratus-turns"),
        ("libratus-turns --drawn", "libratus-turns-drawn"),
        ("search-safety", "search-safety-river"),
        ("libratus-ways", "libratus-ways"),
        ("gain", "gain-libratus-blueprint"),
        # a flop to the end of the hand: ten seconds
        pytest.param("libratus-flops", "libratus-flops", marks=pytest.mark.slow),
        # eleven times a flop: half a minute
        pytest.param("deepstack-flops", "deepstack-flops", marks=pytest.mark.slow),
        pytest.param("pruning", "pruning", marks=pytest.mark.slow),  # of 2 M information sets
        # a tournament of bots that load blueprints: half a minute
        pytest.param("libratus-variants", "libratus-variants", marks=pytest.mark.slow),
    ],
)
def test_a_result_has_the_fields_of_docs(study, result, tmp_path):
    """So that its tables can be made."""
    out = tmp_path / "result.json"
    assert (
        frame.main([*study.split(), "--small", "--out", str(out), "--work", str(tmp_path / "work")])
        == 0
    )
    measured, wanted = fields(json.loads(out.read_text())), fields(data(result))
    assert measured.keys() == wanted.keys()
    fewer = {"of_pot", "searches", "test", "ways"}  # of the small form; "test" has a newer field
    assert all(measured[name] == wanted[name] for name in measured.keys() - fewer)


def test_verdicts_are_drawn_once(tmp_path):
    """Cells that the result has stay as they are, line by line."""
    out = tmp_path / "verdicts.jsonl"
    words = ["verdicts", "--small", "--out", str(out), "--work", str(tmp_path / "work")]
    line = {"cell": ["wrong", "nit against thief", 30], "betting": [7] * 4, "t_test": [9] * 4}
    out.write_text(json.dumps(line) + "\n")
    assert frame.main(words) == 0
    first, *others = map(json.loads, out.read_text().splitlines())
    assert first == line
    assert [cell["cell"][0] for cell in others] == ["wrong"] * 4 + ["cost"]
    assert all(max(cell["betting"]) <= 2 for cell in others[:-1])


def test_ranges_of_places_are_told_beside_quantiles(tmp_path):
    """For each case both methods."""
    out = tmp_path / "places.json"
    assert frame.main(["places", "--small", "--out", str(out)]) == 0
    (case,) = json.loads(out.read_text())
    assert case["ranges"].keys() == case["quantiles"].keys() == {"missed", "width"}


@pytest.mark.slow  # twenty seconds of a match over TCP, the whole machine
def test_spectators_cost_a_share_of_the_hands(tmp_path):
    """Which is near 1."""
    out = tmp_path / "spectators.json"
    assert frame.main(["spectators", "--small", "--out", str(out)]) == 0
    assert 0.3 < json.loads(out.read_text())["ratio"] < 3


def test_parts_are_kept(tmp_path, capsys):
    """The same command ends at once, with the same result; other settings are refused.

    The result has the fields of the one of docs.
    """
    words = ["subgames", "--small", "--work", str(tmp_path / "work"), "--out", "-"]
    assert frame.main(words) == 0
    first = capsys.readouterr().out
    assert fields(json.loads(first)) == fields(data("subgames-small"))
    dates = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*")}
    assert frame.main(words) == 0
    assert capsys.readouterr().out == first
    assert dates == {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*")}
    assert frame.main([*words, "--flops", "2"]) == 2
    assert "of other settings" in capsys.readouterr().err
