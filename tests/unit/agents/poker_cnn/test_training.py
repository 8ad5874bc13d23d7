"""Training: what is learned, in which order, to which targets; resumed to the bit; measured."""

import math
from dataclasses import replace

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.poker_cnn.shape import ALL_IN, SMALLEST, VALUE, initial_weights
from agents.poker_cnn.train.accuracy import share_of
from agents.poker_cnn.train.accuracy_table import percent_with_interval
from agents.poker_cnn.train.cnn_plan import CHIPS, WON, CnnPlan
from agents.poker_cnn.train.splitting import LEAST_UNITS, renumbered, share_out, units_of
from agents.poker_cnn.train_command import main
from agents.training.run_folder import CHECKPOINT, alone_in
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import decisions_of, records_of
from tests.helpers.torch_threads import one_torch_thread

HUNL = load_builtin("hunl")
PLAN = CnnPlan(epochs=3, batch=16, seed=4)


@pytest.fixture(autouse=True)
def torch():
    """PyTorch, if there is one."""
    with one_torch_thread() as found:
        yield found


@pytest.fixture
def states(tmp_path):
    """The decisions of a log of random play."""
    from agents.poker_cnn.train.states import States

    return States(records_of(tmp_path, HUNL, 80))


def task_of(states, plan=PLAN, name="some"):
    """Return a training on three quarters of the hands."""
    import torch

    from agents.poker_cnn.net import CnnNet
    from agents.poker_cnn.train.stage import Task

    hands = np.arange(len(states.records.ends))
    net = CnnNet(initial_weights(plan.seed))
    aside = hands % 4 == 0
    return Task(name, net, states.planes, states, ~aside, aside, plan, torch.device("cpu"))


def same(one, other):
    """Whether two trainings stand at the same place."""
    return one.epochs == other.epochs and all(
        (getattr(one, part)[name] == getattr(other, part)[name]).all()
        for part in ("weights", "sums", "best")
        for name in one.weights
    )


def test_what_is_known_of_decisions(states, tmp_path):
    """Who decides, where, what comes after, and what the hand was worth to it."""
    records = states.records
    left = {}
    for at, (number, state, _, _, action) in reversed(
        list(enumerate(decisions_of(tmp_path / "one.log", HUNL)))
    ):
        key = number, state.actor
        assert states.left[at] == left.get(key, 0)
        left[key] = left.get(key, 0) + 1
        won = records.won[number, state.actor]
        assert states.worth[at] == (1 if won > 0 else 0.5 if won == 0 else 0)
        assert (states.actors[at], states.streets[at]) == (state.actor, state.street)
        size = states.sizes[at]
        legal = state.raise_range()
        if action.kind != "r" or legal[0] == legal[1]:
            assert size == -1
        elif action.raise_to == legal[1]:
            assert size == ALL_IN
        elif action.raise_to == legal[0]:
            assert size == SMALLEST
        else:
            assert SMALLEST < size < ALL_IN


@pytest.mark.parametrize("backwards", [False, True], ids=["whole", "backwards"])
def test_every_hand_is_taken_once_from_its_end(states, backwards):
    """All decisions of the hands that are learned from, the last ones first."""
    from agents.poker_cnn.train.descent import _batches

    learned = np.arange(len(states.records.ends)) % 3 > 0
    plan = replace(PLAN, backwards=backwards)
    batches = list(_batches(states, learned, plan, np.random.default_rng(1)))
    every = np.concatenate(batches)
    assert sorted(every) == np.flatnonzero(learned[states.records.hands]).tolist()
    hands = states.records.hands[every]
    for hand in np.unique(hands):
        places = states.records.places[every[hands == hand]].astype(int)
        assert (np.diff(places) < 0).all()
    if backwards:
        assert all(len(np.unique(states.records.hands[one])) == len(one) for one in batches)
    else:
        assert len(batches) == -(-learned.sum() // PLAN.batch)


@pytest.mark.parametrize("plan", [
    PLAN, replace(PLAN, reading=VALUE, gamma=0.9, gamma_last=0.8), replace(PLAN, weighting=WON),
    replace(PLAN, weighting=CHIPS), replace(PLAN, backwards=True),
], ids=["action", "value", "won", "chips", "backwards"])  # fmt: skip
def test_the_loss_falls(plan, states):
    """On what is learned from, with each reading."""
    from agents.poker_cnn.train.stage import train_stage

    found = train_stage(task_of(states, replace(plan, turned=False, epochs=3)), None)
    assert found.epochs[-1].loss < 0.95 * found.epochs[0].loss


def test_values_are_those_of_the_targets(torch, states):
    """The squared error of the output of the action taken, by hand."""
    from agents.poker_cnn.train.descent import _loss

    plan = replace(PLAN, reading=VALUE, sizes=0.0)
    task = task_of(states, plan)
    chosen = np.arange(40)
    values = (0.9**states.left * states.worth).astype(np.float32)
    batch = states.planes(chosen)
    found = _loss(task.net, batch, states, chosen, values, plan, task.device).item()
    with torch.no_grad():
        scores = (task.net(batch.inputs)[0] + batch.barred).numpy().astype(np.float64)
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    given = chances[chosen, states.taken[chosen]]
    assert found == pytest.approx(((given - values[chosen]) ** 2).mean(), rel=1e-5)


def test_hands_are_worth_what_they_gained(torch, states):
    """The squared error of what they are worth, by hand, beside the loss of actions."""
    from agents.poker_cnn.train.descent import _loss

    chosen, every = np.arange(40), np.ones(len(states), np.float32)
    losses = []
    for values in (0.0, 0.25):
        plan = replace(PLAN, sizes=0.0, values=values)
        task = task_of(states, plan)
        batch = states.planes(chosen)
        losses.append(_loss(task.net, batch, states, chosen, every, plan, task.device).item())
    assert not task.net(batch.inputs)[2].any()  # nothing is worth anything to begin with
    square = float((states.gains[chosen].astype(np.float64) ** 2).mean())
    assert losses[1] - losses[0] == pytest.approx(0.25 * square, rel=1e-4)


def test_a_training_without_folds_takes_all_epochs(states, tmp_path, torch):
    """Nothing is set aside to choose their number by."""
    from agents.poker_cnn.train.cnn_run import CnnRunSettings, run_training

    epochs = []
    settings = CnnRunSettings(replace(PLAN, epochs=2), 0.2, 1)
    result = run_training(
        states.records, settings, tmp_path / "run", torch.device("cpu"),
        on_epoch=lambda name, epoch: epochs.append((name, epoch.epoch)),
    )  # fmt: skip
    assert epochs == [("all", 1), ("all", 2)]
    assert result.folds == ()
    assert "network" in result.accuracies


def test_a_training_that_was_left_ends_with_the_same_bits(states, tmp_path):
    """After any epoch; and another plan, or other hands, are refused."""
    from agents.poker_cnn.train.stage import train_stage

    whole = train_stage(task_of(states), None)
    path = tmp_path / "x.checkpoint"
    for _ in range(2):  # stopped after the first epoch, then at once
        assert train_stage(task_of(states), path, stop=path.exists) is None
    found = train_stage(task_of(states), path)
    assert same(found, whole)
    assert same(train_stage(task_of(states), path), whole)
    with pytest.raises(TrainingError, match="was begun with another plan"):
        train_stage(task_of(states, replace(PLAN, rate=0.02)), path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(TrainingError, match="cannot resume"):
        train_stage(task_of(states), path)


def test_a_training_without_progress_ends_early(states):
    """And what it ends with is the best epoch's."""
    from agents.poker_cnn.train.stage import train_stage

    plan = replace(PLAN, epochs=40, patience=2, rate=0.05, rate_last=0.05)
    found = train_stage(task_of(states, plan), None)
    losses = [one.aside_loss for one in found.epochs]
    assert len(losses) == found.best_epoch + 2 < 40
    assert losses[found.best_epoch - 1] == min(losses)


def test_matches_are_not_cut_where_there_are_many(tmp_path):
    """And single ones are, into pieces that follow each other."""
    records = records_of(tmp_path, HUNL, 100)
    units = units_of(records)
    assert len(np.unique(units)) == LEAST_UNITS
    assert (np.diff(units) >= 0).all()
    records.sessions[:] = np.arange(100) % 25
    object.__setattr__(records, "session_names", tuple(map(str, range(25))))
    assert (units_of(records) == records.sessions).all()


def test_shares_are_whole_units():
    """About as large as they should be, and each unit in one part."""
    rng = np.random.default_rng(2)
    units = renumbered(rng.integers(50, size=3000))
    parts = share_out(units, [0.5, 0.3, 0.2], rng)
    for unit in range(50):
        assert len(np.unique(parts[units == unit])) == 1
    assert np.bincount(parts) / 3000 == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0}, {"batch": 0}, {"rate": 0}, {"gamma": 1.1}, {"reading": "runes"},
        {"weighting": "lead"}, {"sizes": -1}, {"seed": -1}, {"sizes": float("nan")},
        {"values": -0.1},
    ],
)  # fmt: skip
def test_plans_that_are_none_are_refused(wrong):
    """Before anything is trained."""
    with pytest.raises(ValueError):
        CnnPlan(**wrong)


def test_rates_and_gammas_follow_their_schedules():
    """From the first epoch to the last."""
    plan = CnnPlan(epochs=5, rate=0.1, rate_last=0.01, gamma=0.9, gamma_last=0.5)
    assert [plan.rate_in(at) for at in (0, 2, 4)] == pytest.approx([0.1, 0.055, 0.01])
    assert [plan.gamma_in(at) for at in (0, 2, 4)] == pytest.approx([0.9, 0.7, 0.5])


class TestAccuracy:
    def test_numbers_by_hand(self):
        """Accuracy, log-loss, and shares by street and action."""
        from agents.poker_cnn.train.accuracy import judge

        scores = np.log([[0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]]).astype(np.float32)
        found = judge(scores, np.array([0, 2, 2]), np.array([0, 1, 1]), np.array([0, 1, 2]))
        assert found.accuracy.value == pytest.approx(2 / 3)
        assert found.log_loss.value == pytest.approx(-np.log([0.5, 0.3, 0.6]).mean())
        assert [one.value for one in found.by_street[:2]] == [1, 0.5]
        assert found.by_action[0].value == 1
        assert found.by_action[2].value == 0.5
        assert found.by_action[1].decisions == 0
        assert sum(count for _, _, count in found.reliability) == 9

    def test_intervals_are_over_matches(self):
        """A match that is right or wrong as a whole is one sample: 20 of 100 decisions each."""
        from agents.poker_cnn.train.accuracy import share_of

        values = np.repeat([0.0, 1.0, 1.0, 0.0, 0.5], 20)
        alone = share_of(values, np.arange(100))
        together = share_of(values, np.repeat(np.arange(5), 20))
        assert alone.value == together.value == 0.5
        assert alone.ci95 == pytest.approx(0.0892, abs=1e-3)
        assert together.ci95 == pytest.approx(2.7764 * 0.5 / 5**0.5, rel=1e-3)
        assert share_of(values, np.zeros(100, int)).ci95 == np.inf

    def test_the_commonest_legal_action_is_the_majority(self):
        """Whatever is not legal is not predicted."""
        from agents.poker_cnn.train.baselines import majority_scores

        legal = np.array([[True, True, True], [False, True, True], [True, False, True]])
        scores = majority_scores(np.array([1, 1, 2]), legal)
        assert scores.argmax(axis=1).tolist() == [1, 1, 2]
        assert np.isneginf(scores[~legal]).all()


@pytest.mark.parametrize(
    ("hands", "held_out", "folds"), [(1, 0.0, 0), (3, 0.9, 0), (40, 0.999, 0), (2, 0.0, 3)]
)
def test_hands_that_are_too_few_for_a_split_are_refused(tmp_path, hands, held_out, folds):
    """Every part has some, or nothing is begun."""
    from agents.poker_cnn.train.cnn_run import CnnRunSettings, check_split

    units = units_of(records_of(tmp_path, HUNL, hands))
    with pytest.raises(TrainingError, match="too few to be split into"):
        check_split(CnnRunSettings(CnnPlan(), held_out, folds), units)


def test_of_few_matches_no_interval_is_told():
    """Four units say nothing of how sure a mean is; five do."""
    right = np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    assert share_of(right[:4], np.arange(4)).ci95 == math.inf
    assert 0 < share_of(right, np.arange(5)).ci95 < 1
    assert percent_with_interval(share_of(right[:4], np.arange(4))) == "75.0 ± ?"


@pytest.mark.parametrize("words", [[], ["--resume"]])
def test_a_folder_in_which_another_works_is_left_alone(tmp_path, words, capsys):
    """Whether the run is to begin or to be resumed."""
    records_of(tmp_path, HUNL, 40).save(tmp_path / "x.records")
    folder = tmp_path / "run"
    with alone_in(folder, ()):
        if words:
            (folder / CHECKPOINT).touch()
        assert main([str(tmp_path / "x.records"), "--out", str(folder), *words]) == 2
    assert "another process is working in" in capsys.readouterr().err.splitlines()[-1]
