"""Handlers of signals, set for a while."""

import signal
import threading

import pytest

from engine.parallel.signals import handling

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture
def heard():
    """What the handler was called with."""
    return []


def test_signals_are_heard_within_and_not_after(heard):
    """Then each does again what Python does with it."""
    with handling((signal.SIGINT, signal.SIGTERM), lambda number, _: heard.append(number)):
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    assert heard == [signal.SIGTERM, signal.SIGINT]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_it_ends_with_an_error_too(heard):
    """Nobody is left with a handler of work that is over."""
    with pytest.raises(KeyError), handling((signal.SIGTERM,), lambda *_: heard.append(1)):
        raise KeyError
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("theirs", [signal.SIG_IGN, lambda *_: None])
def test_what_others_have_set_stays(heard, theirs):
    """A handler of theirs, and not listening at all."""
    before = signal.signal(signal.SIGHUP, theirs)
    try:
        with handling((signal.SIGHUP,), lambda *_: heard.append(1)):
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is theirs
    finally:
        signal.signal(signal.SIGHUP, before)
    assert not heard


def test_a_handler_that_is_set_meanwhile_stays(heard):
    """Whoever came later is not undone."""

    def later(*_):
        """Another one's."""

    with handling((signal.SIGTERM,), lambda *_: heard.append(1)):
        signal.signal(signal.SIGTERM, later)
    try:
        assert signal.getsignal(signal.SIGTERM) is later
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_other_threads_change_nothing():
    """They may not set handlers; their work goes on without."""
    found = []

    def work():
        with handling((signal.SIGINT,), lambda *_: None):
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]
