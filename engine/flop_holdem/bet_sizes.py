"""What menus of bets are worth against an opponent with a rich one, in steps that are kept.

One player, the searcher, has the menu that is asked for, the other one the opponent's, which never
changes.  Hold'em with this betting before the flop and on a few flops is solved whole, from both
positions; after the flop's betting two more cards come without bets.  Then

    low     what the searcher's average strategy wins from a best response to it: it is sure of it
    high    what a best response wins from the opponent's average strategy: nobody wins more

The value lies between both.  Their middle settles many times sooner than either, since both
strategies are about equally far from their best, so it is what menus are compared by.

    trace.json   the settings, and low and high of each menu and position, in the order found
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from engine.betting.bet_menu import SeatMenus, parse_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.flop_holdem.experiment import ExperimentStep, flop_holdem
from engine.flop_holdem.flop_game import FlopGame
from engine.flop_holdem.flops import FlopTables, flop_tables, run_out
from engine.flop_holdem.hand_solver import FlopHandSolver
from engine.flop_holdem.size_search import Point, Search, curve, follow, menu_text
from engine.rules.state import HandState
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

OPPONENT: Final = "50,100,200,a;70,140,a;a;/33,75,150,a;100,a;"
VARIANT: Final = "dcfr3"
"""On two flops with 200 blinds its bounds are 29 mbb per hand apart after 160 iterations, those of
CFR+ 101."""
_AT_ONCE: Final = 5
"""Iterations between looks at the clock."""
_MOST_NODES: Final = 10_000
"""Of a game: 0.4 GB a thread and 60 MB a flop."""
_MBB: Final = 1000


@dataclass(frozen=True, slots=True)
class SizeSettings:
    """What values of a folder depend on."""

    stack: int = 200
    """Big blinds."""
    flops: int = 3
    """Classes of flops that come up."""
    iterations: int = 160
    """For each menu and position."""
    opponent: str = OPPONENT
    """See `engine.betting.bet_menu.parse_menu`."""


class Worth(NamedTuple):
    """What a menu wins, mbb per hand, by position: 0 acts first after the flop."""

    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def middle(self) -> float:
        """The mean of all."""
        return sum(self.low + self.high) / 4


class SizeExperiment:
    """One folder of values."""

    def __init__(self, folder: Path, settings: SizeSettings, threads: int | None = None) -> None:
        """Open or begin an experiment.

        Args:
            threads: None for one per core; results do not depend on it.

        Raises:
            ArtifactMismatch: the folder holds another one, or its file is damaged.
            OSError: it cannot be read.
        """
        self.settings: Final = settings
        self.threads: Final = threads
        self._path: Final = folder / "trace.json"
        self._found: Final = _read(self._path, settings)

    @cached_property
    def flops(self) -> FlopTables:
        """The flops that come up."""
        return run_out(flop_tables(self.settings.flops), self.threads)

    def worth(self, menu: str) -> Worth | None:
        """Return what a menu wins, None where that is not known yet."""
        return self._found.get(menu)

    def evaluate(self, menu: str) -> Iterator[ExperimentStep]:
        """Find out what a menu wins, and keep it; say how far that is.

        Raises:
            ValueError: the text is no menu.
            OutOfMemory: it has too many bets.
            OSError: it cannot be written.
        """
        if menu in self._found:
            return
        low, high = [0.0, 0.0], [0.0, 0.0]
        wanted = self.settings.iterations
        stage = f"{menu} (number {len(self._found) + 1})"
        for position in (0, 1):
            solver = self.solver(menu, position)
            while solver.iterations < wanted:
                yield ExperimentStep(stage, position * wanted + solver.iterations, 2 * wanted)
                solve(solver, VARIANTS[VARIANT], min(_AT_ONCE, wanted - solver.iterations))
            won = solver.best_responses(StrategyKind.AVERAGE)
            mbb = _MBB / solver.game.tree.game.big_blind
            low[position], high[position] = -won[1 - position] * mbb, won[position] * mbb
        self._found[menu] = Worth((low[0], low[1]), (high[0], high[1]))
        self._save()
        yield ExperimentStep(stage, 2 * wanted, 2 * wanted)

    def solver(self, menu: str, position: int) -> FlopHandSolver:
        """Return the solver of the game in which one position has a menu, before it begins.

        Raises:
            ValueError: the text is no menu.
            OutOfMemory: it has too many bets.
        """
        menus = [parse_menu(self.settings.opponent), parse_menu(self.settings.opponent)]
        menus[position] = parse_menu(menu)
        root = HandState.start(flop_holdem(stack=self.settings.stack))
        tree = build_betting_tree(root, SeatMenus((menus[0], menus[1])), most_nodes=_MOST_NODES)
        return FlopHandSolver(FlopGame(tree, self.flops), threads=self.threads)

    def search(self, start: Point, least: float) -> Iterator[ExperimentStep]:
        """Search from one start to its end; may be stopped anywhere, and goes on there."""
        while (wanted := self.found(start, least).wanted) is not None:
            yield from self.evaluate(menu_text(wanted))

    def found(self, start: Point, least: float) -> Search:
        """Return how far a search has come."""
        return follow(start, self._middle, least)

    def best(self, starts: list[Point], least: float) -> Point | None:
        """Return the best end of searches, None until all have ended."""
        ends = [self.found(start, least) for start in starts]
        if not ends or any(end.wanted is not None for end in ends):
            return None
        return max((end.path[-1] for end in ends), key=lambda end: self._middle(end) or 0.0)

    def around(self, point: Point) -> Iterator[ExperimentStep]:
        """Find what is lost where one size of a point is moved, for `losses`."""
        for size in range(len(point)):
            for other in curve(point, size):
                yield from self.evaluate(menu_text(other))

    def losses(self, point: Point, size: int) -> list[tuple[int, float]]:
        """Return levels of a size and what they lose, mbb per hand, as far as that is known."""
        worth = {other[size]: self._middle(other) for other in curve(point, size)}
        best = self._middle(point)
        if best is None:
            return []
        return [(level, best - found) for level, found in worth.items() if found is not None]

    def _middle(self, point: Point) -> float | None:
        found = self.worth(menu_text(point))
        return None if found is None else found.middle

    def _save(self) -> None:
        facts = {
            "settings": asdict(self.settings),
            "low_high_mbb": {menu: list(worth) for menu, worth in self._found.items()},
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps(facts, indent=1) + "\n")


def _read(path: Path, settings: SizeSettings) -> dict[str, Worth]:
    """Return what is known."""
    if not path.exists():
        return {}
    try:
        facts = json_document(path.read_text(encoding="utf-8"))
        held = SizeSettings(**facts["settings"])
        found = {
            str(menu): Worth(_bounds(low), _bounds(high))
            for menu, (low, high) in facts["low_high_mbb"].items()
        }
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path} is damaged; remove it, and it is made again") from error
    if held != settings:
        told = ", ".join(f"{name} {value}" for name, value in asdict(held).items())
        raise ArtifactMismatch(f"{path.parent} holds another experiment: {told}")
    return found


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    first, second = values
    if not (math.isfinite(first) and math.isfinite(second)):
        raise ValueError(values)
    return float(first), float(second)
