"""A strategy over betting nodes and buckets as a profile of the tree of Kuhn or Leduc poker.

With it, what was learned on the abstract form of a game is measured exactly on the game itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidGame
from engine.small_games.leduc import NO_CARD

if TYPE_CHECKING:
    from engine.betting.betting_tree import BettingTree
    from engine.small_games.game_tree import GameTree


class HandNumbering(Protocol):
    """Numbers the hands of a game, such as a `LosslessAbstraction`."""

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the row of a hand in a strategy."""


def abstract_profile(
    game: GameTree,
    tree: BettingTree,
    hands: HandNumbering,
    strategy: Callable[[int], NDArray[np.float32]],
) -> NDArray[np.float64]:
    """Return the profile that plays in `game` what a strategy plays in `tree`.

    Args:
        game: `engine.small_games.kuhn` or `engine.small_games.leduc` with cards told apart.
        tree: the betting of the same game from its first action on.
        strategy: from a decision of `tree` to (B, A) probabilities by bucket, such as
            `Mccfr.average`.

    Raises:
        InvalidGame: the game has decisions that the tree does not have.
    """
    nodes = {tree.betting(node): node for node in map(int, tree.decisions)}
    deck, ranks, suits = tree.game.deck, tree.game.ranks, tree.game.suits
    played = {node: strategy(node).astype(np.float64) for node in nodes.values()}
    profile = game.uniform()
    for info_set, name in enumerate(game.info_set_names):
        private_card, *board, betting = cast(tuple[Any, ...], name)
        hole, shown = (
            [deck[card % suits * ranks + card // suits] for card in cards if card != NO_CARD]
            for cards in ([private_card], board)
        )
        node = nodes.get(betting)
        if node is None or tree.child_count[node] != game.action_count[info_set]:
            raise InvalidGame(f"the betting tree has no such decision as {name!r}")
        shares = played[node][hands.bucket(hole, shown)]
        profile[game.actions_of(info_set)] = shares / shares.sum()
    return profile
