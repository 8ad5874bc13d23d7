import threading

import pytest

from engine.parallel.threads import run_blocks


@pytest.mark.parametrize(("count", "block"), [(10, 3), (9, 3), (1, 5), (7, 1)])
def test_blocks_cover_everything_once(count, block):
    """Every item belongs to exactly one block, none is larger than asked for."""
    seen, lock, reports = [], threading.Lock(), []

    def work(first, end):
        assert 0 < end - first <= block
        with lock:
            seen.extend(range(first, end))

    run_blocks(work, count, block, threads=3, progress=reports.append)
    assert sorted(seen) == list(range(count))
    assert reports == sorted(reports)
    assert reports[-1] == 1.0


def test_nothing_to_do():
    """No item, no call."""
    run_blocks(lambda first, end: pytest.fail("called"), 0, 4)


def test_first_failure_ends_the_work():
    """What a block raises comes out, and blocks not begun are never begun."""
    calls = []

    def work(first, end):
        calls.append(first)
        raise KeyError(first)

    with pytest.raises(KeyError):
        run_blocks(work, 1000, 1, threads=1)
    assert calls == [0]


def test_interrupted_progress_ends_the_work():
    """Ctrl-C while progress is shown does not wait for all that was planned."""
    calls, never = [], threading.Event()

    def work(first, end):
        calls.append(first)
        never.wait(0.01 if first else 0)

    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks(work, 1000, 1, threads=1, progress=interrupt)
    assert len(calls) < 1000


def test_progress_is_called_from_the_calling_thread():
    """So that it may draw on a terminal without a lock."""
    threads = set()
    run_blocks(
        lambda first, end: None,
        20,
        1,
        threads=4,
        progress=lambda done: threads.add(threading.current_thread()),
    )
    assert threads == {threading.current_thread()}
