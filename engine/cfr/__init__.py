"""Counterfactual regret minimisation: one family of algorithms, two forms of solver."""
