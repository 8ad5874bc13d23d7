"""A trained blueprint: the abstract game and the average strategy of every information set.

    streams, ends   the numbers of all rows, by decision (`agents.blueprint_model.packing`)
    cards.NAME      parts of hold'em's card abstraction, without the tables that can be computed,
                    compressed; the fact `shapes` has their shapes

A row is the number of a point of a grid (`codes`).  From the flop on hold'em has 8 bits where there
are two or three actions, 16 where there are more.  Before it and in games without abstraction, rows
are few and have 32.  Decisions with one action have no rows.  The betting tree follows from the
config.  At a decision with extra raises (`BlueprintConfig.extras`) rows have no shares of them: the
model itself never makes them.  Files of version 3 are read, too: only the flop's table is
compressed there, if it is, and in another way, as are the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.codes import BITS, check_numbers, decode, nearest_codes
from agents.blueprint_model.config import BlueprintConfig, config_of_facts
from agents.blueprint_model.packing import (
    PackedRows,
    pack_table,
    unpack_earlier_table,
    unpack_table,
)
from engine.abstraction.bucket_sequences import GROUPS, card_abstraction
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.bet_menu import Menu
from engine.betting.betting_tree import DEAL, BettingTree, build_betting_tree
from engine.errors import ArtifactMismatch
from engine.rules.state import HandState
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact
from protocol.gamedef import GameDef

REMEDY: Final = (
    "the shipped ones come back with `git checkout -- agents/blueprint_model/models`, and "
    "`arena train blueprint` makes new ones"
)
KIND: Final = Kind("blueprint", 4, REMEDY, readable=(3,))

MOST_NODES: Final = 1_000_000
"""Menus whose last raise is no all-in would lead to far larger trees."""
_NODES_A_CHOICE: Final = 16
"""A choice has itself, a fold and a call that leads on; no file's tree has more nodes a row."""
_MOST_ACTIONS_IN_8_BITS: Final = 3
_TREES_KEPT: Final = 4
"""Both seats of a process, and who measures them, play by the same few models."""
_ERROR_CHARACTERS: Final = 300
_CARDS: Final = "cards."
_FLOP_TABLE: Final = "flop_table"
_DTYPE_OF_PART: Final = {
    _FLOP_TABLE: "<u2",
    "turn_centres": "<f4",
    "river_centres": "<f4",
    "river_shares": "<u2",
    **dict.fromkeys(GROUPS, "<u2"),
}
_SHAPES: Final = "shapes"


class Cards(Protocol):
    """Numbers the hands of a game: a `CardAbstraction` or a `LosslessAbstraction`."""

    counts: tuple[int, ...]

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand on the street of a board."""


class BlueprintModel:
    """The average strategy of an abstract game; `provenance` holds plain values."""

    def __init__(
        self,
        config: BlueprintConfig,
        tree: BettingTree,
        cards: Any,
        packed: PackedRows,
        provenance: Mapping[str, Any],
    ) -> None:
        """Check that the rows fit the tree.

        Raises:
            ValueError: there are not the rows of as many decisions as the game has, or the tree
                has not the config's extra raises.
        """
        self.config: Final = config
        self.tree: Final = tree
        self.cards: Final = cards
        self.provenance: Final = dict(provenance)
        self.packed: Final = packed
        self.extras: Final = _extra_nodes(config, tree)
        """Nodes behind the extra raises."""
        self._own: Final = _own_actions(tree, self.extras)
        self._bits: Final = row_bits(config, tree)
        self._decision: Final = np.cumsum(self._bits > 0) - 1
        if len(packed) != (wanted := int(self._decision[-1]) + 1):
            raise ValueError(f"rows of {len(packed)} decisions where the game has {wanted}")

    @classmethod
    def of_averages(
        cls,
        config: BlueprintConfig,
        tree: BettingTree,
        cards: Any,
        average: Callable[[int], NDArray[np.float32]],
        provenance: Mapping[str, Any],
    ) -> BlueprintModel:
        """Return the model of a strategy given by decision, such as `Mccfr.average`.

        Where the model has extra raises, rows are without them.
        """
        bits = row_bits(config, tree)

        def numbers() -> Iterator[tuple[NDArray[Any], int]]:
            for node in np.flatnonzero(bits).tolist():
                rows = average(node)
                yield nearest_codes(rows, int(bits[node])), rows.shape[1]

        return cls(config, tree, cards, PackedRows.pack(numbers()), provenance)

    def numbers(self, node: int) -> tuple[NDArray[Any], int]:
        """Return (B,) the numbers of a decision's rows, and of how many bits they are.

        Only for decisions with at least two actions of the model's own.

        Raises:
            ValueError: they are damaged.
        """
        bits = int(self._bits[node])
        buckets = self.cards.counts[int(self.tree.street[node])]
        actions = self.own_actions(node)
        return self.packed.numbers(int(self._decision[node]), buckets, actions, bits), bits

    def own_actions(self, node: int) -> int:
        """Return how many actions of a decision are not extra raises."""
        return int(self._own[node])

    def widened(self, node: int, own_rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return rows (H, A) of a decision's own actions with a column of 0 for each extra raise"""
        children = self.tree.children(node)
        if own_rows.shape[-1] == len(children):
            return own_rows
        rows = np.zeros((*own_rows.shape[:-1], len(children)), np.float32)
        rows[..., [child not in self.extras for child in children]] = own_rows
        return rows

    def warm_up(self) -> None:
        """Read a decision of each kind, so that what reads them is compiled."""
        for bits in BITS:
            for node in np.flatnonzero(self._bits == bits)[:1].tolist():
                self.numbers(node)

    def check_numbers(self) -> None:
        """Raise ValueError where rows are damaged, or a number stands for no probabilities."""
        for node in np.flatnonzero(self._bits).tolist():
            if not self.packed.is_coded(int(self._bits[node])):
                numbers, bits = self.numbers(node)
                check_numbers(numbers, self.own_actions(node), bits)

    def strategy(self, node: int) -> NDArray[np.float32]:
        """Return (B, A) float32, what each bucket does at a decision.

        Raises:
            ValueError: the node is no decision.
        """
        if not 0 <= node < self.tree.nodes or self.tree.kind[node] >= DEAL:
            raise ValueError(f"node {node} is no decision")
        actions = self.own_actions(node)
        if actions == 1:
            street = int(self.tree.street[node])
            return self.widened(node, np.ones((self.cards.counts[street], 1), np.float32))
        numbers, bits = self.numbers(node)
        return self.widened(node, decode(numbers, actions, bits))

    def save(self, path: Path) -> None:
        """Write the model's file; no reader sees half of it.

        Raises:
            OSError: it cannot be written.
        """
        arrays = self.packed.arrays
        facts = {"config": self.config.facts(), "provenance": self.provenance, _SHAPES: {}}
        if isinstance(self.cards, CardAbstraction):
            parts = {
                name: part for name, part in self.cards.parts.items() if name in _DTYPE_OF_PART
            }
            arrays |= {_CARDS + name: pack_table(part) for name, part in parts.items()}
            facts[_SHAPES] = {name: list(part.shape) for name, part in parts.items()}
        save_artifact(path, KIND, facts, arrays)


def load_model(path: Path, *, verify: bool = True) -> BlueprintModel:
    """Open a model's file; its rows are read from disk when they are used.

    Raises:
        ArtifactMismatch: the file is missing, damaged or of another version; the message says how
            to get a good one.
    """
    artifact = load_artifact(path, KIND, verify=verify)
    try:
        config = config_of_facts(artifact.facts["config"])
        packed = PackedRows.of_arrays(artifact.arrays)
        cards = _cards(config, artifact)
        tree = tree_of(config, min(MOST_NODES, _NODES_A_CHOICE * (len(packed) + 1)))
        model = BlueprintModel(config, tree, cards, packed, artifact.facts["provenance"])
        if verify:
            model.check_numbers()
        return model
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        why = str(error)[:_ERROR_CHARACTERS]
        raise ArtifactMismatch(f"{path}: damaged: {why}; {REMEDY}") from error


def tree_of(config: BlueprintConfig, most_nodes: int | None = None) -> BettingTree:
    """Return the betting of a config's abstract game, which has `MOST_NODES` nodes unless told.

    Raises:
        OutOfMemory: it has more nodes than any blueprint could be trained on.
    """
    return _tree(config.game, config.menu, most_nodes or MOST_NODES)


@lru_cache(_TREES_KEPT)
def _tree(game: GameDef, menu: Menu, most_nodes: int) -> BettingTree:
    return build_betting_tree(HandState.start(game), menu, most_nodes=most_nodes)


def _cards(config: BlueprintConfig, artifact: Artifact) -> Any:
    if config.cards is None:
        return LosslessAbstraction(config.game)
    parts: dict[str, Any] = {
        name.removeprefix(_CARDS): array
        for name, array in artifact.arrays.items()
        if name.startswith(_CARDS)
    }
    if unknown := parts.keys() - _DTYPE_OF_PART.keys():
        raise ValueError(f"a card abstraction has no {min(unknown)}")
    shapes = artifact.facts.get(_SHAPES)
    if shapes is not None:
        parts = {
            name: unpack_table(part, _DTYPE_OF_PART[name], tuple(map(int, shapes[name])))
            for name, part in parts.items()
        }
    elif _FLOP_TABLE in parts and parts[_FLOP_TABLE].dtype == np.uint8:
        parts[_FLOP_TABLE] = unpack_earlier_table(parts[_FLOP_TABLE], hand_index(3).size)
    return card_abstraction(parts)


def _own_actions(tree: BettingTree, extras: frozenset[int]) -> NDArray[np.int32]:
    """Return (nodes,) int32, how many actions of each node are not extra raises."""
    counts = tree.child_count.copy()
    for node in extras:
        counts[tree.parent[node]] -= 1
    return counts


def _extra_nodes(config: BlueprintConfig, tree: BettingTree) -> frozenset[int]:
    return frozenset(tree.path(text)[-1] for text in config.extras)


def row_bits(config: BlueprintConfig, tree: BettingTree) -> NDArray[np.int8]:
    """Return (nodes,) int8, the bits of the numbers of each node's rows; 0 for no rows.

    Raises:
        ValueError: the tree has not the config's extra raises.
    """
    actions = _own_actions(tree, _extra_nodes(config, tree))
    few = (tree.street == 0) | (config.cards is None)
    bits = np.where(few, 32, np.where(actions <= _MOST_ACTIONS_IN_8_BITS, 8, 16))
    return np.where((tree.kind < DEAL) & (actions > 1), bits, 0).astype(np.int8)
