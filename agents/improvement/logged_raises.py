"""The raises before the flop in match logs, read at their places in a blueprint's abstract game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.models import check_model_game
from agents.blueprint_model.reading import Reader
from agents.errors import TrainingError
from agents.training.logs import logged_hands
from engine.betting.translation import pot_fraction
from engine.errors import EngineError
from engine.rules.state import HandState
from engine.rules.view import state_of_betting
from protocol.errors import ProtocolError
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord

_HANDS_PER_REPORT: Final = 4096


class Place(NamedTuple):
    """What was raised at a decision of the abstract game.

    A hand that may be elsewhere, too, counts by the chance that it is here.
    """

    node: int
    raises: float
    """Of all sizes."""
    sizes: dict[int, float]
    """What the menu lacks: raise-to in chips of the abstract game -> how often."""


class LoggedRaises(NamedTuple):
    """All that was raised before the flop."""

    hands: int
    raises: float
    """By the players who are asked about."""
    places: list[Place]


def logged_raises(
    model: BlueprintModel,
    path: Path,
    logs: Sequence[Path],
    game: GameDef | None,
    names: Collection[str],
    on_progress: Callable[[int], None],
) -> LoggedRaises:
    """Read the raises before the flop.

    Args:
        path: the model's file, for messages.
        game: of all logs; None: each log's header names it.
        names: of players; empty: everybody.  A player who only does what the model does adds none
            that the menu lacks.
        on_progress: told how many hands were read.

    Raises:
        GameNotPlayed: the model does not play the game of a log.
        TrainingError: a log cannot be read or is damaged, or no player has one of the names.
    """
    counts = HandCounts(model, path, names)
    _counted(counts, logs, game, names, on_progress)
    return raises_in(model, counts)


def raises_in(model: BlueprintModel, counts: HandCounts) -> LoggedRaises:
    """Return the raises of hands that were counted, at their places in the model's game."""
    raises: dict[int, float] = defaultdict(float)
    sizes: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    readers: dict[GameDef, Reader] = {}
    for (played, betting, who), times in counts.lines.items():
        reader = readers.get(played)
        if reader is None:
            reader = readers[played] = Reader(model.tree, played, model.extras)
        for state, action, chances, _ in reader.readings(state_of_betting(played, betting)):
            if action.kind != "r" or state.actor not in who:
                continue
            for node, chance in chances.items():
                if not reader.offers(node, state):
                    continue
                raises[node] += chance * times
                if not reader.offered(node, state, action):
                    total = _abstract(model, node, state, action.raise_to)
                    if total is not None:
                        sizes[node][total] += chance * times
    return LoggedRaises(
        counts.hands,
        sum(raises.values()),
        [Place(node, raises[node], dict(totals)) for node, totals in sorted(sizes.items())],
    )


class HandCounts:
    """Counts the hands of logs by their betting before the flop.

    Attributes:
        hands: read so far.
        lines: how many there are of one game and betting, by who is asked about.
        names: of all players.
    """

    def __init__(self, model: BlueprintModel, path: Path, names: Collection[str]) -> None:
        """Count nothing yet.

        Args:
            path: the model's file, for messages.
            names: of the players who are asked about; empty: everybody.
        """
        self._path: Final = path
        self._model_game: Final = model.tree.game
        self._wanted: Final = names
        self._checked: Final[set[tuple[GameDef, str]]] = set()
        self.hands = 0
        self.lines: Final[Counter[tuple[GameDef, str, tuple[int, ...]]]] = Counter()
        self.names: Final[set[str]] = set()

    def add(self, game: GameDef, record: HandRecord) -> None:
        """Count a hand.

        Raises:
            EngineError: its betting breaks the rules.
            GameNotPlayed: the model does not play its game.
            ProtocolError: its betting is none.
        """
        if (game, "") not in self._checked:
            check_model_game(self._path, self._model_game, game)
            self._checked.add((game, ""))
        betting = record.betting.partition("/")[0]
        if (game, betting) not in self._checked:
            state_of_betting(game, betting)
            self._checked.add((game, betting))
        self.hands += 1
        self.names.update(record.names)
        who = tuple(
            position
            for position, name in enumerate(record.names)
            if not self._wanted or name in self._wanted
        )
        if who:
            self.lines[game, betting, who] += 1


def _counted(
    counts: HandCounts,
    logs: Sequence[Path],
    game: GameDef | None,
    names: Collection[str],
    on_progress: Callable[[int], None],
) -> None:
    for log in logs:
        for played, record, line in logged_hands(log, game):
            try:
                counts.add(played, record)
            except (EngineError, ProtocolError) as error:
                raise TrainingError(f"{log}:{line}: {error}") from error
            if not counts.hands % _HANDS_PER_REPORT:
                on_progress(counts.hands)
    if not counts.hands:
        raise TrainingError(f"no hands in {', '.join(map(str, logs))}")
    if not counts.lines:
        names_in_logs = ", ".join(sorted(counts.names)[:8])
        raise TrainingError(
            f"nobody is called {' or '.join(sorted(names))}; there are {names_in_logs}"
        )


def _abstract(model: BlueprintModel, node: int, state: HandState, total: int) -> int | None:
    """Return a raise in chips of the abstract game; None: there it is one of the menu's, or none.

    It is the same fraction of the pot, as everywhere in `agents.blueprint_model`.
    """
    tree = model.tree
    there = state_of_betting(tree.game, tree.betting(node))
    legal = there.raise_range()
    if legal is None:
        return None
    size = pot_fraction(state, total)
    raise_to = there.to_match + round(size * (there.pot + there.to_call))
    raise_to = max(legal[0], min(raise_to, legal[1], *tree.game.stacks))
    offered = (int(tree.raise_to[child]) for child in tree.children(node))
    return None if raise_to in offered else raise_to
