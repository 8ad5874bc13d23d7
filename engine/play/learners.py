"""Matches in one process between bots that learn: each is told how every hand went and ended.

`engine.play.simulate` plays functions that only act; a bot that learns from folds and showdowns
needs `observe` and `end_hand` as well.  Each rotation of the seats has a bot of its own, or it
would know the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from engine.play.budget import without_budget
from engine.play.simulate import play_hand
from engine.rules.dealing import DealStream
from engine.rules.view import PlayerView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules.dealing import Deal
    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.gamedef import GameDef


class Learner(Protocol):
    """What a bot must do to learn from the hands that it plays; every `agents.bot.Bot` does."""

    def start_match(self, game: GameDef, seed: int) -> None:
        """Get ready for a match."""

    @property
    def act(self) -> Callable[..., Action]:
        """Returns the action to take; a function of the view, or of view and time budget."""

    def observe(self, view: PlayerView) -> None:
        """Look at a state in which another one acts."""

    def end_hand(self, view: PlayerView) -> None:
        """Look at a finished hand."""


class LearnerTable(NamedTuple):
    """Who plays a match."""

    bots: Sequence[Learner]
    """One per seat."""
    shift: int = 0
    """Seats that the button is ahead of where an ordinary match has it."""


def play_tables(
    game: GameDef, seed: int, hands: int, tables: Sequence[LearnerTable]
) -> NDArray[np.float64]:
    """Play matches with the same deals, from `start_match` to the last `end_hand`.

    A deal is played at all tables before the next one comes.  So what bots at different tables
    share, such as strengths on a board, is computed once.  Hands, seats and results are as
    in `engine.play.simulate.play_hands`; seat s is started with the seed seed + s.

    Returns:
        (H, T, P) float64 chips won or lost per hand, table and seat.

    Raises:
        IllegalAction: a bot did what the rules do not allow.
        InvalidGame: there is not one bot per seat.
        ValueError: a bot does not play the game, or there is no table.
    """
    if not tables:
        raise ValueError("no table to play at")
    seats = len(tables[0].bots)
    won = np.empty((hands, len(tables), seats))
    for table in tables:
        for seat, bot in enumerate(table.bots):
            bot.start_match(game, seed + seat)
    acts = list(map(_acts, tables))
    for hand, deal in zip(range(hands), DealStream(game, seed), strict=False):
        for number, table in enumerate(tables):
            played = _watched_hand(game, hand, deal, table, acts[number])
            won[hand, number, played.seats] = played.values
    return won


class WatchedHand(NamedTuple):
    """A hand that was played to its end before bots that learn."""

    hand_id: int
    deal: Deal
    state: HandState
    values: tuple[float, ...]
    """Chips won or lost per position."""
    seats: list[int]
    """Who sat in each position."""


def watched_hands(
    game: GameDef,
    seed: int,
    hands: int,
    bots: Sequence[Learner],
    deals: Iterable[Deal] | None = None,
) -> Iterator[WatchedHand]:
    """Play a match hand by hand; deals and button are those of `play_tables`.

    Args:
        seed: of the deals, 0 to 2**32 - 1.
        bots: one per seat; each has been started.
        deals: of all hands, where they are not those of the seed.

    Raises:
        IllegalAction: a bot did what the rules do not allow.
        InvalidGame: there is not one bot per seat.
    """
    table = LearnerTable(bots)
    acts = _acts(table)
    dealt = DealStream(game, seed) if deals is None else deals
    for hand, deal in zip(range(hands), dealt, strict=False):
        yield _watched_hand(game, hand, deal, table, acts)


def _acts(table: LearnerTable) -> list[Callable[[PlayerView], Action]]:
    return [without_budget(bot.act) for bot in table.bots]


def _watched_hand(
    game: GameDef,
    hand: int,
    deal: Deal,
    table: LearnerTable,
    acts: Sequence[Callable[[PlayerView], Action]],
) -> WatchedHand:
    bots, shift = table
    seats = len(bots)
    order = [(position + hand + shift) % seats for position in range(seats)]
    players = [acts[seat] for seat in order]
    watchers = [bots[seat].observe for seat in order]
    state, values = play_hand(game, deal, players, hand, watchers)
    for position, seat in enumerate(order):
        bots[seat].end_hand(PlayerView.of(state, deal, position, hand))
    return WatchedHand(hand, deal, state, values, order)


def play_learning_match(
    game: GameDef, seed: int, hands: int, bots: Sequence[Learner], *, shift: int = 0
) -> NDArray[np.float64]:
    """Play one match; arguments and errors as for `play_tables`.

    Returns:
        (H, P) float64 chips won or lost per hand and seat.
    """
    return play_tables(game, seed, hands, [LearnerTable(bots, shift)])[:, 0]


def rotations(builders: Sequence[Callable[[], Learner]]) -> list[LearnerTable]:
    """Return a table for each rotation of the seats, every one with bots newly built."""
    return [LearnerTable([build() for build in builders], shift) for shift in range(len(builders))]
