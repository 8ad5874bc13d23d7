"""What the network that sees hands as pictures sees of a logged decision: its 16 planes.

    make study NAME="cnn-planes runs/blueprint.records --decision N"

Seconds; the records are of `arena data cnn`.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.cnn_records import CnnRecords
from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS, encode_planes
from agents.poker_cnn.hand_kernels import CODE_BITS, new_replay, spot_of
from agents.poker_cnn.planes import NAMES, PLANES, SIDE
from engine.console.arguments import whole_number
from engine.rules.packed_game import pack_game
from protocol.cards import format_cards
from protocol.gamedef import GameDef

TAKEN: Final = ("folds", "checks or calls", "raises")


def add_options(parser: ArgumentParser) -> None:
    """Add the records, and which decision of them."""
    number = whole_number(0, 2**32 - 1)
    parser.add_argument("records", metavar="FILE", type=Path, help="of `arena data cnn`")
    parser.add_argument("--decision", metavar="N", type=number, default=0, help="(%(default)s)")


def result_name(_: Namespace) -> str:
    """Return the file beside the other results of the network."""
    return "cnn/planes.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return the planes of a decision, and what it is about."""
    records, decision = CnnRecords.load(options.records), options.decision
    if decision >= len(records):
        raise ValueError(
            f"decision {decision}: there are 0 to {len(records) - 1} in {options.records}"
        )
    hand = int(records.hands[decision])
    first = int(records.ends[hand - 1]) if hand else 0
    at = first + int(records.places[decision])
    level = int(records.levels[decision])
    seen = facts_of(records.game, records.cards[hand], records.actions[first:at], level)
    return {**seen, "taken": TAKEN[int(records.actions[at]) & ((1 << CODE_BITS) - 1)]}


def facts_of(
    game: GameDef, cards: NDArray[np.uint8], actions: NDArray[np.uint32], level: int
) -> dict[str, Any]:
    """Return what the player to act after some actions sees, with each plane as 17 rows of text.

    Args:
        cards: (2 P + 5,) of the hand, as `hand_kernels` has them, like `actions`.
        level: the p of the player, by 65535.
    """
    replay = new_replay()
    spot, rows = spot_of(pack_game(game), cards, actions, level, replay)
    planes = np.zeros((PLANES, SIDE, SIDE), np.float32)
    encode_planes(spot, replay.history, rows, np.array(ROWS_OF_SUITS), planes)
    return {
        "hole": format_cards([int(card) for card in spot.hole]),
        "board": format_cards([int(card) for card in spot.board if card >= 0]),
        "betting": "".join(_text(int(action)) for action in actions),
        "pot": int(spot.pot),
        "to_call": int(spot.to_call),
        "equity": round(float(spot.p), 6),
        "planes": {
            name: [" ".join(f"{cell:.6g}" for cell in row) for row in plane.tolist()]
            for name, plane in zip(NAMES, planes, strict=True)
        },
    }


def _text(action: int) -> str:
    letter, chips = "fcr"[action & ((1 << CODE_BITS) - 1)], action >> CODE_BITS
    return f"{letter}{chips}" if chips else letter
