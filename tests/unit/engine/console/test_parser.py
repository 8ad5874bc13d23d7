"""The parser of all command lines."""

import pytest

from engine.console.parser import OneLineParser


def test_wrong_arguments_are_one_line_and_exit_2(capsys):
    """No usage text in front, and nothing that a terminal would obey."""
    parser = OneLineParser(prog="arena x")
    for wrong, shown in {"--what": "--what", "--a\nb": "--a\\nb"}.items():
        with pytest.raises(SystemExit) as stop:
            parser.parse_args([wrong])
        assert stop.value.code == 2
        assert capsys.readouterr().err == (
            f"arena x: unrecognized arguments: {shown} (--help shows how)\n"
        )
