"""CFR over full ranges: river, turn and flop subgames of two-player hold'em."""
