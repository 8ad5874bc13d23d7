"""Public situations in which a street begins or ends: board, pot, stacks, what both may hold.

    played      betting of a policy against itself from the first decision on, each action drawn by
                what the actor's whole range does; ranges are what the betting says
    searched    the same up to the turn, which is solved as `libratus` solves it; then where that
                turn's betting ends, drawn by how likely it ends there, and a card
    perturbed   those of `played` with ranges bent, noised and mixed with all hands, and another pot
    random      DeepStack's generator: a share of the range goes to the weaker half of the hands,
                the rest to the stronger one, and so on; pots uniform in one of five intervals
    leaves      any end of a street's betting that a search of it asks values for, in any iteration,
                with the ranges of that iteration, and a card
    asked       ends of a flop that a search of at most one bet asks its network values for, in any
                iteration; stacks are 0.3 to 20 pots where the search begins, evenly by logarithm

Where a street's betting is over, all is the same as where the next one begins, without its card.
Before the flop ranges are of starting hands: weights do not tell suits apart.

A search of the turn goes to the end of the hand; one of the flop ends with the flop, as if nobody
bet after it.

Ranges are rounded to half precision before anything is solved.  Every hand that the board leaves
has at least `LEAST_RATIO` of the likeliest one's weight, so that values of all hands are defined.

Source of the generator: Moravcik et al., "DeepStack: expert-level artificial intelligence in
heads-up no-limit poker", Science 356, 2017, supplement.
"""

from __future__ import annotations

from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.deepstack.configuration import (
    BIG_BLIND_CHIPS,
    CARDS_OF_STREET,
    FLOP,
    PARTS_OF_DEPTH,
    RIVER,
    SOURCES,
    TURN,
    game_with_stacks,
)
from agents.roster.strategies import read_strategy, seat
from engine.abstraction.board_buckets import BoardBuckets, hand_moments
from engine.betting.betting_tree import DEAL, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.hands.cards import CARDS, COMBOS, card_bits, live_combos
from engine.hands.suits import CARD_SWAPS, COMBO_SWAPS
from engine.rules.state import HandState
from engine.search.network_leaves import StreetEnds, street_end_network
from engine.search.subgame_search import Budget, SafetyKind, SearchRoot, SearchSettings, search
from engine.showdown.board_ranks import board_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from agents.deepstack.configuration import Configuration
    from engine.betting.policy import Policy
    from engine.search.subgame_search import SearchEnding, Solution

LEAST_RATIO: Final = 2.0**-20
"""Half precision holds it."""
_INTERVALS: Final = ((1, 1), (2, 4), (4, 20), (20, 60), (60, 200))
"""Of what each player has put in, big blinds; all but the first without their end."""
_SEARCH: Final = SearchSettings(VARIANTS["lcfr"], SafetyKind.UNSAFE, most_nodes=50)
_SEARCH_ITERATIONS: Final = 40
_SITUATIONS_PER_SEARCH: Final = 8
"""A search takes as long as so many rivers."""
_FLOOR: Final = 0.02
"""Share of each range at the root of a search that may be any hand, as `libratus` has it."""


class PublicSituation(NamedTuple):
    """See the module's text."""

    source: int
    """Its place in `SOURCES`."""
    board: tuple[int, ...]
    """Cards ascending, in the suits of `canonical`."""
    pot: int
    """Chips, half of it from each player."""
    stack: int
    """Chips that each player has left."""
    ranges: NDArray[np.float16]
    """(2, 1326) weights, 1 for the likeliest; player 0 acts first."""
    seed: int = 0
    """Of what is drawn to solve it; not kept."""


class StreetArrival(NamedTuple):
    """Where betting comes to; not rounded, in any suits."""

    depth: int
    """Big blinds."""
    board: tuple[int, ...]
    spent: int
    """Chips of each player."""
    ranges: NDArray[np.float64]


_STACKS_ASKED: Final = (0.3, 20.0)
"""Pots, where searches begin whose ends are asked about."""


def canonical(board: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Return a set of cards in the suits that make it least, ascending, and the exchange by number.

    Boards that differ by order or by an exchange of suits become the same.
    """
    swapped = np.sort(CARD_SWAPS[:, list(board)], axis=1).tolist()
    swap = min(range(len(swapped)), key=swapped.__getitem__)
    return tuple(swapped[swap]), swap


def strengths_on(board: Sequence[int]) -> NDArray[np.float64]:
    """Return (1326,) how strong hands are, 0 to 1 by rank, a mean over the cards to come.

    -1 for combos that the board blocks.
    """
    live = live_combos(card_bits(board))
    if not board:
        starting = BoardBuckets.of(())
        means: NDArray[np.float64] = starting.moments[0, starting.bucket].astype(np.float64)
        return means
    if len(board) < RIVER + 2:
        return np.where(live, hand_moments(board)[0], -1.0)
    ranks = board_ranks(board).astype(np.int64)
    weaker = np.searchsorted(np.sort(ranks[live]), ranks) / live.sum()
    return np.where(live, weaker, -1.0)


def random_range(strengths: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (H,) weights of sum 1 by DeepStack's generator; 0 where a strength is negative.

    Hands of equal strength come in random order.
    """
    live = np.flatnonzero(strengths >= 0)
    order = live[np.lexsort((rng.uniform(size=len(live)), strengths[live]))]
    shares, sizes = np.ones(1), [len(order)]
    while max(sizes) > 1:
        weak = np.where(np.array(sizes) > 1, rng.uniform(size=len(sizes)), 1.0)
        split = np.stack((shares * weak, shares * (1 - weak)), axis=1)
        halves = [(size // 2, size - size // 2) if size > 1 else (size, 0) for size in sizes]
        has_hands = np.array(halves) > 0
        shares, sizes = split[has_hands], np.array(halves)[has_hands].tolist()
    weights = np.zeros(len(strengths))
    weights[order] = shares
    return weights


def rounded(arrival: StreetArrival, source: int) -> PublicSituation:
    """Return where betting comes to in canonical suits, with ranges of half precision."""
    board, swap = canonical(arrival.board)
    live = live_combos(card_bits(board))
    ranges = np.empty((2, COMBOS), np.float16)
    for weights, rounded in zip(arrival.ranges, ranges, strict=True):
        turned = np.zeros(COMBOS)
        turned[COMBO_SWAPS[swap]] = weights
        turned[~live] = 0
        rounded[:] = np.maximum(turned / (turned.max() or 1.0), LEAST_RATIO * live)
    stack = arrival.depth * BIG_BLIND_CHIPS - arrival.spent
    return PublicSituation(source, board, 2 * arrival.spent, stack, ranges)


class SituationSource:
    """Makes the situations of a configuration; remembers the policies that it opened."""

    def __init__(self, configuration: Configuration) -> None:
        """Open nothing yet."""
        self._configuration: Final = configuration
        self._next_street: Final = configuration.street + configuration.over
        """On which the next decision is."""
        self._cards: Final = configuration.cards
        self._policies: Final[dict[int, Policy]] = {}
        self._draws: Final = {
            "played": self._played,
            "searched": self._searched,
            "perturbed": self._perturbed,
            "random": self._random,
            "leaves": self._leaves,
            "asked": self._asked,
        }

    def block(self, number: int) -> Iterator[PublicSituation]:
        """Yield the situations of one file, source by source: they depend on the number alone.

        Raises:
            AgentError, EngineError: the policy cannot be opened, or it does not play.
        """
        for index, source in enumerate(SOURCES):
            rng = np.random.default_rng((self._configuration.seed, number, index))
            arrivals = self._draws[source](rng)
            for arrival in islice(arrivals, self._configuration.counts[source]):
                yield rounded(arrival, index)._replace(seed=int(rng.integers(2**32)))

    def _policy(self, depth: int) -> Policy:
        if depth not in self._policies:
            named = read_strategy(self._configuration.policy)
            _, (player,) = seat([named], game_with_stacks(depth))
            self._policies[depth] = player.policy
        return self._policies[depth]

    def _hands(self, street: int, seen: int, rng: np.random.Generator) -> Iterator[_PlayedHand]:
        """Yield hands in which a street begins; those that end before are left out.

        Args:
            seen: cards of the board that are there then, those of the street or one less.
        """
        while True:
            depth, board = _depth(rng), _board(rng)[:seen]
            state, ranges = HandState.start(game_with_stacks(depth)), np.ones((2, COMBOS))
            while not state.over:
                cards = board[: state.game.board_seen(state.street)]
                ranges *= live_combos(card_bits(cards))
                if not ranges.any(axis=1).all():
                    break
                if state.street == street:
                    yield _PlayedHand(state, StreetArrival(depth, cards, state.spent[0], ranges))
                    break
                strategy = self._policy(depth).strategy(state, cards)
                number = _drawn(ranges[state.actor] @ strategy.probabilities, rng)
                ranges[state.actor] *= strategy.probabilities[:, number]
                state = state.apply(strategy.actions[number])

    def _played(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        for hand in self._hands(self._next_street, self._cards, rng):
            yield hand.arrival

    def _perturbed(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        for arrival in self._played(rng):
            drawn = _random_ranges(arrival.board, rng)
            live = live_combos(card_bits(arrival.board))
            pairs = zip(arrival.ranges, drawn, strict=True)
            ranges = np.stack([_bent(weights, noise, live, rng) for weights, noise in pairs])
            most = arrival.depth * BIG_BLIND_CHIPS - 1
            spent = round(arrival.spent * 2.0 ** rng.uniform(-1, 1))
            yield arrival._replace(spent=min(max(spent, BIG_BLIND_CHIPS), most), ranges=ranges)

    def _random(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        while True:
            depth = _depth(rng)
            board = _board(rng)[: self._cards]
            ranges = _random_ranges(board, rng)
            yield StreetArrival(depth, board, _random_bet(depth, rng), ranges)

    def _searched(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        for hand in self._hands(TURN, TURN + 2, rng):
            ends = _street_ends(hand, _SEARCH_ITERATIONS, StrategyKind.AVERAGE)
            chances = [end.ranges.sum(axis=1).prod() for end in ends]
            yield from self._some(ends, chances, rng)

    def _leaves(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        street = self._next_street - 1
        ending = StreetEnds(None, street) if street <= FLOP else None
        for hand in self._hands(street, CARDS_OF_STREET[street], rng):
            iterations = int(rng.integers(1, _SEARCH_ITERATIONS + 1))
            ends = _street_ends(hand, iterations, StrategyKind.CURRENT, ending)
            yield from self._some(ends, [1.0] * len(ends), rng)

    def _asked(self, rng: np.random.Generator) -> Iterator[StreetArrival]:
        ending = StreetEnds(street_end_network(FLOP), FLOP, exact=False)
        for hand in self._hands(FLOP, CARDS_OF_STREET[FLOP], rng):
            iterations = int(rng.integers(1, _SEARCH_ITERATIONS + 1))
            begun = _with_stacks(hand, float(np.exp(rng.uniform(*np.log(_STACKS_ASKED)))))
            ends = _street_ends(begun, iterations, StrategyKind.CURRENT, ending)
            yield from self._some(ends, [1.0] * len(ends), rng)

    def _some(
        self, ends: Sequence[StreetArrival], chances: Sequence[float], rng: np.random.Generator
    ) -> Iterator[StreetArrival]:
        """Yield situations of one search: some of its ends, or with a card after them."""
        if not self._configuration.over:
            yield from _with_next_cards(ends, chances, rng)
        elif possible := np.flatnonzero(chances).tolist():
            weights = np.array(chances)[possible]
            count = min(_SITUATIONS_PER_SEARCH, len(possible))
            for number in rng.choice(possible, count, replace=False, p=weights / weights.sum()):
                yield ends[number]


class _PlayedHand(NamedTuple):
    state: HandState
    arrival: StreetArrival


def _with_stacks(hand: _PlayedHand, pots: float) -> _PlayedHand:
    """Return a hand whose street begins with stacks of so many pots, or fewer."""
    arrival = hand.arrival
    chips = arrival.depth * BIG_BLIND_CHIPS
    spent = max(round(chips / (1 + 2 * pots)), BIG_BLIND_CHIPS)
    stacks = chips - spent, chips - spent
    state = subgame_root(game_with_stacks(1), hand.state.street, 2 * spent, stacks)
    return _PlayedHand(state, arrival._replace(spent=spent))


def _depth(rng: np.random.Generator) -> int:
    parts = np.array(list(PARTS_OF_DEPTH.values()), np.float64)
    return int(rng.choice(list(PARTS_OF_DEPTH), p=parts / parts.sum()))


def _board(rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(rng.permutation(CARDS)[: RIVER + 2].tolist())


def _drawn(weights: NDArray[np.float64], rng: np.random.Generator) -> int:
    """Return a number drawn in proportion to weights, of which one is positive."""
    upto = np.cumsum(weights)
    number = np.searchsorted(upto, rng.uniform() * upto[-1], side="right")
    return min(int(number), int(np.flatnonzero(weights)[-1]))


def _random_ranges(board: Sequence[int], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (2, 1326) weights by DeepStack's generator; before the flop by starting hand."""
    if board:
        strengths = strengths_on(board)
        return np.stack([random_range(strengths, rng) for _ in range(2)])
    starting = BoardBuckets.of(())
    shares = [random_range(starting.moments[0].astype(np.float64), rng) for _ in range(2)]
    return (np.stack(shares) / starting.hands)[:, starting.bucket]


def _bent(
    weights: NDArray[np.float64],
    noise: NDArray[np.float64],
    live: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return a range to a power of 0.5 to 2, times a random one's, with up to a tenth of all."""
    noise = noise ** rng.uniform(0, 1)
    bent = (weights / weights.max()) ** (2.0 ** rng.uniform(-1, 1)) * noise
    share = 10.0 ** rng.uniform(-3, -1)
    mixed: NDArray[np.float64] = (1 - share) * bent / bent.sum() + share * live / live.sum()
    return mixed


def _random_bet(depth: int, rng: np.random.Generator) -> int:
    """Return what each player has put in, chips: uniform in an interval that the stacks reach."""
    reached = [(low, min(high, depth)) for low, high in _INTERVALS if low < depth]
    low, high = reached[int(rng.integers(len(reached)))]
    return int(
        rng.integers(low * BIG_BLIND_CHIPS, max(high * BIG_BLIND_CHIPS, low * BIG_BLIND_CHIPS + 1))
    )


def _street_ends(
    hand: _PlayedHand, iterations: int, which: StrategyKind, ending: SearchEnding | None = None
) -> list[StreetArrival]:
    """Return where a street's betting ends with bets to come, and neither range is empty."""
    state, arrival = hand
    live = live_combos(card_bits(arrival.board))
    ranges = np.stack(
        [
            (1 - _FLOOR) * weights / weights.sum() + _FLOOR * live / live.sum()
            for weights in arrival.ranges
        ]
    )
    root = SearchRoot(state, arrival.board, state.actor, ranges)
    solution = search(root, state, _SEARCH, Budget(iterations, inf), ending=ending)
    if solution is None:
        return []
    return [
        StreetArrival(arrival.depth, arrival.board, spent, reached)
        for spent, reached in _ends(solution, which, ranges)
        if (reached > 0).any(axis=1).all()
    ]


def _ends(
    solution: Solution, which: StrategyKind, ranges: NDArray[np.float64]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield chips put in by each player and both ranges at each end of the root's street."""
    solver, tree = solution.solver, solution.tree
    reached = {0: ranges}
    for node in range(tree.nodes):
        if node not in reached:
            continue
        here = reached.pop(node)
        kind = int(tree.kind[node])
        if kind == DEAL:
            yield int(tree.spent[node, 0]), here
        elif kind < DEAL:
            shares = solver.strategy(which, node)
            for number, child in enumerate(tree.children(node)):
                below = here.copy()
                below[kind] *= shares[:, number]
                reached[child] = below


def _with_next_cards(
    ends: Sequence[StreetArrival], chances: Sequence[float], rng: np.random.Generator
) -> Iterator[StreetArrival]:
    """Yield ends of a street, drawn by their chances, each with another card.

    Left out where the card leaves a player no hand.
    """
    if not ends:
        return
    deck = [card for card in range(CARDS) if card not in ends[0].board]
    for card in rng.permutation(deck)[:_SITUATIONS_PER_SEARCH].tolist():
        end = ends[_drawn(np.array(chances), rng)]
        board = (*end.board, card)
        ranges = end.ranges * live_combos(card_bits(board))
        if ranges.any(axis=1).all():
            yield end._replace(board=board, ranges=ranges)
