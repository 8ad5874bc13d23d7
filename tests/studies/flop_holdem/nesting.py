"""Flop hold'em with a bet that the agent's abstraction lacks, and the agent's answers to it.

The opponent bets .5, .75 or all of the pot, once before the flop and at most so often on it.  The
abstraction has no .75, for neither player.  Nodes are those of the whole game's tree everywhere; a
part of it leaves out bets of .75, all or all but some.

    translated   each .75 is taken for one of its neighbours: the agent goes on at the node that it
                 drew, of which the opponent learns nothing; the pot goes on as it was really bet
    solved again after each .75 what follows is solved anew (nested solving):
        BET        inexpensive: from right after the bet on
        DECISION   expensive: from the opponent's decision on, with the bet among its others
        STREET     expensive: from the first decision of the street on, with the bet where it was

The opponent's hands have as alternatives what they could have won at best from the strategy that
was in force before: at the decision where the bet was made, or where the street begins.  Unsafe,
both ranges are those of the strategies in force.  Whatever the agent has done on the street already
it did by these; STREET solves that again all the same, so that the agent can come with hands that
the new solution would never have there, and for which it has learnt nothing.

Nothing but bets without .75 is considered in what follows; where the opponent makes another one,
that is solved again in turn, against what is in force by then.  Gifts are of decisions before the
flop, where a hand could have folded: on it, nothing that is solved again follows such a decision.

Shares are (A, H) of what H hands do, by action without .75.  What is filled has a row for each
action of `FlopGame`, by `OffTreeGame.row`; rows of the opponent, and of .75, stay 0.

Sources: Ganzfried, Sandholm, "Action translation in extensive-form games with large action
spaces", IJCAI 2013; Brown, Sandholm, "Safe and nested subgame solving for imperfect-information
games", NIPS 2017.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import BetMenu, street_menu
from engine.betting.betting_tree import DEAL, FOLD, RAISE, build_betting_tree
from engine.betting.translation import lower_probability, threshold
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, without_blocked
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS, STARTING_HANDS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.profile_values import profile_below
from tests.studies.flop_holdem.game import FlopGame, flop_holdem, flop_tables
from tests.studies.flop_holdem.kernels import BEST
from tests.studies.flop_holdem.solver import (
    FlopHandSolver,
    flop_sums,
    preflop_reach,
    values_before_flop,
    walk_flop,
)
from tests.studies.flop_holdem.techniques import VARIANT, gadget_of, gifts_of

SIZES = (0.5, 0.75, 1.0)
"""The middle one is missing."""
_PREFLOP = 0
_NOBODY = 1e-9
"""Reach that no hand is left of."""


class Translation(NamedTuple):
    """How bets of .75 are taken for others."""

    name: str
    lower: float
    """With what probability for one of .5, else of 1."""
    remembers: bool = True
    """Whether one draw holds for the hand; else each decision draws anew for all bets before."""


_RANDOMISED = lower_probability(*SIZES[::2], SIZES[1])
TRANSLATIONS = (
    Translation("translation, randomised", _RANDOMISED),
    Translation("translation, drawn anew", _RANDOMISED, remembers=False),
    Translation("translation, threshold", float(SIZES[1] <= threshold(*SIZES[::2]))),
)
"""3/7 for .5; the threshold is .714."""

BET, DECISION, STREET = "bet", "decision", "street"


class Nesting(NamedTuple):
    """A way to solve again."""

    name: str
    start: str = BET
    safe: bool = True
    margin: bool = False
    """Max-margin; else the opponent enters or takes its alternative."""
    gifts: bool = False
    """Whether alternatives are raised by what was given away before."""


NESTINGS = (
    Nesting("resolve"),
    Nesting("max-margin", margin=True),
    Nesting("reach-max-margin", margin=True, gifts=True),
    Nesting("unsafe, from the decision", DECISION, safe=False),
    Nesting("reach-max-margin, from the decision", DECISION, margin=True, gifts=True),
    Nesting("unsafe, from the street", STREET, safe=False),
    Nesting("reach-max-margin, from the street", STREET, margin=True, gifts=True),
)


class OffTreeGame:
    """The whole game, and its parts."""

    def __init__(self, flops, bets):
        """Write it out.

        Args:
            flops: classes of flops that come up.
            bets: how many there may be on the flop; 4 meet stacks that are too short for .75.
        """
        menu = BetMenu((street_menu(SIZES, max_raises=1), street_menu(SIZES, max_raises=bets)))
        tree = build_betting_tree(HandState.start(flop_holdem()), menu)
        self.tree = tree
        self.game = FlopGame(tree, flop_tables(flops))
        self.missing = frozenset(
            raises[1]
            for node in tree.decisions.tolist()
            if (raises := [child for child in tree.children(node) if tree.action[child] == RAISE])
        )
        """Nodes that bets of .75 lead to."""
        self.row = np.full(tree.nodes, -1)
        """By node the row of the action that led there, of those on the node's street."""
        flop_rows = np.full(tree.nodes, -1)
        flop_rows[self.game.kept] = self.game.nodes.row
        for node in tree.decisions.tolist():
            before = tree.street[node] == _PREFLOP
            first = int((self.game.preflop_rows if before else flop_rows)[node])
            for number, child in enumerate(tree.children(node)):
                self.row[child] = first + number

    def part(self, root, added=frozenset()):
        """Return the betting from a decision on, and its nodes; without .75 but for some bets."""
        left_out = self.missing - added
        return self.tree.below(root, left_out), self.tree.nodes_below(root, left_out).tolist()

    def flop_part(self, root, added=frozenset()):
        """Return the same of a decision before the flop, with all flops."""
        tree, nodes = self.part(root, added)
        return FlopGame(tree, self.game.flops), nodes

    def kept(self, node):
        """Return what lies right below a node, but for .75."""
        return [child for child in self.tree.children(node) if child not in self.missing]

    def preflop_bet(self, player):
        """Return where a player's only bet of .75 before the flop leads to."""
        tree = self.tree
        return next(
            node
            for node in sorted(self.missing)
            if tree.street[node] == _PREFLOP and tree.kind[tree.parent[node]] == player
        )

    def below_bet(self, node, bet):
        """Return whether a node is where a bet leads to, or below it."""
        while node > bet:
            node = int(self.tree.parent[node])
        return node == bet

    def could_fold(self, bet):
        """Return whether who made a bet could have folded instead."""
        others = self.tree.children(int(self.tree.parent[bet]))
        return any(self.tree.action[other] == FOLD for other in others)


def translate(game, agent, node, places, chosen, how, into):
    """Fill what the agent does from a node to the end of the street.

    Args:
        places: where it takes itself to be: [((H,) its reach with each hand, node without .75)].
        chosen: node -> (A, H) what hands do in the abstraction.
        how: a `Translation`.
        into: (rows, H).

    Returns:
        The places at each node where the flop comes.
    """
    tree = game.tree
    if tree.kind[node] >= DEAL:
        return {node: places} if tree.kind[node] == DEAL else {}
    arrivals = {}
    if tree.kind[node] != agent:
        for number, child in enumerate(tree.children(node)):
            below = []
            for reach, at in places:
                others = tree.children(at)
                if child not in game.missing:
                    below.append((reach, others[number]))
                    continue
                taken = ((how.lower, others[number - 1]), (1 - how.lower, others[number + 1]))
                below += [(chance * reach, other) for chance, other in taken if chance]
            arrivals |= translate(game, agent, child, below, chosen, how, into)
        return arrivals
    shares = [chosen(at) for _, at in places]
    total = np.sum([reach for reach, _ in places], axis=0)
    for number, child in enumerate(game.kept(node)):
        came = [reach * share[number] for (reach, _), share in zip(places, shares, strict=True)]
        row = into[game.row[child]]
        row[:] = shares[0][number]
        np.divide(np.sum(came, axis=0), total, out=row, where=total > 0, casting="same_kind")
        below = [
            (now if how.remembers else reach, game.kept(at)[number])
            for now, (reach, at) in zip(came, places, strict=True)
        ]
        arrivals |= translate(game, agent, child, below, chosen, how, into)
    return arrivals


class Bet(NamedTuple):
    """A bet of .75 that the opponent made."""

    node: int
    """Where it leads to."""
    reach: NDArray[np.float64]
    """(H,) of the agent's hands there."""
    before: object
    """What was in force: it has `shares(node)`, (A, H) what hands do at a decision of the agent."""


def follow_strategy(game, agent, node, reach, strategy, again, into):
    """Fill what the agent does from a node to the end of the street.

    Args:
        reach: (H,) of the agent's hands.
        strategy: in force at the node, see `Bet.before`.
        again: `Bet` -> what is in force after a bet of .75.
        into: (rows, H).
    """
    kind = game.tree.kind[node]
    if kind >= DEAL:
        return
    if kind == agent:
        for share, child in zip(strategy.shares(node), game.kept(node), strict=True):
            into[game.row[child]] = share
            follow_strategy(game, agent, child, reach * share, strategy, again, into)
        return
    for child in game.tree.children(node):
        new = again(Bet(child, reach, strategy)) if child in game.missing else strategy
        follow_strategy(game, agent, child, reach, new, again, into)


class SolvedGame:
    """A solution with all flops: the blueprint, or what follows a bet before the flop."""

    def __init__(self, game, solver, nodes):
        """Walk all flops once.

        Args:
            solver: a `FlopHandSolver`.
            nodes: of the whole game, those of the solver's tree.
        """
        self.solver = solver
        self.number = {node: number for number, node in enumerate(nodes)}
        self.whole = game
        self.game = solver.game
        self.profile = solver.profile(StrategyKind.AVERAGE)
        self._reach = preflop_reach(self.game, self.profile.preflop, solver.ranges)
        roots = flop_sums(self.game, self.profile.shares, self._reach, (BEST, BEST), 1)
        self._values = values_before_flop(
            self.game, self.profile.preflop, self._reach, roots, (BEST, BEST)
        )
        self._gifts = gifts_of(self.game, self._reach, self._values)
        root = nodes[0]
        opponent = 1 - int(game.tree.kind[root])
        if root in game.missing and game.could_fold(root):
            lost = -float(game.tree.spent[game.tree.parent[root], opponent])
            given = np.maximum(lost - self.best(opponent, root), 0.0)
            met, ways = self._reach[0, 1 - opponent], self._reach[list(self.game.ways)]
            came = compatible_reach(ways[:, 1 - opponent].sum(axis=0))
            self._gifts[opponent] += _over(given * compatible_reach(met), came)

    def reach(self, player, node):
        """Return (1326,) a player's reach of a node before the flop, or where it comes."""
        return self._reach[self.number[node], player]

    def best(self, player, node):
        """Return (1326,) what hands win at best from a node before the flop, chips."""
        met = compatible_reach(self.reach(1 - player, node))
        return _over(self._values[self.number[node], player], met)

    def gifts(self, player, node):
        """Return (1326,) what hands gave away until the flop came, chips; split."""
        return self._gifts[player, self.game.ways.index(self.number[node])]

    def shares(self, node):
        """Return (A, 169) what starting hands do at a decision before the flop."""
        first, number = self.game.preflop_rows, self.number[node]
        count = int(self.game.tree.child_count[number])
        return self.profile.preflop.T[first[number] : first[number] + count]


class OnFlop:
    """A solution with all flops, on one of them; may be `Bet.before`."""

    def __init__(self, solved, flop, agent, came):
        """Work out what the opponent could win at best.

        Args:
            came: by node where the flop comes (1326,) the agent's reach; 0 where it does not tell.
        """
        game = solved.game
        arrivals = np.zeros((len(game.ways), 2, COMBOS))
        numbers = list(solved.number)
        for number, way in enumerate(game.ways):
            arrivals[number, agent] = came.get(numbers[way], 0.0)
            arrivals[number, 1 - agent] = solved.reach(1 - agent, numbers[way])
        shape = (len(game.nodes.kind), 2, game.flops.live)
        self._reach, self._values = np.empty(shape), np.empty(shape)
        self._shares = solved.profile.shares(flop)
        walk_flop(game, flop, self._shares, arrivals, (BEST, BEST), self._reach, self._values)
        self._solved, self._opponent = solved, 1 - agent
        self._combo = game.flops.combo[flop]
        self._number = {numbers[node]: number for number, node in enumerate(game.kept)}

    def shares(self, node):
        """Return (A, 1176) what hands do at a decision."""
        nodes, number = self._solved.game.nodes, self._number[node]
        first = int(nodes.row[number])
        return self._shares[first : first + int(nodes.child_count[number])]

    def best(self, node, ranges):
        """Return (1326,) what the opponent's hands win at best from a decision on, chips.

        Args:
            ranges: (2, 1326), the agent's as it comes there.
        """
        won = _of_combos(self._values[self._number[node], self._opponent], self._combo)
        return _over(won, compatible_reach(ranges[1 - self._opponent]))

    def opponent_reach(self, node):
        """Return (1326,) the opponent's reach of a decision."""
        return _of_combos(self._reach[self._number[node], self._opponent], self._combo)


class SolvedAgain:
    """What follows a bet on the flop; may be `Bet.before`."""

    def __init__(self, solver, nodes, opponent, combo, added):
        """Keep a solution.

        Args:
            solver: a `RangeSolver`.
            nodes: of the whole game, those of the solver's tree.
            combo: (1176,) hands in order of strength.
            added: bets of .75 among them.
        """
        self.added = added
        self._solver, self._opponent, self._combo = solver, opponent, combo
        self._number = {node: number for number, node in enumerate(nodes)}

    def shares(self, node):
        """Return (A, 1176) what hands do at a decision."""
        chosen = self._solver.strategy(StrategyKind.AVERAGE, self._number[node])
        return chosen[self._combo].T

    def best(self, node, ranges):
        """Return (1326,) what the opponent's hands win at best from a decision on, chips."""
        part = profile_below(self._solver, self._number[node], self._solver.game.board, ranges)
        return np.nan_to_num(part.best_response_values(StrategyKind.AVERAGE)[self._opponent])

    def opponent_reach(self, node):
        """Return (1326,) the opponent's reach of a decision, in proportion."""
        tree, at = self._solver.game.tree, self._number[node]
        reach = self._solver.game.beliefs[self._opponent].copy()
        while at:
            child, at = at, int(tree.parent[at])
            if tree.kind[at] == self._opponent:
                chosen = self._solver.strategy(StrategyKind.AVERAGE, at)
                reach *= chosen[:, child - int(tree.first_child[at])]
        return reach


class FlopNesting:
    """Solves again what follows bets of .75 after one way to one flop."""

    def __init__(self, solved, flop, way, nesting, agent, came, iterations):
        """Begin with nothing.

        Args:
            solved: the `SolvedGame` in force where the flop comes.
            way: the node where it does.
            came: (1326,) the agent's reach of it.
            iterations: of each new solution.
        """
        self._game, self._nesting, self._agent = solved.whole, nesting, agent
        self._iterations = iterations
        tables = solved.game.flops
        self._board = tuple(tables.boards[flop].tolist())
        self._combo = tables.combo[flop]
        self._first = self._game.kept(way)[0]
        self._gifts = solved.gifts(1 - agent, way) if nesting.gifts else 0.0
        self._came = came

    def again(self, bet):
        """Return what is in force after a bet."""
        before = bet.before
        decision = self._first
        ranges, added = self._ranges(self._came), frozenset({bet.node})
        if self._nesting.start != STREET:
            decision = int(self._game.tree.parent[bet.node])
            ranges = self._ranges(_of_combos(bet.reach, self._combo))
        if isinstance(before, SolvedAgain):
            added |= before.added
        opponent, gadget = 1 - self._agent, None
        if self._nesting.safe:
            offered = before.best(decision, ranges) + self._gifts
            gadget = gadget_of(opponent, offered, ranges, self._board, self._nesting.margin)
        else:
            came = before.opponent_reach(decision)
            if without_blocked(came, self._board).sum() > _NOBODY:
                ranges[opponent] = came
        root = bet.node if self._nesting.start == BET else decision
        tree, nodes = self._game.part(root, added)
        solver = RangeSolver(tree, self._board, ranges, RangeSettings(threads=1), root=gadget)
        solve(solver, VARIANTS[VARIANT], self._iterations)
        return SolvedAgain(solver, nodes, opponent, self._combo, added)

    def _ranges(self, came):
        """Return (2, 1326): every hand of the opponent; of the agent too where none comes."""
        ranges, live = np.ones((2, COMBOS)), without_blocked(came, self._board)
        if live.sum() > _NOBODY:
            ranges[self._agent] = live
        return ranges


def solver_after(game, blueprint, nesting, opponent, threads):
    """Return what is to be solved when the opponent bets .75 before the flop, and its nodes."""
    bet = game.preflop_bet(opponent)
    decision = 0 if nesting.start == STREET else int(game.tree.parent[bet])
    root = bet if nesting.start == BET else decision
    part, nodes = game.flop_part(root, frozenset({bet}))
    ranges, gadget = np.ones((2, COMBOS)), None
    ranges[1 - opponent] = blueprint.reach(1 - opponent, decision)
    if nesting.safe:
        offered = _by_class(blueprint.best(opponent, decision))
        gadget = gadget_of(opponent, offered, ranges, (), nesting.margin)
    else:
        ranges[opponent] = blueprint.reach(opponent, decision)
    return FlopHandSolver(part, ranges, gadget, threads=threads), nodes


def _of_combos(values, combo):
    """Return (1326,) what (1176,) hands in order of strength have; 0 for the others."""
    by_combo = np.zeros(COMBOS)
    by_combo[combo] = values
    return by_combo


def _by_class(values):
    """Return (1326,) the same with rounding errors between suits taken away."""
    sums = np.bincount(COMBO_STARTING_HAND, values, STARTING_HANDS)
    return (sums / STARTING_HAND_COMBOS)[COMBO_STARTING_HAND]


def _over(won, met):
    """Return the quotients, 0 where nobody is met."""
    return np.divide(won, met, out=np.zeros(COMBOS), where=met > _NOBODY)
