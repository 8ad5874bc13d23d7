"""Names of positions."""

from dataclasses import replace

import pytest

from engine.rules.positions import position_names
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("hunl", "BB SB"), ("limit3", "SB BB BTN"), ("nolimit6", "SB BB UTG HJ CO BTN"),
        ("kuhn", "P1 P2"), ("kuhn3", "P1 P2 P3"), ("leduc", "P1 P2"),
    ],
)  # fmt: skip
def test_built_in_games(game, names):
    """Hold'em has its usual names, games with equal blinds have numbers."""
    assert " ".join(position_names(load_builtin(game))) == names


@pytest.mark.parametrize(
    ("players", "names"),
    [(4, "SB BB UTG BTN"), (5, "SB BB UTG CO BTN"), (9, "SB BB UTG UTG+1 UTG+2 UTG+3 HJ CO BTN")],
)
def test_other_table_sizes(players, names):
    """Late positions are named from the button, early ones from the big blind."""
    game = parse_gamedef(
        f"nolimit\nnumPlayers = {players}\nnumRounds = 2\nblind = 5 10{' 0' * (players - 2)}\n"
        "firstPlayer = 3 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3\n"
    )
    assert " ".join(position_names(game)) == names
    strange = replace(game, first_positions=(2, 1))
    assert position_names(strange)[0] == "P1"
