"""`arena train` of learners, and their bots, as users meet them: processes, sockets, Ctrl-C."""

import csv
import json
import signal
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.blueprint_model import grouped_holdem
from agents.learners import train_command
from agents.learners.model import load_learned
from agents.learners.shipped import LEARNED_BY, LEARNED_GAMES, learned_file
from agents.learners.small_game import SmallLearnedGame
from agents.training.kinds import train as main
from dealer.logs.replay import main as verify
from protocol.gamedefs import load_builtin
from tests.helpers.arena import arena_here, run_arena
from tests.helpers.said import says, says_in_a_line
from tests.helpers.torch_threads import one_torch_thread

ROOT = Path(agents.__file__).parent.parent


@pytest.fixture
def torch():
    """One thread."""
    with one_torch_thread() as module:
        yield module


def interrupt(*_):
    """Be Ctrl-C, at the first line of progress."""
    signal.raise_signal(signal.SIGINT)


def test_a_game_is_learned_left_resumed_and_played(tmp_path, monkeypatch, capsys, torch):
    """Kuhn poker with four cards: Ctrl-C, --resume, then a match; no line of it is out of order."""
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "four.game"
    text = (ROOT / "protocol/gamedefs/kuhn.limit.2p.game").read_text()
    game.write_text(text.replace("numRanks = 3", "numRanks = 4"))
    words = ["sdcfr", "--game", "four.game", "--traversals", "20", "--descent", "5"]
    words += ["--steps", "4000", "--out", "run"]
    with monkeypatch.context() as patched:
        patched.setattr(train_command, "RateLimiter", lambda *_, **__: interrupt)
        assert main(words) == 130
    says(capsys.readouterr().err.splitlines()[-1], "--resume")
    assert main([*words, "--resume"]) == 0
    (tmp_path / "run" / "model.learned").unlink()  # killed between checkpoint and model
    assert main([*words, "--resume"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    says(err, "exploitability", "HOST PORT --game four.game --model run/model.learned")
    note = json.loads((tmp_path / "run" / "model.json").read_text())
    assert (note["algorithm"], len(note["commands"])) == ("sdcfr", 3)
    bot = f"nfsp --model {tmp_path / 'run' / 'model.learned'}"
    code, out, err = run_arena(
        tmp_path, "match", bot, "always-call", "--game", str(game), "--hands", "40", "--out", "m"
    )
    assert code == 0, out + err


def test_ctrl_c_while_deals_are_counted_ends_at_once(tmp_path, monkeypatch, capsys, torch):
    """What was learned of hold'em in groups by then is nothing, and it says so."""

    def looked_up(cards):
        interrupt()
        raise AssertionError("it is still counted")

    monkeypatch.setattr(grouped_holdem, "looked_up", looked_up)
    words = ["mmd", "--game", "hulhe", "--groups", "2,2,2,2", "--out", str(tmp_path / "run")]
    assert main(words) == 130
    says(capsys.readouterr().err.splitlines()[-1], "stopped", "nothing was learned")


@pytest.mark.parametrize("game", LEARNED_GAMES)
def test_matches_are_played_and_verified(game, tmp_path, capsys):
    """By the dealer over sockets; the logs hold up to the last card."""
    code, out, err = run_arena(
        tmp_path, "match", *LEARNED_BY, "--game", game, "--hands", "60", "--seed", "7", "--out", "m"
    )
    assert code == 0, out + err
    logs = sorted((tmp_path / "m").glob("*.log"))
    assert logs
    assert verify(["--verify", *map(str, logs)]) == 0, capsys.readouterr()


@pytest.mark.parametrize("game", LEARNED_GAMES)
@pytest.mark.parametrize("algorithm", LEARNED_BY)
def test_shipped_models_are_as_exploitable_as_they_say(algorithm, game):
    """And the note beside the file says the same; float32 sums differ a little by machine."""
    path = learned_file(algorithm, game)
    model = load_learned(path)
    learned = SmallLearnedGame(model.game)
    exploitability = learned.exploitability(learned.average(model.networks))
    assert model.provenance["exploitability"] == pytest.approx(exploitability, abs=1e-6)
    assert json.loads(path.with_suffix(".json").read_text()) == model.provenance
    assert model.provenance["algorithm"] == algorithm
    assert path.stat().st_size < 200_000


@pytest.mark.parametrize("game", LEARNED_GAMES)
@pytest.mark.parametrize("algorithm", LEARNED_BY)
def test_best_responses_gain_what_the_note_says(algorithm, game, tmp_path):
    """Exactly, by position and on the mean."""
    code, out, err = arena_here(tmp_path, "lbr", algorithm, "--game", game, "--json", "lbr.json")
    assert (code, err) == (0, "")
    says(out, "position 0", "position 1", "exploitability")
    facts = json.loads((tmp_path / "lbr.json").read_text())
    note = json.loads(learned_file(algorithm, game).with_suffix(".json").read_text())
    assert facts["exploitability_chips"] == pytest.approx(note["exploitability"], abs=1e-6)
    assert facts["mbb_per_hand"] == 1000 * facts["exploitability_chips"]
    assert sum(facts["gains_chips"]) == pytest.approx(2 * facts["exploitability_chips"])


def test_aivat_knows_who_plays_and_comes_near_the_exact_result(tmp_path):
    """Both of a match of Leduc poker; `arena versus` says what the mean of the estimates is."""
    words = ("match", *LEARNED_BY, "--game", "leduc", "--hands", "300", "--seed", "7")
    assert arena_here(tmp_path, *words, "--in-process", "--no-duplicate", "--out", "m").code == 0
    estimates = tmp_path / "hands.csv"
    code, _, err = arena_here(tmp_path, "aivat", "hands", "m", "--out", estimates, "--jobs", "1")
    assert code == 0
    says(err, "nfsp (nfsp), mmd (mmd)", "checked-down", "300 hands")
    lines = [line for line in estimates.read_text().splitlines() if line[0] != "#"]
    won = np.array(
        [
            float(row["aivat"]) * (1 if row["position0"] == "nfsp" else -1)
            for row in csv.DictReader(lines)
        ]
    )
    words = ("versus", *LEARNED_BY, "--game", "leduc", "--json", "versus.json")
    code, out, _ = arena_here(tmp_path, *words)
    assert code == 0
    says(out, "exactly")
    exact = json.loads((tmp_path / "versus.json").read_text())
    assert exact["ci95"] == 0
    error = 1000 * won.std() / len(won) ** 0.5 / load_builtin("leduc").big_blind
    assert 0 < error < 100
    assert 1000 * won.mean() == pytest.approx(exact["mbb_per_hand"], abs=4 * error)


@pytest.mark.parametrize(
    ("algorithm", "bot"), [("nfsp", "nfsp"), ("ppo", "nfsp"), ("mmd", "mmd"), ("sdcfr", "nfsp")]
)
def test_help_names_the_bot_that_plays_what_was_learned(algorithm, bot, tmp_path):
    """The one of that name, where there is one."""
    code, out, err = arena_here(tmp_path, "train", algorithm, "--help")
    assert (code, err) == (0, "")
    shown = f'arena match "{bot} --model runs/{algorithm}-leduc-1/model.learned" always-call'
    assert shown in " ".join(out.split())


REFUSALS = [
    (["nfsp", "--game", "leduc", "--memory", "10"], ["25 MiB", "--memory 10"]),
    (["sdcfr", "--game", "kuhn3", "--reservoir", "1000000000"], ["57,277 MiB", "1024"]),
    (["sdcfr", "--game", "kuhn", "--traversals", "1"], ["MiB", "1024"]),
    (["ppo", "--game", "leduc", "--hands", "1000000"], ["MiB", "--memory 1024"]),
    (["sdcfr", "--game", "leduc3", "--traversals", "1000000"], ["MiB", "--memory 1024"]),
    (["mmd", "--game", "holdem.nolimit.2p.reverse_blinds"], ["too large"]),
    (["ppo", "--game", "kuhn", "--steps", "0"], ["--steps"]),
    (["mmd", "--game", "leduc", "--bets", "100,a"], ["--bets", "--groups"]),
    (["mmd", "--game", "hulhe", "--groups", "2,2,2,2", "--bets", "100"], ["limit game"]),
    (["mmd", "--game", "hunl", "--groups", "2,2,2,2", "--bets", "100,b"], ["'b'"]),
    (["mmd", "--game", "hunl", "--groups", "4,3,3,3"], ["1,983 MiB", "--memory 1024"]),
    (["nfsp", "--game", "kuhn", "--anticipatory", "2"], ["--anticipatory"]),
    (["nfsp", "--game", "kuhn", "--resume", "--out", "none"], ["none", "no run"]),
]


@pytest.mark.parametrize(("words", "facts"), REFUSALS)
def test_what_cannot_be_is_refused_in_a_line(words, facts, tmp_path):
    """Before anything is written."""
    code, out, err = arena_here(tmp_path, "train", *words)
    assert (code, out) == (2, "")
    says(err.splitlines()[-1], *facts)
    assert list(tmp_path.iterdir()) == []


def test_models_of_other_games_and_none_are_refused_in_a_line(tmp_path):
    """Before anybody is called up."""
    for words, *facts in (
        (["--game", "leduc", "--model", str(learned_file("mmd", "kuhn"))], "mmd-kuhn.learned"),
        (["--game", "kuhn", "--model", str(tmp_path / "none")], "none", "No such file"),
        (["--game", "kuhn3"], "arena train mmd"),
    ):
        code, out, err = arena_here(tmp_path, "agent", "mmd", "localhost", "1", *words)
        assert (code > 0, out) == (True, "")
        says_in_a_line(err, *facts)
