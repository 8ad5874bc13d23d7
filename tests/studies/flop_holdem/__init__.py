"""Hold'em that is over after the betting on the flop, or from a flop on after the turn, solved."""
