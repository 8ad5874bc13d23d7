"""The laws of the pool of opponents in plain Python, written from their descriptions."""

from engine.play.spot import Spot


def law_action(
    law: str,
    spot: Spot,
    draws,
    *,
    played=1.0,
    raised=0.0,
    bluff=0.0,
    small=0.5,
    large=0.5,
    slow=0.0,
    pressure=0.0,
    power=7,
    theirs=0,
    most=0,
) -> tuple[str, int]:
    """Return "fold", "call" or "raise" and the raise-to.

    most: chips a hand can cost; theirs: raises of the other in this hand.
    """
    pot_after_call = spot.pot + spot.to_call
    if law == "caller":
        return "call", 0
    if law == "limper":
        if spot.to_call == 0:
            return "call", 0
        if spot.street == 0 and spot.raises == 0:
            return "call", 0
        chance = 1.0
        for _ in range(50):
            chance *= spot.p
        return ("call", 0) if draws[0] < chance else ("fold", 0)
    if law == "maniac":
        pots = 1 if spot.raises == 0 else 2
        return "raise", spot.to_match + pots * pot_after_call
    if law == "candid":
        return _candid(spot, power, most)
    assert law == "band"
    size = spot.to_match + round((small + (large - small) * draws[1]) * pot_after_call)
    if spot.to_call:
        won_by_folds = spot.to_call / spot.pot  # of bets that everybody folds to, as many are even
        steps = 4 + spot.street + max(theirs, 1) - 1
        played *= (1 - won_by_folds) ** (pressure * steps / 4)
    better = 1 - spot.percentile
    if better <= played * raised:
        if spot.street != 3 and draws[2] < slow:
            return "call", 0
        return "raise", size
    if better <= played:
        return "call", 0
    if spot.percentile < 0.25 and spot.low and draws[0] < bluff:
        return "raise", size
    return "fold", 0


def _candid(spot: Spot, power: float, most: int) -> tuple[str, int]:
    """The decision algorithm of Li & Miikkulainen, with their letters."""
    o = 1.0
    for _ in range(int(power)):
        o *= spot.p
    ss = max(min(spot.stack, most) - spot.spent, 0)
    y, x = o * ss, spot.to_call
    if y < x:
        return ("call", 0) if x == 0 else ("fold", 0)
    if not spot.low:
        return "call", 0
    r_min = spot.low - spot.to_match
    if y < x + r_min:
        return "call", 0
    bb = spot.big_blind
    k = min(range(int(y) // bb + 2), key=lambda k: abs(k * bb - y))
    return "raise", spot.spent + x + (k * bb - x)
