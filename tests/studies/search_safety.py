"""What a later search of libratus gives away, by the way it is kept safe, to three kinds of ranges.

Turns come from hands that the blueprint plays with itself; libratus solves them.  Then its second
decision on the turn, or its first on the river, is solved in each way, and the best response of
every hand of the opponent worked out exactly.  Its mean over a range, less the game's value where
both ranges are known, is what the way loses to this range:

    solved   what the opponent has if it plays as the solution before says
    turn     what the blueprint says it had where the turn began: of one who acts so with all hands
    any      all hands alike

The opponent's bets are in the tree of the solution before ("tree"), or one of them is not ("odd").
Later ones are of the tree that is solved.  Fifty rivers take five minutes of a core, as many turns
an hour.
"""

from typing import NamedTuple

import numpy as np

from agents.blueprint_model.policy import policy_for
from agents.libratus.options import DEFAULT_ALGORITHM, LibratusOptions
from agents.libratus.policy import RANGE_FLOOR, LibratusPolicy
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, floored, without_blocked
from engine.parallel.processes import in_order
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.gadgets import normal_alternatives
from engine.search.profile_values import profile_below
from engine.search.session import LAST_STREET_NODES
from engine.search.subgame_search import (
    Budget,
    NotSearched,
    SafetyKind,
    SearchRoot,
    SearchSettings,
    search,
)
from protocol.actions import CALL, raise_to
from protocol.gamedefs import load_builtin

STREETS = {"turn": 2, "river": 3}
ODD_SIZES = (0.3, 0.6, 1.7)
"""Pots, on top of a call."""
KINDS = ("tree", "odd")
RANGES = ("solved", "turn", "any")
FLOORS = (0.02, 0.2, 0.4, 0.6, 0.8)
"""Shares of the opponent's range that may be any hand."""
SMALL = {"spots": 1, "iterations": 8, "nodes": 20, "jobs": 1}
MOST_TRIES = 1000


def add_options(parser):
    """Add how much is measured."""
    add = parser.add_argument
    add("--street", choices=STREETS, default="river", help="(%(default)s)")
    add("--spots", type=int, default=25, help="of each kind")
    add("--iterations", type=int, default=150, help="of a turn, and a fifth of those of a river")
    add("--nodes", type=int, default=60, help="most of a turn's betting; of a river ten times")
    add("--seed", type=int, default=1)
    jobs_option().add_to(parser)


def result_name(options):
    """Return the file of a street."""
    return f"search-safety-{options.street}.json"


def run(options):
    """Return what each way loses to each range, parts of the pot, spot by spot."""
    settings = {name: getattr(options, name) for name in ("street", "iterations", "nodes", "seed")}
    tasks = [(kind, number) for number in range(options.spots) for kind in KINDS]
    spots = []
    with LivingLine() as line:
        for spot in in_order(_measuring, (settings,), tasks, options.jobs):
            spots.append(spot)
            line.show(f"{len(spots)} of {len(tasks)} spots")
    words = f"--street {options.street} --iterations {options.iterations} --seed {options.seed}"
    command = f'make study NAME="search-safety --spots {options.spots} {words}"'
    return {"command": command, **settings, "spots": spots}


def _measuring(settings):
    """Return what measures a spot."""
    blueprint = policy_for(load_builtin("hunl"))
    street, nodes = STREETS[settings["street"]], settings["nodes"]
    options = LibratusOptions(iterations=settings["iterations"], nodes=nodes, safety="resolve")

    def measure(task):
        kind, number = task
        rng = np.random.default_rng((settings["seed"], KINDS.index(kind), number))
        for _ in range(MOST_TRIES):
            spot = a_spot(LibratusPolicy(blueprint, options), kind, street, rng)
            if spot is not None:
                break
        return {
            "kind": kind,
            "betting": spot.state.betting,
            "board": list(spot.board),
            "lost": Ways(spot, settings["iterations"], nodes).losses(),
        }

    return measure


class Spot(NamedTuple):
    """A decision that is to be solved."""

    state: HandState
    """The searcher is to act."""
    root: HandState
    """Before the opponent's last action where that was on this street, else `state`."""
    board: tuple[int, ...]
    ranges: np.ndarray
    """(2, 1326) at `root`, by the solution before."""
    values: np.ndarray
    """(1326,) chips: of the opponent's best responses at `root` to the solution before."""
    turn_range: np.ndarray
    """(1326,) of the opponent where the turn began."""


def a_spot(policy, kind, street, rng):
    """Return a decision that is come to, or None where a hand ends before."""
    blueprint, searcher = policy.blueprint, int(rng.integers(2))
    deck = tuple(rng.permutation(52)[:5].tolist())
    state = HandState.start(blueprint.game)
    while not state.over and state.street < STREETS["turn"]:
        state = state.apply(_by_blueprint(blueprint, state, _seen(state, deck), rng))
    if state.over or state.raise_range() is None:
        return None
    turn_range = blueprint.reach(state, _seen(state, deck), 1 - searcher)
    solution, odd, decisions, previous = None, False, 0, state
    while not state.over:
        board = _seen(state, deck)
        if state.actor == searcher:
            if state.street == street and decisions >= (street == STREETS["turn"]):
                break
            solution, decisions = policy.session.solution(state, board), decisions + 1
            action = _onward(state, solution, board, rng, calls=odd or street == STREETS["turn"])
        else:
            wanted = kind == "odd" and (state.street == street or rng.random() < 0.5)
            bet = _odd_bet(state, rng) if wanted else None
            odd = odd or bet is not None
            action = bet or _of_opponent(blueprint, solution, state, board, rng)
        previous, state = state, state.apply(action)
    if state.over or state.raise_range() is None or odd != (kind == "odd"):
        return None
    root = previous if previous.street == state.street else state
    board = _seen(state, deck)
    try:
        ranges, values = solution.onward(root, board)
    except NotSearched:
        return None
    if not all(without_blocked(side, board).any() for side in ranges):
        return None
    return Spot(state, root, board, ranges, values, turn_range)


def _seen(state, deck):
    return deck[: state.game.board_seen(state.street)]


def _drawn(strategy, reach, board, rng):
    """Return an action of a strategy that goes on, by how often all hands of a range take it."""
    shares = without_blocked(reach, board) @ np.asarray(strategy.probabilities, float)
    folds = np.array([action.kind == "f" for action in strategy.actions])
    shares[folds] = 0.0
    if not shares.sum() > 0:
        return CALL
    return strategy.actions[int(rng.choice(len(shares), p=shares / shares.sum()))]


def _by_blueprint(blueprint, state, board, rng):
    reach = blueprint.reach(state, board, state.actor)
    return _drawn(blueprint.strategy(state, board), reach, board, rng)


def _onward(state, solution, board, rng, *, calls):
    """Return what the searcher does; with `calls` nothing that ends the street by a raise of it."""
    if calls:
        return CALL
    reach = solution.ranges(state, board)[state.actor]
    return _drawn(solution.strategy(state, board), reach, board, rng)


def _odd_bet(state, rng):
    """Return a bet of a size that no menu has; None where none can be made."""
    legal = state.raise_range()
    total = state.to_match + round(float(rng.choice(ODD_SIZES)) * 2 * state.to_match)
    return raise_to(total) if legal and legal[0] <= total < legal[1] else None


def _of_opponent(blueprint, solution, state, board, rng):
    """Return what the opponent does: by the solution where it holds the state, else a check."""
    if solution is None:
        return _by_blueprint(blueprint, state, board, rng)
    try:
        reach = solution.ranges(state, board)[state.actor]
        return _drawn(solution.strategy(state, board), reach, board, rng)
    except NotSearched:
        return CALL


class Ways:
    """The ways in which a decision is solved."""

    def __init__(self, spot, iterations, nodes):
        """Solve nothing yet."""
        self.spot = spot
        self.searcher = spot.state.actor
        self._variant = VARIANTS[DEFAULT_ALGORITHM]
        on_river = spot.state.street == STREETS["river"]
        self._iterations = iterations * (5 if on_river else 1)
        self._nodes = nodes * (LAST_STREET_NODES if on_river else 1)
        self._game_values = []

    def losses(self):
        """Return what each way loses to each range, in parts of the pot."""
        spot, opponent = self.spot, 1 - self.searcher
        solutions = dict(self.solutions())
        reference = solutions[_ranges_name(RANGE_FLOOR)]
        arrived = reference.ranges(spot.state, spot.board)
        own = arrived[self.searcher]
        met = compatible_reach(without_blocked(own, spot.board))
        theirs = dict(
            zip(RANGES, (arrived[opponent], spot.turn_range, np.ones(COMBOS)), strict=True)
        )
        lost = {}
        for name, solution in solutions.items():
            node = self._node(solution)
            best = self._best_values(solution, node, own)
            lost[name] = {}
            for kind, weights in theirs.items():
                value = self._game_value(solution, node, own, weights)
                shares = without_blocked(weights, spot.board) * met
                won = float(shares @ best / shares.sum())
                lost[name][kind] = round((won - value) / sum(spot.state.spent), 5)
        return lost

    def solutions(self):
        """Yield names and solutions."""
        values = self.spot.values
        for floor in FLOORS:
            yield _ranges_name(floor), self._by_ranges(floor)
        for floor in FLOORS:
            yield f"{_ranges_name(floor)}, after the bet", self._after_bet(floor)
        yield "resolve", self._safe(values)
        yield "margin", self._safe(values, SafetyKind.MARGIN)
        for floor in (RANGE_FLOOR, 0.6):
            fine = self._by_ranges(floor).onward(self.spot.root, self.spot.board).values
            yield f"resolve, values of {_ranges_name(floor)}", self._safe(fine)
            spread = np.abs(fine - values)
            yield (
                f"resolve, spread around values of {_ranges_name(floor)}",
                self._safe(normal_alternatives(fine, spread)),
            )

    def _by_ranges(self, floor):
        ranges = self.spot.ranges.copy()
        theirs = ranges[1 - self.searcher]
        ranges[1 - self.searcher] = floored(theirs, self.spot.board, floor)
        return self._searched(self.spot.root, ranges)

    def _after_bet(self, floor):
        """Solve twice: from before the opponent's action, then with its range behind that."""
        ranges = self._by_ranges(RANGE_FLOOR).ranges(self.spot.state, self.spot.board)
        theirs = ranges[1 - self.searcher]
        ranges[1 - self.searcher] = floored(theirs, self.spot.board, floor)
        return self._searched(self.spot.state, ranges)

    def _safe(self, alternatives, safety=SafetyKind.RESOLVE):
        ranges = self.spot.ranges.copy()
        ranges[1 - self.searcher] = 1.0
        return self._searched(self.spot.state, ranges, alternatives, safety)

    def _searched(self, root, ranges, alternatives=None, safety=SafetyKind.RESOLVE):
        origin = SearchRoot(root, self.spot.board, self.searcher, ranges, alternatives)
        settings = SearchSettings(self._variant, safety, most_nodes=self._nodes)
        return search(origin, self.spot.state, settings, Budget(self._iterations))

    def _node(self, solution):
        betting = self.spot.state.betting[len(solution.origin.state.betting) :]
        return solution.tree.path(betting)[-1]

    def _best_values(self, solution, node, own):
        """Return (1326,) chips, what each hand of the opponent wins at best."""
        ranges = np.ones((2, COMBOS))
        ranges[self.searcher] = own
        profile = profile_below(solution.solver, node, self.spot.board, ranges)
        return np.nan_to_num(profile.best_response_values(StrategyKind.AVERAGE)[1 - self.searcher])

    def _game_value(self, solution, node, own, theirs):
        """Return the chips that the opponent wins with a range where all is known."""
        tree = solution.solver.game.tree.below(node)
        for known_tree, known_range, value in self._game_values:
            if known_range is theirs and known_tree.same_betting(tree):
                return value
        ranges = np.empty((2, COMBOS))
        ranges[self.searcher], ranges[1 - self.searcher] = own, theirs
        solver = RangeSolver(tree, self.spot.board, ranges, RangeSettings())
        solve(solver, self._variant, self._iterations)
        value = solver.game_value(StrategyKind.AVERAGE) * (1 if self.searcher == 1 else -1)
        self._game_values.append((tree, theirs, value))
        return value


def _ranges_name(floor):
    return f"ranges, {floor:.0%} any hand"
