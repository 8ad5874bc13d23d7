"""Compiled policies for tests of bulk matches."""

from engine.compiled.jit import inlined_kernel, pointer_kernel
from engine.play.compiled_policy import CompiledPolicy, Family
from engine.rules.fast_state import CALL, FOLD, RAISE

_MODULUS = 1048573.0


@inlined_kernel
def _mixed(total, number):
    """Return a checksum, exact in float64, that a number has gone into."""
    return (total * 31.0 + number) % _MODULUS


@inlined_kernel
def _whole_spot(total, spot):
    total = _mixed(total, spot.hand + 2 * spot.street + 3 * spot.button + 5 * spot.big_blind)
    total = _mixed(total, spot.stack + 2 * spot.pot + 3 * spot.to_match + 5 * spot.spent)
    total = _mixed(total, spot.to_call + 2 * spot.low + 3 * spot.high)
    total = _mixed(total, spot.raises + 7 * spot.raises_before + 11 * spot.aggressor)
    total = _mixed(_mixed(total, spot.p * 65535.0), spot.percentile)
    for card in spot.hole:
        total = _mixed(total, card)
    for card in spot.board:
        total = _mixed(total, card)
    return total


@pointer_kernel
def wild_decide(spot, params, memory, draws):
    """Do anything, illegal things too, by chance; note all there is to see."""
    memory[0] = _whole_spot(memory[0], spot)
    memory[1] = _mixed(memory[1], draws[2] + 2.0 * draws[3])
    if draws[0] < params[0]:
        return FOLD, 7
    if draws[0] < params[1]:
        return CALL, -3
    pots = params[2] * (draws[1] - 0.1)
    return RAISE, int(spot.to_match + pots * (spot.pot + spot.to_call))


@pointer_kernel
def wild_observe(spot, kind, raise_to, mine, memory):
    """Note everything."""
    memory[2] = _mixed(_whole_spot(memory[2], spot), kind + 3 * raise_to + 5 * mine)


@pointer_kernel
def wild_finish(memory, shown_p, won):
    """Note everything."""
    memory[3] = _mixed(_mixed(memory[3], shown_p * 65535.0), won)


@pointer_kernel
def plain_decide(spot, params, memory, draws):
    """Play by the share of weaker hands: fold below one bound, raise above another."""
    share = spot.percentile + params[2] * (draws[0] - 0.5)
    if share > params[1] and spot.raises < 3:
        return RAISE, int(spot.to_match + 0.7 * (spot.pot + spot.to_call))
    if share < params[0] * (1.0 - spot.big_blind / spot.pot):
        return FOLD, 0
    return CALL, 0


@pointer_kernel
def plain_observe(spot, kind, raise_to, mine, memory):
    """Count actions, those on the river, and the other's raises."""
    memory[0] += 1.0
    memory[1] += spot.street == 3
    memory[2] += kind == RAISE and not mine


@pointer_kernel
def plain_finish(memory, shown_p, won):
    """Add up the chips, and count showdowns."""
    memory[3] += won
    memory[4] += shown_p >= 0.0


WILD = Family("wild", wild_decide, wild_observe, wild_finish, 3, 4)
PLAIN = Family("plain", plain_decide, plain_observe, plain_finish, 3, 5)


def wild(fold=0.1, call=0.6, size=1.0, seed=1):
    """Return a policy that does anything."""
    return CompiledPolicy(WILD, [fold, call, size], seed)


def plain(fold=0.45, call=0.75, noise=0.1, seed=2):
    """Return a policy that plays by the strength of its hand."""
    return CompiledPolicy(PLAIN, [fold, call, noise], seed)
