"""What sampled learning reaches in Kuhn's and Leduc poker; minutes, fixed seeds, exact measures."""

from dataclasses import replace

import numpy as np
import pytest

from engine.abstraction.lossless import LosslessAbstraction
from engine.cfr.variants import VARIANTS
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.settings import MccfrSettings, Pruning
from tests.helpers.small_mccfr import SmallGame

pytestmark = pytest.mark.slow

LINEAR = MccfrSettings(period=1000)
PLAIN = replace(LINEAR, variant=VARIANTS["cfr"])


@pytest.fixture(scope="module")
def leduc():
    """Two streets."""
    return SmallGame("leduc")


def learned(game, iterations, settings=LINEAR, seed=1):
    """Return a run after some iterations."""
    run = Mccfr(game.info_sets, game.cards, np.random.default_rng(seed), settings)
    run.run(iterations)
    return run


def mean_exploitability(game, iterations, settings, seeds=6):
    """Return the mean over some seeds, in chips."""
    runs = [learned(game, iterations, settings, seed) for seed in range(seeds)]
    return np.mean([game.exploitability(run.average) for run in runs])


@pytest.mark.parametrize("settings", [PLAIN, LINEAR, replace(LINEAR, workers=2)])
def test_kuhn_converges(settings):
    """To less than 3 thousandths of an ante."""
    kuhn = SmallGame("kuhn")
    assert kuhn.exploitability(learned(kuhn, 1_000_000, settings).average) < 0.003


@pytest.mark.parametrize("settings", [PLAIN, LINEAR, replace(LINEAR, workers=2)])
def test_leduc_converges(leduc, settings):
    """To 7 thousandths of an ante after 4 million iterations, and as one over the square root."""
    run = learned(leduc, 250_000, settings)
    early = leduc.exploitability(run.average)
    run.run(3_750_000)
    late = leduc.exploitability(run.average)
    assert late < 0.0075
    assert late < 0.4 * early


def test_leduc_reaches_a_thousandth_of_an_ante(leduc):
    """What a blueprint of Leduc poker is trained to."""
    settings = replace(LINEAR, period=1_000_000, workers=2)
    run = learned(leduc, 400_000_000, settings)
    assert leduc.exploitability(run.average) < 0.001


def test_linear_weights_beat_equal_ones_early(leduc):
    """The first strategies are the worst; later, noise of samples is all there is."""
    linear = replace(LINEAR, period=100)
    assert mean_exploitability(leduc, 3000, linear) < 0.8 * mean_exploitability(leduc, 3000, PLAIN)
    late = [mean_exploitability(leduc, 100_000, settings) for settings in (linear, PLAIN)]
    assert late[0] < 1.3 * late[1]


def test_pruning_saves_nodes_and_does_no_harm(leduc):
    """A tenth of the nodes less, as little exploitable; a threshold of -300 would do harm."""
    pruning = Pruning(-1000.0, 1000.0, 0.05, after=50_000, on_last_street=True)
    runs = [learned(leduc, 1_000_000, replace(LINEAR, pruning=pick)) for pick in (None, pruning)]
    plain, pruned = (leduc.exploitability(run.average) for run in runs)
    assert runs[1].nodes < 0.9 * runs[0].nodes
    assert pruned < 1.5 * plain


def test_whole_regrets_are_as_good(leduc):
    """In hundredths of a chip."""
    settings = replace(LINEAR, whole_regrets=True, unit=0.01)
    assert leduc.exploitability(learned(leduc, 1_000_000, settings).average) < 0.02


def test_a_long_run_is_resumed_exactly(leduc, tmp_path):
    """Half, checkpoint, half: the same bits as a run in one piece."""
    whole, half = learned(leduc, 400_000), learned(leduc, 200_000)
    save_run(half, tmp_path / "run")
    resumed = load_run(tmp_path / "run", leduc.info_sets, leduc.cards, LINEAR)
    resumed.run(200_000)
    assert (whole.cells == resumed.cells).all()


def test_games_with_more_ranks_converge():
    """Leduc poker with 5 ranks: deals are listed, hands numbered for the deck at hand."""
    game = SmallGame("leduc", ranks=5)
    assert isinstance(game.cards, LosslessAbstraction)
    assert game.exploitability(learned(game, 1_000_000).average) < 0.03
