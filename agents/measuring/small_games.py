"""Strategies measured in games that can be written out: exact matches, exact best responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import gains
from engine.small_games.poker_tree import poker_tree
from engine.small_games.profile_policy import match_value, profile_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.betting.policy import GamePolicy


def exact_result(hero: GamePolicy, villain: GamePolicy) -> float:
    """Return what a strategy wins from another of a game for two: chips a hand, both seatings.

    Raises:
        InvalidGame: as from `response_gains`.
        ValueError: the game is not for two, or a policy gives no strategy somewhere.
    """
    tree = poker_tree(hero.game)
    return match_value(many_player_form(tree), profile_of(hero, tree), profile_of(villain, tree))


def response_gains(policy: GamePolicy) -> NDArray[np.float64]:
    """Return (P,) float64 what a best response gains in each position, in chips a hand.

    Raises:
        InvalidGame: the game is too large to be written out, or the policy is asked by hands and
            those of the game are no single cards.
        ValueError: the policy gives no strategy somewhere.
    """
    tree = poker_tree(policy.game)
    return gains(many_player_form(tree), profile_of(policy, tree))
