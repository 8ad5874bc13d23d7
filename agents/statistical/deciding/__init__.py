"""What to do: the tables, the comparison of strengths, the value of each action."""
