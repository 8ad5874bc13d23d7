"""Goofspiel: two players bid cards for prizes, each card once.

Both players hold the cards 1 .. K; prizes are worth 1 .. K points and come up in falling order.  In
each turn both bid a card without seeing the other's.  The higher bid takes the prize; with equal
bids nobody does.  Bids stay hidden: players learn only who won.  The last cards are bid
automatically.  More points win one chip.  Papers call this game Goofspiel-K with a fixed deck.

Histories are (bid of player 0, bid of player 1, ...).  Information sets are named (player, own
bids, results so far), results 1 where player 0 won the prize, -1 where player 1 did, 0 for neither.

Sources: Ross, "Goofspiel: the game of pure strategy", Journal of Applied Probability 8, 1971; the
imperfect-information form is that of Lanctot, "Monte Carlo sampling and regret minimization for
equilibrium computation and decision-making in large extensive form games", PhD thesis, University
of Alberta 2013.
"""

from __future__ import annotations

from functools import partial

from engine.errors import InvalidGame
from engine.small_games.game_tree import Decision, GameTree, History, Node, Terminal, build_tree


def goofspiel(cards: int = 4) -> GameTree:
    """Return the game's tree with prizes in falling order; 162 information sets for 4 cards.

    Raises:
        InvalidGame: fewer than two cards.
    """
    if cards < 2:
        raise InvalidGame(f"a hand of {cards} cards: want at least 2")
    return build_tree(partial(_describe, cards=cards))


def _describe(history: History, *, cards: int) -> Node:
    bids = [step for step in history if isinstance(step, int)]
    hands = tuple(
        [card for card in range(1, cards + 1) if card not in bids[player::2]] for player in (0, 1)
    )
    if len(hands[1]) == 1:
        bids += hands[0] + hands[1]
    results = [
        (mine > theirs) - (mine < theirs)
        for mine, theirs in zip(bids[0::2], bids[1::2], strict=False)
    ]
    if len(results) == cards:
        lead = sum((cards - turn) * result for turn, result in enumerate(results))
        return Terminal(float((lead > 0) - (lead < 0)))
    player = len(bids) % 2
    return Decision(player, (player, tuple(bids[player::2]), tuple(results)), hands[player])
