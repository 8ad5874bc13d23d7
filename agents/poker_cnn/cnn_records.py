"""Hands to learn from, packed: some 20 bytes a state; planes are made of it while it is loaded.

A file of records is an artifact; its arrays are those of `CnnRecords`, and "told", JSON as bytes:
the game, the sessions, and how the records were made.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from engine.storage.documents import json_document
from protocol.errors import GameDefError
from protocol.gamedef import format_gamedef, parse_gamedef

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

KIND: Final = Kind("Poker-CNN records", 1, "make it anew with `arena data cnn`")
SUFFIX: Final = ".records"
BOARD: Final = 5
_ARRAYS: Final = {
    "cards": np.uint8,
    "actions": np.uint32,
    "ends": np.int64,
    "won": np.float32,
    "sessions": np.int32,
    "hands": np.uint32,
    "places": np.uint8,
    "levels": np.uint16,
}


@dataclass(frozen=True, slots=True, eq=False)
class CnnRecords:
    """H hands of a game for P, with A actions and S decisions to learn from."""

    game: GameDef
    cards: NDArray[np.uint8]
    """(H, 2 P + 5), as `hand_kernels` has them, like the next two."""
    actions: NDArray[np.uint32]
    """(A,)"""
    ends: NDArray[np.int64]
    """(H,)"""
    won: NDArray[np.float32]
    """(H, P) chips by position."""
    sessions: NDArray[np.int32]
    """(H,) number of the match that the hand is of: players who met in one log."""
    hands: NDArray[np.uint32]
    """(S,) hand of each decision, rising."""
    places: NDArray[np.uint8]
    """(S,) number of the action in the hand."""
    levels: NDArray[np.uint16]
    """(S,) p of whoever decides, by 65535."""
    session_names: tuple[str, ...]
    """LOG: PLAYER, PLAYER."""
    made: dict[str, Any] = field(default_factory=dict)
    """How they were made, plain values."""

    def __len__(self) -> int:
        return len(self.hands)

    def save(self, path: Path) -> None:
        """Write the file whole.

        Raises:
            OSError: it cannot be written.
        """
        header = {
            "game": format_gamedef(self.game),
            "sessions": self.session_names,
            "made": self.made,
        }
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in _ARRAYS}
        arrays["told"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        save_artifact(path, KIND, {}, arrays)

    @classmethod
    def load(cls, path: Path) -> CnnRecords:
        """Read a file.

        Raises:
            TrainingError: it is missing, damaged or something else; the message says how to get
                another one.
        """
        try:
            stored = load_artifact(path, KIND).arrays
            header = json_document(stored["told"].tobytes())
            arrays = {name: stored[name] for name in _ARRAYS}
            for name, dtype in _ARRAYS.items():
                if arrays[name].dtype != dtype:
                    raise ValueError(f"{name} of dtype {arrays[name].dtype}")
            records = cls(
                game=parse_gamedef(header["game"]),
                session_names=tuple(map(str, header["sessions"])),
                made=dict(header["made"]),
                **arrays,
            )
            records.check()
        except ArtifactMismatch as error:
            raise TrainingError(str(error)) from error
        except (GameDefError, LookupError, TypeError, ValueError) as error:
            raise TrainingError(f"{path}: damaged: {error}; {KIND.remedy}") from error
        return records

    def check(self) -> None:
        """Check that the arrays fit each other, so that kernels may trust them.

        Raises:
            ValueError: they do not.
        """
        hands, states, players = len(self.ends), len(self.hands), self.game.players
        shapes = {
            "cards": (hands, 2 * players + BOARD),
            "ends": (hands,),
            "won": (hands, players),
            "sessions": (hands,),
            "places": (states,),
            "levels": (states,),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} of shape {getattr(self, name).shape}, want {shape}")
        begins = np.concatenate(([0], self.ends))
        if np.any(np.diff(begins) < 1) or begins[-1] != len(self.actions):
            raise ValueError("hands without actions, or actions without a hand")
        if states and (self.hands.max() >= hands or np.any(np.diff(self.hands.astype(int)) < 0)):
            raise ValueError("decisions of no hand, or out of order")
        if np.any(self.places >= np.diff(begins)[self.hands]):
            raise ValueError("decisions behind the end of a hand")
        if np.any((self.cards > 51) & (self.cards != 255)):
            raise ValueError("cards that are none")
        if hands and not 0 <= self.sessions.min() <= self.sessions.max() < len(self.session_names):
            raise ValueError("hands of no session")
        if not np.isfinite(self.won).all():
            raise ValueError("chips that are no numbers")
        self._replay()

    def _replay(self) -> None:
        """Raise ValueError where a hand breaks the rules, or a decision's cards are hidden."""
        from agents.poker_cnn.hand_kernels import first_hidden, first_wrong, new_replay
        from engine.rules.packed_game import pack_game

        game, hand = pack_game(self.game), new_replay().hand
        wrong = first_wrong(game, self.cards, self.actions, self.ends, hand)
        if wrong >= 0:
            raise ValueError(f"hand {wrong} breaks the rules")
        hidden = first_hidden(
            game, self.cards, self.actions, self.ends, self.hands, self.places, hand
        )
        if hidden >= 0:
            raise ValueError(f"the cards of decision {hidden} are not there")
