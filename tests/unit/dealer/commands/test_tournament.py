"""`arena tournament` before it plays anything."""

import json

import pytest

from dealer.commands.tournament import main
from dealer.series.folder import prepare_folder
from dealer.series.manifest import TOURNAMENT_NAME
from tests.helpers.requests import tournament_request
from tests.helpers.said import says

LEG = {"pairing": "a.b", "leg": "a.b.7.0", "hands": 0, "ending": "finished"}


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        (LEG | {"bot": None, "chips": {}, "sha256": ""}, ["a.b.7.0", "no leg"]),
        ({"longer": {"a.c": 3}}, ["a.c", "no pairing"]),
    ],
)
def test_a_ledger_that_is_refused_leaves_the_tournament_as_it_was(tmp_path, capsys, line, facts):
    """A leg or a pairing that it does not have, though more rounds are asked for."""
    folder = tmp_path / "t"
    words = ["a=listen", "b=listen", "--hands", "2", "--seed", "1"]
    tournament = tournament_request(words).manifest
    prepare_folder(folder, tournament, force=False)
    lines = [{"tournament": tournament.digest}, line]
    text = "".join(f"{json.dumps(each)}\n" for each in lines)
    (folder / "ledger.jsonl").write_text(text, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["--resume", str(folder), "--rounds", "2", "--quiet"]) == 1
    says(capsys.readouterr().err, "arena tournament", *facts)
    assert json.loads(before[TOURNAMENT_NAME])["runs"] == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
