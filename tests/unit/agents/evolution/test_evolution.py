"""Plans, generations that are drawn from the seed alone, and trials that processes share."""

import numpy as np
import pytest

from agents.evolution.evolution import (
    FINAL_DEALS_FACTOR,
    Evolution,
    GenerationResult,
    Stage,
    shared_trial,
)
from agents.evolution.selection import LinearSchedule, ReproductionConfig
from agents.evolution.trials import trial, trial_seed
from tests.helpers.evolving import HUNL, SHAPE, STAGES, play_small, small_genomes, small_plan
from tests.helpers.thread_peers import together


def begun(**changes):
    """Return a small evolution, or one of another plan."""
    return Evolution(small_plan(**changes), HUNL, play_small)


def test_stages_follow_each_other():
    """Generations are counted through them, to the last."""
    plan = small_plan()
    assert plan.generations == 4
    assert [plan.stage(at) for at in range(4)] == [STAGES[0]] * 2 + [STAGES[1]] * 2
    with pytest.raises(IndexError):
        plan.stage(4)


@pytest.mark.parametrize(("founders", "first"), [(7, 7), (5, 5), (3, 5), (0, 5)])
def test_the_first_generation_may_be_larger(founders, first):
    """Founders, if they are more than the population; deals are counted by generation."""
    plan = small_plan(founders=founders)
    assert [plan.individuals(at) for at in range(3)] == [first, 5, 5]
    assert begun(founders=founders).genomes.shape == (first, SHAPE.genome)
    assert plan.deals == sum(
        plan.individuals(at) * plan.stage(at).deals * len(plan.stage(at).opponents)
        for at in range(plan.generations)
    )


WRONG = {
    "1 individuals": {"population": 1},
    "seed -1": {"seed": -1},
    "one stage": {"stages": ()},
    "without generations": {"stages": (STAGES[0], Stage(0, ("O2",), 6))},
    "a stage without": {"stages": (Stage(1, ("O2",), 0),)},
    "deals or opponents": {"stages": (Stage(1, (), 6),)},
}


def test_what_cannot_be_played_is_refused():
    """Too few individuals, a seed below 0, and stages in which nothing happens."""
    for told, changes in WRONG.items():
        with pytest.raises(ValueError, match=told):
            small_plan(**changes)


def test_a_plan_is_told_in_plain_values():
    """All of it: two plans that differ anywhere are told differently."""
    usual = small_plan().facts()
    others = [
        small_plan(seed=12),
        small_plan(founders=8),
        small_plan(population=6),
        small_plan(stages=STAGES[:1]),
        small_plan(breeding=ReproductionConfig(0.4, "tiered", LinearSchedule(0.2, 0.1))),
        small_plan(stages=(STAGES[0], STAGES[1]._replace(opponents=("O2", "O1")))),
    ]
    assert usual == small_plan().facts()
    assert usual["stages"][1] == {"generations": 2, "opponents": ["O1", "O2"], "deals": 3}
    for other in others:
        assert other.facts() != usual


def test_a_generation_is_drawn_from_the_seed_alone():
    """Its children do not depend on what was drawn before it, but on plan, number and parents."""
    genomes, fitness = small_genomes(5), np.arange(5.0)
    alike = ReproductionConfig(
        0.4, rate=LinearSchedule(0.5, 0.5), strength=LinearSchedule(1.0, 1.0)
    )

    def children(generation, **changes):
        evolution = begun(breeding=alike, **changes)
        evolution.generation, evolution.genomes = generation, genomes.copy()
        evolution.renew(fitness)
        assert evolution.generation == generation + 1
        return evolution.genomes

    first, second = children(1), children(2)
    np.testing.assert_array_equal(children(1), first)
    assert (first != second).any()
    assert (children(1, seed=12) != first).any()
    assert (begun().genomes != begun(seed=12).genomes).any()
    np.testing.assert_array_equal(begun().genomes, begun().genomes)


def test_a_generation_is_judged_by_its_stage():
    """The opponents, deals and seed of its own.

    The final is the survivors over more deals, which none of the generations had.
    """
    evolution = begun()
    for _ in range(2):
        evolution.renew(evolution.judge().fitness)
    found = evolution.judge()
    expected = trial(HUNL, evolution.genomes, play_small, ("O1", "O2"), 3, trial_seed(11, 1, 2))
    np.testing.assert_array_equal(found.won, expected)
    assert (found.generation, found.opponents) == (2, ("O1", "O2"))
    assert found.fitness.tolist() == (expected / expected.max(axis=0)).mean(axis=1).tolist()
    while not evolution.done:
        evolution.renew(evolution.judge().fitness)
    deals, seed = FINAL_DEALS_FACTOR * 3, trial_seed(11, 1, 4)
    expected = trial(HUNL, evolution.genomes[:2], play_small, ("O1", "O2"), deals, seed)
    np.testing.assert_array_equal(evolution.final().won, expected)


def test_rates_fade_over_all_generations(monkeypatch):
    """From the first of the first stage to the last of the last, not stage by stage."""
    asked = []

    def renewed(genomes, fitness, population, segments, spread, breeding, rate, strength, rng):
        asked.append((rate, strength))
        return genomes[:population]

    monkeypatch.setattr("agents.evolution.evolution.next_generation", renewed)
    evolution = begun(
        breeding=ReproductionConfig(
            0.4, rate=LinearSchedule(0.4, 0.1), strength=LinearSchedule(3.0, 0.0)
        )
    )
    while not evolution.done:
        evolution.renew(np.zeros(len(evolution.genomes)))
    rates, strengths = zip(*asked, strict=True)
    assert rates == pytest.approx((0.4, 0.3, 0.2, 0.1))
    assert strengths == pytest.approx((3.0, 2.0, 1.0, 0.0))


def test_results_are_told_in_mbb_per_hand():
    """Mean, best and normaliser; the best is the fittest."""
    won = np.array([[50.0, -100.0], [400.0, -20.0], [-400.0, -60.0]])
    told = GenerationResult(3, ("a", "b"), np.array([0.1, 0.4, -0.8]), won).facts(100)
    assert told == {
        "generation": 3,
        "opponents": ["a", "b"],
        "mean_fitness": pytest.approx(-0.1),
        "best_fitness": 0.4,
        "normaliser": [4000.0, 1000.0],
        "mean_won": [166.7, -600.0],
        "best_won": [4000.0, -200.0],
    }


@pytest.mark.parametrize("size", [2, 6])
def test_processes_share_a_trial(size):
    """Each ends with what one process finds, to the bit; more processes than individuals, too."""
    genomes, played = small_genomes(5), []

    def player(genome, seed):
        played.append(genome)
        return play_small(genome, seed)

    asked = (HUNL, genomes, player, ("O2", "O3"), 4, 9)
    alone = trial(*asked)
    played.clear()
    for found in together(size, lambda peers: shared_trial(*asked, threads=1, peers=peers)):
        np.testing.assert_array_equal(found, alone)
    assert len(played) == 5


def test_a_shared_generation_is_that_of_one_process():
    """Judged, renewed and judged again by two: the same genomes and results, to the bit."""

    def generations(peers):
        evolution, found = begun(), []
        while not evolution.done:
            found.append(evolution.judge(1, peers))
            evolution.renew(found[-1].fitness)
        found.append(evolution.final(1, peers))
        return evolution.genomes, [one.won for one in found]

    genomes, won = generations(None)
    for shared, found in together(2, generations):
        np.testing.assert_array_equal(shared, genomes)
        for one, other in zip(found, won, strict=True):
            np.testing.assert_array_equal(one, other)
