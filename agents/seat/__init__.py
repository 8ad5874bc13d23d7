"""What goes on around a bot at a table: which game it is, what was played, whose mistake."""
