"""The packaged games."""

import pytest

from protocol.errors import GameDefError
from protocol.gamedef import UNLIMITED_STACK, GameDef
from protocol.gamedefs import builtin_aliases, builtin_names, builtin_path, load_builtin


@pytest.mark.parametrize("name", builtin_names())
def test_every_name_loads_a_game(name):
    """With and without the ending of its file."""
    assert isinstance(load_builtin(name), GameDef)
    assert load_builtin(name + ".game") == load_builtin(name)
    assert builtin_path(name).name == name + ".game"


def test_every_packaged_file_has_a_name():
    """No file is forgotten, and none is missing."""
    folder = builtin_path("kuhn").parent
    assert {path.stem for path in folder.glob("*.game")} == set(builtin_names())


@pytest.mark.parametrize(("alias", "name"), builtin_aliases().items())
def test_short_names_mean_the_same_game(alias, name):
    """What one types is short, what scripts use is the original's name."""
    assert load_builtin(alias) == load_builtin(name)


def test_heads_up_games_have_the_blinds_reversed():
    """Position 1 is the button: small blind, first to act before the flop only."""
    game = load_builtin("hunl")
    assert (game.blinds, game.stacks) == ((100, 50), (20000, 20000))
    assert game.first_positions == (1, 0, 0, 0)
    limit = load_builtin("hulhe")
    assert (limit.blinds, limit.raise_sizes) == ((10, 5), (10, 10, 20, 20))
    assert (limit.max_raises, limit.stacks) == ((3, 4, 4, 4), (UNLIMITED_STACK,) * 2)


@pytest.mark.parametrize("name", ["chess", "", "../kuhn", "kuhn.game", "KUHN", "x" * 10_000])
def test_an_unknown_name_lists_the_known_ones(name):
    """A typing mistake should not need the manual."""
    with pytest.raises(GameDefError, match="hunl") as caught:
        load_builtin(name)
    assert all(known in str(caught.value) for known in builtin_names())
    assert len(str(caught.value)) < 1000
