"""What to do, by tables or by what each action is worth."""
