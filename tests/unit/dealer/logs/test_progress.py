"""The living line."""

import io

from dealer.logs.progress import ProgressBar


class Terminal(io.StringIO):
    """A terminal to write to."""

    def isatty(self):
        """Yes."""
        return True


def test_a_terminal_sees_share_and_speed():
    """Not at once, not too often, and the line goes in the end."""
    now = [0.0]
    terminal = Terminal()
    bar = ProgressBar(terminal, 1000, clock=lambda: now[0])
    bar.show(10, 5)
    assert terminal.getvalue() == ""
    bar.announce("wait")
    assert terminal.getvalue() == "\r\x1b[Kwait"
    terminal.truncate(0)
    terminal.seek(0)
    now[0] = 1.0
    bar.show(500, 2000)
    bar.show(600, 2500)
    text = terminal.getvalue()
    assert text.count("\r") == 1
    assert "[############............]  50%  2,000 hands  2,000 hands/s" in text
    bar.clear()
    bar.clear()
    assert terminal.getvalue() == text + "\r\x1b[K"


def test_one_bar_for_several_files():
    """Bytes and hands of those done before are added."""
    now = [0.0]
    terminal = Terminal()
    bar = ProgressBar(terminal, 1000, clock=lambda: now[0])
    now[0] = 2.0
    bar.behind(500, 100)(500, 100)
    assert "100%  200 hands  100 hands/s" in terminal.getvalue()


def test_no_terminal_no_bar():
    """Logs of cron jobs stay clean."""
    stream = io.StringIO()
    bar = ProgressBar(stream, 10, clock=iter((0.0, 9.0, 99.0)).__next__)
    bar.announce("wait")
    bar.show(5, 1)
    bar.clear()
    assert stream.getvalue() == ""
