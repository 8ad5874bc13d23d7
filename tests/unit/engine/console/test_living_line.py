"""The living line."""

import io

import pytest

from engine.console.living_line import LivingLine


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        """Yes."""
        return True


@pytest.fixture
def now():
    """What the clock shows, in a list."""
    return [1000.0]


def line_on(stream, now, **options):
    """A line whose clock is set by hand."""
    return LivingLine(stream, clock=lambda: now[0], **options)


def test_a_text_takes_the_place_of_the_one_before(now):
    """And in the end nothing is left of it, told once."""
    terminal = Terminal()
    with line_on(terminal, now) as line:
        line.show("one")
        line.show("two")
    line.clear()
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K"


def test_it_goes_when_things_go_wrong_too(now):
    """The error is written on an empty line."""
    terminal = Terminal()

    def work():
        with line_on(terminal, now) as line:
            line.show("one")
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[K"


def test_what_was_never_shown_needs_no_clearing(now):
    """Not a byte is written."""
    terminal = Terminal()
    line_on(terminal, now).clear()
    assert terminal.getvalue() == ""


def test_long_texts_are_cut_to_the_terminal(now, monkeypatch):
    """One column stays free: a line that wraps could not be replaced."""
    monkeypatch.setenv("COLUMNS", "10")
    terminal = Terminal()
    line_on(terminal, now).show("0123456789abc")
    assert terminal.getvalue() == "\r\x1b[K012345678"


def test_often_is_ten_times_a_second(now):
    """What nobody could read is not even made."""
    terminal, made = Terminal(), []
    line = line_on(terminal, now)
    for step in range(8):
        now[0] = 1000 + step / 32
        line.show_often(lambda step=step: made.append(step) or f"{step}")
    assert made == [0, 4]
    assert terminal.getvalue() == "\r\x1b[K0\r\x1b[K4"


def test_short_work_shows_nothing_but_what_must_be_seen(now):
    """`show` does not wait, and does not shorten the wait of the others."""
    terminal = Terminal()
    line = line_on(terminal, now, first_seconds=0.5)
    line.show("loading")
    now[0] += 0.4
    line.show_often(lambda: "at once")
    now[0] += 0.2
    line.show_often(lambda: "later")
    assert terminal.getvalue() == "\r\x1b[Kloading\r\x1b[Klater"


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_without_a_terminal_there_is_no_line(stream, now, monkeypatch):
    """Neither in a file nor where there is no stderr at all."""
    monkeypatch.setattr("sys.stderr", stream)
    with line_on(None, now) as line:
        assert not line.living
        line.show("one")
        line.show_often(lambda: "two")
    assert stream is None or stream.getvalue() == ""


def test_a_terminal_that_went_away_stops_nothing(now):
    """The work goes on without the line."""

    class Gone(Terminal):
        """A closed window."""

        def write(self, text):
            raise OSError(5, "Input/output error")

    with line_on(Gone(), now) as line:
        line.show("one")
