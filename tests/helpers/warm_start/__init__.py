"""Programs of ours started from a parent that has imported what they need: a fork server for tests.

A full run of the tests starts some 1500 dealers, agents and commands, and most of what each costs
is importing the same modules again.  With the parent running, `sys.executable` of the test
processes is a small script (`program`) that has the parent fork, and stands for the child: it
passes signals on, dies with it, and ends as it ended.  What is no module of ours, or wants another
environment than the parent has, is run by the interpreter itself.
"""
