"""Each study in its smallest form: its result has what the tables and figures of docs read."""

import shutil
from importlib.util import find_spec

import numpy as np
import pytest

from agents.deepstack.configuration import RIVER, TURN, Configuration
from agents.deepstack.data import is_held_out, save_block
from agents.deepstack.situations import PublicSituation, canonical
from agents.deepstack.solving import SolvedSituation
from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.shape import ACTION, initial_weights
from engine.hands.cards import COMBOS, card_bits, live_combos
from protocol.gamedefs import load_builtin
from tests.documents import cells, modeller
from tests.documents.figures import FIGURES
from tests.documents.tables import TABLES
from tests.helpers.cnn_records import records_of
from tests.helpers.torch_threads import one_torch_thread
from tests.studies import frame
from tests.studies.learners import LEARNERS


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Run a study with --small, and let pages read its result in the place of docs/data."""
    root = tmp_path / "root"
    shutil.copytree(cells.ROOT / "docs" / "data", root / "docs" / "data")
    (root / "agents").symlink_to(cells.ROOT / "agents")
    monkeypatch.setattr(cells, "ROOT", root)
    cells.read.cache_clear()

    def run(name, *words):
        words = ["--small", "--work", str(tmp_path / "work"), *map(str, words)]
        out = root / "docs" / "data" / frame.parsed(name, words).result
        assert frame.main([name, *words, "--out", str(out)]) == 0
        cells.read.cache_clear()
        return cells.read(str(out.relative_to(root)))

    yield run
    cells.read.cache_clear()


def lines_of(table):
    """Return the lines of a table without its heads."""
    return TABLES[table]()[2:]


def invented(folder, configuration):
    """Write situations of invented values; boards of the first file, which tests, are held out."""
    rng = np.random.default_rng(1)
    folder.mkdir()
    for block in range(3):
        solved = []
        while len(solved) < 8:
            board = canonical(rng.permutation(52)[: configuration.street + 2].tolist())[0]
            if is_held_out(bytes(board)) == (block == 0):
                ranges = np.where(live_combos(card_bits(board)), 0.5, 0) * np.ones((2, 1))
                one = PublicSituation(len(solved) % 5, board, 400, 900, ranges.astype(np.float16))
                values = rng.normal(size=(2, COMBOS)) * (ranges > 0)
                solved.append(SolvedSituation(one, values, 0.002, 40))
        save_block(folder, block, configuration, solved)
    return folder


def test_deepstack_rivers(measured, tmp_path):
    """What rivers are worth to a network, on some that nobody solved."""
    with one_torch_thread():
        rivers = invented(tmp_path / "rivers", Configuration.of(RIVER, block=8))
        found = measured("deepstack-rivers", rivers)
    assert len(lines_of("deepstack-pilot")) == 3 + len(found["curve"])


def test_deepstack_ends(measured, tmp_path):
    """What ends of turns are worth to the network of hold'em: of half of them, and of all."""
    with one_torch_thread():
        ends = invented(tmp_path / "ends", Configuration.of(TURN, over=True, block=8))
        found = measured("deepstack-ends", ends)
    half, whole = (one["situations"] for one in found["curve"])
    assert half == whole // 2
    assert found["simple"]["zero"]["all"][1] > 0
    assert len(lines_of("deepstack-turn-ends-curve")) == 2


def test_deepstack_preflop(measured):
    """Three situations on two flops each: what these leave open is much."""
    errors = measured("deepstack-preflop")["errors"]
    assert errors["all"]["zero"] > errors["all"]["network"] > 0
    assert errors["all"]["noise"] > 0
    assert len(lines_of("deepstack-preflop-ends")) == 4


def test_deepstack_raises(measured):
    """Larger raises are folded to more often, and stand for those around them."""
    rows = measured("deepstack-raises")["raises"]
    for bot in rows[0]["shares"]:
        folds = [row["shares"][bot][0] for row in rows]
        assert folds == sorted(folds)
        assert all(sum(row["shares"][bot]) == pytest.approx(1, abs=2e-4) for row in rows)
    assert all(row["rounded_to"][0] <= row["raise_to"] <= row["rounded_to"][-1] for row in rows)
    assert len(lines_of("deepstack-raises")) == len(rows)


def test_deepstack_leduc(measured):
    """A network that has learnt next to nothing, for two iterations a decision."""
    with one_torch_thread():
        found = measured("deepstack-leduc")
    assert found["whole"][0]["chips"] > 0
    assert found["networks"][0]["played"][0]["chips"] > 0
    assert len(lines_of("deepstack-leduc")) == 5 + len(found["networks"])


def test_pool(measured):
    """Habits of three bots, and their figure."""
    assert len(measured("pool")["pairs"]) == 3
    assert [line.split()[1] for line in lines_of("pool")] == ["`O5`", "`O6`", "`solid`"]
    assert FIGURES["pool.svg"]().axes


def test_what_modelling_wins(measured):
    """A row for each opponent in both games, and one for the means."""
    for game in ("hunl", "hulhe"):
        measured("versus", "--game", game)
        measured("versus", "O_random", "--game", game)
    assert len(lines_of("modelling")) == 3 + 1


def test_departures(measured):
    """A row for each departure."""
    for game in ("hunl", "hulhe"):
        found = measured("departures", "--game", game)
    assert len(lines_of("departures")) == len(found["departures"]) + 1


def test_curves_and_sweeps(measured):
    """A panel for each opponent; a rate for each value."""
    measured("curve")
    assert len(FIGURES["curve.svg"]().axes) == 1
    assert len(measured("sweep")["opponents"][0]["rates"]) == 2


def test_strengths(measured):
    """All three panels of the figure."""
    measured("strengths")
    assert len(FIGURES["strengths.svg"]().axes) == 3


def test_ranges(measured, monkeypatch):
    """Of the pool, in the place of DeepStack's log."""
    found = measured("ranges")
    monkeypatch.setattr(modeller, "data", lambda name: found)
    assert len(lines_of("ranges")) == len(modeller.WEIGHTS)
    assert set(found["models"]) - set(modeller.WEIGHTS) == {"counters, curves of sequences"}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("categories", {"deals", "streets"}),
        ("bets", {"no_limit", "windows", "sizes", "types"}),
        ("sequences", {"bins", "streets", "bits"}),
    ],
)
def test_what_logs_show(measured, name, fields):
    """The same fields as in docs/data, of which the pages tell."""
    wanted = cells.data(name).keys()
    found = measured(name)
    assert found.keys() == wanted
    assert fields < found.keys()


def test_importance(measured):
    """A row for each feature."""
    wanted = cells.data("importance")
    found = measured("importance")
    assert found.keys() == wanted.keys()
    assert len(found["features"]) == len(wanted["features"])


def test_what_the_evolved_players_win(measured):
    """A section of two agents, two lines for each opponent, of which four are published."""
    measured("astar-duels")
    assert len(lines_of("astar-ancestor")) == 4 + 4


def test_what_the_evolved_players_cost(measured):
    """Nineteen networks and their sum, files, memory, and seven agents whose actions are timed."""
    found = measured("astar-costs")
    assert len(lines_of("astar-costs")) == 7
    assert len(found) == 20 * 3 + 2 + 7 * 3
    assert all(row["number"] > 0 for row in found)
    hours = [row["number"] for row in found if (row["what"], row["unit"]) == ("training", "h")]
    assert sum(hours[:-1]) == pytest.approx(hours[-1])


def test_whom_the_ensemble_recognises(measured):
    """Each opponent with two others."""
    wanted = cells.data("astar-recognised")
    found = measured("astar-recognised")
    assert found["opponents"][0].keys() == wanted["opponents"][0].keys()
    assert len(found["opponents"]) == 2


def test_the_sweep_of_the_ensemble(measured):
    """Two priors by two beginnings of a match."""
    measured("astar-sweep", "--name", "prior")
    assert len(lines_of("astar-prior")) == 4


def test_pilots(measured):
    """Four curves of one pilot."""
    measured("astar-pilots")
    [axes] = FIGURES["survival.svg"]().axes
    assert len(axes.get_lines()) == 4


def test_what_the_network_wins(measured):
    """Its two duels; what was not played is left empty."""
    assert len(measured("cnn-duels")) == 2
    assert any("±" in line for line in lines_of("cnn-comparison"))
    assert FIGURES["data/cnn/winnings.svg"]().axes
    assert len(measured("cnn-duels", "--game", "hulhe")) == 1
    assert any("±" in line for line in lines_of("cnn-limit"))


def test_what_the_network_predicts_and_sees(measured, tmp_path):
    """Five predictors, their calibration, and the planes of a decision."""
    pytest.importorskip("torch")
    records = tmp_path / "deepstack.records"
    records_of(tmp_path, load_builtin("hunl"), 100).save(records)
    with one_torch_thread():
        found = measured("cnn-accuracy", records)
    assert len(lines_of("cnn-accuracy")) == len(found["cross"]) == 5
    assert FIGURES["data/cnn/calibration-deepstack.svg"]().axes
    measured("cnn-planes", records, "--decision", "9")
    assert len(FIGURES["cnn-planes.svg"]().axes) == 16


@pytest.mark.slow  # kernels that nothing else compiles take half a minute
def test_what_a_look_ahead_adds(measured, tmp_path):
    """Beside both ways to play without it."""
    row = initial_weights(1)
    row[-1] = 1.0
    CnnModel(row, ACTION).save(tmp_path / "x.network")
    found = measured("cnn-search", tmp_path / "x.network")["opponents"]["rule"]
    assert found["milliseconds"] > 0
    assert len(lines_of("cnn-search")) == 1


def test_readings_of_the_targets(measured, tmp_path):
    """Two of them, each against three bots."""
    pytest.importorskip("torch")
    records = tmp_path / "limit.records"
    records_of(tmp_path, load_builtin("hulhe"), 60).save(records)
    with one_torch_thread():
        found = measured("cnn-values", records)
    assert len(lines_of("cnn-values")) == len(found["readings"]) == 2


def test_responses_that_trust_more_win_more(measured):
    """And can be exploited more; of Leduc hold'em, and in its figure."""
    none, full = measured("restrained", "--iterations", 20_000, "--hands", 2000)["curve"]
    assert none["wins"] < full["wins"]
    assert none["loses_at_most"] < full["loses_at_most"]
    assert len(lines_of("restrained-leduc")) == 2
    assert len(FIGURES["restrained.svg"]().axes) == 1


def test_every_figure_is_drawn_from_the_data_of_docs():
    """Without an error; which bytes a figure has depends on the version of matplotlib."""
    for file, draw in FIGURES.items():
        assert draw().axes
        assert (cells.ROOT / "docs" / file).exists()


def test_learners(measured):
    """A curve of each learner, which falls to its last decision."""
    with one_torch_thread():
        facts = measured("learners")
    assert [learned["learner"] for learned in facts["runs"]] == list(LEARNERS)
    for learned in facts["runs"]:
        decisions, exploitability = zip(*learned["curve"], strict=True)
        assert list(decisions) == sorted(decisions)
        assert decisions[-1] >= facts["steps"]
        assert min(exploitability) > 0


@pytest.mark.skipif(find_spec("pyspiel") is not None, reason="OpenSpiel is installed")
def test_openspiel_is_asked_for(tmp_path, capsys):
    """In a line, where it is not there."""
    words = ["openspiel-nfsp", "--small", "--out", str(tmp_path / "o"), "--work", str(tmp_path)]
    assert frame.main(words) == 2
    assert "OpenSpiel is not installed" in capsys.readouterr().err
