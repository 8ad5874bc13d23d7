"""A trained blueprint: the abstract game and the average strategy of every information set.

    codes8    (M,) uint8     hold'em from the flop on: rows with two or three actions
    codes16   (N,) uint16    hold'em: all others
    codes32   (L,) uint32    games without abstraction; numbers of `agents.blueprint.codes`

The rows of a decision's buckets lie together, decisions in the order of the betting tree, those
with a single action left out.  The betting tree follows from the config; the card abstraction of
hold'em is in the file, without the tables that can be computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.blueprint.codes import BITS, check_codes, check_numbers, decode, encode
from agents.blueprint.config import BlueprintConfig, config_of_facts
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.betting_tree import DEAL, BettingTree, build_betting_tree
from engine.errors import ArtifactMismatch
from engine.rules.state import HandState
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact

REMEDY: Final = (
    "the shipped ones come back with `git checkout -- agents/blueprint/models`, and "
    "`arena train blueprint` makes new ones"
)
KIND: Final = Kind("blueprint", 2, REMEDY)

MOST_NODES: Final = 1_000_000
"""Of a betting tree; menus whose last raise is no all-in lead to many more."""
_NODES_A_CHOICE: Final = 16
"""Itself, a fold, and a call that leads to checks and cards of up to three streets."""
_MOST_ACTIONS_IN_8_BITS: Final = 3
_CARDS: Final = "cards."
_PARTS: Final = ("flop_table", "turn_centres", "river_centres", "river_shares")
"""Arrays of a card abstraction that a model's file may have, after `_CARDS`."""


class Cards(Protocol):
    """Numbers the hands of a game: a `CardAbstraction` or a `LosslessAbstraction`."""

    counts: tuple[int, ...]

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand on the street on which the board looks so."""


class BlueprintModel:
    """The average strategy of an abstract game.

    Attributes:
        config: what was solved, and how.
        tree: its betting.
        cards: its card abstraction.
        provenance: how it was made, as plain values.
    """

    def __init__(
        self,
        config: BlueprintConfig,
        tree: BettingTree,
        cards: Any,
        codes: Mapping[int, NDArray[Any]],
        provenance: Mapping[str, Any],
    ) -> None:
        """Put the parts together.

        Args:
            codes: bits -> all rows of so many bits, see the module's table.

        Raises:
            ValueError: there are not as many rows as the game has.
        """
        self.config: Final = config
        self.tree: Final = tree
        self.cards: Final = cards
        self.provenance: Final = dict(provenance)
        self.codes: Final = dict(codes)
        self._bits, self._first, sizes = _layout(config, tree, cards.counts)
        for bits, size in sizes.items():
            check_codes(self.codes[bits], bits, size)

    @classmethod
    def of_averages(
        cls,
        config: BlueprintConfig,
        tree: BettingTree,
        cards: Any,
        average: Callable[[int], NDArray[np.float32]],
        provenance: Mapping[str, Any],
    ) -> BlueprintModel:
        """Return the model of a strategy given by decision, such as `Mccfr.average`."""
        bits, first, sizes = _layout(config, tree, cards.counts)
        codes: dict[int, NDArray[Any]] = {
            width: np.empty(size, f"u{width // 8}") for width, size in sizes.items()
        }
        for node in np.flatnonzero(bits).tolist():
            rows = average(node)
            kept = codes[int(bits[node])]
            kept[first[node] : first[node] + len(rows)] = encode(rows, int(bits[node]))
        return cls(config, tree, cards, codes, provenance)

    def numbers(self, node: int) -> tuple[NDArray[Any], int]:
        """Return (B,) the numbers of a decision's rows, and of how many bits they are.

        Only for decisions with at least two actions.
        """
        bits, first = int(self._bits[node]), int(self._first[node])
        buckets = self.cards.counts[int(self.tree.street[node])]
        return self.codes[bits][first : first + buckets], bits

    def check_numbers(self) -> None:
        """Raise ValueError where a row's number stands for no probabilities."""
        for node in np.flatnonzero(self._bits).tolist():
            numbers, bits = self.numbers(node)
            check_numbers(numbers, int(self.tree.child_count[node]), bits)

    def strategy(self, node: int) -> NDArray[np.float32]:
        """Return (B, A) float32, what each bucket does at a decision.

        Raises:
            ValueError: the node is no decision.
        """
        if not 0 <= node < self.tree.nodes or self.tree.kind[node] >= DEAL:
            raise ValueError(f"node {node} is no decision")
        actions = int(self.tree.child_count[node])
        if actions == 1:
            street = int(self.tree.street[node])
            return np.ones((self.cards.counts[street], 1), np.float32)
        numbers, bits = self.numbers(node)
        return decode(numbers, actions, bits)

    def save(self, path: Path) -> None:
        """Write the model's file; nobody ever sees half of it.

        Raises:
            OSError: it cannot be written.
        """
        arrays = {f"codes{bits}": codes for bits, codes in self.codes.items()}
        if isinstance(self.cards, CardAbstraction):
            arrays |= {
                _CARDS + name: part
                for name, part in self.cards.parts.items()
                if name not in ("turn_table", "river_table")
            }
        facts = {"config": self.config.facts(), "provenance": self.provenance}
        save_artifact(path, KIND, facts, arrays)


def load_model(path: Path, *, verify: bool = True) -> BlueprintModel:
    """Open a model's file; its rows are read from disk when they are used.

    Raises:
        ArtifactMismatch: the file is missing, damaged or of another version; the message says how
            to get a good one.
    """
    found = load_artifact(path, KIND, verify=verify)
    try:
        config = config_of_facts(found.facts["config"])
        codes = {bits: found.arrays[f"codes{bits}"] for bits in BITS}
        cards = _cards(config, found)
        tree = tree_of(config, _most_nodes(codes, cards.counts))
        model = BlueprintModel(config, tree, cards, codes, found.facts["provenance"])
        if verify:
            model.check_numbers()
        return model
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error


def tree_of(config: BlueprintConfig, most_nodes: int | None = None) -> BettingTree:
    """Return the betting of a config's abstract game, which has `MOST_NODES` nodes unless told.

    Raises:
        OutOfMemory: it has more nodes than any blueprint could be trained on.
    """
    return build_betting_tree(
        HandState.start(config.game), config.menu, most_nodes=most_nodes or MOST_NODES
    )


def _most_nodes(codes: Mapping[int, NDArray[Any]], counts: Sequence[int]) -> int:
    """Return the most nodes that a tree can have whose rows are in a file.

    A wrong menu may make a tree that takes minutes to find out about.
    """
    small, large = codes[8].size, codes[16].size + codes[32].size
    choices = small // min(counts[1:] or counts) + large // min(counts)
    return min(MOST_NODES, _NODES_A_CHOICE * (choices + 1))


def _cards(config: BlueprintConfig, found: Artifact) -> Any:
    if config.cards is None:
        return LosslessAbstraction(config.game)
    parts: dict[str, Any] = {
        name.removeprefix(_CARDS): array
        for name, array in found.arrays.items()
        if name.startswith(_CARDS)
    }
    if unknown := parts.keys() - set(_PARTS):
        raise ValueError(f"a card abstraction has no {min(unknown)}")
    return CardAbstraction(**parts)


def _layout(
    config: BlueprintConfig, tree: BettingTree, counts: Sequence[int]
) -> tuple[NDArray[np.int8], NDArray[np.int64], dict[int, int]]:
    """Return for each node the bits of its rows, 0 for none, and where they begin; then sizes."""
    actions, street = tree.child_count, tree.street
    small = (street > 0) & (actions <= _MOST_ACTIONS_IN_8_BITS) & (config.cards is not None)
    chooses = (tree.kind < DEAL) & (actions > 1)
    large = 32 if config.cards is None else 16
    bits = np.where(chooses, np.where(small, 8, large), 0).astype(np.int8)
    first = np.zeros(tree.nodes, np.int64)
    sizes = {}
    for width in BITS:
        here = np.flatnonzero(bits == width)
        rows = np.array(counts, np.int64)[street[here]]
        ends = np.cumsum(rows)
        first[here] = ends - rows
        sizes[width] = int(ends[-1]) if len(ends) else 0
    return bits, first, sizes
