"""Runs in folders: left and resumed to the bit, and checkpoints that cannot be resumed."""

import json
import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import PeerLost, TrainingError
from agents.evolution.evolution import Stage
from agents.evolution.evolution_run import KIND, METRICS, PICTURE, EvolutionRun, as_bytes
from agents.evolution.selection import ReproductionConfig
from agents.training.run_folder import CHECKPOINT
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from tests.helpers.evolving import HUNL, SHAPE, STAGES, play_small, small_plan
from tests.helpers.thread_peers import together


def opened(folder, *, resume=False, peers=None, **changes):
    """Begin a small run, or resume it; or one of another plan."""
    plan = small_plan(**changes)
    return EvolutionRun(folder, plan, HUNL, play_small, resume=resume, peers=peers)


def played(run):
    """Play a run to its end; return it."""
    while not run.evolution.done:
        run.step(1)
        if run.first:
            run.save()
    return run


def outcome(run):
    """Return what a run has come to, without the time it took."""
    genome, facts = run.best(1)
    kept = {name: facts[name] for name in ("plan", "deals", "final")}
    return run.evolution.genomes.tobytes(), run.history, genome.tobytes(), kept


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that was played without a break."""
    folder = tmp_path_factory.mktemp("whole")
    return played(opened(folder))


@pytest.fixture
def damaged(whole, tmp_path):
    """A folder with the checkpoint of that run, to be changed."""
    (tmp_path / CHECKPOINT).write_bytes((whole.folder / CHECKPOINT).read_bytes())
    return tmp_path


def refusal(folder, **changes):
    """Return the one line that a resumed run is refused with."""
    with pytest.raises(TrainingError) as refused:
        opened(folder, resume=True, **changes)
    (line,) = str(refused.value).splitlines()
    assert str(folder) in line
    return line


def test_a_run_that_was_left_ends_with_the_same_bits(whole, tmp_path):
    """Before the first and after each generation, one that was not saved among them."""
    opened(tmp_path)
    run = opened(tmp_path, resume=True)
    for generation in range(run.evolution.plan.generations):
        assert (run.evolution.generation, len(run.history)) == (generation, generation)
        run.step(2)
        run.save()
        if generation < 3:
            run.step(1)  # lost
        run = opened(tmp_path, resume=True)
    assert run.evolution.done
    assert outcome(run) == outcome(whole)


def test_commands_and_seconds_are_kept(tmp_path):
    """All commands that worked on a run, and the time of all its parts."""
    run = opened(tmp_path)
    run.commands.append("first")
    run.step(1)
    run.save()
    again = opened(tmp_path, resume=True)
    again.commands.append("second")
    assert again.seconds == run.seconds > 0
    facts = played(again).best(1)[1]
    assert facts["commands"] == ["first", "second"]
    assert facts["processes"] == 1
    assert facts["machine"]
    assert facts["deals"] == 2 * (2 + 5 * 2) * 3 + 5 * 2 * 2 * 3


@pytest.mark.parametrize("best", [0, 1])
def test_the_best_of_the_final_is_kept(best, whole, monkeypatch):
    """Not the best of the last generation: the final is judged anew."""
    result = whole.evolution.final(1)
    assert len(result.fitness) == 2
    fitness = np.array([0.3, 0.3])
    fitness[best] = 0.4
    told = result._replace(fitness=fitness)
    monkeypatch.setattr(whole.evolution, "final", lambda threads, peers, stop: told)
    genome, facts = whole.best(1)
    assert (whole.evolution.genomes[best] == genome).all()
    assert facts["final"]["best_fitness"] == 0.4


def test_a_line_and_a_point_for_each_generation(whole):
    """metrics.jsonl is the history; fitness.svg is drawn of it."""
    lines = (whole.folder / METRICS).read_text().splitlines()
    assert [json.loads(line) for line in lines] == whole.history
    assert [one["generation"] for one in whole.history] == [0, 1, 2, 3]
    assert [one["opponents"] for one in whole.history] == [["O2"]] * 2 + [["O1", "O2"]] * 2
    assert len(whole.history[2]["mean_won"]) == 2
    picture = ET.fromstring((whole.folder / PICTURE).read_text())
    (curve,) = [
        path for path in picture.iter("{http://www.w3.org/2000/svg}path")
        if path.get("class") == "line0" and path.get("d").count("L") == 3
    ]  # fmt: skip
    assert curve.get("d").startswith("M 70.0 ")
    names = {path.name for path in whole.folder.iterdir()}
    assert names == {CHECKPOINT, METRICS, PICTURE}


def test_a_folder_holds_one_run(damaged, tmp_path_factory):
    """Nothing is begun over a run, and nothing resumed where there is none."""
    before = (damaged / CHECKPOINT).read_bytes()
    with pytest.raises(TrainingError, match="--resume"):
        opened(damaged)
    assert (damaged / CHECKPOINT).read_bytes() == before
    assert "holds no run to resume" in refusal(tmp_path_factory.mktemp("empty"))


OTHERS = [
    {"seed": 12},
    {"population": 6},
    {"founders": 8},
    {"stages": STAGES[:1]},
    {"stages": (Stage(2, ("O3",), 6), STAGES[1])},
    {"stages": (STAGES[0]._replace(deals=7), STAGES[1])},
    {"breeding": ReproductionConfig(0.6)},
    {"resets": 0},
]


@pytest.mark.parametrize("changes", OTHERS, ids=str)
def test_a_run_of_another_plan_is_refused(changes, damaged):
    """Whatever differs."""
    assert refusal(damaged, **changes).startswith(f"{damaged} ")


@given(data=st.data())
def test_a_damaged_checkpoint_is_refused(damaged, whole, data):
    """A part of it, or one byte changed, but for the padding before genomes and history."""
    path, good = damaged / CHECKPOINT, (whole.folder / CHECKPOINT).read_bytes()
    path.write_bytes(good[: data.draw(st.integers(0, len(good) - 1))])
    assert refusal(damaged).startswith(f"cannot resume {damaged}: ")
    genomes, history = whole.evolution.genomes.tobytes(), as_bytes(whole.history).tobytes()
    head, begin = len(good[: good.index(genomes)].rstrip(b"\0")), good.index(genomes)
    assert good.endswith(history)
    at = data.draw(
        st.integers(0, head - 1)
        | st.integers(begin, begin + len(genomes) - 1)
        | st.integers(len(good) - len(history), len(good) - 1)
    )
    other = bytearray(good)
    other[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(other)
    assert refusal(damaged).startswith(f"cannot resume {damaged}: ")


def changed(folder, facts=(), genomes=None):
    """Write a checkpoint that differs, with a right checksum."""
    path = folder / CHECKPOINT
    found = load_artifact(path, KIND)
    facts = dict(facts)
    arrays = {
        "genomes": np.array(found.arrays["genomes"]) if genomes is None else genomes,
        "history": np.array(found.arrays["history"]),
    }
    if "history" in facts:
        arrays["history"] = as_bytes(facts.pop("history"))
    save_artifact(path, KIND, {**found.facts, **facts}, arrays)


G = SHAPE.genome
GENOMES = {
    "fewer": np.zeros((4, G), np.float32),
    "more": np.zeros((7, G), np.float32),
    "shorter": np.zeros((5, G - 1), np.float32),
    "a row": np.zeros(5 * G, np.float32),
    "float64": np.zeros((5, G)),
    "NaN": np.full((5, G), np.float32(math.nan)),
    "infinite": np.full((5, G), np.float32(-math.inf)),
}


@pytest.mark.parametrize("genomes", GENOMES.values(), ids=GENOMES)
def test_genomes_that_are_none_are_refused(genomes, damaged):
    """Of another number, length or kind, or not finite."""
    changed(damaged, genomes=genomes)
    line = refusal(damaged)
    assert "genomes" in line
    assert line.startswith(f"cannot resume {damaged}: {damaged / CHECKPOINT} is damaged: ")


HOSTILE = (None, True, -1, 5, 3, 2.5, 1e308, 10**400, math.nan, "", "x", [], {}, [[1]], [None] * 4)


@pytest.mark.parametrize("name", ["config", "generation", "history", "commands", "seconds"])
def test_other_facts_are_refused_or_of_no_harm(name, damaged, whole):
    """With a right checksum: either a line says so, or the run can be ended and saved."""
    good = (damaged / CHECKPOINT).read_bytes()
    resumed = 0
    for wrong in HOSTILE:
        (damaged / CHECKPOINT).write_bytes(good)
        changed(damaged, {name: wrong})
        try:
            run = opened(damaged, resume=True)
        except TrainingError:
            continue
        resumed += 1
        run.save()
        assert outcome(played(run)) == outcome(whole)
    assert resumed == 0 or name in ("commands", "seconds")


@pytest.mark.parametrize("fitness", [None, "x", math.nan, math.inf, [1]], ids=str)
def test_a_history_that_no_picture_can_be_drawn_of_is_refused(fitness, damaged, whole):
    """One that says nothing, or no number, of a generation."""
    spoilt = [*whole.history[:3], {**whole.history[3], "best_fitness": fitness}]
    last = whole.history[3]
    others = [{**last, "generation": 2}, {**last, "best_won": [1.0]}, {**last, "mean_won": None}]
    for one in (*others, {}, 5):
        changed(damaged, {"history": [*whole.history[:3], one]})
        assert "is damaged" in refusal(damaged)
    for history in (spoilt, whole.history[:3]):
        changed(damaged, {"history": history})
        assert "is damaged" in refusal(damaged)


def test_what_a_kill_kept_from_being_written_is_written_on_resuming(damaged, whole):
    """A checkpoint of the last generation whose metrics and picture are older or missing."""
    lines = (whole.folder / METRICS).read_text().splitlines(keepends=True)
    (damaged / METRICS).write_text("".join(lines[:-1]))
    opened(damaged, resume=True)
    assert (damaged / METRICS).read_text() == "".join(lines)
    assert (damaged / PICTURE).exists()


def test_a_file_of_another_kind_is_refused(damaged):
    """Another artifact, without facts, without genomes, or no artifact at all."""
    path = damaged / CHECKPOINT
    found = load_artifact(path, KIND)
    arrays = {"genomes": np.array(found.arrays["genomes"])}
    save_artifact(path, Kind("something else", 1, "make it again"), found.facts, arrays)
    assert "holds 'something else', wanted is 'evolution run'" in refusal(damaged)
    for facts, kept in ((found.facts, {}), ({}, arrays)):
        save_artifact(path, KIND, facts, kept)
        assert "is damaged" in refusal(damaged)
    path.write_text("nonsense")
    assert "not an artifact file" in refusal(damaged)


def test_several_processes_work_on_one_run(whole, tmp_path):
    """The first saves; resumed by two or by one, all end with the bits of one process."""

    def part(peers):
        run = opened(tmp_path, peers=peers)
        run.step(1)
        if run.first:
            run.save()

    def rest(peers):
        genomes, history, best, facts = outcome(played(opened(tmp_path, resume=True, peers=peers)))
        return genomes, history if peers.first else whole.history, best, facts

    assert together(3, part) == [None] * 3
    assert together(2, rest) == [outcome(whole)] * 2
    assert outcome(opened(tmp_path, resume=True)) == outcome(whole)


def test_a_run_that_the_first_cannot_open_ends_everywhere(damaged):
    """The first says why, the others that there is no run."""
    first, second = together(2, lambda peers: opened(damaged, peers=peers))
    assert isinstance(first, TrainingError)
    assert isinstance(second, PeerLost)


class Second:
    """The second of two processes; the first one has drawn with another seed."""

    rank, size, first = 1, 2, False

    def broadcast_json(self, told):
        """Return what the first one tells."""
        return {**told, "plan": {**told["plan"], "seed": 1}}


def test_processes_of_different_plans_do_not_play(tmp_path):
    """The one with another plan than the first says so."""
    with pytest.raises(TrainingError, match="another plan than the first"):
        opened(tmp_path, peers=Second())
    assert not list(tmp_path.iterdir())
