"""The betting of a two-player hand, or of what is left of one, as flat arrays: no cards yet.

N nodes in breadth-first order, so that parents come before children and children are neighbours:

    kind         (N,) int8    player to act (position 0 or 1), or DEAL, FOLDED, SHOWDOWN, LEFT
    street       (N,) int8    street of the decision; of the last action at the other kinds
    parent       (N,) int32   -1 at the root, node 0
    first_child  (N,) int32   children are first_child .. + child_count; 0 children at the ends
    child_count  (N,) int32
    action       (N,) int8    edge into the node: FOLD, CALL (also a check) or RAISE; DEALT below a
                              DEAL and at the root
    raise_to     (N,) int32   chips over the whole hand for a RAISE, else 0
    spent        (N, 2) int32 chips put in by each player over the hand

A DEAL has one child, the first decision of the next street.  SHOWDOWN before the last street means
that somebody is all-in and the missing board cards come without betting.  The actions of a decision
are ordered fold, call, raises ascending; folding is offered only against a bet.  The player who
folded is the one whose decision is the parent.  Player 0 acts first after the flop.  LEFT is the
other choice of a tree `behind_choice`: an end that is worth what each hand has elsewhere.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import Menu
from engine.errors import InvalidGame, OutOfMemory
from engine.rules.state import HandState
from protocol.actions import CALL as CALLED
from protocol.actions import FOLD as FOLDED_ACTION
from protocol.actions import RAISE as RAISED
from protocol.actions import Action
from protocol.actions import raise_to as raised_to
from protocol.gamedef import GameDef

DEAL: Final = 2
FOLDED: Final = 3
SHOWDOWN: Final = 4
LEFT: Final = 5

DEALT: Final = -1
FOLD: Final = 0
CALL: Final = 1
RAISE: Final = 2


@dataclass(frozen=True, slots=True)
class BettingTree:
    """Betting nodes as arrays; see the module's table."""

    game: GameDef
    kind: NDArray[np.int8]
    street: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    action: NDArray[np.int8]
    raise_to: NDArray[np.int32]
    spent: NDArray[np.int32]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.kind)

    @property
    def decisions(self) -> NDArray[np.int32]:
        """(D,) int32 the nodes where somebody acts, ascending."""
        return np.flatnonzero(self.kind < DEAL).astype(np.int32)

    def action_text(self, node: int) -> str:
        """Return the action that led to a node as on the wire: "f", "c", "r300"; "" for a deal."""
        kind = int(self.action[node])
        if kind == RAISE:
            return f"r{self.raise_to[node]}" if self.game.no_limit else "r"
        return {DEALT: "", FOLD: "f", CALL: "c"}[kind]

    def taken(self, node: int) -> Action:
        """Return the action that led to a node.

        Raises:
            ValueError: cards did.
        """
        kind = int(self.action[node])
        if kind == RAISE:
            return raised_to(int(self.raise_to[node])) if self.game.no_limit else RAISED
        if kind == DEALT:
            raise ValueError(f"no action leads to node {node}")
        return FOLDED_ACTION if kind == FOLD else CALLED

    def children(self, node: int) -> range:
        """Return the nodes right below a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node]))

    def nodes_below(self, node: int, left_out: Container[int] = ()) -> NDArray[np.intp]:
        """Return a node and all nodes that lie below it, ascending.

        Args:
            left_out: nodes that are not gone to, nor what lies below them.
        """
        nodes = [node]
        for above in nodes:  # grows while it is walked: breadth first
            nodes.extend(child for child in self.children(above) if child not in left_out)
        return np.array(nodes, np.intp)

    def below(self, node: int, left_out: Container[int] = ()) -> BettingTree:
        """Return the tree of `nodes_below`, in the same order, from a decision on.

        Raises:
            ValueError: nobody acts there.
        """
        if self.kind[node] >= DEAL:
            raise ValueError(f"nobody acts at node {node}")
        nodes = self.nodes_below(node, left_out)
        numbers = np.zeros(self.nodes, np.int32)
        numbers[nodes] = np.arange(len(nodes))
        cut = {
            name: getattr(self, name)[nodes]
            for name in ("kind", "street", "action", "raise_to", "spent")
        }
        parent = numbers[self.parent[nodes]]
        parent[0], cut["action"][0], cut["raise_to"][0] = -1, DEALT, 0
        counts = np.bincount(parent[1:], minlength=len(nodes)).astype(np.int32)
        first_child = (1 + np.cumsum(counts) - counts).astype(np.int32)
        return replace(self, parent=parent, first_child=first_child, child_count=counts, **cut)

    def behind_choice(self) -> BettingTree:
        """Return this tree behind a choice of the player who does not act at its root.

        Node 0 is that choice, of folding to node 1, which is LEFT, or of raising to node 2, the
        root of this tree; all its nodes follow in the same order.
        """

        def behind(name: str, *first: int) -> NDArray[Any]:
            column = getattr(self, name)
            return np.concatenate([np.array(first, column.dtype), column])

        parent, first_child = behind("parent", -1, 0), behind("first_child", 1, 0)
        parent[3:] += 2
        parent[2] = 0
        first_child[2:] += 2
        action, raise_to = behind("action", DEALT, FOLD), behind("raise_to", 0, 0)
        action[2], raise_to[2] = RAISE, self.spent[0].max()
        street = int(self.street[0])
        return replace(
            self,
            kind=behind("kind", 1 - int(self.kind[0]), LEFT),
            street=behind("street", street, street),
            parent=parent,
            first_child=first_child,
            child_count=behind("child_count", 2, 0),
            action=action,
            raise_to=raise_to,
            spent=np.concatenate([self.spent[[0, 0]], self.spent]),
        )

    def same_betting(self, tree: BettingTree) -> bool:
        """Return whether another tree, from an equal state, has the same actions in it."""
        return all(
            np.array_equal(getattr(self, name), getattr(tree, name))
            for name in ("action", "raise_to", "first_child")
        )

    def path(self, betting: str) -> list[int]:
        """Return the nodes from the root to where some betting from it leads.

        The first decision of the next street is meant where the betting ends with a street, with
        or without the "/".

        Raises:
            ValueError: the tree has no such betting; the message says what there is instead.
        """
        path = [0]
        rest = betting
        while True:
            node = path[-1]
            if self.kind[node] == DEAL:
                if rest and not rest.startswith("/"):
                    raise ValueError(f"{betting!r}: a street ends before {rest!r}, want a / there")
                rest = rest[1:]
                path.append(int(self.first_child[node]))
                continue
            if not rest:
                return path
            texts = {self.action_text(child): child for child in self.children(node)}
            fitting = [text for text in texts if rest.startswith(text)]
            if not fitting:
                offered = ", ".join(texts) or "nothing, nobody acts any more"
                done = betting[: len(betting) - len(rest)]
                raise ValueError(f"{betting!r}: after {done!r} there is {offered}")
            path.append(texts[max(fitting, key=len)])
            rest = rest[len(max(fitting, key=len)) :]

    def betting(self, node: int) -> str:
        """Return all actions from the root to a node, streets separated by "/"."""
        steps: list[str] = []
        while node > 0:
            above = int(self.parent[node])
            steps.append("/" if self.kind[above] == DEAL else self.action_text(node))
            node = above
        return "".join(reversed(steps))


def build_betting_tree(
    root: HandState, menu: Menu, *, most_nodes: int | None = None
) -> BettingTree:
    """Write out the betting from `root` on with the raises of `menu`.

    Raises:
        InvalidGame: the game is not for two players, or the hand is over at the root.
        OutOfMemory: it has more nodes than allowed; some menus lead to billions.
    """
    if root.game.players != 2:
        raise InvalidGame(f"betting trees are for two players, not {root.game.players}")
    if root.over:
        raise InvalidGame("the hand is over at the root: nothing to decide")
    # Branch by branch: states that are kept until the end cost the garbage collector as much time
    pending = [_Edge(root)]
    kind: list[int] = []
    street: list[int] = []
    edges: list[tuple[int, int, int, int]] = []  # parent, action, raise-to, depth
    spent: list[tuple[int, ...]] = []
    child_count: list[int] = []
    while pending:
        state, deal, above, action, total, depth = pending.pop()
        at = len(kind)
        edges.append((above, action, total, depth))
        spent.append(state.spent)
        children: list[_Edge] = []
        if deal:
            kind.append(DEAL)
            street.append(state.street - 1)
            children = [_Edge(state, False, at, DEALT, 0, depth + 1)]
        elif state.over:
            kind.append(SHOWDOWN if state.showdown else FOLDED)
            street.append(street[above])
        else:
            kind.append(state.actor)
            street.append(state.street)
            children = _edges(state, menu, at, depth + 1)
        child_count.append(len(children))
        pending.extend(reversed(children))
        if most_nodes is not None and len(kind) + len(pending) > most_nodes:
            raise OutOfMemory(f"the betting has more than {most_nodes:,} nodes")
    return _breadth_first(root.game, kind, street, edges, spent, child_count)


def subgame_root(game: GameDef, street: int, pot: int, stacks: tuple[int, int]) -> HandState:
    """Return the state in which a street begins with `pot` chips, half of it from each player.

    Its `betting` is empty, as if the hand began there: how the pot came about is not told, and what
    is played from here on is written without the streets before.

    Args:
        game: whose streets, blinds and kind of betting hold; its stacks do not matter.
        street: 0-based, not the first one.
        pot: chips in the middle, an even number.
        stacks: chips each player has left, player 0 first.

    Raises:
        InvalidGame: there is no such street, the pot is not positive and even, or a player has no
            chips left to bet.
    """
    if game.players != 2:
        raise InvalidGame(f"subgames are for two players, not {game.players}")
    if not 0 < street < game.streets:
        raise InvalidGame(f"street {street}: want 1..{game.streets - 1}")
    if len(stacks) != 2 or not all(isinstance(chips, int | np.integer) for chips in (pot, *stacks)):
        raise InvalidGame(f"a pot of {pot} and stacks {stacks}: want whole chips, for two players")
    if pot <= 0 or pot % 2:
        raise InvalidGame(f"a pot of {pot} is not two equal, positive shares")
    if min(stacks) <= 0:
        raise InvalidGame(f"stacks {stacks[0]} and {stacks[1]}: nothing left to bet")
    share = pot // 2
    with_pot = replace(game, stacks=tuple(share + stack for stack in stacks))
    return HandState.start(with_pot)._replace(
        street=street,
        actor=game.first_positions[street],
        spent=(share, share),
        to_match=share,
        min_raise_to=share + game.big_blind,
        raises=0,
        actions=0,
        settled=0,
    )


class _Edge(NamedTuple):
    """What leads to a node, and where."""

    state: HandState
    deal: bool = False
    """Whether the node is the deal before its state's first decision."""
    parent: int = -1
    action: int = DEALT
    raise_to: int = 0
    depth: int = 0


def _edges(state: HandState, menu: Menu, parent: int, depth: int) -> list[_Edge]:
    """Return the edges of every action to consider."""
    actions: list[tuple[int, int, Action]] = [(CALL, 0, CALLED)]
    if state.can_fold:
        actions.insert(0, (FOLD, 0, FOLDED_ACTION))
    actions.extend((RAISE, total, raised_to(total)) for total in menu.raise_tos(state))
    edges = []
    for code, total, action in actions:
        after = state.apply(action)
        deal = not after.over and after.street > state.street
        edges.append(_Edge(after, deal, parent, code, total, depth))
    return edges


def _breadth_first(
    game: GameDef,
    kind: list[int],
    street: list[int],
    edges: list[tuple[int, int, int, int]],
    spent: list[tuple[int, ...]],
    child_count: list[int],
) -> BettingTree:
    """Return the tree of nodes that are in depth-first order, each before its children.

    Nodes of the same depth are in the same order either way.
    """
    parent, action, raise_to, depth = np.array(edges, np.int32).T
    order = np.argsort(depth, kind="stable")
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order))
    parents = np.where(parent < 0, -1, numbers[parent])[order].astype(np.int32)
    counts = np.array(child_count, np.int32)[order]
    return BettingTree(
        game,
        np.array(kind, np.int8)[order],
        np.array(street, np.int8)[order],
        parents,
        (1 + np.cumsum(counts) - counts).astype(np.int32),
        counts,
        action[order].astype(np.int8),
        raise_to[order],
        np.array(spent, np.int32)[order],
    )
