"""`arena improve --watch`: rounds over a folder of logs that grows; stopped, killed, resumed."""

import json
import signal
from contextlib import contextmanager
from dataclasses import replace

import pytest

from agents.blueprint_model.config import TrainingConfig
from agents.blueprint_model.model import load_model
from agents.improvement.improvement_run import CARDS, MODEL, STATUS
from tests.helpers.arena import arena_here, start_arena
from tests.helpers.blueprints import random_model, tiny_config
from tests.helpers.improving import write_cards, write_log

COMMAND = (
    *("improve", "tiny.blueprint", "--watch", "logs", "--game", "hunl", "--workers", "1"),
    *("--out", "run", "--raises", "1", "--iterations", "9000", "--converged", "0.9"),
)
SECONDS = 120


@pytest.fixture
def folder(tmp_path):
    """A model whose periods are short, a folder of logs, a run's folder that has the cards."""
    config = replace(tiny_config(), training=TrainingConfig(period=1000))
    random_model(config).save(tmp_path / "tiny.blueprint")
    for name in ("logs", "run"):
        (tmp_path / name).mkdir()
    write_cards(tmp_path / "run" / CARDS)
    write_log(tmp_path / "logs" / "monday.log", ("r250f", 30))
    return tmp_path


@contextmanager
def started(folder, *words):
    """Start the service; it is killed at the end if it still runs."""
    with start_arena(folder, *words) as process:
        try:
            yield process
        finally:
            process.kill()


def status(folder):
    """Return what the service says of itself."""
    return json.loads((folder / "run" / STATUS).read_text())


def test_rounds_add_what_has_converged(folder):
    """The second one what came into the folder since, on top of the first; a third has nothing."""
    code, _, err = arena_here(folder, *COMMAND, "--once")
    assert code == 0, err
    assert "30 hands in logs, 30 more than in the round before" in err
    assert "taken up: r250, 0.75 pots, made 30 times" in err
    assert "round 1 is over; r250 added after " in err
    (entry,) = status(folder)["raises"]
    assert (entry["state"], entry["raise"]) == ("added", "r250")
    first = load_model(folder / "run" / MODEL)
    assert first.config.extras == ("r250",)
    assert first.provenance["improved"][0]["change"] == pytest.approx(entry["change"], abs=1e-4)
    assert not sorted((folder / "run").glob("1.*"))
    write_log(folder / "logs" / "tuesday.log", ("r300r1000f", 40), ("r250r1000f", 5))
    with (folder / "logs" / "tuesday.log").open("a") as log:
        log.write("STATE:99:r700f:As")  # the dealer is about to write the rest
    code, _, err = arena_here(folder, *COMMAND, "--once")
    assert code == 0, err
    assert "75 hands in logs, 45 more than in the round before" in err
    second = load_model(folder / "run" / MODEL)
    assert second.config.extras == ("r250", "r300r1000")
    assert status(folder)["round"] == 2
    code, _, err = arena_here(folder, *COMMAND, "--once")
    assert code == 0, err
    assert "not taken up: r250r1000, made 5 times, fewer than 20" in err
    assert "\ntaken up" not in err
    assert load_model(folder / "run" / MODEL).config.extras == second.config.extras


def test_what_does_not_converge_is_not_added(folder):
    """It goes on in the next round, and is given up after so many iterations."""
    words = (*COMMAND[:-1], "0.0001", "--once", "--iterations", "4000")
    code, _, err = arena_here(folder, *words, "--hours", "0.00001")
    assert code == 0, err
    assert "round 1 is over; r250 learning, " in err
    (entry,) = status(folder)["raises"]
    assert entry["state"] == "learning"
    assert not (folder / "run" / MODEL).exists()
    code, _, err = arena_here(folder, *words)
    assert code == 0
    assert "r250: given up after 4,000 iterations" in err
    assert "round 2 is over; r250 given up after 4,000 iterations (changed by 0." in err
    (entry,) = status(folder)["raises"]
    assert entry["state"] == "given up"
    assert 0.0001 < entry["change"] < 1
    assert not (folder / "run" / MODEL).exists()


def test_a_waiting_service_ends_at_a_signal(folder):
    """With 0, and its status says so; while it runs nobody else may work in its folder."""
    (folder / "logs" / "monday.log").unlink()
    with started(folder, *COMMAND, "--daily", "03:30") as process:
        for line in process.stderr:
            if "waiting" in line:
                break
        assert status(folder)["state"] == "waiting"
        assert "03:30" in status(folder)["next_round"]
        code, _, err = arena_here(folder, *COMMAND, "--once")
        assert (code, "another process is working in run" in err) == (2, True)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    assert "the same command goes on" in err
    assert status(folder)["state"] == "stopped"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_round_that_was_cut_short_goes_on(folder, number):
    """Killed or stopped while it learns: the same round, and what was learned by then is kept."""
    words = (*COMMAND[:-1], "0.0001", "--checkpoint-minutes", "0.001")
    with started(folder, *words, "--every", "1") as process:
        for line in process.stderr:
            if "the strategy changed by" in line:
                break
        process.send_signal(number)
        process.communicate(timeout=SECONDS)
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    code, _, err = arena_here(folder, *COMMAND, "--once")
    assert code == 0, err
    assert "resuming run" in err
    assert "taken up" not in err
    assert status(folder)["round"] == 1
    (entry,) = status(folder)["raises"]
    assert entry["state"] == "added"
    assert entry["iterations"] > 1000


WRONG = {
    (*COMMAND, "--daily", "25:00"): "want HH:MM",
    (*COMMAND, "--daily", "3:30", "--once"): "--once is one round",
    (*COMMAND, "--every", "0"): "--every",
    (*COMMAND, "--every", "3", "--once"): "--once is one round",
    (*COMMAND, "--every", "24", "--daily", "3:30"): "--daily and --every say when",
    (*COMMAND[:2], "a.log", "--every", "24"): "--every: goes with --watch FOLDER",
    (*COMMAND[:2], "a.log", "--converged", "0.1"): "--converged: goes with --watch FOLDER",
    (*COMMAND, "a.log"): "which logs? LOG..., or --watch FOLDER",
    (*COMMAND[:2], "a.log", "--once"): "--once: goes with --watch FOLDER",
    (*COMMAND[:2], "a.log", "--daily", "3:30"): "--daily: goes with --watch FOLDER",
    (*COMMAND[:3], "nowhere", "--once"): "nowhere: no folder of logs",
    (*COMMAND[:-1], "0"): "want a share between 0 and 1",
}


@pytest.mark.parametrize(("words", "said"), WRONG.items())
def test_what_is_wrong_is_one_clear_line(folder, words, said):
    """And exit code 2."""
    code, out, err = arena_here(folder, *words)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
