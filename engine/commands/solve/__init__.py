"""`arena solve`: equilibria of two-player hold'em subgames over full ranges."""
