"""Sequences of actions against strengths, and what they tell."""

import math
from collections import Counter

import numpy as np
import pytest

from tests.helpers.studied import random_hands, taken
from tests.studies.sequences import (
    SequenceStudy,
    SequenceTable,
    _Sample,
    information,
)

LOGGED = random_hands("hunl", 40)


def entropy(things):
    """Bits, from the definition."""
    counts = Counter(things).values()
    return -sum(n / len(things) * math.log2(n / len(things)) for n in counts)


def test_information_is_the_difference_of_entropies():
    """H(X) + H(B) - H(X, B) less the bias."""
    random = np.random.default_rng(3)
    ranges = random.integers(5, size=300).tolist()
    things = [(one + int(random.integers(3))) % 4 for one in ranges]
    found = information(things, ranges, list(range(300)))
    pairs = list(zip(things, ranges, strict=True))
    plugged_in = entropy(things) + entropy(ranges) - entropy(pairs)
    cells = len(set(pairs)) - len(set(things)) - len(set(ranges)) + 1
    assert found.bias == pytest.approx(cells / (2 * 300 * math.log(2)))
    assert found.bits == pytest.approx(plugged_in - found.bias)
    assert found.samples == 300


def test_information_of_things_that_know_all_and_nothing():
    """Two bits of four ranges; and, with the bias off, none on average."""
    known = information([0, 1, 2, 3] * 500, ["a", "b", "c", "d"] * 500, range(2000))
    assert known.bits + known.bias == pytest.approx(2)
    random = np.random.default_rng(1)
    found = [
        information(random.integers(6, size=200), random.integers(10, size=200), range(200))
        for _ in range(60)
    ]
    assert np.mean([one.bits + one.bias for one in found]) > 0.1
    assert abs(np.mean([one.bits for one in found])) < 0.02


def test_intervals_hold_what_they_should():
    """In about 95 of 100 draws the true information is inside; deals count once."""
    random = np.random.default_rng(2)
    noise, inside = 0.3, 0
    truth = 1 - entropy([0] * 7 + [1] * 3)
    for _ in range(200):
        ranges = random.integers(2, size=400)
        things = ranges ^ (random.random(400) < noise)
        found = information(things, ranges, range(400))
        inside += abs(found.bits - truth) <= found.half_width
    assert 180 <= inside <= 199
    twice = information(things.repeat(2), ranges.repeat(2), np.arange(400).repeat(2))
    assert twice.half_width == pytest.approx(found.half_width, rel=0.02)


def test_samples_are_streets_of_players():
    """Letters of the wire in their order, commonest first; what has no column is counted too."""
    samples = [_Sample(1, "cr", 0.95, 0), _Sample(1, "c", 0.05, 0), _Sample(1, "c", 0.0, 1)]
    samples += [_Sample(1, "r" * n, 1.0, n) for n in range(1, 9)]
    plain = SequenceTable(samples, 10).plain()
    flop = plain["streets"]["flop"]
    assert list(plain["streets"]) == ["flop"]
    assert flop["sequences"] == ["c", "cr", *("r" * n for n in range(1, 7)), "others"]
    assert flop["counts"][0] == [2, *[0] * 8]
    assert flop["counts"][9] == [0, *[1] * 7, 2]
    assert plain["bits"]["flop"]["sequence"]["samples"] == 11
    assert plain["bits"]["flop"]["single actions"]["samples"] == 4 + sum(range(1, 9))


def test_a_street_of_a_hand(monkeypatch):
    """r300 and a call, check and raise, call: one sequence each."""
    study = taken(SequenceStudy(), LOGGED)
    wanted = Counter()
    for hand in LOGGED.hands:
        for street, text in enumerate(hand.betting.split("/")):
            actor = 1 if street == 0 else 0
            done = ["", ""]
            for letter in "".join(one for one in text if one in "fcr"):
                done[actor] += letter
                actor = 1 - actor
            wanted.update((street, one) for one in done if one)
    assert Counter((one.street, one.sequence) for one in study._samples) == wanted
    assert study.unknown == 0


def test_pieces_and_hidden_hands():
    """Deals keep their numbers; hands that nobody knows are counted as such."""
    both = SequenceStudy()
    for part in (slice(15), slice(15, None)):
        both.add(taken(SequenceStudy(), LOGGED._replace(hands=LOGGED.hands[part])))
    assert both._samples == taken(SequenceStudy(), LOGGED)._samples
    assert both.table(10).plain() == taken(SequenceStudy(), LOGGED).table(10).plain()
