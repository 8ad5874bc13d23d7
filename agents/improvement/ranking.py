"""Which raises a menu lacks the most: how often they were made, times how far the menu is away.

The distance of two raises, of x and y pots, is

    | x / (1 + x) - y / (1 + y) |

In this scale the pseudo-harmonic translation is linear: a raise halfway between two of the menu's
is taken for either of them equally often.  x / (1 + x) is how often a bluff of that size must work
to pay, so raises of equal distance change by equally much how often a caller has to call.  (Pots
themselves would make 5 pots and 6 ten times as different as 0.5 and 0.6.)

A new size also serves raises close to it.  So its score is what it saves: the sum, over all raises
at its place, of the distance to the menu less that to the menu with the new size.  Of a size that
stands alone this is frequency times distance.  The second one is chosen with the first in the menu,
and so on: near-equal sizes are not chosen twice.

Source of ranking by frequency times distance, three at a time: Brown, Sandholm, "Superhuman AI for
heads-up no-limit poker: Libratus beats top professionals", Science 359, 2018.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.improvement.logged_raises import LoggedRaises, Place
from engine.betting.betting_tree import RAISE, BettingTree


class MissingRaise(NamedTuple):
    """A raise that the menu lacks."""

    extra: str
    """The betting that it ends; chips of the abstract game (`BlueprintConfig.extras`)."""
    pots: float
    """Of the pot after calling."""
    times: float
    """How many raises were made that it is the nearest to, from now on."""
    share: float
    """Which part of all raises at its place they are."""
    nearest: float
    """The menu's nearest raise, pots; nan where it has none."""
    distance: float
    """To that."""
    score: float
    """What it saves; see the module's text."""


def rank_missing(
    tree: BettingTree, logged: LoggedRaises, count: int, chosen: Collection[str] = ()
) -> list[MissingRaise]:
    """Return the raises that save the most, the best first; fewer than `count` where none is left.

    Args:
        tree: of the model's abstract game, as it is.
        chosen: extra raises that it will have, which count as if it had them.
    """
    places = [_Candidates(tree, logged_place, chosen) for logged_place in logged.places]
    ranked: list[MissingRaise] = []
    while len(ranked) < count and places:
        best = max(places, key=lambda candidates: candidates.best_score)
        if not best.best_score > 0:
            break
        ranked.append(best.take())
    return ranked


def bluff_scale(pots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return raises of some pots on the scale on which they are compared, x / (1 + x)."""
    return pots / (1 + pots)


class _Candidates:
    """The sizes seen at one place, and how far each is from the menu."""

    def __init__(self, tree: BettingTree, place: Place, chosen: Collection[str]) -> None:
        self._tree = tree
        self._place = place
        node = place.node
        spent = tree.spent[node]
        self._to_match = int(spent.max())
        self._pot = int(spent.sum() + spent.max() - spent[tree.kind[node]])
        children = [child for child in tree.children(node) if tree.action[child] == RAISE]
        before = tree.betting(node)
        more = [
            int(total)
            for betting, _, total in (extra.rpartition("r") for extra in chosen)
            if betting == before
        ]
        self._menu = self._pots([int(tree.raise_to[child]) for child in children] + more)
        self._totals = sorted(place.sizes)
        self._sizes = self._pots(self._totals)
        self._times = np.array([place.sizes[total] for total in self._totals])
        between = bluff_scale(self._sizes)
        self._apart = np.abs(between[:, None] - between)
        self._away = np.ones(len(between))  # from no raise at all
        for size in self._menu:
            self._away = np.minimum(self._away, np.abs(between - bluff_scale(size)))
        self._score()

    def take(self) -> MissingRaise:
        """Return the best one, which is in the menu from now on."""
        best = int(np.argmax(self._scores))
        served = self._apart[best] < self._away
        times = float(self._times[served].sum())
        menu = self._menu
        nearest = (
            float(menu[np.argmin(np.abs(bluff_scale(menu) - bluff_scale(self._sizes[best])))])
            if len(menu)
            else float("nan")
        )
        missing = MissingRaise(
            extra=f"{self._tree.betting(self._place.node)}r{self._totals[best]}",
            pots=float(self._sizes[best]),
            times=times,
            share=times / self._place.raises,
            nearest=nearest,
            distance=float(self._away[best]),
            score=self.best_score,
        )
        self._menu = np.append(menu, self._sizes[best])
        self._away = np.minimum(self._away, self._apart[best])
        self._score()
        return missing

    def _score(self) -> None:
        saved = np.maximum(self._away - self._apart, 0)
        self._scores = saved @ self._times
        self.best_score = float(self._scores.max())

    def _pots(self, totals: Sequence[int]) -> NDArray[np.float64]:
        return (np.array(totals, np.float64) - self._to_match) / self._pot
