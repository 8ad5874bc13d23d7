"""Counterfactual regret minimisation: what its solvers share, the variants and the solve loop."""
