"""Logs of the original dealer, damaged in one way throughout: the diagnosis names it."""

import re

import pytest

from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.handlogs.source.log_games import game_from_argument

GAMES = {"2p.limit": "hulhe", "2p.nolimit": "hunl", "3p.limit": "limit3", "3p.nolimit": "nolimit3"}


def other_seed(lines):
    """Change the header's."""
    return [re.sub(r"( \d+) 0$", r"\1 3", line) for line in lines]


def other_signs(lines):
    """Change those of all payoffs."""

    def turned(match):
        values = (f"{-float(value):g}" for value in match[2].split("|"))
        return match[1] + "|".join(values)

    return [re.sub(r"^(STATE:[^:]*:[^:]*:[^:]*:)([^:]*)", turned, line) for line in lines]


def renamed(lines):
    """Change a player's name from the middle on."""
    return [*lines[:500], *(line.replace("p1", "X") for line in lines[500:])]


def reversed_lines(lines):
    """Turn the log around, but for its head and the first hand."""
    return [*lines[:5], *lines[-2:4:-1]]


@pytest.mark.parametrize("log", GAMES)
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (list, ""),
        (other_seed, "wrong seed? every hand has the cards that seed 0 deals, not 3"),
        (other_signs, "the payoffs have their signs "),
        (renamed, "p1 is called X in every hand from line 501 on"),
        (reversed_lines, "the hands are right, but "),
    ],
)
def test_what_was_done_to_a_log_is_found(shared_data, tmp_path, log, damage, words):
    """And nothing is said of the log as it was."""
    lines = (shared_data / f"dealer_logs/{log}.h1000.r0.log").read_text().splitlines()
    path = tmp_path / "m.log"
    path.write_text("\n".join(damage(lines)) + "\n")
    report = verify_log(path, VerifySettings(game=game_from_argument(GAMES[log])))
    texts = report.parts[0].diagnosis
    if words:
        assert len(texts) == 1
        assert texts[0].startswith(words)
    else:
        assert (report.fault_count, texts) == (0, [])
