"""AIVAT: the unbiased estimator of win rates with the lowest variance."""
