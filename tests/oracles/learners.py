"""Losses of learners the slow way: one decision after another, in double precision.

A network is a list of (weights, biases) of its layers, hidden ones rectified.
"""

import math


def scores(layers, x):
    """Return the scores of one input."""
    numbers = [float(number) for number in x]
    for depth, (weights, biases) in enumerate(layers):
        numbers = [
            sum(number * weights[i][j] for i, number in enumerate(numbers)) + biases[j]
            for j in range(len(biases))
        ]
        if depth < len(layers) - 1:
            numbers = [max(number, 0.0) for number in numbers]
    return numbers


def chances(values, legal):
    """Return the softmax over legal actions, 0 for others."""
    odds = [math.exp(value) if may else 0.0 for value, may in zip(values, legal, strict=True)]
    return [share / sum(odds) for share in odds]


def value_loss(layers, target, rows):
    """Return the mean squared error of Q-learning.

    Rows are (x, action, won, what is seen next or None, what is legal there).
    """
    errors = []
    for x, action, won, following, legal in rows:
        worth = 0.0
        if following is not None:
            after = scores(target, following)
            worth = max(value for value, may in zip(after, legal, strict=True) if may)
        errors.append((scores(layers, x)[action] - won - worth) ** 2)
    return sum(errors) / len(errors)


def average_loss(layers, rows):
    """Return the mean of -log of the chance of what was done; rows are (x, legal, action)."""
    logs = [math.log(chances(scores(layers, x), legal)[action]) for x, legal, action in rows]
    return -sum(logs) / len(logs)


def advantage_loss(layers, rows):
    """Return the weighted mean squared error; rows are (x, legal, advantages, weight)."""
    total = sum(weight for *_, weight in rows)
    error = 0.0
    for x, legal, wanted, weight in rows:
        given = scores(layers, x)
        squares = [
            (value - want) ** 2
            for value, want, may in zip(given, wanted, legal, strict=True)
            if may
        ]
        error += weight / total * sum(squares)
    return error


def ppo_loss(actor, critic, rows, settings):
    """Return the clipped loss with entropy and divergence.

    Rows are (x, legal, action, chances before, gain, target).
    """
    total = 0.0
    for x, legal, action, before, gain, target in rows:
        now = chances(scores(actor, x), legal)
        ratio = now[action] / before[action]
        clipped = min(max(ratio, 1 - settings.clip), 1 + settings.clip)
        total -= min(ratio * gain, clipped * gain)
        shares = [(share, old) for share, old, may in zip(now, before, legal, strict=True) if may]
        total += settings.entropy * sum(share * math.log(share) for share, _ in shares)
        total += settings.kl * sum(share * math.log(share / old) for share, old in shares)
        (value,) = scores(critic, x)
        total += 0.5 * (value - target) ** 2
    return total / len(rows)
