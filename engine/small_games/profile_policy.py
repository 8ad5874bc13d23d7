"""Strategies of a small game in both forms: a profile of its tree, and a policy that is asked.

profile  (E',) float64         of the game's `poker_tree`, see `engine.small_games.game_tree`
policy   (H, A) probabilities  at a public state, see `engine.betting.policy`; the hands are the
                               single cards of `engine.hands.private_hands`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from engine.betting.policy import Strategy, check_actions
from engine.hands.private_hands import private_hands
from engine.small_games.many_player_form import ManyPlayerForm
from engine.small_games.many_player_values import expected_values
from engine.small_games.poker_tree import info_set_name, legal_actions, place_of, told_by_rank
from engine.small_games.tree_values import check_profile

if TYPE_CHECKING:
    from engine.betting.policy import GamePolicy
    from engine.rules.state import HandState
    from engine.small_games.game_tree import GameTree
    from protocol.gamedef import GameDef


class ProfilePolicy:
    """A profile as an `engine.betting.policy.GamePolicy`, for any number of players.

    Attributes:
        game: that it plays.
        profile: (E',) float64.
    """

    def __init__(self, game: GameDef, tree: GameTree, profile: NDArray[np.float64]) -> None:
        """Take the parts of all positions.

        Args:
            tree: `poker_tree(game)`.
            profile: (E',) float64.

        Raises:
            ValueError: the profile does not fit the tree.
        """
        check_profile(tree, profile)
        self.game: Final = game
        self.profile: Final = profile
        self._by_rank: Final = told_by_rank(game)
        self._actions_of: Final = {
            cast("str", name): tree.actions_of(info_set)
            for info_set, name in enumerate(tree.info_set_names)
        }

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each hand: (H, A) float32.

        Args:
            board: the cards seen on this street, in the order they came; hands that hold one of
                them mean nothing.

        Raises:
            InvalidGame: hands of the game are no single cards.
        """
        deck, actions = private_hands(self.game).deck, legal_actions(state)
        table = np.full((len(deck), len(actions)), 1 / len(actions), np.float32)
        for hand, card in enumerate(deck):
            if card not in board:
                name = info_set_name(state, (card,), board, by_rank=self._by_rank)
                table[hand] = self.profile[self._actions_of[name]]
        return Strategy(actions, table)


def profile_of(policy: GamePolicy, tree: GameTree) -> NDArray[np.float64]:
    """Return (E',) float64, what a policy plays in all positions.

    Args:
        tree: `poker_tree(policy.game)`.

    Raises:
        InvalidGame: it is no `ProfilePolicy`, and hands of the game are no single cards.
        ValueError: the policy gives no strategy somewhere.
    """
    if isinstance(policy, ProfilePolicy):
        return policy.profile
    game = policy.game
    hands = private_hands(game)
    profile = np.zeros(tree.flat_actions)
    nodes = np.flatnonzero(tree.player >= 0)
    _, first = np.unique(tree.info_set[nodes], return_index=True)
    for info_set, node in enumerate(nodes[first].tolist()):
        state, hole, board = place_of(game, tree.histories[node])
        strategy = policy.strategy(state, board)
        check_actions(strategy, state, hands.count)
        row = strategy.probabilities[hands.deck.index(hole[0])].astype(np.float64)
        shares = dict(zip((action.text for action in strategy.actions), row, strict=True))
        profile[tree.actions_of(info_set)] = [
            shares.get(cast("str", text), 0.0) / row.sum() for text in tree.action_names[info_set]
        ]
    return profile


def match_value(
    form: ManyPlayerForm, hero: NDArray[np.float64], villain: NDArray[np.float64]
) -> float:
    """Return what one profile wins from another, chips per hand, mean of both seatings.

    Args:
        form: of the tree of a game for two.
        hero: (E',) float64, whose result counts.
        villain: (E',) float64.

    Raises:
        ValueError: a profile does not fit the game, or the game is not for two.
    """
    if form.tree.players != 2:
        raise ValueError(f"a game for {form.tree.players} players: want two")
    first = np.repeat(form.tree.owner == 0, form.tree.action_count)
    seated = [np.where(first, *pair) for pair in ((hero, villain), (villain, hero))]
    values = [expected_values(form, profile)[seat] for seat, profile in enumerate(seated)]
    return float(np.mean(values))
