"""Training runs: begun, left, resumed."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.blueprint.measure import (
    CHECKING_OR_FOLDING,
    Exploitability,
    Measures,
    earlier,
    estimate,
    leduc_exploitability,
)
from agents.blueprint.training import (
    BEST,
    CARDS,
    METRICS,
    MODEL,
    RUN,
    Spent,
    TrainingRun,
)
from agents.blueprint_model.config import parse_config
from agents.blueprint_model.model import load_model, tree_of
from agents.errors import ConfigError, TrainingError
from agents.training.run_folder import CHECKPOINT
from engine.abstraction.bucket_file import save_abstraction
from engine.betting.info_sets import build_info_sets
from engine.evaluation.attacks import Ways
from engine.evaluation.blind_scripts import parse_script
from engine.mccfr.external_sampling import Mccfr
from protocol.gamedef import parse_gamedef
from tests.helpers.blueprints import CONFIGS, leduc_run, random_model, tiny_cards, tiny_config

ENOUGH = 1e6
NOTHING = Measures(Ways((), ()), 0, 1)
"""Seconds: iterations decide."""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A run of 12 000 iterations in one piece."""
    run = leduc_run(tmp_path_factory.mktemp("run"))
    run.spent.commands.append("arena train blueprint --config leduc")
    run.learn(ENOUGH, most_iterations=12_000)
    run.checkpoint(exploitability=1.5)
    return run


def test_a_resumed_run_ends_with_the_same_bits(learned, tmp_path):
    """Left twice, at no round number; what was spent adds up, commands included."""
    run, seconds = leduc_run(tmp_path), 0.0
    for number, iterations in enumerate((3_333, 7_000, 12_000), 1):
        run.spent.commands.append("again")
        run.learn(ENOUGH, most_iterations=iterations)
        assert run.solver.iterations == run.spent.iterations == iterations
        assert run.spent.seconds > seconds
        seconds = run.spent.seconds
        run.checkpoint()
        run = TrainingRun.resume(tmp_path)
        assert run.spent == Spent(seconds, iterations, run.solver.nodes, ["again"] * number)
    assert (run.solver.cells.view(np.uint32) == learned.solver.cells.view(np.uint32)).all()
    assert run.solver.nodes == learned.solver.nodes
    assert run.config == learned.config
    packed = load_model(tmp_path / MODEL).packed
    assert (packed.streams == load_model(learned.folder / MODEL).packed.streams).all()


def test_the_model_is_the_average_strategy(learned):
    """Rounded to a 65 535th or, with three actions, a 360th."""
    model = load_model(learned.folder / MODEL)
    for node in map(int, model.tree.decisions):
        assert np.abs(model.strategy(node) - learned.solver.average(node)).max() < 1 / 360


def test_learning_makes_it_hard_to_exploit(learned, tmp_path):
    """From uniform play, 2.37 chips a hand, to a tenth; measured exactly."""
    begun = leduc_run(tmp_path).model()
    assert leduc_exploitability(begun) == pytest.approx(2373.6, abs=1)
    found = leduc_exploitability(learned.model())
    assert 0 < found < 400
    told = estimate(learned.model(), NOTHING)
    assert told.facts == {"exploitability": found}
    assert told.text == f"exploitability {found:.3f} mbb/h"


def test_a_line_for_each_checkpoint(learned, tmp_path):
    """With what was measured."""
    run = leduc_run(tmp_path)
    for iterations in (1000, 2500):
        run.learn(ENOUGH, most_iterations=iterations)
        run.checkpoint(exploitability=iterations / 2)
    lines = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert [line["iterations"] for line in lines] == [1000, 2500]
    assert [line["exploitability"] for line in lines] == [500, 1250]
    assert lines[0]["nodes"] < lines[1]["nodes"] == run.solver.nodes
    assert all(line["mean_regret"] > 0 for line in lines)
    assert 0 <= lines[0]["seconds"] <= lines[1]["seconds"]


def test_provenance_tells_how_it_was_made(learned):
    """Commands, seed, iterations, machine: plain values in the model's file."""
    told = load_model(learned.folder / MODEL).provenance
    assert told == learned.provenance()
    assert told["commands"] == ["arena train blueprint --config leduc"]
    assert (told["iterations"], told["workers"], told["config"]) == (12_000, 1, "tiny-leduc")
    assert told["information_sets"] == learned.info_sets.rows
    assert "cores" in told["machine"]
    assert set(told) >= {"seed", "nodes", "hours", "cards", "saved"}


def test_time_ends_learning_too(tmp_path):
    """After about so long; what was learned counts."""
    run = leduc_run(tmp_path)
    told = []
    run.learn(0.05, on_progress=told.append)
    assert run.solver.iterations == run.spent.iterations > 0
    assert told[-1].iterations == run.solver.iterations


def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path, monkeypatch):
    """What was learned before it counts, and is saved."""
    run = leduc_run(tmp_path)
    learn = Mccfr.run

    def cut(self, iterations, **options):
        if self.iterations:
            raise KeyboardInterrupt
        return learn(self, iterations, **options)

    monkeypatch.setattr(Mccfr, "run", cut)
    with pytest.raises(KeyboardInterrupt):
        run.learn(ENOUGH, most_iterations=100_000)
    monkeypatch.undo()
    assert run.spent.iterations == run.solver.iterations == 4096
    run.checkpoint()
    assert TrainingRun.resume(tmp_path).solver.iterations == 4096


def test_folders_with_and_without_runs_are_told_apart(learned, tmp_path):
    """Nothing is overwritten; what was cut short before the first checkpoint begins again."""
    with pytest.raises(TrainingError, match="--resume"):
        leduc_run(learned.folder)
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(TrainingError, match=r"holds no run to resume: no checkpoint"):
            TrainingRun.resume(folder)
    leduc_run(tmp_path)
    with pytest.raises(TrainingError, match=CHECKPOINT):
        TrainingRun.resume(tmp_path)
    assert leduc_run(tmp_path).solver.iterations == 0


def test_menus_without_end_are_refused_before_anything_is_built(tmp_path, monkeypatch):
    """Only an all-in ends the raising."""
    monkeypatch.setattr("agents.blueprint_model.model.MOST_NODES", 1000)
    with pytest.raises(ConfigError, match=r"tiny-hunl: .*\b1,000\b"):
        TrainingRun.begin(tmp_path, tiny_config())
    assert not list(tmp_path.iterdir())


@pytest.fixture
def short(tmp_path):
    """The folder of a run of a hundred iterations."""
    run = leduc_run(tmp_path)
    run.learn(ENOUGH, most_iterations=100)
    run.checkpoint()
    return tmp_path


def test_other_workers_do_not_go_on(short):
    """Runs of one worker repeat exactly, others do not."""
    with pytest.raises(TrainingError, match="workers"):
        TrainingRun.resume(short, workers=2)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told["config"]["training"].update(period=999), "other settings: period"),
        (lambda told: told["config"].update(game_name="kuhn"), "trained on another betting tree"),
        (lambda told: told["config"].update(game_name="chess"), r"run\.json is damaged: no built"),
        (lambda told: told.pop("config"), r"run\.json is damaged: 'config'"),
        (lambda told: told.update(spent={"years": 3}), r"run\.json is damaged: 'seconds'"),
        (lambda told: told["spent"].update(seconds="x"), r"run\.json is damaged: could not"),
        (lambda told: told["spent"].update(seconds=math.nan), r"damaged: it took nan seconds"),
        (lambda told: told["spent"].update(seconds=-5e300), r"damaged: it took -5e\+300 seconds"),
        (lambda told: told.update(config=3), r"run\.json is damaged"),
    ],
)
def test_changed_runs_are_not_resumed(short, change, why):
    """One line says what does not fit."""
    told = json.loads((short / RUN).read_text())
    change(told)
    (short / RUN).write_text(json.dumps(told))
    with pytest.raises(TrainingError, match=why) as caught:
        TrainingRun.resume(short)
    assert str(caught.value).startswith(f"cannot resume {short}: ")
    assert "\n" not in str(caught.value)


def test_damaged_files_of_a_run(short):
    """Likewise; of a checkpoint in the engine's own words."""
    data = (short / CHECKPOINT).read_bytes()
    (short / CHECKPOINT).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(TrainingError, match="damaged: the checksum"):
        TrainingRun.resume(short)
    for content in (b"", b"{", b"\xff", b"[]", b"3"):
        (short / RUN).write_bytes(content)
        with pytest.raises(TrainingError, match=r"run\.json is damaged"):
            TrainingRun.resume(short)


def test_buckets_of_another_config_are_not_used(tmp_path):
    """Nor removed."""
    save_abstraction(tiny_cards(), tmp_path / CARDS)
    with pytest.raises(ConfigError, match="buckets of another config; remove the file"):
        TrainingRun.begin(tmp_path, tiny_config())
    assert (tmp_path / CARDS).exists()


def test_a_game_that_is_not_built_in_is_saved(tmp_path):
    """The commands that play the model take its file."""
    config = replace(tiny_config(), stack=30)
    cards = tiny_cards()
    info_sets = build_info_sets(tree_of(config), cards.counts)
    solver = Mccfr(info_sets, cards, np.random.default_rng(1), config.training.settings(1))
    run = TrainingRun(tmp_path, config, cards, info_sets, solver, Spent())
    run.note()
    assert parse_gamedef(Path(run.game_option()).read_bytes()) == run.model().tree.game
    assert leduc_run(tmp_path / "leduc").game_option() == "leduc"


def test_holdem_is_measured_by_what_is_won_from_it():
    """On the same deals and boards each time, with intervals; the worst is told.

    Leduc alone is measured exactly, and other games not at all.
    """
    model = random_model(tiny_config())
    ways = Ways((CHECKING_OR_FOLDING,), (parse_script("C"), parse_script("a")))
    told = estimate(model, Measures(ways, 2, 3))
    assert told == estimate(model, Measures(ways, 2, 3))
    won = told.facts["won"]
    assert [(one["way"], one["samples"]) for one in won] == [
        ("FC,FC,FC,FC", 2),
        ("script:C", 3),
        ("script:a", 3),
    ]
    assert told.worst == max(one["mbb_per_hand"] for one in won)
    assert told.text.startswith("lost to FC,FC,FC,FC ")
    assert estimate(model, Measures(ways, 0, 3)).facts["won"] == won[1:]
    assert estimate(model, NOTHING) == ("", {})
    assert estimate(model, NOTHING).worst is None
    kuhn = random_model(parse_config("kuhn", 'game = "kuhn"\n'))
    assert estimate(kuhn, Measures(ways, 2, 3)) == ("", {})
    with pytest.raises(ValueError, match="Leduc"):
        leduc_exploitability(model)


def test_only_checkpoints_that_measured_the_same_are_compared(tmp_path):
    """Other ways, other samples and damaged lines are left out."""
    model = random_model(tiny_config())
    ways = Ways((), (parse_script("C"),))
    two, three = (estimate(model, Measures(ways, 0, boards)) for boards in (2, 3))
    path = tmp_path / "metrics.jsonl"
    assert earlier(path, two, lines=True) == []
    one = {"iterations": 5, **two.facts}
    lines = [one, {"iterations": 5}, {"iterations": 6, **three.facts}, two.facts, {"won": 5}, 7]
    texts = [json.dumps(line) for line in lines]
    path.write_bytes("\n".join([*texts, "[" * 100_000, "{", texts[0], '{"won": ']).encode())
    assert earlier(path, two, lines=True) == [(two.worst, 5)] * 2
    assert earlier(path, three, lines=True) == [(three.worst, 6)]
    path.write_text(json.dumps(one, indent=2))
    assert earlier(path, two, lines=False) == [(two.worst, 5)]


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        '"won"',
        "null",
        '{"exploitability": NaN, "iterations": 1}',
        '{"exploitability": -Infinity, "iterations": 1}',
        f'{{"exploitability": 1{"0" * 400}, "iterations": 1}}',
        '{"exploitability": 1, "iterations": Infinity}',
        '{"exploitability": 1, "iterations": null}',
        "\0",
    ],
)
def test_lines_that_no_run_has_written_are_left_out(line, tmp_path):
    """Nor does a folder in place of the file end a run before it has saved."""
    now = Exploitability("", {"exploitability": 2.0})
    path = tmp_path / "metrics.jsonl"
    path.write_text(f'{line}\n{{"exploitability": 3, "iterations": 4}}\n')
    assert earlier(path, now, lines=True) == [(3.0, 4)]
    assert earlier(tmp_path, now, lines=True) == []


def test_a_line_that_was_cut_short_spoils_no_other(tmp_path):
    """What a full disk has left of one does not take the next one with it."""
    run = leduc_run(tmp_path)
    (tmp_path / METRICS).write_text('{"iterations": 1}\n{"itera')
    for _ in range(2):
        run.checkpoint()
    lines = (tmp_path / METRICS).read_text().splitlines()
    assert [line[:8] for line in lines] == ['{"iterat', '{"itera', '{"second', '{"second']


def test_the_best_is_kept_before_it_is_noted(tmp_path):
    """So that a run killed in between takes no lost model for its best; nothing learned is lost."""
    run = leduc_run(tmp_path)
    (tmp_path / METRICS).mkdir()
    with pytest.raises(OSError):
        run.checkpoint(best=True)
    assert load_model(tmp_path / BEST).provenance == load_model(tmp_path / MODEL).provenance
    assert TrainingRun.resume(tmp_path).solver.iterations == run.solver.iterations


@pytest.mark.slow
def test_holdem_from_cards_to_a_model(tmp_path):
    """A few buckets of everything; a resumed run builds none again and ends with the same bits."""
    buckets = 'flop = 5\nturn = 5\nriver = 5\nflop_by = "equity"\nriver_by = "equity"\n'
    text = CONFIGS["hunl"].replace("[cards]\n", f"[cards]\n{buckets}sample = 5000\n")
    config = parse_config("small", text + "[training]\nperiod = 1000\n")
    stages = set()
    run = TrainingRun.begin(tmp_path / "a", config, on_stage=lambda name, done: stages.add(name))
    assert {"river equities", "flop k-means", "turn table"} <= stages
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / CARDS).write_bytes((tmp_path / "a" / CARDS).read_bytes())
    whole = TrainingRun.begin(tmp_path / "b", config)
    whole.learn(ENOUGH, most_iterations=5000)
    run.learn(ENOUGH, most_iterations=2000)
    run.checkpoint()
    run = TrainingRun.resume(tmp_path / "a")
    run.learn(ENOUGH, most_iterations=5000)
    assert (run.solver.cells.view(np.uint32) == whole.solver.cells.view(np.uint32)).all()
    run.checkpoint()
    model = load_model(tmp_path / "a" / MODEL)
    assert model.cards.counts == run.cards.counts
    board = [0, 5, 10, 15]
    assert (model.cards.buckets(board) == run.cards.buckets(board)).all()
