"""Straights among ranks; the made hands are tested with the bots that read them."""

from itertools import combinations

from engine.showdown.made_hands import straights

FIVES = [(12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9))]


def test_five_ranks_make_the_straight_that_they_are():
    """The wheel is the lowest; of all sets of five ranks ten are straights."""
    sets = [sum(1 << rank for rank in five) for five in combinations(range(13), 5)]
    made = {ranks: straights(ranks) for ranks in sets if straights(ranks)}
    assert made == {sum(1 << r for r in five): 1 << at for at, five in enumerate(FIVES)}


def test_more_ranks_make_all_straights_that_lie_within():
    """Seven in a row make three."""
    assert straights(0b1111111) == 0b1110
    assert straights(0x1FFF) == 0b1111111111
    assert straights(0) == 0
