"""Pattern trees: how an opponent plays, by what was done so far; for all evolved families."""
