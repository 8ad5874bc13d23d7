"""What actions are worth: against a loop over combos, boards and actions, one by one."""

from itertools import combinations

import numpy as np
import pytest

from agents.blueprint_model import action_values
from agents.blueprint_model.action_values import ActionValuer
from agents.blueprint_model.policy import BlueprintPolicy
from engine.equity.preflop import preflop_equity
from engine.hands.cards import COMBO_CARDS, COMBOS, combo_of
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from engine.showdown.board_ranks import board_ranks
from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_model, tiny_config

HOLE = (51, 46)
BOARD = (0, 13, 27, 38, 44)


@pytest.fixture(scope="module")
def policy():
    """A blueprint with random strategies."""
    return BlueprintPolicy(random_model(tiny_config(), seed=8))


def some_range(count, seed=3):
    """Return (1326,) weights of so many combos, some of which the cards block."""
    rng = np.random.default_rng(seed)
    weights = np.zeros(COMBOS)
    weights[rng.choice(COMBOS, count, replace=False)] = rng.random(count)
    return weights


def played(policy, betting):
    """Return a state of the blueprint's tree."""
    state = replay_betting(policy.game, betting)
    assert policy.node_of(state, BOARD[: policy.game.board_seen(state.street)]) is not None
    return state


def worth(policy, state, player, holes, board):
    """Return what a player wins on a board with known cards, action by action."""
    if state.over:
        return hand_values(state, holes, board)[player]
    actions, rows = policy.strategy(state, board[: policy.game.board_seen(state.street)])
    cards = sorted(holes[state.actor], reverse=True)
    chances = rows[np.flatnonzero((cards == COMBO_CARDS).all(axis=1))[0]]
    return sum(
        chance * worth(policy, state.apply(action), player, holes, board)
        for action, chance in zip(actions, chances, strict=True)
        if chance
    )


def slow_value(policy, state, action, seen, theirs):
    """Return what an action is worth, in chips from there on."""
    player = state.actor
    won = total = 0.0
    for combo in np.flatnonzero(theirs):
        other = tuple(COMBO_CARDS[combo].tolist())
        dead = {*HOLE, *other, *seen}
        if len(dead) < 4 + len(seen):
            continue
        holes = (HOLE, other) if player == 0 else (other, HOLE)
        ends = [()] if len(seen) == 5 else [(card,) for card in range(52) if card not in dead]
        for end in ends:
            after = worth(policy, state.apply(action), player, holes, (*seen, *end))
            won += theirs[combo] * after
            total += theirs[combo]
    return won / total + state.spent[player]


@pytest.mark.parametrize(
    ("betting", "cards", "combos"),
    [
        ("cc/cc/cc/", 5, 200),
        ("r200c/cc/cc/c", 5, 200),
        ("r300c/r900c/cc/r2700", 5, 200),
        ("r200c/cc/", 4, 4),
    ],
)
def test_a_value_is_what_the_loop_says(policy, betting, cards, combos):
    """With a range of many combos, blocked ones included; on the turn over all rivers."""
    state, board, theirs = played(policy, betting), BOARD[:cards], some_range(combos)
    found = ActionValuer(policy).values(state, board, HOLE, theirs)
    assert found.actions == policy.strategy(state, board).actions
    assert found.spread is None
    for action, chips in zip(found.actions, found.chips, strict=True):
        wanted = slow_value(policy, state, action, board, theirs)
        assert chips == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize("betting", ["cc/", "r300c/", "r200c/cr400"])
def test_what_is_drawn_is_as_far_off_as_it_says(policy, betting, monkeypatch):
    """Values of the flop and differences of two, against all boards and combos."""
    state, seen = played(policy, betting), BOARD[:3]
    theirs = some_range(8)
    drawn = ActionValuer(policy).values(state, seen, HOLE, theirs)
    monkeypatch.setattr(action_values, "_EXACT_FROM_BOARD_CARDS", 3)
    exact = ActionValuer(policy).values(state, seen, HOLE, theirs)
    assert exact.spread is None
    apart = drawn.chips - exact.chips
    for one, off in enumerate(apart):
        assert abs(off) <= 4 * drawn.error(one) + 1e-6
        for other, off_there in enumerate(apart):
            assert abs(off - off_there) <= 4 * drawn.error(one, other) + 1e-6
    assert max(map(drawn.error, range(len(apart)))) < 0.2 * policy.game.stacks[0]


@pytest.mark.parametrize("cards", [0, 3])
def test_what_values_are_corrected_by_is_the_true_edge(policy, cards):
    """Of some combos, by all boards one by one, or by the counts of all boards before the flop."""
    own, seen, theirs = combo_of(*HOLE), BOARD[:cards], np.zeros(COMBOS)
    combos = (combo_of(50, 45), combo_of(9, 6), combo_of(34, 33))
    theirs[list(combos)] = 1, 2, 3
    sums = np.zeros(3)
    if cards:
        boards = [(*seen, *end) for end in combinations(set(range(52)) - {*HOLE, *seen}, 2)]
        ranks = np.array([board_ranks(board) for board in boards]).astype(int)
        for at, combo in enumerate(combos):
            possible = ranks[:, combo] > 0
            sums[at] = np.sign(ranks[possible, own] - ranks[possible, combo]).mean()
    else:
        sums[:] = [2 * preflop_equity(own, combo) - 1 for combo in combos]
    edge = ActionValuer(policy)._edge(seen, own, theirs)
    assert edge == pytest.approx(sums @ theirs[list(combos)] / 6, abs=1e-9)


def test_folding_is_worth_nothing_and_is_known(policy):
    """Before the flop too; the same again, bit by bit."""
    state = HandState.start(policy.game)
    one, other = (ActionValuer(policy).values(state, (), HOLE, np.ones(COMBOS)) for _ in range(2))
    fold = one.actions.index(FOLD)
    assert (one.chips[fold], one.error(fold)) == (0.0, 0.0)
    assert one.error(one.actions.index(CALL)) > 0
    assert one.chips.tolist() == other.chips.tolist()


def test_chips_are_in_proportion_to_the_true_pot(policy):
    """Of a hand whose bets the blueprint does not have."""
    menu = played(policy, "r200c/cc/cc/")
    other = replay_betting(policy.game, "r210c/cc/cc/")
    theirs = some_range(60)
    valuer = ActionValuer(policy)
    one, two = (valuer.values(state, BOARD, HOLE, theirs) for state in (menu, other))
    assert policy.nearest(other, BOARD) == policy.nearest(menu, BOARD)
    assert two.chips == pytest.approx(one.chips * 420 / 400)
    assert raise_to(420) in two.actions


def test_without_a_range_there_is_no_value(policy):
    """All combos blocked; a limit game's blueprint counts in its own bets."""
    state = played(policy, "cc/cc/cc/")
    blocked = np.zeros(COMBOS)
    blocked[np.flatnonzero((BOARD[4] == COMBO_CARDS).any(axis=1))] = 1.0
    assert ActionValuer(policy).values(state, BOARD, HOLE, blocked) is None
    limit = BlueprintPolicy(random_model(tiny_config("hulhe"), seed=2))
    start = replay_betting(load_builtin("hulhe"), "rrc/cc/cc/")
    found = ActionValuer(limit).values(start, BOARD, HOLE, some_range(30))
    for action, chips in zip(found.actions, found.chips, strict=True):
        wanted = slow_value(limit, start, action, BOARD, some_range(30))
        assert chips == pytest.approx(wanted, abs=0.02)
