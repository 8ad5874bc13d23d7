"""A solved small game: the strategy of every information set, and its exploitability.

    sets           (B,) uint8      text: a line for each information set, its name (as
                                   `engine.small_games.poker_tree` names it) and its actions
    probabilities  (E,) float32    of these actions, in the order of the lines

The facts of the file hold the game as an ACPC game file and the provenance; to play needs no tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.equilibrium.solved_games import shipped_for
from agents.seat.game_validator import check_model_game
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, format_gamedef, parse_gamedef

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.small_games.game_tree import GameTree

REMEDY: Final = (
    "the shipped ones come back with `git checkout -- agents/equilibrium/models`, and "
    "`arena train equilibrium` makes new ones"
)
KIND: Final = Kind("equilibrium", 1, REMEDY)
_SUM_TOLERANCE: Final = 1e-4


class EquilibriumModel:
    """The average strategy of a small game.

    Attributes:
        provenance: how it was made, as plain values; "exploitability" in chips.
    """

    def __init__(
        self,
        game: GameDef,
        actions: Mapping[str, Sequence[str]],
        probabilities: NDArray[np.float32],
        provenance: Mapping[str, Any],
    ) -> None:
        """Check that the parts fit.

        Args:
            actions: of each information set, as on the wire.
            probabilities: of all these actions, in their order.

        Raises:
            ValueError: the probabilities are none, or not those of so many actions.
        """
        self.game: Final = game
        self.provenance: Final = dict(provenance)
        self._actions: Final = {name: tuple(texts) for name, texts in actions.items()}
        self._shares: Final = probabilities
        self._places: Final = _places(self._actions, probabilities)

    @classmethod
    def of_profile(
        cls,
        game: GameDef,
        tree: GameTree,
        profile: NDArray[np.float64],
        provenance: Mapping[str, Any],
    ) -> EquilibriumModel:
        """Return a profile of a game's `poker_tree`, rounded as in a file."""
        names = zip(tree.info_set_names, tree.action_names, strict=True)
        actions = {str(name): tuple(map(str, texts)) for name, texts in names}
        return cls(game, actions, profile.astype(np.float32), provenance)

    def actions(self, info_set: str) -> tuple[str, ...]:
        """Return what can be done at an information set.

        Raises:
            KeyError: there is none of that name.
        """
        return self._actions[info_set]

    def shares(self, info_set: str) -> NDArray[np.float64]:
        """Return the probabilities of its actions.

        Raises:
            KeyError: there is none of that name.
        """
        rounded = self._shares[self._places[info_set]].astype(np.float64)
        shares: NDArray[np.float64] = rounded / rounded.sum()
        return shares

    def profile(self, tree: GameTree) -> NDArray[np.float64]:
        """Return the strategy as a profile of the game's `poker_tree`.

        Raises:
            ArtifactMismatch: it is for another tree.
        """
        names = list(map(str, tree.info_set_names))
        if set(names) != self._actions.keys() or any(
            self._actions[name] != actions
            for name, actions in zip(names, tree.action_names, strict=True)
        ):
            raise ArtifactMismatch(f"a strategy for other information sets; {REMEDY}")
        return np.concatenate([self.shares(name) for name in names])

    def save(self, path: Path) -> None:
        """Write the model's file; no reader sees half of it.

        Raises:
            OSError: it cannot be written.
        """
        lines = [" ".join((name, *actions)) for name, actions in self._actions.items()]
        text = np.frombuffer("\n".join(lines).encode(), np.uint8)
        facts = {"game": format_gamedef(self.game), "provenance": self.provenance}
        save_artifact(path, KIND, facts, {"sets": text, "probabilities": self._shares})


def load_model(path: Path) -> EquilibriumModel:
    """Read a model's file.

    Raises:
        ArtifactMismatch: the file is missing, damaged or of another version; the message says how
            to get a good one.
    """
    artifact = load_artifact(path, KIND)
    try:
        game = parse_gamedef(artifact.facts["game"])
        text = artifact.arrays["sets"].tobytes().decode()
        named = [line.split(" ") for line in text.split("\n")]
        actions = {name: taken for name, *taken in named}
        if len(actions) < len(named):
            raise ValueError("an information set is named twice")
        return EquilibriumModel(
            game, actions, artifact.arrays["probabilities"], artifact.facts["provenance"]
        )
    except (
        GameDefError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error


def model_for(game: GameDef | None, file: str | None = None) -> tuple[Path, EquilibriumModel]:
    """Return the model that plays a game, and where it is from.

    Args:
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
        path = shipped_for(game)
    else:
        raise ValueError("want a model or a game")
    model = load_model(path)
    check_model_game(path, model.game, game)
    return path, model


def _places(
    actions: Mapping[str, Sequence[str]], probabilities: NDArray[np.float32]
) -> dict[str, slice]:
    """Return where the probabilities of each information set are.

    Raises:
        ValueError: they are none.
    """
    counts = np.array([len(texts) for texts in actions.values()])
    if not len(counts) or not counts.all():
        raise ValueError("there are no information sets, or one without actions")
    if probabilities.shape != (counts.sum(),) or probabilities.dtype != np.float32:
        raise ValueError(
            f"{probabilities.dtype} {probabilities.shape} for {counts.sum()} probabilities"
        )
    first = np.cumsum(counts) - counts
    totals = np.add.reduceat(probabilities.astype(np.float64), first)
    if not ((probabilities >= 0).all() and (np.abs(totals - 1) <= _SUM_TOLERANCE).all()):
        raise ValueError("the actions of an information set must have shares that add to 1")
    return {
        name: slice(int(start), int(start + count))
        for name, start, count in zip(actions, first, counts, strict=True)
    }
