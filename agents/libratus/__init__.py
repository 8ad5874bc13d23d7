"""The bot that solves the rest of the hand at the table, nested and safe, as Libratus did."""
