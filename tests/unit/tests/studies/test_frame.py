"""What runs studies: the list, options, where results go, how a study ends."""

import json
import re
import types

import pytest

from tests.documents.tables import documents
from tests.studies import frame

PHRASE = re.compile(r'make study (?:NAME=")?([a-z][a-z0-9-]*)')


@pytest.fixture
def study(monkeypatch, tmp_path):
    """A study of numbers, which is listed beside the others."""
    module = types.ModuleType("numbers", "Numbers in a row.\n\nNot more.")
    module.SMALL = {"count": 2}
    module.add_options = lambda parser: parser.add_argument("--count", type=int, default=9)
    module.run = lambda options: {"row": list(range(options.count))}
    known = frame.studies()
    monkeypatch.setattr(frame, "studies", lambda: known | {"numbers": "Numbers in a row"})
    monkeypatch.setattr(frame, "study_module", lambda name: module)
    monkeypatch.setattr(frame, "RESULTS", tmp_path / "data")
    monkeypatch.setattr(frame, "WORK", tmp_path / "build")
    return module


def test_every_study_is_listed_with_a_sentence(capsys):
    """By name, without importing one."""
    assert frame.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(frame.studies())
    assert all(line.split(maxsplit=1)[1] for line in lines)
    assert "deepstack-rivers" in frame.studies()


def test_documents_name_studies_that_exist():
    """Every `make study NAME` in README and docs is in the list."""
    named = {name for page in documents() for name in PHRASE.findall(page.read_text("utf-8"))}
    assert named <= frame.studies().keys()


def test_results_go_to_the_data_of_docs(study, tmp_path, capsys):
    """Those of the smallest form do not; explicit options count in both."""
    assert frame.main(["numbers"]) == 0
    assert json.loads((tmp_path / "data/numbers.json").read_text())["row"] == list(range(9))
    assert frame.main(["numbers", "--small"]) == 0
    assert json.loads((tmp_path / "build/numbers.json").read_text())["row"] == [0, 1]
    capsys.readouterr()
    assert frame.main(["numbers", "--small", "--count", "1", "--out", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == {"row": [0]}


def test_a_result_may_have_a_line_for_each_item(study, tmp_path):
    """Where its name ends in .jsonl; the name may depend on options."""
    study.result_name = lambda options: f"rows/{options.count}.jsonl"
    study.run = lambda options: [{"row": row} for row in range(options.count)]
    assert frame.main(["numbers", "--count", "2"]) == 0
    assert (tmp_path / "data/rows/2.jsonl").read_text() == '{"row": 0}\n{"row": 1}\n'


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (ValueError("no such number"), 2, "no such number"),
        (PermissionError(13, "Permission denied", "some/file"), 1, "some/file: Permission denied"),
    ],
)
def test_a_study_that_fails_says_so_in_a_line(study, tmp_path, capsys, error, code, message):
    """And writes nothing."""

    def fail(options):
        raise error

    study.run = fail
    assert frame.main(["numbers"]) == code
    told = capsys.readouterr().err
    assert told.startswith("make study numbers: ")
    assert message in told
    assert not (tmp_path / "data/numbers.json").exists()


def test_unknown_studies_are_refused(capsys):
    """In a line that says where the list is."""
    assert frame.main(["luck"]) == 2
    assert "no study 'luck'" in capsys.readouterr().err
