"""What a hand is called at a table: "two pair, Aces and Kings"."""

from __future__ import annotations

from typing import Final

from engine.showdown.evaluator import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    category,
)

_RANK_WORDS: Final = (
    "",
    "Deuce",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Jack",
    "Queen",
    "King",
    "Ace",
)
_ACE: Final = 13
_FIVE: Final = 4
_RUN: Final = 5

_PATTERNS: Final = {
    HIGH_CARD: "high card {0}",
    PAIR: "a pair of {0s}",
    TWO_PAIR: "two pair, {0s} and {1s}",
    TRIPS: "three of a kind, {0s}",
    STRAIGHT: "a straight, {low} to {0}",
    FLUSH: "a flush, {0} high",
    FULL_HOUSE: "a full house, {0s} full of {1s}",
    QUADS: "four of a kind, {0s}",
    STRAIGHT_FLUSH: "a straight flush, {low} to {0}",
}


def hand_words(strength: int) -> str:
    """Return what a hand of this strength is called; see `engine.showdown.evaluator`."""
    kind = category(strength)
    first, second = strength >> 16 & 0xF, strength >> 12 & 0xF
    if kind == STRAIGHT_FLUSH and first == _ACE:
        return "a Royal Flush"
    text = _PATTERNS[kind]
    text = text.replace("{0s}", _several(first)).replace("{1s}", _several(second))
    low = _RANK_WORDS[_ACE if first == _FIVE else first - _RUN + 1] if "{low}" in text else ""
    return text.replace("{0}", _RANK_WORDS[first]).replace("{low}", low)


def _several(rank: int) -> str:
    return f"{_RANK_WORDS[rank]}es" if _RANK_WORDS[rank] == "Six" else f"{_RANK_WORDS[rank]}s"
