"""Networks that evolve: two stacks of LSTM blocks, for the opponent and for the game, and a head.

Nobody learns by gradients here: a network is a row of numbers, its genome.
"""
