"""A toy policy that learned in our Gymnasium environment, and the bot that plays it anywhere.

What the network sees at a table is what it saw when it learned: `Environment.follow` makes the same
vector of a player's view.  It has two hidden layers, rectified; the arrays of its file are

    first.w  (width, H) float32, first.b (H,)
    second.w (H, H), second.b (H,)
    actions.w (H, A), actions.b (A,)               scores of actions, before the softmax
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from agents.bot import Bot
from agents.errors import ConfigError, GameNotPlayed
from agents.seat.game_validator import describe
from engine.errors import ArtifactMismatch
from engine.networks.dense import DenseNetwork, check_weights, legal_probabilities
from engine.play.environment import Environment
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from protocol.gamedef import format_gamedef, parse_gamedef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

LAYERS: Final = ("first", "second", "actions")
SHIPPED: Final = Path(__file__).with_name("models") / "ppo-toy.network"
_KIND: Final = Kind("toy policy of PPO", 1, "make it anew with `python -m agents.bridges.train`")


@dataclass(frozen=True, slots=True, eq=False)
class ToyPolicy:
    """A trained policy."""

    game: GameDef
    pots: tuple[float, ...]
    """Raises that it chooses from, see `Environment`."""
    network: DenseNetwork
    provenance: Mapping[str, Any]
    """How it was trained, plain values."""

    def probabilities(self, vector: NDArray[np.float32], mask: NDArray[Any]) -> NDArray[Any]:
        """Return (A,) float64 probabilities of actions, 0 where they are not legal."""
        return legal_probabilities(self.network.scores(vector), mask)

    def save(self, path: Path) -> None:
        """Write the file whole.  Raises OSError."""
        facts = {
            "game": format_gamedef(self.game),
            "pots": self.pots,
            "told": dict(self.provenance),
        }
        arrays: dict[str, NDArray[np.float32]] = {}
        for name, w, b in zip(LAYERS, self.network.weights, self.network.biases, strict=True):
            arrays |= {f"{name}.w": w, f"{name}.b": b}
        save_artifact(path, _KIND, facts, arrays)

    @classmethod
    def load(cls, path: Path) -> ToyPolicy:
        """Read a file.

        Raises:
            ConfigError: it is missing, damaged or something else.
        """
        try:
            facts, arrays = load_artifact(path, _KIND)
            weights, biases = (
                tuple(np.array(arrays[f"{layer}.{part}"]) for layer in LAYERS) for part in "wb"
            )
            check_weights(*weights, *biases)
            network = DenseNetwork(weights, biases, "rectified")
            game, pots = parse_gamedef(facts["game"]), tuple(facts["pots"])
            policy = cls(game, pots, network, dict(facts["told"]))
            table = Environment(policy.game, policy.pots)
            policy.probabilities(np.zeros(table.width, np.float32), np.ones(table.actions))
        except ArtifactMismatch as error:
            raise ConfigError(str(error)) from error
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{path}: damaged: {error}; {_KIND.remedy}") from error
        return policy


class PpoBot(Bot):
    """Plays a toy policy; a class of your own with another `model` plays that one."""

    model: ClassVar[str | Path] = SHIPPED

    def __init__(self) -> None:
        """Read the model.  Raises ConfigError: its file is missing or damaged."""
        self._policy: Final = ToyPolicy.load(Path(self.model))
        self._table: Final = Environment(self._policy.game, self._policy.pots)
        self._rng = np.random.default_rng(0)

    def start_match(self, game: GameDef, seed: int) -> None:
        """Draw from `seed`.  Raises GameNotPlayed: the policy learned another game."""
        if game != self._policy.game:
            learned = describe(self._policy.game)
            raise GameNotPlayed(f"this toy policy learned {learned}, not {describe(game)}")
        self._rng = np.random.default_rng(seed)

    def act(self, view: PlayerView) -> Action:
        """Draw an action."""
        self._table.follow(view)
        odds = self._policy.probabilities(
            self._table.observation(view.position), self._table.legal()
        )
        return self._table.action(int(self._rng.choice(len(odds), p=odds)))
