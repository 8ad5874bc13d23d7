"""How hands end that could not be read, against those that could: what remains may be biased.

A reader that misses one kind of line leaves out one kind of hand, such as all that were won by a
last bet.  What is counted from the others is then no fair sample of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from engine.histories.hand import HandHistory, LeftOut

SHOWDOWN: Final = "ended in a showdown"
LAST_BET: Final = "were won by a last bet"
BEFORE_FLOP: Final = "were won before the flop"
_FEWEST_LEFT_OUT: Final = 2
_LEAST_SHARE_GAP: Final = 0.25


class EndingCounts:
    """Counts the endings of the hands of a file."""

    def __init__(self) -> None:
        """Begin with none."""
        self._read: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()

    def add(self, hand: HandHistory | LeftOut) -> None:
        """Count a hand."""
        if isinstance(hand, LeftOut):
            self._unread[hand.ending] += bool(hand.ending)
        elif hand.state.showdown:
            self._read[SHOWDOWN] += 1
        else:
            self._read[LAST_BET if hand.state.street else BEFORE_FLOP] += 1

    def counting(self, hands: Iterable[HandHistory | LeftOut]) -> Iterator[HandHistory | LeftOut]:
        """Yield hands, and count them."""
        for hand in hands:
            self.add(hand)
            yield hand

    def bias(self) -> str:
        """Return what hands left out have in common that the others have not, "" for nothing."""
        read, unread = self._read.total(), self._unread.total()
        if not read or unread < _FEWEST_LEFT_OUT:
            return ""
        apart = {
            label: self._unread[label] / unread - self._read[label] / read for label in self._unread
        }
        ending = max(apart, key=apart.__getitem__)
        if apart[ending] < _LEAST_SHARE_GAP:
            return ""
        count = self._unread[ending]
        some = f"all {unread:,}" if count == unread else f"{count:,} of {unread:,}"
        return (
            f"{some} hands left out {ending}, {self._read[ending]:,} of the {read:,} others: "
            "what is counted of these is biased"
        )
