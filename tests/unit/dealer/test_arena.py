"""The `arena` command itself."""

import subprocess
import sys

import pytest

from dealer import arena
from dealer.matches.launcher import environment


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
    ("word", "hint"),
    [
        ("mtach", "did you mean match?"),
        ("deal", "did you mean dealer?"),
        ("xyz", "there are match,"),
    ],
)
def test_unknown_command_is_one_line_with_a_hint(word, hint, capsys):
    """The nearest name where one is near."""
    assert arena.main([word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"arena: no command is called {word}; {hint}")
    assert err.count("\n") == 1


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
    assert done.stderr.startswith("arena games: no built-in game 'no-such-game'; there are kuhn")
    assert done.stderr.count("\n") == 1


def test_command_runs_as_main_module(monkeypatch, tmp_path, capsys):
    """With its arguments, and its exit code."""
    (tmp_path / "some_command.py").write_text(
        "import sys\nprint(__name__, *sys.argv)\nsys.exit(5)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(arena.COMMANDS, "some", ("some_command", ""))
    monkeypatch.setattr(sys, "argv", ["unchanged"])
    with pytest.raises(SystemExit) as stop:
        arena.main(["some", "a", "b"])
    assert stop.value.code == 5
    assert capsys.readouterr().out == "__main__ arena some a b\n"


def test_ctrl_c_before_a_command_has_begun_is_quiet(monkeypatch):
    """Exit code 130, no traceback."""

    def interrupted(module, run_name):
        raise KeyboardInterrupt

    monkeypatch.setattr("runpy.run_module", interrupted)
    monkeypatch.setattr(sys, "argv", ["arena", "games"])
    with pytest.raises(SystemExit) as ended:
        arena.main()
    assert ended.value.code == 130
