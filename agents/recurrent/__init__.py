"""Networks that evolve: two stacks of LSTM blocks, one for the opponent and one for the game, a head.

Nobody learns by gradients here: a network is a row of numbers, its genome.
"""
