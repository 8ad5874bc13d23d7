"""Workers somewhere: who takes part, who does what, and whether it is true."""

import operator
import os
from concurrent.futures import ProcessPoolExecutor

import pytest

from engine.errors import WorkersFailed
from engine.parallel.cluster import Cluster
from engine.parallel.executors import PlainPool
from engine.parallel.own_programs import program_digest
from engine.parallel.processes import in_order
from tests.helpers.said import says
from tests.helpers.workers import HandPool, no_speed, thread_workers


@pytest.fixture
def made():
    """Return a function that makes a cluster of named workers that are closed at the end."""
    clusters = []

    def make(**programs):
        pool, lines = HandPool(**programs), []
        clusters.append(Cluster(pool, no_speed, lines.append, replay_seed=1))
        return clusters[-1], pool, lines

    yield make
    for cluster in clusters:
        cluster.close()


def test_a_worker_gets_no_task_that_would_wait_for_it(made):
    """So nobody is held up by a slow one: what is left waits at home."""
    cluster, pool, lines = made(a=None, b=None)
    cluster.ready()
    assert len(lines) == cluster.jobs == 2
    says(lines[0], "a takes part: 1 M evaluations/s")
    futures = [cluster.submit(operator.add, number, 1) for number in range(4)]
    assert sorted(task[0] for task in pool.tasks) == ["a", "b"]
    slow = pool.tasks[0][0]
    for _ in range(3):
        pool.do(1)
    assert [future.done() for future in futures] == [False, True, True, True]
    assert {future.result().worker for future in futures[1:]} == {"a", "b"} - {slow}
    pool.do()
    assert [future.result().value for future in futures] == [1, 2, 3, 4]


def test_the_task_of_a_lost_worker_is_handed_out_again(made):
    """Also where nobody is left until another one comes; what the lost one says does not count."""
    cluster, pool, lines = made(a=None)
    cluster.ready()
    future = cluster.submit(operator.add, 1, 1)
    lost = pool.tasks[0]
    pool.programs.clear()
    cluster._meet()
    assert lost[3].cancelled()
    says(lines[-1], "a is gone")
    joined = []
    cluster.joined = joined.append
    pool.programs["b"] = None
    cluster._meet()
    assert joined == [1]
    assert pool.tasks[1][0] == "b"
    pool.do(1)
    assert future.result()[:2] == ("b", 2)


def test_a_worker_of_another_version_is_refused(made):
    """In one line with both; the others do the work."""
    cluster, pool, lines = made(a="0123", b=None, c=ModuleNotFoundError("no engine"))
    cluster.ready()
    says(lines[0], "a is refused", "runs 0123", f"this is {program_digest()}")
    says(lines[2], "c is refused", "ModuleNotFoundError: no engine")
    cluster.submit(operator.add, 1, 1)
    cluster.submit(operator.add, 1, 1)
    assert [task[0] for task in pool.tasks] == ["b"]


def test_without_a_worker_of_this_version_nothing_begins(made):
    """The lines have said why."""
    cluster, _, lines = made(a="0123", b="4567")
    with pytest.raises(WorkersFailed, match="all that are there were refused"):
        cluster.ready()
    assert len(lines) == 2


def test_a_worker_that_is_another_program_by_now_ends_the_work(made, monkeypatch):
    """It says so itself with each task."""
    cluster, pool, _ = made(a=None)
    cluster.ready()
    future = cluster.submit(operator.add, 1, 1)
    monkeypatch.setattr("engine.parallel.cluster.program_digest", lambda: "89ab")
    pool.do()
    with pytest.raises(WorkersFailed, match="is refused: it runs 89ab"):
        future.result()
    with pytest.raises(WorkersFailed, match="89ab"):
        cluster.submit(operator.add, 1, 1).result()


def test_an_error_of_the_work_is_told_in_a_line(made):
    """The worker goes on."""
    cluster, pool, _ = made(a=None)
    cluster.ready()
    futures = [cluster.submit(operator.truediv, 1, number) for number in range(2)]
    pool.do()
    pool.do()
    with pytest.raises(WorkersFailed, match=r"worker \S+ failed: ZeroDivisionError: division"):
        futures[0].result()
    assert futures[1].result().value == 1


def test_a_scheduler_that_is_gone_ends_all(made):
    """As Dask tells by cancelling what it was given."""
    cluster, pool, _ = made(a=None)
    cluster.ready()
    futures = [cluster.submit(operator.add, 1, 1) for _ in range(2)]
    pool.tasks[0][3].cancel()
    for future in futures:
        with pytest.raises(WorkersFailed, match="scheduler is gone"):
            future.result()


def test_what_is_cancelled_is_never_begun(made):
    """Neither what waits nor what a worker was given."""
    cluster, pool, _ = made(a=None)
    cluster.ready()
    futures = [cluster.submit(operator.add, 1, 1) for _ in range(2)]
    for future in reversed(futures):
        future.cancel()
    assert len(pool.tasks) == 1
    assert pool.tasks[0][3].cancelled()


def test_the_choice_of_what_is_done_again_follows_from_its_seed(made):
    """What a worker sends first, then one in fifty."""
    cluster, _, _ = made()
    again, _, _ = made()
    chosen = [[of.chosen(f"leg {n}", "ab"[n % 2]) for n in range(2000)] for of in (cluster, again)]
    assert chosen[0] == chosen[1]
    assert chosen[0][:2] == [True, True]
    assert 25 < sum(chosen[0]) < 60


def test_speeds_and_checks_are_told(made):
    """As lines and as plain values."""
    cluster, _, _ = made(a=None)
    cluster.ready()
    assert cluster.chosen("leg x", "a")
    cluster.tally.replayed.append("leg x")
    assert cluster.lines() == [
        "worker a: 1 M evaluations/s, results 1",
        "done again at home, the same: 1",
    ]
    assert cluster.document() == {
        "workers": [{"name": "a", "evaluations_per_second": 1_000_000, "results": 1}],
        "replay_seed": 1,
        "replayed": ["leg x"],
    }


def times(factor):
    """Return what multiplies by a factor."""
    return lambda number: factor * number


def test_results_of_workers_come_in_order():
    """They are those of one process."""
    with thread_workers() as (cluster, _):
        assert [*in_order(times, (3,), range(20), 1, cluster=cluster)] == [*range(0, 60, 3)]
        assert cluster.tally.tasks.total() == 20
        assert "result 1" in cluster.tally.replayed


def test_a_lie_ends_the_work():
    """The line has the worker, and what else it sent."""
    with thread_workers() as (cluster, _):
        results = in_order(
            times, (3,), range(20), 1, cluster=cluster, alike=lambda sent, here: sent != 0
        )
        with pytest.raises(WorkersFailed, match=r"sent another result 1 .* it lies.* before: 0"):
            list(results)


def test_a_process_that_ends_is_told():
    """A pool of processes is then of no use any more."""
    with ProcessPoolExecutor(1) as executor:
        cluster = Cluster(PlainPool(executor, 1), no_speed, print)
        cluster.ready()
        with pytest.raises(WorkersFailed, match="the workers fail: BrokenProcessPool"):
            cluster.submit(os._exit, 1).result()
        cluster.close()
