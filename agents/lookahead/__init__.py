"""A look one step ahead: evolved estimators of wins and folds, and what each action wins by them.

Two small networks say how often a hand wins and how often the opponent folds, from what pattern
trees have counted along the path of the hand; what each action wins by these two numbers is a
formula, and before the flop a few rules play.  That is ASHE 2.0; `agents.astar` has it as a base
strategy, too.

What is not as in the authors' program: raises are in the classes of A*; both estimators share a
hidden layer, of which each fills its own inputs; opponents and breeding are ours (`configs`).
What the sources leave open is said where it is decided.

Sources: Li, Miikkulainen, "Opponent modeling and exploitation in poker using evolved recurrent
neural networks", GECCO 2018; Li, "Evolving recurrent neural networks for opponent exploitation",
PhD thesis, University of Texas at Austin 2018; the authors' public program.
"""
