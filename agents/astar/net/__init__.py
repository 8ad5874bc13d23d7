"""The networks: two stacks of LSTM blocks, one for the opponent and one for the game, and a head."""
