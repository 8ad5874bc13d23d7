"""`arena solve`, in this process: small spots from the arguments to the tables and files."""

import re
import signal

import pytest

from engine.commands.solve import spot_solver
from engine.commands.solve.solve_command import main
from engine.range_solver.checkpoint import KIND
from engine.range_solver.strategy import RangeStrategy
from engine.storage.artifacts import load_artifact, save_artifact
from tests.helpers.said import says
from tests.helpers.solving import RIVER, TURN, complaint, json_of, lines_of, words


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the command runs and saves."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def at_iteration(number, monkeypatch, act):
    """Do something right before an iteration."""
    iterate = spot_solver.RangeSolver.iterate

    def iterate_and_act(solver, step):
        if solver.game.pot == 500 and solver.iterations + 1 == number:
            act()
        iterate(solver, step)

    monkeypatch.setattr(spot_solver.RangeSolver, "iterate", iterate_and_act)


def test_a_river_is_solved_printed_and_saved(folder, capsys):
    """What was solved, how well, the table of the root, and the file for more."""
    lines = lines_of(words(RIVER), capsys)
    assert lines[0].startswith("4s8hTc9h2s, pot 500, 700 behind; 16 against 13 hands, ")
    assert lines[1].startswith("exploitability ")
    assert lines[2].startswith("EV ")
    assert lines[3].startswith("dcfr+, 20 iterations, ")
    assert lines[3].endswith("; --iterations reached")
    assert re.match("4s8hTc9h2s: out of position .*500 ", lines[5])
    assert [line.split()[0] for line in lines[9:13]] == ["all", "AA", "KK", "76s"]
    assert lines[-1].endswith(": arena solve 4s8hTc9h2s.solution --node BETTING")
    assert [path.name for path in folder.iterdir()] == ["4s8hTc9h2s.solution"]


def test_a_saved_solution_is_looked_at(capsys):
    """The same table again, and any other one."""
    solved = lines_of(words(RIVER, out="my.solution"), capsys)
    shown = lines_of(["my.solution"], capsys)
    assert shown[:3] == solved[:3]
    assert shown[3:] == solved[4:-2]
    facing = lines_of(["my.solution", "--node", "cr500", "--hands", "AA"], capsys)
    assert facing[4] == (
        "4s8hTc9h2s after cr500: out of position acts, 750 in the pot, 250 to call"
    )
    assert facing[-1].startswith("AA ")


def test_later_streets_are_looked_at_with_the_cards_that_came(capsys):
    """Also right after solving."""
    wanted = ["--node=cc", "--dealt=2S", "--combos"]
    solved = lines_of([*words(TURN, out="my.solution"), *wanted], capsys)
    assert re.match("4s8hTc9h2s after cc/: out of position .*500 ", solved[5])
    shown = lines_of(["my.solution", *wanted], capsys)
    assert shown[4:] == solved[5:-2]


def test_json_says_what_the_tables_say(capsys):
    """One object; the file holds the same."""
    facts = json_of(words(RIVER, out="my.solution"), capsys)
    again = json_of(["my.solution"], capsys)
    assert {name: facts[name] for name in again} == again
    assert (facts["file"], facts["algorithm"], facts["iterations"]) == ("my.solution", "dcfr+", 20)
    assert facts["ended"] == "iterations"
    assert facts["exploitability_of_pot"] == facts["exploitability"] / 500
    assert sum(facts["ev"]) == pytest.approx(500, abs=0.01)
    assert facts["all"]["ev"] == pytest.approx(facts["ev"][0])


def test_solving_ends_where_it_is_accurate_enough(capsys):
    """Or when the time is over, and not before one iteration."""
    facts = json_of(words(RIVER, iterations=None, accuracy="1"), capsys)
    assert facts["ended"] == "accurate"
    assert facts["exploitability_of_pot"] <= 0.01
    facts = json_of(words(RIVER, iterations=None, seconds="1e-9"), capsys)
    assert (facts["ended"], facts["iterations"]) == ("seconds", 1)


def test_threads_change_nothing_and_16_bits_little(capsys):
    """The first to the last bit."""
    alone = json_of(words(TURN, threads="1"), capsys)
    shared = json_of(words(TURN, threads="3"), capsys)
    small = json_of(words(TURN, storage="int16"), capsys)
    assert shared["hands"] == alone["hands"]
    assert shared["exploitability"] == alone["exploitability"]
    assert small["memory"] < alone["memory"]
    assert small["ev"] == pytest.approx(alone["ev"], abs=1)


def test_names_that_are_taken_get_a_number(folder, capsys):
    """Nothing is overwritten unless --out says so; a solution may be."""
    for _ in range(2):
        lines_of(words(RIVER), capsys)
    lines_of(words(RIVER, out="4s8hTc9h2s.solution"), capsys)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["4s8hTc9h2s-2.solution", "4s8hTc9h2s.solution"]


CHOICE = {
    "algorithm": "adaptive",
    "pool": "dcfr+,pcfr+,hedge-var",
    "update": "mean",
    "bonus": "logarithm",
    "exploration": "0.5",
    "every": "4",
}


def test_minimisers_are_chosen_while_it_solves(capsys):
    """Use counts and what was chosen by are told to people and programs."""
    lines = lines_of(words(RIVER, iterations="25", **CHOICE), capsys)
    assert lines[3].startswith("adaptive, 25 iterations, ")
    facts = json_of(words(RIVER, iterations="25", **CHOICE), capsys)
    told = ", ".join(f"{name} {used}" for name, used in facts["uses"].items())
    assert f" {told}; " in lines[4]
    assert sum(facts["uses"].values()) == 25
    assert all(used >= 4 for used in facts["uses"].values())
    assert facts["choice"] == {
        "pool": ["dcfr+", "pcfr+", "hedge-var"],
        "update": "mean",
        "bonus": "sqrt(ln t / n)",
        "exploration": 0.5,
        "alpha": 0.1,
        "reward": "current",
        "every": 4,
    }


@pytest.mark.parametrize("choice", [{}, CHOICE], ids=["plain", "choice"])
@pytest.mark.parametrize("board", [RIVER, TURN], ids=["river", "turn"])
def test_a_checkpoint_is_gone_on_from(board, choice, folder, capsys):
    """Within a round of a choice as well: the saved files are the same, bit for bit."""
    whole = json_of(words(board, iterations="30", out="whole", **choice), capsys)
    json_of(words(board, iterations="11", out="part", checkpoint="work", **choice), capsys)
    facts = json_of(words(board, iterations="30", out="part", checkpoint="work", **choice), capsys)
    assert (facts["iterations"], facts["resumed"]) == (30, 11)
    assert facts.get("uses") == whole.get("uses")
    assert (folder / "part").read_bytes() == (folder / "whole").read_bytes()


def test_a_choice_does_not_resume_another_one(capsys):
    """One line that says what was begun."""
    json_of(words(RIVER, checkpoint="work", **CHOICE), capsys)
    for changed in ({"every": "5"}, {"pool": "dcfr+,cfr+"}, {"algorithm": "dcfr+"}):
        wanted = {"algorithm": changed["algorithm"]} if "algorithm" in changed else CHOICE | changed
        said = complaint(words(RIVER, checkpoint="work", **wanted), capsys)
        assert re.search(r"^arena solve: work: .*adaptive of dcfr\+,pcfr\+,hedge-var; .*mean", said)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"uses": [1]}, "uses [1] and member"),
        ({"counts": None}, "damaged"),
        ({"left": 3, "before": None}, "3 iterations left of a round that did not begin"),
        ({"before": float("nan")}, "an exploitability of nan"),
    ],
)
def test_a_damaged_choice_is_told(damage, said, folder, capsys):
    """Never a traceback."""
    json_of(words(RIVER, checkpoint="work", **CHOICE), capsys)
    facts, arrays = load_artifact(folder / "work", KIND)
    facts["chosen"] |= damage
    save_artifact(folder / "work", KIND, facts, {name: a.copy() for name, a in arrays.items()})
    assert said in complaint(words(RIVER, checkpoint="work", **CHOICE), capsys)


def test_a_resumed_solve_says_so(capsys):
    """Its time is not that of the iterations before."""
    first = lines_of(words(RIVER, iterations="11", checkpoint="work"), capsys)
    assert re.search(r"\bwork: .*--iterations$", first[-1])
    lines = lines_of(words(RIVER, iterations="30", checkpoint="work"), capsys)
    assert lines[3].startswith("dcfr+, 30 iterations, ")
    assert re.search(r"^11 .*checkpoint", lines[4])


def test_what_gets_no_better_ends(monkeypatch, capsys):
    """Where twice the iterations come no nearer, it is told that more will not either."""
    monkeypatch.setattr(spot_solver, "_STUCK_AFTER", 512)
    monkeypatch.setattr(spot_solver.RangeSolver, "exploitability_of_pot", lambda *_: 0.02)
    wanted = words(RIVER, iterations=None, accuracy="1")
    lines = lines_of(wanted, capsys)
    assert re.search("no better; 1 % of the pot", lines[3])
    assert json_of(wanted, capsys)["ended"] == "no better"


def test_control_c_ends_after_the_iteration(monkeypatch, capsys):
    """What is there is printed and saved; exit code 130."""
    before = signal.getsignal(signal.SIGINT)
    at_iteration(7, monkeypatch, lambda: signal.raise_signal(signal.SIGINT))
    facts = json_of(words(RIVER, out="my.solution"), capsys, code=130)
    assert (facts["iterations"], facts["ended"]) == (7, "interrupted")
    assert json_of(["my.solution"], capsys)["hands"] == facts["hands"]
    assert signal.getsignal(signal.SIGINT) is before


def test_control_c_twice_ends_at_once(folder, monkeypatch, capsys):
    """Nothing is printed, nothing left half done."""

    def press_twice():
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)

    at_iteration(7, monkeypatch, press_twice)
    assert main(words(RIVER)) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(" in all\narena solve: interrupted, nothing is saved\n")
    assert list(folder.iterdir()) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_result_that_cannot_be_saved_is_printed(folder, monkeypatch, capsys):
    """With the reason, and exit code 1."""

    def fail(strategy, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RangeStrategy, "save", fail)
    assert main(words(RIVER, out="my.solution")) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("76s ")
    assert err.splitlines()[1:] == ["arena solve: not saved: my.solution: No space left on device"]
    assert json_of(words(RIVER), capsys, code=1)["file"] is None
    assert list(folder.iterdir()) == []


def test_a_checkpoint_that_fails_on_the_way_stops_nothing(monkeypatch, capsys):
    """It is told, not tried again until the end."""
    tried = []

    def fail(solver, path, algorithm, chosen):
        tried.append(solver.iterations)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spot_solver, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(spot_solver, "save_solve", fail)
    assert main(words(RIVER, checkpoint="work")) == 0
    out, err = capsys.readouterr()
    assert "20 iterations" in out
    assert tried == [1, 20]
    refused = "arena solve: no checkpoint: work: No space left on device"
    assert err.splitlines()[1:] == [refused] * 2


def test_checkpoints_are_written_on_the_way(monkeypatch, capsys):
    """Every minute, or more rarely where writing one takes long."""
    written = []
    monkeypatch.setattr(spot_solver, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(spot_solver, "_MOST_SAVING_SHARE", 1e9)
    monkeypatch.setattr(
        spot_solver, "save_solve", lambda solver, *_: written.append(solver.iterations)
    )
    lines_of(words(RIVER, checkpoint="work"), capsys)
    assert written == [*range(1, 21), 20]


@pytest.mark.parametrize("wrong", [{"node": "r501"}, {"out": "."}, {"checkpoint": "foreign.txt"}])
def test_wrong_arguments_are_told_before_the_work(wrong, folder, monkeypatch, capsys):
    """No iteration is run for them; all are in the table of `tests.integration`."""
    (folder / "foreign.txt").write_text("mine")
    at_iteration(1, monkeypatch, lambda: pytest.fail("this iteration is for nothing"))
    complaint(words(RIVER, **wrong), capsys)


def test_a_checkpoint_of_another_spot_or_algorithm_is_refused(folder, capsys):
    """And kept."""
    lines_of(words(RIVER, checkpoint="work"), capsys)
    before = (folder / "work").read_bytes()
    assert "another subgame" in complaint(words(RIVER, pot="600", checkpoint="work"), capsys)
    other = complaint(words(RIVER, algorithm="cfr", checkpoint="work"), capsys)
    assert "work: begun with dcfr+, not cfr" in other
    assert (folder / "work").read_bytes() == before


def test_files_that_hold_no_solution_are_refused(folder, capsys):
    """Changed by a bit, of another kind, or no file at all."""
    lines_of(words(RIVER, out="good", checkpoint="work"), capsys)
    data = bytearray((folder / "good").read_bytes())
    data[-1] ^= 1
    (folder / "bit").write_bytes(data)
    reasons = {"bit": "damaged", "work": "holds 'unfinished solve'", "/dev/zero": "is no file"}
    for name, why in reasons.items():
        says(complaint([name], capsys), f"arena solve: {name}", why)


def test_options_for_solving_make_no_sense_for_a_file(capsys):
    """Nor does a second file."""
    lines_of(words(RIVER, out="my.solution"), capsys)
    for option in ("--pot=8", "--max-raises=2", "--out=x", "--seconds=5"):
        text = complaint(["my.solution", option], capsys)
        assert f"{option.split('=')[0]} is for solving" in text
    assert "unrecognized arguments: other" in complaint(["my.solution", "other"], capsys)
