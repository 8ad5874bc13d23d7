"""Stepping through hands."""

import numpy as np
import pytest

from dealer.logs.showing.browse import HELP, Browser, HandIndex
from dealer.logs.showing.show import Palette
from engine.errors import LogError
from engine.handlogs.source.log_games import game_from_argument
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says


@pytest.fixture
def logs(tmp_path):
    """Two logs of different games, the second with two matches."""
    kuhn = random_log(
        load_builtin("kuhn"), 1, 3, np.random.default_rng(1), game_name="kuhn.limit.2p.game"
    )
    leduc = random_log(
        load_builtin("leduc"), 1, 2, np.random.default_rng(1), game_name="leduc.limit.2p.game"
    )
    first, second = tmp_path / "a.log", tmp_path / "b.log"
    first.write_text("\n".join(kuhn) + "\n")
    second.write_text("\n".join([*leduc, "STATE:9:broken", *kuhn]) + "\n")
    return [first, second]


def session(logs, *commands):
    """Run commands; return what was written after the help."""
    lines = []
    prompts = []
    waiting = list(commands)

    def ask(prompt):
        prompts.append(prompt)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    Browser(HandIndex(logs, None), Palette(on=False), lines.append).run(ask)
    assert lines[0] == HELP
    return lines[1:], prompts


def titles(lines):
    """Which hands were shown."""
    return [line.split("   ")[0] for line in lines if line.startswith("hand ")]


def test_the_index_finds_every_hand_with_its_game(logs):
    """Across matches and logs."""
    index = HandIndex(logs, None)
    assert len(index) == 9
    assert index.hand(2).game == load_builtin("kuhn")
    assert index.hand(3).game == load_builtin("leduc")
    assert index.hand(6).game == load_builtin("kuhn")
    assert (index.hand(6).line, index.hand(6).match) == (7, 2)
    with refused(LogError, "b.log:5", "STATE"):
        index.hand(5)


def test_enter_steps_through_a_hand_and_on_to_the_next(logs):
    """One action at a time, to the end of the last hand."""
    lines, prompts = session(logs, *[""] * 200)
    assert titles(lines) == [
        "hand 0", "hand 1", "hand 2", "hand 0", "hand 1", "hand 0", "hand 1", "hand 2",
    ]  # fmt: skip
    says("\n".join(lines), "no hand after", "b.log:5")
    assert prompts[0].startswith("[1/9, ")


def test_commands(logs):
    """Next, previous, rest of the hand, go to, help, quit."""
    lines, _ = session(logs, "n", "p", "p", "a", "g 2", "G 2", "2", "g 99", "g x", "what", " ", "q")
    assert titles(lines) == ["hand 0", "hand 1", "hand 0", "hand 2", "hand 2", "hand 2"]
    says("\n".join(lines), "first hand", "no hand 99", "g 17")
    assert lines.count(HELP) == 1


def test_end_of_input_ends(logs):
    """Ctrl-D is a way out."""
    assert titles(session(logs)[0]) == ["hand 0"]


def test_a_named_game_serves_all_logs(tmp_path):
    """Also those without header."""
    log = tmp_path / "x.log"
    log.write_text("STATE:0:cc:Qs|Ks:-1|1:a|b\n")
    assert HandIndex([log], game_from_argument("kuhn")).hand(0).record.names == ("a", "b")
    with pytest.raises(LogError, match="--game"):
        HandIndex([log], None).hand(0)
    with pytest.raises(LogError, match="No such file"):
        HandIndex([tmp_path / "none"], None)
