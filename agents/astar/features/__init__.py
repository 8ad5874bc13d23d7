"""What the networks are told: pattern trees of the opponent, and the game as it stands."""
