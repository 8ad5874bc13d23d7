"""Seats that are played by requests, and what a dealer tells them."""

import math

from dealer.hub.json_seat import SeatFacts


def facts(**changes):
    """Those of a seat."""
    usual = {
        "match": 1,
        "leg": 0,
        "seat": 0,
        "names": ("ann", "bob"),
        "game": "hunl",
        "hands": 10,
        "response_seconds": math.inf,
        "hand_seconds": math.inf,
    }
    return SeatFacts(**{**usual, **changes})
