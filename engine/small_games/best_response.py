"""Exact best responses to a strategy profile of a small game, and the measures made of them.

A best response maximises at each information set, the deepest first, over counterfactual values:
what its owner wins behind each action, weighted by the reach of opponent and chance.  With b_p the
value of player p's best response and u_p the profile's own,

    NashConv        sum of the gains b_p - u_p, which is b_0 + b_1 in a zero-sum game
    exploitability  NashConv / 2

All in chips.  Profiles as in `engine.small_games.game_tree`; the game comes in its sequence form.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.small_games import tabular_kernels as kernels
from engine.small_games.sequence_form import SequenceForm
from engine.small_games.tree_values import check_profile


class BestResponse(NamedTuple):
    """A best response of one player to the other one's part of a profile."""

    value: float
    """Chips the player wins."""
    profile: NDArray[np.float64]
    """The profile with the player's part replaced: 1 at one best action of each information set."""


def best_response(form: SequenceForm, profile: NDArray[np.float64], player: int) -> BestResponse:
    """Return a best response of `player`.

    Raises:
        ValueError: the profile does not fit the game, or there is no such player.
    """
    if player not in (0, 1):
        raise ValueError(f"player {player} is neither 0 nor 1")
    value, choice = _respond(form, realization_plan(form, profile), player)
    answer = profile.copy()
    answer[form.actions(player)] = 0.0
    answer[choice] = 1.0
    return BestResponse(value, answer)


def nash_conv(form: SequenceForm, profile: NDArray[np.float64]) -> float:
    """Return the sum of what both players would gain by best responses, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    plan = realization_plan(form, profile)
    return _respond(form, plan, 0)[0] + _respond(form, plan, 1)[0]


def exploitability(form: SequenceForm, profile: NDArray[np.float64]) -> float:
    """Return the mean value of both players' best responses, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    return nash_conv(form, profile) / 2


def expected_value(form: SequenceForm, profile: NDArray[np.float64]) -> float:
    """Return what player 0 wins when both play the profile, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    return kernels.expected_value(form.sides[0], form.pairs, realization_plan(form, profile))


def realization_plan(form: SequenceForm, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (S,) float64, the reach of each sequence by its owner alone.

    Raises:
        ValueError: the profile does not fit the game.
    """
    check_profile(form.tree, profile)
    plan = np.empty(form.sequences)
    for side in form.sides:
        kernels.make_plan(side, np.ascontiguousarray(profile), plan)
    return plan


def _respond(
    form: SequenceForm, plan: NDArray[np.float64], player: int
) -> tuple[float, NDArray[np.int32]]:
    """Return the value of a best response, and its action at each information set of the side."""
    side = form.sides[player]
    choice = np.empty(len(side.parent), np.int32)
    value = kernels.best_response(side, form.pairs, plan, np.zeros(form.sequences), choice)
    return value, choice
