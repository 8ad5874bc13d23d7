from hypothesis import given
from hypothesis import strategies as st

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu
from engine.betting.betting_tree import (
    CALL,
    DEAL,
    DEALT,
    FOLD,
    FOLDED,
    RAISE,
    SHOWDOWN,
    build_betting_tree,
)
from engine.equity.allin import closing_street
from engine.rules.state import HandState
from protocol.actions import CALL as CALLS
from protocol.actions import FOLD as FOLDS
from protocol.actions import raise_to
from protocol.gamedef import GameDef

SIZES = st.lists(st.sampled_from((0.25, 0.5, 1.0, 2.0, ALL_IN)), max_size=2, unique=True)


@st.composite
def games(draw):
    """Small games for two, limit and no-limit, one to three streets, unequal stacks."""
    streets = draw(st.integers(1, 3))
    blinds = draw(st.sampled_from(((2, 1), (1, 1), (0, 0), (5, 1))))
    return GameDef(
        no_limit=draw(st.booleans()),
        players=2,
        streets=streets,
        stacks=(draw(st.integers(5, 40)), draw(st.integers(5, 40))),
        blinds=blinds,
        raise_sizes=(2, 4, 4)[:streets],
        first_positions=tuple(draw(st.integers(0, 1)) for _ in range(streets)),
        max_raises=tuple(draw(st.sampled_from((0, 1, 2, 255))) for _ in range(streets)),
        suits=4,
        ranks=13,
        hole_cards=1,
        board_cards=(0, 1, 1)[:streets],
    )


@st.composite
def menus(draw):
    """A menu with an entry for one or two streets."""
    return BetMenu(
        tuple(
            StreetMenu(tuple(tuple(sorted(draw(SIZES))) for _ in range(draw(st.integers(1, 3)))))
            for _ in range(draw(st.integers(1, 2)))
        )
    )


def rules_action(tree, node):
    """The action into a node, as the rules know it."""
    code = tree.action[node]
    if code == RAISE:
        return raise_to(int(tree.raise_to[node]))
    return {CALL: CALLS, FOLD: FOLDS}[code]


@given(games(), menus())
def test_trees_are_the_rules_and_the_menu(game, menu):
    """Every node is a state of the rules; its edges are fold, call and the menu's raises."""
    start = HandState.start(game)
    if start.over:  # all-in by the blinds
        return
    tree = build_betting_tree(start, menu)
    states = {0: start}
    for node in range(1, tree.nodes):
        above = int(tree.parent[node])
        assert above < node
        first, count = int(tree.first_child[above]), int(tree.child_count[above])
        assert first <= node < first + count
        state = states[above]
        states[node] = state
        if tree.kind[above] == DEAL:
            assert tree.action[node] == DEALT
        else:
            action = rules_action(tree, node)
            assert state.is_legal(action)
            states[node] = state.apply(action)
    assert tree.child_count.sum() == tree.nodes - 1
    for node, state in states.items():
        children = range(
            int(tree.first_child[node]), int(tree.first_child[node] + tree.child_count[node])
        )
        assert tree.spent[node].tolist() == list(state.spent)
        if tree.kind[node] == DEAL:
            assert len(children) == 1
            assert state.street == tree.street[node] + 1
        elif state.over:
            assert tree.kind[node] == (SHOWDOWN if state.showdown else FOLDED)
            assert not children
            assert tree.street[node] == closing_street(state)
        else:
            assert tree.kind[node] == state.actor
            assert tree.street[node] == state.street
            assert tree.betting(node) == state.betting
            wanted = [FOLDS] if state.can_fold else []
            wanted += [CALLS, *map(raise_to, menu.raise_tos(state))]
            assert [rules_action(tree, child) for child in children] == wanted
            raises = [int(tree.raise_to[child]) for child in children if tree.raise_to[child]]
            assert sum(total >= min(game.stacks) for total in raises) <= 1
            assert not raises or max(raises) <= max(state.raise_range()[0], min(game.stacks))
