"""Hands -> tables of comma-separated values: a row a hand, or a row a decision.

Chips are those of the game; positions of a row of a hand are joined by "|" in the order of a log.
The columns are in `HAND_COLUMNS` and `DECISION_COLUMNS`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import UnusableHistory
from engine.rules.positions import position_names
from engine.rules.pots import called
from protocol.cards import format_cards

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory
    from engine.rules.state import HandState

HANDS: Final = "hands"
DECISIONS: Final = "decisions"
HAND_COLUMNS: Final = (
    *("hand", "time", "limit", "players", "names", "stacks", "blinds", "betting"),
    *("streets", "showdown", "hole_cards", "board", "pot", "values"),
)
DECISION_COLUMNS: Final = (
    *("hand", "decision", "street", "position", "player", "players", "active", "big_blind"),
    *("pot", "to_call", "stack", "effective_stack", "raises", "action", "chips", "raise_to"),
    *("size_in_pots", "all_in", "hole_cards", "board", "value"),
)
EQUITY: Final = "equity"
_STREETS: Final = ("preflop", "flop", "turn", "river")
_DIGITS: Final = 4
SAMPLED_BOARDS: Final = 10_000
"""The standard error is at most half a percent."""
_STREAM: Final = 0x637376

Equities = Callable[[tuple[tuple[int, ...], ...], tuple[int, ...]], list[float]]
"""Hole cards and board -> share of the pot of each hand."""


class CsvWriter:
    """Writes one table."""

    def __init__(self, rows: str = HANDS, *, equity: bool = False) -> None:
        """Begin a table.

        Args:
            rows: `HANDS` or `DECISIONS`.
            equity: whether rows of decisions say what share of the pot the player's hand wins
                on average against those of all others that are in, cards to come being dealt.
        """
        self._rows = _hand_rows if rows == HANDS else self._decision_rows
        self._columns: Iterable[str] = HAND_COLUMNS if rows == HANDS else DECISION_COLUMNS
        self._equities: Equities | None = None
        self._begun = False
        if equity:
            self._equities = known_equities
            self._columns = (*self._columns, EQUITY)

    def add(self, hand: HandHistory) -> str:
        """Return the rows of the next hand; see `engine.histories.hand.HistoryWriter`."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        rows = list(self._rows(hand))
        if not self._begun:
            table.writerow(self._columns)
            self._begun = True
        table.writerows(rows)
        return text.getvalue()

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""

    def _decision_rows(self, hand: HandHistory) -> Iterator[tuple[Any, ...]]:
        game, record = hand.game, hand.record
        holes, board = hand.cards
        if self._equities is not None and not game.is_holdem:
            raise UnusableHistory("equity is that of hold'em, and this game is not")
        names = position_names(game)
        forced = len(set(game.blinds)) > 1
        shown = [format_cards(hole) for hole in holes]
        for number, (state, action, after) in enumerate(hand.state.steps(), 1):
            actor = state.actor
            street, to_call, pot = state.street, state.to_call, state.pot
            paid = after.spent[actor] - state.spent[actor]
            stacks = [stack - spent for stack, spent in zip(game.stacks, state.spent, strict=True)]
            others = [
                chips
                for position, chips in enumerate(stacks)
                if position != actor and not state.folded[position]
            ]
            kind, raise_to, size = "fold", "", ""
            if action.kind == "c":
                kind = "call" if to_call else "check"
            elif action.kind == "r":
                kind = "raise" if state.raises or (not street and forced) else "bet"
                raise_to = str(after.to_match)
                by = after.to_match - state.to_match
                size = f"{by / (pot + to_call):.{_DIGITS}f}" if pot else ""
            visible = board[: game.board_seen(street)]
            row: tuple[Any, ...] = (
                record.hand_id,
                number,
                _STREETS[street] if game.is_holdem else street,
                names[actor],
                record.names[actor],
                game.players,
                state.folded.count(False),
                game.big_blind,
                pot,
                to_call,
                stacks[actor],
                min(stacks[actor], max(others)),
                state.raises,
                kind,
                paid,
                raise_to,
                size,
                int(after.spent[actor] == game.stacks[actor] and kind != "fold"),
                shown[actor],
                format_cards(visible),
                record.values[actor],
            )
            if self._equities is not None:
                row = (*row, _equity(self._equities, state, holes, visible))
            yield row


def _equity(
    equities: Equities, state: HandState, holes: Iterable[tuple[int, ...]], board: tuple[int, ...]
) -> str:
    """Return the equity of who acts, "" where hole cards are not known."""
    active = [(position, hole) for position, hole in enumerate(holes) if not state.folded[position]]
    if not all(hole for _, hole in active):
        return ""
    shares = equities(tuple([hole for _, hole in active]), board)
    rank = [position for position, _ in active].index(state.actor)
    return f"{shares[rank]:.{_DIGITS}f}"


def _hand_rows(hand: HandHistory) -> Iterator[tuple[Any, ...]]:
    game, record, state = hand.game, hand.record, hand.state
    holes, board = hand.cards
    yield (
        record.hand_id,
        record.stamp or "",
        "no-limit" if game.no_limit else "limit",
        game.players,
        "|".join(record.names),
        "|".join(map(str, game.stacks)),
        "|".join(map(str, game.blinds)),
        record.betting,
        _streets_seen(hand),
        int(state.showdown),
        "|".join([format_cards(hole) for hole in holes]),
        format_cards(board),
        called(state.spent),
        "|".join(record.values),
    )


def _streets_seen(hand: HandHistory) -> int:
    """Return how many streets were dealt."""
    board = len(hand.cards.board)
    game = hand.game
    return next(street + 1 for street in range(game.streets) if game.board_seen(street) >= board)


@lru_cache(maxsize=256)
def known_equities(holes: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> list[float]:
    """Return the share of the pot of each of two or more hands of hold'em, 0 to 1.

    Counted over all boards: of two hands before the flop from a table, of any number from the flop
    on.  More than two hands before the flop have millions of boards: random ones are drawn, the
    same ones in every run.

    Args:
        holes: two cards each.
        board: the known cards, 0, 3, 4 or 5.
    """
    # Imported when they are wanted: they compile
    from engine.equity.equity import exact_hand_equity
    from engine.equity.sampling import sampled_equity
    from engine.hands.cards import COMBO_CARDS, combo_of

    if board or len(holes) == 2:
        equities = exact_hand_equity(holes, board)
    else:
        ranges = np.zeros((len(holes), len(COMBO_CARDS)))
        for row, (first, second) in zip(ranges, holes, strict=True):
            row[combo_of(first, second)] = 1
        generator = np.random.default_rng((_STREAM, *(card for hole in holes for card in hole)))
        equities = sampled_equity(list(ranges), board, SAMPLED_BOARDS, generator)
    return [equity.equity for equity in equities]
