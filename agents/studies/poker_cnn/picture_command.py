"""`arena cnn picture`: what the network sees of a logged decision, as SVG."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import whole_number
from engine.console.drawing import figure_file, figure_svg
from engine.console.output import tell
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.poker_cnn.records import CnnRecords

PROG: Final = "arena cnn picture"
_LETTERS: Final = ("folds", "checks or calls", "raises")


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena cnn`."""
    parser = tasks.add_parser(
        "picture",
        help="what the network sees of a logged decision, as SVG",
        description="Draw the 16 planes of a decision of records.",
    )
    add = parser.add_argument
    add("records", metavar="FILE", type=Path, help="records, as `arena data cnn` makes them")
    add("--out", metavar="FILE", type=figure_file, required=True, help="the picture")
    add(
        "--decision",
        metavar="N",
        type=whole_number(0, 2**32 - 1),
        default=0,
        help="its number in the records (%(default)s)",
    )
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        AgentError: the records cannot be used.
        OSError: the picture cannot be written.
        ValueError: there is no such decision.
    """
    from agents.poker_cnn.records import CnnRecords
    from agents.studies.poker_cnn.planes_picture import planes_figure

    records = CnnRecords.load(options.records)
    if options.decision >= len(records):
        raise ValueError(
            f"decision {options.decision}: there are 0 to {len(records) - 1} in {options.records}"
        )
    planes, lines = picture_of(records, options.decision)
    write_whole(
        options.out, figure_svg(planes_figure(planes, "A hand as the network sees it", lines))
    )
    tell(f"{options.out} is written")
    return 0


def picture_of(records: CnnRecords, decision: int) -> tuple[NDArray[np.float32], tuple[str, str]]:
    """Return the planes of a decision, and what it is about in two lines."""
    import numpy as np

    from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS, encode_planes
    from agents.poker_cnn.hand_kernels import CODE_BITS, new_replay, spot_of
    from agents.poker_cnn.planes import PLANES, SIDE
    from engine.rules.packed_game import pack_game
    from protocol.cards import format_cards

    number = int(records.hands[decision])
    first = int(records.ends[number - 1]) if number else 0
    at = first + int(records.places[decision])
    replay = new_replay()
    spot, rows = spot_of(
        pack_game(records.game), records.cards[number], records.actions[first:at],
        int(records.levels[decision]), replay,
    )  # fmt: skip
    planes = np.zeros((PLANES, SIDE, SIDE), np.float32)
    encode_planes(spot, replay.history, rows, np.array(ROWS_OF_SUITS), planes)
    betting = "".join(_text(int(one)) for one in records.actions[first:at])
    hole = format_cards([int(card) for card in spot.hole])
    board = format_cards([int(card) for card in spot.board if card >= 0]) or "no board yet"
    taken = _LETTERS[int(records.actions[at]) & ((1 << CODE_BITS) - 1)]
    return planes, (
        f"{hole} on {board}, betting so far {betting or 'none'}; it {taken}",
        f"pot {spot.pot}, to call {spot.to_call}, equity {spot.p:.3f} against a random hand",
    )


def _text(action: int) -> str:
    from agents.poker_cnn.hand_kernels import CODE_BITS

    letter = "fcr"[action & ((1 << CODE_BITS) - 1)]
    chips = action >> CODE_BITS
    return f"{letter}{chips}" if chips else letter
