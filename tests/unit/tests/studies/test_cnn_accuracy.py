"""How predictors are judged: splits without leaks, and gains on the same decisions."""

import numpy as np
import pytest

from agents.poker_cnn.train.cnn_plan import CnnPlan
from agents.poker_cnn.train.splitting import units_of
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import records_of
from tests.helpers.torch_threads import one_torch_thread
from tests.studies import cnn_duels

HUNL = load_builtin("hunl")


@pytest.fixture
def study(tmp_path):
    """A study of a log of random play, one epoch each."""
    with one_torch_thread():
        import torch

        from agents.poker_cnn.train.states import States
        from tests.studies.cnn_accuracy import AccuracyStudy

        records = records_of(tmp_path, HUNL, 200)
        yield AccuracyStudy(
            States(records), units_of(records), CnnPlan(epochs=1), tmp_path, torch.device("cpu")
        )


def test_every_decision_is_judged_once_by_who_did_not_see_its_match(study, monkeypatch):
    """And all predictors learn from the same hands."""
    from tests.studies import cnn_accuracy as module

    seen = []

    def train(task, path, told, stop):
        seen.append((task.name, task.learned.copy(), task.aside.copy()))
        return real(task, path, told, stop)

    real = module.train_stage
    monkeypatch.setattr(module, "train_stage", train)
    nets = ("network", module.LOGISTIC)
    learned = np.ones(len(study.units), np.bool_)
    scores = study.cross(learned, 2, nets)
    assert len(seen) == 4
    hands = study.states.records.hands
    for first in (0, 2):
        (_, *one), (_, *other) = seen[first : first + 2]
        assert all((a == b).all() for a, b in zip(one, other, strict=True))
        trained = one[0] | one[1]
        assert not (one[0] & one[1]).any()
        assert not set(study.units[trained]) & set(study.units[~trained])
    judged = sum((~(learned | aside)).astype(int) for _, learned, aside in seen[::2])
    assert (judged == 1).all()
    for name in (*nets, "majority"):
        assert not np.isnan(scores[name]).any()
        assert np.isfinite(scores[name][np.arange(len(hands)), study.states.taken]).all()


def test_a_gain_is_the_difference_on_the_same_decisions(study):
    """By hand."""
    chosen = np.arange(len(study.states))
    right = np.eye(3, dtype=np.float32)[study.states.taken]
    wrong = np.roll(right, 1, axis=1)
    assert study.gain(right, wrong, chosen)[:2] == (1.0, 0.0)
    assert study.gain(right, right, chosen)[:2] == (0.0, 0.0)
    half = np.where(chosen[:, None] % 2, right, wrong)
    gain = study.gain(half, wrong, chosen)
    assert gain.value == pytest.approx((chosen % 2).mean())
    assert 0 < gain.ci95 < 0.1


def test_a_curve_is_judged_on_one_and_the_same_part(study):
    """And learns from more and more hands."""
    held = study.units % 5 == 0
    points = study.curve(held, (0.25, 0.5, 1.0))
    assert [one.judged.accuracy.decisions for one in points] == [
        int(held[study.states.records.hands].sum())
    ] * 3
    assert points[0].hands < points[1].hands < points[2].hands == (~held).sum()


def test_a_study_goes_on_where_it_was_left(study):
    """What is trained is not trained again."""
    held = study.units % 5 == 0
    told = []
    study.told = lambda name, epoch: told.append(name)
    first = study.curve(held, (1.0,))
    assert len(told) == 1
    again = study.curve(held, (1.0,))
    assert len(told) == 1
    assert first[0].judged == again[0].judged
    study.stop = lambda: True
    assert study.curve(held, (0.5,)) is None


def test_the_duels_meet_everybody_once():
    """The bot, its variants and the blueprint, on 20 000 hands or more each."""
    duels = cnn_duels.wanted(cnn_duels.GAME, cnn_duels.DEALS, 1)
    met = [(one.one, one.other) for one in duels]
    assert len(set(met)) == len(met)
    assert {one.other for one in duels if one.one == "cnn"} == set(cnn_duels.OPPONENTS)
    assert all(2 * one.deals >= 20_000 for one in duels)
    assert {one.match for one in duels if one.other in cnn_duels.LEARNERS} == {500}
    assert all(one.match == 0 for one in cnn_duels.wanted(cnn_duels.GAME, 100, 1))
