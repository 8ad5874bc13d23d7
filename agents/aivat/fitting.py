"""Places of logged hands to fit values to: their kinds, edges, and what was won from there on."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.errors import AgentError
from agents.training.logs import read_hands
from engine.aivat.equity_values import kind_of_place
from engine.equity.allin import logged_expectation
from engine.equity.equity import exact_hand_equity
from engine.parallel.processes import in_order
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from agents.training.logs import PlayedHand
    from protocol.gamedef import GameDef

_CHUNK: Final = 200


class VisitedNodes(NamedTuple):
    """N places that hands passed, see `engine.aivat.fitting`."""

    hands: int
    kinds: NDArray[np.int64]
    """(N,)"""
    edges: NDArray[np.float64]
    """(N,)"""
    won: NDArray[np.float64]
    """(N,) pots"""
    weights: NDArray[np.float64]
    """(N,) big blinds"""


def visited_nodes(
    logs: Sequence[Path], game: GameDef | None, workers: int
) -> Iterator[VisitedNodes]:
    """Yield the places of the hands of logs, some hands at a time.

    Args:
        logs: files of matches of heads-up hold'em.
        game: of all of them; None: each log's header names a built-in game.

    Raises:
        AgentError: a log cannot be read or hides cards; the message says where.
    """
    return in_order(_reader, (), _chunks(logs, game), workers)


def _chunks(logs: Sequence[Path], game: GameDef | None) -> Iterator[list[tuple[str, PlayedHand]]]:
    hands = read_hands(logs, game, for_two=True)
    while chunk := list(islice(hands, _CHUNK)):
        yield chunk


def _reader() -> Callable[[list[tuple[str, PlayedHand]]], VisitedNodes]:
    return _places


def _places(hands: list[tuple[str, PlayedHand]]) -> VisitedNodes:
    rows = [row for where, hand in hands for row in _rows(where, hand)]
    columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    kinds, edges, won, weights = map(np.array, columns)
    return VisitedNodes(len(hands), kinds.astype(np.int64), edges, won, weights)


def _rows(where: str, hand: PlayedHand) -> Iterator[tuple[int, float, float, float]]:
    record, end, cards = hand
    if not all(cards.holes):
        raise AgentError(f"{where}: hides cards: want logs that show all hands")
    game = end.game
    won = (logged_expectation(end, record.cards) or hand_values(end, cards.holes, cards.board))[0]
    edges: dict[int, float] = {}
    for state in (HandState.start(game), *(after for _, _, after in end.steps())):
        if state.over:
            return
        board_cards = game.board_seen(state.street)
        if board_cards not in edges:
            edges[board_cards] = (
                2 * exact_hand_equity(cards.holes, cards.board[:board_cards])[0].equity - 1
            )
        yield kind_of_place(state), edges[board_cards], won / state.pot, state.pot / game.big_blind
