"""The `arena` command itself."""

import inspect
import re
import signal
import subprocess
import sys
from importlib import import_module

import pytest

from dealer import arena
from engine.parallel.own_programs import environment
from tests.helpers.said import says_in_a_line


def run(*words):
    """Run `python -m dealer.arena` with the words."""
    return subprocess.run(
        [sys.executable, "-m", "dealer.arena", *words],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_lists_every_command(word, capsys):
    """Each with what it is for."""
    assert arena.main([word]) == 0
    out = capsys.readouterr().out
    for name, (_, summary) in arena.COMMANDS.items():
        assert f"  {name} " in out
        assert summary in out


def test_help_imports_nothing_heavy():
    """Nor does any command pay for another one's libraries."""
    code = "import sys, dealer.arena as a; a.main(['--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    modules = done.stdout.rpartition("\n  games")[2].split()
    assert not {"numpy", "numba", "torch", "asyncio", "argparse", "runpy"} & set(modules)


def test_without_a_command_the_help_is_an_error(capsys):
    """Exit code 2, as for any wrong arguments."""
    assert arena.main([]) == 2
    assert capsys.readouterr().out.startswith("usage: arena COMMAND")


@pytest.mark.parametrize(
    ("word", "hint"), [("mtach", "match?"), ("dealr", "dealer?"), ("xyz", "match, tournament")]
)
def test_unknown_command_is_one_line_with_a_hint(word, hint, capsys):
    """The nearest name where one is near."""
    assert arena.main([word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    says_in_a_line(err, "arena: no command", word, hint)


def test_version(capsys):
    """One line."""
    assert arena.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("arena ")


@pytest.mark.parametrize("command", sorted(arena.COMMANDS))
def test_every_command_has_help_under_its_own_name(command):
    """It runs as a program of its own and says how it is called."""
    done = run(command, "--help")
    assert done.returncode == 0, done.stderr
    assert f"arena {command}" in done.stdout


def test_wrong_arguments_of_a_command_are_one_line_and_exit_2():
    """The exit code of the command is that of the process."""
    done = run("games", "no-such-game")
    assert done.returncode == 2
    says_in_a_line(done.stderr, "arena games", "'no-such-game'", "kuhn")


@pytest.mark.parametrize("command", sorted(arena.COMMANDS))
def test_every_command_is_a_function_of_its_arguments(command):
    """`main(argv) -> int`, whose arguments are those of the process where it is given none."""
    module, _, function = arena.COMMANDS[command][0].partition(":")
    signature = inspect.signature(getattr(import_module(module), function or "main"))
    assert signature.return_annotation in (int, "int")
    assert [(each.name, each.default) for each in signature.parameters.values()] == [("argv", None)]


def test_a_command_gets_its_arguments_and_gives_the_exit_code(monkeypatch, tmp_path, capsys):
    """A module and a line in the table are all it takes."""
    (tmp_path / "some_command.py").write_text(
        "def main(argv=None):\n    print(argv)\n    return 5\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(arena.COMMANDS, "some", ("some_command", "does something"))
    assert arena.main(["some", "a", "b"]) == 5
    assert capsys.readouterr().out == "['a', 'b']\n"
    assert arena.main(["--help"]) == 0
    assert re.search(r"^  some +does something$", capsys.readouterr().out, re.MULTILINE)


def test_ctrl_c_before_a_command_has_begun_is_quiet(monkeypatch):
    """Exit code 130, no traceback."""

    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    monkeypatch.setattr(sys, "argv", ["arena", "games"])
    before = signal.getsignal(signal.SIGINT)
    try:
        assert arena.main() == 130
    finally:  # it is no process of its own here
        signal.signal(signal.SIGINT, before)


PRESSED = "import signal\n{}\ndef main(argv):\n    {}\n    return 0\n"
PRESS = "signal.raise_signal(signal.SIGINT)"
TRY = f"""
try:
    {PRESS}
except BaseException:
    raise ImportError("no library")
"""
START = """
import sys
from dealer import arena
arena.COMMANDS = {"press": ("pressed", "")}
sys.argv[1:] = ["press"]
code = arena.main()
if "then" in sys.orig_argv:
    import signal
    signal.raise_signal(signal.SIGINT)
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("imported", "called", "more", "code"),
    [
        (TRY, "pass", [], 130),
        ("", PRESS, [], 130),
        ("", "import later", [], 130),
        ("", "pass", ["then"], -signal.SIGINT),
    ],
)
def test_ctrl_c_leaves_no_traceback(tmp_path, imported, called, more, code):
    """While libraries are imported, in a command that has no word for it, and after all is done."""
    (tmp_path / "pressed.py").write_text(PRESSED.format(imported, called))
    (tmp_path / "later.py").write_text(f"import signal\n{TRY}")
    done = subprocess.run(
        [sys.executable, "-c", START, *more],
        env={**environment(), "PYTHONPATH": f"{environment()['PYTHONPATH']}:{tmp_path}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
