"""Trials: what an individual wins depends on nobody else, nor on how many play at once."""

import numpy as np
import pytest

from agents.errors import UnknownAgent
from agents.evolution import trials
from agents.evolution.trials import trial, trial_seed
from agents.roster.bots import find_agent
from engine.play.compiled_match import play_matches
from tests.helpers.evolving import HUNL, play_small, small_genomes

GENOMES = small_genomes(5)
MET = ("O3", "O2", "plane-25-75")
DEALS, SEED = 6, 77


@pytest.fixture(scope="module")
def won():
    """What all five win from all three."""
    found = trial(HUNL, GENOMES, play_small, MET, DEALS, SEED, threads=1)
    assert found.shape == (5, 3)
    assert len(np.unique(found)) > 8
    return found


def test_company_makes_no_difference(won, monkeypatch):
    """Alone, in another order, among others, however many at once: the same to the bit."""
    for one in range(len(GENOMES)):
        alone = trial(HUNL, GENOMES[one : one + 1], play_small, MET, DEALS, SEED)
        np.testing.assert_array_equal(alone[0], won[one])
    turned = trial(HUNL, GENOMES[::-1], play_small, MET, DEALS, SEED)
    np.testing.assert_array_equal(turned, won[::-1])
    for threads, at_once in ((2, 1), (3, 6), (None, 100)):
        monkeypatch.setattr(trials, "_MATCHES_AT_ONCE", at_once)
        found = trial(HUNL, GENOMES, play_small, MET, DEALS, SEED, threads)
        np.testing.assert_array_equal(found, won)


def test_equal_genomes_win_the_same():
    """Deals and draws are those of all."""
    seeds = []

    def player(genome, seed):
        seeds.append(seed)
        return play_small(genome, seed)

    twice = np.concatenate((GENOMES[:2], GENOMES[:2]))
    found = trial(HUNL, twice, player, MET, DEALS, SEED)
    np.testing.assert_array_equal(found[:2], found[2:])
    assert (found[0] != found[1]).any()
    assert seeds == [trial_seed(SEED, 1)] * 4


def test_a_trial_is_a_duplicate_match(won):
    """Chips per hand over both seatings, with the seeds of the deals and of both players."""
    for at, name in enumerate(MET):
        other = find_agent(name).compiled_policy(HUNL, trial_seed(SEED, 2, at))
        for genome, told in zip(GENOMES, won[:, at], strict=True):
            (match,) = play_matches(
                HUNL,
                [(play_small(genome, trial_seed(SEED, 1)), other)],
                DEALS,
                trial_seed(SEED, 3, at),
                duplicate=True,
            )
            assert match.won.shape == (2, DEALS)
            assert told == match.won.sum() / (2 * DEALS)


def test_other_seeds_are_other_deals(won):
    """And each opponent of a trial has deals of its own."""
    assert (trial(HUNL, GENOMES, play_small, MET, DEALS, SEED + 1) != won).any()
    both = trial(HUNL, GENOMES, play_small, ("O2", "O2"), DEALS, SEED)
    assert (both[:, 0] != both[:, 1]).any()


@pytest.mark.parametrize("name", ["O99", "", "rule"])
def test_who_cannot_be_met_is_refused(name):
    """Nobody is called so, or it plays no bulk matches; nothing is played."""

    def player(genome, seed):
        raise AssertionError("somebody played")

    with pytest.raises(UnknownAgent, match=f"'{name}'|{name} is not compiled"):
        trial(HUNL, GENOMES, player, ("O1", name), DEALS, SEED)


def test_seeds_are_as_many_as_numbers():
    """All different, below 2**31, and the same every time."""
    found = [trial_seed(*one) for one in np.ndindex(5, 5, 5)]
    assert len(set(found)) == len(found)
    assert all(0 <= one < 2**31 for one in found)
    assert trial_seed(1, 2, 3) == trial_seed(1, 2, 3)
