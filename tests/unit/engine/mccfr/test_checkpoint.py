from dataclasses import replace

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.betting.info_sets import build_info_sets
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.settings import MccfrSettings, Pruning
from engine.rules.state import HandState

SETTINGS = MccfrSettings(period=700)


def begin(game, settings=SETTINGS, generator=None):
    """Return a run that has not begun."""
    generator = generator or np.random.default_rng(1)
    return Mccfr(game.info_sets, game.cards, generator, settings)


def resume(game, path, settings=SETTINGS):
    """Return the saved run."""
    return load_run(path, game.info_sets, game.cards, settings)


@pytest.mark.parametrize(
    "settings",
    [
        SETTINGS,
        MccfrSettings(period=700, whole_regrets=True, unit=0.01),
        MccfrSettings(period=700, workers=2, merge_every=250),
        MccfrSettings(period=700, pruning=Pruning(-20.0, 10.0, after=900, on_last_street=True)),
    ],
)
def test_a_resumed_run_is_the_same_run(leduc, tmp_path, settings):
    """2 n iterations are n, a checkpoint, and n more, to the last bit."""
    whole, first = begin(leduc, settings), begin(leduc, settings)
    whole.run(2000)
    first.run(1000)
    save_run(first, tmp_path / "run")
    second = resume(leduc, tmp_path / "run", settings)
    second.run(1000)
    assert (whole.cells.view(np.uint32) == second.cells.view(np.uint32)).all()
    assert (whole.iterations, whole.nodes, whole.weight) == (
        second.iterations,
        second.nodes,
        second.weight,
    )


def test_a_checkpoint_does_not_disturb_the_run(leduc, tmp_path):
    """It goes on as if nothing had been saved."""
    plain, saved = begin(leduc), begin(leduc)
    for _ in range(2):
        plain.run(500)
        saved.run(500)
        save_run(saved, tmp_path / "run")
    assert (plain.cells == saved.cells).all()


def test_a_checkpoint_is_for_one_game_and_one_way_to_learn(leduc, tmp_path):
    """Other settings, bets or cards are refused by name; a memory limit may change."""
    path = tmp_path / "run"
    run = begin(leduc)
    run.run(100)
    save_run(run, path)
    others = replace(SETTINGS, period=800, variant=VARIANTS["dcfr"])
    with pytest.raises(ArtifactMismatch, match="variant, period"):
        resume(leduc, path, others)
    assert resume(leduc, path, replace(SETTINGS, memory_limit=1 << 30)).iterations == 100

    class SwappedCards:
        counts = leduc.cards.counts

        def buckets_of_deals(self, deals, players=2):
            return leduc.cards.buckets_of_deals(deals, players)[:, ::-1]

    with pytest.raises(ArtifactMismatch, match="another card abstraction"):
        load_run(path, leduc.info_sets, SwappedCards(), SETTINGS)
    fewer = build_betting_tree(HandState.start(leduc.definition), menu_of((1.0,), max_raises=1))
    other = build_info_sets(fewer, leduc.cards.counts)
    with pytest.raises(ArtifactMismatch, match="another betting tree"):
        load_run(path, other, leduc.cards, SETTINGS)


@pytest.mark.parametrize("kind", [np.random.MT19937, np.random.PCG64DXSM])
def test_only_the_usual_generators_are_saved(leduc, tmp_path, kind):
    """Those that the resumed run will have."""
    run = begin(leduc, generator=np.random.Generator(kind(1)))
    with pytest.raises(ValueError, match=f"{kind.__name__}.*PCG64"):
        save_run(run, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_settings_are_compared_as_numbers(leduc, tmp_path):
    """Whether they are NumPy's or Python's, whole or not."""
    path = tmp_path / "run"
    numpys = MccfrSettings(
        period=np.int64(700),
        floor=np.int64(-50),
        pruning=Pruning(np.float32(-20.0), 10, after=np.int32(50)),
    )
    run = begin(leduc, numpys)
    run.run(np.int64(100))
    save_run(run, path)
    same = MccfrSettings(period=700, floor=-50.0, pruning=Pruning(-20, 10.0, after=50))
    assert resume(leduc, path, same).iterations == 100
    with pytest.raises(ArtifactMismatch, match="other settings: floor"):
        resume(leduc, path, replace(same, floor=-50.5))
