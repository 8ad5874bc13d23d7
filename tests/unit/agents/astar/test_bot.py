"""The evolved players as agents: variants, options, and what they refuse."""

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
from agents.errors import GameNotPlayed
from agents.evolution.network import NetworkDamaged
from agents.opponents.policy import pool_policy
from engine.errors import InvalidGame
from engine.play.compiled_match import play_matches
from engine.play.learners import play_learning_match
from protocol.gamedefs import load_builtin
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
    """Nothing is blended."""
    for seed, name in enumerate(("O2", "O8", BASE_STEM), 1):
        alone = ASTAR.policy(SHAPE, some_genome(seed), GAME_ANEW, 4)
        policy = variant_policy(HUNL, 4, name, folder=small_models)
        np.testing.assert_array_equal(won(policy), won(alone))


def test_who_never_is_sure_plays_the_base_strategy(small_models):
    """Hand by hand."""
    never = Blending(confidence=10**9, half_life=0.0)
    policy = variant_policy(HUNL, 4, WHOLE, never, small_models)
    base = variant_policy(HUNL, 4, BASE_STEM, folder=small_models)
    np.testing.assert_array_equal(won(policy), won(base))


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
    for path in small_models.iterdir():
        if path.suffix == ".network":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    one = next(small_models.glob("*.library")).read_bytes()
    with pytest.raises(LibraryDamaged, match="it has no library"):
        astar_bot(models=str(tmp_path))
    (tmp_path / "mine.library").write_bytes(one)
    won = play_learning_match(HUNL, 3, 20, [astar_bot(models=str(tmp_path)), AlwaysCall()])
    named = astar_bot(models=str(tmp_path), library="mine")
    np.testing.assert_array_equal(won, play_learning_match(HUNL, 3, 20, [named, AlwaysCall()]))
    (tmp_path / "other.library").write_bytes(one)
    with pytest.raises(LibraryDamaged, match=r"mine, other.*--library"):
        astar_bot(models=str(tmp_path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "linear"}, "want inverse or exponential or evidence"),
        ({"sharpness": 0.0}, "want more than 0"),
        ({"sharpness": float("nan")}, "want more than 0"),
        ({"sharpness": float("inf")}, "want more than 0, and finite"),
        ({"patience": -1.0}, "patience -1"),
        ({"confidence": -1.0}, "want 0 or more"),
        ({"half_life": -1.0}, "want 0 or more hands"),
        ({"half_life": float("inf")}, "want 0 or more hands"),
        ({"prior": -1.0}, "want nats, 0 or more"),
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


@pytest.mark.parametrize("game", ["hulhe", "leduc", "kuhn"])
def test_other_games_are_refused(game, small_models):
    """Limit hold'em, and what is no hold'em at all."""
    with pytest.raises((GameNotPlayed, InvalidGame)):
        variant_policy(load_builtin(game), 1, BASE_STEM, folder=small_models)


def test_missing_and_damaged_files(small_models, tmp_path):
    """Are named, before anything is played."""
    with pytest.raises(LibraryDamaged, match="wide"):
        astar_bot(models=str(tmp_path))
    assert astar_bot(models=str(small_models), library="known")
    with pytest.raises(LibraryDamaged, match="nowhere"):
        astar_bot(models=str(small_models), library="nowhere")
    with pytest.raises(NetworkDamaged, match="base"):
        astar_bot(BASE_STEM, models=str(tmp_path))
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in small_models.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    assert astar_bot(models=str(copy))
    network_file("O8", copy).write_bytes(b"nothing")
    fresh = tmp_path / "fresh"
    copy.rename(fresh)
    with pytest.raises(NetworkDamaged, match="O8"):
        astar_bot(models=str(fresh))
