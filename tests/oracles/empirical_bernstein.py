"""Another bound on the mean of bounded samples, for a number of them that is fixed beforehand.

Maurer and Pontil, "Empirical Bernstein bounds and sample variance penalization", COLT 2009,
theorem 4: for N samples in [0, 1], with probability 1 - d,

    true mean >= mean - sqrt(2 V ln(2 / d) / N) - 7 ln(2 / d) / (3 (N - 1))    V: divisor N - 1
"""

import math


def rejects_nothing_won(samples, most, level):
    """Return whether the bound says that the mean of samples in [-most, most] is not 0."""
    size = len(samples)
    scaled = (samples / most + 1) / 2
    mean = sum(scaled) / size
    variance = sum((one - mean) ** 2 for one in scaled) / (size - 1)
    told = math.log(2 / (level / 2))
    half = math.sqrt(2 * variance * told / size) + 7 * told / (3 * (size - 1))
    return abs(mean - 0.5) > half
