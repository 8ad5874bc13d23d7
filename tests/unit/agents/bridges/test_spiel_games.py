"""Our games in OpenSpiel's words."""

import pytest

from agents.bridges.spiel_games import (
    card_moved_up,
    game_of,
    load_universal_poker,
    repeated_poker,
    spiel_card,
    universal_poker,
)
from agents.errors import GameNotPlayed
from protocol.gamedefs import builtin_aliases, load_builtin

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

PLAYED = [alias for alias in builtin_aliases() if alias != "fixed-queen"]


@pytest.mark.parametrize("name", PLAYED)
def test_games_come_back_as_they_went(name):
    """OpenSpiel loads every one, and its parameters are the game again."""
    game = load_builtin(name)
    assert game_of(load_universal_poker(game).get_parameters()) == game


@pytest.mark.parametrize("name", ["hunl", "leduc", "kuhn3"])
def test_cards_keep_their_order(name):
    """OpenSpiel counts from 0 and writes them as the lowest of all 52."""
    game = load_builtin(name)
    numbers = sorted(spiel_card(game, card) for card in game.deck)
    assert numbers == list(range(len(game.deck)))
    for card in game.deck:
        number = spiel_card(game, card)
        written = number // game.suits * 4 + number % game.suits
        assert card_moved_up(game, written) == card


def test_what_open_spiel_has_not_is_refused():
    """Games with a deck for each player, and abstractions."""
    with pytest.raises(GameNotPlayed, match="whole deck"):
        universal_poker(load_builtin("fixed-queen"))
    with pytest.raises(ValueError, match="want fullgame, fcpa, fchpa"):
        universal_poker(load_builtin("hunl"), "fc")
    with pytest.raises(GameNotPlayed, match="with betting fcpa, not fullgame"):
        repeated_poker(load_builtin("hulhe"), 5, "fullgame")
    with pytest.raises(GameNotPlayed, match="two streets"):
        repeated_poker(load_builtin("kuhn"), 5)
