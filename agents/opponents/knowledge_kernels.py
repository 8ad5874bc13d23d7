"""How a knowledge bot decides: the values of a fold, a call and some raises, then habits.

The value of a play is its mean win in chips against the range that the other player's betting
implies (`knowledge_opponent`):

    check    share R of equity * pot: out of position, and with middling hands, less is realised
    call     R * equity * (pot after the call) - call, and what a draw may win later
    raise    folds * pot + (1 - folds) * (equity against what calls * final pot - own chips)

The habits of the character are added, in shares of the pot: to bet, to carry on betting, to control
the pot with one pair, to slow-play; and noise, which mixes plays of about the same value.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.opponents.knowledge_features import read_kernel
from agents.opponents.knowledge_opponent import (
    KEEP,
    RAISES,
    WEIGHT,
    WIDTH,
    catch_up,
    equity_against,
    fold_chance,
    impurity,
    often,
    ordinary_fold,
    ordinary_raise,
    see_showdown,
    watch,
)
from engine.compiled.jit import inlined_kernel, pointer_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.showdown.made_hands import NOTHING, OVERPAIR, TRIPS

# Columns of a character.
SMALL: Final = 0
"""The smaller and the larger bet after the flop, in pots."""
LARGE: Final = 1
OPEN: Final = 2
"""The first raise before the flop, and the later ones, in pots."""
RERAISE: Final = 3
BET: Final = 4
"""After the flop, liking for a bet, in pots; for raises of a bet; for calls."""
LIFT: Final = 5
LOOSE: Final = 6
FOLLOW: Final = 7
"""Liking for a bet on the flop after raising before it: less on wet boards."""
BARREL: Final = 8
"""The same on turn and river."""
CONTROL: Final = 9
"""Dislike of betting or raising with one pair on turn and river."""
TRAP: Final = 10
"""How often a very strong hand checks or calls before the river."""
CHECK_RAISE: Final = 11
"""How often it checks out of position to a player who is likely to bet."""
NOISE: Final = 12
IMPLIED: Final = 13
"""Share of the pot, times the chance to hit a draw, that is won afterwards."""
POSITION: Final = 14
"""Share of the equity that is not realised out of position."""
MIDDLING: Final = 15
"""Share lost with middling hands in position and out of it, before the river."""
DOUBT: Final = 16
"""How much less than a bluff's share of his range is taken to be bluffs (1: all of it)."""
PRIOR: Final = 17
"""Weight of the prior over the opponent, in decisions."""
MEMORY_KEPT: Final = 18
"""Share of the counts kept from hand to hand."""
FLOATS: Final = 19
"""How much fold equity is believed in."""
ENTER: Final = 20
"""Before the flop, liking for the first raise, in pots; for later raises; for calls."""
THREE_BET: Final = 21
DEFEND: Final = 22
FLAT: Final = 23
"""How often a hand that would raise before the flop calls, good or bad."""
PARAMS: Final = 24

_OUT_ONE_CARD: Final = 0.021
"""Chance of one out with one card to come: 1 / 46 or 1 / 47."""
_VERY_STRONG: Final = 0.88
_COMMITTED: Final = 0.4
"""With less than this share of the stack behind after a raise, all of it goes in."""
_SUITED: Final = 0.025
_TOUCHING: Final = 0.02
"""What suited and touching cards are worth in equity before the flop, all streets considered."""


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the action: kind, and the raise-to where it is a raise.

    params is a character, draws (4,) uniform random numbers in [0, 1).
    """
    memory[WEIGHT] = params[PRIOR]
    memory[KEEP] = params[MEMORY_KEPT]
    catch_up(spot, memory)
    street = spot.street
    pot = float(spot.pot)
    to_call = float(min(spot.to_call, spot.stack - spot.spent))
    width = memory[WIDTH]
    p = spot.p
    made = NOTHING
    wet = 0.0
    outs = 0.0
    if street == 0:
        p = min(p + _liveness(spot.hole), 0.99)
    else:
        features = read_kernel(spot.hole, spot.board, street + 2)
        made = features.made
        wet = _wetness(street, features.suited, features.connected, features.pairs)
        if street < 3:
            outs = features.flush_outs + features.straight_outs + 1.5 * features.overcards
    hit = outs * _OUT_ONE_CARD * (1.8 if street == 1 else 1.0)
    size = spot.to_call / max(spot.pot - spot.to_call, 1)
    impure = params[DOUBT] * impurity(memory, street, size if size > 0.0 else 0.5)
    equity = max(equity_against(p, street, width, impure), 0.9 * hit)

    realised = 1.0
    if street < 3 or (to_call == 0.0 and not spot.button):
        middling = 4.0 * equity * (1.0 - equity)
        realised -= params[MIDDLING] * middling
        if not spot.button:
            realised -= params[POSITION]
    later = 0.0
    if street in (1, 2) and spot.stack > spot.spent + to_call:
        behind = min((spot.stack - spot.spent - to_call) / (pot + to_call), 2.0)
        later = params[IMPLIED] * hit * behind * (pot + to_call)
    stay = realised * equity * (pot + to_call) - to_call + later
    if to_call > 0.0:
        loose = params[DEFEND] if street == 0 else params[LOOSE]
        stay += loose * (pot + to_call) + _noise(params, draws[0]) * to_call

    strong = (p > _VERY_STRONG and made >= TRIPS) or p > 0.94
    if street in (1, 2) and strong and spot.low > 0:
        quiet = params[TRAP] * (1.0 - 0.6 * wet)
        if to_call == 0.0 and not spot.button and spot.aggressor == 0:
            quiet += params[CHECK_RAISE]
        if draws[3] < quiet and spot.raises <= 1:
            return CALL, 0

    liking = _liking(spot, params, made, wet)
    best = 0.0
    best_to = 0
    if spot.low > 0:
        for option in range(2):
            fraction = _fraction(spot, params, option)
            raise_to = spot.to_match + fraction * (pot + to_call)
            raise_to = min(max(raise_to, float(spot.low)), float(spot.high))
            if spot.high - raise_to < _COMMITTED * (raise_to - spot.spent) and _no_limit(spot):
                raise_to = float(spot.high)
            stake = min(raise_to - spot.to_match, pot + to_call)
            value = _raise_value(spot, params, memory, raise_to, p, hit, realised, liking * stake)
            value += _noise(params, draws[1 + option]) * stake
            if option == 0 or value > best:
                best = value
                best_to = int(raise_to + 0.5)
            if street == 0 or not _no_limit(spot):
                break
        if best > stay and (best > 0.0 or to_call == 0.0):
            if street == 0 and draws[3] < params[FLAT] and stay > 0.0:
                return CALL, 0
            return RAISE, best_to
    if to_call == 0.0 or stay > 0.0:
        return CALL, 0
    return FOLD, 0


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Record an action, in the actor's spot."""
    if mine:
        catch_up(spot, memory)
    else:
        watch(spot, kind, memory)


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Take note of the end of a hand: his strength at a showdown, else -1."""
    see_showdown(memory, shown_p)


@inlined_kernel
def _raise_value(
    spot: Spot,
    params: NDArray[np.float64],
    memory: NDArray[np.float64],
    raise_to: float,
    p: float,
    hit: float,
    realised: float,
    bonus: float,
) -> float:
    """Return the chips that a raise wins on average, against folding now.

    bonus, what habit adds, counts in full against an ordinary player: less against one who seldom
    folds or often raises.
    """
    pot = float(spot.pot)
    own = raise_to - spot.spent
    his = raise_to - spot.to_match
    size = his / (pot + spot.to_call)
    folds = fold_chance(memory, spot.street, spot.raises + 1, size)
    if spot.street == 0 and spot.raises == 0 and spot.to_call == 0:
        folds *= 0.8
    width = memory[WIDTH]
    meek = folds / ordinary_fold(spot.street, size)
    folds = min(max(folds * params[FLOATS], 0.0), 0.95)
    calls = max(width * (1.0 - folds), 0.01)
    equity = max(equity_against(p, spot.street, calls, 0.03), 0.9 * hit)
    final = pot + own + his
    column = RAISES + 4 * spot.street + 2 * (spot.raises > 0)
    usual = ordinary_raise(spot.street, spot.raises + 1)
    again = often(memory, column, usual)
    meek *= (1.0 - again) / (1.0 - usual)
    # Facing another raise, a hand that is not among the best is given up.
    called = (realised * equity * final) - own
    narrow = equity_against(p, spot.street, max(width * again, 0.01), 0.1)
    raised = max(narrow * final - own, -own)
    value = (1.0 - folds - again) * called + again * min(raised, called)
    if folds + again > 1.0:
        value = (1.0 - folds) * min(raised, called)
    return float(folds * pot + value + (bonus * min(meek, 1.5) if bonus > 0.0 else bonus))


@inlined_kernel
def _liking(spot: Spot, params: NDArray[np.float64], made: int, wet: float) -> float:
    """Return what habit adds to a bet or raise, in pots."""
    if spot.street == 0:
        return float(params[ENTER] if spot.raises == 0 else params[THREE_BET])
    liking = params[BET] if spot.to_call == 0 else params[LIFT]
    if spot.to_call == 0 and spot.aggressor == 1:
        liking += params[FOLLOW] * (1.0 - wet) if spot.street == 1 else params[BARREL]
    if spot.street >= 2 and NOTHING < made <= OVERPAIR:
        liking -= params[CONTROL]
    return float(liking)


@inlined_kernel
def _fraction(spot: Spot, params: NDArray[np.float64], option: int) -> float:
    if spot.street == 0:
        return float(params[OPEN] if spot.raises == 0 else params[RERAISE])
    return float(params[SMALL] if option == 0 else params[LARGE])


@inlined_kernel
def _no_limit(spot: Spot) -> bool:
    return spot.low < spot.high or spot.high == spot.stack


@inlined_kernel
def _noise(params: NDArray[np.float64], draw: float) -> float:
    return float(params[NOISE] * (2.0 * draw - 1.0))


@inlined_kernel
def _wetness(street: int, suited: int, connected: int, pairs: int) -> float:
    """Return how many draws and made hands a board allows, 0 dry to 1."""
    wet = 0.25 * (suited - 1) + 0.25 * (connected - 1) - 0.1 * pairs - 0.1 * (street - 1)
    return min(max(wet, 0.0), 1.0)


@inlined_kernel
def _liveness(hole: NDArray[np.int64]) -> float:
    """Return what suits and nearness add to two hole cards."""
    live = _SUITED if hole[0] & 3 == hole[1] & 3 else 0.0
    gap = abs((hole[0] >> 2) - (hole[1] >> 2))
    if 0 < gap < 4:
        live += _TOUCHING * (4 - gap) / 3
    return live
