"""`arena tournament` before it plays anything."""

import json

import pytest

from dealer.commands.tournament import main
from dealer.series.folder import prepare_folder
from dealer.series.manifest import TOURNAMENT_NAME
from tests.helpers.requests import tournament_request
from tests.helpers.said import says


@pytest.fixture
def folder(tmp_path):
    """The folder of a tournament of one round, with a leg in its ledger that it does not have."""
    folder = tmp_path / "t"
    words = ["a=listen", "b=listen", "--hands", "2", "--seed", "1"]
    tournament = tournament_request(words).manifest
    prepare_folder(folder, tournament, force=False)
    leg = {"pairing": "a.b", "leg": "a.b.7.0", "hands": 0, "ending": "finished"}
    lines = [{"tournament": tournament.digest}, {**leg, "bot": None, "chips": {}, "sha256": ""}]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / "ledger.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_ledger_that_is_refused_leaves_the_tournament_as_it_was(folder, capsys):
    """Though more rounds are asked for."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["--resume", str(folder), "--rounds", "2", "--quiet"]) == 1
    says(capsys.readouterr().err, "arena tournament", "a.b.7.0", "no leg")
    assert json.loads(before[TOURNAMENT_NAME])["runs"] == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
