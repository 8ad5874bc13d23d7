"""Subgames of hold'em to measure solvers on: three named spots, and published ones as files.

The files are those of LibratusEndgames: Brown, Sandholm, "Superhuman AI for heads-up no-limit
poker: Libratus beats top professionals", Science 359, 2018.  One has a line for each of

    -round 4            3 on the turn, 4 on the river
    -board 4s8hTc9h2s
    -pot 500            half of it from each of two players with 20 000 chips at the start
    -reach ...          2 x 1326 numbers, the player to act first before the other one; combos in
                        the order 2s2h 2s2d 2s2c 2s3s ... AdAc: cards run 2s 2h 2d 2c 3s ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import ALL_IN, BetMenu, menu_of
from engine.betting.betting_tree import BettingTree, build_betting_tree, subgame_root
from engine.hands.cards import COMBOS, combo_of
from engine.hands.range_text import parse_range
from protocol.cards import format_cards, parse_card, parse_cards
from protocol.errors import MalformedCard
from protocol.gamedefs import load_builtin

BIG_BLIND: Final = 100
"""Chips."""
PUBLISHED_MENU: Final = menu_of((0.5, 1, ALL_IN), (1, ALL_IN))
"""For the first bet of a street, and for raises."""
CALLER: Final = "TT-22,AQs-A2s,AQo-A9o,K9s+,KTo+,Q9s+,QTo+,J9s+,JTo,T8s+,97s+,86s+,76s,65s,54s"
"""Range of the player out of position in the named spots."""
OPENER: Final = "22+,A2s+,A7o+,K5s+,K9o+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,86s+,75s+,65s,54s"
"""Range of the player in position in the named spots."""

_CHIPS: Final = 20_000
_MOST_LETTERS: Final = 1 << 20
_FIRST_ROUNDS: Final = {3: 4, 4: 5}
"""Round in a file -> cards on its board."""
_MOST_RAISES: Final = 3


@dataclass(frozen=True, slots=True)
class HoldemSubgame:
    """A river or turn with both ranges, before any action on that street."""

    summary: str
    board: tuple[int, ...]
    pot: int
    """Chips in the pot, half from each player."""
    stack: int
    """Chips that each player has left."""
    ranges: NDArray[np.float64]
    """(2, 1326) weights."""
    menu: BetMenu

    def tree(self, menu: BetMenu | None = None) -> BettingTree:
        """Return the betting tree; None for the published menu."""
        street = len(self.board) - 2
        root = subgame_root(load_builtin("hunl"), street, self.pot, (self.stack, self.stack))
        return build_betting_tree(root, self.menu if menu is None else menu)


def read_subgame(path: Path) -> HoldemSubgame:
    """Read a published file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not such a file; the message says what is wrong.
    """
    with path.open(encoding="ascii", errors="replace") as file:
        text = file.read(_MOST_LETTERS + 1)
    lines = [line[1:].split(maxsplit=1) for line in text.splitlines() if line.startswith("-")]
    fields = {line[0]: line[1] for line in lines if len(line) > 1}
    missing = [name for name in ("round", "board", "pot", "reach") if name not in fields]
    if missing or len(text) > _MOST_LETTERS:
        raise ValueError(f"no subgame: no line -{missing[0]}" if missing else "too long")
    try:
        board = parse_cards(fields["board"].strip())
        pot = int(fields["pot"])
        cards = _FIRST_ROUNDS.get(int(fields["round"]))
        reach = np.array(fields["reach"].split(), np.float64)
    except (MalformedCard, ValueError) as error:
        raise ValueError(f"no subgame: {error}") from error
    if cards != len(board) or len(set(board)) != cards:
        raise ValueError("no subgame: want round 3 with four cards, or 4 with five")
    if pot < 2 or pot % 2 or pot >= 2 * _CHIPS:
        raise ValueError(f"no subgame: a pot of {pot}")
    if reach.size != 2 * COMBOS or not np.isfinite(reach).all() or reach.min() < 0:
        raise ValueError(f"no subgame: want 2 x {COMBOS} weights")
    order = [parse_card(rank + suit) for rank in "23456789TJQKA" for suit in "shdc"]
    combos = [combo_of(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    ranges = np.zeros((2, COMBOS))
    ranges[:, combos] = reach.reshape(2, COMBOS)
    summary = f"published subgame {format_cards(board)}, pot {pot}"
    return HoldemSubgame(summary, board, pot, _CHIPS - pot // 2, ranges, PUBLISHED_MENU)


def _spot(board: str, pot: int, stack: int, sizes: tuple[float, ...]) -> HoldemSubgame:
    return HoldemSubgame(
        summary=f"{board}, pot {pot}, {stack} behind, a caller against an opener",
        board=parse_cards(board),
        pot=pot,
        stack=stack,
        ranges=np.stack([parse_range(CALLER), parse_range(OPENER)]).astype(np.float64),
        menu=menu_of(sizes, (1.0, ALL_IN), max_raises=_MOST_RAISES),
    )


SUBGAMES: Final[dict[str, Callable[[], HoldemSubgame]]] = {
    "river-deep": partial(_spot, "KsJs7d2c9h", 1200, 9400, (0.33, 0.75, 1.5, ALL_IN)),
    "river-shallow": partial(_spot, "AsAd7h7c2s", 3000, 5000, (0.5, 1.0, ALL_IN)),
    "turn-deep": partial(_spot, "Td9d6h2s", 1000, 9500, (0.75, ALL_IN)),
}
"""Named spots on river and turn, with stacks of many and of few pots."""
