"""How well weights know what an opponent holds: the log-likelihood of hands that a log shows.

For every showdown, and each of the two players, the other's weights are followed through the hand
from where that player sits; the score is ln(weight of the hand that was shown / sum of weights).
A range that knows nothing scores -ln 990: so many combos are left beside two own cards and five of
the board.  Counters grow from hand to hand by name, so every hand is scored before
anything of it is learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.statistical.action_chances import ActionChances
from agents.statistical.counters import OpponentCounters
from agents.statistical.range_reader import RangeReader, Reading
from agents.statistical.strength import StrengthReader
from engine.cards import combo_of
from engine.errors import EngineError
from engine.rules.view import PlayerView, replay_betting
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord


class RangeScores(NamedTuple):
    """Scores of N shown hands, and whom they taught something about."""

    modelled: NDArray[np.float64]
    """(N,) ln of the probability that the weights gave the hand."""
    uniform: NDArray[np.float64]
    """(N,) ln of 1 / combos that were possible."""
    opponents: dict[str, OpponentCounters]
    """By name, with all hands counted."""

    def gain(self) -> tuple[float, float]:
        """Return by how much the weights beat uniform on average, nats, and its 95 % half width."""
        gains = self.modelled - self.uniform
        return float(gains.mean()), float(1.96 * gains.std(ddof=1) / np.sqrt(len(gains)))


def score_ranges(
    game: GameDef,
    hands: Iterable[HandRecord],
    chances: Callable[[OpponentCounters], ActionChances],
    reading: Reading | None = None,
    *,
    skip: int = 0,
    strengths: StrengthReader | None = None,
) -> RangeScores:
    """Follow the hands of a log from both seats, and score the ranges at each showdown.

    Args:
        game: of all hands, for two.
        hands: in the order in which they were played.
        chances: what tells how likely the actions of a player with some counters are.
        reading: how to read actions.
        skip: how many hands are only counted at first.
        strengths: kept from another call on boards of the same log.

    Raises:
        EngineError: the betting of a hand breaks the rules, or it is not over.
        ProtocolError: betting or cards are none.
        ValueError: the game is no hold'em.
    """
    known: dict[str, OpponentCounters] = {}
    reader = strengths or StrengthReader()
    scored: list[tuple[float, float]] = []
    for number, record in enumerate(hands):
        state = replay_betting(game, record.betting)
        if not state.over:
            raise EngineError(f"hand {record.hand_id} is not over")
        cards = parse_card_text(record.cards, game)
        for position in range(2):
            other = 1 - position
            counters = known.setdefault(record.names[other], OpponentCounters())
            shown = cards.holes if state.showdown else _only(cards.holes, position)
            view = PlayerView(state, record.hand_id, position, shown, cards.board)
            follower = RangeReader(view, reader, reading or Reading())
            deeds = follower.follow(view, chances(counters))
            for deed in deeds:
                counters.add(deed.button, deed.cell, deed.action)
            counters.hands += 1
            if state.showdown and number >= skip:
                belief = follower.weights.belief()[combo_of(*shown[other])]
                scored.append((np.log(belief), -np.log(follower.weights.possible)))
    modelled, uniform = np.array(scored).reshape(-1, 2).T
    return RangeScores(modelled, uniform, known)


def _only(holes: tuple[tuple[int, ...], ...], position: int) -> tuple[tuple[int, ...], ...]:
    return tuple(hole if seat == position else () for seat, hole in enumerate(holes))
