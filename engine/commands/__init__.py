"""Commands of `arena` that need nothing but the engine.

Each is a module with `main(argv) -> int`, or a folder with such a module.  To add one: write it
here with the kit in `engine.console`, and give it a line in the table of `dealer.arena`, which is
all that `arena`, its help and the tests of every command go by.
"""
