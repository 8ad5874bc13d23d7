"""Obvious version of engine.rules.pots: every single chip is a pot of its own."""

from fractions import Fraction


def payoffs(spent, folded, strengths):
    """Divide the pot chip by chip; exact fractions, one per position."""
    values = [Fraction(-chips) for chips in spent]
    staying = [p for p in range(len(spent)) if not folded[p]]
    for chip in range(1, max(spent) + 1):
        payers = [p for p in range(len(spent)) if spent[p] >= chip]
        rivals = [p for p in staying if spent[p] >= chip]
        if len(staying) == 1:
            rivals = staying
        if not rivals:
            continue
        best = max(strengths[p] for p in rivals) if len(rivals) > 1 else None
        winners = [p for p in rivals if best is None or strengths[p] == best]
        for winner in winners:
            values[winner] += Fraction(len(payers), len(winners))
    return values
