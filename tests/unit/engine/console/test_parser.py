"""The parser of all command lines."""

from pathlib import Path

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


@pytest.mark.parametrize("words", [["--out", ""], ["--out="], ["--logs", "a", ""]])
def test_a_path_of_no_letters_is_refused(words, capsys):
    """It would be the folder that somebody happens to be in: of --out always, and of all paths."""
    parser = OneLineParser(prog="arena x")
    parser.add_argument("--out")
    parser.add_argument("--logs", type=Path, nargs="+")
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(words)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"argument {words[0].rstrip('=')}: want a path" in err
    assert parser.parse_args(["--out", "."]).out == "."
