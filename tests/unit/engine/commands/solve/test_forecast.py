"""What a solve is said to take before it is begun."""

import pytest

from engine.commands.solve import spot_solver
from engine.commands.solve.betting_plan import betting_plan
from engine.commands.solve.forecast import forecast_line, forecast_of, time_text
from engine.commands.solve.request import request_of
from engine.commands.solve.solve_command import COMMAND
from engine.console.progress import LivingLine
from tests.helpers.solving import RIVER, words


def foreseen(**changed):
    """Request, plan and forecast of a spot."""
    request = request_of(COMMAND.parser().parse_args(words(RIVER, **changed)))
    plan = betting_plan(request)
    return request, plan, forecast_of(request, plan)


def test_more_hands_and_streets_take_longer_and_more():
    """Whatever the machine's speed: by orders of magnitude here."""
    wide = {"oop": "random", "ip": "random", "iterations": None, "accuracy": "0.3"}
    _, _, river = foreseen(**wide)
    _, _, turn = foreseen(**wide, board="4s8hTc9h")
    assert turn.each > 3 * river.each
    assert turn.memory > river.memory > 150 * 2**20
    assert turn.seconds[0] < turn.seconds[1]


def test_what_ends_it_sooner_shortens_the_forecast():
    """--iterations and --seconds; an easier accuracy."""
    _, _, few = foreseen(iterations="10", accuracy="0.01")
    assert few.seconds[0] == few.seconds[1] == pytest.approx(10 * few.each)
    _, _, short = foreseen(iterations=None, seconds="1e-6", accuracy="0.01")
    assert short.seconds == (1e-6, 1e-6)


def test_the_line_says_what_is_left_out():
    """Memory, disk, time and the cut."""
    _, plan, found = foreseen()
    line = forecast_line(found, plan._replace(cut="at most 1 bet a street"))
    assert " of memory, " in line
    assert " on disk, " in line
    assert line.endswith(" in all; at most 1 bet a street")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.00034, "0.34 ms"), (0.56, "560 ms"), (1.26, "1.3 s"), (119, "120 s"), (7000, "120 min")],
)
def test_times_are_told_to_two_digits(seconds, text):
    """In the unit that people would take."""
    assert time_text(seconds) == text


def test_compiling_is_told_where_lines_stay(monkeypatch, capsys):
    """One line, and only where it has to be done."""
    request, _, _ = foreseen()
    monkeypatch.setattr(spot_solver, "compiled_before", lambda *, several: False)
    spot_solver._say_compiling(request, LivingLine())
    assert capsys.readouterr().err == (
        "arena solve: compiling the solver, once on this machine: about 20 s\n"
    )
    monkeypatch.setattr(spot_solver, "compiled_before", lambda *, several: True)
    spot_solver._say_compiling(request, LivingLine())
    assert capsys.readouterr().err == ""
