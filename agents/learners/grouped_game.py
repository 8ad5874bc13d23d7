"""Hold'em in groups of buckets as learners play it; no-limit by a menu of bets.

Whoever acts sees its position, its group of this and of earlier streets, and the betting: what was
done as each street's action 1, 2, ... The actions that a network scores are fold, call and the
raises of a decision, the smallest first.  The game is that of
`agents.blueprint_model.grouped_holdem`: best responses in it are exact, in hold'em they are not.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.blueprint_model.grouped_holdem import GroupedHoldem, trained_for
from agents.blueprint_model.model import tree_of
from agents.learners.betting_counts import BettingCounts
from agents.learners.learned_game import LearnedGame, LearnedSets
from agents.learners.self_play_kernels import PlayedDeals, PlayedTree
from engine.betting.bet_menu import parse_menu
from engine.betting.betting_tree import DEAL, FOLDED, RAISE, SHOWDOWN
from engine.small_games.bucket_solver import exploitability, plan_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.blueprint_model.grouped_holdem import Bets, Groups
    from engine.betting.betting_tree import BettingTree
    from protocol.gamedef import GameDef

MENU: Final = "50,100,a;100,a"
"""Of no-limit: half the pot, the pot or all-in; then a pot or all-in."""
_PLAYERS: Final = 2


class GroupedLayout(NamedTuple):
    """How large a game in groups is, known before its deals are counted."""

    info_sets: int
    width: int
    """F, numbers that a network sees."""
    actions: int
    """A, actions that it scores."""
    counts: BettingCounts


def bets_of(game: GameDef, menu: str | None = None) -> Bets | None:
    """Return the bets by which a game is learned; None in limit games.

    Args:
        menu: as `engine.betting.bet_menu.parse_menu` reads it; None: `MENU`.

    Raises:
        ValueError: it is none, ends the raising, has too many streets, or is for a limit game.
    """
    if not game.no_limit:
        if menu is not None:
            raise ValueError("bets: a limit game has sizes of its own")
        return None
    text = MENU if menu is None else menu
    parsed = parse_menu(text).streets
    if len(parsed) > game.streets or not all(all(street.sizes) for street in parsed):
        raise ValueError(
            f"bets {text}: want sizes of each raise, of {game.streets} streets at most"
        )
    streets = [tuple(street.split(";")) for street in text.split("/")]
    return (*streets, *[streets[-1]] * (game.streets - len(streets)))


def layout_of(game: GameDef, groups: Groups, menu: str | None = None) -> GroupedLayout:
    """Return how large a game will be; quick, nothing is joined.

    Args:
        menu: as for `bets_of`.

    Raises:
        ArtifactMismatch, GameNotPlayed, InvalidGame: as from `trained_for`.
        ValueError: as from `bets_of`.
    """
    tree = _tree(game, bets_of(game, menu))
    counts = np.cumprod(groups.widths)
    columns = _columns(tree)
    actions = int(columns.max()) + 1
    return GroupedLayout(
        int(counts[tree.street[tree.decisions]].sum()),
        _PLAYERS + sum(groups.widths) + game.streets * _most_of_street(tree) * actions,
        actions,
        tree_counts(tree),
    )


class GroupedGame(LearnedGame):
    """Hold'em for two in groups of buckets."""

    def __init__(self, game: GameDef, groups: Groups, seed: int, menu: str | None = None) -> None:
        """Join the buckets and count the deals: a minute of a core.

        Args:
            menu: as for `bets_of`.

        Raises:
            ArtifactMismatch, GameNotPlayed, InvalidGame, ValueError: as from `GroupedHoldem`.
            ValueError: as from `bets_of`.
        """
        self.holdem: Final = GroupedHoldem(game, groups, seed, bets_of(game, menu))
        buckets = self.holdem.game
        tree, counts = buckets.tree, np.array(buckets.counts)
        decisions = tree.decisions
        hands = counts[tree.street[decisions]]
        info_set = np.full(tree.nodes, -1, np.int32)
        info_set[decisions] = [buckets.first_set[node] for node in decisions.tolist()]
        child_columns = _columns(tree)
        columns = [
            np.tile(child_columns[list(tree.children(node))], count)
            for node, count in zip(decisions.tolist(), hands.tolist(), strict=True)
        ]
        super().__init__(
            _PLAYERS,
            LearnedSets(
                np.repeat(tree.kind[decisions], hands).astype(np.int64),
                buckets.action_count.astype(np.int64),
                np.concatenate(columns),
                _features(tree, child_columns, buckets.counts),
            ),
            PlayedTree(
                np.where(tree.kind < DEAL, tree.kind, -1).astype(np.int8),
                tree.first_child,
                tree.child_count,
                info_set,
                np.ones(tree.nodes),
                _payoffs(tree),
                buckets.first_action,
                tree.street,
                tree.kind == SHOWDOWN,
            ),
            PlayedDeals(
                self.holdem.held.astype(np.int32),
                self.holdem.result.astype(np.float64),
                (counts[-1] // counts).astype(np.int32),
            ),
            tree_counts(tree),
        )

    def exploitability(self, profile: NDArray[np.float64]) -> float:
        """Return the mean of what both best responses win in the game in groups, in chips."""
        return exploitability(self.holdem.game, profile)

    def reaches(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) how likely a player, by its actions alone, comes to and takes each one."""
        return plan_of(self.holdem.game, profile)[: self.flat_actions]


def tree_counts(tree: BettingTree) -> BettingCounts:
    """Count the decisions of a betting tree; see `BettingCounts`."""
    longest = np.zeros(tree.nodes, np.int64)
    least, most = np.zeros((2, _PLAYERS, tree.nodes), np.int64)
    for node in range(tree.nodes - 1, -1, -1):
        below = tree.children(node)
        if not below:
            continue
        part = slice(below.start, below.stop)
        decides = int(tree.kind[node] < DEAL)
        longest[node] = decides + longest[part].max()
        for player in range(_PLAYERS):
            mine = tree.kind[node] == player
            met, own = least[player, part], most[player, part]
            least[player, node] = decides + (met.sum() if mine else met.min())
            most[player, node] = 1 + own.sum() if mine else own.max()
    return BettingCounts(
        int(longest[0]), tuple(map(int, least[:, 0])), tuple(int(count) for count in most[:, 0])
    )


def _tree(game: GameDef, bets: Bets | None) -> BettingTree:
    blueprint = trained_for(game)
    if bets is None:
        return blueprint.tree
    return tree_of(replace(blueprint.config, bets=bets))


def _columns(tree: BettingTree) -> NDArray[np.int64]:
    """Return (N,) which of the A actions leads to a node: fold, call, or a raise by its size."""
    columns = tree.action.astype(np.int64)
    for node in tree.decisions.tolist():
        raises = [child for child in tree.children(node) if tree.action[child] == RAISE]
        columns[raises] = RAISE + np.arange(len(raises))
    return columns


def _most_of_street(tree: BettingTree) -> int:
    """Return how many actions a street has at most."""
    return int(_places(tree)[tree.decisions].max()) + 1


def _places(tree: BettingTree) -> NDArray[np.int64]:
    """Return (N,) how many actions the street had before a node."""
    places = np.zeros(tree.nodes, np.int64)
    for node in range(1, tree.nodes):
        above = tree.parent[node]
        places[node] = places[above] + 1 if tree.kind[above] < DEAL else 0
    return places


def _payoffs(tree: BettingTree) -> NDArray[np.float64]:
    """Return (N, 2) chips that are won at ends, at showdowns where the first hand is better."""
    payoffs = np.zeros((tree.nodes, _PLAYERS))
    for node in np.flatnonzero(tree.kind >= FOLDED).tolist():
        folded = tree.kind[node] == FOLDED
        loser = int(tree.kind[tree.parent[node]]) if folded else 1
        stake = int(tree.spent[node, loser] if folded else tree.spent[node].min())
        payoffs[node, loser], payoffs[node, 1 - loser] = -stake, stake
    return payoffs


def _features(
    tree: BettingTree, columns: NDArray[np.int64], counts: tuple[int, ...]
) -> NDArray[np.float32]:
    """Return (I, F) rows, those of a decision's hands following each other."""
    actions, most, places = int(columns.max()) + 1, _most_of_street(tree), _places(tree)
    streets = tree.game.streets
    betting = np.zeros((tree.nodes, streets * most * actions), np.float32)
    for node in range(1, tree.nodes):
        above = int(tree.parent[node])
        betting[node] = betting[above]
        if tree.kind[above] < DEAL and tree.child_count[node]:
            place = int(tree.street[above]) * most + int(places[above])
            betting[node, place * actions + columns[node]] = 1
    held = [_groups_of_hands(counts, street) for street in range(streets)]
    rows = []
    for node in tree.decisions.tolist():
        hands = held[int(tree.street[node])]
        position = np.zeros((len(hands), _PLAYERS), np.float32)
        position[:, tree.kind[node]] = 1
        rows.append(np.hstack((position, hands, np.tile(betting[node], (len(hands), 1)))))
    return np.concatenate(rows)


def _groups_of_hands(counts: tuple[int, ...], street: int) -> NDArray[np.float32]:
    """Return (N_s, sum of groups) 1 at the group of each hand of a street on it and on earlier."""
    widths = [after // before for before, after in pairwise((1, *counts))]
    hands = np.arange(counts[street])
    parts = []
    for number, width in enumerate(widths):
        part = np.zeros((len(hands), width), np.float32)
        if number <= street:
            group = hands // (counts[street] // counts[number]) % width
            part[np.arange(len(hands)), group] = 1
        parts.append(part)
    return np.hstack(parts)
