"""The templates play real matches in every built-in game, each in its own language."""

import functools
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import agents
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin
from tests.helpers.seated_match import play_seated

TEMPLATES = Path(agents.__file__).parent / "templates"
LANGUAGES = ("c", "javascript", "python")
HANDS = 40
GAMES = sorted(builtin_aliases().keys() - {"pokerbots"})
"""Without hunl in other chips."""


@pytest.fixture(scope="session")
def start_command(tmp_path_factory) -> Callable[[str], list[str]]:
    """Return the command that starts the template of a language, built on first use."""

    @functools.cache
    def program(language) -> tuple[str, ...]:
        if language == "python":
            return sys.executable, "-S", str(TEMPLATES / "bot.py")
        if language == "javascript":
            node = shutil.which("node") or pytest.skip("no node to run the JavaScript template")
            return node, str(TEMPLATES / "bot.js")
        compiler = shutil.which("cc") or pytest.skip("no cc to compile the C template")
        binary = tmp_path_factory.mktemp("c") / "bot"
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2"]
        subprocess.run([compiler, *flags, str(TEMPLATES / "bot.c"), "-o", str(binary)], check=True)
        return (str(binary),)

    return lambda language: list(program(language))


def total(score) -> float:
    """Return the sum of the chips in a SCORE line, which must be there."""
    kind, chips, _ = score.split(":")
    assert kind == "SCORE"
    return sum(map(float, chips.split("|")))


def check_played(match, hands) -> None:
    """Every hand was played, by the rules, and every bot ended in order."""
    assert match.warnings == []
    assert match.errors == [""] * len(match.errors)
    assert set(match.exit_codes) == {0}
    assert len(match.hands) == hands
    assert abs(total(match.score)) < 1e-3


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_options_a_template_plays_heads_up_no_limit(tmp_path, start_command, language):
    """Host and port are all it takes."""
    command = start_command(language)
    check_played(play_seated(tmp_path, "hunl", HANDS, [command, command]), HANDS)


@pytest.mark.parametrize("alias", GAMES)
@pytest.mark.parametrize("first", range(2))
def test_templates_play_every_built_in_game_against_each_other(
    tmp_path, start_command, alias, first
):
    """Only legal answers, only in turn: the dealer has nothing to complain about."""
    players = load_builtin(alias).players
    seats = [LANGUAGES[(first + seat) % len(LANGUAGES)] for seat in range(players)]
    commands = [
        [*start_command(language), "-g", str(builtin_path(alias)), "-s", str(seat)]
        for seat, language in enumerate(seats)
    ]
    match = play_seated(tmp_path, alias, HANDS, commands)
    check_played(match, HANDS)
    betting = "".join(line.split(":")[2] for line in match.hands)
    assert {"f", "c", "r"} <= set(betting)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seed_makes_a_template_repeat_itself(tmp_path, start_command, language):
    """Same seeds, same deals: the same hands to the last chip; another seed, other hands."""

    def hands(seed):
        commands = [[*start_command(language), "-s", str(seed + seat)] for seat in range(2)]
        return play_seated(tmp_path, "hunl", 10, commands).hands

    assert hands(1) == hands(1) != hands(5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_arguments_are_refused(start_command, language):
    """Without host and port there is a usage line and exit code 2."""
    done = subprocess.run([*start_command(language)], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2
    assert "usage" in done.stderr
