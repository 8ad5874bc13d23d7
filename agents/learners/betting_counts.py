"""How many decisions the betting of a game has: of a hand, and of an external-sampling traversal.

Cards do not matter: which actions are legal depends on the betting alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.rules.state import HandState
from engine.small_games.poker_tree import legal_actions

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


class BettingCounts(NamedTuple):
    """Decisions of a game, or of what is left of a hand; of traversals one for each player."""

    most_of_hand: int
    """That all players come to in a hand, at most."""
    least_met: tuple[int, ...]
    """Of all players that a traversal meets, at least."""
    most_own: tuple[int, ...]
    """Of the traverser that its traversal meets, at most."""


def betting_counts(game: GameDef) -> BettingCounts:
    """Count the decisions of a game that is small enough to be written out."""
    return _counts(HandState.start(game), game.players)


def _counts(state: HandState, players: int) -> BettingCounts:
    if state.over:
        return BettingCounts(0, (0,) * players, (0,) * players)
    behind = [_counts(state.apply(action), players) for action in legal_actions(state)]
    least, most = [], []
    for player in range(players):
        met = [counts.least_met[player] for counts in behind]
        own = [counts.most_own[player] for counts in behind]
        mine = player == state.actor
        least.append(1 + (sum(met) if mine else min(met)))
        most.append(1 + sum(own) if mine else max(own))
    longest = max(counts.most_of_hand for counts in behind)
    return BettingCounts(1 + longest, tuple(least), tuple(most))
