"""Runs that end early, wherever that catches them."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from engine.mccfr.external_sampling import ITERATIONS_PER_BATCH, Mccfr
from engine.mccfr.settings import MccfrSettings
from engine.parallel.halting import Halt
from tests.helpers.small_mccfr import SmallGame

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture(scope="module")
def leduc():
    """Two streets."""
    return SmallGame("leduc")


def learner(game, **settings):
    """Return a run that has not begun; it is discounted often."""
    given = {"period": 200} | settings
    return Mccfr(game.info_sets, game.cards, np.random.default_rng(1), MccfrSettings(**given))


def press():
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def assert_goes_on(game, run, **settings):
    """Compare a run that was cut with one that was not, after some more iterations."""
    whole = learner(game, **settings)
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

    run = learner(leduc)
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
    run = learner(leduc)
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
    run, told = learner(leduc), []

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


def test_what_was_done_before_the_cards_failed_counts(leduc):
    """An abstraction may read a file that goes away."""
    run = learner(leduc, period=100_000)
    deal, dealt = run.source.deal, []

    def failing(keys):
        dealt.append(len(keys))
        if len(dealt) == 3:
            raise OSError("gone")
        return deal(keys)

    run.source.deal = failing
    with pytest.raises(OSError, match="gone"):
        run.run(100_000)
    assert run.iterations == 2 * ITERATIONS_PER_BATCH
    assert run.nodes > 2 * ITERATIONS_PER_BATCH


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


def test_handlers_of_others_are_left_alone(leduc):
    """Whoever handles Ctrl-C himself ends a run with `stop`."""
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    try:
        run = learner(leduc)
        asked = []

        def stop():
            asked.append(1)
            if len(asked) == 2:
                press()
            return bool(pressed)

        run.run(1_000_000, stop=stop)
        assert pressed == [1]
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert run.iterations < 1_000_000


def test_a_run_in_another_thread_has_no_part_in_signals(leduc):
    """Only the main thread can set handlers."""
    run = learner(leduc)
    thread = threading.Thread(target=run.run, args=(1000,))
    thread.start()
    thread.join()
    assert run.iterations == 1000


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
