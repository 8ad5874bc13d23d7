"""Following a true hand through the abstract game."""

import numpy as np
import pytest

from agents.blueprint_model.config import parse_config
from agents.blueprint_model.interpretation import Interpreter
from engine.betting.betting_tree import CALL, DEAL, FOLDED, SHOWDOWN
from engine.betting.translation import lower_probability, pot_fraction
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol import actions as wire
from protocol.actions import raise_to
from tests.helpers.blueprints import (
    always,
    interpretations_of,
    random_action,
    random_model,
    some_buckets,
    tiny_config,
)
from tests.oracles import blueprint as oracle

HANDS = always(1, 0, 2, 1)
BUCKETS = (1, 0, 2, 1)


@pytest.fixture(scope="module")
def model():
    """Random strategies on a few bets; buckets are given by hand."""
    return random_model(tiny_config(), some_buckets(3, 3, 3, 3), seed=5, alpha=1.0)


def answered(interpreter, state, hands=HANDS):
    """Return {action: probability} of the one hand."""
    interpretations = interpretations_of(interpreter, state, state.actor, hands)
    answer = interpreter.answer(interpretations, state, hands)
    assert answer.probabilities.sum() == pytest.approx(1)
    return dict(zip(answer.actions, answer.probabilities[0].tolist(), strict=True))


def nodes_of(interpreter, betting, player):
    """Return {node: chance} of the interpretations at some betting."""
    state = replay_betting(interpreter.game, betting)
    return {one.node: one.chance for one in interpretations_of(interpreter, state, player, HANDS)}


def test_hands_of_the_abstract_game_are_followed_exactly(model):
    """Many decisions of the tree: one interpretation, with the children's actions and rows."""
    interpreter, tree = Interpreter(model), model.tree
    unseen = 0
    for node in np.random.default_rng(1).choice(tree.decisions, 120, replace=False).tolist():
        state = HandState.start(tree.game)
        for above in tree.path(tree.betting(node))[1:]:
            if tree.kind[tree.parent[above]] != DEAL:
                state = state.apply(tree.taken(above))
        (interpretation,) = interpretations_of(interpreter, state, state.actor, HANDS)
        assert interpretation.node == node
        assert interpretation.chance == 1
        offers = [tree.taken(child) for child in tree.children(node)]
        assert list(interpreter.reader.offers(node, state)) == offers
        row = model.strategy(node)[BUCKETS[state.street]]
        found = answered(interpreter, state)
        assert [found[offer] for offer in offers] == pytest.approx(row.tolist(), abs=1e-6)
        unseen += interpretation.weight[0] == 0
    assert unseen  # such hands play the model's row, too


def test_weights_are_the_probabilities_of_the_own_actions(model):
    """Of the player's, not of the opponent's."""
    interpreter, tree = Interpreter(model), model.tree
    state = replay_betting(tree.game, "cr300c/r600")
    nodes = tree.path("cr300c/r600")
    for player in (0, 1):
        want = 1.0
        for node in nodes[1:]:
            above = int(tree.parent[node])
            if tree.kind[above] == player:
                row = model.strategy(above)[BUCKETS[int(tree.street[above])]]
                want *= row[node - int(tree.first_child[above])]
        (interpretation,) = interpretations_of(interpreter, state, player, HANDS)
        assert interpretation.weight[0] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("script", [0, 1, 2])
def test_the_mixture_is_the_play_of_a_player_who_draws_and_stays_with_it(model, position, script):
    """Action by action, at every betting reached often: within five standard errors.

    With small bets, several of the tree are the same smallest raise in truth.
    """
    sizes = [(0.3, 0.75, 3.0), (0.12, 0.62, 9.0), (0.6, 0.6, 1.2)][script]
    if script == 2:
        model = random_model(tiny_config("small bets"), some_buckets(3, 3, 3, 3), 6, alpha=1.0)

    def other(state, rng):
        pick = rng.random()
        legal = state.raise_range()
        if pick < 0.45 or legal is None or state.raises > 1:
            return wire.CALL
        size = sizes[int(rng.integers(3))]
        chips = state.to_match + round(size * (state.pot + state.to_call))
        return raise_to(max(legal[0], min(chips, legal[1])))

    counts, states = oracle.tally(model, BUCKETS, position, other, 1000, seed=script)
    interpreter, compared, mixed = Interpreter(model), 0, 0
    for betting, taken in counts.items():
        hands = sum(taken.values())
        if hands < 30:
            continue
        found = answered(interpreter, states[betting])
        assert set(taken) <= set(found), betting
        mixed += len(interpretations_of(interpreter, states[betting], position, HANDS)) > 1
        for action, share in found.items():
            error = np.sqrt(hands * share * (1 - share))
            miss = abs(taken.get(action, 0) - hands * share)
            assert miss <= 5 * error + 1, (betting, action, taken, found)
            compared += 1
    assert compared > 20
    assert mixed > 2


def test_a_bet_between_two_is_read_both_ways(model):
    """With the probabilities of the pseudo-harmonic mapping; one beyond the largest is that."""
    interpreter, tree = Interpreter(model), model.tree
    half, pot = tree.path("cc/r200")[-1], tree.path("cc/r300")[-1]
    share = lower_probability(0.5, 1.0, 0.75)
    assert nodes_of(interpreter, "cc/r250", 1) == pytest.approx({half: share, pot: 1 - share})
    beyond = tree.path("cc/cc/r300")[-1]  # the turn has pots only
    assert nodes_of(interpreter, "cc/cc/r5000", 1) == {beyond: 1.0}


def test_a_small_bet_may_be_taken_for_a_check(model):
    """Then the answer to it is that to a check: calling for a check, no fold."""
    interpreter, tree = Interpreter(model), model.tree
    big = interpreter_of('["200","a"]')
    checked = big.model.tree.path("cc/c")[-1]
    interpretations = nodes_of(big, "cc/r300", 1)
    assert interpretations[checked] == pytest.approx(lower_probability(0, 2, 1))
    assert wire.FOLD not in big.reader.offers(checked, replay_betting(big.game, "cc/r300"))
    small = nodes_of(interpreter, "cc/r300", 1)
    assert list(small) == [tree.path("cc/r300")[-1]]


def test_raises_are_fractions_of_the_true_pot(model):
    """A bet of two pots that was taken for one of one pot is raised by the pot that there is."""
    interpreter, tree = Interpreter(model), model.tree
    state = replay_betting(tree.game, "cc/cc/r600")
    (interpretation,) = interpretations_of(interpreter, state, 1, HANDS)
    assert tree.betting(interpretation.node).endswith("r300")
    fold, call, raised, everything = interpreter.reader.offers(interpretation.node, state)
    assert (fold, call, everything) == (wire.FOLD, wire.CALL, raise_to(20000))
    assert raised == raise_to(600 + 1200)


def test_an_all_in_that_was_none_is_answered_and_played_on(model):
    """Called in the abstract game, the true hand goes on from the street's most similar pot."""
    interpreter, tree = Interpreter(model), model.tree
    facing = tree.path("cc/r20000")[-1]
    starts = [n for n in range(1, tree.nodes) if tree.action[n] == -1 and tree.street[n] == 2]
    linear = 0
    for size in range(310, 3000, 45):
        state = replay_betting(tree.game, f"cc/r{size}")
        called = state.apply(wire.CALL)
        interpretations = [
            one for one in interpretations_of(interpreter, state, 1, HANDS) if one.node == facing
        ]
        (one,) = interpreter.step(interpretations, state, wire.CALL, called, 1, HANDS)
        assert (tree.street[one.node], tree.kind[one.node]) == (called.street, called.actor)
        assert one.node in starts
        pots = {n: tree.spent[n].sum() for n in starts}
        miss = {n: abs(np.log(pots[n] / called.pot)) for n in starts}
        assert miss[one.node] == pytest.approx(min(miss.values()))
        linear += abs(pots[one.node] - called.pot) > min(abs(p - called.pot) for p in pots.values())
    assert linear  # pots are compared by their ratio


def test_interpretations_that_do_not_offer_what_was_done_are_given_up():
    """Whoever raised as after a check had taken the small bet before for one."""
    interpreter = interpreter_of('["200","a"]')
    before = replay_betting(interpreter.game, "cc/r300")
    offered = {
        one.node: interpreter.reader.offers(one.node, before)
        for one in interpretations_of(interpreter, before, 1, HANDS)
    }
    assert len(offered) == 2
    checked = interpreter.model.tree.path("cc/c")[-1]
    (bet,) = set(offered.pop(checked)) - {wire.CALL}
    (facing,) = offered
    assert bet not in offered[facing]
    (interpretation,) = interpretations_of(interpreter, before.apply(bet), 1, HANDS)
    assert interpretation.chance == pytest.approx(1)
    assert interpreter.model.tree.parent[interpretation.node] == checked


def interpreter_of(flop, *, alpha=0.7):
    """Return what reads by a model whose only bets are a pot before the flop, and these on it."""
    text = f'game="hunl"\n[cards]\n[bets]\npreflop=["100"]\nflop={flop}'
    config = parse_config("x", text)
    return Interpreter(random_model(config, some_buckets(3, 3, 3, 3), 3, alpha))


@pytest.fixture(scope="module")
def small_raises():
    """A game whose smallest raises are the smallest legal one where the true bet is larger."""
    return interpreter_of('["50","10,30,a","a"]', alpha=1.0)


def test_two_raises_that_are_the_same_in_truth_stay_two_interpretations(small_raises):
    """Both as probable as the player would have meant them."""
    state = replay_betting(small_raises.game, "cc/r800")
    (facing,) = interpretations_of(small_raises, state, 1, HANDS)
    offers = small_raises.reader.offers(facing.node, state)
    assert offers[2:] == (raise_to(1500), raise_to(1500), raise_to(20000))
    rows = small_raises.rows(facing.node, HANDS(1))[0]
    own = interpretations_of(small_raises, state.apply(raise_to(1500)), 1, HANDS)
    assert [one.weight[0] for one in own] == pytest.approx((facing.weight[0] * rows[2:4]).tolist())
    assert [one.chance for one in own] == pytest.approx([0.5] * 2)


def test_where_the_pots_differ_sizes_beside_the_pot_are_compared(small_raises):
    """A bet of three and a half pots was read as half of one: the raise is larger beside it."""
    state = replay_betting(small_raises.game, "cc/r800")
    after = state.apply(raise_to(1500))
    third, all_in = interpretations_of(small_raises, after, 0, HANDS)
    tree = small_raises.model.tree
    facing = int(tree.parent[third.node])
    to_match = int(tree.spent[facing].max())
    sizes = [(int(tree.raise_to[one.node]) - to_match) / (2 * to_match) for one in (third, all_in)]
    assert sizes == pytest.approx([0.3, 49.5])
    share = lower_probability(*sizes, pot_fraction(state, 1500))
    assert [third.chance, all_in.chance] == pytest.approx([share, 1 - share])


def test_an_all_in_is_read_by_its_size_once_an_overbet_was(model):
    """One of less than a pot is not taken for the abstract one of many pots."""
    interpreter = Interpreter(model)
    state = replay_betting(interpreter.game, "cc/r3000c/")
    after = state.apply(raise_to(interpreter.game.stacks[0]))
    size = pot_fraction(state, interpreter.game.stacks[0])
    assert 2 < size < 3
    for before in interpretations_of(interpreter, state, 0, HANDS):
        reached = [
            one.node for one in interpreter.step([before], state, raise_to(20000), after, 0, HANDS)
        ]
        tree = interpreter.model.tree
        pot = int(tree.spent[before.node].sum())
        ends = [int(tree.raise_to[node]) == 20000 for node in reached]
        alike = abs(pot - state.pot) <= 0.1 * state.pot
        assert alike or not all(ends)


def test_hands_that_would_not_have_come_here_play_on(model):
    """As if they had: the interpretations' rows by their chances."""
    interpreter = Interpreter(model, purify=True)
    interpretations = interpretations_of(
        interpreter, replay_betting(interpreter.game, "cc/r250"), 1, HANDS
    )
    state = replay_betting(interpreter.game, "cc/r250")
    nobody = [one._replace(weight=0 * one.weight) for one in interpretations]
    answer = interpreter.answer(nobody, state, HANDS)
    want = {}
    for one in interpretations:
        rows = interpreter.rows(one.node, HANDS(1))[0]
        for action, share in zip(interpreter.reader.offers(one.node, state), rows, strict=True):
            want[action] = want.get(action, 0) + one.chance * share
    assert dict(zip(answer.actions, answer.probabilities[0], strict=True)) == pytest.approx(want)


@pytest.mark.parametrize("how", [{}, {"threshold": 0.2}, {"purify": True}])
def test_one_hand_alone_plays_as_among_many(model, how):
    """Asked about by its bucket instead of an array: to the last bit, after any bets."""
    interpreter, rng = Interpreter(model, **how), np.random.default_rng(8)
    hands = rng.integers(3, size=(4, 20), dtype=np.int32)
    for _ in range(15):
        state = HandState.start(interpreter.game)
        while not state.over:
            player = state.actor
            among = interpretations_of(interpreter, state, player, hands.__getitem__)
            many = interpreter.answer(among, state, hands.__getitem__)
            for hand in (0, 19):
                alone = hands[:, hand].tolist().__getitem__
                found = interpretations_of(interpreter, state, player, alone)
                one = interpreter.answer(found, state, alone)
                assert one.actions == many.actions
                assert (one.probabilities == many.probabilities[hand]).all()
            state = state.apply(random_action(state, rng))


def test_hands_out_of_step_call():
    """A raise taken for a call that ended the street: nothing is left to decide there."""
    interpreter = interpreter_of('["200"]')
    state = replay_betting(interpreter.game, "cc/cr300")
    interpretations = interpretations_of(interpreter, state, 0, HANDS)
    (dealt,) = [one for one in interpretations if interpreter.model.tree.kind[one.node] == DEAL]
    answer = interpreter.answer([dealt], state, HANDS)
    assert answer.actions == (wire.CALL,)
    (after,) = interpreter.step([dealt], state, wire.CALL, state.apply(wire.CALL), 0, HANDS)
    assert interpreter.model.tree.street[after.node] == 2


def test_thresholds_drop_actions_and_purifying_keeps_one(model):
    """What is left adds to 1; the likeliest action always stays."""
    interpreters = [Interpreter(model, **how) for how in ({}, {"threshold": 0.3}, {"purify": True})]
    buckets = np.arange(3, dtype=np.int32)
    for node in map(int, model.tree.decisions[:200]):
        plain, cut, pure = (one.rows(node, buckets) for one in interpreters)
        assert cut.sum(axis=1) == pytest.approx(1)
        assert ((cut > 0) == (plain >= np.minimum(0.3, plain.max(axis=1, keepdims=True)))).all()
        top = plain == plain.max(axis=1, keepdims=True)
        assert pure == pytest.approx(top / top.sum(axis=1, keepdims=True))
    for threshold in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="want a probability"):
            Interpreter(model, threshold=threshold)


def test_the_abstract_hand_ends_where_it_must(model):
    """Nobody is at the end of a hand while a street of the true one begins."""
    interpreter, tree = Interpreter(model), model.tree
    rng = np.random.default_rng(4)
    for _ in range(40):
        size = int(rng.integers(200, 19900))
        for player in (0, 1):
            chances = nodes_of(interpreter, f"r{size}c/", player)
            assert sum(chances.values()) == pytest.approx(1)
            assert not {int(tree.kind[n]) for n in chances} & {DEAL, FOLDED, SHOWDOWN}
    assert tree.action[tree.path("cc/c")[-1]] == CALL
