"""The game of a log, for the page that shows its hands."""

import json

import pytest

from dealer.logs.showing.hand_documents import first_game, game_document
from engine.errors import LogError
from protocol.gamedef import UNLIMITED_STACK, format_gamedef, parse_gamedef
from protocol.gamedefs import builtin_names, load_builtin

KEYS = {
    "blinds": "blind",
    "raiseSizes": "raiseSize",
    "maxRaises": "maxRaises",
    "suits": "numSuits",
    "ranks": "numRanks",
    "holeCards": "numHoleCards",
    "boardCards": "numBoardCards",
    "players": "numPlayers",
    "rounds": "numRounds",
    "stacks": "stack",
}
"""Of the document -> of a game file."""


@pytest.mark.parametrize("name", builtin_names())
def test_every_game_can_be_made_again(name):
    """A game file written from the document alone is that game."""
    game = load_builtin(name)
    document = json.loads(json.dumps(game_document(name, game)))
    assert document["name"] == name
    lines = [document["betting"]]
    for key, word in KEYS.items():
        value = document[key]
        if value is not None:
            numbers = value if isinstance(value, list) else [value]
            lines.append(f"{word} = {' '.join(map(str, numbers))}")
    first = " ".join(str(position + 1) for position in document["firstPlayers"])
    made = parse_gamedef("\n".join(["GAMEDEF", *lines, f"firstPlayer = {first}", "END GAMEDEF"]))
    dealt = [line for line in format_gamedef(game).splitlines() if "dealtCards" in line]
    assert format_gamedef(made).splitlines() == [
        line for line in format_gamedef(game).splitlines() if line not in dealt
    ]


def test_stacks_without_end_are_none():
    """Limit games have none; one of no-limit has all of them."""
    assert game_document("x", load_builtin("hulhe"))["stacks"] is None
    assert UNLIMITED_STACK not in game_document("x", load_builtin("hunl"))["stacks"]


def test_a_log_says_its_game_in_its_first_lines(tmp_path):
    """In a header, or in a hand that states stacks and blinds."""
    log = tmp_path / "x.log"
    log.write_text("# a comment\n# name/game/hands/seed m holdem.limit.3p.game 10 7\n")
    assert first_game(log).game == load_builtin("limit3")
    log.write_text("STATE:0:20000|20000:100|50:f:5d5c|9hQd:50|-50:A|B\n")
    assert first_game(log).game == load_builtin("hunl")


@pytest.mark.parametrize("text", ["", "noise\n" * 2000, "STATE:0:f:5d5c|9hQd:50|-50:A|B\n"])
def test_a_log_without_a_game_is_told(tmp_path, text):
    """In one line."""
    log = tmp_path / "x.log"
    log.write_text(text)
    with pytest.raises(LogError, match=r"x\.log: no header names the game"):
        first_game(log)
