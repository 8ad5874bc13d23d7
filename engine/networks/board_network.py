"""Networks that say what the hands of two ranges win on a board, bucket by bucket.

    network = BoardValueNetwork.load(path)
    network.values(shares, mass, equity, hands, moments, stacks)    (N, 2, B) pots

A summary of both ranges, by dense layers, goes to every bucket beside what is known of the bucket
itself; the same small layers, a head, then say of each bucket what it wins more than if nobody bet
any more.  So what is learnt of one bucket is known of all, and hands are told apart by what they
are, not by their place in an order.

    summary    dense layers of 4 B + 3 inputs: shares and equities of all buckets, stacks
    inputs     `bucket_inputs` of each bucket
    head       rectified layers over inputs and summary, each added to the one before; two outputs
    values     equity + outputs times the root of the stack in pots, at most 1; then moved so that
               both players win 0 together: where nothing is left to bet they are the equity

Values are expected ones by unit of what a hand can meet, not counterfactual ones.

Source: Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017, for values of ranges and the last layer; Wolosiuk, Swiechowski, Mandziuk,
"Counterfactual values prediction", AAAI 2023, for expected values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import ArtifactMismatch
from engine.networks.board_network_kernels import add_rectified, fill_bucket_inputs, rectify
from engine.networks.dense import DenseNetwork, check_weights
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

KIND: Final = Kind("board value network", 1, "train it anew with `arena train deepstack`")
SUFFIX: Final = ".network"
BUCKET_INPUTS: Final = 11
STACK_INPUTS: Final = 3
_ROWS_AT_ONCE: Final = 16
"""Of which the head's layers stay in the caches."""


def stack_inputs(stacks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 3) float32 of stacks in pots (N,)."""
    logs = np.log(np.maximum(stacks, np.float32(1e-3))) / 3
    return np.stack((logs, np.minimum(stacks, 4) / 4, np.minimum(stacks, 1)), axis=1)


def summary_inputs(
    shares: NDArray[np.float32], equity: NDArray[np.float32], stacks: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return (N, 4 B + 3) float32 of shares and equities (N, 2, B) and stacks (N,) in pots."""
    count, _, buckets = shares.shape
    sides = (shares * np.float32(buckets)).reshape(count, -1), (2 * equity).reshape(count, -1)
    return np.concatenate((*sides, stack_inputs(stacks)), axis=1)


def bucket_inputs(
    shares: NDArray[np.float32],
    equity: NDArray[np.float32],
    hands: NDArray[np.float32],
    moments: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return (N, B, 11) float32: what is known of each bucket.

    For both players how likely it is, that again as a logarithm, how much of the range is weaker,
    and equity; how many hands it has, mean and deviation of what those beat.

    Args:
        shares: (N, 2, B).
        equity: (N, 2, B) pots.
        hands: (B,) or (N, B), see `engine.abstraction.board_buckets`.
        moments: (2, B) or (N, 2, B), see `engine.abstraction.board_buckets`.
    """
    count, _, buckets = shares.shape
    inputs = np.empty((count, buckets, BUCKET_INPUTS), np.float32)
    of_each = np.broadcast_to(hands, (count, buckets))
    moments_of_each = np.broadcast_to(moments, (count, 2, buckets))
    fill_bucket_inputs(shares, equity, of_each, moments_of_each, inputs)
    return inputs


def open_share(stacks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N,) by how much outputs count at some stacks in pots."""
    share: NDArray[np.float32] = np.sqrt(np.minimum(stacks, np.float32(1)))
    return share


@dataclass(frozen=True, slots=True, eq=False)
class BoardValueNetwork:
    """See the module's text; layers are checked to fit each other.

    Raises ValueError: they do not, or a number is not finite.
    """

    summary: DenseNetwork
    """(N, 4 B + 3) to (N, Z); rectified."""
    head: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]
    """Weights (inputs, outputs) and biases of the head's layers.

    The first one takes `BUCKET_INPUTS` and the summary, the last one has two outputs.
    """
    facts: Mapping[str, Any]
    """How it was made; "cards" of the boards."""

    def __post_init__(self) -> None:
        inputs = BUCKET_INPUTS + len(self.summary.biases[-1])
        for number, (weights, biases) in enumerate(self.head):
            last = number == len(self.head) - 1
            outputs = 2 if last else len(self.head[0][1])
            if weights.shape != (inputs, outputs) or biases.shape != (outputs,):
                raise ValueError(
                    f"layer {number} of the head: {weights.shape}, {biases.shape}: "
                    f"want ({inputs}, {outputs}) and ({outputs},)"
                )
            inputs = outputs
        if len(self.head) < 2 or (self.summary.inputs - STACK_INPUTS) % 4:
            raise ValueError(f"{len(self.head)} layers of {self.summary.inputs} inputs")
        layers = zip(self.summary.weights, self.summary.biases, strict=True)
        check_weights(*(part for layer in (*layers, *self.head) for part in layer))

    @property
    def buckets(self) -> int:
        """B"""
        return (self.summary.inputs - STACK_INPUTS) // 4

    def values(
        self,
        shares: NDArray[np.float32],
        mass: NDArray[np.float32],
        equity: NDArray[np.float32],
        hands: NDArray[np.float32],
        moments: NDArray[np.float32],
        stacks: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return (N, 2, B) float32 pots that buckets win over the whole hand, on any boards.

        Args:
            shares: (N, 2, B), and so are `mass`, shares times what the hands can meet, each summing
                to 1, and `equity` in pots.
            hands: (B,) or (N, B), and so are `moments` with two rows: see
                `engine.abstraction.board_buckets`.
            stacks: (N,) that each player has left, in pots.

        Raises:
            ValueError: another number of buckets.
        """
        if shares.shape[1:] != (2, self.buckets):
            raise ValueError(f"shares {shares.shape}: want (N, 2, {self.buckets})")
        summary = self.summary.scores(summary_inputs(shares, equity, stacks))
        inputs = bucket_inputs(shares, equity, hands, moments)
        values = np.empty_like(equity)
        for first in range(0, len(shares), _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            values[rows] = self._scores(inputs[rows], summary[rows]).transpose(0, 2, 1)
        values *= open_share(stacks)[:, None, None]
        values += equity
        values -= np.einsum("npb,npb->n", values, mass)[:, None, None] / 2
        return values

    def _scores(
        self, inputs: NDArray[np.float32], summary: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return (N, B, 2) what the head says."""
        (entry, bias), *middle, (last, last_bias) = self.head
        rows: NDArray[np.float32] = inputs.reshape(-1, BUCKET_INPUTS)
        hidden: NDArray[np.float32] = rows @ entry[:BUCKET_INPUTS]
        count, buckets, _ = inputs.shape
        rectify(summary @ entry[BUCKET_INPUTS:] + bias, hidden.reshape(count, buckets, len(bias)))
        moved = np.empty_like(hidden)
        for weights, biases in middle:
            np.matmul(hidden, weights, out=moved)
            add_rectified(moved, biases, hidden)
        scores: NDArray[np.float32] = hidden @ last + last_bias
        return scores.reshape(count, buckets, 2)

    def save(self, path: Path) -> None:
        """Write the network in half precision.

        Raises:
            OSError: the file cannot be written.
        """
        layers = [*zip(self.summary.weights, self.summary.biases, strict=True), *self.head]
        arrays = {
            f"{name}-{number}": part.astype(np.float16)
            for number, layer in enumerate(layers)
            for name, part in zip(("weights", "biases"), layer, strict=True)
        }
        facts = {**self.facts, "summary_layers": len(self.summary.biases)}
        save_artifact(path, KIND, facts, arrays)

    @classmethod
    def load(cls, path: Path, cards: int | None = None) -> BoardValueNetwork:
        """Read a network.

        Args:
            cards: of the boards that it must be of; None: any.

        Raises:
            ArtifactMismatch: the file is missing, damaged, something else, or of other boards.
        """
        facts, arrays = load_artifact(path, KIND)
        if cards not in (None, facts.get("cards")):
            raise ArtifactMismatch(f"{path}: of boards of {facts.get('cards')} cards, not {cards}")
        try:
            layers = [
                tuple(
                    arrays[f"{name}-{number}"].astype(np.float32) for name in ("weights", "biases")
                )
                for number in range(len(arrays) // 2)
            ]
            cut = int(facts["summary_layers"])
            weights, biases = zip(*layers[:cut], strict=True)
            head = tuple((weights, biases) for weights, biases in layers[cut:])
            if int(facts["cards"]) not in (0, 3, 4, 5):
                raise ValueError(f"boards of {facts['cards']} cards")
            return cls(DenseNetwork(weights, biases, "rectified"), head, facts)
        except (LookupError, TypeError, ValueError) as error:
            raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error
