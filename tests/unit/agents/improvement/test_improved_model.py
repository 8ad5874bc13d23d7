"""Models with extra raises: their config, their rows, and how hands are read in them."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint.compacting import repacked
from agents.blueprint_model.config import config_of_facts
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import load_model, tree_of
from agents.blueprint_model.policy import BlueprintPolicy
from agents.improvement.branch import extended, matching_nodes
from agents.improvement.improved_model import improved_model
from engine.betting.policy import check_strategy
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from tests.helpers.blueprints import always, interpretations_of, random_model, tiny_config

EXTRAS = ("r250", "r300r1000")


@pytest.fixture(scope="module")
def old():
    """A model."""
    return random_model(tiny_config())


@pytest.fixture(scope="module")
def new(old):
    """The same with two branches in which the first action is always taken."""

    def branch(extra):
        tree = tree_of(extended(old.config, [extra]))
        below = tree.below(tree.path(extra)[-1])

        def average(node):
            rows = np.zeros((old.cards.counts[int(below.street[node])], below.child_count[node]))
            rows[:, 0] = 1
            return rows.astype(np.float32)

        return average

    return improved_model(old, {extra: branch(extra) for extra in EXTRAS}, {"new": True})


def test_what_the_model_had_stays(old, new):
    """Every row to the last bit, with no share for a raise that only opponents make."""
    there = matching_nodes(new.tree, old.tree)
    assert (np.sort(there[there >= 0]) == np.arange(old.tree.nodes)).all()
    for node in new.tree.decisions.tolist():
        if there[node] < 0:
            assert (new.strategy(node)[:, 0] == 1).all()
            continue
        rows = new.strategy(node)
        own = [child not in new.extras for child in new.tree.children(node)]
        assert (rows[:, own] == old.strategy(int(there[node]))).all()
        assert not rows[:, np.logical_not(own)].any()
        if new.own_actions(node) > 1:
            assert (new.numbers(node)[0] == old.numbers(int(there[node]))[0]).all()
    assert [new.own_actions(node) for node in (0,)] == [old.own_actions(0)]


def test_files_come_back(old, new, tmp_path):
    """With extra raises, and without any to the same bytes as ever."""
    new.save(tmp_path / "new")
    again = load_model(tmp_path / "new")
    assert again.config == new.config
    assert again.config.extras == EXTRAS
    assert again.tree.same_betting(new.tree)
    assert (again.packed.streams == new.packed.streams).all()
    assert (repacked(again).streams == new.packed.streams).all()
    old.save(tmp_path / "old")
    assert "extras" not in load_model(tmp_path / "old").config.facts()


def test_a_model_is_improved_again(old, new):
    """Its branches stay, and the next one may be anywhere."""
    third = "r250r800"

    config = extended(new.config, [third])
    below = tree_of(config)
    root = below.path(third)[-1]

    def even(node):
        at = int(below.nodes_below(root)[node])
        shape = old.cards.counts[int(below.street[at])], int(below.child_count[at])
        return np.full(shape, 1 / shape[1], np.float32)

    found = improved_model(new, {third: even}, {})
    assert found.config.extras == (*EXTRAS, third)
    there = matching_nodes(found.tree, new.tree)
    node = found.tree.path("r250")[-1]
    assert (found.strategy(node)[:, 0] == 1).all()
    assert there[found.tree.path(third)[-1]] == -1


def test_extras_that_are_none():
    """Beyond the flop, without a raise, no text, twice, far too many; in a limit game any."""
    many = [f"r{n}" for n in range(201, 252)]
    for extras in (["r250/r300"], ["c"], [250], ["r250", "r250"], ["r0250"], many):
        with pytest.raises(ValueError, match="extras"):
            config_of_facts(tiny_config().facts() | {"extras": extras})
    with pytest.raises(ValueError, match="limit"):
        config_of_facts(tiny_config("leduc").facts() | {"extras": ["r250"]})


def test_files_whose_extras_do_not_fit_are_refused(old, tmp_path):
    """A raise that the menu has; one after betting that it lacks; rows of another tree."""
    for extra in ("r300", "r222r700", "r250"):
        odd = replace(old.config, extras=(extra,))
        old.save(tmp_path / "odd")
        damaged = load_model(tmp_path / "odd")
        object.__setattr__(damaged, "config", odd)
        damaged.save(tmp_path / "odd")
        with pytest.raises(Exception, match="damaged"):
            load_model(tmp_path / "odd")


def test_an_exact_raise_leads_to_its_branch_and_tells_nothing_of_the_hand(new):
    """The one of 0.75 pots; between it and half a pot hands are read as either."""
    interpreter = Interpreter(new)
    hands = always(5, 0, 0, 0)
    exact = interpretations_of(interpreter, replay_betting(new.tree.game, "r250"), 1, hands)
    assert [one.node for one in exact] == [new.tree.path("r250")[-1]]
    assert float(exact[0].weight[0]) == 1
    between = interpretations_of(interpreter, replay_betting(new.tree.game, "r240"), 0, hands)
    wanted = {new.tree.path(text)[-1] for text in ("r200", "r250")}
    assert {one.node for one in between} == wanted


def test_the_policy_never_makes_an_extra_raise_and_answers_it(new):
    """For all hands: it is offered with probability 0, and behind it the branch is played."""
    policy = BlueprintPolicy(new)
    start = HandState.start(new.tree.game)
    own = policy.strategy(start, [])
    check_strategy(own, start, [])
    place = [action.text for action in own.actions].index("r250")
    assert not own.probabilities[:, place].any()
    there = replay_betting(new.tree.game, "r250")
    answer = policy.strategy(there, [])
    assert answer.actions[0].text == "f"
    assert (answer.probabilities[:, 0] == 1).all()
    assert policy.reach(there, [], start.actor).min() == 1
