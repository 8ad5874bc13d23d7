"""Rows made fewer and coarser, the plain way: fractions, and a row at a time."""

from fractions import Fraction


def moved(row, other):
    """Return the probability that has to move to make one row of the other."""
    return Fraction(sum(abs(a - b) for a, b in zip(row, other, strict=True)), 2 * sum(row))


def rounded(row, step):
    """Return the nearest row of multiples of a step, as largest remainders have it."""
    found = [share // step * step for share in row]
    while sum(found) < sum(row):
        rest = [share - given for share, given in zip(row, found, strict=True)]
        found[rest.index(max(rest))] += step
    return found


def coarsest(row, weight, limit):
    """Return the row in the largest steps in which it costs no more than the limit."""
    whole = sum(row)
    steps = [step for step in range(whole - 1, 0, -1) if whole % step == 0]
    choices = (rounded(row, step) for step in steps)
    return next(one for one in choices if weight * moved(row, one) <= limit)


def compact(rows, weights, limit):
    """Return rows each of which costs at most the limit, most of them that of the bucket before."""
    matter = [bucket for bucket, weight in enumerate(weights) if weight > limit]
    first = matter[0] if matter else weights.index(max(weights))
    last = coarsest(rows[first], weights[first], limit)
    found = []
    for row, weight in zip(rows, weights, strict=True):
        if weight * moved(row, last) > limit:
            last = coarsest(row, weight, limit)
        found.append(last)
    return found
