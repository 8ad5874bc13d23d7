"""What trackers tell of a player beyond win rates, VPIP and PFR; defined in docs/tracker.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.estimates.shares import ShareEstimate
from engine.estimates.winrate import WinRate, win_rate_from_sums
from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting import tally_block as b
from engine.rules.fast_state import TRACE_CALL, TRACE_FOLD, TRACE_RAISE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

STREET_NAMES: Final = ("preflop", "flop", "turn", "river")
"""Games with fewer streets have the first ones."""
SIZE_NAMES_POT_PERCENT: Final = (
    f"0-{c.SIZE_EDGES[0]}",
    *(f"{low}-{high}" for low, high in zip(c.SIZE_EDGES, c.SIZE_EDGES[1:], strict=False)),
    f"{c.SIZE_EDGES[-1]}+",
)
_HAND_PAIRS: Final = {
    "three_bet": c.PAIR_THREE_BET,
    "fold_to_three_bet": c.PAIR_FOLD_TO_THREE_BET,
    "four_bet": c.PAIR_FOUR_BET,
    "fold_to_four_bet": c.PAIR_FOLD_TO_FOUR_BET,
    "squeeze": c.PAIR_SQUEEZE,
}
_STREET_PAIRS: Final = {
    "cbet": c.PAIR_CBET,
    "fold_to_cbet": c.PAIR_FOLD_TO_CBET,
    "donk_bet": c.PAIR_DONK_BET,
    "check_raise": c.PAIR_CHECK_RAISE,
    "float": c.PAIR_FLOAT,
}


@dataclass(frozen=True, slots=True)
class CountedShare:
    """How many of how many occasions; the last three are None of no occasion."""

    count: int
    of: int
    share: float | None
    low: float | None
    """Lower end of Wilson's 95 % interval."""
    high: float | None


@dataclass(frozen=True, slots=True)
class CountedFactor:
    """(Bets + raises) / calls; None where there is no number."""

    raises: int
    calls: int
    factor: float | None
    low: float | None
    """Lower end of the 95 % interval, from Wilson's of raises / (raises + calls)."""
    high: float | None
    """None where it has no end."""


@dataclass(frozen=True, slots=True)
class TrackerStreet:
    """What a player did on one street."""

    aggression_factor: CountedFactor
    aggression_frequency: CountedShare
    """(Bets + raises) / (bets + raises + calls + folds)."""
    cbet: CountedShare
    fold_to_cbet: CountedShare
    donk_bet: CountedShare
    check_raise: CountedShare
    float: CountedShare
    """Bets after a call of a c-bet on the street before."""
    bet_sizes: dict[str, CountedShare]
    """Bets and raises by their hundredths of the pot after calling, of all of the street."""


@dataclass(frozen=True, slots=True)
class TrackerStats:
    """What a player did, with the counts."""

    vpip: CountedShare
    pfr: CountedShare
    three_bet: CountedShare
    fold_to_three_bet: CountedShare
    four_bet: CountedShare
    fold_to_four_bet: CountedShare
    squeeze: CountedShare
    aggression_factor: CountedFactor
    """On the streets after the first, as the next; in one-street games on that street."""
    aggression_frequency: CountedShare
    went_to_showdown: CountedShare
    showdown_played: CountedShare
    """The same without hands that were run out after an all-in."""
    won_at_showdown: CountedShare
    won_second_street: CountedShare
    """Hands that saw the second street and took part of a pot."""
    won: CountedShare
    with_showdown: WinRate
    """Won in hands that the player showed down, per hand dealt: the blue line."""
    without_showdown: WinRate
    """Won in the others, per hand dealt: the red line."""
    streets: dict[str, TrackerStreet]


def tracker_stats(counts: NDArray[np.int64], sums: NDArray[np.float64]) -> TrackerStats:
    """Return the statistics of (`COUNTS`,) `counts` and (`SUMS`,) `sums`."""
    count: list[int] = counts.tolist()
    hands = count[c.COUNT_HANDS]
    raises, calls = count[c.COUNT_RAISES], count[c.COUNT_CALLS]
    shown, squares = float(sums[b.SUM_SHOWN]), float(sums[b.SUM_SHOWN_SQUARES])
    rest, rest_squares = float(sums[b.SUM_RAW]) - shown, float(sums[b.SUM_RAW_SQUARES]) - squares
    return TrackerStats(
        vpip=_share(count[c.COUNT_VOLUNTARY], hands),
        pfr=_share(count[c.COUNT_FIRST_RAISES], hands),
        **{name: _pair(count, at) for name, at in _HAND_PAIRS.items()},
        aggression_factor=_factor(raises, calls),
        aggression_frequency=_share(raises, raises + calls + count[c.COUNT_FOLDS]),
        went_to_showdown=_share(count[c.COUNT_SHOWDOWNS], count[c.COUNT_SECOND_STREET]),
        showdown_played=_pair(count, c.PAIR_SHOWDOWN_PLAYED),
        won_at_showdown=_share(count[c.COUNT_SHOWDOWNS_WON], count[c.COUNT_SHOWDOWNS]),
        won_second_street=_pair(count, c.PAIR_SECOND_STREET_WON),
        won=_share(count[c.COUNT_WON], hands),
        with_showdown=win_rate_from_sums(hands, shown, squares, 1),
        without_showdown=win_rate_from_sums(hands, rest, rest_squares, 1),
        streets={name: _street(count, street) for street, name in enumerate(STREET_NAMES)},
    )


def _street(count: Sequence[int], street: int) -> TrackerStreet:
    actions = c.COUNT_ACTIONS + 4 * street
    raises, calls = count[actions + TRACE_RAISE], count[actions + TRACE_CALL]
    sizes = c.COUNT_SIZES + c.SIZES * street
    return TrackerStreet(
        aggression_factor=_factor(raises, calls),
        aggression_frequency=_share(raises, raises + calls + count[actions + TRACE_FOLD]),
        **{name: _pair(count, at + 2 * street) for name, at in _STREET_PAIRS.items()},
        bet_sizes={
            name: _share(count[sizes + size], raises)
            for size, name in enumerate(SIZE_NAMES_POT_PERCENT)
        },
    )


def _pair(count: Sequence[int], at: int) -> CountedShare:
    return _share(count[at], count[at + 1])


def _share(count: int, of: int) -> CountedShare:
    if not of:
        return CountedShare(count, of, None, None, None)
    estimate = ShareEstimate.of(count, of)
    return CountedShare(count, of, estimate.value, estimate.low, estimate.high)


def _factor(raises: int, calls: int) -> CountedFactor:
    """Return raises / calls; odds rise with the share, so the ends of its interval do for them."""
    factor = raises / calls if calls else None
    if not raises + calls:
        return CountedFactor(raises, calls, factor, None, None)
    share = ShareEstimate.of(raises, raises + calls)
    high = share.high / (1 - share.high) if calls else None
    return CountedFactor(raises, calls, factor, share.low / (1 - share.low), high)
