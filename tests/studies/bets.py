"""How much each type of player bets with what it holds, and wins, as in the patent's picture of it.

    make study NAME="bets LOG --game hunl"
    make study NAME="bets --pool --hands 200"

    hands   (5, 5, 8)  int64    hands of players of a type in which they bet so much, by type, by
                                street (the last row: over the whole hand) and by size
    won     (5, 5, 8)  float64  how many of them won the pot, a shared one counts half
    known   (5, 5, 8)  int64    how many are known; sums (5, 5, 8) float64 of their strengths
    chosen  (5, 4, 10) int64    decisions with known hands, by type, street and tenth of strength
    bets    (5, 4, 10) float64  what was raised in them: pots after the call, 2 at most as for the
                                types, 0 without a raise

In no-limit games sizes are raises as shares of the pot after the call, at most 1/4, 1/2, 3/4, 1,
3/2, 5/2 and more; a hand counts once for each size that the player raised by, and under "none"
where there was no raise.  In limit games a size is how many bets and raises the player made.

Types are those of `player_types`, of the play in windows of as many hands as they were made of;
what is left over at the end is a shorter window, and its type less sure.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.play_summary import LARGEST_BET_POTS, PlaySummary
from agents.statistical.counting.situations import RAISE, STREETS, actions_of
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.player_types import TYPES
from engine.console.options import jobs_option
from engine.estimates.shares import ShareEstimate
from engine.hands.cards import combo_of
from tests.studies.logged_hands import SMALL_POOL, add_source, counted
from tests.studies.strengths import STREET_NAMES

if TYPE_CHECKING:
    from agents.statistical.predicting.player_types import PlayerTypes
    from engine.equity.strength import StrengthReader
    from tests.studies.logged_hands import StudiedHand

POT_SHARES: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.5)
SIZES: Final = len(POT_SHARES) + 2
SIZE_NAMES: Final = {
    True: ("none", "to 1/4", "to 1/2", "to 3/4", "to 1", "to 3/2", "to 5/2", "above"),
    False: ("none", *map(str, range(1, SIZES - 1)), f"{SIZES - 1} or more"),
}
"""Whether the game is no-limit -> its sizes in words."""
TENTHS: Final = 10
WHOLE: Final = STREETS
"""In the place of a street: the whole hand."""
_DIGITS: Final = 4
SMALL: Final = SMALL_POOL


def add_options(parser: ArgumentParser) -> None:
    """Add the hands, and processes."""
    add_source(parser)
    jobs_option().add_to(parser)


def run(options: Namespace) -> dict[str, Any]:
    """Return wins by size of bet, and mean bets by strength, for each type."""
    facts, study = counted(BetStudy, options)
    return facts | study.counted(load_shipped("types")).plain()


def result_name(options: Namespace) -> str:
    """Return the file of the pool, or of a log."""
    return "bets-pool.json" if options.pool else "bets.json"


class _Bet(NamedTuple):
    """A decision of a player."""

    street: int
    kind: int
    raised: float
    stack: float
    cell: int
    strength: float
    """nan where the hand is not known."""


class _Part(NamedTuple):
    """What a player did in a hand."""

    name: str
    no_limit: bool
    bets: tuple[_Bet, ...]
    """One at least."""
    showdown: bool
    share: float
    """Of the pot."""


class BetStudy:
    """What the players of some hands did; it is counted once all hands are there."""

    def __init__(self) -> None:
        self.deals = 0
        self._parts: list[_Part] = []

    def take(self, hand: StudiedHand, strengths: StrengthReader) -> None:
        """Keep what both players did in a hand."""
        self.deals += 1
        state, cards = hand.hand.state, hand.hand.cards
        done: dict[int, list[_Bet]] = defaultdict(list)
        for one in actions_of(state, cards.board):
            hole, strength = cards.holes[one.actor], math.nan
            if hole:
                strength = float(strengths.read(one.situation.board)[combo_of(*hole)])
            street = one.situation.state.street
            done[one.actor].append(
                _Bet(street, one.kind, one.raised, one.stack, one.cell, strength)
            )
        for position, bets in sorted(done.items()):
            self._parts.append(
                _Part(
                    hand.hand.record.names[position],
                    state.game.no_limit,
                    tuple(bets),
                    state.showdown and not state.folded[position],
                    hand.shares[position],
                )
            )

    def add(self, other: BetStudy) -> None:
        """Take over what another one has of the hands that follow."""
        self.deals += other.deals
        self._parts += other._parts

    def counted(self, types: PlayerTypes) -> BetCounts:
        """Return the counts of all hands."""
        windows: dict[tuple[str, bool], list[_Part]] = defaultdict(list)
        counts = BetCounts(bool(self._parts) and self._parts[0].no_limit)
        for part in self._parts:
            window = windows[part.name, part.no_limit]
            window.append(part)
            if len(window) == types.window:
                counts.add_window(_type_of(types, window), window)
                window.clear()
        for window in windows.values():
            if window:
                counts.add_window(_type_of(types, window), window)
        return counts


def _type_of(types: PlayerTypes, window: list[_Part]) -> int:
    """Return the place in TYPES of whoever played like this."""
    summary = PlaySummary(window[0].no_limit)
    for part in window:
        for bet in part.bets:
            summary.add(bet.kind, bet.raised, bet.stack, bet.cell)
            if part.showdown and not math.isnan(bet.strength):
                summary.add_shown(bet.kind, bet.strength, bet.cell)
        summary.add_hand()
    return TYPES.index(types.assign(summary).name)


class BetCounts:
    """The counts of the module.

    Attributes:
        windows: (5,) how many windows of play were of each type.
    """

    def __init__(self, no_limit: bool) -> None:
        """Start with nothing counted."""
        self.no_limit = no_limit
        self.windows = np.zeros(len(TYPES), np.int64)
        shape = (len(TYPES), STREETS + 1, SIZES)
        self.hands, self.known = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.won, self.sums = np.zeros(shape), np.zeros(shape)
        self.chosen = np.zeros((len(TYPES), STREETS, TENTHS), np.int64)
        self.bets = np.zeros(self.chosen.shape)

    def add_window(self, kind: int, window: list[_Part]) -> None:
        """Count the play of somebody of a type."""
        self.windows[kind] += 1
        for part in window:
            for street in (*range(STREETS), WHOLE):
                bets = [bet for bet in part.bets if street in (bet.street, WHOLE)]
                if bets:
                    self._add_hand(kind, street, bets, part.share)
            for bet in part.bets:
                if not math.isnan(bet.strength):
                    place = kind, bet.street, min(int(bet.strength * TENTHS), TENTHS - 1)
                    self.chosen[place] += 1
                    self.bets[place] += (
                        min(bet.raised, LARGEST_BET_POTS) if bet.kind == RAISE else 0.0
                    )

    def _add_hand(self, kind: int, street: int, bets: list[_Bet], share: float) -> None:
        raises = [bet for bet in bets if bet.kind == RAISE]
        found: dict[int, float] = {}  # size -> strength at the first raise by it
        if not self.no_limit:
            found[min(len(raises), SIZES - 1)] = (raises or bets)[0].strength
        elif raises:
            for bet in raises:
                found.setdefault(1 + bisect_left(POT_SHARES, bet.raised), bet.strength)
        else:
            found[0] = bets[0].strength
        for size, strength in found.items():
            place = kind, street, size
            self.hands[place] += 1
            self.won[place] += share
            if not math.isnan(strength):
                self.known[place] += 1
                self.sums[place] += strength

    def plain(self) -> dict[str, Any]:
        """Return what is shown, and the same of each street, as plain values."""
        return {
            "no_limit": self.no_limit,
            "windows": dict(zip(TYPES, self.windows.tolist(), strict=True)),
            "sizes": list(SIZE_NAMES[self.no_limit]),
            "types": {
                name: {
                    "whole hand": self._rows(kind, WHOLE),
                    **{
                        street: self._rows(kind, number)
                        for number, street in enumerate(STREET_NAMES)
                    },
                    "decisions": self.chosen[kind].tolist(),
                    "mean_bet": [
                        [_mean(*each) for each in zip(sums, counts, strict=True)]
                        for sums, counts in zip(
                            self.bets[kind].tolist(), self.chosen[kind].tolist(), strict=True
                        )
                    ],
                }
                for kind, name in enumerate(TYPES)
                if self.windows[kind]
            },
        }

    def _rows(self, kind: int, street: int) -> list[dict[str, Any] | None]:
        return [self._row(kind, street, size) for size in range(SIZES)]

    def _row(self, kind: int, street: int, size: int) -> dict[str, Any] | None:
        """Return what there is to say of a size; None without a hand."""
        place = kind, street, size
        hands, known = int(self.hands[place]), int(self.known[place])
        if not hands:
            return None
        share = ShareEstimate.of(float(self.won[place]), hands)
        return {
            "hands": hands,
            "won": round(share.value, _DIGITS),
            "won_ci95": [round(end, _DIGITS) for end in (share.low, share.high)],
            "strength": _mean(float(self.sums[place]), known),
        }


def _mean(total: float, count: int) -> float | None:
    """Return a mean as it is written; None of nothing."""
    return round(total / count, _DIGITS) if count else None
