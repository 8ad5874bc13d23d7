"""What of a spot's betting is solved, and what that takes in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.betting.betting_tree import BettingTree, build_betting_tree, subgame_root
from engine.commands.solve.machine import machine_memory
from engine.errors import OutOfMemory
from engine.range_solver.game import RangeGame
from engine.range_solver.tables import FLOAT32, INT16, AuxTables, memory_needed
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from engine.commands.solve.request import SolveRequest
    from protocol.gamedef import GameDef

UNBOUNDED_RAISES: Final = 64
"""The dealer's rules allow no more raises on a street."""
_RAISE_BOUNDS: Final = (UNBOUNDED_RAISES, 3, 2, 1)
_MOST_NODES: Final = 400_000
"""So many are written out in some seconds."""


class BettingPlan(NamedTuple):
    """The betting that will be solved, and what that takes."""

    tree: BettingTree
    max_raises: int
    """Bets and raises on a street, `UNBOUNDED_RAISES` where all are in the tree."""
    storage: str
    """Precision of the tables, `FLOAT32` or `INT16`."""
    memory: int
    """Bytes that solving takes, the solution to be saved included; not those of the program."""
    solution: int
    """Bytes of that alone, about."""
    work: int
    """What the time of an iteration grows with; see `RangeGame.work`."""
    cut: str
    """What was left out so that it fits, in words; empty where nothing was."""


def betting_plan(request: SolveRequest) -> BettingPlan:
    """Return the betting that was asked for, or one with fewer raises that fits, if they may go.

    Where the precision is left open, 16 bits with more raises are taken before 32 with fewer.

    Raises:
        InvalidGame: it cannot be played.
        OutOfMemory: it needs more memory than allowed; the message says what would fit.
        ValueError: the ranges leave no two hands that can be dealt together.
    """
    limit = min(request.memory_limit, machine_memory())
    bounds = _RAISE_BOUNDS if request.fits_raises else (request.max_raises or 0,)
    if request.max_raises is None and not request.fits_raises:
        bounds = (UNBOUNDED_RAISES,)
    first: int | None = None
    for bound in bounds:
        try:
            tree = _tree(request, bound)
        except OutOfMemory as error:
            if bound == bounds[-1]:
                raise OutOfMemory(f"{error}: want fewer sizes or a smaller --max-raises") from error
            continue
        spot = _Spot(request, tree)
        for storage in _storages(request):
            needed = spot.memory(storage)
            first = needed if first is None else first
            if needed <= limit:
                cut = _cut(request, bound, storage, first)
                return BettingPlan(tree, bound, storage, needed, spot.solution, spot.game.work, cut)
    raise OutOfMemory(_refusal(request, bounds[-1], needed, limit))


class _Spot:
    """What solving a betting tree takes; laying it out takes up to seconds, so it is done once."""

    def __init__(self, request: SolveRequest, tree: BettingTree) -> None:
        self.game = RangeGame(tree, request.board, request.ranges)
        # 16 bits instead of regret and strategy sum with 32 bits each
        self.solution = memory_needed(self.game, FLOAT32, 1, AuxTables()).tables // 4
        self._threads = request.threads
        steps = [variant.step(1) for variant in request.minimisers]
        self._kept = AuxTables(
            any(step.prediction > 0 for step in steps),
            any(step.variance_rate > 0 for step in steps),
        )

    def memory(self, storage: str) -> int:
        """Return the bytes for solver and solution."""
        needed = memory_needed(self.game, storage, self._threads, self._kept).total
        return needed + self.solution


def _storages(request: SolveRequest) -> tuple[str, ...]:
    return (FLOAT32, INT16) if request.storage is None else (request.storage,)


def _tree(request: SolveRequest, max_raises: int) -> BettingTree:
    blind = request.big_blind
    game: GameDef = replace(load_builtin("hunl"), blinds=(blind, blind // 2))
    root = subgame_root(game, request.street, request.pot, (request.stack, request.stack))
    return build_betting_tree(root, request.menu(max_raises), most_nodes=_MOST_NODES)


def _cut(request: SolveRequest, bound: int, storage: str, whole: int) -> str:
    """Return what was left out because the whole takes more than is allowed."""
    cuts = []
    if request.fits_raises and bound < UNBOUNDED_RAISES:
        cuts.append(f"at most {bound} bet{'s and raises' * (bound > 1)} a street")
    if request.storage is None and storage != FLOAT32:
        cuts.append("tables of 16 bits")
    allowed = size_text(request.memory_limit)
    return f"{', '.join(cuts)}: all takes {size_text(whole)}, {allowed} allowed" if cuts else ""


def _refusal(request: SolveRequest, bound: int, needed: int, limit: int) -> str:
    """Return why the spot needs too much memory, and which options would make it fit."""
    raises = f" with --max-raises {bound}" if bound < UNBOUNDED_RAISES else ""
    machine = machine_memory()
    allowed = (
        f"this machine has {size_text(machine)}"
        if machine < request.memory_limit
        else f"--memory allows {size_text(request.memory_limit)}"
    )
    less = [*_what_fits(request, bound, limit), "fewer --bets or --raises", "narrower ranges"]
    return f"this needs {size_text(needed)}{raises}, {allowed}; less: {', '.join(less)}"


def _what_fits(request: SolveRequest, bound: int, limit: int) -> list[str]:
    """Return the options, if any, that make a spot fit: smaller numbers, or the most raises."""
    suggestions: list[str] = []
    for raises in (bound, *range(min(bound - 1, max(_RAISE_BOUNDS[1:])), 0, -1)):
        spot = _Spot(request, _tree(request, raises))
        for storage in dict.fromkeys((*_storages(request), INT16)):
            needed = spot.memory(storage)
            if needed <= limit:
                parts = [f"--max-raises {raises}"] * (raises < bound)
                parts += [f"--storage {storage}"] * (request.storage not in (None, storage))
                suggestions.append(f"{' '.join(parts)} ({size_text(needed)})")
                break
        if suggestions and raises < bound:
            break
    return suggestions


def size_text(size: int) -> str:
    """Return a number of bytes for people."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size / 2**10:.0f} KiB"
