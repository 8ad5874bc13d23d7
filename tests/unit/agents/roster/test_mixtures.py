"""Mixtures: their names, and that each part plays its hands as it does alone."""

from __future__ import annotations

import numpy as np
import pytest

from agents.errors import GameNotPlayed, UnknownAgent
from agents.opponents.mixture_policy import mixture_bot, mixture_policy
from agents.opponents.policy import pool_policy
from agents.roster.bots import find_agent
from agents.roster.mixtures import MOST_PARTS, mixture_called
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin


def test_names_tell_parts_and_hands():
    """And how long a round is, a sample of which is whole."""
    found = mixture_called("O2+plane-20-60@100")
    assert [part.name for part in found.parts] == ["O2", "plane-20-60"]
    assert (found.hands, found.period) == (100, 200)
    assert found.summary == "plays 100 hands each like O2, plane-20-60, over and over"
    assert mixture_called("+".join(["O2"] * MOST_PARTS) + "@5")
    spec = find_agent("O1+O4@30")
    assert spec.period == 60
    assert spec.compiled_policy(load_builtin("hunl"), 1).family.name == "mixture"
    with pytest.raises(GameNotPlayed):
        spec.compiled_policy(load_builtin("leduc"), 1)


@pytest.mark.parametrize(
    "name",
    [
        "O2@100",
        "O2+O3",
        "O2+O3@0",
        "O2+O3@-1",
        "O2+O3@007",
        "O2+O3@1000000000",
        "O2+O_random@10",
        "O2+nobody@10",
        "O2++O3@10",
        "+".join(["O2"] * (MOST_PARTS + 1)) + "@5",
        "O2+O3@5@5",
    ],
)
def test_other_names_are_none(name):
    """Nor are wanderers parts, which remember."""
    assert mixture_called(name) is None
    with pytest.raises(UnknownAgent, match="mixtures as"):
        find_agent(name)
    with pytest.raises(ValueError, match="no mixture"):
        mixture_bot(name)


@pytest.mark.parametrize("game", ["hunl", "hulhe"])
def test_each_part_plays_its_hands_as_it_does_alone(game):
    """Against an opponent that remembers nothing; the deals are those of the hand's number."""
    game = load_builtin(game)
    hands, parts = 5, ("O2", "O3", "O8")
    mixture = mixture_policy("+".join(parts) + f"@{hands}", game, 7)
    other = pool_policy("plane-60-40-10", game, 8)
    pairs = [(mixture, other), *((pool_policy(part, game, 7), other) for part in parts)]
    mixed, *alone = (one.won[0] for one in play_matches(game, pairs, 300, 3))
    turns = np.arange(300) // hands % len(parts)
    for number, won in enumerate(alone):
        np.testing.assert_array_equal(mixed[turns == number], won[turns == number])
        assert (mixed[turns != number] != won[turns != number]).any()
