"""What is measured: splits without leaks, gains on the same decisions, duels, pictures."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from agents.poker_cnn.planes import PLANES
from agents.poker_cnn.train.plan import CnnPlan
from agents.poker_cnn.train.splitting import units_of
from agents.studies.poker_cnn import calibration_command, report_command
from agents.studies.poker_cnn.command import main
from agents.studies.poker_cnn.picture_command import picture_of
from agents.studies.poker_cnn.planes_picture import planes_figure
from agents.studies.pool.duels import Duel, DuelResult
from engine.estimates.winrate import WinRate
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import records_of
from tests.helpers.torch_threads import one_torch_thread

HUNL = load_builtin("hunl")


@pytest.fixture
def study(tmp_path):
    """A study of a log of random play, one epoch each."""
    with one_torch_thread():
        import torch

        from agents.poker_cnn.train.states import States
        from agents.studies.poker_cnn.study import AccuracyStudy

        records = records_of(tmp_path, HUNL, 200)
        yield AccuracyStudy(
            States(records), units_of(records), CnnPlan(epochs=1), tmp_path, torch.device("cpu")
        )


def test_every_decision_is_judged_once_by_who_did_not_see_its_match(study, monkeypatch):
    """And all predictors learn from the same hands."""
    from agents.studies.poker_cnn import study as module

    seen = []

    def train(task, path, told, stop):
        seen.append((task.name, task.learned.copy(), task.aside.copy()))
        return real(task, path, told, stop)

    real = module.train_stage
    monkeypatch.setattr(module, "train_stage", train)
    nets = ("network", module.LOGISTIC)
    learned = np.ones(len(study.units), np.bool_)
    scores = study.cross(learned, 4, nets)
    assert len(seen) == 8
    hands = study.states.records.hands
    for first in range(0, 8, 2):
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


def test_the_report_meets_everybody_once():
    """The bot, its variants and the blueprint, on 20 000 hands or more each."""
    duels = report_command.wanted(report_command.DEALS, 1)
    met = [(one.one, one.other) for one in duels]
    assert len(set(met)) == len(met)
    assert {one.other for one in duels if one.one == "cnn"} == set(report_command.OPPONENTS)
    assert all(2 * one.deals >= 20_000 for one in duels)
    assert {one.match for one in duels if one.other in report_command.LEARNERS} == {500}
    assert all(one.match == 0 for one in report_command.wanted(100, 1))


def test_winnings_are_drawn_hand_by_hand():
    """A line for each rival, none for others."""
    results = [
        DuelResult(Duel("cnn", other, 1000, 1), WinRate(5.0, 1.0, 1.0, 10, 2000), (100.0,) * 4, 1.0)
        for other in ("biased-random", "blueprint", "O1")
    ]
    svg = report_command.winnings_svg(results, "cnn")
    ET.fromstring(svg)
    assert "from biased-random" in svg
    assert "from O1" not in svg


@pytest.mark.slow
def test_a_decision_is_drawn(tmp_path, capsys):
    """Its cards, its betting, 16 grids; and one that is not there is refused."""
    records = records_of(tmp_path, HUNL)
    records.save(tmp_path / "x.records")
    out = tmp_path / "x.svg"
    assert main(["picture", str(tmp_path / "x.records"), "--decision", "9", "--out", str(out)]) == 0
    svg = out.read_text(encoding="utf-8")
    ET.fromstring(svg)
    planes, lines = picture_of(records, 9)
    assert all(line in svg.replace("&apos;", "'") for line in lines)
    drawn = planes_figure(planes, "a hand", lines).axes
    assert len(drawn) == PLANES
    for axes, plane in zip(drawn, planes, strict=True):
        [image] = axes.images
        assert np.array_equal(image.get_array(), plane)
    words = ["picture", str(tmp_path / "x.records"), "--decision", "999999", "--out", str(out)]
    assert main(words) == 2
    assert "decision 999999: there are 0 to" in capsys.readouterr().err


def test_accuracies_are_measured_from_the_command_line(tmp_path, capsys):
    """A table, and a file that says how it was made."""
    pytest.importorskip("torch")
    records_of(tmp_path, HUNL, 100).save(tmp_path / "x.records")
    out, work = tmp_path / "x.json", tmp_path / "work"
    words = ["accuracy", str(tmp_path / "x.records"), "--out", str(out), "--work", str(work)]
    with one_torch_thread():
        code = main([*words, "--folds", "2", "--held-out", "0.2", "--epochs", "1"])
    said = capsys.readouterr()
    assert code == 0, said.err
    told = json.loads(out.read_text(encoding="utf-8"))
    assert set(told["cross"]) == {*told["curve"], "majority"}
    assert [point["hands"] for point in told["curve"]["network"]] == sorted(
        point["hands"] for point in told["curve"]["network"]
    )
    assert told["cross"]["network"]["network_is_better"]["points"] == 0
    assert "majority" in said.out
    _, *words = told["command"].split()
    assert words[1:] == [
        "accuracy", "x.records", "--folds", "2", "--held-out", "0.2", "--shares", "0.25", "0.5",
        "1.0", "--epochs", "1", "--seed", "1", "--threads", "1",
    ]  # fmt: skip
    svg = tmp_path / "x.svg"
    assert main(["calibration", str(out), "--out", str(svg)]) == 0
    assert "multilayer perceptron" in svg.read_text(encoding="utf-8")


def test_chances_are_drawn_beside_what_happened():
    """Filled bins of each predictor, in percent, and the line on which a perfect one lies."""
    told = {"curve": {"network": [{}, {"reliability": [[0.1, 0.2, 50], [0.5, 0.4, 49]]}]}}
    bins = calibration_command.reliability_bins(told)
    assert bins == {"network": [(0.1, 0.2, 50), (0.5, 0.4, 49)]}
    ET.fromstring(svg := calibration_command.calibration_svg(bins))
    assert '"M 124.0 310.0"' in svg
    assert "as predicted" in svg


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cross": {"network": {"reliability": [[1]]}}}'])
def test_what_is_no_result_is_not_drawn(text, tmp_path, capsys):
    """One line says so, and nothing is written."""
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    out = tmp_path / "x.svg"
    assert main(["calibration", str(tmp_path / "x.json"), "--out", str(out)]) == 2
    assert "no result of `arena cnn accuracy`" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("words", [["--folds", "2"], ["--held-out", "0.5"]])
def test_hands_that_are_too_few_are_refused_in_one_line(tmp_path, capsys, words):
    """Before anything is trained."""
    pytest.importorskip("torch")
    records_of(tmp_path, HUNL, 1).save(tmp_path / "x.records")
    out = tmp_path / "x.json"
    told = [
        "accuracy",
        str(tmp_path / "x.records"),
        "--out",
        str(out),
        "--work",
        str(tmp_path / "w"),
    ]
    with one_torch_thread():
        assert main([*told, *words, "--epochs", "1"]) == 2
    err = capsys.readouterr().err
    assert "too few to be split into" in err
    assert "Traceback" not in err
