"""Best responses in a small game for any number of players, and what they say about a profile.

With b_p what player p wins by a best response to the parts of all others, and u_p its value of the
profile,

    gain            b_p - u_p, never below 0
    NashConv        the sum of the players' gains
    exploitability  their mean, NashConv / P; for two players and one pot the usual measure

A profile is a Nash equilibrium where NashConv is 0; with three players and more it measures nothing
but the distance from equilibrium.  CFR has no guarantee to get there, though on poker games it
often comes close.  Nor does such a profile protect a player who plays its part of it: two
opponents who deviate, or who play another equilibrium, may win more than either would alone.

Sources: Abou Risk, Szafron, "Using counterfactual regret minimization to create competitive
multiplayer poker agents", AAMAS 2010; Szafron, Gibson, Sturtevant, "A parameterized family of
equilibrium profiles for three-player Kuhn poker", AAMAS 2013.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.small_games import many_player_kernels as kernels
from engine.small_games.best_response import BestResponse
from engine.small_games.many_player_form import ManyPlayerForm
from engine.small_games.tabular_kernels import best_response, make_plan
from engine.small_games.tree_values import check_profile


def expected_values(form: ManyPlayerForm, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (P,) float64, what each player wins when all play the profile, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    values = np.empty(form.tree.players)
    kernels.expected_values(form.ends, plan_for_all(form, profile), values)
    return values


def best_response_of(
    form: ManyPlayerForm, profile: NDArray[np.float64], player: int
) -> BestResponse:
    """Return a best response of one player to the parts of all others.

    Raises:
        ValueError: the profile does not fit the game, or there is no such player.
    """
    if player not in range(form.tree.players):
        raise ValueError(f"player {player} is none of 0 to {form.tree.players - 1}")
    value, choice = _respond(form, plan_for_all(form, profile), player)
    answer = profile.copy()
    for first, actions in zip(
        form.sides[player].first_action, form.sides[player].action_count, strict=True
    ):
        answer[first : first + actions] = 0.0
    answer[choice] = 1.0
    return BestResponse(value, answer)


def gains(form: ManyPlayerForm, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (P,) float64, what each player would gain by a best response, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    plan = plan_for_all(form, profile)
    values = np.empty(form.tree.players)
    kernels.expected_values(form.ends, plan, values)
    best = [_respond(form, plan, player)[0] for player in range(form.tree.players)]
    return np.array(best) - values


def mean_gain(form: ManyPlayerForm, profile: NDArray[np.float64]) -> float:
    """Return the exploitability: the mean of the players' gains, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    return float(gains(form, profile).mean())


def plan_for_all(form: ManyPlayerForm, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (S,) float64, the reach of each sequence by its owner alone.

    Raises:
        ValueError: the profile does not fit the game.
    """
    check_profile(form.tree, profile)
    plan = np.empty(form.sequences)
    for side in form.sides:
        make_plan(side, np.ascontiguousarray(profile), plan)
    return plan


def _respond(
    form: ManyPlayerForm, plan: NDArray[np.float64], player: int
) -> tuple[float, NDArray[np.int32]]:
    """Return the value of a best response, and its action at each information set of the side."""
    side = form.sides[player]
    choice = np.empty(len(side.parent), np.int32)
    value = np.empty(form.sequences)
    kernels.counterfactual_values(player, form.ends, plan, value)
    without_acting = float(value[side.root])
    return without_acting + best_response(side, form.no_pairs, plan, value, choice), choice
