"""The Coin Toss game, on which methods of re-solving a subgame differ visibly.

Chance tosses a fair coin that only player 0 sees.  Player 0 sells it, for +1/2 chip after heads and
-1/2 after tails, or plays.  Player 1 then guesses heads or tails, or forfeits: a right guess costs
player 0 one chip, a wrong one and a forfeit pay it one.  The value is 0; player 1 guesses heads
with probability 1/4, tails otherwise.

Histories are (coin, "sell" or "play", guess).  In the game with two copies chance, seen by both,
puts "left" or "right", two identical guessing games, between "play" and the guess.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017, figures 1 and 4.  Its section 5 prints the probabilities of player 1 the other way round,
which would let player 0 gain.
"""

from __future__ import annotations

from functools import partial
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

HEADS: Final = "heads"
TAILS: Final = "tails"
SELL: Final = "sell"
PLAY: Final = "play"
FORFEIT: Final = "forfeit"
LEFT: Final = "left"
RIGHT: Final = "right"
GUESS: Final = "guess"

SALE_CHIPS: Final = {HEADS: 0.5, TAILS: -0.5}


def coin_toss(*, two_copies: bool = False) -> GameTree:
    """Return the game's tree.

    The information sets of player 0 are named HEADS and TAILS, that of player 1 GUESS; with two
    copies player 1 has LEFT and RIGHT instead.
    """
    return build_tree(partial(_describe, two_copies=two_copies))


def _describe(history: History, *, two_copies: bool) -> Node:
    if not history:
        return Chance((HEADS, TAILS), (0.5, 0.5))
    coin, *steps = map(str, history)
    if not steps:
        return Decision(0, coin, (SELL, PLAY))
    if steps == [SELL]:
        return Terminal(SALE_CHIPS[coin])
    guess = steps[1:]
    name = GUESS
    if two_copies:
        if not guess:
            return Chance((LEFT, RIGHT), (0.5, 0.5))
        name = guess.pop(0)
    if not guess:
        return Decision(1, name, (HEADS, TAILS, FORFEIT))
    return Terminal(-1.0 if guess == [coin] else 1.0)
