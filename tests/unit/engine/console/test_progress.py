"""Progress: the living line, lines now and then, and stages."""

import io

import pytest

from engine.console.progress import LivingLine, RateLimiter, Stages


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


def test_a_signal_in_the_middle_of_a_write_has_its_say_after_it(now):
    """Streams take no write within a write; the handler's words are the last ones."""

    class Interrupted(Terminal):
        def write(self, text):
            written = super().write(text)
            if "one" in text:
                line.show("stopping")
            assert self.getvalue().endswith(text)
            return written

    terminal = Interrupted()
    with line_on(terminal, now) as line:
        line.show("one")
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[Kstopping\r\x1b[K"


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


def test_lines_are_said_when_it_is_time(now):
    """The first after as many seconds as there are between two; the rest is not even made."""
    said, made = [], []
    line = RateLimiter(10.0, say=said.append, clock=lambda: now[0])
    for second in (1, 9, 10, 11, 19, 25, 34, 35):
        now[0] = 1000 + second
        line(lambda second=second: made.append(second) or f"line {second}")
    assert said == ["line 10", "line 25", "line 35"]
    assert made == [10, 25, 35]


def test_lines_are_said_on_stderr(now, capsys):
    """Texts as well as what makes them; the first one at once, where that is wanted."""
    line = RateLimiter(10.0, first_seconds=0.0, clock=lambda: now[0])
    line("one")
    line("two")
    assert capsys.readouterr().err == "one\n"


def test_pauses_may_become_longer(now):
    """Twice as long after each line, up to the longest one."""
    said = []
    line = RateLimiter(
        10.0, first_seconds=5.0, longest_seconds=30.0, say=said.append, clock=lambda: now[0]
    )
    for second in range(120):
        now[0] = 1000 + second
        line(str(second))
    assert said == ["5", "15", "35", "65", "95"]


def test_stages_are_said_once_a_quarter():
    """Each stage by itself, with whatever says it."""
    lines = []
    stages = Stages(lines.append)
    for done in (0.0, 0.1, 0.3, 0.4, 1.0):
        stages("flop", done)
    stages("turn", 0.6)
    assert lines == ["flop: 0 %", "flop: 25 %", "flop: 100 %", "turn: 50 %"]
