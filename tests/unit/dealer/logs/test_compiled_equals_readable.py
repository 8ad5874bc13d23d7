"""The compiled walk and the readable checks find the same things, whatever a log says."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.handlogs.source.log_games import FoundGame
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.rules_strategies import games

ANTES = parse_gamedef(
    b"nolimit\nnumPlayers = 4\nnumRounds = 2\nstack = 500 300 200 500\nblind = 25 25 25 25\n"
    b"firstPlayer = 1 2\nnumSuits = 2\nnumRanks = 6\nnumHoleCards = 1\nnumBoardCards = 0 2\n"
)
GAMES = {
    "hunl": load_builtin("hunl"),
    "hulhe": load_builtin("hulhe"),
    "nolimit6": load_builtin("nolimit6"),
    "leduc": load_builtin("leduc"),
    "kuhn3": load_builtin("kuhn3"),
    "antes": ANTES,
}
LOGS = {
    (name, fixed): random_log(game, 11, 24, np.random.default_rng(5), fixed=fixed)
    for name, game in GAMES.items()
    for fixed in (False, True)
}


def findings(path, text, game, **options):
    """Verify a text compiled and readable; assert that both say the same and return it.

    Once with every fault told, once with all but the first only counted.
    """
    path.write_bytes(text)
    counted = [
        asdict(
            verify_log(
                path,
                VerifySettings(
                    game=FoundGame(game, "game"), max_faults=1, compiled=compiled, **options
                ),
            )
        )
        for compiled in (False, True)
    ]
    assert counted[0] == counted[1]
    reports = [
        asdict(
            verify_log(
                path,
                VerifySettings(
                    game=FoundGame(game, "game"), max_faults=1000, compiled=compiled, **options
                ),
            )
        )
        for compiled in (False, True)
    ]
    assert reports[0] == reports[1]
    return reports[1]


@pytest.fixture(scope="module")
def log_path(tmp_path_factory):
    """A file to write logs to."""
    return tmp_path_factory.mktemp("logs") / "match.log"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(("name", "fixed"), LOGS)
def test_right_logs_pass(log_path, name, fixed, line_end):
    """A log that the engine wrote has no faults, and its cards are those of its seed."""
    text = "".join(line + line_end for line in LOGS[name, fixed]).encode()
    report = findings(log_path, text, GAMES[name])
    assert report["fault_count"] == 0
    assert report["hands"] == report["deals_checked"] == 24
    assert report["parts"][0]["score"] == "right"


@given(data=st.data())
def test_one_wrong_byte(log_path, data):
    """Change, drop or double any byte: both ways agree on every fault."""
    key = data.draw(st.sampled_from(sorted(LOGS)))
    with_header = data.draw(st.booleans())
    lines = LOGS[key] if with_header else [x for x in LOGS[key] if x.startswith("STATE")]
    text = bytearray("\n".join(lines).encode() + b"\n")
    at = data.draw(st.integers(0, len(text) - 1))
    how = data.draw(st.sampled_from(("change", "drop", "double", "swap")))
    if how == "change":
        text[at] = data.draw(
            st.one_of(st.sampled_from(b"0123456789:|/crf-. AKQ2cdhs\n\r#"), st.integers(0, 255))
        )
    elif how == "drop":
        del text[at]
    elif how == "double":
        text[at:at] = text[at : at + 1]
    else:
        text[at : at + 2] = text[at : at + 2][::-1]
    findings(log_path, bytes(text), GAMES[key[0]])


@given(data=st.data())
def test_wrong_lines(log_path, data):
    """Drop, double, swap and mix lines of two matches: both ways agree on every fault."""
    name = data.draw(st.sampled_from(sorted(GAMES)))
    lines = list(LOGS[name, False])
    if data.draw(st.booleans()):
        other = [line.replace("Ann", "Zoe") for line in LOGS[name, True]]
        lines = [line for pair in zip(lines, other, strict=True) for line in pair]
    if data.draw(st.booleans()):
        lines = [line for line in lines if not line.startswith("#")]
    if data.draw(st.booleans()):
        lines = [f"{line} # 147852.5" if line.startswith("STATE") else line for line in lines]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        how = data.draw(st.sampled_from(("drop", "double", "swap", "blank", "again")))
        if how == "drop":
            del lines[at]
        elif how == "double":
            lines.insert(at, lines[at])
        elif how == "swap":
            to = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[to] = lines[to], lines[at]
        elif how == "blank":
            lines.insert(at, "")
        else:
            lines[at:at] = lines[: data.draw(st.integers(0, 6))]
    text = "\n".join(lines).encode() + data.draw(st.sampled_from((b"", b"\n", b"\r\n")))
    seed = data.draw(st.sampled_from((None, None, 11)))
    findings(log_path, text, GAMES[name], seed=seed)


@given(data=st.data())
def test_many_wrong_hands_are_counted_as_they_are_told(log_path, data):
    """Values, betting, cards, names and numbers wrong in many lines at once, in any mixture."""
    name = data.draw(st.sampled_from(sorted(GAMES)))
    lines = list(LOGS[name, data.draw(st.booleans())])
    if data.draw(st.booleans()):
        lines = [line for line in lines if not line.startswith("#")]
    changes = [
        (":", ":", 1),
        ("Ann", "Zed", 1),
        ("Ann", "Ann #", 1),
        ("-", "", 1),
        ("0|", "1|", 1),
        ("|", "|1", 3),
        ("r", "rr", 1),
        ("c", "", 1),
        ("f:", "ff:", 1),
        ("/", "", 1),
        ("STATE:1", "STATE:4", 1),
        ("s", "h", 1),
        ("r1", "r9", 2),
        ("r2", "r02", 1),
        ("r", "r5", 1),
        ("r", "r99999999999", 1),
    ]
    for change in data.draw(st.lists(st.sampled_from(changes), min_size=1, max_size=3)):
        first = data.draw(st.integers(0, len(lines) - 1))
        step = data.draw(st.integers(1, 4))
        lines[first::step] = [line.replace(*change) for line in lines[first::step]]
    seed = data.draw(st.sampled_from((None, 11, 12)))
    findings(log_path, "\n".join(lines).encode() + b"\n", GAMES[name], seed=seed)


@pytest.mark.parametrize("name", ["Ann\r", "Ann # 17"])
def test_names_that_look_like_something_else(log_path, name):
    """Where they end a line, or are counted, other names are read."""
    lines = [line.replace("Ann", name) for line in LOGS["hunl", False]]
    findings(log_path, "\n".join(lines).encode() + b"\n", GAMES["hunl"])


@pytest.mark.parametrize("glued", ["# name/game/hands/seed m hunl 9 1", "#--t_hand 7"])
def test_records_that_ran_together(log_path, glued):
    """A hand without its end is unreadable, and no hand of other players."""
    lines = list(LOGS["hunl", False])
    for at in (6, 8):
        lines[at] += glued
    report = findings(log_path, "\n".join(lines).encode() + b"\n", GAMES["hunl"])
    assert report["parts"][0]["wrong"] == {"unreadable": 2}


@given(game=games(), seed=st.integers(0, 2**32 - 1))
def test_any_game(log_path, game, seed):
    """Random games of any shape: what the readable engine writes, both ways accept."""
    lines = random_log(game, seed, 8, np.random.default_rng(seed))
    report = findings(log_path, "\n".join(lines).encode() + b"\n", game)
    assert report["faults"] == []
