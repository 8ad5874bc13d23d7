"""Games told player by player."""

import pytest

from engine.small_games.coin_toss import GUESS, HEADS, TAILS, coin_toss
from engine.small_games.game_tree import Chance, Decision, Terminal, build_tree
from engine.small_games.kuhn import kuhn
from engine.small_games.largest_reach import largest_cf_reach
from engine.small_games.sequence_form import sequence_form


@pytest.fixture(scope="module")
def form():
    """Coin Toss."""
    return sequence_form(coin_toss())


def test_information_sets_follow_their_owners_last_action(form):
    """Nobody in Coin Toss acts twice, so all follow the empty sequences 7 and 8."""
    assert form.sequences == 9
    first, second = form.sides
    assert (first.root, second.root) == (7, 8)
    assert first.parent.tolist() == [7, 7]
    assert second.parent.tolist() == [8]
    assert form.actions(0).tolist() == [0, 1, 2, 3]
    assert form.actions(1).tolist() == [4, 5, 6]


def test_second_decisions_follow_the_first():
    """In Kuhn poker player 0 acts again only after checking."""
    tree = kuhn()
    side = sequence_form(tree).sides[0]
    again = tree.info_set_of((1, "cr"))
    check = tree.actions_of(tree.info_set_of((1, ""))).start
    assert side.parent[side.info_set.tolist().index(again)] == check


def test_pairs_add_up_payoffs_weighted_by_chance(form):
    """Player 1's guess of heads meets both coins; it wins what player 0 loses."""
    tree = form.tree
    play_heads = tree.actions_of(tree.info_set_of(HEADS)).start + 1
    play_tails = tree.actions_of(tree.info_set_of(TAILS)).start + 1
    guess_heads = tree.actions_of(tree.info_set_of(GUESS)).start
    assert pairs_of(form, guess_heads) == {play_heads: 0.5, play_tails: -0.5}
    assert pairs_of(form, play_heads) == {4: -0.5, 5: 0.5, 6: 0.5}
    assert pairs_of(form, play_heads - 1) == {8: 0.25}
    assert len(form.pairs.other) == 2 * 8


def pairs_of(form, sequence):
    """The opponent's sequences that meet one, and what is won with them."""
    entries = slice(form.pairs.start[sequence], form.pairs.start[sequence + 1])
    return dict(
        zip(form.pairs.other[entries].tolist(), form.pairs.payoff[entries].tolist(), strict=True)
    )


def test_chance_after_the_last_actions_is_summed_out():
    """All its outcomes make one pair; pairs with which nothing is won are left out."""

    def describe(history):
        if len(history) < 2:
            return Decision(len(history), len(history), (0, 1))
        if history == (1, 1):
            return Terminal(0)
        return Chance((1, 5), (0.25, 0.75)) if len(history) == 2 else Terminal(history[2])

    form = sequence_form(build_tree(describe))
    assert [pairs_of(form, sequence) for sequence in range(4)] == [
        {2: 4, 3: 4},
        {2: 4},
        {0: -4, 1: -4},
        {0: -4},
    ]


def test_largest_reach_counts_what_an_opponent_can_do_at_once():
    """Heads comes half of the time; the guess always, if player 0 always plays."""
    tree = coin_toss()
    reach = largest_cf_reach(tree)
    assert reach[tree.info_set_of(HEADS)] == 0.5
    assert reach[tree.info_set_of(GUESS)] == 1.0
    copies = coin_toss(two_copies=True)
    assert largest_cf_reach(copies).tolist() == [0.5] * 4
