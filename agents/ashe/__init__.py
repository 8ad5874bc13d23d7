"""ASHE: an evolved network that says how many chips the hand is worth, against this opponent.

The ancestor of `agents.astar`, its version 1.0: no trees and no library; two stacks of LSTM blocks
see the game, one of them forgets each hand, the other only at a new opponent.

Source: Li, Miikkulainen, "Evolving adaptive LSTM poker players for effective opponent
exploitation", AAAI workshop 2017.
"""
