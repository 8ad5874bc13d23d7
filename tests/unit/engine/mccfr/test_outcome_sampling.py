import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.errors import InvalidGame
from engine.small_games.abstract_profile import abstract_profile
from tests.helpers.small_mccfr import SmallGame, exact_changes, shallow_holdem
from tests.oracles import outcome_sampling
from tests.oracles.outcome_sampling import OutcomeSampling


@pytest.fixture(scope="module")
def kuhn():
    """The smallest game."""
    return SmallGame("kuhn")


@pytest.fixture(scope="module")
def leduc():
    """One board card."""
    return SmallGame("leduc")


def learner(game, seed=1, **options):
    """Return a solver that has not begun."""
    return OutcomeSampling(game.betting, np.random.default_rng(seed), **options)


def exploitability(game, solver):
    """Return the exploitability of the average strategy, in chips."""
    profile = abstract_profile(game.form.tree, game.betting, solver, solver.average)
    return game.exploitability_of(profile)


@pytest.mark.parametrize(
    ("baselines", "samples"),
    [
        pytest.param(0.0, 3000, marks=pytest.mark.slow),
        (3.0, 3000),
        pytest.param(3.0, 50_000, marks=pytest.mark.slow),
    ],
)
def test_samples_are_right_on_average(kuhn, baselines, samples):
    """Regrets are those of CFR however wrong the baselines are; within 5 standard deviations."""
    solver = learner(kuhn, decay=0.0, floor=False, average_power=0.0)
    tables = solver.tables
    generator = np.random.default_rng(11)
    start = generator.normal(1, 2, tables.regret.shape)
    tables.baseline[:] = generator.normal(0, baselines, tables.baseline.shape)
    tables.baseline[kuhn.betting.child_count == 0, 3] += baselines

    def strategy(node):
        above = np.maximum(start[node, 3], 0)
        total = above.sum(axis=1, keepdims=True)
        return np.where(total > 0, above / np.where(total > 0, total, 1), 0.5).astype(np.float32)

    nodes = [node for node in map(int, kuhn.betting.decisions) if not kuhn.betting.kind[node]]
    found = np.empty((samples, len(nodes), 3, 4))
    for sample in range(samples):
        tables.regret[:] = start
        tables.strategy_sum[:] = 0
        solver.run(1)
        found[sample, ..., :2] = (tables.regret - start)[nodes, 3]
        found[sample, ..., 2:] = tables.strategy_sum[nodes, 3]
    mean, error = found.mean(axis=0), found.std(axis=0) / np.sqrt(samples)
    changes = exact_changes(kuhn, strategy)
    for at, node in enumerate(nodes):
        for card in range(3):
            want = changes[node, card].copy()
            want[2:] *= 3  # sums are of all deals here, not of one
            assert (np.abs(mean[at, card] - want) <= 5 * error[at, card] + 1e-6).all()


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_small_games_are_learned(request, name):
    """Exploitability in chips after 40 000 iterations with baselines and floored regrets."""
    game = request.getfixturevalue(name)
    solver = learner(game)
    before = exploitability(game, solver)
    solver.run(40_000)
    assert exploitability(game, solver) < 0.03 * before


def test_baselines_learn_faster(leduc):
    """At the same number of iterations, by far."""
    plain = learner(leduc, decay=0.0, floor=False, average_power=0.0)
    reduced = learner(leduc)
    for solver in (plain, reduced):
        solver.run(30_000)
    assert exploitability(leduc, reduced) < 0.2 * exploitability(leduc, plain)


def test_runs_repeat_and_may_be_cut(leduc):
    """The generator is the only source of chance."""
    whole, cut = learner(leduc), learner(leduc)
    whole.run(300)
    for iterations in (100, 0, 200):
        cut.run(iterations)
    assert (whole.tables.regret == cut.tables.regret).all()
    assert whole.iterations == cut.iterations == 300


def test_the_average_is_uniform_at_first_and_adds_to_one(leduc):
    """At every decision, for every card and board."""
    solver = learner(leduc)
    for iterations in (0, 50):
        solver.run(iterations)
        for node in map(int, leduc.betting.decisions):
            average = solver.average(node)
            assert average.shape == (7 * 6, leduc.betting.child_count[node])
            assert np.allclose(average.sum(axis=1), 1)
            assert iterations or np.ptp(average) == 0


def test_what_it_cannot_solve_is_refused(leduc):
    """Two hole cards, odd options, nodes that are no decisions."""
    generator = np.random.default_rng(0)
    with pytest.raises(InvalidGame, match="two cards in two hands"):
        OutcomeSampling(shallow_holdem(menu_of((1.0,), max_raises=1)), generator)
    for options in (
        {"decay": 1.5},
        {"average_power": -1.0},
        {"average_power": 200.0},
        {"average_power": np.nan},
    ):
        with pytest.raises(ValueError, match="decay"):
            learner(leduc, **options)
    with pytest.raises(ValueError, match="cannot run"):
        learner(leduc).run(-1)
    with pytest.raises(ValueError, match="no decision"):
        learner(leduc).average(leduc.betting.nodes - 1)


@pytest.mark.parametrize("iterations", [300, 2500])
def test_an_interrupt_leaves_a_run_that_can_go_on(leduc, monkeypatch, iterations):
    """Ctrl-C while paths are sampled: what was learned is counted, however it is noticed."""
    compiled, calls = outcome_sampling.learn, []

    def interrupted(*arguments):
        compiled(*arguments)
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    whole, cut = learner(leduc), learner(leduc)
    whole.run(iterations)
    monkeypatch.setattr(outcome_sampling, "learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cut.run(iterations)
    done = cut.iterations
    assert 0 < done <= 1000
    cut.run(iterations - done)
    assert whole.iterations == cut.iterations == iterations
    assert (whole.tables.strategy_sum == cut.tables.strategy_sum).all()


def test_the_largest_power_stays_finite(leduc):
    """Sums are of iterations to the power 16, and shares are taken of them."""
    solver = learner(leduc, average_power=16.0)
    solver.tables.done[0] = 1_000_000_000
    solver.run(100)
    assert np.isfinite(solver.tables.strategy_sum).all()
    assert np.allclose(solver.average(0).sum(axis=1), 1)


def test_only_hands_have_a_row(kuhn, leduc):
    """One card each, one on the board at most, all different and of the deck."""
    solver, deck = learner(leduc), leduc.definition.deck
    rows = {
        solver.bucket([own], board)
        for own in deck
        for board in ([], *[[b] for b in deck if b != own])
    }
    assert len(rows) == 6 + 6 * 5
    other = next(card for card in range(52) if card not in deck)
    for hole, board in (
        ([], []),
        (deck[:2], []),
        ([deck[0]], [deck[0]]),
        ([deck[0]], deck[1:3]),
        ([other], []),
        ([deck[0]], [other]),
    ):
        with pytest.raises(ValueError, match="hole cards"):
            solver.bucket(hole, board)
    with pytest.raises(ValueError, match="on board"):
        learner(kuhn).bucket([kuhn.definition.deck[0]], [kuhn.definition.deck[1]])
