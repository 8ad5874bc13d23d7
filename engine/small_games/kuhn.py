"""Kuhn poker: three cards, one betting round, one bet.

Both players ante 1 chip and are dealt one card of J < Q < K.  The first may check or bet 1; a bet
is called or folded to; after a check the second may bet in turn.  The higher card wins.  The value
for the first player is -1/18 chips (Kuhn, "A simplified two-person poker", Contributions to the
Theory of Games 1, 1950).

Histories are (card of player 0, card of player 1, actions...), actions as on the wire: "f" fold,
"c" check or call, "r" bet.  Information sets are named (own card, betting), such as (2, "cr").
"""

from __future__ import annotations

from typing import Final

from engine.small_games.game_tree import (
    Chance,
    Decision,
    GameTree,
    History,
    Node,
    Terminal,
    build_tree,
)

CARDS: Final = (0, 1, 2)
"""Jack, queen, king."""


def kuhn() -> GameTree:
    """Return the game's tree, with 12 information sets."""
    return build_tree(node_after)


def node_after(history: History) -> Node:
    """Return the node after `history`."""
    dealt = [step for step in history if isinstance(step, int)]
    if len(dealt) < 2:
        deck = [card for card in CARDS if card not in dealt]
        return Chance(deck, [1 / len(deck)] * len(deck))
    betting = "".join(step for step in history if isinstance(step, str))
    wins = 1.0 if dealt[0] > dealt[1] else -1.0
    if betting == "cc":
        return Terminal(wins)
    if betting in ("rc", "crc"):
        return Terminal(2 * wins)
    if betting.endswith("f"):
        return Terminal(1.0 if betting == "rf" else -1.0)
    player = len(betting) % 2
    actions = ("f", "c") if betting.endswith("r") else ("c", "r")
    return Decision(player, (dealt[player], betting), actions)
