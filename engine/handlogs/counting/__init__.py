"""What players did over many hands: tallies, and the statistics that trackers make of them."""
