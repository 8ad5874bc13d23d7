"""What a player was seen to do in match logs, at each information set of an abstract game.

A response is learned to it (`engine.mccfr.restraint`).  A raise that the abstract game does not
have counts for both of its neighbours, as blueprints read hands (`agents.blueprint_model.reading`).
Hands in which the player's cards are hidden tell nothing of what it does with which cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.blueprint_model.models import check_model_game
from agents.blueprint_model.reading import Reader
from agents.errors import TrainingError
from agents.training.logs import logged_hands, source_of
from engine.errors import EngineError
from engine.mccfr.restraint import Restraint
from engine.rules.view import state_of_betting
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from protocol.errors import ProtocolError
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.betting.info_sets import InfoSets
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

KIND: Final = Kind("opponent of a blueprint", 1, "begin the run again")
_HANDS_AT_ONCE: Final = 1 << 14
_NAMES_SHOWN: Final = 8
_CONFIG: Final = Path("the config")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whom a response is learned to."""

    logs: tuple[Path, ...]
    name: str
    """The player's in the logs."""
    trust: float
    """Highest probability, 0 to 1, with which it does what it was seen to do."""
    doubt: float
    """Decisions at an information set that make it half of that, 0 or more."""
    game: GameDef | None = None
    """Of all logs; None: each header names a built-in one."""


@dataclass(frozen=True, slots=True, eq=False)
class Opponent:
    """What was seen of a player."""

    counts: NDArray[np.float32]
    """(C,) how often each action was taken, as `Restraint.of_counts` takes it."""
    facts: dict[str, Any]
    """Who that is, and in which logs: plain values."""

    def restraint(self, info_sets: InfoSets) -> Restraint:
        """Return it as an opponent to learn against.

        Raises:
            ValueError: it is of another game.
        """
        trust, doubt = float(self.facts["trust"]), float(self.facts["doubt"])
        return Restraint.of_counts(info_sets, self.counts, trust, doubt)

    def save(self, path: Path) -> None:
        """Write the file whole.  Raises OSError."""
        save_artifact(path, KIND, self.facts, {"counts": self.counts})

    @classmethod
    def load(cls, path: Path) -> Opponent:
        """Read a file.

        Raises:
            ArtifactMismatch: it is missing or damaged.
        """
        saved = load_artifact(path, KIND)
        return cls(np.array(saved.arrays["counts"], np.float32), dict(saved.facts))


def see_opponent(
    wanted: Wanted,
    info_sets: InfoSets,
    cards: Any,
    progress: Callable[[int], None] = lambda hands: None,
) -> Opponent:
    """Count what a player does in logs.

    Args:
        info_sets: of the abstract game.
        cards: its card abstraction, with the table of the turn.
        progress: told how many hands were read.

    Raises:
        GameNotPlayed: a log is of another kind of game.
        LogError: a log cannot be read.
        TrainingError: a line is damaged, nobody has the name, or its cards are always hidden.
    """
    seen = _Seen(info_sets, cards)
    for log in wanted.logs:
        for game, record, line in logged_hands(log, wanted.game):
            seen.hands += 1
            if not seen.hands % _HANDS_AT_ONCE:
                seen.count()
                progress(seen.hands)
            try:
                seen.take(game, record, wanted.name)
            except (EngineError, ProtocolError, ValueError) as error:
                raise TrainingError(f"{log}:{line}: {error}") from error
    seen.count()
    if not seen.decisions:
        names = ", ".join(sorted(seen.names)[:_NAMES_SHOWN])
        why = (
            f"shows no cards in {seen.hidden:,} hands" if seen.hidden else "is none of the players"
        )
        raise TrainingError(f"{wanted.name} {why}; they are {names or 'none: there are no hands'}")
    facts = {
        "name": wanted.name,
        "trust": wanted.trust,
        "doubt": wanted.doubt,
        "hands": seen.hands,
        "hands_with_hidden_cards": seen.hidden,
        "decisions": seen.decisions,
        **source_of(wanted.logs, wanted.game),
    }
    return Opponent(seen.counts, facts)


class _Decision(NamedTuple):
    """An action of somebody, at one of the places where it may have been taken."""

    position: int
    street: int
    node: int
    column: int
    chance: float


@dataclass(slots=True)
class _Seen:
    info_sets: InfoSets
    cards: Any
    hands: int = 0
    hidden: int = 0
    decisions: int = 0
    names: set[str] = field(default_factory=set)
    counts: NDArray[np.float32] = field(init=False)
    _readers: dict[GameDef, Reader] = field(default_factory=dict)
    _lines: dict[tuple[GameDef, str], tuple[_Decision, ...]] = field(default_factory=dict)
    _rows: list[tuple[list[int], tuple[_Decision, ...], int]] = field(default_factory=list)
    """Hands to be counted: cards, decisions, position."""

    def __post_init__(self) -> None:
        self.counts = np.zeros(self.info_sets.cells, np.float32)

    def take(self, game: GameDef, record: HandRecord, name: str) -> None:
        """Take note of a hand."""
        line = self._lines.get((game, record.betting))
        if line is None:
            line = self._lines[game, record.betting] = self._read(game, record.betting)
        self.names.update(record.names)
        shown = parse_card_text(record.cards, game)
        if len(record.names) != game.players:
            raise EngineError(f"{len(record.names)} names at a table of {game.players}")
        for position, player in enumerate(record.names):
            hole = shown.holes[position]
            if player != name or not any(part.position == position for part in line):
                continue
            if not hole:
                self.hidden += 1
                continue
            dealt = [*hole, *shown.board]
            if len(set(dealt)) < len(dealt):
                raise ValueError("a card is dealt twice")
            blank = (card for card in game.deck if card not in dealt)
            while len(dealt) < game.hole_cards + game.board_total:
                dealt.append(next(blank))  # of streets that were not played
            self._rows.append((dealt, line, position))

    def _read(self, game: GameDef, betting: str) -> tuple[_Decision, ...]:
        """Return what was done in a betting."""
        tree = self.info_sets.tree
        reader = self._readers.get(game)
        if reader is None:
            check_model_game(_CONFIG, tree.game, game)
            reader = self._readers[game] = Reader(tree, game)
        chances = {0: 1.0}
        line: list[_Decision] = []
        for state, action, after in state_of_betting(game, betting).steps():
            further: dict[int, float] = defaultdict(float)
            for node, chance in chances.items():
                for lead in reader.leads(node, state, action, after, asked=True):
                    share = chance * lead.chance
                    further[lead.node] += share
                    if self.info_sets.offset[node] >= 0:
                        line += [
                            _Decision(state.actor, state.street, node, column, share)
                            for column in lead.columns[:1]
                        ]
            chances = further
        return tuple(line)

    def count(self) -> None:
        """Count the hands that wait."""
        if not self._rows:
            return
        deals = np.array([cards for cards, _, _ in self._rows], np.uint8)
        buckets = self.cards.buckets_of_deals(deals, 1)[:, 0].tolist()
        for (_, line, position), rows in zip(self._rows, buckets, strict=True):
            for part in line:
                if part.position == position:
                    cell = self.info_sets.cell(part.node, rows[part.street]) + part.column
                    self.counts[cell] += part.chance
                    self.decisions += 1
        self._rows.clear()
