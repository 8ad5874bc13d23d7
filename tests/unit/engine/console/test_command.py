"""Commands as records: options as they are spelled, and what errors become."""

import argparse

import pytest

from engine.console.arguments import count
from engine.console.command import Command, OneOf, Option, OptionGroup, WrongArguments, add_options
from engine.errors import OutOfMemory


@pytest.mark.parametrize(
    ("option", "words", "value"),
    [
        (Option("--all", ""), [], False),
        (Option("--all", ""), ["--all"], True),
        (Option("--hands N", "", count, 5), [], 5),
        (Option("--hands N", "", count, 5), ["--hands", "7"], 7),
        (Option("--jobs --workers N", "", count), ["--workers", "7"], 7),
        (Option("--pool NAME,...", ""), ["--pool", "a,b"], "a,b"),
        (Option("--against BOT...", ""), ["--against", "a", "b"], ["a", "b"]),
        (Option("--json [FILE]", "", const="-"), ["--json"], "-"),
        (Option("--known NAME[=BOT]", "", repeated=True), [], []),
        (Option("--known NAME[=BOT]", "", repeated=True), ["--known=a", "--known=b"], ["a", "b"]),
        (Option("--law", "", choices=("x", "y")), ["--law", "y"], "y"),
        (Option("--best", "", action="store_const", const=1), [], None),
        (Option("LOG...", "", dest="logs"), ["a", "b"], ["a", "b"]),
        (Option("[NAME]", ""), [], None),
        (Option("[NAME...]", "", dest="names"), [], []),
    ],
)
def test_an_option_is_read_as_it_is_spelled(option, words, value):
    """Flags, the name of its value, and how many there may be."""
    parser = argparse.ArgumentParser()
    option.add_to(parser)
    options = parser.parse_args(words)
    assert vars(options) == {option.dest: value}
    assert option.is_given(options) == (bool(words))
    if option.flag.startswith("-"):
        assert option.flag in parser.format_help()


def test_groups_have_titles_and_choices_exclude_each_other(capsys):
    """As argparse has them."""
    parser = argparse.ArgumentParser()
    add_options(parser, [OptionGroup("time", [Option("--late", "")])])
    add_options(parser, [OneOf([Option("--show", ""), Option("--verify", "")])])
    assert "time:\n  --late" in parser.format_help()
    with pytest.raises(SystemExit):
        parser.parse_args(["--show", "--verify"])
    assert "not allowed" in capsys.readouterr().err


class _Refused(Exception):
    exit_code = 2


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (None, 0, ""),
        (_Refused("no such bot"), 2, "arena do: no such bot"),
        (OutOfMemory("too large"), 1, "arena do: too large"),
        (WrongArguments("--a goes with --b"), 2, "arena do: --a goes with --b (--help shows how)"),
        (OSError(2, "No such file or directory", "x"), 1, "arena do: x: No such file or directory"),
        (KeyboardInterrupt(), 130, "arena do: nothing is saved"),
    ],
)
@pytest.mark.parametrize("prints", [True, False])
def test_what_is_wrong_is_one_line_and_an_exit_code(prints, error, code, said, capsys):
    """Whatever the command raises."""

    def work(options):
        assert options.argv == ["--loud"]
        if error is not None:
            raise error
        return 0

    command = Command(
        "arena do",
        work,
        "Do.",
        (Option("--loud", "louder"),),
        stopped="nothing is saved",
        prints=prints,
    )
    try:
        ended = command.main(["--loud"])
    except SystemExit as stop:
        ended = stop.code
    assert ended == code
    assert capsys.readouterr() == ("", said + "\n" * bool(said))


def test_errors_of_ours_are_not_hidden():
    """They have no exit code."""
    with pytest.raises(ZeroDivisionError):
        Command("arena do", lambda options: 1 // 0, "Do.").main([])


def test_an_error_without_a_file_is_stdouts_where_the_command_prints(capsys):
    """A full disk has no name."""

    def work(options):
        raise OSError(28, "No space left on device")

    assert Command("arena do", work, "Do.", prints=False).main([]) == 1
    assert capsys.readouterr().err == "arena do: No space left on device\n"


def test_part_of_a_value_may_stand_in_brackets():
    """The value may not be left out for that: [FILE] may, [LABEL=]MS may not."""
    command = Command("arena x", lambda options: 0, "X.", (Option("--wait [LABEL=]MS", "limit"),))
    assert command.parser().parse_args(["--wait", "5"]).wait == "5"
    assert "--wait [LABEL=]MS" in command.parser().format_help()
    with pytest.raises(SystemExit) as end:
        command.main(["--wait"])
    assert end.value.code == 2
