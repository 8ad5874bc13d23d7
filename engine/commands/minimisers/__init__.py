"""`arena minimisers`: whether it pays to choose a regret minimiser for each iteration of CFR."""
