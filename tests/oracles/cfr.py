"""CFR, best responses and values by recursion over a game's description; slow and obvious.

The algorithms are written as in their papers: regrets are discounted after an iteration, and
iteration t is added to the average with its weight.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from engine.small_games.game_tree import Chance, Terminal


def matched(weights):
    """In proportion to positive numbers, uniform without any."""
    positive = [max(weight, 0.0) for weight in weights]
    total = sum(positive)
    return [p / total if total else 1 / len(weights) for p in positive]


def exponential(rate, regrets):
    """In proportion to exp(rate * regret)."""
    top = max(regrets)
    weights = [math.exp(rate * (regret - top)) for regret in regrets]
    return [weight / sum(weights) for weight in weights]


def plain(regret, instant, t):
    """Regrets add up."""
    return regret + instant


def floored(regret, instant, t):
    """Regrets add up and never fall below zero."""
    return max(regret + instant, 0.0)


def discounted(alpha, beta):
    """Regrets are scaled after each iteration, positive and negative ones differently."""

    def update(regret, instant, t):
        power = alpha if regret + instant > 0 else beta
        return (regret + instant) * t**power / (t**power + 1)

    return update


def floored_discounted(alpha, offset):
    """The regrets before this iteration are scaled, the sum is floored."""

    def update(regret, instant, t):
        scale = (t - 1) ** alpha / ((t - 1) ** alpha + offset)
        return max(regret * scale + instant, 0.0)

    return update


@dataclass(frozen=True)
class Algorithm:
    """update(regret, instant, t), match(regrets, instants, t, info_set), weight(t)."""

    update: Callable
    match: Callable = lambda regrets, instants, t, info_set: matched(regrets)
    weight: Callable = lambda t: 1.0


def power(exponent):
    """Regret matching to a power."""
    return lambda regrets, instants, t, _: matched([max(r, 0.0) ** exponent for r in regrets])


def predicting(share):
    """Regret matching with a part of the latest regrets added once more."""
    return lambda regrets, instants, t, _: matched(
        [max(r + share * i, 0.0) for r, i in zip(regrets, instants, strict=True)]
    )


def predicting_discounted(alpha):
    """Likewise, with the accumulated regrets scaled as they will be."""
    return lambda regrets, instants, t, _: matched(
        [
            max(r * t**alpha / (t**alpha + 1) + i, 0.0)
            for r, i in zip(regrets, instants, strict=True)
        ]
    )


ALGORITHMS = {
    "cfr": Algorithm(plain),
    "beta-rm(0.5)": Algorithm(plain, power(0.5)),
    "beta-rm(1.5)": Algorithm(plain, power(1.5)),
    "beta-rm(2)": Algorithm(plain, power(2)),
    "hedge(1)": Algorithm(plain, lambda regrets, instants, t, info_set: exponential(1.0, regrets)),
    "cfr+": Algorithm(floored, weight=lambda t: t**2),
    "lcfr": Algorithm(discounted(1, 1), weight=lambda t: t),
    "dcfr": Algorithm(discounted(1.5, 0), weight=lambda t: t**2),
    "dcfr3": Algorithm(discounted(1.5, 0), weight=lambda t: t**3),
    "dcfr+": Algorithm(floored_discounted(1.5, 1.5), weight=lambda t: t**4),
    "pcfr+": Algorithm(floored, predicting(1), weight=lambda t: t**2),
    "sapcfr+": Algorithm(floored, predicting(1 / 3), weight=lambda t: t**2),
    "pdcfr+": Algorithm(
        floored_discounted(2.3, 1), predicting_discounted(2.3), weight=lambda t: t**5
    ),
}
"""The variants that need no learning rate, by our names."""


def hedge(reach, spread):
    """Hedge with the rate sqrt(8 ln A / t) over the largest instantaneous regret there can be."""

    def match(regrets, instants, t, info_set):
        rate = math.sqrt(8 * math.log(len(regrets)) / t) / (spread * reach[info_set])
        return exponential(rate, regrets)

    return Algorithm(plain, match)


def hedge_by_variance(values):
    """Hedge with the rate sqrt(ln A / t) / 3 over the standard deviation of the set's values."""

    def match(regrets, instants, t, info_set):
        deviation = statistics.pstdev(values[info_set])
        rate = math.sqrt(math.log(len(regrets)) / t) / (3 * deviation) if deviation else 0.0
        return exponential(rate, regrets)

    return Algorithm(plain, match)


class RecursiveCfr:
    """Regrets, strategies and strategy sums by information set and action number."""

    def __init__(self, describe, *, alternating):
        self.describe = describe
        self.alternating = alternating
        self.regrets = {}
        self.sums = {}
        self.current = {}
        self.values = defaultdict(list)
        self._create(())

    def iterate(self, algorithm, t):
        """Run iteration t for both players."""
        for players in ((0,), (1,)) if self.alternating else ((0, 1),):
            instants = {name: [0.0] * len(r) for name, r in self.regrets.items()}
            owners, reaches = {}, {}
            values = defaultdict(float)
            self._walk((), [1.0, 1.0, 1.0], instants, owners, reaches, values)
            for name, owner in owners.items():
                if owner not in players:
                    continue
                self.values[name].append(values[name])
                for a, probability in enumerate(self.current[name]):
                    weight = algorithm.weight(t) * reaches[name]
                    self.sums[name][a] += weight * probability
                    self.regrets[name][a] = algorithm.update(
                        self.regrets[name][a], instants[name][a], t
                    )
                self.current[name] = algorithm.match(self.regrets[name], instants[name], t, name)

    def average(self):
        """The normalised sums."""
        return {name: matched(sums) for name, sums in self.sums.items()}

    def _create(self, history):
        node = self.describe(history)
        if isinstance(node, Terminal):
            return
        ways = node.outcomes if isinstance(node, Chance) else node.actions
        if not isinstance(node, Chance):
            self.regrets[node.info_set] = [0.0] * len(ways)
            self.sums[node.info_set] = [0.0] * len(ways)
            self.current[node.info_set] = [1 / len(ways)] * len(ways)
        for way in ways:
            self._create((*history, way))

    def _walk(self, history, reach, instants, owners, reaches, values):
        """Return the value for player 0 of what follows; `reach` of player 0, 1 and chance."""
        node = self.describe(history)
        if isinstance(node, Terminal):
            return node.payoff
        chance = isinstance(node, Chance)
        actor = 2 if chance else node.player
        ways = node.outcomes if chance else node.actions
        shares = node.probabilities if chance else self.current[node.info_set]
        found = []
        for way, share in zip(ways, shares, strict=True):
            further = list(reach)
            further[actor] *= share
            found.append(self._walk((*history, way), further, instants, owners, reaches, values))
        value = sum(share * each for share, each in zip(shares, found, strict=True))
        if not chance:
            sign = 1 if actor == 0 else -1
            others = reach[1 - actor] * reach[2]
            owners[node.info_set], reaches[node.info_set] = actor, reach[actor]
            values[node.info_set] += others * sign * value
            for a, each in enumerate(found):
                instants[node.info_set][a] += others * sign * (each - value)
        return value


def expected_value(describe, profile, history=()):
    """What player 0 wins when both play `profile`, probabilities by information set."""
    node = describe(history)
    if isinstance(node, Terminal):
        return node.payoff
    chance = isinstance(node, Chance)
    ways = node.outcomes if chance else node.actions
    shares = node.probabilities if chance else profile[node.info_set]
    return sum(
        share * expected_value(describe, profile, (*history, way))
        for way, share in zip(ways, shares, strict=True)
    )


def best_response_value(describe, profile, player):
    """The most `player` can win: its information sets are decided one by one, the last ones first.

    The value of an action is what `player` wins over all histories of the set, each weighted by the
    reach of the others, once all later sets are decided.
    """
    members = defaultdict(list)
    decided = {}

    def collect(history, reach):
        node = describe(history)
        if isinstance(node, Terminal):
            return
        mine = not isinstance(node, Chance) and node.player == player
        if mine:
            members[node.info_set].append((history, reach, node.actions))
        ways = node.outcomes if isinstance(node, Chance) else node.actions
        shares = (
            node.probabilities
            if isinstance(node, Chance)
            else [1.0] * len(ways)
            if mine
            else profile[node.info_set]
        )
        for way, share in zip(ways, shares, strict=True):
            collect((*history, way), reach * share)

    collect((), 1.0)
    sign = 1 if player == 0 else -1
    latest_first = sorted(members, key=lambda name: -len(members[name][0][0]))
    for name in latest_first:
        actions = members[name][0][2]
        values = [
            sum(
                reach
                * sign
                * expected_value(describe, decided | others(profile, members), (*history, a))
                for history, reach, _ in members[name]
            )
            for a in actions
        ]
        best = values.index(max(values))
        decided[name] = [float(a == best) for a in range(len(actions))]
    return sign * expected_value(describe, decided | others(profile, members))


def others(profile, members):
    """The part of a profile outside the given information sets."""
    return {name: shares for name, shares in profile.items() if name not in members}
