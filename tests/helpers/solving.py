"""`arena solve` run in this process: small spots, and what it says about them."""

import json
import re

from engine.commands.solve.solve_command import main

FORECAST = r"arena solve: [\d,]+ decisions; takes [\d.]+ .iB of memory, [\d.]+ .iB on disk, "
"""What is said on stderr before a spot is solved begins like this."""
RIVER = {
    "board": "4s8hTc9h2s",
    "pot": "500",
    "stacks": "700",
    "oop": "AA,KK,76s",
    "ip": "QQ,AKs,JTs",
    "iterations": "20",
    "accuracy": "1e-9",
}
TURN = RIVER | {"board": "4s8hTc9h", "oop": "AA,76s", "ip": "QQ", "bets": "100", "raises": "a"}


def words(options, **changed):
    """The words of a command line; options that are None are left out."""
    made = []
    for name, value in {**options, **changed}.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            made.append(option)
        elif value is not None:
            made.append(f"{option}={value}")
    return made


def lines_of(argv, capsys):
    """What a command line prints, as lines."""
    assert main(argv) == 0
    out, err = capsys.readouterr()
    told = [line for line in err.splitlines() if "compiling the solver" not in line]
    assert all(re.match(FORECAST, line) for line in told)
    assert len(told) == (argv[0].startswith("--"))  # a saved file is looked at in silence
    return out.splitlines()


def json_of(argv, capsys, code=0):
    """What it prints as JSON."""
    assert main([*argv, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def complaint(argv, capsys):
    """What a wrong command line says: one line, exit code 2, nothing on stdout."""
    try:
        code = main(argv)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if not re.match(FORECAST, line)]
    assert len(lines) == 1
    assert lines[0].startswith("arena solve: ")
    return lines[0]
