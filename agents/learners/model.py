"""A learned policy: the networks of all positions, for a game, in a file.

    P.L.w  (K, inputs, outputs) float32   weights of layer L of network P of each of K policies
    P.L.b  (K, outputs)         float32   its biases

A policy has a network for each position, or a single one for all; there may be several policies, of
which a hand's is drawn by their shares, as single deep CFR plays its average.  Scores become
probabilities by a softmax, or by matching regrets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.learners.encoder import ACTIONS, Encoder
from agents.learners.shipped import learned_for
from agents.seat.game_validator import check_model_game
from engine.errors import ArtifactMismatch
from engine.networks.dense import DenseNetwork, check_weights, legal_probabilities
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from protocol.errors import GameDefError
from protocol.gamedef import format_gamedef, parse_gamedef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

SOFTMAX: Final = "softmax"
REGRETS: Final = "regrets"
REMEDY: Final = (
    "the shipped ones come back with `git checkout -- agents/learners/models`, and "
    "`arena train nfsp`, `ppo`, `mmd` or `sdcfr` makes new ones"
)
KIND: Final = Kind("learned policy", 1, REMEDY)


def match_scores(scores: NDArray[np.floating], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return (..., A) float64: positive scores as shares; without any, the best action.

    Args:
        scores: (..., A) advantages.
        legal: (..., A), one at least in each row.
    """
    exact = np.where(legal, scores.astype(np.float64), -np.inf)
    gains = np.maximum(exact, 0.0)
    totals = gains.sum(axis=-1, keepdims=True)
    best = np.zeros_like(exact)
    np.put_along_axis(best, exact.argmax(axis=-1)[..., None], 1.0, axis=-1)
    matched: NDArray[np.float64] = np.where(
        totals > 0, gains / np.where(totals > 0, totals, 1), best
    )
    return matched


@dataclass(frozen=True, slots=True, eq=False)
class LearnedNetworks:
    """Networks, checked to fit each other.  Raises ValueError: they do not."""

    head: str
    """How scores become probabilities: SOFTMAX or REGRETS."""
    policies: tuple[tuple[DenseNetwork, ...], ...]
    """Of each policy a network for each position, or one for all."""
    shares: tuple[float, ...]
    """How often each policy is drawn, up to a factor."""

    def __post_init__(self) -> None:
        if self.head not in (SOFTMAX, REGRETS):
            raise ValueError(f"head {self.head!r}: want {SOFTMAX} or {REGRETS}")
        if not self.policies or len(self.shares) != len(self.policies):
            raise ValueError(f"{len(self.policies)} policies, {len(self.shares)} shares")
        if not (np.isfinite(self.shares).all() and min(self.shares) >= 0 and sum(self.shares) > 0):
            raise ValueError("shares of policies that cannot be")

    def probabilities(
        self, policy: int, position: int, row: NDArray[np.float32], legal: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return (..., A) how a policy acts.

        Args:
            row: (..., F) what is seen.
            legal: (..., A)
        """
        seats = self.policies[policy]
        scores = seats[position if len(seats) > 1 else 0].scores(row)
        return (
            match_scores(scores, legal)
            if self.head == REGRETS
            else legal_probabilities(scores, legal)
        )


@dataclass(frozen=True, slots=True, eq=False)
class LearnedModel:
    """What a learner learned of a game.  Raises ValueError: the networks are of another one."""

    game: GameDef
    networks: LearnedNetworks
    provenance: Mapping[str, Any]
    """How it was made, plain values; "exploitability" in chips."""
    encoder: Encoder = field(init=False)

    def __post_init__(self) -> None:
        encoder = Encoder(self.game)
        object.__setattr__(self, "encoder", encoder)
        for seats in self.networks.policies:
            if len(seats) not in (1, self.game.players):
                raise ValueError(f"{len(seats)} networks for {self.game.players} positions")
            for network in seats:
                if (network.inputs, len(network.biases[-1])) != (encoder.width, len(ACTIONS)):
                    raise ValueError("a network of another game")

    def save(self, path: Path) -> None:
        """Write the file whole.  Raises OSError."""
        networks = self.networks
        depths = [len(net.weights) for net in networks.policies[0]]
        facts = {
            "game": format_gamedef(self.game),
            "head": networks.head,
            "shares": list(networks.shares),
            "layers": depths,
            "provenance": dict(self.provenance),
        }
        arrays = {
            f"{seat}.{layer}.{letter}": np.stack([numbers[layer] for numbers in parts])
            for seat, layers in enumerate(depths)
            for letter, parts in (
                ("w", [seats[seat].weights for seats in networks.policies]),
                ("b", [seats[seat].biases for seats in networks.policies]),
            )
            for layer in range(layers)
        }
        save_artifact(path, KIND, facts, arrays)


def load_learned(path: Path) -> LearnedModel:
    """Read a file.

    Raises:
        ArtifactMismatch: it is missing, damaged or something else; the message says what to do.
    """
    facts, arrays = load_artifact(path, KIND)
    try:
        shares = tuple(map(float, facts["shares"]))
        policies = tuple(
            tuple(
                _network(arrays, number, seat, layers)
                for seat, layers in enumerate(facts["layers"])
            )
            for number in range(len(shares))
        )
        networks = LearnedNetworks(facts["head"], policies, shares)
        return LearnedModel(parse_gamedef(facts["game"]), networks, dict(facts["provenance"]))
    except (
        GameDefError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error


def learned_model(algorithm: str, game: GameDef | None, file: str | None = None) -> LearnedModel:
    """Return the model that plays a game.

    Args:
        algorithm: of the models that come along, whose.
        game: what is to be played; None: what the model plays.
        file: the model's; None: that of the one that comes along for the game.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
        GameNotPlayed: no model comes along for the game, or the one named is for another.
        ValueError: neither game nor file is given.
    """
    if file is not None:
        path = Path(file)
    elif game is not None:
        path = learned_for(algorithm, game)
    else:
        raise ValueError("want a model or a game")
    model = load_learned(path)
    check_model_game(path, model.game, game)
    return model


def _network(
    arrays: Mapping[str, NDArray[Any]], policy: int, seat: int, layers: int
) -> DenseNetwork:
    weights, biases = (
        tuple(np.array(arrays[f"{seat}.{layer}.{letter}"][policy]) for layer in range(layers))
        for letter in "wb"
    )
    check_weights(*weights, *biases)
    return DenseNetwork(weights, biases, "rectified")
