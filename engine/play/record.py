"""Hands played in one process as lines of an ACPC match log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.rules.dealing import Deal, DealStream
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.handlog import HandRecord, format_chips, format_hand

if TYPE_CHECKING:
    from engine.play.compiled_match import CompiledMatchResult, HandRecords
    from engine.rules.dealing import Deal
    from protocol.gamedef import GameDef


def replay_hand(game: GameDef, records: HandRecords, hand: int) -> HandState:
    """Return the final state of a hand, by the rules of `engine.rules.state`.

    Raises:
        IllegalAction: the actions are not those of a hand of this game.
        IndexError: there is no such hand.
    """
    plain = {ord("f"): FOLD, ord("c"): CALL, ord("r"): RAISE}
    if not 0 <= hand < len(records.ends):
        raise IndexError(f"hand {hand} of {len(records.ends)}")
    state = HandState.start(game)
    for kind, chips in records.actions_of(hand):
        sized = game.no_limit and kind == ord("r")
        state = state.apply(raise_to(chips) if sized else plain[kind])
    return state


def state_lines(
    game: GameDef,
    result: CompiledMatchResult,
    names: Sequence[str],
    seating: int = 0,
    deals: Iterable[Deal] | None = None,
) -> Iterator[str]:
    """Yield the STATE line of each hand of a match that was recorded; no terminators.

    About 200 microseconds a hand: cards, betting and values are taken from the slow rules, which
    prove the chips of the compiled ones on the way.

    Args:
        result: of `play_matches(..., record=True)`.
        names: of the two players, the first one's first.
        seating: 0, or 1 for the second half of a duplicate match.
        deals: of all hands, where they are not those of the seed.

    Raises:
        ValueError: nothing was recorded, there is no such seating, or there are not two names.
        EngineError: the slow rules give the hand another value.
    """
    if result.records is None:
        raise ValueError("the match was played without record=True")
    if not 0 <= seating < len(result.records) or len(names) != 2:
        raise ValueError(f"seating {seating} of {len(result.records)}, {len(names)} names")
    dealt = DealStream(game, result.seed) if deals is None else deals
    return _lines(game, result, dealt, tuple(names), seating)


def _lines(
    game: GameDef,
    result: CompiledMatchResult,
    deals: Iterable[Deal],
    names: tuple[str, ...],
    seating: int,
) -> Iterator[str]:
    assert result.records is not None
    records = result.records[seating]
    for hand, deal in zip(range(len(records.ends)), deals, strict=False):
        state = replay_hand(game, records, hand)
        values = hand_values(state, deal.holes, deal.board)
        order = [(position + hand + seating) % 2 for position in range(2)]
        if not state.over or values[order.index(0)] != result.won[seating, hand]:
            raise EngineError(f"hand {hand}: {state.betting} is worth {values}")
        yield hand_line(hand, state, deal, values, [names[player] for player in order])


def hand_line(
    hand: int, state: HandState, deal: Deal, values: Sequence[float], names: Sequence[str]
) -> str:
    """Return the STATE line of a finished hand, no terminator; values and names by position."""
    return format_hand(
        HandRecord(
            hand,
            state.betting,
            CardTexts(state.game, deal).log_text(state),
            tuple(map(format_chips, values)),
            tuple(names),
        )
    )
