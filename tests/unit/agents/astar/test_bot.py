"""The evolved players as agents: variants, options, and what they refuse."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from agents.astar.bot import VARIANTS, astar_bot, variant_policy
from agents.astar.ensemble.library import LibraryDamaged
from agents.astar.ensemble.policy import BY_STREET, Blending
from agents.astar.ensemble_models import BASE_STEM, network_file
from agents.astar.family import ASTAR
from agents.astar.options import AVERAGE, EIGHT, SIMILAR, STREET, WHOLE
from agents.baselines.always_call import AlwaysCall
from agents.evolution.network import NetworkDamaged
from agents.opponents.policy import pool_policy
from engine.play.compiled_match import play_matches
from engine.play.learners import play_learning_match
from tests.unit.agents.astar.grown import GAME_ANEW, HUNL, SHAPE, some_genome


def won(policy, opponent="O6", hands=400):
    """What a player wins, hand by hand."""
    other = pool_policy(opponent, HUNL, 3)
    [result] = play_matches(HUNL, [(policy, other)], hands, 5)
    return result.won[0]


@pytest.mark.parametrize("variant", [*VARIANTS, BASE_STEM, "O2", "O8"])
def test_all_variants_play(variant, small_models):
    """To the end of a match, and differently from each other."""
    chips = won(variant_policy(HUNL, 1, variant, folder=small_models))
    assert np.isfinite(chips).all()
    assert (chips != won(variant_policy(HUNL, 1, "O2", folder=small_models))).any() == (
        variant != "O2"
    )


def test_base_and_counters_are_their_networks(small_models):
    """Nothing is blended; who never is sure plays the base strategy, too."""
    for seed, name in enumerate(("O2", "O8", BASE_STEM), 1):
        alone = won(ASTAR.policy(SHAPE, some_genome(seed), GAME_ANEW, 4))
        policy = variant_policy(HUNL, 4, name, folder=small_models)
        np.testing.assert_array_equal(won(policy), alone)
    never = Blending(confidence=10**9, half_life=0.0)
    policy = variant_policy(HUNL, 4, WHOLE, never, small_models)
    np.testing.assert_array_equal(won(policy), alone)


def test_who_is_always_sure_is_the_similar_variant(small_models):
    """The average and the whole are others."""
    sure = replace(BY_STREET, confidence=0)
    always = variant_policy(HUNL, 4, STREET, sure, small_models)
    similar = variant_policy(HUNL, 4, SIMILAR, folder=small_models)
    np.testing.assert_array_equal(won(always), won(similar))
    whole = variant_policy(HUNL, 4, EIGHT, folder=small_models)
    average = variant_policy(HUNL, 4, AVERAGE, folder=small_models)
    assert (won(whole) != won(similar)).any()
    assert (won(average) != won(similar)).any()


def test_options_reach_the_player(small_models):
    """And change what it does at the table."""
    folder = str(small_models)
    choices = (
        {"prior": 0},
        {"prior": 0, "confidence": 0},
        {"prior": 0, "half_life": 50},
        {"form": "inverse", "confidence": 0},
        {"prior": 40},
    )
    results = [
        play_learning_match(HUNL, 3, 60, [astar_bot(models=folder, **options), AlwaysCall()])[
            :, 0
        ].tolist()
        for options in choices
    ]
    assert len(set(map(tuple, results))) == len(results)


def test_the_only_library_of_a_folder_is_played(small_models, tmp_path):
    """Whatever its name; several are told, and none."""
    for path in small_models.glob("*.network"):
        shutil.copy(path, tmp_path)
    library = next(small_models.glob("*.library"))
    with pytest.raises(LibraryDamaged, match="it has no library"):
        astar_bot(models=str(tmp_path))
    shutil.copy(library, tmp_path / "mine.library")
    models = str(tmp_path)
    won, again = (
        play_learning_match(HUNL, 3, 20, [bot, AlwaysCall()])
        for bot in (astar_bot(models=models), astar_bot(models=models, library="mine"))
    )
    np.testing.assert_array_equal(won, again)
    shutil.copy(library, tmp_path / "other.library")
    with pytest.raises(LibraryDamaged, match=r"mine, other.*--library"):
        astar_bot(models=str(tmp_path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "linear"}, "want inverse or exponential or evidence"),
        ({"half_life": float("inf")}, "want 0 or more hands"),
        ({"prior": float("inf")}, "want nats, 0 or more"),
        ({"confidence": 2.5}, "want a whole number"),
        ({"library": "../known"}, "want letters, digits"),
        ({"variant": "O2"}, "variant 'O2': want whole, sure"),
    ],
)
def test_options_out_of_range(options, message, small_models):
    """Each is told by its name."""
    with pytest.raises(ValueError, match=message):
        astar_bot(models=str(small_models), **options)


def test_missing_and_damaged_files(small_models, tmp_path):
    """Are named, before anything is played."""
    with pytest.raises(LibraryDamaged, match="wide"):
        astar_bot(models=str(tmp_path))
    with pytest.raises(LibraryDamaged, match="nowhere"):
        astar_bot(models=str(small_models), library="nowhere")
    with pytest.raises(NetworkDamaged, match="base"):
        astar_bot(BASE_STEM, models=str(tmp_path))
    copy = tmp_path / "copy"
    shutil.copytree(small_models, copy)
    network_file("O8", copy).write_bytes(b"nothing")
    with pytest.raises(NetworkDamaged, match="O8"):
        astar_bot(models=str(copy))
