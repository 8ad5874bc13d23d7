"""A solved blueprint of flop hold'em: what it loses, before and after flops are solved again.

For each flop, each way to see it and each player, the player's strategy there is solved again by
each technique, and the opponent's best response to it is added up.  Before the flop both keep to
the blueprint, so a technique's exploitability is exact for what it found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.flop_holdem.bucket_solver import FlopHoldemSolver
from engine.flop_holdem.solver import (
    flop_sums,
    preflop_reach,
    values_before_flop,
    walk_flop,
)
from engine.flop_holdem.techniques import (
    TECHNIQUES,
    Arrival,
    Technique,
    gifts_of,
    solved_again,
    solved_ways,
    without_needless_gifts,
)
from engine.flop_holdem.walk_kernels import BEST, EXPECT
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, without_blocked

_NOBODY: Final = 1e-9
"""Reach that no hand is left of."""


class FlopBlueprint:
    """The average strategies of a solve, and what best responses win from them."""

    def __init__(self, solver: FlopHoldemSolver) -> None:
        """Walk all flops once."""
        self.game: Final = solver.game
        self.profile: Final = solver.profile(StrategyKind.AVERAGE)
        self._reach: Final = preflop_reach(self.game, self.profile.preflop)
        self._roots: Final = flop_sums(self.game, self.profile.shares, self._reach, (BEST, BEST), 1)
        self._gifts: Final = gifts_of(self.game, self._reach, self._worth(self._roots))

    def _worth(self, roots: NDArray[np.float64]) -> NDArray[np.float64]:
        return values_before_flop(self.game, self.profile.preflop, self._reach, roots, (BEST, BEST))

    def exploitability(self, sums: NDArray[np.float64] | None) -> float:
        """Return the mean of both best responses, chips per hand.

        Args:
            sums: (2, W, 169) of `solved_flop` added up, by opponent; None: the blueprint's own.
        """
        roots = self._roots
        if sums is not None:
            roots = roots.copy()
            per_hand = self.game.flops.combos * self.game.flops.ways_for_two
            roots[:, solved_ways(self.game)] = sums / per_hand
        won = self._worth(roots)[0]
        return (self.game.mean(won[0]) + self.game.mean(won[1])) / 2

    def solved_flop(self, flop: int, iterations: int) -> NDArray[np.float64]:
        """Return (techniques, 2, W, 169) what opponents win at best, by opponent and way.

        Sums over the flop's ways and the hands of each starting hand.
        """
        ways = solved_ways(self.game)
        tables = self.game.flops
        found = np.zeros((len(TECHNIQUES), 2, len(ways), len(tables.combos)))
        for place, arrival in enumerate(self.arrivals(flop)):
            for opponent in (0, 1):
                met = compatible_reach(without_blocked(arrival.reach[1 - opponent], arrival.board))
                live = without_blocked(np.ones(COMBOS), arrival.board)
                solved: dict[Technique, NDArray[np.float64]] = {}
                for number, technique in enumerate(TECHNIQUES):
                    alike = without_needless_gifts(technique, arrival.gifts[opponent])
                    if alike not in solved:
                        solved[alike] = solved_again(
                            self.game, arrival, technique, 1 - opponent, iterations
                        )
                    np.add.at(
                        found[number, opponent, place],
                        tables.hand,
                        float(tables.ways[flop]) * solved[alike] * met * live,
                    )
        return found

    def arrivals(self, flop: int) -> Iterator[Arrival]:
        """Yield the ways to one flop that are solved again."""
        game, tables = self.game, self.game.flops
        shape = (len(game.nodes.kind), 2, tables.live)
        reach, best, value = np.empty(shape), np.empty(shape), np.empty(shape)
        shares = self.profile.shares(flop)
        came = self._reach[list(game.ways)]
        for how, into in ((BEST, best), (EXPECT, value)):
            walk_flop(game, flop, shares, came, (how, how), reach, into)
        board = tuple(tables.boards[flop].tolist())
        for way in solved_ways(game):
            node, won = game.roots[way], np.zeros((2, 2, COMBOS))
            for player in (0, 1):
                met = compatible_reach(without_blocked(came[way, 1 - player], board))
                for kind, values in enumerate((best, value)):
                    full = np.zeros(COMBOS)
                    full[tables.combo[flop]] = values[node, player]
                    np.divide(full, met, out=won[kind, player], where=met > _NOBODY)
            yield Arrival(
                int(game.kept[node]), board, came[way], won[0], won[1], self._gifts[:, way]
            )
