"""Logs with all-in expectation instead of results, as the original's all_in_expectation writes.

STATE lines only: those of hands that were all-in before the last street get the mean over all
boards that could still come, all six decimals printed; the others are copied.  Headers, comments
and SCORE are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.equity.allin import logged_expectation
from engine.errors import EngineError
from engine.handlogs.source.complaints import Complaints
from engine.rules.view import state_of_betting
from protocol.errors import ProtocolError
from protocol.handlog import HandRecord, format_hand

if TYPE_CHECKING:
    from engine.handlogs.source.log_hands import LoggedHand


def expectation_lines(hands: Iterable[LoggedHand], complaints: Complaints) -> Iterator[str]:
    """Yield the STATE line of each hand with its all-in expectation.

    Args:
        hands: the hands of one log.
        complaints: told of hands that are not legal.
    """
    for hand in hands:
        try:
            values = _expected_values(hand)
        except (ProtocolError, EngineError, ValueError) as error:
            complaints.add(hand.where, error)
            continue
        record: HandRecord = hand.record
        yield format_hand(record if values is None else replace(record, values=values))


def _expected_values(hand: LoggedHand) -> tuple[str, ...] | None:
    state = state_of_betting(hand.game, hand.record.betting)
    if not state.over:
        raise EngineError("the betting stops before the hand is over")
    expected = logged_expectation(state, hand.record.cards)
    return None if expected is None else tuple(f"{value:.6f}" for value in expected)
