"""Game definitions in one line, and the headers that have them."""

import pytest

from protocol.errors import GameDefError
from protocol.gamedefs import builtin_aliases, load_builtin
from protocol.handlog import Header, format_header, parse_log_line
from protocol.spelled_games import spell_game, spelled_game


@pytest.mark.parametrize("name", builtin_aliases())
def test_a_header_can_spell_its_game(name):
    """And needs no file then; hands and seed are not known."""
    game = load_builtin(name)
    header = Header("x.phhs", spell_game(game))
    line = format_header(header)
    assert "\n" not in line
    assert parse_log_line(line) == header
    assert spelled_game(header.game) == game


def test_other_games_are_names():
    """A text that begins as a definition and is none is refused."""
    assert spelled_game("holdem.nolimit.2p.game") is None
    with pytest.raises(GameDefError):
        spelled_game("GAMEDEF; nolimit; END GAMEDEF")
