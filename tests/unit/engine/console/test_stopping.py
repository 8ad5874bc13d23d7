"""Requests to end: noted at the first signal."""

import signal

import pytest

from engine.console.stopping import STOP_SIGNALS, stop_on_signals

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_the_first_signal_is_noted_and_told_once(number):
    """The work finds out when it asks; afterwards signals do what they did before."""
    told = []
    before = signal.getsignal(number)
    with stop_on_signals(on_stop=lambda: told.append("stopping")) as stop:
        assert not stop()
        signal.raise_signal(number)
        assert stop()
        assert told == ["stopping"]
    assert signal.getsignal(number) == before


def test_the_second_signal_ends_the_work_at_once():
    """For those who cannot wait; any of the signals counts."""
    with stop_on_signals() as stop:
        signal.raise_signal(signal.SIGTERM)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_work_that_nobody_would_save_is_ended_at_once():
    """By the first signal, or by one that came before; afterwards the first is noted again."""
    with stop_on_signals() as stop:
        with stop.at_once():
            pass
        with pytest.raises(KeyboardInterrupt), stop.at_once():
            signal.raise_signal(signal.SIGHUP)
        assert stop()
        with pytest.raises(KeyboardInterrupt), stop.at_once():
            raise AssertionError
    with stop_on_signals(patient=True) as stop:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert stop()


def test_a_patient_stop_hears_signals_again_and_again():
    """As launchers of many processes send them."""
    told = []
    with stop_on_signals(patient=True, on_stop=lambda: told.append(1)) as stop:
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        assert stop()
    assert told == [1]


def test_other_signals_are_not_noted():
    """Ctrl-C is left to whoever keeps it where only SIGTERM is asked for."""
    with stop_on_signals((signal.SIGTERM,)) as stop:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert not stop()
