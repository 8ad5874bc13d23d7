"""Chips of a finished hand as a table hands them out: what comes back, pots, shares.

Logs pay fractions of a chip.  A table pays the smallest coin it has, so of a pot that does not
divide the coins left over go to the first winners behind the button, one each.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Final

from engine.errors import UnusableHistory
from engine.histories.hand import decimal_text
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory

_CENTS: Final = 2


@dataclass(frozen=True, slots=True)
class TablePot:
    """One pot and who gets how much of it."""

    chips: int
    shares: dict[int, Decimal]
    """By position."""


@dataclass(frozen=True, slots=True)
class TableChips:
    """What becomes of the chips of a hand."""

    returned: tuple[int, int] | None
    """Position whose last bet nobody called in full, and the chips that it gets back."""
    pots: tuple[TablePot, ...]
    """The main pot, then side pots; one where the shares by pot are not known."""
    strengths: tuple[int | None, ...]
    """Of the hands at the showdown by position, None where there is none or it is not known."""
    exact: bool
    """Whether the shares are the payoffs of the record, to the last digit."""


def money_places(scale: int) -> int:
    """Return how many decimals money has, cents at least, where a unit of it is `scale` chips."""
    return max(_CENTS, len(str(scale)) - 1)


def coin_of(scale: int, format_name: str) -> Decimal:
    """Return the smallest coin in chips, where a unit of money is `scale` chips.

    Raises:
        UnusableHistory: a chip is no decimal of money.
    """
    if scale != 10 ** (len(str(scale)) - 1):
        raise UnusableHistory(f"{format_name} cannot divide money by {scale}")
    return Decimal(scale).scaleb(-money_places(scale))


def table_chips(hand: HandHistory, coin: Decimal) -> TableChips:
    """Return pots and shares of a hand.

    Args:
        hand: its payoffs hold, even against its cards.
        coin: the smallest amount that is paid out, in chips.

    Raises:
        UnusableHistory: the payoffs do not divide what was put in.
    """
    spent = hand.state.spent
    top, second = sorted(spent, reverse=True)[:2]
    leader = spent.index(top)
    returned = (leader, top - second) if top > second else None
    paid = [min(chips, second) for chips in spent]
    values = [Decimal(text) for text in hand.record.values]
    due: list[Decimal] = [value + chips for value, chips in zip(values, paid, strict=True)]
    chips = sum(paid)
    if any(share < 0 for share in due) or abs(sum(due, Decimal(0)) - chips) > coin:
        raise UnusableHistory("the payoffs do not divide the pot")
    strengths = _strengths(hand)
    pots = _divided(hand, paid, strengths, coin)
    totals = _totals(pots, len(spent))
    most = coin * max(1, len(pots))  # each pot has coins left over
    if any(abs(got - owed) >= most for got, owed in zip(totals, due, strict=True)):
        pots = (TablePot(chips, _rounded(due, chips, coin)),)
        totals = _totals(pots, len(spent))
    texts = [decimal_text(got - put) for got, put in zip(totals, paid, strict=True)]
    return TableChips(returned, pots, strengths, texts == list(hand.record.values))


def _strengths(hand: HandHistory) -> tuple[int | None, ...]:
    state, (holes, board) = hand.state, hand.cards
    return tuple(
        [
            strength((*hole, *board)) if state.showdown and hole and not folded else None
            for hole, folded in zip(holes, state.folded, strict=True)
        ]
    )


def _divided(
    hand: HandHistory, paid: list[int], strengths: tuple[int | None, ...], coin: Decimal
) -> tuple[TablePot, ...]:
    """Return the pots with shares by strength; no shares where a hand is not known."""
    contenders = [position for position, folded in enumerate(hand.state.folded) if not folded]
    if len(contenders) == 1:
        return (TablePot(sum(paid), {contenders[0]: Decimal(sum(paid))}),)
    if any(strengths[position] is None for position in contenders):
        return ()
    pots: list[TablePot] = []
    below = 0
    for level in sorted({paid[position] for position in contenders}):
        chips = sum([min(stake, level) - min(stake, below) for stake in paid])
        rivals = {
            position: strengths[position] or 0 for position in contenders if paid[position] >= level
        }
        best = max(rivals.values())
        winners = [position for position, strength in rivals.items() if strength == best]
        below = level
        if chips:
            owed = [Decimal(0)] * len(paid)
            for position in winners:
                owed[position] = Decimal(chips) / len(winners)
            pots.append(TablePot(chips, _rounded(owed, chips, coin)))
    return tuple(pots)


def _rounded(due: list[Decimal], chips: int, coin: Decimal) -> dict[int, Decimal]:
    """Return what each gets in whole coins; those left over go to the first, one each."""
    if all(share == int(share) for share in due):
        return {position: share for position, share in enumerate(due) if share}
    coins = [int((share / coin).to_integral_value(ROUND_FLOOR)) for share in due]
    broken = [position for position, share in enumerate(due) if share != coins[position] * coin]
    remainder = int(chips / coin) - sum(coins)
    for position in broken[: max(remainder, 0)]:
        coins[position] += 1
    return {position: count * coin for position, count in enumerate(coins) if count}


def _totals(pots: tuple[TablePot, ...], players: int) -> list[Decimal]:
    return [
        sum([pot.shares.get(position, Decimal(0)) for pot in pots], Decimal(0))
        for position in range(players)
    ]
