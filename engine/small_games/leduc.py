"""Leduc hold'em: a deck of few ranks in two suits, two betting rounds, one board card.

Both players ante 1 chip and are dealt one card.  Raises are 2 chips before and 4 chips after the
one board card, at most two a round; player 0 acts first in both rounds.  Whoever pairs the board
wins, else the higher rank; equal ranks split.  With three ranks the value for player 0 is -0.0856
chips.  Source: Southey, Bowling, Larson, Piccione, Burch, Billings, Rayner, "Bayes' bluff: opponent
modelling in poker", UAI 2005.

Histories are (card of player 0, card of player 1, actions..., board card, actions...), actions as
on the wire: "f", "c", "r".  Information sets are named (own card, board card or -1, betting), the
rounds of the betting separated by "/".

Suits never matter, so the game can also be told in ranks alone: an information set then stands for
all suits of its cards.  Equilibria and exploitability are the same, and so is every iteration of
regret matching; the tree is about an eighth as large.
"""

from __future__ import annotations

from typing import Final

from engine.errors import InvalidGame
from engine.small_games.game_tree import (
    Chance,
    Decision,
    GameTree,
    History,
    Node,
    Terminal,
    build_tree,
)

SUITS: Final = 2
ANTE: Final = 1
RAISE_CHIPS: Final = (2, 4)
MAX_RAISES: Final = 2
NO_CARD: Final = -1


def leduc(ranks: int = 3, *, isomorphic: bool = False) -> GameTree:
    """Return the game's tree.

    Args:
        ranks: ranks in the deck, at least 2; 3 is the usual game.
        isomorphic: whether cards are told by rank alone, numbered from 0, instead of by
            SUITS * rank + suit.  With 3 ranks that makes 288 information sets out of 936.

    Raises:
        InvalidGame: fewer than two ranks.
    """
    if ranks < 2:
        raise InvalidGame(f"a deck of {ranks} ranks: want at least 2")
    return build_tree(_Leduc(ranks, isomorphic).describe)


class _Leduc:
    """The rules for one deck: `_kinds` of cards that are told apart, `_copies` of each."""

    def __init__(self, ranks: int, isomorphic: bool) -> None:
        self._kinds, self._copies = (ranks, SUITS) if isomorphic else (ranks * SUITS, 1)
        self._cards = ranks * SUITS

    def describe(self, history: History) -> Node:
        """Return the node after `history`."""
        dealt = [step for step in history if isinstance(step, int)]
        if len(dealt) < 2:
            return self._deal(dealt)
        betting = "".join(step if isinstance(step, str) else "/" for step in history[2:])
        rounds = betting.split("/")
        here = rounds[-1]
        player = len(here) % 2
        if here.endswith("f"):
            lost = _spent(rounds)[1 - player]
            return Terminal(float(lost if player == 0 else -lost))
        if len(here) > 1 and here.endswith("c"):
            if len(rounds) == 1:
                return self._deal(dealt)
            return Terminal(float(_spent(rounds)[0] * self._winner(dealt)))
        board = dealt[2] if len(dealt) > 2 else NO_CARD
        return Decision(player, (dealt[player], board, betting), _actions(here))

    def _deal(self, dealt: list[int]) -> Chance:
        counts = [self._copies - dealt.count(card) for card in range(self._kinds)]
        cards = [card for card in range(self._kinds) if counts[card]]
        return Chance(cards, [counts[card] / (self._cards - len(dealt)) for card in cards])

    def _winner(self, dealt: list[int]) -> int:
        """Return 1 where player 0 wins the showdown, -1 where player 1 does, 0 for a split."""
        first, second, board = (card * self._copies // SUITS for card in dealt)
        if first == second:
            return 0
        if board in (first, second):
            return 1 if board == first else -1
        return 1 if first > second else -1


def _actions(betting: str) -> tuple[str, ...]:
    """Return the actions after `betting` in the current round."""
    if not betting.endswith("r"):
        return ("c", "r")
    return ("f", "c", "r") if betting.count("r") < MAX_RAISES else ("f", "c")


def _spent(rounds: list[str]) -> list[int]:
    """Return the chips put in by each player."""
    spent = [ANTE, ANTE]
    for betting, size in zip(rounds, RAISE_CHIPS, strict=False):
        for turn, action in enumerate(betting):
            if action != "f":
                spent[turn % 2] = max(spent) + (size if action == "r" else 0)
    return spent
