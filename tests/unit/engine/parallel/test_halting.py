"""Runs that end early, wherever that catches them."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.mccfr.external_sampling import ITERATIONS_PER_BATCH
from engine.parallel.halting import Halt
from tests.helpers.small_mccfr import SmallGame, learner

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture(scope="module")
def leduc():
    """Two streets."""
    return SmallGame("leduc")


def press():
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def assert_goes_on(game, run, **settings):
    """Compare a run that was cut with one that was not, after some more iterations."""
    whole = learner(game, **{"period": 200} | settings)
    whole.run(run.iterations + 700)
    run.run(700)
    assert (whole.cells == run.cells).all()
    assert (whole.iterations, whole.nodes, whole.weight) == (run.iterations, run.nodes, run.weight)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("call", [1, 2, 7])
def test_an_interrupt_while_work_is_handed_out(leduc, monkeypatch, call):
    """Neither lost work nor locks that stay shut, on which the pool would wait for ever."""
    submit, calls = ThreadPoolExecutor.submit, []

    def interrupted(pool, *work):
        calls.append(1)
        if len(calls) == call:
            press()
        future = submit(pool, *work)
        if len(calls) == call:
            press()
        return future

    run = learner(leduc, period=200)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.run(1_000_000)
    monkeypatch.undo()
    assert run.iterations < 1_000_000
    assert_goes_on(leduc, run)


@pytest.mark.parametrize("place", ["_work", "_turn_over"])
@pytest.mark.parametrize("late", [False, True])
def test_an_interrupt_between_learning_and_discounting(leduc, monkeypatch, place, late):
    """Before and after each: every period is discounted once."""
    run = learner(leduc, period=200)
    original, calls = getattr(run, place), []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 3 and not late:
            press()
        found = original(*arguments)
        if len(calls) == 3 and late:
            press()
        return found

    monkeypatch.setattr(run, place, interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.run(1_000_000)
    monkeypatch.undo()
    assert 400 <= run.iterations <= 600
    assert_goes_on(leduc, run)


def test_an_interrupt_while_progress_is_told_comes_at_once(leduc):
    """That may take long, and nothing is half done."""
    run, told = learner(leduc, period=200), []

    def tell(progress):
        told.append(progress)
        press()
        raise AssertionError("not reached")

    with pytest.raises(KeyboardInterrupt):
        run.run(1_000_000, on_progress=tell, every=500)
    assert run.iterations == told[0].iterations == 500
    assert_goes_on(leduc, run)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_done_before_the_question_failed_counts(leduc, workers):
    """What `stop` raises comes out of `run`."""
    asked = []

    def stop():
        asked.append(1)
        if len(asked) > 4:
            raise RuntimeError("lost")
        return False

    settings = {"period": 100_000, "workers": workers}
    run = learner(leduc, **settings)
    with pytest.raises(RuntimeError, match="lost"):
        run.run(100_000, stop=stop)
    assert run.iterations > 0
    if workers == 1:
        assert (
            run.iterations == 3 * ITERATIONS_PER_BATCH
        )  # the first question comes before the first block
        assert_goes_on(leduc, run, **settings)


def test_work_counts_that_was_begun_before_threads_ran_out(leduc, monkeypatch):
    """The system may refuse the second one."""
    submit, calls = ThreadPoolExecutor.submit, []

    def refused(pool, *work):
        calls.append(1)
        if len(calls) == 2:
            raise RuntimeError("can't start new thread")
        return submit(pool, *work)

    run = learner(leduc, workers=2, period=100_000_000)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", refused)
    with pytest.raises(RuntimeError, match="can't start"):
        run.run(100_000_000)
    assert run.iterations < 50_000_000
    assert (run.iterations > 0) == bool(run.cells.any())


def test_the_question_is_asked_no_more_once_answered():
    """And an answer is final."""
    answers = iter([False, True])
    halt = Halt(lambda: next(answers))
    assert [halt() for _ in range(4)] == [False, True, True, True]
    assert not halt.raises


def test_the_first_failure_is_raised_on_the_way_out():
    """Others that follow from it are not."""

    def fail():
        with Halt() as halt:
            halt.fail(OSError("first"))
            halt.fail(ValueError("second"))
            assert halt()
            assert halt.raises

    with pytest.raises(OSError, match="first"):
        fail()
