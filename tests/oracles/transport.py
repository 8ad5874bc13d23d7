"""Exact earth mover's distance of two distributions over any ground: a small linear programme."""

import numpy as np
from scipy.optimize import linprog


def exact_emd(supply, demand, ground):
    """Return the least cost of moving `supply` (n,) to `demand` (m,), ground (n, m) per unit."""
    n, m = ground.shape
    rows = np.zeros((n + m, n * m))
    for i in range(n):
        rows[i, i * m : (i + 1) * m] = 1
    for j in range(m):
        rows[n + j, j::m] = 1
    # one of the n + m equations follows from the others
    found = linprog(ground.ravel(), A_eq=rows[:-1], b_eq=np.concatenate((supply, demand))[:-1])
    assert found.status == 0
    return found.fun
