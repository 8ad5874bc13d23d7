"""`arena match` and `arena tournament`: options, what they ask for, the play and the report."""
