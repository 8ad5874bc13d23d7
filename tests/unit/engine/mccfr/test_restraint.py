"""Robust responses to an opponent that is partly known."""

from itertools import product

import numpy as np
import pytest

from engine.errors import ArtifactMismatch
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.kernels import make_queue
from engine.mccfr.restrained_kernels import traverse_restrained
from engine.mccfr.restraint import Restraint
from engine.mccfr.settings import MccfrSettings, Pruning
from engine.small_games.abstract_profile import abstract_profile
from engine.small_games.tree_values import node_values
from tests.helpers.small_mccfr import make_rules, make_tables, random_deals
from tests.oracles.mccfr import SlowRestrained

SETTINGS = MccfrSettings(period=1000)


def uniform(game):
    """Return a strategy by decision that looks at nothing."""

    def strategy(node):
        shape = game.cards.counts[int(game.betting.street[node])], game.betting.child_count[node]
        return np.full(shape, 1 / shape[1], np.float32)

    return strategy


def some_counts(game, seed=1):
    """Return counts at about half of the information sets."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(game.info_sets.cells, np.float32)
    for node in game.betting.decisions.tolist():
        rows = game.info_sets.rows_of(counts, node)
        actions = rows.shape[1] // 2
        rows[:, :actions] = rng.integers(0, 9, (len(rows), actions)) * (
            rng.random((len(rows), 1)) < 0.5
        )
    return counts


def response(game, restraint, iterations, seed=1):
    """Return a run that has learned a response."""
    generator = np.random.default_rng(seed)
    run = Mccfr(game.info_sets, game.cards, generator, SETTINGS, restraint=restraint)
    run.run(iterations)
    return run


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_kernel_does_what_the_slow_way_does(name, request):
    """Regrets and sums of both, after deals in which each is the opponent."""
    game = request.getfixturevalue(name)
    info_sets = game.info_sets
    restraint = Restraint.of_counts(info_sets, some_counts(game), 0.8, 3.0)
    deals = random_deals(np.random.default_rng(2), 300, game.cards.counts)
    cells = np.zeros(info_sets.cells, np.float32)
    ours, theirs = make_tables(info_sets, cells), make_tables(info_sets, restraint.free)
    queue = make_queue(info_sets.walk)
    traverse_restrained(ours, theirs, restraint.fixed, deals, make_rules(), queue)
    fixed = {}
    for node in game.betting.decisions.tolist():
        rows = info_sets.rows_of(restraint.fixed, node)
        actions = rows.shape[1] // 2
        for bucket, row in enumerate(rows.tolist()):
            fixed[node, bucket] = row[actions], row[:actions]
    slow = SlowRestrained(info_sets, fixed)
    slow.traverse(deals)
    for table, (regret, sums) in zip((cells, restraint.free), slow.both, strict=True):
        for node in game.betting.decisions.tolist():
            for bucket, row in enumerate(info_sets.rows_of(table, node)):
                actions, here = len(row) // 2, (node, bucket)
                want = regret[here][:actions] + sums[here][:actions]
                np.testing.assert_allclose(row, want, rtol=1e-3, atol=1e-3)


def test_full_trust_is_a_best_response(leduc):
    """Against uniform play it is worth half of Leduc's NashConv of 4.7472."""
    run = response(leduc, Restraint.of_strategy(leduc.info_sets, uniform(leduc)), 150_000)
    tree = leduc.form.tree
    mine = abstract_profile(tree, leduc.betting, leduc.cards, run.average)
    won = [worth(tree, mine, tree.uniform(), seat) for seat in (0, 1)]
    assert np.mean(won) == pytest.approx(4.7472 / 2, abs=0.03)


def test_no_trust_is_an_equilibrium(leduc):
    """What the opponent was seen to do is then nothing."""
    run = response(
        leduc, Restraint.of_counts(leduc.info_sets, some_counts(leduc), 0.0, 1.0), 200_000
    )
    assert leduc.exploitability(run.average) < 0.1


@pytest.mark.parametrize("seat", [0, 1])
def test_a_response_is_a_solution_of_the_restrained_game(kuhn, seat):
    """It wins, at worst, the value of the game of all pure strategies of both, as a matrix."""
    counts = some_counts(kuhn, 5)
    restraint = Restraint.of_counts(kuhn.info_sets, counts, 0.7, 2.0)
    tree = kuhn.form.tree

    def rows(node, trusted):
        table = kuhn.info_sets.rows_of(restraint.fixed, node)
        return table[:, 2:3] if trusted else np.where(table[:, 2:3] > 0, table[:, :2], 0.5)

    fixed = abstract_profile(tree, kuhn.betting, kuhn.cards, lambda node: rows(node, False))
    trust = np.zeros_like(fixed)
    nodes = {kuhn.betting.betting(node): node for node in kuhn.betting.decisions.tolist()}
    for info_set, (card, betting) in enumerate(tree.info_set_names):
        bucket = kuhn.cards.bucket([kuhn.definition.deck[card]], [])
        trust[tree.actions_of(info_set)] = rows(nodes[betting], True)[bucket]
    theirs = [trust * fixed + (1 - trust) * one for one in pure(tree, 1 - seat)]
    wins = np.array(
        [[worth(tree, mine, other, seat) for other in theirs] for mine in pure(tree, seat)]
    )
    run = response(kuhn, restraint, 200_000)
    mine = abstract_profile(tree, kuhn.betting, kuhn.cards, run.average)
    least = min(worth(tree, mine, other, seat) for other in theirs)
    low, high = value_of_matrix(wins)
    assert low - 0.01 < least < high + 1e-6


def pure(tree, player):
    """Yield the profiles in which a player always does one thing at each decision."""
    own = np.flatnonzero(tree.owner == player).tolist()
    for picks in product((0, 1), repeat=len(own)):
        profile = tree.uniform()
        for info_set, pick in zip(own, picks, strict=True):
            profile[tree.actions_of(info_set)] = np.eye(2)[pick]
        yield profile


def worth(tree, mine, other, seat):
    """Return what a player in a seat wins, the other one playing another profile."""
    profile = other.copy()
    for info_set in np.flatnonzero(tree.owner == seat).tolist():
        profile[tree.actions_of(info_set)] = mine[tree.actions_of(info_set)]
    return (1 if seat == 0 else -1) * node_values(tree, profile)[0]


def value_of_matrix(wins, steps=5_000):
    """Return bounds on the value of a matrix game, by regret matching of both."""
    regret = [np.zeros(side) for side in wins.shape]
    played = [np.zeros(side) for side in wins.shape]
    for _ in range(steps):
        mixed = [
            above / above.sum() if above.sum() > 0 else np.full(len(above), 1 / len(above))
            for above in (np.maximum(one, 0) for one in regret)
        ]
        for one, gains in enumerate((wins @ mixed[1], -(mixed[0] @ wins))):
            regret[one] = np.maximum(regret[one] + gains - gains @ mixed[one], 0)
            played[one] += mixed[one]
    first, second = (one / one.sum() for one in played)
    return (first @ wins).min(), (wins @ second).max()


def test_a_response_is_resumed_with_the_same_bits(leduc, tmp_path):
    """With what the opponent's free part has learned; against another opponent it is refused."""

    def restraint(seed=1):
        return Restraint.of_counts(leduc.info_sets, some_counts(leduc, seed), 0.9, 5.0)

    whole = response(leduc, restraint(), 4000)
    half = response(leduc, restraint(), 2000)
    save_run(half, tmp_path / "run")
    again = load_run(
        tmp_path / "run", leduc.info_sets, leduc.cards, SETTINGS, restraint=restraint()
    )
    again.run(2000)
    assert (again.cells == whole.cells).all()
    assert (again.restraint.free == whole.restraint.free).all()
    for wrong in (restraint(2), None):
        with pytest.raises(ArtifactMismatch, match="another opponent"):
            load_run(tmp_path / "run", leduc.info_sets, leduc.cards, SETTINGS, restraint=wrong)


def test_trust_grows_with_what_was_seen(kuhn):
    """trust * n / (n + doubt); where nothing was seen there is none."""
    counts = np.zeros(kuhn.info_sets.cells, np.float32)
    node = int(kuhn.betting.decisions[0])
    kuhn.info_sets.rows_of(counts, node)[:2, :2] = [[3, 1], [0, 12]]
    restraint = Restraint.of_counts(kuhn.info_sets, counts, 0.9, 4.0)
    rows = kuhn.info_sets.rows_of(restraint.fixed, node)
    np.testing.assert_allclose(rows[:, :3], [[0.75, 0.25, 0.45], [0, 1, 0.675], [0, 0, 0]])


@pytest.mark.parametrize(
    ("trust", "doubt", "change", "why"),
    [
        (1.1, 1.0, 0, "trust 1.1"),
        (0.5, -1.0, 0, "doubt -1"),
        (0.5, np.inf, 0, "doubt inf"),
        (0.5, 1.0, -1, "counts are negative"),
        (0.5, 1.0, np.nan, "counts are negative"),
    ],
)
def test_impossible_opponents_are_refused(kuhn, trust, doubt, change, why):
    """In a line."""
    counts = np.zeros(kuhn.info_sets.cells, np.float32)
    counts[0] = change
    with pytest.raises(ValueError, match=why):
        Restraint.of_counts(kuhn.info_sets, counts, trust, doubt)
    with pytest.raises(ValueError, match="another game"):
        Restraint.of_counts(kuhn.info_sets, counts[1:], 0.5, 1.0)
    with pytest.raises(ValueError, match="trust 2"):
        Restraint.of_strategy(kuhn.info_sets, uniform(kuhn), 2)


@pytest.mark.parametrize(
    "settings",
    [
        MccfrSettings(pruning=Pruning(-10.0, 1.0)),
        MccfrSettings(whole_regrets=True, unit=0.01),
        MccfrSettings(workers=2, merge_every=100),
    ],
)
def test_what_only_an_equilibrium_takes_is_refused(kuhn, settings):
    """Pruning, whole regrets and merging."""
    restraint = Restraint.of_strategy(kuhn.info_sets, uniform(kuhn))
    with pytest.raises(ValueError, match="a response is learned without"):
        Mccfr(kuhn.info_sets, kuhn.cards, np.random.default_rng(1), settings, restraint=restraint)
