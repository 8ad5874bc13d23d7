"""How the bots of the pool decide: five laws, compiled, each a few lines.

    params  (PARAMS,) float64, the character: the law and its numbers, by the columns below
    memory  (MEMORY,) float64, zeros at the start of a match
    draws   (4,) float64, uniform random numbers in [0, 1) for this decision

p is the equity against a random hand, percentile the share of hands and boards of the street with a
smaller p, pot and to_call as in `Spot`.  A raise of f pots is to `to_match + f (pot + to_call)`.

    BAND       continue with the best `share` of all hands, raise with the best share * RAISED of
               them, or on streets before the last call with chance SLOW instead; of hands given
               up, those of the weakest BOTTOM raise with chance BLUFF.  d = 1 - to_call / pot is
               the share to defend for which pure bluffs break even.  n counts the streets gone and
               the raises that the other made in the hand before this one:
               share = PLAYED * d ** (PRESSURE * (1 + n / 4))
    WANDERER   BAND, with PLAYED and RAISED drawn anew from [0, 1) every PERIOD hands
    LIMPER     checks and limps; continues against a raise with chance p ** 50, by calling
    CALLER     checks and calls
    MANIAC     raises by the pot; against a raise on this street by twice the pot, until all-in
    CANDID     is ready to put p ** POWER of what is left into the pot, and bets accordingly

Sources: LIMPER, CALLER, MANIAC and CANDID are the four opponents of Li, Miikkulainen, "Evolving
adaptive LSTM poker players for effective opponent exploitation", AAAI workshop 2017, CANDID by the
decision algorithm given there, with POWER 7.  The plane of BAND is that of Zhang, Li, Wu, Zang, Xu,
Xing, "An opponent modeling and strategy integration framework for Texas hold'em AI", Acta
Automatica Sinica 48(4), 2022, whose table of numbers is lost; PRESSURE and its form are ours.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.compiled.bid_kernels import bid
from agents.roster.characters import PERIOD_HANDS
from engine.compiled.jit import inlined_kernel, kernel, pointer_kernel
from engine.compiled.splitmix import random_word
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE

# Columns of a character.
LAW: Final = 0
PLAYED: Final = 1
"""Tightness: share of all hands played, 0..1."""
RAISED: Final = 2
"""Aggression: share of the hands played that are raised, 0..1."""
BLUFF: Final = 3
"""Chance that one of the weakest hands is raised instead of given up."""
SMALL: Final = 4
"""Raises are uniform between SMALL and LARGE pots."""
LARGE: Final = 5
SLOW: Final = 6
"""Chance that a hand to raise is called on the streets before the last, 0..1."""
MOST: Final = 7
"""Chips that betting in this game can cost a player in one hand, when stacks are no limit."""
SEED: Final = 8
"""Of the points that WANDERER visits: a whole number below 2**32."""
PRESSURE: Final = 9
"""How much of the hands played it gives up for the price of a call, 0 for none."""
POWER: Final = 10
PARAMS: Final = 11

# Laws.
BAND: Final = 0
WANDERER: Final = 1
LIMPER: Final = 2
CALLER: Final = 3
MANIAC: Final = 4
CANDID: Final = 5

MEMORY: Final = 5
"""The period the wanderer is in, counted from 1, and its PLAYED and RAISED; the last hand in which
the other raised, counted from 1, and how often."""

LAST_STREET: Final = 3
BOTTOM: Final = 0.25
"""Bluffs are made with this share of all hands, the weakest."""
LIMPER_POWER: Final = 50
MANIAC_FIRST: Final = 1.0
MANIAC_AGAIN: Final = 2.0
_UNIT: Final = 2.0**-53
_RAISED_IN: Final = 3
_RAISES: Final = 4
_STEPS: Final = 4.0


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to; see the module."""
    law = int(params[LAW])
    if law == CALLER:
        return CALL, 0
    if law == LIMPER:
        return _limper(spot, draws)
    if law == MANIAC:
        return RAISE, pot_raise(spot, MANIAC_AGAIN if spot.raises > 0 else MANIAC_FIRST)
    if law == CANDID:
        return _candid(spot, params)
    if law == WANDERER:
        _wander(spot.hand, params, memory)
        return _band(spot, memory[1], memory[2], params, draws)
    share = params[PLAYED] * kept_share(spot, params[PRESSURE], memory)
    return _band(spot, share, params[RAISED], params, draws)


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Count the raises of the other in this hand; the bots of the pool learn nothing."""
    if kind == RAISE and not mine:
        if memory[_RAISED_IN] != spot.hand + 1:
            memory[_RAISED_IN] = spot.hand + 1
            memory[_RAISES] = 0
        memory[_RAISES] += 1


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Take note of the end of a hand: the bots of the pool learn nothing."""


@kernel
def point_of_period(seed: int, period: int) -> tuple[float, float]:
    """Return where in the plane a wanderer is: played and raised, both uniform in [0, 1)."""
    key = np.uint64(seed)
    played = random_word(key, 2 * period) >> np.uint64(11)
    raised = random_word(key, 2 * period + 1) >> np.uint64(11)
    return float(played) * _UNIT, float(raised) * _UNIT


@inlined_kernel
def kept_share(spot: Spot, pressure: float, memory: NDArray[np.float64]) -> float:
    """Return the share of its hands that a band keeps at the price of a call, see the module."""
    if spot.to_call == 0 or pressure == 0.0:
        return 1.0
    raised = memory[_RAISES] if memory[_RAISED_IN] == spot.hand + 1 else 0.0
    gone = spot.street + max(raised - 1.0, 0.0)
    share: float = (1.0 - spot.to_call / spot.pot) ** (pressure * (1.0 + gone / _STEPS))
    return share


@inlined_kernel
def pot_raise(spot: Spot, fraction: float) -> int:
    """Return the raise-to that adds `fraction` of the pot, after calling, to the call."""
    return spot.to_match + round(fraction * (spot.pot + spot.to_call))


@inlined_kernel
def _band(
    spot: Spot,
    played: float,
    raised: float,
    params: NDArray[np.float64],
    draws: NDArray[np.float64],
) -> tuple[int, int]:
    fraction = params[SMALL] + (params[LARGE] - params[SMALL]) * draws[1]
    if spot.percentile >= 1.0 - played * raised:
        if spot.street < LAST_STREET and draws[2] < params[SLOW]:
            return CALL, 0
        return RAISE, pot_raise(spot, fraction)
    if spot.percentile >= 1.0 - played:
        return CALL, 0
    if spot.low > 0 and spot.percentile < BOTTOM and draws[0] < params[BLUFF]:
        return RAISE, pot_raise(spot, fraction)
    return FOLD, 0


@inlined_kernel
def _limper(spot: Spot, draws: NDArray[np.float64]) -> tuple[int, int]:
    limp = spot.street == 0 and spot.raises == 0
    if spot.to_call == 0 or limp or draws[0] < spot.p**LIMPER_POWER:
        return CALL, 0
    return FOLD, 0


@inlined_kernel
def _candid(spot: Spot, params: NDArray[np.float64]) -> tuple[int, int]:
    """Bet as many big blinds as come nearest to what the hand is thought worth."""
    behind = max(min(float(spot.stack), params[MOST]) - spot.spent, 0.0)
    return bid(spot, spot.p ** params[POWER] * behind)


@inlined_kernel
def _wander(hand: int, params: NDArray[np.float64], memory: NDArray[np.float64]) -> None:
    """Draw a new point of the plane if another period has begun."""
    period = hand // PERIOD_HANDS
    if memory[0] != period + 1:
        memory[0] = period + 1
        memory[1], memory[2] = point_of_period(int(params[SEED]), period)
