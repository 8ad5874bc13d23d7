"""Ratings: `arena rate`, every estimator of everybody's win rate, from logs alone."""
