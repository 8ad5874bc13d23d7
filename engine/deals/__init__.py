"""Given deals: files of decks, boards and spots, and deals spread evenly over all flops."""
