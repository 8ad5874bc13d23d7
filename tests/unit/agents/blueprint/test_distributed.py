"""Several processes on one run, with threads in their place: merging, agreeing, going on."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint.distributed import DistributedRun, open_together
from agents.blueprint.training import METRICS, MODEL, Spent, TrainingRun
from agents.blueprint_model.config import load_config
from agents.blueprint_model.model import load_model
from agents.errors import PeerLost, TrainingError
from engine.abstraction.buckets import CardAbstraction
from engine.betting.info_sets import build_info_sets
from engine.mccfr.external_sampling import Mccfr
from tests.helpers.thread_peers import together

MERGE_EVERY = 500


@pytest.fixture
def leduc():
    """A config with periods short enough to matter."""
    config = load_config("leduc")
    return replace(config, training=replace(config.training, period=700))


def never():
    """Nobody interrupts."""
    return False


def train(folder, config, iterations, *, size=2, resume=False, interrupted=never):
    """Return the runs of all processes, trained up to some iterations; the first saves."""

    def open_run():
        return TrainingRun.resume(folder) if resume else TrainingRun.begin(folder, config)

    def work(peers):
        run = open_together(peers, open_run, folder, workers=1)
        run = DistributedRun(run, peers, MERGE_EVERY)
        run.learn(1e9, most_iterations=iterations, stop=interrupted)
        if peers.first:
            run.checkpoint()
        return run

    runs = together(size, work)
    assert not [run for run in runs if isinstance(run, BaseException)]
    return runs


def test_a_round_ends_with_the_mean_of_what_all_have_learned(tmp_path, leduc):
    """Every process ends with the mean of tables learned from its own and the others' deals."""
    runs = train(tmp_path, leduc, MERGE_EVERY, size=3)
    alone = []
    for rank, run in enumerate(runs):
        seeds = np.random.SeedSequence([leduc.seed, rank, 0])
        settings = leduc.training.settings(1)
        solver = Mccfr(run.info_sets, run.cards, np.random.default_rng(seeds), settings)
        solver.run(MERGE_EVERY)
        alone.append(solver)
    assert not np.array_equal(alone[0].cells, alone[1].cells)
    for run in runs:
        assert np.array_equal(run.solver.cells, np.mean([one.cells for one in alone], axis=0))
        assert run.solver.nodes == sum(one.nodes for one in alone)
        assert run.solver.iterations == MERGE_EVERY
        assert run.solver.weight == alone[0].weight


def test_later_rounds_have_deals_of_their_own(tmp_path, leduc):
    """The second round does not repeat the first: its gains are others."""
    first = train(tmp_path / "a", leduc, MERGE_EVERY)[0].solver
    second = train(tmp_path / "b", leduc, 2 * MERGE_EVERY)[0].solver
    assert second.nodes != 2 * first.nodes


def test_a_resumed_run_ends_with_the_same_bits(tmp_path, leduc):
    """Left after three rounds of seven and resumed, tables and counts are as without it."""
    whole = train(tmp_path / "whole", leduc, 7 * MERGE_EVERY)[0]
    train(tmp_path / "cut", leduc, 3 * MERGE_EVERY)
    cut = train(tmp_path / "cut", leduc, 7 * MERGE_EVERY, resume=True)
    for run in cut:
        assert np.array_equal(run.solver.cells, whole.solver.cells)
        assert (run.solver.iterations, run.solver.weight) == (3500, whole.solver.weight)
        assert run.solver.nodes == whole.solver.nodes


def test_the_number_of_processes_may_change(tmp_path, leduc):
    """One process, then three, then one again; all by the same schedule of weights."""
    alone = TrainingRun.begin(tmp_path, leduc)
    alone.learn(1e9, most_iterations=1000)
    alone.checkpoint()
    runs = train(tmp_path, leduc, 3000, size=3, resume=True)
    last = TrainingRun.resume(tmp_path)
    assert np.array_equal(last.solver.cells, runs[0].solver.cells)
    last.learn(1e9, most_iterations=4000)
    uncut = TrainingRun.begin(tmp_path / "uncut", leduc)
    uncut.learn(1e9, most_iterations=4000)
    assert last.solver.weight == pytest.approx(uncut.solver.weight)


def test_only_the_first_process_has_files(tmp_path, leduc):
    """The model and the metrics say how many worked on them."""
    train(tmp_path / "run", leduc, MERGE_EVERY)
    model = load_model(tmp_path / "run" / MODEL)
    assert model.provenance["processes"] == 2
    line = json.loads((tmp_path / "run" / METRICS).read_text())
    assert (line["processes"], line["iterations"]) == (2, MERGE_EVERY)
    assert line["merge_seconds"] >= 0


def test_an_interrupt_of_one_stops_all_after_the_same_round(tmp_path, leduc):
    """KeyboardInterrupt everywhere, equal tables, and the run can be resumed."""

    def work(peers):
        asked = []

        def interrupted():
            asked.append(peers.rank)
            return peers.rank == 1 and len(asked) == 3

        begun = open_together(peers, lambda: TrainingRun.begin(tmp_path, leduc), tmp_path, 1)
        run = DistributedRun(begun, peers, MERGE_EVERY)
        with pytest.raises(KeyboardInterrupt):
            run.learn(1e9, stop=interrupted)
        stopped_at = run.solver.iterations
        run.learn(1e9, most_iterations=4 * MERGE_EVERY)
        return stopped_at, run

    (one, first), (other, second) = together(2, work)
    assert one == other == 2 * MERGE_EVERY
    assert np.array_equal(first.solver.cells, second.solver.cells)
    whole = train(tmp_path / "whole", leduc, 4 * MERGE_EVERY)[0]
    assert np.array_equal(first.solver.cells, whole.solver.cells)


def test_the_first_process_keeps_the_time(tmp_path, leduc):
    """All stop when its time is up, whatever the others think, and agree on what was spent."""
    told = []

    def work(peers):
        begun = open_together(peers, lambda: TrainingRun.begin(tmp_path, leduc), tmp_path, 1)
        run = DistributedRun(begun, peers, MERGE_EVERY)
        run.learn(0.2 if peers.first else 1e9, on_progress=told.append)
        return run

    first, second = together(2, work)
    assert first.solver.iterations == second.solver.iterations == max(p.iterations for p in told)
    assert first.spent.seconds == second.spent.seconds >= 0.2
    assert all(progress.iterations_per_s > 0 for progress in told)


def test_what_keeps_the_first_from_opening_stops_the_others(tmp_path, leduc):
    """It says why; the others refer to it."""

    def open_run():
        raise TrainingError("there is a run here")

    first, second = together(2, lambda peers: open_together(peers, open_run, tmp_path, 1))
    assert str(first) == "there is a run here"
    assert isinstance(second, PeerLost)


def test_another_game_is_refused(tmp_path, leduc, monkeypatch):
    """A program of another version that lays out its tables otherwise would merge nonsense."""

    def other_layout(tree, buckets):
        found = build_info_sets(tree, buckets)
        return replace(found, cells=found.cells + 16)

    run = TrainingRun.begin(tmp_path, leduc)
    monkeypatch.setattr("agents.blueprint.distributed.build_info_sets", other_layout)

    def work(peers):
        return open_together(peers, lambda: run, tmp_path, 1) if not peers.first else told(peers)

    def told(peers):
        from agents.blueprint.distributed import _facts

        return peers.broadcast_json(_facts(run))

    assert isinstance(together(2, work)[1], TrainingError)


def test_the_card_abstraction_is_sent(tmp_path):
    """Others need no buckets of their own: every part arrives."""
    generator = np.random.default_rng(5)
    config = load_config("smoke")
    cards = CardAbstraction(
        flop_table=generator.integers(0, 3, 1_286_792).astype(np.uint16),
        turn_centres=np.sort(generator.integers(0, 999, (3, 9)), axis=0).astype(np.float32),
        river_shares=np.sort(generator.integers(0, 3, 1981)).astype(np.uint16),
    )

    def open_run():
        from agents.blueprint_model.model import tree_of

        info_sets = build_info_sets(tree_of(config), cards.counts)
        solver = Mccfr(
            info_sets, cards, np.random.default_rng(1), config.training.settings(workers=1)
        )
        solver.cells[:] = np.arange(len(solver.cells)) % 1009
        return TrainingRun(tmp_path, config, cards, info_sets, solver, Spent(commands=["x"]))

    first, second = together(2, lambda peers: open_together(peers, open_run, tmp_path, 1))
    assert not isinstance(second, Exception), second
    assert second.cards.parts.keys() == cards.parts.keys()
    assert second.cards is not first.cards
    for name, part in cards.parts.items():
        assert np.array_equal(second.cards.parts[name], part)
    assert np.array_equal(second.solver.cells, first.solver.cells)
    assert second.config == first.config
    assert second.spent == first.spent
