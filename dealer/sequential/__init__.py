"""`arena sprt`: how many hands a sequential test takes, and how often it is wrong."""
