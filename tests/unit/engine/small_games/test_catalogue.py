"""The list of small games."""

import pytest

from engine.small_games.catalogue import GAMES


@pytest.mark.parametrize(
    "name", [name for name in GAMES if name not in ("leduc9", "leduc13", "leduc3")]
)
def test_summaries_tell_the_number_of_information_sets(name):
    """So that a user knows how large they are."""
    game = GAMES[name]
    assert game.summary.endswith(f", {game.build().info_sets} information sets")
    assert game.big_blind > 0
