"""`arena sprt`: how many hands a sequential test takes."""
