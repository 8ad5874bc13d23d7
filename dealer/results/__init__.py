"""Results of matches: win rates by every estimator, their tables, and the verdict."""
