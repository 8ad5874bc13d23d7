"""Poker-CNN: a hand as a picture of 16 planes, and a network without pooling that values actions.

    history_kernels, encoding_kernels   what a player has seen, as numbers and as planes
    records, reading                    hands of match logs, packed; states are rebuilt when needed
    forward_kernels, net                the network: compiled for playing, in PyTorch for training
    train                               training, baselines, evaluation
    policy, bot                         the player

Source: Tang Jie, Xu Huahu, Tan Guangyun, "Poker-CNN", Shanghai University; after Yakovenko, Cao,
Raffel, Fan, "Poker-CNN: A pattern learning strategy for making draws and bets in poker games using
convolutional networks", AAAI 2016.
"""
