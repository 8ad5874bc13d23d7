"""`arena games`."""

import pytest

from engine.commands.games import main
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import builtin_aliases, load_builtin


def test_list_names_every_built_in_game(capsys):
    """Short name, file and the facts."""
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(builtin_aliases())
    hunl = next(line for line in lines if line.startswith("hunl"))
    assert hunl.endswith("no-limit, 2 players, 52 cards, blinds 100/50, stacks 20000")
    assert "limit, 2 players, 3 cards, blinds 1/1, stacks without end" in lines[1]


@pytest.mark.parametrize("name", ["kuhn", "kuhn.limit.2p", "kuhn.limit.2p.game"])
def test_name_prints_the_file(name, capsys):
    """Ready to be changed and used as a game file."""
    assert main([name]) == 0
    assert parse_gamedef(capsys.readouterr().out) == load_builtin("kuhn")
